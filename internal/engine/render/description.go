package render

import (
	"slices"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// AppendDescription appends the full description of a text: how it was read,
// its requests, and the warnings, whose places are offsets into source. When
// it would have more than most bytes, and most is not 0, ok is false.
func AppendDescription(dst []byte, shell string, requests []request.Request, warnings diag.List, source string, most int) (out []byte, ok bool) {
	start := len(dst)
	o := newObject(dst)
	o.Plain("shell", shell)
	o.Key("requests")
	o.Dst = append(o.Dst, '[')
	for i := range requests {
		if i > 0 {
			o.Dst = append(o.Dst, ',')
		}
		if i == 1 { // the others are much like the first
			o.Dst = slices.Grow(o.Dst, min(len(requests)*(len(o.Dst)-start), max(most, 0)))
		}
		o.Dst = AppendRequest(o.Dst, &requests[i])
		if most > 0 && len(o.Dst)-start > most {
			return dst, false
		}
	}
	o.Dst = append(o.Dst, ']')
	o.Key("warnings")
	o.Dst = AppendWarnings(o.Dst, warnings, source)
	out = o.End()
	return out, most <= 0 || len(out)-start <= most
}

// AppendWarnings appends warnings, whose places are offsets into source.
func AppendWarnings(dst []byte, warnings diag.List, source string) []byte {
	positions := diag.NewPositions(source)
	dst = append(dst, '[')
	for i := range warnings {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendWarning(dst, &warnings[i], positions)
	}
	return append(dst, ']')
}

// AppendRequest appends the full description of one request.
func AppendRequest(dst []byte, r *request.Request) []byte {
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
func appendVariables(dst []byte, variables request.Variables) []byte {
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
		o.String("in", v.In)
		if v.HasDefault {
			o.String("default", v.Default)
		}
		dst = o.End()
	}
	return append(dst, ']')
}

// appendFieldList appends the fields but for those that curl adds with
// nothing said.
func appendFieldList(dst []byte, fields []request.Field) []byte {
	dst = append(dst, '[')
	first := true
	for i := range fields {
		f := &fields[i]
		if f.Origin == request.Default {
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

func appendBody(dst []byte, b *request.Body) []byte {
	if b == nil {
		return append(dst, "null"...)
	}
	o := newObject(dst)
	o.Plain("kind", b.Kind.String())
	switch b.Kind {
	case request.Multipart:
		o.Key("parts")
		o.Dst = appendParts(o.Dst, b.Parts)
	case request.File, request.Stdin:
		o.piece(&b.Pieces[0])
	case request.Concat:
		o.Key("concat")
		for i := range b.Pieces {
			o.Dst = append(o.Dst, "[,"[min(i, 1)])
			o.Dst = appendPiece(o.Dst, &b.Pieces[i])
		}
		o.Dst = append(o.Dst, ']')
	default:
		o.bytes("text", b.Data)
		o.params("fields", b.Fields)
		if b.Kind == request.JSON {
			o.Key("json")
			o.Dst, _ = jsontext.AppendCompact(o.Dst, b.Data)
		}
	}
	return o.End()
}

func appendPiece(dst []byte, p *request.Piece) []byte {
	o := newObject(dst)
	o.Plain("kind", p.Kind.String())
	if p.Kind == request.Text {
		o.bytes("text", p.Text)
	} else {
		o.piece(p)
	}
	return o.End()
}

// piece appends a file and what curl does with its content.
func (o *object) piece(p *request.Piece) {
	if p.Kind == request.File {
		o.String("file", p.File)
	}
	o.True("strip", p.Strip)
	o.True("urlencode", p.URLEncode)
	o.Optional("name", p.Name)
	if p.Offset > 0 {
		o.Int("offset", p.Offset)
	}
}

func appendParts(dst []byte, parts []request.Part) []byte {
	dst = append(dst, '[')
	for i := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPart(dst, &parts[i])
	}
	return append(dst, ']')
}

func appendPart(dst []byte, p *request.Part) []byte {
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
	o.partAttributes(p)
	return o.End()
}

func appendAuth(dst []byte, a *request.Auth) []byte {
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

func appendWarning(dst []byte, d *diag.Diagnostic, positions *diag.Positions) []byte {
	o := newObject(dst)
	o.Plain("code", string(d.Code))
	o.Plain("level", d.Level.String())
	o.String("message", d.Message)
	o.place(d, positions)
	o.Optional("hint", d.Hint)
	if d.Fix != nil {
		o.Key("fix")
		fix := newObject(o.Dst)
		fix.span(d.Fix.Span)
		fix.String("text", d.Fix.Text)
		o.Dst = fix.End()
	}
	o.Optional("option", d.Option)
	o.Strings("files", d.Files)
	o.Optional("variable", d.Variable)
	return o.End()
}

// place appends where a diagnostic points to.
func (o *object) place(d *diag.Diagnostic, positions *diag.Positions) {
	o.span(d.Span)
	line, column := positions.At(d.Span.Start)
	o.Int("line", int64(line))
	o.Int("column", int64(column))
}

// span appends a range of bytes of the text.
func (o *object) span(s diag.Span) {
	o.Key("span")
	span := newObject(o.Dst)
	span.Int("start", int64(s.Start))
	span.Int("end", int64(s.End))
	o.Dst = span.End()
}
