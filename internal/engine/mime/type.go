package mime

import "strings"

// TypeOf returns the media type that a value of Content-Type names, in lower case and
// without its parameters.
func TypeOf(contentType string) string {
	name, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(name))
}

// IsJSON reports whether content of a type is one JSON text: it is a JSON MIME type of the
// WHATWG (MIME Sniffing, 4.6).
func IsJSON(contentType string) bool {
	name := TypeOf(contentType)
	return name == "application/json" || name == "text/json" || strings.HasSuffix(name, "+json")
}
