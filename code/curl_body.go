package code

import (
	"slices"
	"strings"

	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// bodyOptions returns the options that make the content.
func (r *curlCommand) bodyOptions() []curlOption {
	outer := r.options
	r.options = nil
	switch r.c.body.kind {
	case rawBody:
		r.rawOptions()
	case multipartBody:
		for i := range r.c.Body.Parts {
			r.partOptions(&r.c.Body.Parts[i], "body.parts."+itoa(i))
		}
		if r.c.Body.FormEscape {
			r.set("form-escape")
		}
	case fileBody:
		switch {
		case r.json:
			r.add("json", prefixed("@", r.c.body.file))
		case r.uploads():
			r.add("upload-file", r.c.body.file)
		default:
			r.untype()
			r.add("data-binary", prefixed("@", r.c.body.file))
		}
	case pieceBody:
		r.pieceOptions()
	}
	body := r.options
	r.options = outer
	return body
}

// uploads reports content of a file that -T sends as it is: it gives no type,
// and adds the name of the file to a URL that ends with a slash.
func (r *curlCommand) uploads() bool {
	path, _, _ := strings.Cut(r.c.URL, "?")
	_, path, _ = strings.Cut(path, "://")
	named := strings.Contains(path, "/") && !strings.HasSuffix(path, "/") && r.c.url[len(r.c.url)-1].variable == nil
	return named && (r.c.Method == "PUT" && !r.c.hasType(formType) || r.c.field("Content-Type") == nil && !r.c.removes("Content-Type"))
}

// jsoned reports content that --json says: its two fields come last.
func (r *curlCommand) jsoned() bool {
	if strings.HasPrefix(r.c.body.data.source(), "@") {
		return false // the name of a file
	}
	var own []*request.Field // of -H
	for i := range r.c.Fields {
		switch f := &r.c.Fields[i]; {
		case f.From == "--json":
			return r.c.body.kind != noBody // -G moves it into the URL
		case f.Origin == request.User:
			own = append(own, f)
		}
	}
	n := len(own) - 2
	if r.c.body.kind != rawBody || n < 0 || !isJSONField(own[n], "Content-Type") || !isJSONField(own[n+1], "Accept") {
		return false
	}
	r.jsonFields = own[n:]
	return true
}

func isJSONField(f *request.Field, name string) bool {
	return f.Name == name && f.Value == "application/json" && f.Line == ""
}

// rawOptions adds content whose bytes are known. Content of a file that was
// supplied with -T had no type, which takes an empty field here.
func (r *curlCommand) rawOptions() {
	if r.json {
		r.add("json", r.argument(r.c.body.data))
		return
	}
	r.untype()
	if f := r.sent("Transfer-Encoding"); f != nil && f.Origin == request.Default {
		r.add("header", literal("Transfer-Encoding: chunked"))
	}
	r.dataOptions(r.c.body.data)
}

// untype keeps curl from giving a type to content that has none.
func (r *curlCommand) untype() {
	if r.c.field("Content-Type") == nil && !r.c.removes("Content-Type") {
		r.add("header", literal("Content-Type:"))
	}
}

// dataOptions adds text of the content; several options join theirs with &.
func (r *curlCommand) dataOptions(data text) {
	if strings.Contains(data.literals(), "%") && r.c.body.kind == rawBody && r.c.isForm(&encodeQuotePlus) {
		for _, p := range r.c.body.form {
			r.pairOption(p)
		}
		return
	}
	encoded := false
	for i := range data {
		encoded = encoded || data[i].encoded()
	}
	if !encoded {
		r.dataOption(data)
		return
	}
	for _, pair := range data.split('&') {
		if content, ok := r.encodedPair(pair); ok {
			r.add("data-urlencode", content)
		} else {
			r.dataOption(pair)
		}
	}
}

// dataOption adds text that is sent as it stands.
func (r *curlCommand) dataOption(data text) {
	if holdsNUL(data) {
		r.add("data-binary", r.argument(data))
		return
	}
	if strings.HasPrefix(data.source(), "@") {
		r.add("data-raw", data)
		return
	}
	r.add("data", data)
}

// argument returns the argument for content. A shell that has printf leads what
// no argument can hold to standard input, if nothing else is read from there.
func (r *curlCommand) argument(data text) text {
	s, known := data.plain()
	taken := r.input != "" || r.c.takesInput() || slices.ContainsFunc(r.c.Missing, func(f request.MissingFile) bool { return f.Name == "-" })
	if !r.words.printf || !known || taken || !holdsNUL(data) {
		return data
	}
	r.input = s
	return literal("@-")
}

// pairOption adds a pair of a form, decoded where --data-urlencode encodes it
// again.
func (r *curlCommand) pairOption(p pair) {
	name, _ := encodeQuotePlus.append(nil, p.name)
	value, _ := encodeQuotePlus.append(nil, p.value)
	_, known := p.value.plain()
	if source := p.value.source(); known && string(value) == source || string(name) != p.name.source() || holdsNUL(p.value) {
		if !known {
			r.p.refuse("encodes the value of a variable, but not the name before it")
		}
		r.dataOption(literal(string(name) + "=" + string(value)))
		return
	}
	t := append(append(slices.Clone(p.name), part{literal: "="}), decoded(p.value)...)
	r.add("data-urlencode", mergeLiterals(t))
}

// pieceOptions adds content of texts and files. curl joins what two options
// give with &, so that a text must end with it before a file, and begin with it
// after one.
func (r *curlCommand) pieceOptions() {
	list := r.c.body.list
	if r.json { // these are joined as they are
		for i := range list {
			if list[i].isText {
				r.add("json", list[i].text)
			} else {
				r.add("json", prefixed("@", list[i].file))
			}
		}
		return
	}
	if p := &list[0]; len(list) == 1 && !p.isText && !p.strip && !p.urlencode && r.uploads() {
		r.add("upload-file", p.file)
		return
	}
	r.untype()
	for i := range list {
		p := &list[i]
		if !p.isText {
			r.fileOption(p)
			continue
		}
		source, start, end := p.text.source(), 0, len(p.text.source())
		if i > 0 {
			if !strings.HasPrefix(source, "&") {
				r.p.refuse("joins content with & only")
				return
			}
			start = 1
		}
		if i+1 < len(list) && start < end {
			if !strings.HasSuffix(source, "&") {
				r.p.refuse("joins content with & only")
				return
			}
			end--
		}
		if source == "&" {
			continue
		}
		r.dataOptions(p.text.cut(start, end))
	}
}

func (r *curlCommand) fileOption(p *piece) {
	switch name := prefixed("@", p.file); {
	case p.offset > 0:
		r.p.refuse("sends a part of a file with -C only")
	case p.urlencode:
		r.add("data-urlencode", mergeLiterals(append(append(text{}, p.name...), name...)))
	case p.strip:
		r.add("data", name)
	default:
		r.add("data-binary", name)
	}
}

// partOptions adds a part of a form.
func (r *curlCommand) partOptions(p *request.Part, at string) {
	if p.Nested && p.Name != "" && severalFiles(p) {
		r.filesOption(p, at)
		return
	}
	if p.Nested {
		r.add("form", r.attributes(literal(p.Name+"=("), p, at))
		for i := range p.Parts {
			r.partOptions(&p.Parts[i], at+".parts."+itoa(i))
		}
		r.add("form", literal("=)"))
		return
	}
	name := append(r.c.text(p.Name, at+".name"), part{literal: "="})
	value := r.c.text(p.Value, at+".value")
	switch {
	case p.File != "" && p.Filename == nil:
		name = append(append(name, part{literal: "<"}), formWord(r.c.text(p.File, at+".file"))...)
	case p.File != "":
		name = append(append(name, part{literal: "@"}), formWord(r.c.text(p.File, at+".file"))...)
	case len(p.Value) == 0 && p.ContentType == nil && p.Filename == nil && len(name) == 2 && name[0].variable != nil:
		r.add("form", name[:1]) // the variable has the content, too
		return
	case p.ContentType == nil && p.Filename == nil && len(p.Headers) == 0 && p.Encoder == "":
		if strings.ContainsAny(value.source(), ";\"\\\r\n") || strings.HasPrefix(value.source(), "@") ||
			strings.HasPrefix(value.source(), "<") || strings.HasPrefix(value.source(), "(") || value.source() != strings.TrimSpace(value.source()) {
			r.add("form-string", mergeLiterals(append(name, value...)))
			return
		}
		r.add("form", mergeLiterals(append(name, value...)))
		return
	default:
		name = append(name, formWord(value)...)
	}
	r.add("form", r.attributes(mergeLiterals(name), p, at))
}

// severalFiles reports the multipart that -F name=@a,b makes.
func severalFiles(p *request.Part) bool {
	for i := range p.Parts {
		if c := &p.Parts[i]; c.File == "" || c.Filename == nil || c.Name != "" || c.Nested {
			return false
		}
	}
	return len(p.Parts) > 1
}

func (r *curlCommand) filesOption(p *request.Part, at string) {
	all := literal(p.Name + "=@")
	for i := range p.Parts {
		if i > 0 {
			all = append(all, part{literal: ","})
		}
		child := at + ".parts." + itoa(i)
		all = append(all, formWord(r.c.text(p.Parts[i].File, child+".file"))...)
		all = r.attributes(all, &p.Parts[i], child)
	}
	r.add("form", mergeLiterals(all))
}

// attributes appends what follows the content of a part: get_param_part() in
// curl 8.22 src/tool_formparse.c.
func (r *curlCommand) attributes(t text, p *request.Part, at string) text {
	if guess := curl.TypeOfPart(p.File, p.Filename); p.ContentType != nil && (guess == nil || *guess != *p.ContentType) {
		t = append(append(t, part{literal: ";type="}), r.c.text(*p.ContentType, at+".contentType")...)
	}
	if p.Filename != nil && !(p.File != "" && *p.Filename == baseName(p.File)) {
		t = append(append(t, part{literal: ";filename="}), formWord(r.c.text(*p.Filename, at+".filename"))...)
	}
	for _, h := range p.Headers {
		t = append(append(t, part{literal: ";headers="}), formWord(literal(h))...)
	}
	if p.Encoder != "" {
		t = append(t, part{literal: ";encoder=" + p.Encoder})
	}
	return mergeLiterals(t)
}

// formWord returns a word of -F, in quotes where it has characters that would
// end it.
func formWord(t text) text {
	source := t.source()
	if source != "" && !strings.ContainsAny(source, `;,"\`) && !strings.ContainsAny(source[:1], "<@(") && source == strings.TrimSpace(source) {
		return t
	}
	out := literal(`"`)
	for _, p := range t {
		if p.variable == nil {
			p.literal = backslashed(p.literal, `\"`)
		}
		out = append(out, p)
	}
	return append(out, part{literal: `"`})
}
