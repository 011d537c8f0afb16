// Package compare says what differs between the requests of two texts, in the terms of HTTP: the
// method, the parts of the URL, header fields, cookies by name, content by what it means, and the
// options that shape the exchange. How a command spells a request is nothing to it.
package compare

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// A Kind is what of the requests differs.
type Kind string

// The kinds.
const (
	Requests Kind = "requests" // how many there are
	Method   Kind = "method"
	Scheme   Kind = "scheme"
	User     Kind = "user" // of the URL
	Host     Kind = "host" // with its port, where the scheme does not say it
	Path     Kind = "path"
	Query    Kind = "query"  // a member by name; without a name, the spelling
	Target   Kind = "target" // of --request-target
	Header   Kind = "header" // a field by name; without a name, the order
	Cookie   Kind = "cookie" // by name; without a name, the spelling
	Auth     Kind = "auth"   // of credentials that curl computes a field from
	JSON     Kind = "json"   // a value by its pointer (RFC 6901)
	Form     Kind = "form"   // a pair by name; without a name, the spelling
	Part     Kind = "part"   // of multipart content, by name
	Content  Kind = "content"
	Option   Kind = "option" // of the exchange, by its name in the description
	File     Kind = "file"   // that was not supplied, by what it holds
)

// A Difference is one thing that differs. A or B is nil where that side has nothing of it.
type Difference struct {
	Request int // its number, from 1; 0 for Requests
	Kind    Kind
	Name    string
	Member  string // of a part: "content", "filename", "type", "encoder" or "headers"
	A, B    *string
	// Spelling reports that both sides mean the same to the receiver by the rules of the format:
	// %7E and ~, the order of fields and of query members, the blanks of JSON.
	Spelling bool
	// At is the offset in bytes at which Content begins to differ. A and B are what stands there.
	At int
}

// Most is how many differences are listed.
const Most = 1000

// A Verdict is what the differences amount to.
type Verdict string

// The verdicts.
const (
	Identical  Verdict = "identical"  // the same bytes, and the same options
	Equivalent Verdict = "equivalent" // nothing but spelling differs
	Different  Verdict = "different"
)

// VerdictOf returns what differences amount to.
func VerdictOf(list []Difference) Verdict {
	verdict := Identical
	for i := range list {
		if !list[i].Spelling {
			return Different
		}
		verdict = Equivalent
	}
	return verdict
}

// A comparer collects the differences of two lists of requests.
type comparer struct {
	m       *meter.Meter
	request int
	list    []Difference
}

// Compare lists what differs, [Most] differences at most: the requests are compared by their
// number. It pays the meter, and what it returns means nothing where that is over.
func Compare(m *meter.Meter, a, b []request.Request) []Difference {
	c := comparer{m: m}
	a, b = spelled(a), spelled(b)
	if len(a) != len(b) {
		c.differ(Difference{Kind: Requests, A: text(strconv.Itoa(len(a))), B: text(strconv.Itoa(len(b)))})
	}
	for i := range min(len(a), len(b)) {
		c.request = i + 1
		c.compare(&a[i], &b[i])
	}
	return c.list
}

// text returns a side of a difference.
func text(s string) *string { return &s }

// differ adds a difference. Where the list is full, one that is more than spelling takes the last
// place, so that the verdict is that of all.
func (c *comparer) differ(d Difference) {
	d.Request = c.request
	switch {
	case len(c.list) < Most:
		meter.Append(c.m, &c.list, d)
	case !d.Spelling:
		c.list[Most-1] = d
	}
}

// values adds a difference where two values are not equal.
func (c *comparer) values(kind Kind, a, b string) {
	if c.m.Work(1+min(len(a), len(b))) && a != b {
		c.differ(Difference{Kind: kind, A: text(a), B: text(b)})
	}
}

// maybe is values for what a side may not have.
func (c *comparer) maybe(d Difference, a, b *string) {
	if a == nil && b == nil || a != nil && b != nil && c.m.Work(1+min(len(*a), len(*b))) && *a == *b {
		return
	}
	d.A, d.B = a, b
	c.differ(d)
}

func (c *comparer) compare(a, b *request.Request) {
	c.values(Method, a.Method, b.Method)
	c.url(a, b)
	c.maybe(Difference{Kind: Target}, optional(a.Target), optional(b.Target))
	c.fields(a, b)
	c.auth(a.Auth, b.Auth)
	c.body(a.Body, b.Body)
	c.options(a.Options, b.Options)
	c.named(File, missing(a), missing(b), "", "")
}

// missing returns the files that were not supplied, by what they hold.
func missing(r *request.Request) (files []request.Param) {
	for _, f := range r.Missing {
		files = append(files, request.Param{Name: f.Role, Value: f.Name})
	}
	return files
}

// optional returns nil for "".
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// auth compares credentials of which no field tells.
func (c *comparer) auth(a, b *request.Auth) {
	one, other := hidden(a), hidden(b)
	c.maybe(Difference{Kind: Auth, Name: "scheme"}, optional(one.Scheme), optional(other.Scheme))
	c.maybe(Difference{Kind: Auth, Name: "username"}, optional(one.Username), optional(other.Username))
	c.maybe(Difference{Kind: Auth, Name: "password"}, optional(one.Password), optional(other.Password))
	c.maybe(Difference{Kind: Auth, Name: "token"}, optional(one.Token), optional(other.Token))
	c.named(Auth, one.Params, other.Params, "", "")
}

// hidden returns credentials that a field does not show, or none.
func hidden(a *request.Auth) (none request.Auth) {
	if a == nil || a.Scheme == "basic" || a.Scheme == "bearer" {
		return none
	}
	return *a
}

// named compares lists of pairs by name, whose values stand in their order, and adds a difference
// of spelling where the pairs are the same and the texts that spell them are not.
func (c *comparer) named(kind Kind, a, b []request.Param, spelledA, spelledB string) {
	before := len(c.list)
	one, other := c.byName(a), c.byName(b)
	for _, names := range [][]request.Param{a, b} {
		for _, p := range names {
			left, right := one[p.Name], other[p.Name]
			delete(one, p.Name) // each name once
			delete(other, p.Name)
			for i := range max(len(left), len(right)) {
				c.maybe(Difference{Kind: kind, Name: p.Name}, at(left, i), at(right, i))
			}
		}
	}
	if len(c.list) == before && c.m.Work(len(spelledA)) && spelledA != spelledB {
		c.differ(Difference{Kind: kind, A: text(spelledA), B: text(spelledB), Spelling: true})
	}
}

// byName returns the values of each name in their order.
func (c *comparer) byName(pairs []request.Param) map[string][]string {
	if !c.m.Hold(len(pairs) * 2 * meter.SizeOf[request.Param]()) {
		return nil
	}
	values := make(map[string][]string, len(pairs))
	for _, p := range pairs {
		values[p.Name] = append(values[p.Name], p.Value)
	}
	return values
}

// at returns a value, or nil where there are fewer.
func at(values []string, i int) *string {
	if i >= len(values) {
		return nil
	}
	return &values[i]
}

// fields compares the header fields as curl sends them. Those that follow from the URL or the
// content are left out unless the command gives them.
func (c *comparer) fields(a, b *request.Request) {
	before := len(c.list)
	one, cookiesA, orderA := c.pairs(a)
	other, cookiesB, orderB := c.pairs(b)
	c.named(Header, one, other, "", "")
	if len(c.list) == before {
		c.named(Header, nil, nil, orderA, orderB)
	}
	c.named(Cookie, cookiesOf(cookiesA), cookiesOf(cookiesB), cookiesA, cookiesB)
}

// pairs returns the fields of a request by their names in lower case, without those that are
// compared otherwise; its cookies; and the names as sent.
func (c *comparer) pairs(r *request.Request) (pairs []request.Param, cookies, order string) {
	var names, values strings.Builder
	for i := range r.Fields {
		f := &r.Fields[i]
		name := strings.ToLower(f.Name)
		if !c.m.Hold(2*len(f.Name)+len(f.Value)) || f.Origin != request.OriginUser && follows(r, name) {
			continue
		}
		names.WriteString(f.Name + ", ")
		if name == "cookie" {
			values.WriteString(f.Value + "; ")
			continue
		}
		value := f.Value
		if f.Line != "" {
			value = f.Line
		}
		if name == "authorization" {
			if encoded, ok := credentials(r, f); ok {
				value = encoded
			}
		}
		meter.Append(c.m, &pairs, request.Param{Name: name, Value: value})
	}
	return pairs, strings.TrimSuffix(values.String(), "; "), strings.TrimSuffix(names.String(), ", ")
}

// follows reports whether the field that curl adds follows from the URL or the content: the type
// of multipart content has a boundary that each run draws anew.
func follows(r *request.Request, name string) bool {
	switch name {
	case "host", "content-length":
		return true
	case "content-type":
		return r.Body != nil && r.Body.Kind == request.KindMultipart
	}
	return false
}

// cookiesOf returns the cookies of a field.
func cookiesOf(value string) (cookies []request.Param) {
	for one := range strings.SplitSeq(value, ";") {
		if one = strings.Trim(one, " \t"); one != "" {
			name, value, _ := strings.Cut(one, "=")
			cookies = append(cookies, request.Param{Name: name, Value: value})
		}
	}
	return cookies
}

// beside are the options that say where the answer goes and what is printed of it, and those that
// say where fields come from, which are compared themselves: the exchange is the same.
var beside = strings.Fields(`appendStdout clobber cookieEngine cookieFiles createDirs discardOutput dumpHeader junkSessionCookies
	netrc netrcFile output outputDir parallel piped remoteName remoteNameAll removeOnError showHeaders stdout writeOut xattr`)

// options compares what shapes the exchange.
func (c *comparer) options(a, b request.Options) {
	if !c.m.Work((1 + len(a)) * (1 + len(b))) {
		return
	}
	for _, o := range a {
		c.option(o.Name, o.Value, b.Value(o.Name))
	}
	for _, o := range b {
		if a.Value(o.Name) == nil {
			c.option(o.Name, nil, o.Value)
		}
	}
}

func (c *comparer) option(name string, a, b any) {
	if !slices.Contains(beside, name) {
		c.maybe(Difference{Kind: Option, Name: name}, shown(a), shown(b))
	}
}

// shown returns the value of an option as a text, or nil for none.
func shown(value any) *string {
	var s string
	switch v := value.(type) {
	case nil:
		return nil
	case bool:
		s = strconv.FormatBool(v)
	case int64:
		s = strconv.FormatInt(v, 10)
	case float64:
		s = strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		s = v
	case []string:
		s = strings.Join(v, ", ")
	}
	return &s
}
