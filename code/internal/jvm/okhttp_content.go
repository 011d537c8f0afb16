package jvm

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// requestBody returns the content, after statements that it needs.
func (r *okHTTPCall) requestBody() emit.Node {
	switch r.c.Content.Kind {
	case plan.NoBody:
		return emit.Node{}
	case plan.RawBody:
		if f := r.c.Field("Content-Type"); r.c.IsForm(&encodeOkHTTP) {
			r.c.Imply(f)
			return emit.Leaf(r.form())
		}
		return r.rawBody()
	case plan.MultipartBody:
		if r.simpleForm() {
			return emit.Leaf(r.multipart())
		}
	case plan.FileBody:
		return r.body(emit.Leaf(r.content(r.c.Content.File)), r.contentType(plan.IsMediaType))
	}
	return r.buffer(r.contentPieces())
}

// content returns an expression for the content of a file.
func (r *okHTTPCall) content(name plan.Text) string {
	if name.Source() == "-" {
		return r.stdin
	}
	r.p.Use("java.io.File")
	return r.create + "File(" + r.text(name) + ")"
}

func (r *okHTTPCall) rawBody() emit.Node {
	data := r.c.Content.Data
	switch {
	case data.IsText():
		content := r.long(r.p, data)
		if len(content.More) > 0 || len(content.Head) > emit.LongLiteral/2 {
			content = emit.Leaf(r.set("body", content))
		}
		contentType := r.contentType(typesString)
		if contentType != "null" && r.c.HasType("application/json") {
			r.c.AddsCharset()
		}
		return r.body(content, contentType)
	case len(data) > 1:
		return r.buffer(r.contentPieces())
	}
	return r.bytesBody(emit.Leaf(r.text(data) + r.inBytes(1)))
}

// contentType returns an expression for the type of the content in place of a field, or "null"
// where the field says it.
func (r *okHTTPCall) contentType(takes func(name string) bool) string {
	f := r.c.Field("Content-Type")
	if f == nil || r.p.Exact() || r.c.Repeated() {
		return "null"
	}
	name, ok := f.Value.Plain()
	if !ok || !takes(name) {
		return "null"
	}
	r.c.Imply(f)
	return r.mediaType(name)
}

// typesString reports whether a string can have a type: without a charset it gets one, of which
// application/json makes nothing.
func typesString(name string) bool {
	kind, parameter, _ := strings.Cut(name, ";")
	return name == "application/json" || plan.IsMediaType(kind) && strings.EqualFold(strings.TrimSpace(parameter), "charset=utf-8")
}

// form writes the statement that makes a FormBody.
func (r *okHTTPCall) form() string {
	r.p.Use("okhttp3.FormBody")
	calls := []emit.Node{emit.Leaf(r.create + "FormBody.Builder()")}
	for _, p := range r.c.Content.Form {
		calls = append(calls, method(".add", emit.Leaf(r.text(plan.Decoded(p.Name))), emit.Leaf(r.text(plan.Decoded(p.Value)))))
	}
	return r.build("body", append(calls, emit.Leaf(".build()"))...)
}

// multipart writes the statement that makes a MultipartBody.
func (r *okHTTPCall) multipart() string {
	r.p.Use("okhttp3.MultipartBody")
	calls := []emit.Node{emit.Leaf(r.create + "MultipartBody.Builder()"), emit.Leaf(".setType(MultipartBody.FORM)")}
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		name := emit.Leaf(r.text(p.NameText))
		if !p.IsFile() && p.FilenameText == nil && p.TypeText == nil {
			calls = append(calls, method(".addFormDataPart", name, emit.Leaf(r.text(p.ValueText))))
			continue
		}
		var content string
		switch {
		case p.IsFile():
			content = r.content(p.FileText)
		case len(p.ValueText) > 1:
			content = r.inner(r.p, p.ValueText) + r.inBytes(0)
		default:
			content = r.text(p.ValueText) + r.inBytes(0)
		}
		contentType, filename := "null", "null"
		if p.TypeText != nil {
			contentType = r.mediaType(*p.TypeText)
		}
		switch {
		case p.Implied:
			filename = content + ".getName()"
		case p.FilenameText != nil:
			filename = r.Literal(*p.FilenameText)
		}
		calls = append(calls, method(".addFormDataPart", name, emit.Leaf(filename), r.body(emit.Leaf(content), contentType)))
	}
	return r.build("body", append(calls, emit.Leaf(".build()"))...)
}

// buffer writes the statement that joins the pieces in a buffer of Okio.
func (r *okHTTPCall) buffer(pieces []plan.Piece) emit.Node {
	r.p.Use("okio.Buffer")
	calls := []emit.Node{emit.Leaf(r.create + "Buffer()")}
	for _, one := range pieces {
		switch {
		case one.IsText && one.Text.IsText():
			calls = append(calls, r.long(r.p, one.Text).Around(".writeUtf8(", ")"))
		case one.IsText:
			r.p.Use("java.nio.charset.StandardCharsets")
			calls = append(calls, emit.Leaf(".writeString("+r.text(one.Text)+", StandardCharsets.ISO_8859_1)"))
		case one.Changed():
			calls = append(calls, emit.Leaf(".writeString("+r.changedContent(&one)+", StandardCharsets.ISO_8859_1)"))
		default:
			calls = append(calls, emit.Leaf(".write("+r.bytesOf(one.File)+")"))
		}
	}
	return r.bytesBody(emit.Leaf(r.build("body", calls...) + ".readByteArray()"))
}
