package word

import "strings"

// SingleQuoted returns what stands between the single quotes with which a text begins, up to
// the end of its line, and its length with both; 0 where none ends a word. For shells that
// know no single quotes these are text.
func SingleQuoted(s string) (inside string, length int) {
	if s == "" || s[0] != '\'' {
		return "", 0
	}
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		if s[i] == '\'' && (i+1 == len(s) || strings.IndexByte(" \t\r\n", s[i+1]) >= 0) {
			return s[1:i], i + 1
		}
	}
	return "", 0
}
