package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/quote"
)

// Explain gives an error of curl the hint and the fix of a mistake in the
// command that probably leads to it, when there is one.
func Explain(c *Command, m *meter.Meter, d *diag.Diagnostic) {
	k := checker{Command: *c, meter: m, diags: new(diag.List)}
	for i := range c.Operations {
		settings := c.Operations[i].Settings
		for j := range settings {
			switch s := &settings[j]; s.ID {
			case curl.OptHeader:
				k.splitHeader(settings, j)
			case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptJson:
				k.lostQuotes(s)
			case curl.OptUrl:
				if d.Code == diag.CodeInvalidURL && s.Value.Span == d.Span {
					k.singleQuotedVariable(s)
				}
			}
			if len(*k.diags) > 0 {
				first := (*k.diags)[0]
				d.Hint, d.Fix = first.Message+"; "+first.Hint, first.Fix
				return
			}
		}
	}
	if d.Code == diag.CodeNoURL && k.severed(d) {
		return
	}
	if d.Code == diag.CodeMissingArgument && c.Stdin && c.readsInput(d) {
		return
	}
	for i := range c.Words {
		w := &c.Words[i]
		raw := k.raw(w.Span)
		if !m.Work(4+len(raw)/16) || w.Span.Start > d.Span.End {
			return
		}
		switch {
		case isSingleDash(raw):
			d.Hint, d.Fix = "write -"+raw, &diag.Fix{Span: diag.At(int(w.Span.Start)), Text: "-"}
			return
		case raw == w.Text && w.Span.Start == d.Span.Start && isHeader(raw):
			d.Hint, d.Fix = "this looks like a header: write -H before it", &diag.Fix{Span: w.Span, Text: "-H " + string(quote.AppendWord(nil, raw, c.Style))}
			return
		case w.Span == d.Span && d.Code == diag.CodeInvalidURL && (strings.Contains(w.Text, " -H ") || strings.Contains(w.Text, " --header ")):
			d.Hint = "the URL holds options: close its quote before them"
			return
		}
	}
}

// severed gives the error of a command without a URL the hint that an unquoted &
// cut it off, as in -d a=1&b=2 URL, with quotes as the fix.
func (k *checker) severed(d *diag.Diagnostic) bool {
	if len(k.Words) == 0 || k.Style != quote.POSIX {
		return false
	}
	last := &k.Words[len(k.Words)-1]
	rest, raw := k.from(last.Span.End), k.raw(last.Span)
	if raw != last.Text || !strings.Contains(raw, "=") || len(rest) < 2 || rest[0] != '&' || !ascii.IsNameByte(rest[1]) {
		return false
	}
	n := strings.IndexAny(rest, " \t\r\n'\"`\\$;|<>()")
	if n < 0 {
		n = len(rest)
	}
	if !k.meter.Work(n) {
		return false
	}
	d.Hint = "the & ends the command, because it is not quoted: put the argument in quotes"
	if n == len(rest) || ascii.IsBlank(rest[n]) {
		span := diag.Span{Start: last.Span.Start, End: last.Span.End + int32(n)}
		d.Fix = &diag.Fix{Span: span, Text: k.quoted(k.raw(span))}
	}
	return true
}

// readsInput gives the error of a last option without an argument a hint where it is to
// send what the text leads to standard input, such as a here-document. Only data
// options and -T read that by a name.
func (c *Command) readsInput(d *diag.Diagnostic) bool {
	name := "@-"
	switch strings.TrimLeft(d.Option, "-") {
	case "d", "data", "data-ascii", "data-binary", "data-urlencode", "json":
	case "T", "upload-file":
		name = "-"
	default:
		return false
	}
	d.Hint = "write " + name + " to send what the text leads to standard input"
	d.Fix = &diag.Fix{Span: diag.At(int(d.Span.End)), Text: " " + name}
	return true
}

// isSingleDash reports whether a word is a long option with one dash.
func isSingleDash(word string) bool {
	const shortest, longest = 4, 30
	return len(word) >= shortest && len(word) < longest && word[0] == '-' && word[1] != '-' && curl.Lookup(word[1:]) != nil
}

// isHeader reports whether a word without blanks looks like a header.
func isHeader(word string) bool {
	name, value, ok := strings.Cut(word, ":")
	if !ok || name == "" || value != "" && ascii.IsDigit(value[0]) || strings.HasPrefix(value, "//") {
		return false
	}
	switch strings.ToLower(name) {
	case "accept", "authorization", "content-type", "cookie", "host", "origin", "referer", "user-agent", "x-api-key":
		return true
	}
	return false
}
