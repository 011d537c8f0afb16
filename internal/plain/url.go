package plain

import "strings"

// setURL takes a URL that curl requests as it is typed, but for a scheme that
// is not there. In a word with variables every dollar begins one.
func (c *command) setURL(url string, holed bool) bool {
	rest, hasScheme := strings.CutPrefix(url, "https://")
	if !hasScheme {
		rest, hasScheme = strings.CutPrefix(url, "http://")
	}
	if c.url != "" || rest == "" || len(url) > maxURL {
		return false
	}
	c.url = url
	c.guessed = !hasScheme && rest[0] != '$' && rest[0] != '{' && rest[0] != '<' // which may hold the scheme
	n := hostLength(rest, hasScheme, holed)
	if n == 0 {
		return false
	}
	if n < len(rest) && rest[n] == ':' {
		port := n + 1
		for n++; n < len(rest) && rest[n] != '/'; n++ {
		}
		if !isPort(rest[port:n]) {
			return false
		}
	}
	c.rootless = n == len(rest)
	return (c.rootless || rest[n] == '/') && isPath(rest[n:], holed)
}

// maxURL bounds a URL, of which curl takes less than 8,000,000 bytes with all
// that is added to it.
const maxURL = 7 << 20

// hostLength returns the length of the host name, or of the IPv4 address in
// its usual form, that a URL goes on with behind its scheme, or 0.
func hostLength(s string, hasScheme, holed bool) int {
	last := byte('.')
	i := 0
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case kinds[c]&inVariable != 0, c == '.' && last != '.', c == '-' && last != '.' && last != '-':
			last = c
			continue
		case c == '{' || c == '<' || c == '$' && holed:
			n := placeholderLength(s[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
			last = 'a'
			continue
		}
		break
	}
	switch {
	case last == '.', s[0] >= '0' && s[0] <= '9' && !isIPv4(s[:i]), !hasScheme && namesProtocol(s[:i]):
		return 0
	}
	return i
}

// namesProtocol reports a host whose name stands for its protocol.
func namesProtocol(host string) bool {
	n := strings.IndexByte(host, '.')
	if n < 0 {
		n = len(host)
	}
	if n != len("ftp") && n != len("dict") {
		return false
	}
	for _, protocol := range [...]string{"ftp", "dict", "ldap", "imap", "smtp", "pop3"} {
		if strings.EqualFold(host[:n], protocol) {
			return true
		}
	}
	return false
}

// isPort reports a port that curl leaves in the URL.
func isPort(port string) bool {
	return isNumber(port) && port[0] != '0' && (len(port) < 5 || port <= "65535") && port != "80" && port != "443"
}

// isIPv4 reports an address in the form that curl itself would write.
func isIPv4(host string) bool {
	parts := 0
	for part := range strings.SplitSeq(host, ".") {
		parts++
		if !isNumber(part) || len(part) > 3 || part[0] == '0' && len(part) > 1 || len(part) == 3 && part > "255" {
			return false
		}
	}
	return parts == 4
}

// isPath reports a path and a query in which there is nothing for curl to
// change: no segment of dots, no globs, no blanks. Placeholders in braces stay.
func isPath(path string, holed bool) bool {
	for i := skipKind(path, 0, inURL); i < len(path); i = skipKind(path, i+1, inURL) {
		switch c := path[i]; {
		case c == '%':
			if !isEncoded(path[i+1:]) || i > 0 && path[i-1] == '/' && path[i+1] == '2' { // a dot, or close to it
				return false
			}
		case c == '{' || c == '<' || c == '$' && holed:
			n := placeholderLength(path[i:])
			if n == 0 {
				return false
			}
			i += n - 1
		case c != '$':
			return false
		}
	}
	return path == "" || path[len(path)-1] != '?' && !hasDots(path)
}

// hasDots reports a segment of dots, or what could be one.
func hasDots(path string) bool {
	for {
		i := strings.Index(path, "/.")
		if i < 0 {
			return false
		}
		path = path[i+1:]
		rest := strings.TrimLeft(path, ".")
		dots := len(path) - len(rest)
		if dots <= 2 && (rest == "" || rest[0] == '/' || rest[0] == '?') || strings.HasPrefix(rest, "%2") {
			return true
		}
	}
}

// isEncoded reports two hexadecimal digits as curl writes them.
func isEncoded(s string) bool {
	isHex := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' }
	return len(s) >= 2 && isHex(s[0]) && isHex(s[1])
}

// placeholderLength returns the length of {NAME}, <NAME> or a variable at the
// start of s, or 0.
func placeholderLength(s string) int {
	if s[0] == '$' {
		return variableLength(s)
	}
	closing := byte('}')
	if s[0] == '<' {
		closing = '>'
	}
	n := 1
	for n < len(s) && kinds[s[n]]&inName != 0 {
		n++
	}
	if n == 1 || n == len(s) || s[n] != closing || !startsVariable(s[1]) || n > maxPlaceholder {
		return 0
	}
	return n + 1
}

const maxPlaceholder = 50
