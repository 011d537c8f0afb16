package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// What the command prints of a response beside its content: -i, -I, -D and -w.

// PrintsHead reports whether the program prints the status and the fields of the response,
// before its content.
func (c *Call) PrintsHead(o Options) bool {
	to := c.Destination(o)
	if o.Bare || to == Captured || o.Function != "" && to != HeadersPrinted {
		return false
	}
	if name, _ := c.Option("dumpHeader").(string); name == "-" {
		c.take("dumpHeader")
		return true
	}
	if to != ToFile && c.Options.On("showHeaders") { // see SavesHead
		c.take("showHeaders")
		return true
	}
	return to == HeadersPrinted
}

// SavesHead reports whether the file of the output has the status and the fields of the
// response, before its content.
func (c *Call) SavesHead(o Options) bool {
	saves := c.savesHead(o) && !c.Asked.Fail
	if saves {
		c.take("showHeaders")
		c.headSaved = true
	}
	return saves
}

func (c *Call) savesHead(o Options) bool {
	return c.Destination(o) == ToFile && (c.Method == "HEAD" || c.Options.On("showHeaders"))
}

// PrintsBoth reports whether the head of the response and its content, if it has any, go
// to the standard output.
func (c *Call) PrintsBoth(o Options) bool {
	to := c.Destination(o)
	return to == HeadersPrinted || to == ContentPrinted
}

// PrintsStatusOnly reports whether all that the program does with the response is to print
// its status on a line, for commands whose clients print no status by themselves.
func (c *Call) PrintsStatusOnly(o Options) bool {
	if c.Destination(o) != Discarded || c.Asked.Fail || c.PrintsHead(o) {
		return false
	}
	text, other, _ := readWriteOut(c.writeOut(), "")
	only := other == "" && len(text) > 0 && text[0].Variable != nil && (len(text) == 1 || len(text) == 2 && text[1].Literal == "\n")
	only = only && !o.Bare && o.Function == ""
	if only {
		c.take("writeOut")
	}
	return only
}

// FailsLate reports whether a status of 400 and more ends the program only when it has
// written the response: --fail-with-body.
func (c *Call) FailsLate() bool {
	c.failsLate = true
	return c.Fail() && c.withBody()
}

// ReadsErrors reports whether the program writes something of a response whose status is
// 400 or more, or goes on after that, so that its client may not end before. A file has the
// content of an error, too.
func (c *Call) ReadsErrors() bool {
	return c.LooksAtHead() || c.Fail() && c.withBody() || c.Caught() && !c.Fail() || !c.Asked.Fail && writesFile(nil, c)
}

// Report writes what is done with the response, in the order of curl: with -f, an error has
// a head and what -w prints, but no content.
func (c *Call) Report(o Options, fail, head, content, writeOut func()) {
	returns := o.Function != "" && c.PrintsBoth(o) // by content, after which comes nothing
	late := (c.FailsLate() || c.Destination(o) == Discarded) && !returns
	if c.PrintsHead(o) && !returns {
		head()
	}
	if c.Fail() && !late {
		fail()
	}
	content()
	if !c.ReturnsOnlyStatus(o) {
		writeOut()
	}
	if c.Fail() && late {
		fail()
	}
	if c.ReturnsOnlyStatus(o) { // and then comes nothing
		writeOut()
	}
}

// WriteOut returns what -w prints after the response, where status is the expression for
// its status, or nothing. Of a format that has other variables it is the status alone.
func (c *Call) WriteOut(o Options, status string) Text {
	format := c.writeOut()
	if len(format) == 0 || o.Bare || o.Function != "" || c.Destination(o) == Captured {
		return nil
	}
	text, other, known := readWriteOut(format, status)
	if other == "" {
		c.take("writeOut")
		return text
	}
	if !known {
		return nil
	}
	return Text{statusPart(status), {Literal: "\n"}}
}

// WriteOutLine is WriteOut for what ends a line after each text that it prints.
func (c *Call) WriteOutLine(o Options, status string) Text {
	t := c.WriteOut(o, status)
	if len(t) == 0 {
		return nil
	}
	if last := &t[len(t)-1]; last.Variable == nil {
		last.Literal = strings.TrimSuffix(last.Literal, "\n")
	}
	if c.Destination(o) == ContentPrinted && !c.comesInPieces(o) && !c.printsBytes && t[0].Variable == nil {
		t[0].Literal = strings.TrimPrefix(t[0].Literal, "\n")
	}
	return MergeLiterals(t)
}

// writeOut returns the format of -w.
func (c *Call) writeOut() Text {
	format, _ := c.Option("writeOut").(string)
	if format == "" {
		return nil
	}
	return c.Text(format, reqtext.Option("writeOut", 0))
}

func statusPart(status string) Part {
	return Part{Variable: &request.Variable{Name: status, Expr: "%{http_code}", Encoding: Computed}}
}

// readWriteOut reads a format as ourWriteOut in curl 8.22 src/tool_writeout.c does. It
// returns the name of a variable that is not the status, and whether that is in it, too.
func readWriteOut(format Text, status string) (text Text, other string, known bool) {
	s, plain := format.Plain()
	if !plain || strings.HasPrefix(s, "@") {
		return nil, "?", false
	}
	var b strings.Builder
	literal := func() {
		if b.Len() > 0 {
			text = append(text, Part{Literal: b.String()})
			b.Reset()
		}
	}
	closed := true // a brace may close what begins here
	for i := 0; i < len(s); i++ {
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case s[i] == '%' && next == '{' && closed:
			var name, after string
			if name, after, closed = strings.Cut(s[i+2:], "}"); !closed {
				b.WriteByte('%')
				continue
			}
			if i = len(s) - len(after) - 1; name != "http_code" && name != "response_code" {
				other = name
				continue
			}
			literal()
			text, known = append(text, statusPart(status)), true
		case s[i] == '%' && slices.ContainsFunc([]string{"header{", "time{", "output{"}, func(name string) bool { return strings.HasPrefix(s[i+1:], name) }):
			other, _, _ = strings.Cut(s[i+1:], "{")
		case s[i] == '%' && next == '%':
			b.WriteByte('%')
			i++
		case s[i] == '\\' && strings.IndexByte("rnt", next) >= 0:
			b.WriteByte("\r\n\t"[strings.IndexByte("rnt", next)])
			i++
		case (s[i] == '%' || s[i] == '\\') && next != 0:
			b.WriteString(s[i : i+2])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	literal()
	return text, other, known
}

// reportPrinted warns of what the command prints of the response, and the program does not.
// A tool that opens a file shows the response itself.
func (p *Program) reportPrinted(c *Call) {
	if p.Target.Facts.Undecoded && c.Options.On("compressed") && c.Field("Accept-Encoding") != nil {
		p.omits(c.Place("compressed"), "--compressed", "gives the content as it was sent")
	}
	if p.Options.Bare {
		return
	}
	if len(c.Captures) > 0 {
		if name, _ := c.Option("dumpHeader").(string); name != "-" && name != "/dev/stdout" {
			p.reportHead(c, "", "writes no header fields there")
		}
		return
	}
	if p.IsFunction() {
		if !c.silent {
			p.reportHead(c, "returns no header fields", "writes no header fields there")
			p.reportWriteOut(c)
		}
		return
	}
	if c.savesHead(p.Options) && (c.says("output") || c.says("stdout")) && !c.headSaved {
		option, at := emit.Phrase("-I"), Nowhere
		if c.On("showHeaders") {
			option, at = "-i", c.Place("showHeaders")
		}
		p.omits(at, option, "writes no header fields to the file")
	}
	if p.Target.Kind == File {
		return
	}
	p.reportHead(c, "prints no header fields here", "writes no header fields there")
	if c.withBody() && c.says("failWithBody") && !c.failsLate && c.Destination(p.Options) >= ToFile {
		p.omits(c.Place("failWithBody"), "--fail-with-body", "fails without the content of an error")
	}
	p.reportWriteOut(c)
	p.reportPieces(c)
}

// reportHead warns of -i and -D, where the program neither shows nor saves the head of the response.
func (p *Program) reportHead(c *Call, shows, saves emit.Phrase) {
	lost := func(name string) bool { return c.Has(name) && !c.says(name) }
	if c.Options.On("showHeaders") && lost("showHeaders") {
		p.omits(c.Place("showHeaders"), "-i", shows)
	}
	if name, _ := c.Option("dumpHeader").(string); name != NullDevice && lost("dumpHeader") {
		p.omits(c.Place("dumpHeader"), "-D", saves)
	}
}

// reportWriteOut warns of what -w asks for, and the program does not print or return.
func (p *Program) reportWriteOut(c *Call) {
	format := c.writeOut()
	if len(format) == 0 || c.says("writeOut") {
		return
	}
	verb, what := emit.Phrase("prints"), emit.Phrase(" no status by itself")
	if _, other, _ := readWriteOut(format, ""); other != "" {
		what = " no " + emit.NameOr(other, "such format")
	}
	if p.IsFunction() {
		verb = "returns"
	}
	p.omits(c.Place("writeOut"), "-w", verb+what)
}

// Streams reports whether the program prints the content as it comes. A writer asks only where it
// does so.
func (c *Call) Streams(o Options) bool {
	c.streams = true
	return c.comesInPieces(o)
}

// reportPieces warns where the program prints content that comes in pieces once it is whole.
func (p *Program) reportPieces(c *Call) {
	if p.Target.Kind == Code && !p.IsFunction() && !p.Options.Bare && !c.streams && c.comesInPieces(p.Options) {
		p.Cannot("prints the response once it is whole", "the command asks for one that comes in pieces")
	}
}

// comesInPieces reports content that is printed as it comes: with -N, and where the request asks
// for events or for an answer in pieces, as APIs of language models have it.
func (c *Call) comesInPieces(o Options) bool {
	if c.Destination(o) != ContentPrinted || c.Asked.Retries > 0 || o.DecodeJSON {
		return false
	}
	if slices.Contains(c.Ignored, "--buffer") && c.Option("piped") != true { // -N
		return true
	}
	if f := c.Field("Accept"); f != nil && strings.HasPrefix(strings.ToLower(f.Value.Source()), "text/event-stream") {
		return true
	}
	v := c.Content.JSON
	if v == nil || v.Kind != emit.ObjectValue {
		return false
	}
	i := slices.Index(v.Names, "stream")
	return i >= 0 && v.Items[i].Kind != emit.StringValue && v.Items[i].Text == "true"
}
