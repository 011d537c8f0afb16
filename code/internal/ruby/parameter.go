package ruby

import (
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// helped returns a call of the method that encodes a value for its place.
func helped(p *plan.Program, encoding request.Encoding, expr string) string {
	name := "path_segment"
	switch encoding {
	case plan.Segments:
		name = "path_segments"
		p.Use("erb")
		p.Help(pathSegment)
		p.Help(pathSegments)
	case plan.JSONValue:
		name = "json_value"
		p.Use("json")
		p.Help(jsonValue)
	case plan.JSONElements:
		name = "json_elements"
		p.Use("json")
		p.Help(jsonElements)
	default:
		p.Use("erb")
		p.Help(pathSegment)
	}
	return name + "(" + expr + ")"
}

// textOf returns the text of what a caller gives, which may be a number.
func textOf(p *plan.Program, expr string) string {
	if p.IsFunction() {
		return expr + ".to_s"
	}
	return expr
}

// The methods of programs that encode a value for its place.
const (
	pathSegment = `# Encodes a value as one segment of a path.
def path_segment(value)
  raise ArgumentError, "a segment of the path is #{value}" if ['.', '..'].include?(value)

  ERB::Util.url_encode(value)
end
`
	pathSegments = `# Encodes a value as segments of a path, between its slashes.
def path_segments(value)
  value.split('/', -1).map { |segment| path_segment(segment) }.join('/')
end
`
	jsonElements = `# Returns the elements of an array of JSON: a list, or a text that has them.
def json_elements(value)
  JSON.generate(value.is_a?(String) ? JSON.parse("[#{value}]") : Array(value))[1..-2]
end
`
	jsonValue = `# Returns a value as JSON. A text is JSON already, or an error.
def json_value(value)
  JSON.generate(value.is_a?(String) ? JSON.parse(value) : value)
end
`
)
