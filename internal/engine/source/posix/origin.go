package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// What an origin and its parts take.
var (
	originSize = meter.SizeOf[word.Origin]() + meter.SizeOf[request.Response]()
	outputSize = meter.SizeOf[word.Output]()
	extraSize  = meter.SizeOf[word.Extra]()
	sinkSize   = meter.SizeOf[word.Sink]()
	stepSize   = meter.SizeOf[request.Step]()
	textSize   = meter.SizeOf[string]()
)

// output returns what a command prints that runs curl where its output is wanted,
// or nil. Where its errors go to the same place, they are part of what is read.
func (r *reader) output(s *stmt, args []word.Word, want bool) *word.Output {
	if !want || r.taken == 0 || leadsOutput(s) || !paste.IsCurl(args[0].Text) || !r.hold(outputSize+originSize) {
		return nil
	}
	for i := range s.redirects {
		if d := &s.redirects[i]; d.op == toFile && d.other && d.target.text == "1" {
			return nil
		}
	}
	return new(word.Output)
}

// from returns input whose content is not known, but where it comes from.
func (r *reader) from(f request.From, o *word.Output) *word.Input {
	if !r.hold(originSize + inputSize) {
		return &unknown
	}
	return &word.Input{From: &word.Origin{From: f, Output: o}}
}

// computed returns where the output of a simple command comes from, when its text is
// not known.
func (r *reader) computed(s *stmt, args []word.Word, stdin *word.Input, o *word.Output) *word.Input {
	if o != nil {
		return r.from(new(request.Response), o)
	}
	if encodes(args[0].Text) && len(s.assigns) == 0 {
		if made := r.encoded(args, stdin); made != nil {
			return made
		}
	}
	origin := wholeOf(stdin)
	if r.taken > 0 && len(s.assigns) == 0 && len(r.written) > 0 {
		if read, rest := r.readBack(args, stdin); read != nil {
			origin, args = read, rest
		}
	}
	if len(s.assigns) > 0 || origin == nil && !mayBeNative(args[0].Text) || !r.pay(warnSteps) {
		return &unknown
	}
	texts := make([]string, 0, len(args))
	for i := range args {
		if !r.pay(1+len(args[i].Text)) || !r.hold(textSize) {
			return &unknown
		}
		if len(args[i].Holes) > 0 {
			return r.printedWhole(args)
		}
		texts = append(texts, args[i].Text)
	}
	if origin != nil {
		return r.filtered(texts, origin)
	}
	f := native(texts)
	if texts[0] == "base64" {
		f = encodedFile(texts[1:], stdin)
	}
	if f != nil {
		return r.from(f, nil)
	}
	return &unknown
}

// printedWhole returns what printf prints of a hole that is all of its argument, as
// echo prints it.
func (r *reader) printedWhole(args []word.Word) *word.Input {
	if len(args) != 3 || args[0].Text != "printf" || args[1].Text != "%s" && args[1].Text != `%s\n` || len(args[1].Holes) > 0 {
		return &unknown
	}
	w := &args[2]
	if len(w.Holes) != 1 || w.Holes[0].Start != 0 || int(w.Holes[0].End) != len(w.Text) || w.Holes[0].From == nil || !r.hold(inputSize) {
		return &unknown
	}
	return &word.Input{From: w.Holes[0].From}
}

// wholeOf returns where all of an input comes from, but for line breaks at its end, or
// nil where that is not certain.
func wholeOf(stdin *word.Input) *word.Origin {
	switch {
	case stdin == nil:
		return nil
	case stdin.From != nil:
		return stdin.From
	case stdin.Known && len(stdin.Holes) == 1 && stdin.Holes[0].Start == 0 && strings.Trim(stdin.Text[stdin.Holes[0].End:], "\n") == "":
		return stdin.Holes[0].From
	}
	return nil
}

// origin returns where the value of a substitution comes from, whose commands stand
// in the list from an index on. Those that only pick a part of the response are left
// out.
func (r *reader) origin(printed *word.Input, p *part, before int) *word.Origin {
	o := &word.Origin{}
	if printed.From != nil {
		o.From, o.Output, o.Of = printed.From.From, printed.From.Output, printed.From.Of
	}
	if !r.hold(originSize) {
		return nil
	}
	switch o.From.(type) {
	case *match, *digest, *halfSafe, *brokenFile, *headLine, *dryText:
		o.From, o.Of = nil, nil // something stands beside the value
	}
	if int(p.span.End) <= len(r.src) && r.src[p.span.Start:p.span.End] == p.text {
		o.Span = p.span
	}
	if o.From == nil {
		o.Script = r.runnable(p.text, before)
		return o
	}
	if o.Output != nil {
		response, _ := o.From.(*request.Response)
		o.Output.Used, o.Output.Head = true, o.Output.Head || response.Header != ""
	}
	kept := r.commands[:before]
	for _, c := range r.commands[before:] {
		if c.Extra != nil || len(c.Args) > 0 && paste.IsCurl(c.Args[0].Text) {
			kept = append(kept, c)
		}
	}
	r.commands = kept
	return o
}

// runnable returns the commands of a substitution where a shell could run them by itself, as
// it would here: nothing in them is set before, and the requests of a curl in them are no
// requests of the text. before is the index of the first of these commands in the list.
func (r *reader) runnable(text string, before int) string {
	inner, found := strings.CutPrefix(text, "$(")
	if !found || r.defines || strings.HasPrefix(inner, "(") || !r.pay(len(text)) {
		return ""
	}
	for i := range r.commands[before:] {
		if args := r.commands[before+i].Args; len(args) > 0 && paste.IsCurl(args[0].Text) {
			return ""
		}
	}
	double := false
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c == '\\':
			i++
		case c == '"':
			double = !double
		case c == '\'' && !double:
			i += 1 + strings.IndexByte(inner[i+1:], '\'')
		case c == '$' && !r.isFree(inner[i+1:]):
			return ""
		}
	}
	return strings.TrimSpace(strings.TrimSuffix(inner, ")"))
}

// isFree reports whether what follows a dollar sign is no variable that the text sets or
// the caller gives, and no argument of the script.
func (r *reader) isFree(after string) bool {
	after = strings.TrimLeft(after, "{#!")
	switch {
	case !r.pay(2*mapSteps) || strings.HasPrefix(after, "(("): // $((X)) has variables without the sign
		return false
	case after != "" && (ascii.IsDigit(after[0]) || strings.IndexByte("@*?-", after[0]) >= 0):
		return false
	}
	name := after[:ascii.NameLength(after)]
	_, set := r.vars[name]
	_, given := r.env[name]
	return !set && !given
}

// originOf returns where a value comes from that holds a substitution: from the one
// that is all of it, or from a command.
func (r *reader) originOf(b *builder, span diag.Span) *word.Origin {
	if len(b.holes) == 1 && b.holes[0].Start == 0 && int(b.holes[0].End) == b.text.len() {
		return b.holes[0].From
	}
	if !r.hold(originSize) {
		return nil
	}
	return &word.Origin{Span: span}
}

// computedBy makes a variable one whose value comes from commands.
func (r *reader) computedBy(name string, o *word.Origin) {
	r.set(name, value{forgotten: true, from: o})
}
