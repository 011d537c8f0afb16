package redact

import (
	"strings"
)

// secretWords are the words that make a name one of a secret, wherever in it
// they stand.
var secretWords = []string{
	"apikey", "authoriz", "cookie", "credential", "csrf", "jwt", "oauth", "passcode", "passphrase",
	"passw", "privatekey", "pwd", "secret", "session", "signature", "token", "xsrf",
}

// secretNames are secret only as the whole name, or as a word of it: they are
// too short to look for inside of others.
var secretNames = map[string]bool{
	"auth": true, "code": true, "key": true, "nonce": true, "otp": true, "pass": true,
	"pin": true, "psk": true, "pw": true, "sid": true, "sig": true,
}

// plainNames hold one of the words and are no secret.
var plainNames = map[string]bool{
	"maxcompletiontokens": true, "maxoutputtokens": true, "maxtokens": true,
}

// Secret reports whether the value under a name is a secret: the name of
// a header field, of a query parameter, a form field or a JSON member.
func Secret(name string) bool {
	lower := strings.ToLower(name)
	var plain strings.Builder
	for _, r := range lower {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			plain.WriteRune(r)
		}
	}
	if plainNames[plain.String()] || strings.HasSuffix(plain.String(), "tokentype") { // RFC 8693 has several
		return false
	}
	for _, word := range secretWords {
		if strings.Contains(plain.String(), word) {
			return true
		}
	}
	for _, word := range words(name) {
		if secretNames[word] {
			return true
		}
	}
	return false
}

// words cuts a name at its punctuation and at its capitals.
func words(name string) []string {
	var out []string
	var word []byte
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	capital := false
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if !capital {
				end()
			}
			capital = true
			word = append(word, c|0x20)
			continue
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			word = append(word, c)
		default:
			end()
		}
		capital = false
	}
	end()
	return out
}
