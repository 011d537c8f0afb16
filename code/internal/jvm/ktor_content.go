package jvm

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// ktorTypes are the types of content for which Ktor has a name.
var ktorTypes = map[string]string{
	"application/json": "Application.Json", "application/octet-stream": "Application.OctetStream", "application/xml": "Application.Xml",
	plan.FormType: "Application.FormUrlEncoded", "text/plain": "Text.Plain", "text/xml": "Text.Xml",
}

// typed returns content with its type: text or bytes to which the client gives that of the
// request, as it is, or content that has none of its own.
func (r *ktorCall) typed(content, bytes emit.Node) []emit.Node {
	f := r.c.Field("Content-Type")
	r.use("http")
	if f == nil || plan.HasVariable(f.Value) || !plan.IsMediaType(f.Value.Source()) || !plainType(f.Value.Source()) {
		r.use("http.content")
		return []emit.Node{method("setBody", method("ByteArrayContent", bytes))}
	}
	r.c.Imply(f)
	name := "ContentType.parse(" + r.Literal(f.Value.Source()) + ")"
	if known := ktorTypes[f.Value.Source()]; known != "" {
		name = "ContentType." + known
	}
	if strings.HasPrefix(f.Value.Source(), "text/") { // a string gets a charset
		r.use("http.content")
		return []emit.Node{method("setBody", method("ByteArrayContent", bytes, emit.Leaf(name)))}
	}
	return []emit.Node{method("contentType", emit.Leaf(name)), method("setBody", content)}
}

// content returns the calls that set the content, after statements that it needs.
func (r *ktorCall) content() []emit.Node {
	data, kind, form := r.c.Content.Data, r.c.Content.Kind, "form"+r.suffix
	switch {
	case kind == plan.NoBody:
		return nil
	case kind == plan.MultipartBody && r.plainForm():
		r.use("client.request.forms")
		r.p.Block(r.let+form+" = formData {", func() {
			for i := range r.c.Content.Part {
				r.part(&r.c.Content.Part[i])
			}
		})
		r.p.Line("}")
		return []emit.Node{emit.Leaf("setBody(MultiPartFormDataContent(" + form + "))")}
	case kind == plan.RawBody && grouped(data.Source()) && r.c.IsForm(&plan.EncodeQuotePlus) && r.c.LeavesType():
		r.use("client.request.forms")
		r.use("http")
		r.p.Block(r.let+form+" = parameters {", func() {
			for _, p := range r.c.Content.Form {
				r.p.Node("", method("append", emit.Leaf(r.text(plan.Decoded(p.Name))), emit.Leaf(r.text(plan.Decoded(p.Value)))), "")
			}
		})
		r.p.Line("}")
		return []emit.Node{emit.Leaf("setBody(FormDataContent(" + form + "))")}
	case kind == plan.RawBody && data.IsText():
		content := r.long(r.p, data)
		if len(content.More) > 0 || len(content.Head) > emit.LongLiteral/2 {
			content = emit.Leaf(r.set("body", content))
		}
		return r.typed(content, content.Around("", r.inBytes(0)))
	}
	bytes := r.joined(r.contentPieces())
	return r.typed(bytes, bytes)
}

// joined returns an expression for the bytes of pieces.
func (r *ktorCall) joined(pieces []plan.Piece) emit.Node {
	return plan.JoinPieces(pieces, func(t plan.Text) string { return r.text(t) + r.bytesLike(t) }, func(one plan.Piece) string {
		if one.Changed() {
			return r.changedContent(&one) + r.inBytes(1)
		}
		return r.fileBytes(one.File)
	}, func(items []emit.Node) emit.Node {
		for i := range items[:len(items)-1] {
			items[i].Head += " +"
		}
		sum := emit.Group("", "(", items, ")")
		sum.Glued, sum.Broken = true, true
		return emit.Leaf(r.set("body", sum))
	})
}

// fileBytes returns an expression for the content of a file.
func (r *ktorCall) fileBytes(name plan.Text) string {
	if name.Source() == "-" {
		return r.stdin
	}
	r.p.Use("java.io.File")
	return "File(" + r.text(name) + ").readBytes()"
}

// part writes the call that adds a part of a form.
func (r *ktorCall) part(p *plan.FormPart) {
	call := method("append", emit.Leaf(r.text(p.NameText)), emit.Leaf(r.text(p.ValueText)))
	if p.IsFile() {
		call.Items[1] = emit.Leaf(r.fileBytes(p.FileText))
	}
	var fields []string
	if p.TypeText != nil {
		fields = append(fields, "append("+r.Literal("Content-Type")+", "+r.Literal(*p.TypeText)+")")
	}
	if p.FilenameText != nil {
		filename := slices.Concat(plan.Literal(`filename="`), p.Named, plan.Literal(`"`))
		fields = append(fields, "append("+r.Literal("Content-Disposition")+", "+r.text(plan.MergeLiterals(filename))+")")
	}
	if fields == nil {
		r.p.Node("", call, "")
		return
	}
	r.use("http")
	for _, line := range r.block(strings.TrimSuffix(call.Line(), ")")+", Headers.build", fields...) {
		r.p.Line(line)
	}
	r.p.Dst = append(r.p.Dst[:len(r.p.Dst)-1], ")\n"...)
}

// result writes what is done with the response.
func (r *ktorCall) result(response string) {
	status := response + ".status.value"
	r.c.Report(r.p.Options, func() {
		if r.p.Exact() || r.c.ReadsErrors() {
			r.checkStatus(status)
		}
	}, func() {
		r.show(response + ".status")
		r.p.Line(response, `.headers.forEach { name, values -> println("$name: ${values.joinToString()}") }`)
	}, func() {
		switch r.c.Destination(r.p.Options) {
		case plan.ToFile:
			r.p.Use("java.io.File")
			file := "File(" + r.text(r.c.Output()) + ")"
			if folder := r.c.Folder(); folder != nil {
				r.do("File(", r.text(folder), ").mkdirs()")
			}
			r.do(file, ".writeBytes(", response, ".bodyAsBytes())")
		case plan.ContentPrinted:
			r.show(response + ".bodyAsText()")
		case plan.Captured:
			r.captures(r.let, response+".bodyAsText()")
		}
	}, func() {
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.show(r.text(t))
		}
	})
}
