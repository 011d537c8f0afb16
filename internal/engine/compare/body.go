package compare

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// none is the content of a request without any.
var none = new(request.Body)

// body compares contents by what they mean, where both are of one kind.
func (c *comparer) body(a, b *request.Body) {
	if a == nil {
		a = none
	}
	if b == nil {
		b = none
	}
	switch {
	case !c.m.Work(1 + len(a.Data) + len(b.Data)):
	case a.Kind == request.KindJSON && b.Kind == request.KindJSON && a.Data != b.Data:
		c.json(a.Data, b.Data)
	case a.Kind == request.KindForm && b.Kind == request.KindForm:
		c.named(Form, a.Fields, b.Fields, a.Data, b.Data)
	case a.Kind == request.KindMultipart && b.Kind == request.KindMultipart:
		c.parts("", a.Parts, b.Parts)
	default:
		c.content(written(c.m, a), written(c.m, b))
	}
}

// written returns a body as a text, in which files have an @ before their name, or nil for
// none.
func written(m *meter.Meter, b *request.Body) *string {
	switch {
	case b == none:
		return nil
	case b.Kind.Known():
		return &b.Data
	case b.Kind == request.KindMultipart:
		return text("(" + strconv.Itoa(len(b.Parts)) + " parts of a form)")
	}
	var s strings.Builder
	for _, p := range b.Pieces {
		if !m.Hold(len(p.Text) + len(p.File) + len(p.Name)) {
			break
		}
		switch p.Kind {
		case request.KindFile:
			s.WriteString(p.Name + "@" + p.File)
		case request.KindStdin:
			s.WriteString(p.Name + "@-")
		default:
			s.WriteString(p.Text)
		}
		if p.Offset > 0 {
			s.WriteString(" from byte " + strconv.FormatInt(p.Offset, 10))
		}
	}
	return text(s.String())
}

// excerpt is how many bytes of content are shown from where it begins to differ.
const excerpt = 80

// content compares contents byte by byte.
func (c *comparer) content(a, b *string) {
	d := Difference{Kind: Content, A: a, B: b}
	switch {
	case a != nil && b != nil:
		for d.At < min(len(*a), len(*b)) && (*a)[d.At] == (*b)[d.At] {
			d.At++
		}
		if !c.m.Work(d.At) || d.At == len(*a) && d.At == len(*b) {
			return
		}
	case a == nil && b == nil:
		return
	}
	for _, side := range []**string{&d.A, &d.B} {
		if *side != nil {
			*side = text((**side)[d.At:min(len(**side), d.At+excerpt)])
		}
	}
	c.differ(d)
}

// deepest is how deep values are compared; what lies deeper is compared as text.
const deepest = 100

// json compares two values. Each level is read once more, so that none is kept.
func (c *comparer) json(a, b string) {
	before := len(c.list)
	c.value("", a, b, 0)
	if len(c.list) == before && !c.m.Over() {
		c.differ(Difference{Kind: JSON, A: text("(" + strconv.Itoa(len(a)) + " bytes)"), B: text("(" + strconv.Itoa(len(b)) + " bytes)"), Spelling: true})
	}
}

// value compares the values at a pointer.
func (c *comparer) value(pointer, a, b string, depth int) {
	if a == b || !c.m.Work(1+len(a)+len(b)) {
		return
	}
	if depth < deepest && a[0] == b[0] && (a[0] == '{' || a[0] == '[') {
		one, other := c.members(a), c.members(b)
		c.inside(pointer, one, other, depth+1)
		return
	}
	if same(a, b) {
		return
	}
	c.differ(Difference{Kind: JSON, Name: pointer, A: &a, B: &b})
}

// pointerName escapes a name in a pointer: RFC 6901, 3.
var pointerName = strings.NewReplacer("~", "~0", "/", "~1")

// inside compares the members or elements of two values of one kind.
func (c *comparer) inside(pointer string, a, b []request.Param, depth int) {
	find := make(map[string]string, len(b))
	for _, p := range b {
		find[p.Name] = p.Value
	}
	below := func(name string) string {
		c.m.Hold(len(pointer) + len(name) + 1)
		return pointer + "/" + pointerName.Replace(name)
	}
	for _, p := range a {
		value, ok := find[p.Name]
		delete(find, p.Name)
		if ok && value == p.Value {
			continue
		}
		if c.m.Over() {
			return
		}
		if ok {
			c.value(below(p.Name), p.Value, value, depth)
		} else {
			c.differ(Difference{Kind: JSON, Name: below(p.Name), A: &p.Value})
		}
	}
	for _, p := range b {
		if _, ok := find[p.Name]; ok && !c.m.Over() {
			delete(find, p.Name)
			c.differ(Difference{Kind: JSON, Name: below(p.Name), B: &p.Value})
		}
	}
}

// members returns the members of an object by name, or the elements of an array by number, each
// with the text of its value.
func (c *comparer) members(s string) (list []request.Param) {
	r := jsontext.NewReader(s, jsontext.MaxDepth)
	add := func(name string) bool {
		r.Peek()
		start := r.Pos()
		return r.Skip() && meter.Append(c.m, &list, request.Param{Name: name, Value: s[start:r.Pos()]})
	}
	if r.Peek() == '{' {
		r.Object(func(name string, _ int) bool { return add(name) })
	} else {
		r.Array(func() bool { return add(strconv.Itoa(len(list))) })
	}
	return list
}

// same reports whether two texts of JSON are one string or one number, or the same but for
// blanks.
func same(a, b string) bool {
	switch {
	case a[0] == '"' && b[0] == '"':
		one, ok := jsontext.Unquote(a)
		other, also := jsontext.Unquote(b)
		return ok && also && one == other
	case a[0] == '{' || a[0] == '[':
		one, _ := jsontext.AppendCompact(nil, a)
		other, _ := jsontext.AppendCompact(nil, b)
		return string(one) == string(other)
	}
	return isNumber(a) && isNumber(b) && jsontext.SameNumber(a, b)
}

// isNumber reports whether a value of JSON is a number.
func isNumber(s string) bool { return s[0] == '-' || ascii.IsDigit(s[0]) }

// parts compares the parts of multipart content: those of one name in their order.
func (c *comparer) parts(within string, a, b []request.Part) {
	find := make(map[string][]*request.Part, len(b))
	for i := range b {
		if !c.m.Hold(meter.SizeOf[request.Part]()) {
			return
		}
		find[b[i].Name] = append(find[b[i].Name], &b[i])
	}
	for i := range a {
		name := within + a[i].Name
		others := find[a[i].Name]
		if len(others) == 0 {
			c.differ(Difference{Kind: Part, Name: name, A: content(&a[i])})
			continue
		}
		c.part(name, &a[i], others[0])
		find[a[i].Name] = others[1:]
	}
	for i := range b {
		others := find[b[i].Name]
		if len(others) > 0 && others[0] == &b[i] {
			find[b[i].Name] = others[1:]
			c.differ(Difference{Kind: Part, Name: within + b[i].Name, B: content(&b[i])})
		}
	}
}

// content returns what a part has, with an @ before the name of a file.
func content(p *request.Part) *string {
	switch {
	case p.File != "" && p.Inline:
		return text("<" + p.File)
	case p.File != "":
		return text("@" + p.File)
	case p.Nested:
		return text("(" + strconv.Itoa(len(p.Parts)) + " parts of a form)")
	}
	return &p.Value
}

func (c *comparer) part(name string, a, b *request.Part) {
	if a.Nested && b.Nested {
		c.parts(name+"/", a.Parts, b.Parts)
	} else {
		c.maybe(Difference{Kind: Part, Name: name, Member: "content"}, content(a), content(b))
	}
	c.maybe(Difference{Kind: Part, Name: name, Member: "filename"}, a.Filename, b.Filename)
	c.maybe(Difference{Kind: Part, Name: name, Member: "type"}, a.ContentType, b.ContentType)
	c.maybe(Difference{Kind: Part, Name: name, Member: "encoder"}, optional(a.Encoder), optional(b.Encoder))
	c.maybe(Difference{Kind: Part, Name: name, Member: "headers"}, optional(strings.Join(a.Headers, ", ")), optional(strings.Join(b.Headers, ", ")))
}
