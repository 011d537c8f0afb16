package request

import (
	"math"
	"strconv"

	"uncoil/internal/engine/jsontext"
)

// MarshalJSON returns the request as the full description spells it: the members of
// "requests" in the answer of /api/parse. Bytes that are no UTF-8 are in base64.
func (r *Request) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends what MarshalJSON returns.
func (r *Request) AppendJSON(dst []byte) []byte {
	o := newObject(dst)
	o.String("method", r.Method)
	o.String("url", r.URL)
	o.Optional("requestTarget", r.Target)
	o.params("query", r.Query)
	o.Key("headers")
	o.Dst = appendFieldList(o.Dst, r.Fields)
	o.Strings("removedHeaders", r.Removed)
	o.Key("body")
	o.Dst = appendBody(o.Dst, r.Body)
	if r.Auth != nil {
		o.Key("auth")
		o.Dst = appendAuth(o.Dst, r.Auth)
	}
	o.Key("options")
	options := newObject(o.Dst)
	for _, option := range r.Options {
		options.value(option.Name, option.Value)
	}
	o.Dst = options.End()
	o.Strings("ignored", r.Ignored)
	if len(r.Variables) > 0 {
		o.Key("variables")
		o.Dst = appendVariables(o.Dst, r.Variables)
	}
	return o.End()
}

// appendVariables appends what only the shell would know: each expression once
// for each member that it is in.
func appendVariables(dst []byte, variables []Variable) []byte {
	type place struct{ expr, in string }
	seen := make(map[place]bool)
	dst = append(dst, '[')
	for i := range variables {
		v := &variables[i]
		if p := (place{v.Expr, v.In}); seen[p] {
			continue
		} else if seen[p] = true; len(seen) > 1 {
			dst = append(dst, ',')
		}
		o := newObject(dst)
		o.String("name", v.Name)
		o.String("expr", v.Expr)
		if v.In != "" { // within what another comes from
			o.String("in", v.In)
		}
		if v.HasDefault {
			o.String("default", v.Default)
		}
		if v.From != nil {
			o.Key("from")
			o.Dst = appendFrom(o.Dst, v.From)
		}
		dst = o.End()
	}
	return append(dst, ']')
}

// appendFieldList appends the fields but for those that curl adds with
// nothing said.
func appendFieldList(dst []byte, fields []Field) []byte {
	dst = append(dst, '[')
	first := true
	for i := range fields {
		f := &fields[i]
		if f.Origin == OriginDefault {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		o := newObject(dst)
		o.String("name", f.Name)
		if !o.Text("value", f.Value) {
			o.Base64("base64", f.Value)
		}
		o.Optional("from", f.From)
		dst = o.End()
	}
	return append(dst, ']')
}

func appendBody(dst []byte, b *Body) []byte {
	if b == nil {
		return append(dst, "null"...)
	}
	o := newObject(dst)
	o.Plain("kind", b.Kind.String())
	switch b.Kind {
	case KindMultipart:
		o.Key("parts")
		o.Dst = appendParts(o.Dst, b.Parts)
	case KindFile, KindStdin:
		o.piece(&b.Pieces[0])
	case KindConcat:
		o.Key("concat")
		for i := range b.Pieces {
			o.Dst = append(o.Dst, "[,"[min(i, 1)])
			o.Dst = appendPiece(o.Dst, &b.Pieces[i])
		}
		o.Dst = append(o.Dst, ']')
	default:
		o.bytes("text", b.Data)
		o.params("fields", b.Fields)
		if b.Kind == KindJSON {
			o.Key("json")
			o.Dst, _ = jsontext.AppendCompact(o.Dst, b.Data)
		}
	}
	return o.End()
}

func appendPiece(dst []byte, p *Piece) []byte {
	o := newObject(dst)
	o.Plain("kind", p.Kind.String())
	if p.Kind == KindText {
		o.bytes("text", p.Text)
	} else {
		o.piece(p)
	}
	return o.End()
}

// piece appends a file and what curl does with its content.
func (o *object) piece(p *Piece) {
	if p.Kind == KindFile {
		o.String("file", p.File)
	}
	o.True("strip", p.Strip)
	o.True("urlencode", p.URLEncode)
	o.Optional("name", p.Name)
	if p.Offset > 0 {
		o.Int("offset", p.Offset)
	}
}

func appendParts(dst []byte, parts []Part) []byte {
	return jsontext.AppendArray(dst, parts, appendPart)
}

func appendPart(dst []byte, p *Part) []byte {
	o := newObject(dst)
	o.String("name", p.Name)
	switch {
	case p.Nested:
		o.Key("parts")
		o.Dst = appendParts(o.Dst, p.Parts)
	case p.File != "":
		o.String("file", p.File)
		o.True("inline", p.Inline)
		if p.Content != nil {
			o.bytes("content", *p.Content)
		}
	default:
		o.bytes("value", p.Value)
	}
	o.Maybe("filename", p.Filename)
	o.Maybe("contentType", p.ContentType)
	o.Strings("headers", p.Headers)
	o.Optional("encoder", p.Encoder)
	return o.End()
}

func appendAuth(dst []byte, a *Auth) []byte {
	o := newObject(dst)
	o.Plain("scheme", a.Scheme)
	if a.Scheme == "bearer" {
		o.String("token", a.Token)
	} else {
		o.String("username", a.Username)
		o.String("password", a.Password)
	}
	o.Strings("schemes", a.Schemes)
	for _, p := range a.Params {
		o.String(p.Name, p.Value)
	}
	return o.End()
}

// object appends the members of a JSON object.
type object struct{ jsontext.Object }

func newObject(dst []byte) object { return object{jsontext.NewObject(dst)} }

// bytes appends content under a name where it is text, and else in base64.
func (o *object) bytes(name, value string) {
	before := *o
	if !o.Text(name, value) {
		*o = before
		o.Base64("base64", value)
	}
}

// params appends ordered names and values.
func (o *object) params(name string, params []Param) {
	if len(params) == 0 {
		return
	}
	o.Key(name)
	for i, p := range params {
		o.Dst = append(o.Dst, "[,"[min(i, 1)])
		pair := newObject(o.Dst)
		pair.String("name", p.Name)
		pair.String("value", p.Value)
		o.Dst = pair.End()
	}
	o.Dst = append(o.Dst, ']')
}

// value appends the value of an option.
func (o *object) value(name string, value any) {
	o.Key(name)
	switch v := value.(type) {
	case bool:
		o.Dst = strconv.AppendBool(o.Dst, v)
	case int64:
		o.Dst = strconv.AppendInt(o.Dst, v, 10)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			v = 0
		}
		o.Dst = strconv.AppendFloat(o.Dst, v, 'f', -1, 64)
	case string:
		o.Dst = jsontext.AppendString(o.Dst, v)
	case []string:
		o.Dst = jsontext.AppendStrings(o.Dst, v)
	default:
		o.Dst = append(o.Dst, "null"...)
	}
}
