package redact

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// An alphabet is what may follow the prefix of a token.
type alphabet uint8

const (
	anyToken  alphabet = iota // letters, digits, and the signs - _ .
	alnum                     // letters and digits
	hex                       // hexadecimal digits in small letters
	hexDashed                 // hexadecimal digits and -
	bech32                    // capitals and digits
)

func (a alphabet) has(c byte) bool {
	switch a {
	case alnum:
		return ascii.IsLetter(c) || ascii.IsDigit(c)
	case hex:
		return ascii.IsDigit(c) || 'a' <= c && c <= 'f'
	case hexDashed:
		return ascii.IsDigit(c) || 'a' <= c && c <= 'f' || c == '-'
	case bech32:
		return ascii.IsDigit(c) || 'A' <= c && c <= 'Z'
	}
	return isTokenByte(c)
}

// A shape is the format that an issuer gives its tokens, so that scanners find them.
type shape struct {
	issuer, prefix string
	alphabet       alphabet
	least          int  // how many characters follow the prefix, or more
	exact          bool // not more
}

// shapes are the formats that issuers publish. Where an issuer says only how a token
// begins, least is what keeps ordinary words from matching.
var shapes = []shape{
	{"Age", "AGE-SECRET-KEY-1", bech32, 58, true},
	{"Anthropic", "sk-ant-", anyToken, 4, false},
	{"Atlassian", "ATATT3", anyToken, 20, false},
	{"AWS", "AKIA", anyToken, 12, false},
	{"AWS", "ASIA", anyToken, 12, false},
	{"Buildkite", "bkua_", alnum, 30, false},
	{"Cloudflare", "v1.0-", hexDashed, 171, true}, // of the Origin CA: 24 digits, -, 146 digits
	{"Contentful", "CFPAT-", anyToken, 30, false},
	{"Databricks", "dapi", hexDashed, 32, false},
	{"DigitalOcean", "dop_v1_", anyToken, 4, false},
	{"Docker", "dckr_oat_", anyToken, 20, false},
	{"Docker", "dckr_pat_", anyToken, 20, false},
	{"Doppler", "dp.pt.", alnum, 30, false},
	{"Dynatrace", "dt0c01.", anyToken, 24, false},
	{"ElevenLabs", "sk_", hex, 48, true},
	{"Facebook", "EAA", alnum, 80, false},
	{"Figma", "figd_", anyToken, 30, false},
	{"Fly.io", "fm2_", anyToken, 30, false},
	{"GitHub", "ghp_", anyToken, 4, false},
	{"GitHub", "gho_", anyToken, 4, false},
	{"GitHub", "ghu_", anyToken, 4, false},
	{"GitHub", "ghs_", anyToken, 4, false},
	{"GitHub", "ghr_", anyToken, 4, false},
	{"GitHub", "github_pat_", anyToken, 4, false},
	{"GitLab", "glpat-", anyToken, 4, false},
	{"Google", "AIza", anyToken, 20, false},
	{"Google", "ya29.", anyToken, 8, false},
	{"Grafana", "glsa_", anyToken, 30, false},
	{"Groq", "gsk_", anyToken, 12, false},
	{"HashiCorp", "hvs.", anyToken, 16, false},
	{"Heroku", "HRKU-", anyToken, 30, false},
	{"Hugging Face", "hf_", anyToken, 16, false},
	{"JFrog", "AKCp8", alnum, 40, false},
	{"JSON Web Token", "eyJ", anyToken, 12, false}, // base64 of {"
	{"LangSmith", "lsv2_pt_", anyToken, 32, false},
	{"Linear", "lin_api_", alnum, 32, false},
	{"Linear", "lin_oauth_", alnum, 32, false},
	{"Mailgun", "key-", hex, 32, true},
	{"New Relic", "NRAK-", alnum, 24, false},
	{"Notion", "ntn_", alnum, 40, false},
	{"npm", "npm_", anyToken, 16, false},
	{"NVIDIA", "nvapi-", anyToken, 40, false},
	{"OpenAI", "sk-proj-", anyToken, 4, false},
	{"OpenAI", "sk-", anyToken, 16, false},
	{"Perplexity", "pplx-", alnum, 40, false},
	{"Pinecone", "pcsk_", anyToken, 40, false},
	{"PlanetScale", "pscale_tkn_", anyToken, 24, false},
	{"Postman", "PMAK-", hexDashed, 40, false},
	{"Pulumi", "pul-", hex, 40, true},
	{"PyPI", "pypi-", anyToken, 16, false},
	{"Replicate", "r8_", alnum, 30, false},
	{"RubyGems", "rubygems_", hex, 40, false},
	{"SendGrid", "SG.", anyToken, 16, false},
	{"Sentry", "sntrys_", anyToken, 40, false},
	{"Shopify", "shpat_", anyToken, 4, false},
	{"Shopify", "shpss_", anyToken, 4, false},
	{"Slack", "xapp-", anyToken, 4, false},
	{"Slack", "xoxa-", anyToken, 4, false},
	{"Slack", "xoxb-", anyToken, 4, false},
	{"Slack", "xoxe-", anyToken, 4, false},
	{"Slack", "xoxp-", anyToken, 4, false},
	{"Slack", "xoxr-", anyToken, 4, false},
	{"Slack", "xoxs-", anyToken, 4, false},
	{"Square", "EAAA", anyToken, 56, false},
	{"Stripe", "rk_live_", anyToken, 4, false},
	{"Stripe", "rk_test_", anyToken, 4, false},
	{"Stripe", "sk_live_", anyToken, 4, false},
	{"Stripe", "sk_test_", anyToken, 4, false},
	{"Stripe", "whsec_", anyToken, 4, false},
	{"Supabase", "sbp_", hex, 40, true},
	{"Tailscale", "tskey-", anyToken, 20, false},
	{"Twilio", "SK", hex, 32, true},
	{"xAI", "xai-", alnum, 60, false},
}

// byFirst has the shapes by the first byte of their prefixes.
var byFirst = func() (by [128][]*shape) {
	for i := range shapes {
		first := shapes[i].prefix[0]
		by[first] = append(by[first], &shapes[i])
	}
	return by
}()

// pathSecrets begin URLs in whose path a secret follows: the rest of the path,
// or only of its segment.
var pathSecrets = []struct {
	prefix  string
	segment bool
}{
	{"hooks.slack.com/services/", false},
	{"hooks.slack.com/workflows/", false},
	{"/api/webhooks/", false}, // Discord's
	{"/webhookb2/", false},    // of Microsoft Teams
	{"outlook.office.com/webhook/", false},
	{"outlook.office365.com/webhook/", false},
	{"api.telegram.org/bot", true},
}

// isTokenByte reports whether c is allowed in a token after its prefix.
func isTokenByte(c byte) bool {
	return ascii.IsNameByte(c) || c == '-' || c == '.'
}

// token returns the token of a known shape that s begins with.
func token(s string) (found Span, ok bool) {
	if s[0] >= 128 {
		return Span{}, false
	}
	for _, t := range byFirst[s[0]] {
		if !strings.HasPrefix(s, t.prefix) {
			continue
		}
		n, longest := len(t.prefix), len(s)
		if t.exact {
			longest = min(longest, n+t.least)
		}
		for n < longest && t.alphabet.has(s[n]) {
			n++
		}
		if n-len(t.prefix) >= t.least && !(t.exact && n < len(s) && (ascii.IsNameByte(s[n]) || s[n] == '-')) {
			return Span{0, n}, true
		}
	}
	if found, ok = telegram(s); !ok {
		found, ok = dotted(s)
	}
	return found, ok
}

// parts are the lengths of the parts of tokens that have dots between them: the least and the
// most of each, and what the first one begins with, or the second one is.
var parts = []struct {
	issuer, begins, second string
	alphabets              [3]alphabet
	least, most            [3]int
}{
	{issuer: "Airtable", begins: "pat", alphabets: [3]alphabet{alnum, hex}, least: [3]int{17, 64}, most: [3]int{17, 64}},
	{issuer: "HashiCorp", second: "atlasv1", alphabets: [3]alphabet{alnum, alnum, alnum}, least: [3]int{14, 7, 60}, most: [3]int{14, 7, 80}},
	{issuer: "Discord", begins: "M", alphabets: [3]alphabet{alnum, anyToken, anyToken}, least: [3]int{24, 6, 27}, most: [3]int{28, 6, 40}},
	{issuer: "Discord", begins: "N", alphabets: [3]alphabet{alnum, anyToken, anyToken}, least: [3]int{24, 6, 27}, most: [3]int{28, 6, 40}},
}

// dotted returns the token of parts between dots that s begins with.
func dotted(s string) (found Span, ok bool) {
	const shortest, longest = 14, 28 // of a first part
	first := 0
	for first < len(s) && first <= longest && alnum.has(s[first]) {
		first++
	}
	if first < shortest || first == len(s) || s[first] != '.' {
		return Span{}, false
	}
	for i := range parts {
		p := &parts[i]
		n := 0
		for k := 0; k < len(p.least) && p.most[k] > 0 && n >= 0; k++ {
			start := n
			if k > 0 {
				start++ // behind the dot
			}
			if k > 0 && (n == len(s) || s[n] != '.') || start > len(s) {
				n = -1
				break
			}
			end := start
			for end < len(s) && end-start <= p.most[k] && s[end] != '.' && p.alphabets[k].has(s[end]) {
				end++
			}
			if size := end - start; size < p.least[k] || size > p.most[k] || k == 0 && !strings.HasPrefix(s, p.begins) || k == 1 && p.second != "" && s[start:end] != p.second {
				n = -1
				break
			}
			n = end
		}
		if n > 0 && endsAt(s, n) {
			return Span{0, n}, true
		}
	}
	return Span{}, false
}

// endsAt reports whether a token may end at n: before the end of a sentence, too, or that of the
// name of a file.
func endsAt(s string, n int) bool {
	const longestEnding = 4
	if n < len(s) && s[n] == '.' {
		n++
		for most := n + longestEnding; n < len(s) && n < most && alnum.has(s[n]); {
			n++
		}
	}
	return n == len(s) || !isTokenByte(s[n])
}

// pem returns the private key in PEM that s begins with (RFC 7468, section 10), also one that is
// cut off.
func pem(s string) (found Span, ok bool) {
	const begins, kind, ends, longestLabel = "-----BEGIN ", "PRIVATE KEY-----", "-----END ", 64
	if !strings.HasPrefix(s, begins) {
		return Span{}, false
	}
	at := strings.Index(s[:min(len(s), longestLabel)], kind)
	if at < 0 {
		return Span{}, false
	}
	start := at + len(kind)
	if n := strings.Index(s[start:], ends); n >= 0 {
		return Span{start, start + n}, true
	}
	return Span{start, len(s)}, true
}

// awsSecret returns the secret key of AWS, 40 characters of Base64, that stands in s from i on. So
// that no path is one, it has letters of both cases, digits and a sign, and they change as often as
// by chance.
func awsSecret(s string, i int) (found Span, ok bool) {
	const length, leastChanges = 40, 16
	if kindOf(s[i]) == 0 || i > 0 && kindOf(s[i-1]) != 0 {
		return Span{}, false
	}
	n, changes := 0, 0
	var has [5]bool
	for ; i+n < len(s) && n <= length && kindOf(s[i+n]) != 0; n++ {
		has[kindOf(s[i+n])] = true
		if n > 0 && kindOf(s[i+n]) != kindOf(s[i+n-1]) {
			changes++
		}
	}
	ok = n == length && changes >= leastChanges && has[1] && has[2] && has[3] && has[4] &&
		(i+n == len(s) || strings.IndexByte("=-_%", s[i+n]) < 0) && (i == 0 || strings.IndexByte("_.%", s[i-1]) < 0)
	return Span{i, i + n}, ok
}

// kindOf tells capitals, small letters, digits and signs of Base64 apart from others, which are 0.
func kindOf(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return 1
	case 'a' <= c && c <= 'z':
		return 2
	case ascii.IsDigit(c):
		return 3
	case c == '+' || c == '/':
		return 4
	}
	return 0
}

// telegram returns the token of a bot that s begins with, perhaps after bot as in the
// path of a URL: 8 to 10 digits, a colon, and 35 characters.
func telegram(s string) (found Span, ok bool) {
	const digits, most, secret = 8, 10, 35
	start := 0
	if strings.HasPrefix(s, "bot") {
		start = len("bot")
	}
	n := start
	for n < len(s) && n-start < most && ascii.IsDigit(s[n]) {
		n++
	}
	if n-start < digits || n == len(s) || s[n] != ':' {
		return Span{}, false
	}
	n++
	end := n
	for end < len(s) && end-n <= secret && (ascii.IsNameByte(s[end]) || s[end] == '-') {
		end++
	}
	return Span{start, end}, end-n == secret
}

// pathSecret returns the secret in the URL that s begins with, if its kind is
// known.
func pathSecret(s string) (secret Span, ok bool) {
	for _, p := range pathSecrets {
		if !strings.HasPrefix(s, p.prefix) {
			continue
		}
		n := len(p.prefix)
		for n < len(s) && (isTokenByte(s[n]) || s[n] == ':' || s[n] == '%' || !p.segment && (s[n] == '/' || s[n] == '@')) {
			n++
		}
		return Span{len(p.prefix), n}, true
	}
	return Span{}, false
}
