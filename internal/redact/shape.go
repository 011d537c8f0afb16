package redact

import (
	"strings"

	"uncoil/internal/ascii"
)

// tokenPrefixes begin tokens that their makers marked as such, by their first
// byte, with how many token characters must follow at least.
var tokenPrefixes = map[byte][]struct {
	prefix string
	least  int
}{
	'g': {{"ghp_", 4}, {"gho_", 4}, {"ghu_", 4}, {"ghs_", 4}, {"ghr_", 4}, {"github_pat_", 4}, {"glpat-", 4}, {"gsk_", 12}},
	's': {{"sk_live_", 4}, {"sk_test_", 4}, {"sk-ant-", 4}, {"sk-proj-", 4}, {"sk-", 16}, {"shpat_", 4}, {"shpss_", 4}},
	'r': {{"rk_live_", 4}, {"rk_test_", 4}},
	'x': {{"xoxb-", 4}, {"xoxp-", 4}, {"xoxa-", 4}, {"xoxr-", 4}, {"xoxs-", 4}, {"xoxe-", 4}, {"xapp-", 4}},
	'w': {{"whsec_", 4}},
	'A': {{"AKIA", 12}, {"ASIA", 12}, {"AIza", 20}},
	'n': {{"npm_", 16}},
	'p': {{"pypi-", 16}},
	'd': {{"dop_v1_", 4}},
	'h': {{"hf_", 16}, {"hvs.", 16}},
	'y': {{"ya29.", 8}},
	'S': {{"SG.", 16}},
	'e': {{"eyJ", 12}}, // a JSON Web Token: base64 of {"
}

// pathSecrets begin URLs in whose path a secret follows: the rest of the path,
// or only of its segment.
var pathSecrets = []struct {
	prefix  string
	segment bool
}{
	{"hooks.slack.com/services/", false},
	{"hooks.slack.com/workflows/", false},
	{"/api/webhooks/", false}, // Discord's
	{"api.telegram.org/bot", true},
}

// isTokenByte reports whether c is allowed in a token after its prefix.
func isTokenByte(c byte) bool {
	return ascii.IsNameByte(c) || c == '-' || c == '.'
}

// tokenLength returns the length of the token of a known shape that s begins
// with, or 0.
func tokenLength(s string) int {
	for _, t := range tokenPrefixes[s[0]] {
		if !strings.HasPrefix(s, t.prefix) {
			continue
		}
		n := len(t.prefix)
		for n < len(s) && isTokenByte(s[n]) {
			n++
		}
		if n-len(t.prefix) >= t.least {
			return n
		}
	}
	return 0
}

// pathSecret returns the secret in the URL that s begins with, if its kind is
// known.
func pathSecret(s string) (secret Span, ok bool) {
	for _, p := range pathSecrets {
		if !strings.HasPrefix(s, p.prefix) {
			continue
		}
		n := len(p.prefix)
		for n < len(s) && (isTokenByte(s[n]) || s[n] == ':' || s[n] == '%' || s[n] == '/' && !p.segment) {
			n++
		}
		return Span{len(p.prefix), n}, true
	}
	return Span{}, false
}
