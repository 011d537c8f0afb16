// Package urlparts finds where the parts of a URL begin. It decodes and checks
// nothing: what curl makes of a URL that a command gives is what package curlurl says.
package urlparts

import "strings"

// Parts are the offsets in bytes at which the parts of a URL begin. A part that the URL
// has not is empty, and begins where the next one does.
type Parts struct {
	Authority int // after "://", or 0 without a scheme
	Path      int // with its first slash
	Query     int // with its question mark
	Fragment  int // with its "#", or the end
}

// Of finds the parts of a URL, which may have variables that are not known.
func Of(url string) (p Parts) {
	if mark := strings.Index(url, "://"); mark >= 0 && !strings.ContainsAny(url[:mark], "/?#") {
		p.Authority = mark + len("://")
	}
	p.Path = first(url, p.Authority, "/?#")
	p.Query = first(url, p.Path, "?#")
	p.Fragment = first(url, p.Query, "#")
	return p
}

// first returns where one of some bytes stands, or the end.
func first(url string, from int, bytes string) int {
	if i := strings.IndexAny(url[from:], bytes); i >= 0 {
		return from + i
	}
	return len(url)
}

// Scheme returns what a URL has before "://", as it is typed, or "".
func Scheme(url string) string {
	if at := Of(url).Authority; at > 0 {
		return url[:at-len("://")]
	}
	return ""
}

// CutHost cuts a host, which may be an address in brackets, from what follows
// its colon.
func CutHost(s string) (host, rest string) {
	if end := strings.IndexByte(s, ']'); end > 0 && s[0] == '[' {
		return s[:end+1], strings.TrimPrefix(s[end+1:], ":")
	}
	host, rest, _ = strings.Cut(s, ":")
	return host, rest
}
