package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// misquoted reads a text that a shell refuses because of its quoting: an
// apostrophe stands between single quotes, a parenthesis outside of quotes, or the
// quote at the end of a line is missing. Each is reported with its fix.
func misquoted(src string, refused *diag.Diagnostic, m *meter.Meter, diags *diag.List) *paste.Rewriting {
	if refused == nil || strings.Contains(src, "<<") || !m.Work(4*len(src)) {
		return nil
	}
	q := misquoting{src: src, w: paste.NewRewriting(src, m), meter: m, diags: diags}
	for q.i < len(src) {
		switch c := src[q.i]; {
		case c == '#':
			q.i += ascii.LineLength(src[q.i:])
		case strings.IndexByte(" \t\r\n;&|()<>", c) >= 0:
			q.i++
		default:
			q.word()
		}
	}
	if len(q.changes) == 0 {
		return nil
	}
	q.report()
	return q.w
}

// A requoting is a stretch of the text that is replaced by other quoting.
type requoting struct {
	start, end int
	with       string
}

// A misquoting is the reading of a text whose quotes are wrong.
type misquoting struct {
	src     string
	i       int
	w       *paste.Rewriting
	meter   *meter.Meter
	diags   *diag.List
	changes []requoting
	first   diag.Diagnostic // about the first of them
}

// change replaces a stretch of the text. at is the place of what is wrong there.
func (q *misquoting) change(start, end int, with string, code diag.Code, at diag.Span, message, hint string) {
	if !meter.Append(q.meter, &q.changes, requoting{start, end, with}) {
		return
	}
	q.w.Replace(start, end, with)
	if len(q.changes) == 1 {
		q.first = diag.Diagnostic{Code: code, Severity: diag.SeverityWarning, Level: diag.LevelDoubt, Span: at, Message: message, Hint: hint}
	}
}

// report adds the one warning about all changes, whose fix makes them all: half of
// them would leave a text that means something else.
func (q *misquoting) report() {
	first, last := q.changes[0], q.changes[len(q.changes)-1]
	if n := len(q.changes) - 1; n > 0 {
		q.first.Message += paste.Elsewhere(n)
	}
	size := 0
	for _, c := range q.changes {
		size += len(c.with)
	}
	if !q.meter.Hold(size + last.end - first.start) {
		return
	}
	var b strings.Builder
	at := first.start
	for _, c := range q.changes {
		b.WriteString(q.src[at:c.start])
		b.WriteString(c.with)
		at = c.end
	}
	q.first.Fix = &diag.Fix{Span: diag.Span{Start: int32(first.start), End: int32(last.end)}, Text: b.String()}
	*q.diags = append(*q.diags, q.first)
}

// word reads a word.
func (q *misquoting) word() {
	start := q.i
	for q.i < len(q.src) && strings.IndexByte(" \t\r\n;&|<>)", q.src[q.i]) < 0 {
		switch c := q.src[q.i]; c {
		case '\\':
			q.i = min(q.i+2, len(q.src))
		case '\'', '"':
			q.quoted(c)
		case '$':
			q.i++
			if strings.HasPrefix(q.src[q.i:], "'") {
				q.escaped()
			}
		case '(':
			if q.i == start || strings.IndexByte("$(", q.src[q.i-1]) >= 0 || ascii.NameLength(q.src[start:])+1 == q.i-start && q.src[q.i-1] == '=' {
				q.i++
			} else {
				q.parenthesized(start)
			}
		default:
			q.i++
		}
	}
}

// parenthesized reads the rest of a word in which a parenthesis stands without
// quotes. Quotes around the word mend it where its parentheses are in pairs.
func (q *misquoting) parenthesized(start int) {
	open := q.i
	for q.i < len(q.src) && strings.IndexByte(" \t\r\n", q.src[q.i]) < 0 {
		q.i++
	}
	word := q.src[start:q.i]
	if !q.meter.Work(4*len(word)) || !q.meter.Hold(2*len(word)) || strings.Count(word, "(") != strings.Count(word, ")") {
		return
	}
	if before, link, ok := strings.Cut(word, "["); ok {
		if text, target, ok := strings.Cut(link, "]("); ok && strings.IndexByte(target, ')') == len(target)-1 && !strings.ContainsAny(text, "[]()'\"\\") {
			q.change(start, q.i, before+text, diag.CodeShellSyntax, diag.Span{Start: int32(start + len(before)), End: int32(q.i)},
				"this is a link of Markdown, which code shows as it is typed; it was read as its text", "write the text of the link alone")
			return
		}
	}
	with := paste.StraightQuoted(word)
	if strings.IndexByte(word, '$') >= 0 && !strings.ContainsAny(word, "\"\\`'") {
		with = `"` + word + `"`
	}
	if with == "" {
		return
	}
	q.change(start, q.i, with, diag.CodeShellSyntax, diag.Span{Start: int32(open), End: int32(open) + 1},
		"this parenthesis is not quoted, and the shell would refuse it; it was read as part of the argument", "put the argument in quotes")
}

// escaped reads what stands in $'…', where a backslash escapes an apostrophe.
func (q *misquoting) escaped() {
	for q.i++; q.i < len(q.src) && q.src[q.i] != '\''; q.i++ {
		if q.src[q.i] == '\\' {
			q.i++
		}
	}
	q.i = min(q.i+1, len(q.src))
}

// quoted reads what stands between quotes.
func (q *misquoting) quoted(quote byte) {
	open := q.i
	q.i++
	json := q.i < len(q.src) && (q.src[q.i] == '{' || q.src[q.i] == '[')
	inString, lines := false, 0
	for q.i < len(q.src) {
		c := q.src[q.i]
		switch {
		case c == quote && !json && q.opensAgain(open):
			end := len(strings.TrimRight(q.src[:q.option()], " \t"))
			q.change(end, end, string(quote), diag.CodeUnterminatedQuote, diag.Span{Start: int32(open), End: int32(open) + 1},
				"the quote that opens here is not closed before the next option; it was read as closed there", "close the quote")
			q.i = end
			return
		case c == quote && quote == '\'' && q.isApostrophe(open, json && inString):
			q.change(q.i, q.i+1, `'\''`, diag.CodeUnterminatedQuote, diag.Span{Start: int32(q.i), End: int32(q.i) + 1},
				"this apostrophe ends the argument for the shell; it was read as a part of it", `write '\'' for an apostrophe between single quotes`)
		case c == quote:
			q.i++
			return
		case c == '\\' && quote == '\'' && strings.HasPrefix(q.src[q.i+1:], "'") && (json && inString || q.continues(q.i+2)):
			q.change(q.i, q.i+2, `'\''`, diag.CodeUnterminatedQuote, diag.Span{Start: int32(q.i), End: int32(q.i) + 2},
				"this apostrophe ends the argument for the shell, in spite of the backslash; it was read as a part of it", `write '\'' for an apostrophe between single quotes`)
			q.i++
		case c == '\\' && q.endsLine(open, lines):
			end := len(strings.TrimRight(q.src[:q.i], " \t"))
			with := string(quote)
			if end == q.i {
				with += " " // else the backslash joins the option to it
			}
			q.change(end, end, with, diag.CodeUnterminatedQuote, diag.Span{Start: int32(open), End: int32(open) + 1},
				"the quote that opens here is not closed on its line; it was read as closed at its end", "close the quote")
			return
		case c == '\\' && (quote == '"' || inString):
			q.i++
		case c == '"' && json:
			inString = !inString
		case c == '\n':
			lines++
		}
		q.i++
	}
}

// option returns where the option starts after which the quote here stands: before it is a
// blank; the place of the quote itself where there is none.
func (q *misquoting) option() int {
	before := strings.TrimRight(q.src[:q.i], " \t")
	at := strings.LastIndexAny(before, " \t\n") + 1
	if name := before[at:]; len(before) < q.i && at > 0 && len(name) > 1 && name[0] == '-' && strings.Trim(name, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return at
	}
	return q.i
}

// opensAgain reports whether the quote here opens the argument of an option, and the one that
// stands at an offset on the same line was never closed.
func (q *misquoting) opensAgain(open int) bool {
	line := q.src[open+1 : q.i]
	if !q.meter.Work(len(line)) || strings.IndexByte(line, '\n') >= 0 || !q.continues(q.i+1) {
		return false
	}
	at := q.option()
	return at < q.i && at > open+1
}

// isApostrophe reports whether the single quote here is one that the argument
// which opens at an offset holds: a string of JSON does, or its text goes on.
func (q *misquoting) isApostrophe(open int, inString bool) bool {
	if inString {
		return true
	}
	if next := q.i + 1; next < len(q.src) && q.src[next] == ')' {
		inner := q.src[open:q.i]
		return q.meter.Work(len(inner)) && strings.Count(inner, "(") > strings.Count(inner, ")")
	}
	return q.continues(q.i + 1)
}

// continues reports whether what stands at an offset goes on with the text of an
// argument after a quote, and neither ends the word nor quotes more.
func (q *misquoting) continues(at int) bool {
	return at < len(q.src) && strings.IndexByte(" \t\r\n;&|<>)\\\"'$`", q.src[at]) < 0
}

// endsLine reports whether the backslash here ends the first line of the argument that opens
// at an offset, and the next begins with an option: then the quote before it is missing.
// Before the backslash stands a blank, or a URL.
func (q *misquoting) endsLine(open, lines int) bool {
	if lines > 0 || q.i == 0 || !ascii.IsBlank(q.src[q.i-1]) && !strings.HasPrefix(q.src[open+1:], "http") {
		return false
	}
	rest := q.src[q.i+1:]
	n := ascii.LineBreak(rest)
	if n == 0 {
		return false
	}
	rest = strings.TrimLeft(rest[n:min(len(rest), maxName)], " \t")
	return len(rest) > 1 && rest[0] == '-' && (ascii.IsLetter(rest[1]) || rest[1] == '-')
}
