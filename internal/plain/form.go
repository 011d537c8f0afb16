package plain

import (
	"strings"

	"uncoil/internal/curl"
	"uncoil/internal/jsontext"
	"uncoil/internal/repeat"
)

// newForm returns no parts, with room for some, all in one piece of memory.
func newForm() *members {
	var form struct {
		members
		dst    [256]byte
		starts [8]int
		names  [8]uint32
	}
	form.members = members{dst: form.dst[:0], starts: form.starts[:0], names: repeat.NewNames(form.names[:])}
	return &form.members
}

// addPart adds the part of -F name=value or -F name=@file, either perhaps with
// a type behind a semicolon, or of --form-string.
func (c *command) addPart(o option, argument string) bool {
	name, value, ok := strings.Cut(argument, "=")
	if !ok || !isName(name) {
		return false
	}
	contentType := ""
	if o == form && value != "" {
		if i := strings.IndexByte(value, ';'); i >= 0 {
			if value, contentType, ok = cutType(value, i); !ok {
				return false
			}
		}
		if value == "" || value[0] <= ' ' || value[len(value)-1] <= ' ' || strings.IndexByte("<(\"", value[0]) >= 0 {
			return false // in quotes, or more than a value
		}
	}
	if c.form == nil {
		c.form = newForm()
	}
	c.form.add(name)
	switch {
	case o == form && strings.HasPrefix(value, "@"):
		return c.addFile(value[1:], contentType)
	case contentType == "":
		c.form.dst, ok = jsontext.AppendText(c.form.dst, value)
		return ok
	}
	f := fields{dst: c.form.dst, next: '{'}
	f.add("value", value)
	f.add("contentType", contentType)
	c.form.dst = append(f.dst, '}')
	return jsontext.IsText(value)
}

// cutType cuts value;type=contentType at the semicolon.
func cutType(s string, semicolon int) (value, contentType string, ok bool) {
	contentType, ok = strings.CutPrefix(s[semicolon+1:], "type=")
	return s[:semicolon], contentType, ok && contentType != "" && skipKind(contentType, 0, inPath) == len(contentType)
}

// addFile writes what is known of a file without reading it.
func (c *command) addFile(path, contentType string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if base == "" || path == "-" || skipKind(path, 0, inPath) < len(path) {
		return false
	}
	if contentType == "" {
		contentType = curl.TypeByExtension(base)
	}
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	c.sendsFile = true
	f := fields{dst: c.form.dst, next: '{'}
	f.add("file", path)
	f.add("filename", base)
	f.add("contentType", contentType)
	c.form.dst = append(f.dst, '}')
	return true
}
