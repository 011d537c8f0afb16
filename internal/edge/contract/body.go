package contract

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/mime"
	"uncoil/request"
)

// body holds the content of a request against that of its operation.
func (v *visit) body(i int) {
	b := v.request.Body
	span := v.command.bodySpan(i, v.request)
	switch described := v.operation.Body; {
	case b == nil && described.Is("required"):
		v.add(MissingBody, v.request.Span, described.Place(), v.operation.Name()+" requires content")
	case b == nil:
	case described == nil:
		v.add(UnknownBody, span, v.operation.At, v.operation.Name()+" takes no content")
	default:
		v.content(span, b, described.Get("content"))
	}
}

// content holds content against the types that an operation takes, and against the
// schema of its own type.
func (v *visit) content(span diag.Span, b *request.Body, described *openapi.Node) {
	if described == nil || len(described.Members) == 0 {
		return
	}
	f := v.field("Content-Type")
	name := ""
	switch {
	case b.Kind == request.KindMultipart && (f == nil || f.Origin != request.OriginUser):
		name = "multipart/form-data"
	case f != nil:
		name = mime.TypeOf(f.Value)
	}
	media := v.media(described, name)
	if media == nil && name != "" && !isPlaceholder(name) {
		v.unknownType(span, f, b, name, described)
		if b.Kind == request.KindJSON {
			media = v.media(described, "application/json")
		}
	}
	schema := v.Resolve(media.Get("schema"))
	if schema == nil {
		return
	}
	switch b.Kind {
	case request.KindJSON:
		v.jsonBody(span, b.Data, schema)
	case request.KindForm, request.KindMultipart:
		v.formBody(span, pairsOf(b), schema)
	}
}

// media returns what a document says of a type, or nil.
func (v *visit) media(described *openapi.Node, name string) *openapi.Node {
	whole, _, _ := strings.Cut(name, "/")
	for _, range_ := range []string{name, whole + "/*", "*/*"} {
		for i := range described.Members {
			if m := &described.Members[i]; mime.TypeOf(m.Name) == range_ {
				return v.Resolve(m.Value)
			}
		}
	}
	return nil
}

// unknownType says that an operation does not take content of a type.
func (v *visit) unknownType(span diag.Span, f *request.Field, b *request.Body, name string, described *openapi.Node) {
	var all []string
	for i := range described.Members {
		all = append(all, described.Members[i].Name)
	}
	own := f != nil && f.Origin == request.OriginUser
	if own {
		span = v.command.option(f.Span)
	}
	found := v.add(UnknownContentType, span, described.Members[0].Place(), v.operation.Name()+" takes "+list(all)+", and not the type of this content")
	if isToken(name) {
		found.Message = v.operation.Name() + " takes " + list(all) + ", and not " + name
	}
	if len(all) != 1 || isPlaceholder(all[0]) || strings.Contains(all[0], "*") {
		return
	}
	switch {
	case own:
		if span, ok := v.command.within(span, f.Value); ok {
			found.Fix = &diag.Fix{Span: span, Text: all[0]}
		}
	case b.Kind == request.KindJSON && mime.IsJSON(all[0]):
		found.Hint = "add -H 'Content-Type: " + all[0] + "'"
		found.Fix = v.command.withOption("-H 'Content-Type: " + all[0] + "'")
	}
}

// isToken reports whether a type is one, and no text of somebody.
func isToken(name string) bool {
	const longest = 80
	return len(name) <= longest && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789/+.-") == ""
}

// maxFound is how many findings one content gives.
const maxFound = 5

// jsonBody holds content that is JSON against its schema.
func (v *visit) jsonBody(span diag.Span, source string, schema *openapi.Node) {
	content := openapi.ReadValue(source)
	if content == nil {
		return
	}
	inside, literal := v.command.within(span, source)
	problems := v.schemas.problems(schema, toServer, valueOf(content))
	for _, p := range problems[:min(len(problems), maxFound)] {
		at := span
		if literal {
			at = diag.At(int(inside.Start) + content.At(p.path).Offset)
		}
		v.add(InvalidBody, at, schema.Place(), named(p))
	}
}

// named returns a problem as a sentence about the content.
func named(p problem) string {
	if len(p.path) == 0 {
		return "the content " + p.message
	}
	return pointer(p.path) + " " + p.message
}

// A pair is a name and its values in form data.
type pair struct {
	name   string
	values []string
	known  bool // the values are
}

// pairs gathers form data by its names, in the order of the first of each.
type pairs struct {
	all   []pair
	index map[string]int
}

func (p *pairs) add(name, value string, known bool) {
	if top, _, bracket := strings.Cut(name, "["); bracket && top != "" {
		name, known = top, false
	}
	i, ok := p.index[name]
	if !ok {
		i = len(p.all)
		p.index[name] = i
		p.all = append(p.all, pair{name, nil, true})
	}
	p.all[i].values, p.all[i].known = append(p.all[i].values, value), p.all[i].known && known
}

func pairsOf(b *request.Body) []pair {
	all := pairs{index: make(map[string]int)}
	for _, f := range b.Fields {
		all.add(f.Name, f.Value, true)
	}
	for i := range b.Parts {
		p := &b.Parts[i]
		isText := p.File == "" && !p.Nested && (p.ContentType == nil || *p.ContentType == "" || strings.HasPrefix(*p.ContentType, "text/plain"))
		all.add(p.Name, p.Value, isText)
	}
	return all.all
}

// formBody holds form data against its schema: each value by itself, because what is
// text in a form has a type in the schema.
func (v *visit) formBody(span diag.Span, all []pair, schema *openapi.Node) {
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(p pair) bool { return p.name == name || isPlaceholder(p.name) })
	}
	s := v.formOf(schema, 0)
	for _, name := range s.required {
		if !has(name) {
			v.add(InvalidBody, span, schema.Place(), "the content lacks "+name)
		}
	}
	for _, p := range all {
		property := s.properties[p.name]
		switch {
		case property == nil && s.closed && !isPlaceholder(p.name):
			v.add(InvalidBody, span, schema.Place(), "the content has "+shown(p.name)+", which its schema does not know")
		case property == nil || !p.known:
		default:
			if found := v.textProblems(property, p.values, nil); len(found) > 0 {
				v.add(InvalidBody, span, property.Place(), p.name+" "+found[0].message)
			}
		}
	}
}

// A form is what a schema says of form data.
type form struct {
	required   []string
	properties map[string]*openapi.Node
	closed     bool // it has no other properties
}

// formOf gathers what a schema and those that it is all of say.
func (v *visit) formOf(schema *openapi.Node, depth int) form {
	const deepest = 20
	f := form{properties: make(map[string]*openapi.Node)}
	if schema = v.Resolve(schema); schema == nil || depth > deepest {
		return f
	}
	properties := schema.Fields("properties")
	for i := range properties {
		if property := v.Resolve(properties[i].Value); property != nil {
			f.properties[properties[i].Name] = property
		}
	}
	for _, name := range names(schema.List("required")) {
		if !f.properties[name].Is("readOnly") {
			f.required = append(f.required, name)
		}
	}
	more := schema.Get("additionalProperties")
	f.closed = more != nil && more.Kind == openapi.Boolean && more.Text == "false" && schema.Get("anyOf") == nil && schema.Get("oneOf") == nil
	for _, part := range schema.List("allOf") {
		other := v.formOf(part, depth+1)
		f.required = append(f.required, other.required...)
		for name, property := range other.properties {
			f.properties[name] = property
		}
		f.closed = false
	}
	return f
}
