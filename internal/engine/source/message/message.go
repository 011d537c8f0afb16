// Package message turns a request that a text spells out, such as an entry of a
// HAR file, into the curl command that sends it.
//
// The readers of such texts know their syntax, and this package what curl adds
// and leaves out, so that the later stages read a curl command as ever. Each
// word of the command has the place that it comes from.
package message

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/engine/urlparts"
)

// A Message is a request that a text spells out.
type Message struct {
	Span   diag.Span // of the request in the text
	Method word.Word // an empty text is GET
	URL    word.Word
	Target word.Word // the request target, where no URL has it; or empty
	Fields []Field
	// The content: bytes, or a file that Content names, or a form where Parts is
	// not nil.
	HasContent bool
	Content    word.Word
	InFile     bool
	Parts      []Part
	// Partial says that the client adds fields and removes dot segments, as curl
	// does; else the message is all that goes over the wire.
	Partial bool
	// Options are what else the command has.
	Options []Option
}

// A Field is a header field.
type Field struct{ Name, Value word.Word }

// A Part is a part of a form.
type Part struct {
	Name, Value    word.Word
	File           bool // Value names a file
	Inline         bool // the file has no name in the form
	Unnamed        bool // the part has no name, where Name is empty
	Filename, Type word.Word
	Fields         []word.Word // that it has beside these
}

// An Option is an option of curl, by its long name with dashes.
type Option struct {
	Name     string
	Span     diag.Span // of what it comes from
	Argument *word.Word
}

// A Writer writes the commands of one text.
type Writer struct {
	Meter    *meter.Meter
	Commands []word.Command
	Diags    diag.List
	Syntax   diag.Code // of an error in a message

	words []word.Word
}

// Fail reports an error in the text. The first one counts. It returns false.
func (w *Writer) Fail(code diag.Code, span diag.Span, message, hint string) bool {
	if w.Diags.Err() == nil {
		w.Diags.Error(code, span, message, hint)
	}
	return false
}

// Warn reports a warning.
func (w *Writer) Warn(code diag.Code, span diag.Span, message, hint string) {
	const most = 100
	if len(w.Diags) < most {
		w.Diags.Warn(code, span, message, hint)
	}
}

// What a word of the command costs beside its text.
const wordSteps = 20

// add appends a word, and reports whether the conversion may go on.
func (w *Writer) add(text string, span diag.Span) bool {
	return w.addWord(word.Word{Text: text, Span: span})
}

func (w *Writer) addWord(one word.Word) bool {
	return w.Meter.Work(wordSteps+holeSteps*len(one.Holes)) && meter.Append(w.Meter, &w.words, one)
}

// option appends an option and its argument.
func (w *Writer) option(name string, at diag.Span, argument word.Word) bool {
	return w.add(name, at) && w.addWord(argument)
}

// remove keeps curl from adding a field.
func (w *Writer) remove(name string, span diag.Span) bool {
	return w.option("--header", span, word.Word{Text: name + ":", Span: span})
}

// Add appends the command that sends the message. It reports whether the
// message has one and the conversion may go on.
func (w *Writer) Add(msg *Message) bool {
	w.words = nil
	msg.empty()
	if !w.add("curl", msg.Span) || !w.url(msg) || !w.method(msg) || !w.fields(msg) || !w.content(msg) {
		return false
	}
	for _, o := range msg.Options {
		if !w.add(o.Name, o.Span) || o.Argument != nil && !w.addWord(*o.Argument) {
			return false
		}
	}
	command := word.Command{Args: w.words, Span: msg.Span, Translated: true}
	if msg.HasContent && msg.Parts == nil && !msg.InFile && strings.IndexByte(msg.Content.Text, 0) >= 0 {
		command.Stdin = &word.Input{Text: msg.Content.Text, Known: true, Kept: msg.Content.Holes != nil, Holes: msg.Content.Holes} // no argument can hold NUL
	}
	return meter.Append(w.Meter, &w.Commands, command)
}

// empty gives the message a content of no bytes where it announces one.
func (msg *Message) empty() {
	for i := range msg.Fields {
		f := &msg.Fields[i]
		if msg.HasContent || kindOf(f.Name.Text) == lengthField && f.Value.Text != "0" {
			return
		}
		if kindOf(f.Name.Text) == lengthField {
			msg.HasContent, msg.Content = true, word.Word{Span: f.Value.Span}
		}
	}
}

// url writes the URL, which curl must not take for a glob, and whose path it
// must leave alone.
func (w *Writer) url(msg *Message) bool {
	u := msg.URL
	if strings.IndexByte(u.Text, 0) >= 0 {
		return w.Fail(w.Syntax, u.Span, "the URL holds a NUL", "")
	}
	if !w.Meter.Work(len(u.Text)/4) || !w.option("--url", u.Span, u) {
		return false
	}
	if containsAny(&u, "[]{}") && !w.add("--globoff", u.Span) {
		return false
	}
	if path, _, _ := strings.Cut(u.Text, "?"); !msg.Partial && (strings.Contains(path, "/.") || strings.Contains(path, "/%2")) && !w.add("--path-as-is", u.Span) {
		return false
	}
	return msg.Target.Text == "" || w.option("--request-target", msg.Target.Span, msg.Target)
}

// method writes the method where curl would choose another.
func (w *Writer) method(msg *Message) bool {
	m := msg.Method
	switch {
	case m.Text == "GET" && !msg.HasContent, m.Text == "" && !msg.HasContent, m.Text == "POST" && msg.HasContent:
		return true
	case m.Text == "HEAD" && !msg.HasContent:
		return w.add("--head", m.Span)
	case m.Text == "":
		m.Text = "GET"
	case !ascii.IsToken(m.Text):
		return w.Fail(w.Syntax, m.Span, "the method is not one that HTTP has", "a method is a word such as GET")
	}
	return w.option("--request", m.Span, m)
}

// fields writes the header fields in their order, and keeps curl from adding
// some of its own.
func (w *Writer) fields(msg *Message) bool {
	var seen fieldSet
	host := authority(msg.URL.Text)
	socket := ascii.HasPrefixFold(msg.URL.Text, "ws")
	for i := range msg.Fields {
		f := &msg.Fields[i]
		if !w.Meter.Work(wordSteps + len(f.Name.Text) + len(f.Value.Text)/4) {
			return false
		}
		kind := kindOf(f.Name.Text)
		first := !seen[kind]
		seen[kind] = true
		switch {
		case kind == pseudoField, kind == connectionField && isUsualConnection(f.Value.Text),
			kind == hostField && ascii.EqualFold(f.Value.Text, host), kind == socketField && socket,
			kind == typeField && msg.Parts != nil:
			continue
		case !ascii.IsToken(f.Name.Text):
			return w.Fail(w.Syntax, f.Name.Span, "this is not the name of a header field", "a name has letters, digits and dashes")
		case strings.ContainsAny(f.Value.Text, "\r\n\x00"):
			return w.Fail(w.Syntax, f.Value.Span, "the value of the header field "+f.Name.Text+" holds a line break or a NUL", "")
		case kind == lengthField:
			w.length(msg, f)
			continue
		case kind == cookieField:
			if first && !w.cookies(msg, i) {
				return false
			}
			continue
		}
		if !w.field(f.Name, f.Value) {
			return false
		}
		if kind == codingField && first && f.Value.Text != "" && !ascii.EqualFold(f.Value.Text, "identity") && !w.add("--compressed", f.Name.Span) {
			return false
		}
	}
	return w.defaults(msg, &seen)
}

// field writes one header field. Without a value it ends in a semicolon for
// curl.
func (w *Writer) field(name, value word.Word) bool {
	span := diag.Join(name.Span, value.Span)
	var line Text
	if strings.Trim(value.Text, " \t") == "" {
		return line.Add(w.Meter, name.Text) && line.Add(w.Meter, ";") && w.option("--header", name.Span, line.Word(span))
	}
	return line.text.Room(w.Meter, len(name.Text)+len(value.Text)+2) && line.Add(w.Meter, name.Text) && line.Add(w.Meter, ": ") && line.AddWord(w.Meter, value) &&
		w.option("--header", name.Span, line.Word(span))
}

// cookies writes the cookies of the fields from i on as one field, because
// HTTP/2 lets clients split it and HTTP/1.1 does not (RFC 9113, section 8.2.3).
func (w *Writer) cookies(msg *Message, i int) bool {
	name, value := msg.Fields[i].Name, msg.Fields[i].Value
	var joined Text
	for _, f := range msg.Fields[i:] {
		if kindOf(f.Name.Text) != cookieField {
			if !w.Meter.Work(2) {
				return false
			}
			continue
		}
		if strings.ContainsAny(f.Value.Text, "\r\n\x00") {
			return w.Fail(w.Syntax, f.Value.Span, "the value of the header field "+f.Name.Text+" holds a line break or a NUL", "")
		}
		if joined.Len() > 0 && !joined.Add(w.Meter, "; ") || !joined.AddWord(w.Meter, f.Value) {
			return false
		}
	}
	return w.field(name, joined.Word(value.Span))
}

// length compares what Content-Length announces with the content. curl writes
// the field itself.
func (w *Writer) length(msg *Message, f *Field) {
	n, err := strconv.Atoi(strings.Trim(f.Value.Text, " \t"))
	if err != nil || msg.Parts != nil || msg.InFile || n == len(msg.Content.Text) {
		return
	}
	have := "none of it"
	if msg.HasContent && msg.Content.Text != "" {
		have = strconv.Itoa(len(msg.Content.Text)) + " bytes"
	}
	w.Warn(diag.WarnIncompleteContent, diag.Join(f.Name.Span, f.Value.Span),
		"the request had "+strconv.Itoa(n)+" bytes of content, and the text holds "+have, "supply the content from elsewhere, or remove the field Content-Length")
}

// continueSize is the content from which on curl asks with Expect whether it
// may send it: EXPECT_100_THRESHOLD in curl 8.22 lib/http.h.
const continueSize = 1 << 20

// defaults keeps curl from adding fields that the message has not. A message
// with a User-Agent lists all that the client sent; one without is what people
// write by hand, to which clients add their own.
func (w *Writer) defaults(msg *Message, seen *fieldSet) bool {
	if seen[agentField] && !seen[acceptField] && !msg.Partial && !w.remove("Accept", msg.Span) {
		return false
	}
	if !msg.HasContent || msg.Parts != nil {
		return true
	}
	if !seen[typeField] && !w.remove("Content-Type", msg.Span) {
		return false
	}
	return len(msg.Content.Text) <= continueSize || seen[expectField] || w.remove("Expect", msg.Span)
}

// content writes what the request carries.
func (w *Writer) content(msg *Message) bool {
	c := msg.Content
	switch {
	case !msg.HasContent:
		return true
	case msg.Parts != nil:
		for i := range msg.Parts {
			if !w.part(&msg.Parts[i]) {
				return false
			}
		}
		return true
	case msg.InFile:
		var name Text
		return name.Add(w.Meter, "@") && name.AddWord(w.Meter, c) && w.option("--data-binary", c.Span, name.Word(c.Span))
	case strings.IndexByte(c.Text, 0) >= 0:
		return w.option("--data-binary", c.Span, word.Word{Text: "@-", Span: c.Span})
	}
	return w.Meter.Work(len(c.Text)/16) && w.option("--data-raw", c.Span, c)
}

// part writes a part of a form.
func (w *Writer) part(p *Part) bool {
	if p.Name.Text == "" && !p.Unnamed || strings.ContainsAny(p.Name.Text, "=\x00") || strings.IndexByte(p.Value.Text, 0) >= 0 {
		return w.Fail(w.Syntax, p.Name.Span, "curl has no way to send a form part of that name or content", "")
	}
	span := diag.Join(p.Name.Span, p.Value.Span)
	var argument Text
	add := func(parts ...string) bool {
		return !slices.ContainsFunc(parts, func(s string) bool { return !argument.Add(w.Meter, s) })
	}
	if !argument.AddWord(w.Meter, p.Name) || !add("=") {
		return false
	}
	if !p.File && p.Type.Text == "" && p.Filename.Text == "" && len(p.Fields) == 0 {
		return argument.AddWord(w.Meter, p.Value) && w.option("--form-string", p.Name.Span, argument.Word(span))
	}
	sign := "@"
	if p.Inline {
		sign = "<"
	}
	if p.File && !add(sign) || !w.quoted(&argument, p.Value) {
		return false
	}
	if p.Type.Text != "" && (!add(";type=") || !argument.AddWord(w.Meter, p.Type)) {
		return false
	}
	if p.Filename.Text != "" && (!add(";filename=") || !w.quoted(&argument, p.Filename)) {
		return false
	}
	for _, field := range p.Fields {
		if !add(";headers=") || !w.quoted(&argument, field) {
			return false
		}
	}
	return w.option("--form", p.Name.Span, argument.Word(span))
}

// quoted appends a text as a value of --form: get_param_word() in curl 8.22
// src/tool_formparse.c.
func (w *Writer) quoted(dst *Text, value word.Word) bool {
	escape := func(known string, _ int) string {
		return strings.ReplaceAll(strings.ReplaceAll(known, `\`, `\\`), `"`, `\"`)
	}
	return w.Meter.Hold(2*len(value.Text)) && dst.Add(w.Meter, `"`) && dst.AddEach(w.Meter, value, escape) && dst.Add(w.Meter, `"`)
}

// authority returns the host and port of a URL.
func authority(url string) string {
	parts := urlparts.Of(url)
	both := url[parts.Authority:parts.Path]
	return both[strings.LastIndexByte(both, '@')+1:]
}
