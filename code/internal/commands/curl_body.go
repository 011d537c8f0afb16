package commands

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// bodyOptions returns the options that make the content.
func (r *curlCommand) bodyOptions() []curlOption {
	outer := r.options
	r.options = nil
	switch r.c.Content.Kind {
	case plan.RawBody:
		r.rawOptions()
	case plan.MultipartBody:
		counted := 0
		for i := range r.c.Body.Parts {
			r.partOptions(&r.c.Body.Parts[i], &counted)
		}
		if r.c.Body.FormEscape {
			r.set("form-escape")
		}
	case plan.FileBody:
		switch {
		case r.json:
			r.add("json", plan.Prefixed("@", r.c.Content.File))
		case r.uploads():
			r.add("upload-file", r.c.Content.File)
		default:
			r.untype()
			r.add("data-binary", plan.Prefixed("@", r.c.Content.File))
		}
	case plan.PieceBody:
		r.pieceOptions()
	}
	body := r.options
	r.options = outer
	return body
}

// uploads reports content of a file that -T sends as it is: it gives no type,
// and adds the name of the file to a URL that ends with a slash.
func (r *curlCommand) uploads() bool {
	parts := urlparts.Of(r.c.URL)
	path := r.c.URL[parts.Path:parts.Query]
	named := path != "" && !strings.HasSuffix(path, "/") && r.c.URLText[len(r.c.URLText)-1].Variable == nil
	return named && (r.c.Method == "PUT" && !r.c.HasType(plan.FormType) || r.c.Field("Content-Type") == nil && !r.c.Removes("Content-Type"))
}

// jsoned reports content that --json says: its two fields come last.
func (r *curlCommand) jsoned() bool {
	if strings.HasPrefix(r.c.Content.Data.Source(), "@") {
		return false // the name of a file
	}
	var own []*request.Field // of -H
	for i := range r.c.Fields {
		switch f := &r.c.Fields[i]; {
		case f.From == "--json":
			return r.c.Content.Kind != plan.NoBody // -G moves it into the URL
		case f.Origin == request.OriginUser:
			own = append(own, f)
		}
	}
	n := len(own) - 2
	if r.c.Content.Kind != plan.RawBody || n < 0 || !isJSONField(own[n], "Content-Type") || !isJSONField(own[n+1], "Accept") {
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
		r.add("json", r.argument(r.c.Content.Data))
		return
	}
	r.untype()
	if f := r.sent("Transfer-Encoding"); f != nil && f.Origin == request.OriginDefault {
		r.add("header", plan.Literal("Transfer-Encoding: chunked"))
	}
	r.dataOptions(r.c.Content.Data)
}

// untype keeps curl from giving a type to content that has none.
func (r *curlCommand) untype() {
	if r.c.Field("Content-Type") == nil && !r.c.Removes("Content-Type") {
		r.add("header", plan.Literal("Content-Type:"))
	}
}

// dataOptions adds text of the content; several options join theirs with &.
func (r *curlCommand) dataOptions(data plan.Text) {
	if strings.Contains(data.Literals(), "%") && r.c.Content.Kind == plan.RawBody && r.c.IsForm(&plan.EncodeQuotePlus) {
		for _, p := range r.c.Content.Form {
			r.pairOption(p)
		}
		return
	}
	encoded := false
	for i := range data {
		encoded = encoded || data[i].Encoded()
	}
	if !encoded {
		r.dataOption(data)
		return
	}
	for _, pair := range data.Split('&') {
		if content, ok := r.encodedPair(pair); ok {
			r.add("data-urlencode", content)
		} else {
			r.dataOption(pair)
		}
	}
}

// dataOption adds text that is sent as it stands.
func (r *curlCommand) dataOption(data plan.Text) {
	if posix.HoldsNUL(data) {
		r.add("data-binary", r.argument(data))
		return
	}
	if strings.HasPrefix(data.Source(), "@") {
		r.add("data-raw", data)
		return
	}
	r.add("data", data)
}

// argument returns the argument for content. A shell that has printf leads what
// no argument can hold to standard input, if nothing else is read from there.
func (r *curlCommand) argument(data plan.Text) plan.Text {
	s, known := data.Plain()
	taken := r.input != "" || r.c.TakesInput() || slices.ContainsFunc(r.c.Missing, func(f request.MissingFile) bool { return f.Name == "-" })
	if !r.words.printf || !known || taken || !posix.HoldsNUL(data) {
		return data
	}
	r.input = s
	return plan.Literal("@-")
}

// pairOption adds a pair of a form, decoded where --data-urlencode encodes it
// again.
func (r *curlCommand) pairOption(p plan.Pair) {
	name, _ := plan.EncodeQuotePlus.Append(nil, p.Name)
	value, _ := plan.EncodeQuotePlus.Append(nil, p.Value)
	_, known := p.Value.Plain()
	if source := p.Value.Source(); known && string(value) == source || string(name) != p.Name.Source() || posix.HoldsNUL(p.Value) {
		if !known {
			r.p.Refuse("encodes the value of a variable, but not the name before it")
		}
		r.dataOption(plan.Literal(string(name) + "=" + string(value)))
		return
	}
	t := append(append(slices.Clone(p.Name), plan.Part{Literal: "="}), plan.Decoded(p.Value)...)
	r.add("data-urlencode", plan.MergeLiterals(t))
}

// pieceOptions adds content of texts and files. curl joins what two options
// give with &, so that a text must end with it before a file, and begin with it
// after one.
func (r *curlCommand) pieceOptions() {
	list := r.c.Content.List
	if r.json { // these are joined as they are
		for i := range list {
			if list[i].IsText {
				r.add("json", list[i].Text)
			} else {
				r.add("json", plan.Prefixed("@", list[i].File))
			}
		}
		return
	}
	if p := &list[0]; len(list) == 1 && !p.IsText && !p.Strip && !p.Urlencode && r.uploads() {
		r.add("upload-file", p.File)
		return
	}
	r.untype()
	for i := range list {
		p := &list[i]
		if !p.IsText {
			r.fileOption(p)
			continue
		}
		source, start, end := p.Text.Source(), 0, len(p.Text.Source())
		if i > 0 {
			if !strings.HasPrefix(source, "&") {
				r.p.Refuse("joins content with & only")
				return
			}
			start = 1
		}
		if i+1 < len(list) && start < end {
			if !strings.HasSuffix(source, "&") {
				r.p.Refuse("joins content with & only")
				return
			}
			end--
		}
		if source == "&" {
			continue
		}
		r.dataOptions(p.Text.Cut(start, end))
	}
}

func (r *curlCommand) fileOption(p *plan.Piece) {
	switch name := plan.Prefixed("@", p.File); {
	case p.Offset > 0:
		r.p.Refuse("sends a part of a file with -C only")
	case p.Urlencode:
		r.add("data-urlencode", plan.MergeLiterals(append(append(plan.Text{}, p.Name...), name...)))
	case p.Strip:
		r.add("data", name)
	default:
		r.add("data-binary", name)
	}
}

// partOptions adds a part of a form. counted is how many parts come before it.
func (r *curlCommand) partOptions(p *request.Part, counted *int) {
	at := *counted
	*counted++
	if p.Nested && p.Name != "" && severalFiles(p) {
		r.filesOption(p, at)
		*counted += len(p.Parts)
		return
	}
	if p.Nested {
		r.add("form", r.attributes(plan.Literal(p.Name+"=("), p, at))
		for i := range p.Parts {
			r.partOptions(&p.Parts[i], counted)
		}
		r.add("form", plan.Literal("=)"))
		return
	}
	name := append(r.c.Text(p.Name, reqtext.At(request.MemberPartName, at)), plan.Part{Literal: "="})
	value := r.c.Text(p.Value, reqtext.At(request.MemberPartValue, at))
	switch {
	case p.File != "" && p.Filename == nil:
		name = append(append(name, plan.Part{Literal: "<"}), formWord(r.c.Text(p.File, reqtext.At(request.MemberPartFile, at)))...)
	case p.File != "":
		name = append(append(name, plan.Part{Literal: "@"}), formWord(r.c.Text(p.File, reqtext.At(request.MemberPartFile, at)))...)
	case len(p.Value) == 0 && p.ContentType == nil && p.Filename == nil && len(name) == 2 && name[0].Variable != nil:
		r.add("form", name[:1]) // the variable has the content, too
		return
	case p.ContentType == nil && p.Filename == nil && len(p.Headers) == 0 && p.Encoder == "":
		if strings.ContainsAny(value.Source(), ";\"\\\r\n") || strings.HasPrefix(value.Source(), "@") ||
			strings.HasPrefix(value.Source(), "<") || strings.HasPrefix(value.Source(), "(") || value.Source() != strings.TrimSpace(value.Source()) {
			r.add("form-string", plan.MergeLiterals(append(name, value...)))
			return
		}
		r.add("form", plan.MergeLiterals(append(name, value...)))
		return
	default:
		name = append(name, formWord(value)...)
	}
	r.add("form", r.attributes(plan.MergeLiterals(name), p, at))
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

func (r *curlCommand) filesOption(p *request.Part, at int) {
	all := plan.Literal(p.Name + "=@")
	for i := range p.Parts {
		if i > 0 {
			all = append(all, plan.Part{Literal: ","})
		}
		child := at + 1 + i
		all = append(all, formWord(r.c.Text(p.Parts[i].File, reqtext.At(request.MemberPartFile, child)))...)
		all = r.attributes(all, &p.Parts[i], child)
	}
	r.add("form", plan.MergeLiterals(all))
}

// attributes appends what follows the content of a part: get_param_part() in
// curl 8.22 src/tool_formparse.c.
func (r *curlCommand) attributes(t plan.Text, p *request.Part, at int) plan.Text {
	if guess := curl.TypeOfPart(p.File, p.Filename); p.ContentType != nil && (guess == nil || *guess != *p.ContentType) {
		t = append(append(t, plan.Part{Literal: ";type="}), r.c.Text(*p.ContentType, reqtext.At(request.MemberPartContentType, at))...)
	}
	if p.Filename != nil && !(p.File != "" && *p.Filename == emit.BaseName(p.File)) {
		t = append(append(t, plan.Part{Literal: ";filename="}), formWord(r.c.Text(*p.Filename, reqtext.At(request.MemberPartFilename, at)))...)
	}
	for _, h := range p.Headers {
		t = append(append(t, plan.Part{Literal: ";headers="}), formWord(plan.Literal(h))...)
	}
	if p.Encoder != "" {
		t = append(t, plan.Part{Literal: ";encoder=" + p.Encoder})
	}
	return plan.MergeLiterals(t)
}

// formWord returns a word of -F, in quotes where it has characters that would
// end it.
func formWord(t plan.Text) plan.Text {
	source := t.Source()
	if source != "" && !strings.ContainsAny(source, `;,"\`) && !strings.ContainsAny(source[:1], "<@(") && source == strings.TrimSpace(source) {
		return t
	}
	out := plan.Literal(`"`)
	for _, p := range t {
		if p.Variable == nil {
			p.Literal = emit.Backslashed(p.Literal, `\"`)
		}
		out = append(out, p)
	}
	return append(out, plan.Part{Literal: `"`})
}
