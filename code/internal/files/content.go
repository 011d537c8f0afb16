package files

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// wholeFile returns the file whose content is the content of the request, for tools that
// send a file as it is. curl takes the line ends out of a file of -d (file2string() in
// tool_paramhlp.c of curl 8.22), which says the same where the content is JSON.
func wholeFile(p *plan.Program, c *plan.Call) (name plan.Text, ok bool) {
	if c.Content.Kind == plan.FileBody {
		return c.Content.File, true
	}
	if p.Exact() || c.Content.Kind != plan.PieceBody || len(c.Content.List) != 1 {
		return nil, false
	}
	one := &c.Content.List[0]
	if one.IsText || one.Urlencode || one.Offset > 0 || len(one.Name) > 0 || one.File.Source() == "-" || !sendsJSON(c, one.File.Source()) {
		return nil, false
	}
	p.Accept(c, "keeps the line ends of the file, which -d takes out")
	return one.File, true
}

// sendsJSON reports whether the content of a file is one value of JSON, by its type, or
// by its name where -d says that it is a form.
func sendsJSON(c *plan.Call, file string) bool {
	f := c.Field("Content-Type")
	if f == nil || f.TypesContent() {
		return strings.HasSuffix(file, ".json")
	}
	kind, _, _ := strings.Cut(strings.ToLower(f.Value.Source()), ";")
	return strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json")
}

// retype gives content the type of what it is, where it has that of a form because -d
// gives it to all content, and the tool would read a form. It reports whether it did.
func retype(p *plan.Program, c *plan.Call, contentType string, what emit.Phrase) bool {
	f := c.Field("Content-Type")
	if p.Exact() || f == nil || !f.TypesContent() || !ascii.EqualFold(f.Value.Source(), plan.FormType) {
		return false
	}
	f.Value = plan.Literal(contentType)
	p.Accept(c, what)
	return true
}

// typeOf returns the type of text that is no form.
func typeOf(s string) string {
	if s = strings.TrimLeft(s, " \t\r\n"); s != "" && emit.Contains("{[", s[0]) {
		return "application/json"
	}
	return "text/plain"
}

// typeOfFile returns the type of a file by its name.
func typeOfFile(name string) string {
	if strings.HasSuffix(name, ".json") {
		return "application/json"
	}
	return "application/octet-stream"
}

// formFields returns the pairs of a form for a tool that encodes fields itself. In exact
// style it must print what curl sends; else the pairs are the same, and a variable is
// encoded, which curl sends as it is. holds reports the pairs for which it has a place.
func formFields(p *plan.Program, c *plan.Call, e *plan.FormEncoder, holds func(one *plan.Pair) bool) ([]plan.Pair, bool) {
	for i := range c.Content.Form {
		if !holds(&c.Content.Form[i]) {
			return nil, false
		}
	}
	if c.IsForm(e) {
		return c.Content.Form, true
	}
	pairs := c.Content.Data.Split('&')
	if p.Exact() || !c.HasType(plan.FormType) || len(c.Content.Form) == 0 || len(pairs) != len(c.Content.Form) {
		return nil, false
	}
	for i := range pairs {
		name, plain := c.Content.Form[i].Name.Plain()
		if !plain || !isFormName(name) || !c.Content.Form[i].Value.IsText() || !pairs[i].Has('=') {
			return nil, false
		}
	}
	for _, one := range c.Content.Data {
		if one.Variable != nil && !one.Encoded() {
			p.Accept(c, "encodes what a variable holds in a form")
		}
	}
	return c.Content.Form, true
}

// isFormName reports a name as fields of a form have them: other texts have = too, such
// as up{job="a"} 1.
func isFormName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(c rune) bool {
		return c >= 0x80 || !ascii.IsNameByte(byte(c)) && !strings.ContainsRune("-.[]$~: ", c)
	}) < 0
}

// interleaves reports whether another name stands between two that are the same.
func interleaves(names []string) bool {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		if seen[name] && names[i-1] != name {
			return true
		}
		seen[name] = true
	}
	return false
}

// together is what tools do that keep the fields of a form by name.
const together = "sends the fields of one name together"

// queryFields returns the pairs of the query for a tool that encodes them, and the URL
// without them, where that has the same pairs. holds reports the pairs for which it has a
// place. A variable that is not encoded may hold several.
func queryFields(p *plan.Program, c *plan.Call, holds func(one *plan.Pair) bool) (url plan.Text, pairs []plan.Pair) {
	base, path, query := c.URLParts()
	pairs = plan.QueryPairs(query)
	if p.Exact() || len(pairs) == 0 || strings.Contains(c.URL, "#") {
		return c.URLText, nil
	}
	for i, one := range query.Split('&') {
		if name, plain := pairs[i].Name.Plain(); !plain || !isFormName(name) || !pairs[i].Value.IsText() || !one.Has('=') || !holds(&pairs[i]) {
			return c.URLText, nil
		}
	}
	for i := range query {
		if query[i].Variable != nil && !query[i].Encoded() {
			return c.URLText, nil
		}
	}
	return plan.MergeLiterals(slices.Concat(base, path)), pairs
}

// dropsType reports whether a tool that has no type for texts of a form writes one all the
// same: where the form has a file, so that it cannot be written as text.
func dropsType(p *plan.Program, c *plan.Call, part *plan.FormPart) bool {
	if p.Exact() || part.IsFile() || part.TypeText == nil || !slices.ContainsFunc(c.Content.Part, func(one plan.FormPart) bool { return one.IsFile() }) {
		return false
	}
	p.Accept(c, "sends no type with a text of a form")
	return true
}
