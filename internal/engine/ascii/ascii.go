// Package ascii has the byte classes of ASCII, hexadecimal digits, and case
// folding as curl and HTTP do it: of the 26 letters, and of nothing else.
package ascii

import "strings"

// IsLetter reports whether c is a letter.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsNameByte reports whether c is allowed in the name of a shell variable; a
// digit may not be the first.
func IsNameByte(c byte) bool { return IsLetter(c) || IsDigit(c) || c == '_' }

// IsToken reports whether s is a token (RFC 9110, section 5.6.2): a method, or
// the name of a field.
func IsToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; !IsNameByte(c) && strings.IndexByte("!#$%&'*+-.^`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool { return IsDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// Hex returns the value of the hexadecimal digit c, or -1.
func Hex(c byte) int {
	switch {
	case IsDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// Lower returns c in lower case.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// EqualFold reports whether two strings differ in the case of letters at
// most.
func EqualFold(a, b string) bool { return len(a) == len(b) && HasPrefixFold(a, b) }

// HasPrefixFold reports whether s begins with prefix, whatever the case of
// letters.
func HasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if s[i] != prefix[i] && Lower(s[i]) != Lower(prefix[i]) {
			return false
		}
	}
	return true
}

// HasSuffixFold is HasPrefixFold for the end of a text.
func HasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && HasPrefixFold(s[len(s)-len(suffix):], suffix)
}

// ContainsFold reports whether sub stands in s, whatever the case of letters. Its first
// byte is no letter.
func ContainsFold(s, sub string) bool {
	for {
		i := strings.IndexByte(s, sub[0])
		if i < 0 {
			return false
		}
		if s = s[i:]; HasPrefixFold(s, sub) {
			return true
		}
		s = s[1:]
	}
}

// LineBreak returns the length of the line break at the start of s, a line
// feed or a carriage return and a line feed, or 0.
func LineBreak(s string) int {
	switch {
	case len(s) > 0 && s[0] == '\n':
		return 1
	case len(s) > 1 && s[0] == '\r' && s[1] == '\n':
		return 2
	}
	return 0
}

// NameLength returns the length of the shell variable's name that s begins
// with, or 0.
func NameLength(s string) int {
	n := 0
	for n < len(s) && IsNameByte(s[n]) && (n > 0 || !IsDigit(s[n])) {
		n++
	}
	return n
}

// LineLength returns how many bytes of s stand before its first line feed.
func LineLength(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}
