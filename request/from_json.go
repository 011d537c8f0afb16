package request

import (
	"strconv"

	"uncoil/internal/engine/jsontext"
)

// appendFrom appends where the value of a variable comes from.
func appendFrom(dst []byte, from From) []byte {
	o := newObject(dst)
	switch f := from.(type) {
	case *Response:
		o.Int("request", int64(f.Request))
		o.Key("path")
		o.Dst = appendPath(o.Dst, f.Path)
		o.True("quoted", f.Quoted)
	case *Date:
		o.Plain("command", "date")
		o.String("format", f.Format)
		o.True("utc", f.UTC)
	case *UUID:
		o.Plain("command", "uuidgen")
	case *Hostname:
		o.Plain("command", "hostname")
	case *FileContent:
		o.Plain("command", "cat")
		o.String("file", f.Name)
	case *Command:
		o.Key("span")
		o.Dst = f.Span.AppendJSON(o.Dst)
	}
	return o.End()
}

// appendPath appends the steps to a value in JSON: names and indexes.
func appendPath(dst []byte, path []Step) []byte { return jsontext.AppendArray(dst, path, appendStep) }

func appendStep(dst []byte, s *Step) []byte {
	if s.IsIndex {
		return strconv.AppendInt(dst, int64(s.Index), 10)
	}
	return jsontext.AppendString(dst, s.Key)
}
