package samples

import (
	"slices"
	"strings"

	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/mime"
)

// content returns the example of a content.
func (c *command) content(n *openapi.Node) value {
	if v, ok := c.fromExample(n); ok {
		return v
	}
	return c.example(c.Find(n, "schema"), 0)
}

// body adds the body of the operation, in the first form that programs are written for:
// JSON, a form, or what the document names first.
func (c *command) body() {
	contents := c.Body.Fields("content")
	if len(contents) == 0 {
		return
	}
	best := slices.MaxFunc(contents, func(a, b openapi.Member) int { return rankOf(a.Name) - rankOf(b.Name) })
	mediaType := best.Name
	if strings.Contains(mediaType, "*") {
		mediaType = "application/json"
	}
	v := c.content(best.Value)
	switch kind := mime.TypeOf(mediaType); {
	case mime.IsJSON(kind):
		c.add("-H", text("Content-Type: "+mediaType))
		c.add("--data-raw", text(v.json()))
	case kind == "application/x-www-form-urlencoded" && v.kind == 'o':
		c.form(&v)
	case kind == "multipart/form-data" && v.kind == 'o':
		c.multipart(&v)
	case v.isFile || !strings.HasPrefix(kind, "text/") && v.made:
		c.add("-H", text("Content-Type: "+mediaType))
		c.add("--data-binary", text("@file"))
	default:
		c.add("-H", text("Content-Type: "+mediaType))
		c.add("--data-raw", text(v.plain()))
	}
}

// rankOf orders media types.
func rankOf(mediaType string) int {
	mediaType = mime.TypeOf(mediaType)
	switch {
	case mediaType == "application/json", mediaType == "*/*", mediaType == "application/*":
		return 4
	case mime.IsJSON(mediaType):
		return 3
	case mediaType == "application/x-www-form-urlencoded":
		return 2
	case mediaType == "multipart/form-data":
		return 1
	}
	return 0
}

// form adds the fields of a form that is encoded as a query.
func (c *command) form(v *value) {
	for i, name := range v.names {
		for _, field := range fields(&v.values[i]) {
			// curl encodes what follows the first = of --data-urlencode, and reads no file
			// for a value after it (curl 8.22, tool_getparam.c, data_urlencode).
			if content := field.plain(); escaped(content) == content {
				c.add("-d", text(escaped(name)+"="+content))
			} else {
				c.add("--data-urlencode", text(escaped(name)+"="+content))
			}
		}
	}
}

// fields returns the values that fields of one name have.
func fields(v *value) []value {
	if v.kind == 'a' {
		return v.values
	}
	return []value{*v}
}

// multipart adds the parts of a form. A name or text that curl would take apart stands in
// quotes, in which a backslash escapes (curl 8.22, tool_formparse.c, get_param_word).
func (c *command) multipart(v *value) {
	for i, name := range v.names {
		for _, part := range fields(&v.values[i]) {
			switch content := part.plain(); {
			case strings.Contains(name, "="):
				c.problem = "curl has no way to name a part " + name
			case part.isFile:
				c.add("-F", text(name+"=@"+name))
			case part.kind == 'o':
				quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(content) + `"`
				c.add("-F", text(name+"="+quoted+";type=application/json"))
			case content != "" && strings.ContainsAny(content, "@<;\","):
				c.add("--form-string", text(name+"="+content))
			default:
				c.add("-F", text(name+"="+content))
			}
		}
	}
}
