package postman

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// pruned are methods whose content the client leaves out unless that is switched off.
var pruned = []string{"GET", "COPY", "HEAD", "PURGE", "UNLOCK"}

// languages are the types of text by what the editor calls it: CONTENT_TYPE_LANGUAGE of
// postman-runtime lib/requester/core-body-builder.js.
var languages = map[string]string{"html": "text/html", "json": "application/json", "javascript": "application/javascript", "xml": "application/xml"}

// A body is the content of a request.
type body struct {
	mode, raw, language, file      word.Word
	query, operation, variables    word.Word
	pairs                          []pair
	disabled, object, hasOperation bool
}

// content reads the content.
func (r *reader) content(d *draft) bool {
	r.at(d.body)
	var b body
	if !r.json.Object(func(name string, _ int) bool { return r.bodyMember(&b, name) }) {
		return false
	}
	at := r.from(d.body)
	if b.disabled || b.mode.Text == "" {
		return true
	}
	if (d.Method.Text == "" || slices.Contains(pruned, d.Method.Text)) && !d.behavior.unpruned {
		if b.raw.Text != "" || b.pairs != nil || b.query.Text != "" || b.file.Text != "" {
			r.Warn(diag.WarnOtherCommand, at, "the content is left out: Postman sends none with this method unless that is switched on", "")
		}
		return true
	}
	switch b.mode.Text {
	case "raw":
		return r.text(d, &b)
	case "urlencoded":
		return r.urlencoded(d, b.pairs, at)
	case "formdata":
		return r.form(d, b.pairs)
	case "file":
		if b.file.Text == "" {
			return true
		}
		d.HasContent, d.InFile = true, true
		w, ok := r.expand(b.file)
		d.Content = w
		return ok
	case "graphql":
		return r.graphQL(d, &b, at)
	}
	return r.Fail(r.Syntax, b.mode.Span, "content of this mode is not known", "it must be raw, urlencoded, formdata, file or graphql")
}

// bodyMember reads a member of the content.
func (r *reader) bodyMember(b *body, name string) bool {
	kind := r.json.Peek()
	switch {
	case name == "mode" && kind == '"':
		return r.scalar(&b.mode)
	case name == "raw":
		return r.scalar(&b.raw)
	case name == "disabled":
		b.disabled = kind == 't'
	case name == "urlencoded" || name == "formdata":
		b.pairs = nil
		if kind == '"' { // as version 2.0 has it
			var text word.Word
			return r.scalar(&text) && r.split(b, text)
		}
		return r.pairs(func(p *pair) bool { return p.disabled || meter.Append(r.Meter, &b.pairs, *p) })
	case name == "file" && kind == '"':
		return r.scalar(&b.file)
	case name == "file" && kind == '{':
		return r.json.Object(func(name string, _ int) bool {
			if name != "src" || r.json.Peek() != '"' {
				return r.json.Skip()
			}
			return r.scalar(&b.file)
		})
	case name == "graphql" && kind == '{':
		return r.json.Object(func(name string, _ int) bool {
			kind := r.json.Peek()
			switch name {
			case "query":
				return r.scalar(&b.query)
			case "operationName":
				b.hasOperation = kind == '"'
				return r.scalar(&b.operation)
			case "variables":
				b.object = kind != '"' && kind != 'n'
				return r.scalar(&b.variables)
			}
			return r.json.Skip()
		})
	case name == "options" && kind == '{':
		return r.json.Object(func(name string, _ int) bool {
			if name != "raw" || r.json.Peek() != '{' {
				return r.json.Skip()
			}
			return r.json.Object(func(name string, _ int) bool {
				if name != "language" {
					return r.json.Skip()
				}
				return r.scalar(&b.language)
			})
		})
	}
	return r.json.Skip()
}

// split reads pairs of a form that are one text.
func (r *reader) split(b *body, text word.Word) bool {
	for one := range strings.SplitSeq(text.Text, "&") {
		name, value, found := strings.Cut(one, "=")
		p := pair{key: word.Word{Text: name, Span: text.Span}, value: word.Word{Text: value, Span: text.Span}, noValue: !found}
		if one != "" && !meter.Append(r.Meter, &b.pairs, p) {
			return false
		}
	}
	return true
}

// text makes the content a text.
func (r *reader) text(d *draft, b *body) bool {
	if b.raw.Text == "" {
		return true
	}
	w, ok := r.expand(b.raw)
	d.HasContent, d.Content = true, w
	kind := languages[b.language.Text]
	if kind == "" {
		kind = "text/plain"
	}
	return ok && r.add(d, "Content-Type", kind, b.raw.Span)
}

// urlencoded makes the content pairs, encoded as postman-request does; those of one name
// follow each other.
func (r *reader) urlencoded(d *draft, pairs []pair, at diag.Span) bool {
	if len(pairs) == 0 {
		return true
	}
	first := make(map[string]int) // which pair has a name first
	order := make([]int, len(pairs))
	for i := range pairs {
		if _, known := first[pairs[i].key.Text]; !known {
			first[pairs[i].key.Text] = i
		}
		order[i] = i
	}
	const pairSteps, pairSize = 32, 128
	if !r.Meter.Work(pairSteps*len(pairs)) || !r.Meter.Hold(pairSize*len(pairs)) {
		return false
	}
	slices.SortStableFunc(order, func(a, b int) int { return first[pairs[a].key.Text] - first[pairs[b].key.Text] })
	var content message.Text
	encode := func(known string, _ int) string { return string(ascii.AppendPercent(nil, known, "%20")) }
	for n, i := range order {
		p := &pairs[i]
		key, ok := r.expand(p.key)
		value, valueOK := r.expand(p.value)
		if !ok || !valueOK || !r.Meter.Hold(4*(len(key.Text)+len(value.Text))) {
			return false
		}
		if n > 0 && !content.Add(r.Meter, "&") || !content.AddEach(r.Meter, key, encode) || !content.Add(r.Meter, "=") || !content.AddEach(r.Meter, value, encode) {
			return false
		}
	}
	d.HasContent, d.Content = true, content.Word(at)
	return r.add(d, "Content-Type", "application/x-www-form-urlencoded", at)
}

// form makes the content a form with parts.
func (r *reader) form(d *draft, pairs []pair) bool {
	for i := range pairs {
		p := &pairs[i]
		part := message.Part{Unnamed: true}
		var ok [4]bool
		part.Name, ok[0] = r.expand(p.key)
		part.Type, ok[1] = r.expand(p.contentType)
		part.Filename, ok[2] = r.expand(p.fileName)
		part.Value, ok[3] = r.expand(p.value)
		if slices.Contains(ok[:], false) {
			return false
		}
		if !p.inFile {
			if !meter.Append(r.Meter, &d.Parts, part) {
				return false
			}
			continue
		}
		part.File = true
		if len(p.src) == 0 {
			return r.Fail(r.Syntax, p.key.Span, "no file is chosen for this part of the form", "choose one, or disable the part")
		}
		for _, src := range p.src {
			name, ok := r.expand(src)
			part.Value = name
			if !ok || !meter.Append(r.Meter, &d.Parts, part) {
				return false
			}
		}
	}
	d.HasContent = d.Parts != nil
	return true
}

// graphQL makes the content JSON of a query and its variables.
func (r *reader) graphQL(d *draft, b *body, at diag.Span) bool {
	var content message.Text
	quoted := func(known string, _ int) string {
		s := string(jsontext.AppendString(nil, known))
		return s[1 : len(s)-1]
	}
	query, ok := r.expand(b.query)
	operation, operationOK := r.expand(b.operation)
	variables, variablesOK := r.expand(b.variables)
	if !ok || !operationOK || !variablesOK || !r.Meter.Hold(6*(len(query.Text)+len(operation.Text))) {
		return false
	}
	if b.object && variables.Holes == nil {
		compact, ok := jsontext.AppendCompact(nil, variables.Text)
		if !r.Meter.Hold(len(compact)) {
			return false
		}
		if ok {
			variables.Text = string(compact)
		}
	}
	if !content.Add(r.Meter, `{"query":"`) || !content.AddEach(r.Meter, query, quoted) || !content.Add(r.Meter, `"`) {
		return false
	}
	if b.hasOperation && (!content.Add(r.Meter, `,"operationName":"`) || !content.AddEach(r.Meter, operation, quoted) || !content.Add(r.Meter, `"`)) {
		return false
	}
	if variables.Text != "" && (!content.Add(r.Meter, `,"variables":`) || !content.AddWord(r.Meter, variables)) {
		return false
	}
	if !content.Add(r.Meter, "}") {
		return false
	}
	d.HasContent, d.Content = true, content.Word(at)
	return r.add(d, "Content-Type", "application/json", at)
}
