package code

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A field is a header field.
type field struct {
	name  string
	value text
	from  string    // the option that set it
	at    diag.Span // where the command has it
	// derived marks what the client's own helper for the body or for the
	// credentials sends as well.
	derived bool
}

// is reports whether the field has a name, in any case of letters.
func (f *field) is(name string) bool {
	return len(f.name) == len(name) && ascii.EqualFold(f.name, name) // most differ in length, which takes no call
}

// skipped reports whether a helper of the client sends the field, where the
// program writes the fields of credentials itself.
func (f *field) skipped() bool {
	return f.derived && !f.is("Authorization") && !f.is("Proxy-Authorization")
}

// guarded reports a field that curl sends to the server of the URL only, and not
// where it is redirected: curl 8.22 lib/http.c.
func (f *field) guarded() bool {
	return f.secret() || f.is("Host")
}

// secret reports a field that curl sends to another host with --location-trusted only.
func (f *field) secret() bool { return f.is("Authorization") || f.is("Cookie") }

// typesContent reports the type that curl gives content, and that goes with it; one
// of -H stays where a redirect takes the content away.
func (f *field) typesContent() bool {
	return f.is("Content-Type") && f.from != "-H" && f.from != "--header"
}

// guarded reports whether the call has something for the server of the URL only.
func (c *call) guarded() bool {
	return !c.trusted && (c.digest != nil || slices.ContainsFunc(c.fields, func(f field) bool { return f.guarded() }))
}

// spreads reports whether curl sends credentials to every host that it is redirected
// to.
func (c *call) spreads() bool {
	return c.follow && c.trusted && slices.ContainsFunc(c.fields, func(f field) bool { return f.secret() })
}

// addField adds a field that a program has to write.
func (c *call) addField(k *client, f *request.Field, at string) {
	switch {
	case f.Origin == request.Default && (!ascii.EqualFold(f.Name, "Connection") || strings.Contains(f.Value, "HTTP2-Settings")),
		ascii.EqualFold(f.Name, "Content-Length") && k.spares(c, f.Value),
		ascii.EqualFold(f.Name, "Accept-Encoding") && f.From == "--compressed",
		ascii.EqualFold(f.Name, "Content-Type") && ascii.EqualFold(f.Value, "multipart/form-data") && c.Body != nil && c.Body.Kind == request.Multipart:
		return // the last is what the client's own form says, and what rawForm adds
	}
	name := f.Name
	if line, _, ok := strings.Cut(f.Line, ":"); ok {
		name = line // with blanks before the colon, which curl leaves there
	}
	value := f.Value
	if !k.format {
		value = strings.Trim(value, " \t") // blanks around it are not a part of it: RFC 9110, section 5.5
	}
	c.fields = append(c.fields, field{name: name, value: c.text(value, at), from: f.From, at: f.Span})
}

// spares reports whether a program needs no Content-Length: the client counts content
// itself, and some say with certain methods that there is none. A client that cannot
// say so need not with GET and HEAD, which have none anyway: RFC 9110, section 8.6.
func (k *client) spares(c *call, length string) bool {
	if c.Body != nil || length != "0" || k.counts != nil && k.counts(c.Method) {
		return true
	}
	return (c.Method == "GET" || c.Method == "HEAD") && k.fixed.has("Content-Length")
}

// field returns the first field with a name, or nil.
func (c *call) field(name string) *field {
	for i := range c.fields {
		if c.fields[i].is(name) {
			return &c.fields[i]
		}
	}
	return nil
}

// empties reports whether the first field with a name has no value, as -H 'Name;' has it.
func (c *call) empties(name string) bool {
	f := c.field(name)
	return f != nil && f.value.source() == ""
}

// count returns how many fields have a name.
func (c *call) count(name string) (n int) {
	for i := range c.fields {
		if c.fields[i].is(name) {
			n++
		}
	}
	return n
}

// finder returns the function field for many names.
func (c *call) finder() func(name string) *field {
	if len(c.fields) <= pairwise {
		return c.field
	}
	first := make(map[string]*field, len(c.fields)) // by name in small letters
	for i := range c.fields {
		if name := strings.ToLower(c.fields[i].name); first[name] == nil {
			first[name] = &c.fields[i]
		}
	}
	return func(name string) *field { return first[strings.ToLower(name)] }
}

// removes reports whether the command told curl to leave out a field.
func (c *call) removes(name string) bool {
	for _, r := range c.removed {
		if ascii.EqualFold(r, name) {
			return true
		}
	}
	return false
}

// repeated reports whether two fields have the same name.
func (c *call) repeated() bool {
	if len(c.fields) <= pairwise {
		for i := range c.fields {
			for j := range i {
				if c.fields[j].is(c.fields[i].name) {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(c.fields))
	for i := range c.fields {
		seen[strings.ToLower(c.fields[i].name)] = true
	}
	return len(seen) < len(c.fields)
}

// joined returns the fields with those of the same name joined by a comma, or
// by a semicolon where they are cookies, for a client that sends a name once.
func (c *call) joined() []field {
	if !c.repeated() {
		return c.fields
	}
	var out []field
	for _, same := range c.byName() {
		f := same[0]
		separator := part{literal: ", "}
		if f.is("Cookie") {
			separator.literal = "; "
		}
		value := slices.Clone(f.value)
		for _, other := range same[1:] {
			value = append(append(value, separator), other.value...)
		}
		f.value = mergeLiterals(value)
		out = append(out, f)
	}
	return out
}

// byName returns the fields with those of one name together, in the order of the
// first of each name.
func (c *call) byName() [][]field {
	if !c.repeated() {
		return apart(c.fields)
	}
	var groups [][]field
	at := make(map[string]int, len(c.fields)) // by name in small letters
	for i := range c.fields {
		name := strings.ToLower(c.fields[i].name)
		j, again := at[name]
		if !again {
			at[name] = len(groups)
			groups = append(groups, c.fields[i:i+1:i+1])
			continue
		}
		groups[j] = append(groups[j], c.fields[i])
	}
	return groups
}

// apart returns each field as a group of its own.
func apart(fields []field) [][]field {
	groups := make([][]field, len(fields))
	for i := range fields {
		groups[i] = fields[i : i+1 : i+1]
	}
	return groups
}

// cookies returns the pairs of a field Cookie; it reports false where they are
// not all plain names and values.
func (f *field) cookies() (pairs []pair, ok bool) {
	source := f.value.source()
	for _, p := range f.value {
		if p.variable != nil && strings.ContainsAny(p.variable.Expr, ";= ") {
			return nil, false
		}
	}
	for start := 0; start <= len(source); {
		end := start
		for end < len(source) && source[end] != ';' {
			end++
		}
		for start < end && source[start] == ' ' {
			start++
		}
		equals := strings.IndexByte(source[start:end], '=')
		if equals < 1 || strings.ContainsAny(source[start:end], `" ,`) {
			return nil, false
		}
		name, isLiteral := f.value.cut(start, start+equals).plain()
		if !isLiteral {
			return nil, false
		}
		pairs = append(pairs, pair{literal(name), f.value.cut(start+equals+1, end)})
		start = end + 1
	}
	return pairs, true
}

// pythonName is the rule of http.client for names of fields: ASCII that begins with no
// blank (Lib/http/client.py).
func pythonName(name string) bool {
	return ascii.Only(name) && name != "" && strings.TrimLeft(name, " \t\v\f") == name
}

// letters is the rule of a client that takes only capital letters as a method.
func letters(method string) bool {
	for i := range len(method) {
		if !ascii.IsLetter(method[i]) {
			return false
		}
	}
	return capitals(method)
}

// isBearer reports whether the value of Authorization is a bearer token.
func isBearer(v text) bool {
	token, found := strings.CutPrefix(v.source(), "Bearer ")
	return found && v[0].variable == nil && strings.HasPrefix(v[0].literal, "Bearer ") && token != "" && v.isASCII() && !strings.ContainsAny(v.literals()[len("Bearer "):], " \t")
}
