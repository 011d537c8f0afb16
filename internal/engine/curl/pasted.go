package curl

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source/word"
)

// longDashes are the dashes that word processors write for - and --.
var longDashes = []string{"\u2013", "\u2014", "\u2015", "\u2212"}

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
