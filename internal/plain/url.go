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
	n := 0
	for n < len(rest) && rest[n] != '/' {
		n++
	}
	c.rootless = n == len(rest)
	host, port, hasPort := strings.Cut(rest[:n], ":")
	return (!hasPort || isPort(port)) && isHost(host, hasScheme, holed) && isPath(rest[n:], holed)
}

// maxURL bounds a URL, of which curl takes less than 8,000,000 bytes.
const maxURL = 1 << 20

// isHost reports a host name, or an IPv4 address in its usual form.
func isHost(host string, hasScheme, holed bool) bool {
	if host == "" {
		return false
	}
	if host[0] >= '0' && host[0] <= '9' {
		return isIPv4(host)
	}
	if !hasScheme && namesProtocol(host) {
		return false
	}
	last := byte('.')
	for i := 0; i < len(host); i++ {
		switch c := host[i]; {
		case kinds[c]&inVariable != 0, c == '.' && last != '.', c == '-' && last != '.' && last != '-':
			last = c
		case c == '{' || c == '<' || c == '$' && holed:
			n := placeholderLength(host[i:])
			if n == 0 {
				return false
			}
			i += n - 1
			last = 'a'
		default:
			return false
		}
	}
	return last != '.'
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
		case c == '/':
			if isDot(path[i+1:]) {
				return false
			}
		case c == '%':
			if !isEncoded(path[i+1:]) {
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
	return path == "" || path[len(path)-1] != '?'
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

// isDot reports a segment of dots, or what could be one.
func isDot(s string) bool {
	if s == "" || s[0] != '.' && s[0] != '%' {
		return false
	}
	rest := strings.TrimLeft(s, ".")
	dots := len(s) - len(rest)
	return (dots == 1 || dots == 2) && (rest == "" || rest[0] == '/' || rest[0] == '?') || strings.HasPrefix(rest, "%2")
}
