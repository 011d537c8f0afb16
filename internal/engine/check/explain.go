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
// command that probably leads to it, when there is one. meant reports that
// the fix only protects what the command has from the shell or from curl, so that
// nothing else can be meant.
func Explain(c *Command, m *meter.Meter, d *diag.Diagnostic) (meant bool) {
	k := checker{Command: *c, meter: m, diags: new(diag.List)}
	for i := range c.Operations {
		settings := c.Operations[i].Settings
		t := k.traits(&c.Operations[i])
		for j := range settings {
			switch s := &settings[j]; s.ID {
			case curl.OptHeader:
				k.splitArgument(&c.Operations[i], j, &t)
			case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptJson,
				curl.OptForm, curl.OptFormString, curl.OptDataUrlencode:
				k.lostQuotes(s)
				if len(*k.diags) == 0 {
					k.splitArgument(&c.Operations[i], j, &t)
				}
			case curl.OptUrl:
				if d.Code == diag.CodeInvalidURL && s.Value.Span == d.Span {
					k.singleQuotedVariable(s)
				}
			}
			if len(*k.diags) > 0 {
				first := (*k.diags)[0]
				d.Hint, d.Fix = first.Message+"; "+first.Hint, first.Fix
				return d.Fix != nil && first.Code != diag.WarnQuotedVariable
			}
		}
	}
	switch {
	case d.Code == diag.CodeInvalidGlob && k.literalQuery(d), d.Code == diag.CodeNoURL && (k.severed(d) || k.takenURL(d)), d.Code == diag.CodeInvalidURL && k.blankInURL(d):
		return d.Fix != nil
	case d.Code == diag.CodeInvalidURL && (k.password(d) || k.brokenScheme(d)), d.Code == diag.CodeNoURL && k.commented(d), d.Code == diag.CodeUnsupportedScheme && k.misspelledScheme(d), d.Code == diag.CodeMissingArgument && c.Stdin && c.readsInput(d):
		return false
	}
	for i := range c.Words {
		w := &c.Words[i]
		raw := k.raw(w.Span)
		if !m.Work(4+len(raw)/16) || w.Span.Start > d.Span.End {
			return false
		}
		switch {
		case isSingleDash(raw):
			d.Hint, d.Fix = "write -"+raw, &diag.Fix{Span: diag.At(int(w.Span.Start)), Text: "-"}
			return false
		case raw == w.Text && w.Span.Start == d.Span.Start && isHeader(raw):
			d.Hint, d.Fix = "this looks like a header: write -H before it", &diag.Fix{Span: w.Span, Text: "-H " + string(quote.AppendWord(nil, raw, c.Style))}
			return false
		case w.Span == d.Span && d.Code == diag.CodeInvalidURL && c.Style == quote.POSIX && isHeader(w.Text) && len(w.Holes) == 0:
			d.Hint, d.Fix = "this looks like a header: write -H before it", &diag.Fix{Span: diag.At(int(w.Span.Start)), Text: "-H "}
			return false
		case w.Span == d.Span && d.Code == diag.CodeInvalidURL && holdsHeader(w.Text):
			d.Hint = "the URL holds options: close its quote before them"
			return false
		case w.Span == d.Span && d.Code == diag.CodeInvalidURL && strings.IndexByte(w.Text, '\n') > 0:
			d.Hint = "a line break stands within the URL, which its quotes keep: write it in one line"
			return false
		}
	}
	return false
}

// urlAt returns the setting of the URL that stands around a span.
func (k *checker) urlAt(span diag.Span) *curl.Setting {
	return k.setting(func(s *curl.Setting) bool {
		return s.ID == curl.OptUrl && s.Value.Span.Start <= span.Start && span.End <= s.Value.Span.End
	})
}

// setting returns the first setting of the command that is one, or nil.
func (k *checker) setting(is func(*curl.Setting) bool) *curl.Setting {
	for i := range k.Operations {
		settings := k.Operations[i].Settings
		for j := range settings {
			if !k.meter.Work(1) {
				return nil
			}
			if is(&settings[j]) {
				return &settings[j]
			}
		}
	}
	return nil
}

// literalQuery gives the error of a glob in the query of a URL, whose brackets and
// braces are in pairs, -g as its fix: ?page[number]=1, ?q={"a":{"b":1}}. It is what
// is meant where the URL is in quotes, as programs and careful people write it; one
// without quotes was written for curl, and is an error there.
func (k *checker) literalQuery(d *diag.Diagnostic) bool {
	s := k.urlAt(d.Span)
	if s == nil || !k.meter.Work(4*len(s.Value.Text)) {
		return false
	}
	text := s.Value.Text
	query := strings.IndexByte(text, '?')
	if dateInIndex(text) > 0 {
		query = strings.IndexByte(text, '<')
	}
	if query < 0 || strings.ContainsAny(text[:query], "[]{}") || !inPairs(text[query:]) {
		return false
	}
	if strings.Contains(text[query:], `\{`) || strings.Contains(text[query:], `\[`) { // which -g would send
		d.Hint = `write a backslash before each bracket and brace, or none and -g`
		return false
	}
	d.Fix = &diag.Fix{Span: diag.At(int(s.Span.Start)), Text: "-g "}
	raw := k.raw(s.Value.Span)
	return raw != "" && strings.IndexByte("\"'^", raw[0]) >= 0
}

// inPairs reports whether each bracket and brace of a text that opens is closed.
func inPairs(text string) bool {
	var open []byte
	for i := range len(text) {
		switch c := text[i]; c {
		case '[', '{':
			open = append(open, c+2)
		case ']', '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// blankInURL gives the error of a URL whose path or query has blanks their
// encoding as its fix, which protects quotes within its quotes too.
func (k *checker) blankInURL(d *diag.Diagnostic) bool {
	s := k.urlAt(d.Span)
	if s == nil || !k.meter.Work(4*len(s.Value.Text)) {
		return false
	}
	text, quoted := s.Value.Text, k.quoted
	if len(s.Value.Holes) > 0 { // of which the text spells the names alone
		raw := k.raw(s.Value.Span)
		if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' || strings.ContainsAny(raw, "\\`") || strings.Contains(raw, "$(") || strings.Contains(raw, "${") {
			return false
		}
		text, quoted = raw[1:len(raw)-1], func(text string) string { return `"` + text + `"` }
	}
	text = strings.TrimRight(text, " ")
	_, rest, scheme := strings.Cut(text, "://")
	if !scheme {
		rest = text
	}
	host := strings.IndexAny(rest, "/?")
	blank := strings.IndexByte(rest, ' ')
	switch {
	case host < 1 || blank < host || strings.Contains(rest, " -") || strings.Contains(rest, "://"):
		return false
	case strings.ContainsAny(text, "\t\r\n"):
		return false
	}
	d.Hint = "write %20 for a blank in a URL"
	fixed, n := k.withInnerQuotes(s)
	if n > 0 && n == int(s.Value.Span.End-s.Value.Span.Start) {
		d.Hint += ", and quotes of the other kind around it, or the shell takes those within for its own"
	} else {
		fixed = quoted(text)
	}
	d.Fix = &diag.Fix{Span: s.Value.Span, Text: strings.ReplaceAll(fixed, " ", "%20")}
	return true
}

// password gives the error of a URL whose credentials have a character that ends them there
// its encoding as the fix.
func (k *checker) password(d *diag.Diagnostic) bool {
	s := k.urlAt(d.Span)
	if s == nil || len(s.Value.Holes) > 0 || !k.meter.Work(4*len(s.Value.Text)) {
		return false
	}
	head, rest, ok := strings.Cut(s.Value.Text, "://")
	end := strings.IndexAny(rest, "/?#")
	if !ok || end < 0 || !strings.Contains(rest[:end], ":") || strings.Contains(rest[:end], "@") {
		return false
	}
	at := strings.IndexByte(rest[end:], '@')
	if at < 0 || !beginsHost(rest[end+at+1:]) || strings.ContainsAny(rest[end:end+at], " \t\r\n\"'") {
		return false
	}
	d.Hint = "the password must not have / ? or # as they are: write %2F, %3F or %23, or give it with -u"
	raw := k.raw(s.Value.Span)
	if in := strings.Index(raw, s.Value.Text); in >= 0 {
		start := int(s.Value.Span.Start) + in + len(head) + len("://") + end
		d.Fix = &diag.Fix{Span: diag.Span{Start: int32(start), End: int32(start + at)}, Text: inPassword.Replace(rest[end : end+at])}
	}
	return true
}

// inPassword encodes what ends the credentials of a URL.
var inPassword = strings.NewReplacer("/", "%2F", "?", "%3F", "#", "%23")

// beginsHost reports whether a name or an address of a host stands at the beginning of a text.
func beginsHost(text string) bool {
	end := strings.IndexAny(text, ":/?#")
	if end < 0 {
		end = len(text)
	}
	host := text[:end]
	if strings.HasPrefix(host, "[") {
		return true
	}
	for i := range len(host) {
		if !ascii.IsNameByte(host[i]) && host[i] != '.' && host[i] != '-' {
			return false
		}
	}
	return strings.Contains(host, ".") || host == "localhost"
}

// commented gives the error of a command without a URL the hint that its URL stands alone on
// a later line, behind the sign of a comment, with the fix that joins the two.
func (k *checker) commented(d *diag.Diagnostic) bool {
	if len(k.Words) == 0 || k.Style != quote.POSIX {
		return false
	}
	end := k.Words[len(k.Words)-1].Span.End
	rest := k.from(end)
	line := strings.TrimLeft(rest, " \t\r\n\\")
	between := rest[:len(rest)-len(line)]
	url, isComment := strings.CutPrefix(line, "#")
	if !isComment || !strings.Contains(between, "\n") || !k.meter.Work(len(between)) {
		return false
	}
	url, after, _ := strings.Cut(strings.TrimLeft(url, " \t"), "\n")
	url = strings.TrimRight(url, " \t\r")
	if !isURL(url) || strings.ContainsAny(url, " \t'\"`;&|<>()") || strings.TrimSpace(after) != "" {
		return false
	}
	start := len(k.Source) - len(line) + strings.Index(line, url)
	d.Hint = "the # makes a comment of the line with the URL: remove it"
	d.Fix = &diag.Fix{Span: diag.Span{Start: end, End: int32(start)}, Text: " "}
	return true
}

// misspelledScheme gives the error of a scheme that is a slip of http or https
// those as its fix.
func (k *checker) misspelledScheme(d *diag.Diagnostic) bool {
	s := k.urlAt(d.Span)
	if s == nil {
		return false
	}
	scheme, _, ok := strings.Cut(s.Value.Text, "://")
	raw := k.raw(s.Value.Span)
	at := strings.Index(raw[:min(len(raw), len(scheme)+2)], scheme)
	if !ok || at < 0 || ascii.EqualFold(scheme, "http") || ascii.EqualFold(scheme, "https") || len(scheme) < 3 || len(scheme) > len("https")+1 {
		return false
	}
	for _, meant := range [...]string{"https", "http"} {
		if typed := strings.ToLower(scheme); !isSlip(typed, meant) && typed != "hxxp"+meant[len("http"):] { // as lists of dangerous URLs have it
			continue
		}
		start := s.Value.Span.Start + int32(at)
		d.Hint = "did you mean " + meant + "?"
		d.Fix = &diag.Fix{Span: diag.Span{Start: start, End: start + int32(len(scheme))}, Text: meant}
		return true
	}
	return false
}

// isSlip reports whether one letter more, less or other, or two that have changed
// places, make a word of another.
func isSlip(typed, meant string) bool {
	n := 0
	for n < len(typed) && n < len(meant) && typed[n] == meant[n] {
		n++
	}
	a, b := typed[n:], meant[n:]
	switch {
	case len(a) == len(b) && len(a) > 1 && a[0] == b[1] && a[1] == b[0]:
		return a[2:] == b[2:]
	case len(a) == len(b):
		return len(a) > 0 && a[1:] == b[1:]
	case len(a) > len(b):
		return a[1:] == b
	}
	return a == b[1:]
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

// holdsHeader reports whether an option for a header stands within a text, behind a blank or at
// the start of a line.
func holdsHeader(text string) bool {
	for _, option := range [...]string{"-H ", "--header "} {
		if i := strings.Index(text, option); i > 0 && strings.IndexByte(" \t\n", text[i-1]) >= 0 {
			return true
		}
	}
	return false
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
