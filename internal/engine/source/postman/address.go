package postman

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// A location is a URL in its parts.
type location struct {
	raw, protocol, host, port, path, user, password word.Word
	query                                           []pair
	hasQuery, hasHost, hasPath                      bool
	variables                                       map[string]word.Word // of the path
}

// address makes the URL of a request: of its parts where it has them, as
// Url.prototype.toString of postman-collection does.
func (r *reader) address(d *draft) bool {
	r.at(d.url)
	var l location
	if r.json.Peek() == '"' {
		if !r.scalar(&l.raw) {
			return false
		}
	} else if !r.location(&l) {
		return false
	}
	var b message.Text
	if !l.hasHost && !l.hasPath {
		if !b.Add(r.Meter, l.raw.Text) {
			return false
		}
	} else if !r.join(&b, &l) {
		return false
	}
	for i, p := range d.query {
		sign := "&"
		if i == 0 && !strings.Contains(b.Word(d.Span).Text, "?") {
			sign = "?"
		}
		if !b.Add(r.Meter, sign) || !b.AddWord(r.Meter, p) {
			return false
		}
	}
	at := r.from(d.url)
	url, ok := r.expand(b.Word(at))
	if !ok {
		return false
	}
	if i := message.IndexByte(url, '#'); i >= 0 {
		url = message.Cut(url, 0, i)
	}
	if !d.behavior.raw {
		var encoded message.Text
		if !encoded.AddURL(r.Meter, url) {
			return false
		}
		url = encoded.Word(at)
	}
	if url.Text == "" {
		return r.Fail(diag.CodeNoURL, at, "the request has no URL", "")
	}
	d.URL = url
	return true
}

// location reads the parts of a URL.
func (r *reader) location(l *location) bool {
	return r.json.Object(func(name string, _ int) bool {
		kind := r.json.Peek()
		switch {
		case name == "raw" && kind == '"':
			return r.scalar(&l.raw)
		case name == "protocol" && kind == '"':
			return r.scalar(&l.protocol)
		case name == "port" && kind != 'n':
			return r.scalar(&l.port)
		case name == "host" && kind == '"':
			l.hasHost = true
			return r.scalar(&l.host)
		case name == "host" && kind == '[':
			l.hasHost = true
			return r.joined(&l.host, ".")
		case name == "path" && kind == '"':
			l.hasPath = true
			if !r.scalar(&l.path) {
				return false
			}
			l.path.Text = strings.TrimPrefix(l.path.Text, "/")
			return true
		case name == "path" && kind == '[':
			l.hasPath = true
			return r.joined(&l.path, "/")
		case name == "query" && kind == '[':
			l.hasQuery = true
			return r.pairs(func(p *pair) bool { return p.disabled || meter.Append(r.Meter, &l.query, *p) })
		case name == "variable" && kind == '[':
			return r.pairs(func(p *pair) bool {
				if l.variables == nil {
					l.variables = make(map[string]word.Word)
				}
				if p.value.Text != "" {
					l.variables[p.key.Text] = p.value
				}
				return r.Meter.Hold(variableSize)
			})
		case name == "auth" && kind == '{':
			return r.json.Object(func(name string, _ int) bool {
				switch name {
				case "user":
					return r.scalar(&l.user)
				case "password":
					return r.scalar(&l.password)
				}
				return r.json.Skip()
			})
		}
		return r.json.Skip()
	})
}

// joined reads a list of texts into one, with a sign between them.
func (r *reader) joined(into *word.Word, sign string) bool {
	var b meter.Text
	first := true
	start := r.json.Pos()
	ok := r.json.Array(func() bool {
		var one word.Word
		if r.json.Peek() == '{' { // a segment that is a variable
			if !r.json.Object(func(name string, _ int) bool {
				if name == "value" {
					return r.scalar(&one)
				}
				return r.json.Skip()
			}) {
				return false
			}
		} else if !r.scalar(&one) {
			return false
		}
		ok := (first || b.Add(r.Meter, sign)) && b.Add(r.Meter, one.Text)
		first = false
		return ok && r.Meter.Work(elementSteps)
	})
	*into = word.Word{Text: b.String(), Span: r.from(start)}
	return ok
}

// join appends the parts of a URL.
func (r *reader) join(b *message.Text, l *location) bool {
	if !r.Meter.Hold(4 * (len(l.user.Text) + len(l.password.Text))) {
		return false
	}
	add := func(parts ...string) bool {
		for _, s := range parts {
			if !b.Add(r.Meter, s) {
				return false
			}
		}
		return true
	}
	if l.protocol.Text != "" && !add(strings.TrimSuffix(l.protocol.Text, "://"), "://") {
		return false
	}
	if l.user.Text != "" && (!add(userinfo(l.user.Text)) || l.password.Text != "" && !add(":", userinfo(l.password.Text)) || !add("@")) {
		return false
	}
	if !add(l.host.Text) || l.port.Text != "" && !add(":", l.port.Text) {
		return false
	}
	if l.hasPath {
		for segment := range strings.SplitSeq(l.path.Text, "/") {
			if !r.Meter.Work(elementSteps) || !add("/") || !add(l.segment(segment)...) {
				return false
			}
		}
	}
	if len(l.query) == 0 {
		return true
	}
	sign := "?"
	for i := range l.query {
		p := &l.query[i]
		if !add(sign) || !p.noKey && !add(escaped(p.key.Text, true)) || !p.noValue && !add("=", escaped(p.value.Text, false)) {
			return false
		}
		sign = "&"
	}
	return true
}

// userinfo returns a user name or a password as a URL has it, but for one with variables.
func userinfo(s string) string {
	if strings.Contains(s, "{{") {
		return s
	}
	return string(ascii.AppendPercent(nil, s, "%20"))
}

// segment returns a segment of the path, with the value of the variable that begins it.
func (l *location) segment(s string) []string {
	name, found := strings.CutPrefix(s, ":")
	name, suffix, _ := strings.Cut(name, ".")
	value, known := l.variables[name]
	if !found || !known {
		return []string{s}
	}
	if strings.Contains(s, ".") {
		return []string{value.Text, ".", suffix}
	}
	return []string{value.Text}
}

// escaped returns a part of a query with what would end it encoded, but for variables.
func escaped(s string, key bool) string {
	signs := "&#"
	if key {
		signs = "&#="
	}
	if !strings.ContainsAny(s, signs) {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], "{{") {
			if end := strings.Index(s[i:], "}}"); end > 0 {
				out = append(out, s[i:i+end]...)
				i += end - 1
				continue
			}
		}
		switch c := s[i]; {
		case c == '&':
			out = append(out, "%26"...)
		case c == '#':
			out = append(out, "%23"...)
		case c == '=' && key:
			out = append(out, "%3D"...)
		default:
			out = append(out, c)
		}
	}
	return string(out)
}
