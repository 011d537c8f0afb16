package curlurl

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// The classes of bytes that parseVerbatim reads.
const (
	inHost uint8 = 1 << iota
	inPath
	inQuery
)

var classes = func() (classes [256]uint8) {
	for c := byte('!'); c < 0x7f; c++ {
		switch {
		case ascii.IsNameByte(c) || c == '-' || c == '.':
			classes[c] = inHost | inPath | inQuery
		case c == '%' || c == '?': // the path may need another spelling
			classes[c] = inQuery
		case c != '#':
			classes[c] = inPath | inQuery
		}
	}
	return classes
}()

// skip returns the index of the first byte of s from i on that is not of a
// class.
func skip(s string, i int, class uint8) int {
	for i < len(s) && classes[s[i]]&class != 0 {
		i++
	}
	return i
}

// parseVerbatim reads a URL that curl sends as typed, in one pass over its
// bytes: the scheme http or https or none, the name of a host, perhaps a port, a
// path without dot segments and percent-encoding, and a query. Most URLs are
// such. It reports whether s is one; when not, it leaves u alone.
func (u *URL) parseVerbatim(s string) bool {
	scheme, start := "", 0
	switch {
	case strings.HasPrefix(s, "https://"):
		scheme, start = s[:len("https")], len("https://")
	case strings.HasPrefix(s, "http://"):
		scheme, start = s[:len("http")], len("http://")
	}
	i := skip(s, start, inHost)
	host := s[start:i]
	if host == "" || ascii.IsDigit(host[0]) || host[len(host)-1] == '.' {
		return false // a host that begins with a digit may be an IPv4 address
	}
	port := ""
	if i < len(s) && s[i] == ':' {
		start = i + 1
		for i = start; i < len(s) && ascii.IsDigit(s[i]); i++ {
		}
		if port = s[start:i]; !isPlainPort(port) {
			return false
		}
	}
	path := ""
	if i < len(s) && s[i] == '/' {
		start = i
		i = skip(s, start, inPath)
		if path = s[start:i]; hasDotSegment(path) {
			return false
		}
	}
	query, hasQuery := "", i < len(s) && s[i] == '?'
	if hasQuery {
		start = i + 1
		i = skip(s, start, inQuery)
		query = s[start:i]
	}
	if i < len(s) {
		return false
	}
	u.source, u.typedScheme, u.Scheme = s, scheme, scheme
	u.Host, u.Port, u.Path, u.Query, u.HasQuery = host, port, path, query, hasQuery
	if scheme == "" {
		u.Guessed = true
		u.guessScheme()
	}
	return true
}

// isPlainPort reports whether digits are a port in its usual spelling.
func isPlainPort(digits string) bool {
	switch {
	case digits == "" || digits[0] == '0' || len(digits) > 5:
		return false
	case len(digits) == 5:
		return digits <= "65535"
	}
	return true
}

// isVerbatim reports whether String would write the URL as it was typed, but
// for a scheme that was not.
func (u *URL) isVerbatim() bool {
	rest := u.source
	return rest != "" && (u.typedScheme == "" || cut(&rest, u.typedScheme) && cut(&rest, "://")) && cut(&rest, u.Host) &&
		(u.Port == "" || cut(&rest, ":") && cut(&rest, u.Port)) && cut(&rest, u.Path) &&
		(!u.HasQuery || cut(&rest, "?") && cut(&rest, u.Query)) && rest == "" && u.Zone == ""
}

// cut removes a prefix of s, if s has it.
func cut(s *string, prefix string) (ok bool) {
	*s, ok = strings.CutPrefix(*s, prefix)
	return ok
}
