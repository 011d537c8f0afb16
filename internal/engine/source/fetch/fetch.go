// Package fetch reads calls of fetch in JavaScript (https://fetch.spec.whatwg.org/),
// as browsers copy them and people write them, where their arguments are data:
// literals, and what can be known of literals without running a program.
package fetch

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// Is reports whether a text begins with a call of fetch that has an argument.
// What comes before it may be await, and a declaration that takes the answer; or
// declarations of what the call sends.
func Is(src string) bool {
	l := lexer{src: src}
	return l.call() && l.next() && l.src[l.pos] != ')' || declares(src)
}

// call reads up to the parenthesis of a call of fetch.
func (l *lexer) call() bool {
	name := l.name()
	if isDeclaration(name) {
		if l.name() == "" || !l.skip('=') {
			return false
		}
		name = l.name()
	}
	if name == "await" {
		name = l.name()
	}
	if (name == "window" || name == "globalThis" || name == "self") && l.skip('.') {
		name = l.name()
	}
	return name == "fetch" && l.skip('(')
}

// A lexer steps through the text.
type lexer struct {
	src string
	pos int
}

// next steps over white space and comments, and reports whether the text goes
// on.
func (l *lexer) next() bool {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch {
		case strings.IndexByte(" \t\r\n\v\f", rest[0]) >= 0:
			l.pos++
		case strings.HasPrefix(rest, "//"):
			l.pos += ascii.LineLength(rest)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				l.pos = len(l.src)
				return false
			}
			l.pos += end + 2
		case strings.HasPrefix(rest, "\ufeff"), strings.HasPrefix(rest, "\u00a0"):
			l.pos += len(rest) - len(strings.TrimLeft(rest, "\ufeff\u00a0"))
		default:
			return true
		}
	}
	return false
}

// skip steps over a byte, if it is the next one.
func (l *lexer) skip(c byte) bool {
	if !l.next() || l.src[l.pos] != c {
		return false
	}
	l.pos++
	return true
}

// name reads a name, or "".
func (l *lexer) name() string {
	if !l.next() || ascii.IsDigit(l.src[l.pos]) {
		return ""
	}
	start := l.pos
	for l.pos < len(l.src) && (ascii.IsNameByte(l.src[l.pos]) || l.src[l.pos] == '$' || l.src[l.pos] >= 0x80) {
		l.pos++
	}
	return l.src[start:l.pos]
}

// Read returns a command for each call of fetch in a text.
func Read(src string, m *meter.Meter) ([]word.Command, diag.List) {
	r := reader{lexer: lexer{src: src}}
	r.Meter, r.Syntax = m, diag.CodeInvalidFetch
	if strings.IndexByte(src, '\\') >= 0 && !m.Hold(2*len(src)) { // strings without their escapes
		return nil, diag.List{m.Diagnostic(diag.At(0))}
	}
	const most = 1001 // one more than the requests that one text may make
	for len(r.Commands) < most && r.statement() {
	}
	if m.Over() {
		return nil, diag.List{m.Diagnostic(diag.At(min(r.pos, len(src))))}
	}
	if len(r.Commands) == 0 && r.Diags.Err() == nil {
		r.Fail(r.Syntax, diag.Span{End: int32(len(src))}, "there is no call of fetch", "begin with fetch(")
	}
	return r.Commands, r.Diags
}

// A reader reads one text.
type reader struct {
	message.Writer
	lexer
	depth int
	bound map[string]*value // by the name that is declared
}

func (r *reader) span(start int) diag.Span { return diag.Span{Start: int32(start), End: int32(r.pos)} }

// statement reads a call of fetch and what is done with its answer.
func (r *reader) statement() bool {
	for r.skip(';') {
		if !r.Meter.Work(1) {
			return false
		}
	}
	if !r.next() || !r.Meter.Work(statementSteps) {
		return false
	}
	start := r.pos
	if !r.call() {
		r.pos = start
		if len(r.Commands) == 0 || strings.Contains(r.src[start:], "fetch") {
			if known, ok := r.binding(); known {
				return ok
			}
		}
		return r.others(start)
	}
	var args [2]value
	for n := 0; ; n++ {
		if r.skip(')') {
			if n == 0 {
				return r.Fail(r.Syntax, r.span(start), "fetch has no argument", "the first argument is the URL")
			}
			break
		}
		v, ok := r.value()
		if !ok {
			return false
		}
		if n < len(args) {
			args[n] = v
		}
		if !r.skip(',') && (!r.next() || r.src[r.pos] != ')') {
			return r.expected("a comma or a closing parenthesis")
		}
	}
	if !r.request(r.span(start), args[0], args[1]) {
		return false
	}
	return r.chain()
}

// statementSteps is what a call costs beside its text.
const statementSteps = 200

// others leaves out what follows the calls, unless more of them are in it.
func (r *reader) others(start int) bool {
	rest := r.src[start:]
	if len(r.Commands) == 0 || strings.Contains(rest, "fetch") {
		r.pos = min(start+ascii.LineLength(rest), len(r.src))
		return r.Fail(diag.CodeNotData, r.span(start), "this is a program, and its requests are known only when it runs", "paste the calls of fetch alone")
	}
	r.pos = len(r.src)
	r.Warn(diag.WarnOtherCommand, r.span(start), "the statements after the call of fetch are left out", "")
	return false
}

// chain leaves out what is done with the answer: .then(…) and the like.
func (r *reader) chain() bool {
	start := -1
	for r.next() && r.src[r.pos] == '.' {
		if start < 0 {
			start = r.pos
		}
		r.pos++
		r.name()
		if r.next() && r.src[r.pos] == '(' && !r.group() {
			return false
		}
	}
	if start >= 0 {
		r.Warn(diag.WarnOtherCommand, r.span(start), "what the program does with the answer is left out", "")
	}
	return true
}

// group steps over parentheses and what is between them.
func (r *reader) group() bool {
	start, open := r.pos, 0
	for r.next() {
		switch c := r.src[r.pos]; {
		case c == '"' || c == '\'' || c == '`':
			if !r.quoted(c) {
				return false
			}
			continue
		case c == '(' || c == '[' || c == '{':
			open++
		case c == ')' || c == ']' || c == '}':
			if open--; open == 0 {
				r.pos++
				return true
			}
		case ascii.IsNameByte(c):
			at := r.pos
			if name := r.name(); name == "fetch" {
				return r.Fail(diag.CodeNotData, r.span(at), "this call runs only after the answer to another", "paste it alone")
			} else if name != "" {
				continue
			}
		}
		r.pos++
	}
	r.pos = start + 1
	return r.Fail(r.Syntax, r.span(start), "a parenthesis is never closed", "copy the text to its end")
}

// quoted steps over a string, whose value does not matter.
func (r *reader) quoted(quote byte) bool {
	start := r.pos
	if r.skipString(quote) {
		return true
	}
	r.pos = start + 1
	return r.Fail(diag.CodeUnterminatedQuote, r.span(start), "a string is never closed", "copy the text to its end")
}

// skipString steps over a string, and reports whether it has an end.
func (l *lexer) skipString(quote byte) bool {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == quote:
			l.pos++
			return true
		case c == '\\':
			l.pos++
		case c == '\n' && quote != '`':
			return false
		}
	}
	return false
}

// expected reports what should stand at the current position.
func (r *reader) expected(what string) bool {
	r.next()
	if r.pos >= len(r.src) {
		return r.Fail(r.Syntax, diag.At(len(r.src)), "the text ends where "+what+" should follow", "copy the text to its end")
	}
	start := r.pos
	if name := r.name(); name != "" {
		return r.unknown(start)
	}
	r.pos++
	if strings.IndexByte("?*/%<>=&|^!-", r.src[start]) >= 0 { // an operator
		return r.unknown(start)
	}
	return r.Fail(r.Syntax, r.span(start), what+" should stand here", "")
}

// unknown reports something that only a program knows.
func (r *reader) unknown(start int) bool {
	return r.Fail(diag.CodeNotData, r.span(start), "only the program knows the value of this", "write the value in its place")
}
