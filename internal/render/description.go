package render

import (
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/jsontext"
	"uncoil/request"
)

// AppendDescription appends the full description of a text: how it was read,
// its requests, and the warnings, whose places are offsets into source.
func AppendDescription(dst []byte, shell string, requests []request.Request, warnings diag.List, source string) []byte {
	o := object{dst: append(dst, '{')}
	o.text("shell", shell)
	o.key("requests")
	o.dst = append(o.dst, '[')
	for i := range requests {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = AppendRequest(o.dst, &requests[i])
	}
	o.dst = append(o.dst, ']')
	o.key("warnings")
	o.dst = append(o.dst, '[')
	for i := range warnings {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = appendWarning(o.dst, &warnings[i], source)
	}
	return append(o.dst, ']', '}')
}

// AppendRequest appends the full description of one request.
func AppendRequest(dst []byte, r *request.Request) []byte {
	o := object{dst: append(dst, '{')}
	o.text("method", r.Method)
	o.text("url", r.URL)
	o.optional("requestTarget", r.Target)
	o.params("query", r.Query)
	o.key("headers")
	o.dst = appendFieldList(o.dst, r.Fields)
	o.texts("removedHeaders", r.Removed)
	o.key("body")
	o.dst = appendBody(o.dst, r.Body)
	if r.Auth != nil {
		o.key("auth")
		o.dst = appendAuth(o.dst, r.Auth)
	}
	o.key("options")
	options := object{dst: append(o.dst, '{')}
	for _, option := range r.Options {
		options.value(option.Name, option.Value)
	}
	o.dst = append(options.dst, '}')
	o.texts("ignored", r.Ignored)
	if len(r.Variables) > 0 {
		o.key("variables")
		o.dst = appendVariables(o.dst, r.Variables)
	}
	return append(o.dst, '}')
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
		o := object{dst: append(dst, '{')}
		o.text("name", v.Name)
		o.text("expr", v.Expr)
		o.text("in", v.In)
		if v.HasDefault {
			o.text("default", v.Default)
		}
		dst = append(o.dst, '}')
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
		o := object{dst: append(dst, '{')}
		o.text("name", f.Name)
		o.text("value", f.Value)
		if !utf8.ValidString(f.Value) {
			o.bytes("", f.Value)
		}
		o.optional("from", f.From)
		dst = append(o.dst, '}')
	}
	return append(dst, ']')
}

func appendBody(dst []byte, b *request.Body) []byte {
	if b == nil {
		return append(dst, "null"...)
	}
	o := object{dst: append(dst, '{')}
	o.text("kind", b.Kind.String())
	switch b.Kind {
	case request.Multipart:
		o.key("parts")
		o.dst = appendParts(o.dst, b.Parts)
	case request.File, request.Stdin:
		o.piece(&b.Pieces[0])
	case request.Concat:
		o.key("concat")
		for i := range b.Pieces {
			o.dst = append(o.dst, "[,"[min(i, 1)])
			o.dst = appendPiece(o.dst, &b.Pieces[i])
		}
		o.dst = append(o.dst, ']')
	default:
		o.bytes("text", b.Data)
		o.params("fields", b.Fields)
		if b.Kind == request.JSON {
			o.key("json")
			o.dst, _ = jsontext.AppendCompact(o.dst, b.Data)
		}
	}
	return append(o.dst, '}')
}

func appendPiece(dst []byte, p *request.Piece) []byte {
	o := object{dst: append(dst, '{')}
	o.text("kind", p.Kind.String())
	if p.Kind == request.Text {
		o.bytes("text", p.Text)
	} else {
		o.piece(p)
	}
	return append(o.dst, '}')
}

// piece appends a file and what curl does with its content.
func (o *object) piece(p *request.Piece) {
	if p.Kind == request.File {
		o.text("file", p.File)
	}
	o.yes("strip", p.Strip)
	o.yes("urlencode", p.URLEncode)
	o.optional("name", p.Name)
	if p.Offset > 0 {
		o.number("offset", p.Offset)
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
	o := object{dst: append(dst, '{')}
	o.text("name", p.Name)
	switch {
	case p.Nested:
		o.key("parts")
		o.dst = appendParts(o.dst, p.Parts)
	case p.File != "":
		o.text("file", p.File)
		o.yes("inline", p.Inline)
		if p.Content != nil {
			o.bytes("content", *p.Content)
		}
	default:
		o.bytes("value", p.Value)
	}
	o.partAttributes(p)
	return append(o.dst, '}')
}

func appendAuth(dst []byte, a *request.Auth) []byte {
	o := object{dst: append(dst, '{')}
	o.text("scheme", a.Scheme)
	if a.Scheme == "bearer" {
		o.text("token", a.Token)
	} else {
		o.text("username", a.Username)
		o.text("password", a.Password)
	}
	o.texts("schemes", a.Schemes)
	for _, p := range a.Params {
		o.text(p.Name, p.Value)
	}
	return append(o.dst, '}')
}

func appendWarning(dst []byte, d *diag.Diagnostic, source string) []byte {
	o := object{dst: append(dst, '{')}
	o.text("code", string(d.Code))
	o.text("level", d.Level.String())
	o.text("message", d.Message)
	o.place(d, source)
	o.optional("hint", d.Hint)
	if d.Fix != nil {
		o.key("fix")
		fix := object{dst: append(o.dst, '{')}
		fix.span(d.Fix.Span)
		fix.text("text", d.Fix.Text)
		o.dst = append(fix.dst, '}')
	}
	o.optional("option", d.Option)
	o.texts("files", d.Files)
	return append(o.dst, '}')
}

// place appends where a diagnostic points to.
func (o *object) place(d *diag.Diagnostic, source string) {
	o.span(d.Span)
	line, column := diag.Position(source, d.Span.Start)
	o.number("line", int64(line))
	o.number("column", int64(column))
}

// span appends a range of bytes of the text.
func (o *object) span(s diag.Span) {
	o.key("span")
	span := object{dst: append(o.dst, '{')}
	span.number("start", int64(s.Start))
	span.number("end", int64(s.End))
	o.dst = append(span.dst, '}')
}
