package python

import (
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/request"
)

// helped returns a call of the function that encodes a value for its place.
func helped(p *plan.Program, encoding request.Encoding, expr string) string {
	switch encoding {
	case plan.JSONValue:
		p.Use("import json")
		help(p, jsonValue)
		return "json_value(" + expr + ")"
	case plan.JSONElements:
		p.Use("import json")
		help(p, jsonElements)
		return "json_elements(" + expr + ")"
	case plan.FieldText:
		help(p, fieldText)
		return "field_text(" + expr + ")"
	case plan.Segments:
		p.Use("from urllib.parse import quote")
		help(p, pathSegment)
		help(p, pathSegments)
		return "path_segments(" + expr + ")"
	}
	p.Use("from urllib.parse import quote")
	help(p, pathSegment)
	return "path_segment(" + expr + ")"
}

// help adds a function, whose types only functions have: a plain program is a script.
func help(p *plan.Program, function string) {
	if !p.IsFunction() {
		function = untyped.Replace(function)
	}
	p.Help(function)
}

// untyped takes the types from a function.
var untyped = strings.NewReplacer("value: str) -> str:", "value):", "value: Any) -> str:", "value):")

// The functions of programs that encode a value for its place.
const (
	pathSegment = `def path_segment(value: str) -> str:
    """Encode a value as one segment of a path."""
    if value in (".", ".."):
        raise ValueError("a segment of the path is " + value)
    return quote(str(value), safe="")
`
	pathSegments = `def path_segments(value: str) -> str:
    """Encode a value as segments of a path, between its slashes."""
    return "/".join(path_segment(segment) for segment in value.split("/"))
`
	jsonValue = `def json_value(value: Any) -> str:
    """Return a value as JSON. A text is JSON already, or an error."""
    return json.dumps(json.loads(value) if isinstance(value, str) else value)
`
	jsonElements = `def json_elements(value: Any) -> str:
    """Return the elements of an array of JSON: a list, or a text that has them."""
    return json.dumps(json.loads(f"[{value}]") if isinstance(value, str) else list(value))[1:-1]
`
	fieldText = `def field_text(value: str) -> str:
    """Return the value of a header field, which has no line breaks."""
    if "\r" in value or "\n" in value:
        raise ValueError("a header field has a line break")
    return value
`
)
