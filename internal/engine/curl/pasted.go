package curl

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// longDashes are the dashes and hyphens that word processors, chats and input
// methods write for - and --.
var longDashes = []string{"\u2013", "\u2014", "\u2015", "\u2212", "\u2010", "\u2011", "\u2012", "\uff0d", "\ufe63"}

// mayBeginDash reports the bytes with which a long dash begins.
func mayBeginDash(c byte) bool { return c == longDashes[0][0] || c == '\xef' }

// unglued returns the arguments with those taken apart in which the backslash, or
// caret or backtick, that ends a line joins an option to the word before it:
// no blank stands on either side. An option at the start of a line, and a blank or
// the end after it, is never the end of a URL or of a method that is meant. With
// Inputs.LacksURL, so is a URL at the start of a line.
func (p *parser) unglued(args []word.Word) []word.Word {
	var out []word.Word
	copied := 0
	for i := range args {
		arg := &args[i]
		start, end := int(arg.Span.Start), int(arg.Span.End)
		if end-start < len(arg.Text)+len("\\\n") || end-start > 8*len(arg.Text)+64 || start < 0 || end > len(p.in.Source) {
			continue // of one whose span is that of more text, nothing is known
		}
		raw := p.in.Source[start:end]
		if c := raw[len(raw)-1]; !p.in.LacksURL && (c == '\'' || c == '"') {
			continue // no option ends with a quote
		}
		if !p.work(len(raw)/8 + 1) {
			return args
		}
		line := strings.LastIndexByte(raw, '\n') + 1
		last := raw[line:]
		joint := len(strings.TrimSuffix(raw[:line], "\r\n"))
		if joint == line {
			joint = len(strings.TrimSuffix(raw[:line], "\n"))
		}
		cut := len(arg.Text) - len(last)
		if joint--; joint < 1 || strings.IndexByte("\\^`", raw[joint]) < 0 || cut < 1 || arg.Text[cut:] != last ||
			!isExactOption(last) && (!p.in.LacksURL || !strings.HasPrefix(last, "http://") && !strings.HasPrefix(last, "https://")) {
			continue
		}
		if out == nil {
			if !p.hold(2 * word.Size * len(args)) {
				return args
			}
			out = make([]word.Word, 0, 2*len(args))
		}
		first, second := *arg, word.Word{Text: last, Span: diag.Span{Start: arg.Span.Start + int32(line), End: arg.Span.End}}
		first.Text, first.Span.End = arg.Text[:cut], arg.Span.Start+int32(joint)
		out = append(append(out, args[copied:i]...), first, second)
		copied = i + 1
		p.warnFix(diag.WarnPastedNoise, second.Span, "the end of the line before joins this to the word before it, because no blank stands between them; it was read as a word of its own",
			"write a blank before the end of that line", diag.At(int(first.Span.End)), " ")
	}
	if out == nil {
		return args
	}
	return append(out, args[copied:]...)
}

// isExactOption reports whether a word is the name of an option and nothing else.
func isExactOption(word string) bool {
	if len(word) == 2 && word[0] == '-' {
		return LookupShort(word[1]) != nil
	}
	return len(word) > 2 && word[:2] == "--" && Lookup(word[2:]) != nil
}

// warnFix adds a doubt with a fix.
func (p *parser) warnFix(code diag.Code, span diag.Span, message, hint string, fixed diag.Span, text string) {
	if p.in.NoWarnings || !p.work(100) || !p.hold(sizeOfWarning) {
		return
	}
	p.diags.WarnFix(code, span, message, hint, fixed, text)
	p.diags[len(p.diags)-1].Level = diag.LevelDoubt
}

// withoutLongDash returns the option that an argument is meant to be when it
// begins with a long dash and then names an option; curl itself would take it
// for a URL, which it cannot be.
func (p *parser) withoutLongDash(arg *word.Word, last bool) *word.Word {
	rest := arg.Text
	for found := true; found; {
		found = false
		for _, dash := range longDashes {
			if after, ok := strings.CutPrefix(rest, dash); ok {
				rest, found = after, true
			}
		}
		if after, ok := strings.CutPrefix(rest, "-"); ok && len(rest) < len(arg.Text) {
			rest, found = after, true
		}
	}
	n := len(arg.Text) - len(rest)
	if n == 0 || rest == "" || len(arg.Holes) > 0 && int(arg.Holes[0].Start) <= n {
		return nil
	}
	name, _, glued := strings.Cut(rest, "=")
	dashes, option := "--", (*Option)(nil)
	if len(name) > 1 {
		option = Lookup(name)
	}
	if option == nil {
		dashes, glued = "-", len(rest) > 1
		option = LookupShort(rest[0])
	}
	if option == nil || last && !glued && option.TakesArgument() {
		return nil
	}
	w := *arg
	w.Text = dashes + rest
	w.Holes = nil
	for _, h := range arg.Holes {
		h.Start, h.End = h.Start-int32(n-len(dashes)), h.End-int32(n-len(dashes))
		w.Holes = append(w.Holes, h)
	}
	const message = "this option begins with a long dash, which curl would take for the start of a URL"
	hint := "write " + dashes
	if end, exact := arg.Offset(n); exact {
		p.diags.WarnFix(diag.WarnUnicodeDash, arg.Span, message, hint, diag.Span{Start: arg.Span.Start, End: end}, dashes)
	} else {
		p.diags.Warn(diag.WarnUnicodeDash, arg.Span, message, hint)
	}
	return &w
}

// documented returns the option that {{[-X|--request]}} stands for, as short pages of
// commands have it; nil for others. curl would take the braces for a glob, and refuse it.
func (p *parser) documented(arg *word.Word) *word.Word {
	const opens, closes = "{{[-", "]}}"
	names, ok := strings.CutPrefix(arg.Text, opens)
	if !ok || len(arg.Holes) > 0 {
		return nil
	}
	names, ok = strings.CutSuffix(names, closes)
	short, long, several := strings.Cut(names, "|")
	if !ok || !several || !strings.HasPrefix(long, "--") || short == "" || strings.ContainsFunc(short, notLetter) {
		return nil
	}
	w := *arg
	w.Text = "-" + short
	p.warn(diag.WarnPlaceholder, arg.Span, "curl would refuse these braces; they were read as "+w.Text, "write "+w.Text)
	if n := len(p.diags); n > 0 && p.diags[n-1].Code == diag.WarnPlaceholder {
		p.diags[n-1].Level, p.diags[n-1].Fix = diag.LevelDoubt, &diag.Fix{Span: arg.Span, Text: w.Text}
	}
	return &w
}

func notLetter(r rune) bool {
	return r >= 0x80 || !ascii.IsLetter(byte(r)) && !ascii.IsDigit(byte(r)) && r != '-' && r != '.'
}

// withoutEntities returns a URL whose separators in the query are all &amp;, as
// in the source of a page, with the & that they stand for; nil for others.
func (p *parser) withoutEntities(arg *word.Word) *word.Word {
	const entity = "&amp;"
	if strings.IndexByte(arg.Text, '&') < 0 || !p.in.Meter.Work(len(arg.Text)) {
		return nil
	}
	n := strings.Count(arg.Text, entity)
	if n == 0 || n != strings.Count(arg.Text, "&") || len(arg.Holes) > 0 || strings.IndexByte(arg.Text, '?') < 0 {
		return nil
	}
	w := *arg
	w.Text = strings.ReplaceAll(arg.Text, entity, "&")
	p.diags.Warn(diag.WarnPastedNoise, arg.Span, "the URL has &amp; for &, as HTML source does, and was read as &", "write & for &amp;")
	return &w
}
