package golang

import (
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// helped returns a call of the function that encodes a value for its place.
func (r *goRequest) helped(encoding request.Encoding, expr string) string {
	switch encoding {
	case plan.Segment:
		r.p.Use("net/url")
		r.p.Help(pathSegment)
		return "pathSegment(" + expr + ")"
	case plan.Segments:
		r.p.Use("net/url")
		r.p.Use("strings")
		r.p.Help(pathSegment)
		r.p.Help(pathSegments)
		return "pathSegments(" + expr + ")"
	case request.EncodingJSON:
		r.p.Use("encoding/json")
		r.p.Help(jsonText)
		return "jsonText(" + expr + ")"
	}
	r.p.Use("encoding/json")
	elements := encoding == plan.JSONElements
	if !r.p.IsFunction() {
		r.p.Use("log")
		r.p.Help(jsonValue)
		if elements {
			r.p.Help(jsonElements)
			return "jsonElements(" + expr + ")"
		}
		return "jsonValue(" + expr + ")"
	}
	r.p.Use("errors")
	if elements {
		r.p.Check(`"[" + ` + expr + ` + "]"`)
	} else {
		r.p.Check(expr)
	}
	return expr
}

// checks writes the statements at the head of a function that make an error of a parameter
// that is no JSON.
func checks(p *plan.Program, before string) {
	for _, expr := range p.Checks {
		p.Line("\tif !json.Valid([]byte(", expr, ")) {")
		p.Line("\t\treturn ", before, `errors.New("a parameter is no JSON")`)
		p.Line("\t}")
	}
}

// The functions of programs that encode a value for its place.
const (
	pathSegment = `// pathSegment encodes a value as one segment of a path.
func pathSegment(value string) string {
	if value == "." || value == ".." {
		return "%" + value // which is no segment, and an error of the URL
	}
	return url.PathEscape(value)
}`
	pathSegments = `// pathSegments encodes a value as segments of a path, between its slashes.
func pathSegments(value string) string {
	segments := strings.Split(value, "/")
	for i := range segments {
		segments[i] = pathSegment(segments[i])
	}
	return strings.Join(segments, "/")
}`
	jsonText = `// jsonText encodes a value for a string of JSON.
func jsonText(value string) string {
	text, _ := json.Marshal(value)
	return string(text[1 : len(text)-1])
}`
	jsonElements = `// jsonElements returns the elements of an array of JSON, and ends the program with others.
func jsonElements(value string) string {
	jsonValue("[" + value + "]")
	return value
}`
	jsonValue = `// jsonValue returns a value that is JSON, and ends the program with another.
func jsonValue(value string) string {
	if !json.Valid([]byte(value)) {
		log.Fatal("a variable is no JSON")
	}
	return value
}`
)
