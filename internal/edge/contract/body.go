package contract

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/request"
)

// body holds the content of a request against that of its operation.
func (v *visit) body(i int) {
	b := v.request.Body
	span := v.command.bodySpan(i, v.request)
	switch described := v.operation.body; {
	case b == nil && described.is("required"):
		v.add(MissingBody, v.request.Span, described.place(), v.operation.name()+" requires content")
	case b == nil:
	case described == nil:
		v.add(UnknownBody, span, v.operation.at, v.operation.name()+" takes no content")
	default:
		v.content(span, b, described.get("content"))
	}
}

// content holds content against the types that an operation takes, and against the
// schema of its own type.
func (v *visit) content(span diag.Span, b *request.Body, described *node) {
	if described == nil || len(described.members) == 0 {
		return
	}
	f := v.field("Content-Type")
	name := ""
	switch {
	case b.Kind == request.KindMultipart && (f == nil || f.Origin != request.OriginUser):
		name = "multipart/form-data"
	case f != nil:
		name = mediaType(f.Value)
	}
	media := v.media(described, name)
	if media == nil && name != "" && !isPlaceholder(name) {
		v.unknownType(span, f, b, name, described)
		if b.Kind == request.KindJSON {
			media = v.media(described, "application/json")
		}
	}
	schema := v.resolve(media.get("schema"))
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

// mediaType returns the type of a field Content-Type, without its parameters.
func mediaType(value string) string {
	name, _, _ := strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(name))
}

// media returns what a document says of a type, or nil.
func (v *visit) media(described *node, name string) *node {
	whole, _, _ := strings.Cut(name, "/")
	for _, range_ := range []string{name, whole + "/*", "*/*"} {
		for i := range described.members {
			if m := &described.members[i]; mediaType(m.name) == range_ {
				return v.resolve(m.value)
			}
		}
	}
	return nil
}

// unknownType says that an operation does not take content of a type.
func (v *visit) unknownType(span diag.Span, f *request.Field, b *request.Body, name string, described *node) {
	var all []string
	for i := range described.members {
		all = append(all, described.members[i].name)
	}
	own := f != nil && f.Origin == request.OriginUser
	if own {
		span = v.command.option(f.Span)
	}
	at := Place{described.file.name, described.members[0].line, described.members[0].column}
	found := v.add(UnknownContentType, span, at, v.operation.name()+" takes "+list(all)+", and not the type of this content")
	if isToken(name) {
		found.Message = v.operation.name() + " takes " + list(all) + ", and not " + name
	}
	if len(all) != 1 || isPlaceholder(all[0]) || strings.Contains(all[0], "*") {
		return
	}
	switch {
	case own:
		if span, ok := v.command.within(span, f.Value); ok {
			found.Fix = &diag.Fix{Span: span, Text: all[0]}
		}
	case b.Kind == request.KindJSON && isJSON(all[0]):
		found.Hint = "add -H 'Content-Type: " + all[0] + "'"
		found.Fix = v.command.withOption("-H 'Content-Type: " + all[0] + "'")
	}
}

// isToken reports whether a type is one, and no text of somebody.
func isToken(name string) bool {
	const longest = 80
	return len(name) <= longest && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789/+.-") == ""
}

// isJSON reports whether a type is JSON.
func isJSON(name string) bool {
	name = mediaType(name)
	return name == "application/json" || strings.HasSuffix(name, "+json") || name == "text/json"
}

// maxFound is how many findings one content gives.
const maxFound = 5

// jsonBody holds content that is JSON against its schema.
func (v *visit) jsonBody(span diag.Span, source string, schema *node) {
	content := readValue(source)
	if content == nil {
		return
	}
	inside, literal := v.command.within(span, source)
	problems := v.schemas.problems(v.schemas.of(schema, toServer), valueOf(content))
	for _, p := range problems[:min(len(problems), maxFound)] {
		at := span
		if literal {
			at = diag.At(int(inside.Start) + content.at(p.path).offset)
		}
		v.add(InvalidBody, at, schema.place(), named(p))
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
func (v *visit) formBody(span diag.Span, all []pair, schema *node) {
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(p pair) bool { return p.name == name || isPlaceholder(p.name) })
	}
	s := v.formOf(schema, 0)
	for _, name := range s.required {
		if !has(name) {
			v.add(InvalidBody, span, schema.place(), "the content lacks "+name)
		}
	}
	for _, p := range all {
		property := s.properties[p.name]
		switch {
		case property == nil && s.closed && !isPlaceholder(p.name):
			v.add(InvalidBody, span, schema.place(), "the content has "+shown(p.name)+", which its schema does not know")
		case property == nil || !p.known:
		default:
			if found := v.textProblems(property, p.values, nil); len(found) > 0 {
				v.add(InvalidBody, span, property.place(), p.name+" "+found[0].message)
			}
		}
	}
}

// A form is what a schema says of form data.
type form struct {
	required   []string
	properties map[string]*node
	closed     bool // it has no other properties
}

// formOf gathers what a schema and those that it is all of say.
func (v *visit) formOf(schema *node, depth int) form {
	const deepest = 20
	f := form{properties: make(map[string]*node)}
	if schema = v.resolve(schema); schema == nil || depth > deepest {
		return f
	}
	properties := schema.fields("properties")
	for i := range properties {
		if property := v.resolve(properties[i].value); property != nil {
			f.properties[properties[i].name] = property
		}
	}
	for _, name := range names(schema.list("required")) {
		if name := name.(string); !f.properties[name].is("readOnly") {
			f.required = append(f.required, name)
		}
	}
	more := schema.get("additionalProperties")
	f.closed = more != nil && more.kind == boolean && more.text == "false" && schema.get("anyOf") == nil && schema.get("oneOf") == nil
	for _, part := range schema.list("allOf") {
		other := v.formOf(part, depth+1)
		f.required = append(f.required, other.required...)
		for name, property := range other.properties {
			f.properties[name] = property
		}
		f.closed = false
	}
	return f
}
