package dotnet

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// encodeTable is what HttpUtility.UrlEncode makes of a table.
var encodeTable = plan.FormEncoder{Safe: "-_.!*()", Plus: true}

// pairs returns the entry for a body that is a table, in the order of the command, and reports
// whether it is one: Invoke-WebRequest encodes it as a form, but for GET, where it is the query. A
// table has each name once, in any case of letters.
func (r *powerShellRequest) pairs() (entry emit.Node, ok bool) {
	if r.p.Exact() || r.c.Content.Kind != plan.RawBody || !slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method) {
		return entry, false
	}
	names, form := make(map[string]bool), r.c.Content.Form
	items := make([]emit.Node, len(form))
	for i, p := range form {
		name, plain := plan.Decoded(p.Name).Plain()
		folded := strings.ToLower(name)
		if !plain || name == "" || names[folded] {
			return entry, false
		}
		names[folded] = true
		value := plan.Decoded(p.Value)
		if !value.IsText() {
			return entry, false
		}
		items[i] = powerShellEntry(name, emit.Leaf(r.text(value)))
	}
	if !r.c.IsForm(&encodeTable) {
		return entry, false
	}
	head := ""
	if len(items) > 1 {
		head = "[ordered]"
	}
	return powerShellEntry("Body", powerShellTable(head, items)), true
}

// content returns the entry for the body, after statements that it needs.
func (r *powerShellRequest) content() emit.Node {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if data := r.c.Content.Data; data.IsText() {
			body := r.block(data)
			if !data.IsASCII() {
				body = "[Text.Encoding]::UTF8.GetBytes(" + body + ")"
			}
			return powerShellEntry("Body", emit.Leaf(body))
		}
		return powerShellEntry("Body", emit.Leaf(r.bytes(r.c.Content.Data)))
	case plan.FileBody:
		if r.c.Content.File.Source() == "-" {
			return powerShellEntry("Body", emit.Leaf("[Console]::OpenStandardInput()"))
		}
		return powerShellEntry("InFile", emit.Leaf(r.text(r.c.Content.File)))
	case plan.PieceBody:
		return powerShellEntry("Body", plan.JoinPieces(r.c.Content.List, r.utf8, r.file, func(items []emit.Node) emit.Node {
			return powerShellSum(items)
		}))
	case plan.MultipartBody:
		if n, ok := r.form(); ok {
			return powerShellEntry("Form", n)
		}
		return powerShellEntry("Body", emit.Leaf(r.parts()))
	}
	return emit.Node{}
}

// powerShellSum returns the bytes of several expressions, joined.
func powerShellSum(items []emit.Node) emit.Node {
	for i := range items[:len(items)-1] {
		items[i].Head += " +"
	}
	n := emit.Group("[byte[]]", "(", items, ")")
	n.Glued, n.Broken, n.Width = true, true, emit.TooWide
	return n
}

// bytes returns an expression for content: a string where it is ASCII.
func (r *powerShellRequest) bytes(t plan.Text) string {
	if t.IsASCII() {
		return r.text(t)
	}
	return r.utf8(t)
}

// utf8 returns an expression for the bytes of a text.
func (r *powerShellRequest) utf8(t plan.Text) string {
	if s, ok := t.Plain(); ok && !utf8.ValidString(s) {
		return "[Convert]::FromBase64String('" + base64.StdEncoding.EncodeToString([]byte(s)) + "')"
	}
	return "[Text.Encoding]::UTF8.GetBytes(" + r.text(t) + ")"
}

// file returns an expression for the bytes of a file, changed as curl changes
// it.
func (r *powerShellRequest) file(one plan.Piece) string {
	stdin := one.File.Source() == "-"
	if !one.Strip && !one.Urlencode && one.Offset == 0 && !stdin {
		return "(Get-Content -AsByteStream -Raw " + r.text(one.File) + ")"
	}
	if one.Offset > 0 {
		r.p.Refuse("sends no part of a file")
	}
	read := "(Get-Content -Raw " + r.text(one.File) + ")"
	if stdin {
		read = "[Console]::In.ReadToEnd()"
	}
	if one.Strip {
		read = "(" + read + " -replace '[\\r\\n\\0]')"
	}
	if one.Urlencode {
		read = "[uri]::EscapeDataString(" + read + ").Replace('%20', '+')"
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " + " + read
	}
	return "[Text.Encoding]::UTF8.GetBytes(" + read + ")"
}

// form returns the table of a form that Invoke-WebRequest makes itself: it
// gives each file the same type, and its own name.
func (r *powerShellRequest) form() (emit.Node, bool) {
	items := make([]emit.Node, len(r.c.Content.Part))
	seen := make(map[string]bool)
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if !p.Simple() || plan.HasVariable(p.NameText) || seen[strings.ToLower(p.Name)] || strings.ContainsAny(p.Name, "\"\\\r\n") || !ascii.Only(p.Name) {
			return emit.Node{}, false
		}
		seen[strings.ToLower(p.Name)] = true
		value := r.text(p.ValueText)
		switch {
		case p.IsFile():
			file := p.FileText.Source()
			base := file[strings.LastIndexAny(file, `/\`)+1:]
			if file == "-" || p.FilenameText == nil || *p.FilenameText != base || !ascii.Only(base) || p.TypeText == nil || *p.TypeText != "application/octet-stream" {
				return emit.Node{}, false
			}
			value = "Get-Item " + r.text(p.FileText)
		case p.TypeText != nil || p.FilenameText != nil:
			return emit.Node{}, false
		}
		items[i] = powerShellEntry(p.Name, emit.Leaf(value))
	}
	head := ""
	if len(items) > 1 {
		head = "[ordered]"
	}
	return powerShellTable(head, items), true
}

// parts writes the statements that make a form of HttpClient, part by part, and
// returns its variable.
func (r *powerShellRequest) parts() string {
	form := r.name("form")
	r.p.Line(form, " = [Net.Http.MultipartFormDataContent]::new()")
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		content := r.utf8(p.ValueText)
		if p.IsFile() {
			content = r.file(plan.Piece{File: p.FileText})
		}
		part := r.name("part")
		r.p.Line(part, " = [Net.Http.ByteArrayContent]::new(", content, ")")
		for _, line := range p.Lines(r.c.Body.FormEscape, true) {
			if name, value, found := plan.CutLine(line); found {
				r.p.Line("$null = ", part, ".Headers.TryAddWithoutValidation(", PowerShellString(name), ", ", r.text(value), ")")
			}
		}
		r.p.Line(form, ".Add(", part, ")")
	}
	return form
}
