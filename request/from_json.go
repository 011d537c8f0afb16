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
		if f.Header != "" {
			o.String("header", f.Header)
			if f.Word > 0 {
				o.Int("word", int64(f.Word))
			}
			break
		}
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
		if f.Base64 {
			o.Plain("command", "base64")
		} else {
			o.Plain("command", "cat")
		}
		o.String("file", f.Name)
	case *Encoded:
		o.encoded(f)
	case *Command:
		o.Key("span")
		o.Dst = f.Span.AppendJSON(o.Dst)
	}
	return o.End()
}

// encoded appends what a text is encoded as.
func (o *object) encoded(e *Encoded) {
	encoding := "hex"
	switch {
	case e.URLSafe:
		encoding = "base64url"
	case e.Base64:
		encoding = "base64"
	}
	if e.Hash == "" {
		o.Plain("command", "base64")
	} else {
		o.Plain("command", "openssl")
		o.Plain("hash", e.Hash)
	}
	if e.Key != "" {
		o.template("key", e.Key, e.KeyVariables)
	}
	o.template("text", e.Text, e.Variables)
	o.Plain("encoding", encoding)
}

// template appends a text with its variables.
func (o *object) template(name, text string, variables []Variable) {
	o.Key(name)
	t := newObject(o.Dst)
	t.bytes("text", text)
	if len(variables) > 0 {
		t.Key("variables")
		t.Dst = appendVariables(t.Dst, variables)
	}
	o.Dst = t.End()
}

// appendPath appends the steps to a value in JSON: names and indexes.
func appendPath(dst []byte, path []Step) []byte { return jsontext.AppendArray(dst, path, appendStep) }

func appendStep(dst []byte, s *Step) []byte {
	if s.IsIndex {
		return strconv.AppendInt(dst, int64(s.Index), 10)
	}
	return jsontext.AppendString(dst, s.Key)
}
