// Package check points at what a command probably does not mean.
//
// curl takes every command that it looks at: the requests stand. A check
// compares them with the text as typed, and warns with the place, with what to
// do, and with a fix where replacing one span of the text is enough.
package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// A Command is what is checked: a command of a text, and what became of it.
type Command struct {
	Source     string // the whole text
	Data       bool   // the text is data, such as a HAR file: no shell reads it, and nobody typed options
	Style      quote.Style
	Words      []word.Word // after the word curl
	Stdin      bool        // the text leads something to its standard input
	Operations []curl.Operation
	Requests   []request.Request
}

// Run adds the warnings about a command to those that there are already, which
// may get fixes.
func Run(c *Command, m *meter.Meter, warnings *diag.List) {
	k := checker{Command: *c, meter: m, diags: warnings}
	if c.Data {
		before := len(*warnings)
		k.bodies()
		for i := range (*warnings)[before:] {
			(*warnings)[before+i].Fix = nil // it quotes for a shell
		}
		return
	}
	for i := range c.Operations {
		k.operation(&c.Operations[i])
	}
	k.bodies()
}

type checker struct {
	Command
	meter *meter.Meter
	diags *diag.List

	bodyDoubted bool  // a warning says enough about the body
	unclosed    int32 // up to here no single quote of cmd.exe is closed
}

// operation checks the settings of one operation one by one, and then with each
// other.
func (k *checker) operation(o *curl.Operation) {
	user, authorization := -1, false
	t := k.traits(o)
	var fields onceFields
	for i := range o.Settings {
		s := &o.Settings[i]
		if !k.meter.Work(8 + len(s.Value.Text)/4) {
			return
		}
		k.singleDash(s)
		k.dashedMethod(s, &t)
		k.comma(s)
		switch s.ID {
		case curl.OptUrl:
			k.url(s, &t)
			k.carets(s)
			k.innerQuotes(s)
			k.splitURL(o, i)
			k.bareMethod(s, i < t.last)
		case curl.OptHeader:
			k.splitArgument(o, i, &t)
			k.carets(s)
			k.innerQuotes(s)
			k.fieldName(s)
			if t.form && fields[0] == nil { // the first type is the one that curl takes
				k.formType(s)
			}
			fields.add(k, s, t.form)
			if len(s.Value.Text) > len("Authorization: ") && ascii.HasPrefixFold(s.Value.Text, "Authorization:") {
				authorization = true
			}
		case curl.OptUser:
			user = i
			k.splitArgument(o, i, &t)
		case curl.OptCookie:
			k.carets(s)
		case curl.OptProxy:
			k.proxyMethod(s)
		case curl.OptUploadFile:
			k.uploadName(s)
		case curl.OptGet:
			if t.form && !t.data {
				k.warn(diag.WarnFormSyntax, s.Span, "-G moves the data of -d to the query, and does nothing to the form of -F, which curl sends with POST", "write --data-urlencode for -F")
			}
		case curl.OptRequest:
			k.method(s, &t)
		case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptJson:
			k.lostQuotes(s)
			k.lostApostrophes(s)
			k.keptBackslashes(s)
			k.computedBody(s)
			k.carets(s)
			k.dataFile(s, &t)
			k.innerQuotes(s)
			k.splitArgument(o, i, &t)
		case curl.OptForm, curl.OptFormString, curl.OptDataUrlencode:
			k.lostQuotes(s)
			k.lostApostrophes(s)
			k.keptBackslashes(s)
			k.carets(s)
			if s.ID == curl.OptForm {
				k.formFile(s, &t)
			}
			k.innerQuotes(s)
			k.splitArgument(o, i, &t)
		}
		if s.TakesArgument() {
			k.optionAsValue(s)
			k.lowQuotes(s)
			k.singleQuotedVariable(s)
			k.placeholder(s)
		}
		if k.Style == quote.Cmd {
			k.singleQuotes(s)
		}
	}
	if user >= 0 && authorization {
		k.twoAuthorizations(&o.Settings[user])
	}
}

// traits are what the checks of one setting must know of the others.
type traits struct {
	globs bool // curl looks for globs in the URLs
	get   bool // the data goes into the query
	data  bool // there is data
	unix  bool // through a Unix socket
	form  bool // the content is a form
	files bool // some field of the form takes a file
	url   bool // there is a URL
	urls  int  // how many URLs look like one
	last  int  // the setting of the last URL with a scheme
}

func (k *checker) traits(o *curl.Operation) traits {
	t := traits{globs: true}
	for i := range o.Settings {
		s := &o.Settings[i]
		if !k.meter.Work(1) {
			return t
		}
		switch s.ID {
		case curl.OptGloboff:
			t.globs = false
		case curl.OptGet:
			t.get = true
		case curl.OptUnixSocket, curl.OptAbstractUnixSocket:
			t.unix = true
		case curl.OptData, curl.OptDataAscii, curl.OptDataBinary, curl.OptDataRaw, curl.OptDataUrlencode, curl.OptJson:
			t.data = true
		case curl.OptFormString:
			t.form = true
		case curl.OptForm:
			t.form = true
			_, value, _ := strings.Cut(s.Value.Text, "=")
			t.files = t.files || value != "" && (value[0] == '@' || value[0] == '<')
		case curl.OptUrl:
			t.url = true
			if s.Value.StartsWithHole() || strings.Contains(s.Value.Text, "://") || looksLikeURL(s.Value.Text) {
				t.urls++
			}
			if isURL(s.Value.Text) {
				t.last = i
			}
		}
	}
	return t
}

// raw returns how the text spells what stands at a span; "" where the span is
// not one of the text.
func (k *checker) raw(s diag.Span) string {
	if s.Start < 0 || s.End < s.Start || int(s.End) > len(k.Source) {
		return ""
	}
	return k.Source[s.Start:s.End]
}

// from returns the text from an offset on.
func (k *checker) from(offset int32) string {
	return k.raw(diag.Span{Start: offset, End: int32(len(k.Source))})
}

// quoted returns an argument as the text's shell needs it.
func (k *checker) quoted(arg string) string { return string(quote.AppendWord(nil, arg, k.Style)) }

func (k *checker) warn(code diag.Code, span diag.Span, message, hint string) {
	if k.meter.Work(50) {
		k.diags.Warn(code, span, message, hint)
	}
}

// level changes the level of the last warning, if it has that code.
func (k *checker) level(code diag.Code, level diag.Level) {
	if d := k.diags.Last(code); d != nil {
		d.Level = level
	}
}

func (k *checker) fix(code diag.Code, span diag.Span, message, hint string, fixed diag.Span, text string) {
	if k.meter.Work(100) {
		k.diags.WarnFix(code, span, message, hint, fixed, text)
	}
}

// isOwnWord reports whether the argument of an option is a word of its own.
func isOwnWord(s *curl.Setting) bool { return s.Name != "" && s.Value.Span.Start > s.Span.End }

// singleDash looks for -data, which curl reads as -d ata.
func (k *checker) singleDash(s *curl.Setting) {
	if len(s.Name) != 2 || s.Name[0] != '-' {
		return
	}
	text := k.from(s.Span.Start)
	const longest = 30
	if len(text) < 4 || text[0] != '-' || text[1] == '-' {
		return
	}
	n := 1
	for n < len(text) && n < longest && (ascii.IsNameByte(text[n]) || text[n] == '-' || text[n] == '.') {
		n++
	}
	if n < 4 || n < len(text) && strings.IndexByte(" \t\r\n='\"", text[n]) < 0 || curl.Lookup(text[1:n]) == nil {
		return
	}
	at := s.Span.Start
	k.fix(diag.WarnSingleDash, diag.Span{Start: at, End: at + int32(n)},
		text[:n]+" has one dash, so curl reads it as a row of short options that begins with "+s.Name,
		"write -"+text[:n], diag.At(int(at)), "-")
}

// optionAsValue looks for an option that another one has taken as its argument.
func (k *checker) optionAsValue(s *curl.Setting) {
	text := s.Value.Text
	if s.Arg == curl.ArgFile || len(text) < 2 || text[0] != '-' || !isOwnWord(s) || !strings.HasPrefix(k.raw(s.Value.Span), "-") {
		return
	}
	known := len(text) == 2 && ascii.IsLetter(text[1]) && curl.LookupShort(text[1]) != nil ||
		len(text) > 4 && text[1] == '-' && curl.Lookup(text[2:]) != nil
	if known {
		k.warn(diag.WarnLooksLikeOption, s.Value.Span,
			s.Name+" takes "+text+" for its argument, so that "+text+" is no option here", "is the argument of "+s.Name+" missing?")
	}
}

// lowQuotes looks for an argument between the quotes of German and other languages,
// which the shell takes for text: -d „a=b“.
func (k *checker) lowQuotes(s *curl.Setting) {
	const low, high = "„", "“"
	text := s.Value.Text
	inner, ok := strings.CutPrefix(text, low)
	if !ok || len(s.Value.Holes) > 0 || k.raw(s.Value.Span) != text || !k.meter.Work(len(text)) {
		return
	}
	if inner, ok = strings.CutSuffix(inner, high); !ok {
		inner, ok = strings.CutSuffix(inner, "”")
	}
	if ok {
		k.fix(diag.WarnUnicodeQuote, s.Value.Span, "typographic quotes stand around this argument, and curl gets them as a part of it", "replace them with ' or \"", s.Value.Span, k.quoted(inner))
	}
}

// computedBody makes a doubt of the warning about a body that is nothing but the
// output of commands.
func (k *checker) computedBody(s *curl.Setting) {
	h := s.Value.Holes
	if len(h) != 1 || h[0].Name != "" || h[0].Start > 0 || int(h[0].End) < len(s.Value.Text) || !strings.HasPrefix(h[0].Expr, "$(") && !strings.HasPrefix(h[0].Expr, "`") {
		return
	}
	for i := range *k.diags {
		d := &(*k.diags)[i]
		if !k.meter.Work(1) {
			return
		}
		if d.Code == diag.WarnVariableKept && d.Span == s.Value.Span {
			d.Level = diag.LevelDoubt
			return
		}
	}
}

// proxyMethod looks for -x PUT.
func (k *checker) proxyMethod(s *curl.Setting) {
	switch s.Value.Text {
	case "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS":
	default:
		return
	}
	text := "--request"
	switch raw := k.raw(s.Span); {
	case strings.HasSuffix(raw, "x") && len(raw) <= 2:
		text = raw[:len(raw)-1] + "X"
	case raw != "--proxy":
		return
	}
	k.fix(diag.WarnLooksLikeMethod, s.Value.Span,
		s.Name+" sets a proxy, and "+s.Value.Text+" looks like a method", "write -X "+s.Value.Text, s.Span, text)
}

// placeholder looks for an unquoted <name> or {{ name }} outside of a URL, which
// the shell would take for redirections or for several words.
func (k *checker) placeholder(s *curl.Setting) {
	if s.ID == curl.OptUrl || k.Style != quote.POSIX {
		return
	}
	raw := k.raw(s.Value.Span)
	if raw == "" || raw[0] == '"' || raw[0] == '\'' || strings.IndexByte(raw, '<') < 0 && strings.IndexByte(raw, '{') < 0 || !k.meter.Work(len(raw)) {
		return
	}
	start, end := unquotedPlaceholder(raw)
	if start < 0 || !strings.Contains(s.Value.Text, raw[start:end]) {
		return
	}
	message, hint := "the shell would not take this for part of the argument, because it is not quoted; it is kept as typed",
		"replace the placeholder with its value, or put the argument in quotes"
	span := s.Value.Span
	at := diag.Span{Start: span.Start + int32(start), End: span.Start + int32(end)}
	if s.Value.Text == raw && len(s.Value.Holes) == 0 {
		k.fix(diag.WarnPlaceholder, at, message, hint, span, k.quoted(raw))
	} else {
		k.warn(diag.WarnPlaceholder, at, message, hint)
	}
	if n := len(*k.diags); n > 0 && (*k.diags)[n-1].Span == at {
		(*k.diags)[n-1].Level = diag.LevelDoubt
	}
}

// unquotedPlaceholder returns where <name>, or {{ name }} with blanks in it,
// stands outside quotes; start is -1 where there is none.
func unquotedPlaceholder(raw string) (start, end int) {
	for i, quoted := 0, byte(0); i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && quoted != '\'':
			i++
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'':
			quoted = c
		case c == '<':
			if n := placeholder.Template(raw[i:]); n > 0 {
				return i, i + n
			}
			if n := strings.IndexByte(raw[i:], '>'); n > 1 && placeholder.OpensAngle(raw[i:]) {
				return i, i + n + 1
			}
			return -1, 0
		case strings.HasPrefix(raw[i:], "{{"):
			if n := strings.Index(raw[i:], "}}"); n > 0 {
				if strings.ContainsAny(raw[i:i+n], " \t") {
					return i, i + n + 2
				}
				i += n + 1
			}
		}
	}
	return -1, 0
}
