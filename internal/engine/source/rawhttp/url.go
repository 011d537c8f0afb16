package rawhttp

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// url makes the URL of the target, the host and the scheme.
func (r *reader) url() bool {
	target := r.target
	if r.msg.Method.Text == "CONNECT" {
		return r.Fail(r.Syntax, r.msg.Method.Span, "CONNECT asks a proxy for a tunnel, and is no request of its own", "paste the request that goes through the tunnel")
	}
	path, _, fragment := strings.Cut(target.Text, "#")
	if i := strings.Index(path, "://"); i > 0 && path[0] != '/' {
		r.msg.URL = word.Word{Text: path, Span: target.Span}
		if fragment {
			authority := i + len("://")
			start := authority + max(strings.IndexByte(path[authority:], '/'), 0)
			r.msg.Target = word.Word{Text: target.Text[start:], Span: target.Span}
		}
		return true
	}
	switch {
	case target.Text == "":
		return r.Fail(r.Syntax, r.msg.Span, "the request has no path", "add a request line, or the field :path")
	case r.host.Text == "":
		return r.Fail(diag.CodeNoURL, target.Span, "the request has no host", "add the field Host, or write the whole URL in the request line")
	case target.Text[0] != '/' && target.Text != "*":
		return r.Fail(r.Syntax, target.Span, "this is not a path", "a path begins with a slash")
	case strings.ContainsAny(r.host.Text, "/?#@ \t"):
		return r.Fail(r.Syntax, r.host.Span, "this is not a host", "a host is a name and perhaps a port")
	}
	if path == "*" {
		path, fragment = "/", true
	}
	if fragment {
		r.msg.Target = target // which no URL can say
	}
	scheme := r.chooseScheme()
	if !r.Meter.Hold(len(scheme) + len("://") + len(r.host.Text) + len(path)) {
		return false
	}
	r.msg.URL = word.Word{Text: scheme + "://" + r.host.Text + path, Span: target.Span}
	return true
}

// chooseScheme returns the scheme of a request that does not have one. What the
// client says about its page decides, then the version, then the port.
func (r *reader) chooseScheme() string {
	if r.scheme != "" {
		return r.scheme
	}
	for i := range r.msg.Fields {
		f := &r.msg.Fields[i]
		if !ascii.EqualFold(f.Name.Text, "Origin") && !ascii.EqualFold(f.Name.Text, "Referer") {
			continue
		}
		scheme, rest, ok := strings.Cut(f.Value.Text, "://")
		if host, _, _ := strings.Cut(rest, "/"); ok && ascii.EqualFold(host, r.host.Text) && (scheme == "http" || scheme == "https") {
			return scheme
		}
	}
	if !strings.HasPrefix(r.version, "HTTP/1") {
		return "https" // which browsers speak over TLS only
	}
	scheme := "https"
	name, port := r.host.Text, ""
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, ']') {
		name, port = name[:i], name[i+1:]
	}
	if port == "" && isLoopback(name) || port != "" && !strings.HasSuffix(port, "443") {
		scheme = "http"
	}
	r.Warn(diag.WarnSchemeGuessed, r.host.Span, "the text does not say whether the request goes over TLS; "+scheme+" is assumed", "write the whole URL in the request line")
	return scheme
}

// isLoopback reports whether a host is the machine itself.
func isLoopback(name string) bool {
	return ascii.EqualFold(name, "localhost") || strings.HasSuffix(name, ".localhost") || strings.HasPrefix(name, "127.") || name == "[::1]"
}
