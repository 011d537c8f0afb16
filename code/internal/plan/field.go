package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A Field is a header field.
type Field struct {
	Name    string
	Value   Text
	From    string    // the option that set it
	At      diag.Span // where the command has it
	derived bool      // the client's own helper for the content or for the credentials sends it as well
}

// Headers returns the fields that the program writes. What sends one of them in another way,
// the content and the credentials, says so before, by Imply.
func (c *Call) Headers() []Field {
	c.listed = true
	return c.headers
}

// Given returns the fields to look at, before it is known how they are sent.
func (c *Call) Given() []Field { return c.headers }

// Derived reports whether the client's own helper for the content or for the credentials
// sends the field as well.
func (f *Field) Derived() bool { return f.derived }

// Imply says that something else than the list of fields sends a field of the call. It
// panics where that was written, because the field would be sent twice.
func (c *Call) Imply(f *Field) {
	c.unlisted()
	f.derived = true
}

// Spell says that the list of fields sends the first one with a name after all.
func (c *Call) Spell(name string) {
	c.unlisted()
	c.Field(name).derived = false
}

// AddField adds a field that the client does not.
func (c *Call) AddField(name string, value Text) {
	c.unlisted()
	c.headers = append(c.headers, Field{Name: name, Value: value})
}

// AddFirst adds a field before the others.
func (c *Call) AddFirst(name string, value Text) {
	c.unlisted()
	c.headers = slices.Insert(c.headers, 0, Field{Name: name, Value: value})
}

// AddImplied adds a field that the program writes otherwise than by its value.
func (c *Call) AddImplied(name string, value Text) {
	c.AddField(name, value)
	c.headers[len(c.headers)-1].derived = true
}

func (c *Call) unlisted() {
	if c.listed {
		panic("plan: a field changes after the fields were written")
	}
}

// Is reports whether the field has a name, in any case of letters.
func (f *Field) Is(name string) bool {
	return len(f.Name) == len(name) && ascii.EqualFold(f.Name, name) // most differ in length, which takes no call
}

// Skipped reports whether a helper of the client sends the field, where the
// program writes the fields of credentials itself.
func (f *Field) Skipped() bool {
	return f.derived && !f.Is("Authorization") && !f.Is("Proxy-Authorization")
}

// Guarded reports a field that curl sends to the server of the URL only, and not
// where it is redirected: curl 8.22 lib/http.c.
func (f *Field) Guarded() bool {
	return f.Secret() || f.Is("Host")
}

// Secret reports a field that curl sends to another host with --location-trusted only.
func (f *Field) Secret() bool { return f.Is("Authorization") || f.Is("Cookie") }

// TypesContent reports the type that curl gives content, and that goes with it; one
// of -H stays where a redirect takes the content away.
func (f *Field) TypesContent() bool {
	return f.Is("Content-Type") && f.From != "-H" && f.From != "--header"
}

// Guarded reports whether the call has something for the server of the URL only.
func (c *Call) Guarded() bool {
	return !c.Asked.Trusted && (c.answers() || slices.ContainsFunc(c.headers, func(f Field) bool { return f.Guarded() }))
}

// answers reports whether the client has credentials for a server that asks for them.
func (c *Call) answers() bool { return c.Digest != nil || c.Negotiated != nil }

// hasSecret reports credentials that curl keeps from the hosts of redirects.
func (c *Call) hasSecret() bool {
	return !c.Asked.Trusted && (c.answers() || slices.ContainsFunc(c.headers, func(f Field) bool { return f.Secret() }))
}

// Spreads reports whether curl sends credentials to every host that it is redirected
// to.
func (c *Call) Spreads() bool {
	return c.Asked.Follow && c.Asked.Trusted && slices.ContainsFunc(c.headers, func(f Field) bool { return f.Secret() })
}

// addField adds a field that a program has to write.
func (c *Call) addField(k *Client, f *request.Field, at request.Place) {
	switch {
	case f.Origin == request.OriginDefault && (!ascii.EqualFold(f.Name, "Connection") || strings.Contains(f.Value, "HTTP2-Settings")),
		ascii.EqualFold(f.Name, "Content-Length") && k.spares(c, f.Value),
		ascii.EqualFold(f.Name, "Accept-Encoding") && (f.From == "--compressed" || k.Undecoded && !c.exact && c.Options.On("compressed")),
		ascii.EqualFold(f.Name, "Content-Type") && ascii.EqualFold(f.Value, "multipart/form-data") && c.Body != nil && c.Body.Kind == request.KindMultipart:
		return // the last is what the client's own form says, and what rawForm adds
	}
	name := f.Name
	if line, _, ok := strings.Cut(f.Line, ":"); ok {
		name = line // with blanks before the colon, which curl leaves there
	}
	value := f.Value
	if !k.Format {
		value = strings.Trim(value, " \t") // blanks around it are not a part of it: RFC 9110, section 5.5
	}
	c.headers = append(c.headers, Field{Name: name, Value: c.Text(value, at), From: f.From, At: f.Span})
}

// spares reports whether a program needs no Content-Length: the client counts content
// itself, and some say with certain methods that there is none. A client that cannot
// say so need not with GET and HEAD, which have none anyway: RFC 9110, section 8.6.
func (k *Client) spares(c *Call, length string) bool {
	if c.Body != nil || length != "0" || k.Counts != nil && k.Counts(c.Method) {
		return true
	}
	return (c.Method == "GET" || c.Method == "HEAD") && k.Fixed.Has("Content-Length")
}

// Field returns the first field with a name, or nil.
func (c *Call) Field(name string) *Field {
	for i := range c.headers {
		if c.headers[i].Is(name) {
			return &c.headers[i]
		}
	}
	return nil
}

// Empties reports whether the first field with a name has no value, as -H 'Name;' has it.
func (c *Call) Empties(name string) bool {
	f := c.Field(name)
	return f != nil && f.Value.Source() == ""
}

// count returns how many fields have a name.
func (c *Call) count(name string) (n int) {
	for i := range c.headers {
		if c.headers[i].Is(name) {
			n++
		}
	}
	return n
}

// Finder returns the function field for many names.
func (c *Call) Finder() func(name string) *Field {
	if len(c.headers) <= emit.Pairwise {
		return c.Field
	}
	first := make(map[string]*Field, len(c.headers)) // by name in small letters
	for i := range c.headers {
		if name := strings.ToLower(c.headers[i].Name); first[name] == nil {
			first[name] = &c.headers[i]
		}
	}
	return func(name string) *Field { return first[strings.ToLower(name)] }
}

// Removes reports whether the command told curl to leave out a field.
func (c *Call) Removes(name string) bool {
	for _, r := range c.Withheld {
		if ascii.EqualFold(r, name) {
			return true
		}
	}
	return false
}

// Repeated reports whether two fields have the same name.
func (c *Call) Repeated() bool { return repeated(c.headers) }

func repeated(fields []Field) bool {
	if len(fields) <= emit.Pairwise {
		for i := range fields {
			for j := range i {
				if fields[j].Is(fields[i].Name) {
					return true
				}
			}
		}
		return false
	}
	seen := make(map[string]bool, len(fields))
	for i := range fields {
		seen[strings.ToLower(fields[i].Name)] = true
	}
	return len(seen) < len(fields)
}

// singular are fields that have one value, so that two of them are not the same as one with
// a comma: RFC 9110, section 5.3.
var singular = FieldNames{
	"Authorization", "Content-Length", "Content-Type", "Date", "From", "Host", "If-Modified-Since", "If-Range", "If-Unmodified-Since",
	"Max-Forwards", "Origin", "Proxy-Authorization", "Range", "Referer", "User-Agent",
}

// Joined returns the fields with those of the same name joined by a comma, or
// by a semicolon where they are cookies, for a client that sends a name once. Of a field
// that has one value, the same is given once in the idiomatic style; another value is an
// error when the program is written.
func (c *Call) Joined() []Field { return c.join(c.Headers()) }

// JoinGiven is Joined of the fields to look at: for a client that has those of the content
// apart, which come to it later.
func (c *Call) JoinGiven() []Field { return c.join(c.headers) }

func (c *Call) join(fields []Field) []Field {
	if !repeated(fields) {
		return fields
	}
	c.joins, c.groups = true, true
	var out []Field
	for _, same := range ByName(fields) {
		f := same[0]
		separator := Part{Literal: ", "}
		if f.Is("Cookie") {
			separator.Literal = "; "
		}
		value := slices.Clone(f.Value)
		for _, other := range same[1:] {
			if singular.Has(f.Name) {
				if !c.exact && other.Value.Source() == f.Value.Source() {
					c.once = &other
					continue
				}
				c.joined = &other
			}
			value = append(append(value, separator), other.Value...)
		}
		f.Value = MergeLiterals(value)
		out = append(out, f)
	}
	return out
}

// ByName returns the fields with those of one name together, in the order of the
// first of each name.
func (c *Call) ByName() [][]Field {
	c.groups = true
	return ByName(c.Headers())
}

// ByName is Call.ByName of some fields.
func ByName(fields []Field) [][]Field {
	if !repeated(fields) {
		return Apart(fields)
	}
	var groups [][]Field
	at := make(map[string]int, len(fields)) // by name in small letters
	for i := range fields {
		name := strings.ToLower(fields[i].Name)
		j, again := at[name]
		if !again {
			at[name] = len(groups)
			groups = append(groups, fields[i:i+1:i+1])
			continue
		}
		groups[j] = append(groups[j], fields[i])
	}
	return groups
}

// Apart returns each field as a group of its own.
func Apart(fields []Field) [][]Field {
	groups := make([][]Field, len(fields))
	for i := range fields {
		groups[i] = fields[i : i+1 : i+1]
	}
	return groups
}

// Cookies returns the pairs of a field Cookie; it reports false where they are
// not all plain names and values.
func (f *Field) Cookies() (pairs []Pair, ok bool) {
	source := f.Value.Source()
	for _, p := range f.Value {
		if p.Variable != nil && strings.ContainsAny(p.Variable.Expr, ";= ") {
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
		name, isLiteral := f.Value.Cut(start, start+equals).Plain()
		if !isLiteral {
			return nil, false
		}
		pairs = append(pairs, Pair{Literal(name), f.Value.Cut(start+equals+1, end)})
		start = end + 1
	}
	return pairs, true
}

// PythonName is the rule of http.client for names of fields: ASCII that begins with no
// blank (Lib/http/client.py).
func PythonName(name string) bool {
	return ascii.Only(name) && name != "" && strings.TrimLeft(name, " \t\v\f") == name
}

// Letters is the rule of a client that takes only capital letters as a method.
func Letters(method string) bool {
	for i := range len(method) {
		if !ascii.IsLetter(method[i]) {
			return false
		}
	}
	return Capitals(method)
}

// IsBearer reports whether the value of Authorization is a bearer token.
func IsBearer(v Text) bool {
	token, found := strings.CutPrefix(v.Source(), "Bearer ")
	return found && v[0].Variable == nil && strings.HasPrefix(v[0].Literal, "Bearer ") && token != "" && v.IsASCII() && !strings.ContainsAny(v.Literals()[len("Bearer "):], " \t")
}
