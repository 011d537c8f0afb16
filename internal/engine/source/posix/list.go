package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
)

// list reads statements up to what ends a list: a closing parenthesis, a word
// such as done, ;; or the end of the text.
func (r *reader) list(out *[]stmt) bool {
	for {
		if !r.breaks() {
			return false
		}
		if r.i >= r.end || r.endsList() {
			return true
		}
		if !r.statements(out) {
			return false
		}
	}
}

// endsList reports whether a list ends here.
func (r *reader) endsList() bool {
	switch r.src[r.i] {
	case ')':
		return true
	case ';':
		return r.at(";;") || r.at(";&")
	case '}', 't', 'e', 'f', 'd':
		switch r.keyword() {
		case "}", "then", "else", "elif", "fi", "do", "done", "esac":
			return true
		}
	}
	return false
}

// keyword returns the plain word that stands here, if it is short and blanks
// or an operator end it.
func (r *reader) keyword() string {
	const longest = len("function")
	n := 0
	for r.i+n < r.end && n <= longest && classes[r.src[r.i+n]] != ends {
		n++
	}
	if n > longest {
		return ""
	}
	return r.src[r.i : r.i+n]
}

// statements reads pipelines joined by && and ||, up to a semicolon or an
// ampersand, which they include, or to what ends the line or the list.
func (r *reader) statements(out *[]stmt) bool {
	for {
		if !r.pipeline(out) {
			return false
		}
		r.blanks()
		last := &(*out)[len(*out)-1]
		last.opAt = int32(r.i)
		switch {
		case r.failed:
			return false
		case r.at("&&"):
			last.op = and
		case r.at("||"):
			last.op = or
		case r.at(";;"), r.at(";&"), r.peek(0) == 0, r.peek(0) == '\n', r.peek(0) == ')':
			return true
		case r.peek(0) == ';':
			r.i++
			return true
		case r.peek(0) == '&':
			last.op = background
			r.i++
			return true
		default:
			return r.unexpected(r.i, "an operator, or the end of the line, is missing before this")
		}
		if r.nothingFollows(2) {
			last.op = inSequence
			return true
		}
		at := r.i
		r.i += 2
		if !r.operandFollows(at) {
			return false
		}
	}
}

// operandFollows skips to the command that must follow an operator.
func (r *reader) operandFollows(at int) bool {
	if !r.breaks() {
		return false
	}
	if r.i >= r.end || strings.IndexByte(";&|)", r.src[r.i]) >= 0 {
		return r.unexpected(at, "a command must follow")
	}
	return true
}

// pipeline reads commands joined by pipes.
func (r *reader) pipeline(out *[]stmt) bool {
	negated := false
	for r.i < r.end && (r.src[r.i] == '!' || r.src[r.i] == 't') {
		switch r.keyword() {
		case "!":
			negated = !negated
			r.i++
		case "time":
			r.i += len("time")
			r.blanks()
			if r.keyword() == "-p" {
				r.i += len("-p")
			}
		default:
			goto first
		}
		r.blanks()
		if r.i >= r.end || r.src[r.i] == '\n' || r.src[r.i] == ';' {
			return add(r, out, stmt{span: r.span(r.i)}) // ! and time alone are commands
		}
	}
first:
	first := len(*out)
	for {
		if !r.pay(stmtSteps) || !add(r, out, stmt{}) {
			return false
		}
		n := len(*out) - 1
		if !r.command(&(*out)[n]) { // which adds to lists of its own
			return false
		}
		r.blanks()
		if r.failed {
			return false
		}
		if r.peek(0) != '|' || r.peek(1) == '|' || r.nothingFollows(1) {
			break
		}
		at := r.i
		(*out)[n].op, (*out)[n].opAt = pipe, int32(at)
		r.i++
		if r.peek(0) == '&' {
			r.i++
		}
		if !r.operandFollows(at) {
			return false
		}
	}
	(*out)[first].negated = negated
	return true
}

// command reads a simple or a compound command.
func (r *reader) command(s *stmt) bool {
	if r.piece && r.depth == 0 && r.loose() {
		s.span = r.span(r.i)
		return !r.failed
	}
	start := r.i
	switch c := r.src[r.i]; c {
	case '(':
		return r.parenthesized(s)
	case ')', ';', '&', '|':
		return r.unexpected(r.i, "a command cannot begin with this")
	case '{', '[', 'i', 'w', 'u', 'f', 's', 'c', 't', 'e', 'd', '}':
		word := r.keyword()
		switch word {
		case "{", "[[", "if", "while", "until", "for", "select", "case", "function", "coproc":
			return r.compound(s, word)
		case "then", "else", "elif", "fi", "do", "done", "esac", "}":
			return r.unexpected(start, "nothing is open that "+word+" could belong to")
		case "export", "declare", "typeset", "local", "readonly":
			return r.declaration(s)
		}
	}
	return r.simple(s)
}

// simple reads a simple command: assignments, words and redirections.
func (r *reader) simple(s *stmt) bool {
	mark, start := len(r.stack), r.i
	for {
		r.blanks()
		if r.failed {
			return false
		}
		if r.i >= r.end {
			break
		}
		switch c := r.src[r.i]; {
		case c == '\n' && r.optionsFollow(mark):
			continue
		case c == '(':
			if len(r.stack) == mark+1 && len(s.assigns) == 0 && r.definesFunction() {
				return r.function(s, mark)
			}
			return r.unexpected(r.i, "a parenthesis is not quoted")
		case c == '<' || c == '>' || c == '&' && r.peek(1) == '>' || ascii.IsDigit(c) && r.numbered():
			if r.redirects(s) {
				continue
			}
			if r.failed {
				return false
			}
		case classes[c] == ends:
			if r.severed(mark) {
				continue
			}
			return r.endSimple(s, mark, start)
		case len(r.stack) == mark && ascii.IsNameByte(c):
			if done, ok := r.assignment(s); !ok {
				return false
			} else if done {
				continue
			}
		}
		if !r.pay(4) {
			return false
		}
		var w lexeme
		if n := r.alternatives(mark); n > 0 {
			w.text, w.span = r.src[r.i:r.i+n], diag.Span{Start: int32(r.i), End: int32(r.i + n)}
			r.i += n
		} else if !r.lexeme(&w) {
			return false
		}
		if w.parts == nil && w.span.Start == w.span.End {
			continue // a word of nothing but a continuation
		}
		if !add(r, &r.stack, w) {
			return false
		}
	}
	return r.endSimple(s, mark, start)
}

// endSimple moves the words of a command from the stack to it.
func (r *reader) endSimple(s *stmt, mark, start int) bool {
	if r.unbroken != 0 && len(r.stack) > mark && r.unbroken == r.stack[mark].span.Start+1 {
		r.dropSlip(mark)
	}
	words := r.stack[mark:len(r.stack):len(r.stack)]
	s.span = r.span(start)
	n := len(words)
	if n > 0 {
		s.span.End = words[n-1].span.End
	}
	switch small := cap(r.stack) <= keptLength; {
	case n == 0, small && r.depth == 0: // the stack keeps them until the line has run
	case mark == 0 && n > keptLength: // and grows anew
		r.stack = nil
	default:
		if !r.holdTree(n * lexemeSize) {
			return false
		}
		words = append(make([]lexeme, 0, n), words...)
		r.stack = r.stack[:mark]
	}
	s.words = words
	r.found(s)
	if len(words) == 0 && len(s.assigns) == 0 && len(s.redirects) == 0 {
		if r.i >= r.end || r.src[r.i] == '\n' {
			s.span = r.span(r.i)
			return true // only noise stood here
		}
		return r.unexpected(r.i, "a command is missing before this")
	}
	return true
}

// numbered reports whether digits that a redirection follows stand here.
func (r *reader) numbered() bool {
	i := r.i
	for i < r.end && ascii.IsDigit(r.src[i]) {
		i++
	}
	return i < r.end && (r.src[i] == '<' || r.src[i] == '>') && i-r.i < 10
}

// assignment reads NAME=value, NAME+=value, NAME=(…) or NAME[…]=value; done is
// false where there is none.
func (r *reader) assignment(s *stmt) (done, ok bool) {
	n := ascii.NameLength(r.src[r.i:r.end])
	if n == 0 {
		return false, true
	}
	a := assign{name: r.src[r.i : r.i+n]}
	start := r.i
	r.i += n
	if r.peek(0) == '[' {
		a.element = true
		if !r.bracketed() {
			r.i = start
			return false, true
		}
	}
	if r.peek(0) == '+' && r.peek(1) == '=' {
		a.appends = true
		r.i++
	}
	if r.peek(0) != '=' {
		r.i = start
		return false, true
	}
	r.i++
	if !r.pay(4) {
		return false, false
	}
	if r.peek(0) == '(' {
		a.isList = true
		if !r.elements(&a) {
			return false, false
		}
	} else if r.i < r.end && (!r.endsWord(r.i) && r.src[r.i] != '>' && (r.src[r.i] != '<' || r.peek(1) == '(' || r.placeholder() > 0)) {
		if !r.lexeme(&a.value) {
			return false, false
		}
	} else {
		a.value.span = r.span(r.i)
	}
	return true, add(r, &s.assigns, a)
}

// elements reads the elements of an array.
func (r *reader) elements(a *assign) bool {
	open := r.i
	r.i++
	for {
		if !r.breaks() {
			return false
		}
		if r.i >= r.end {
			return r.unexpected(open, "the parenthesis that opens here is never closed")
		}
		if r.src[r.i] == ')' {
			r.i++
			return true
		}
		if r.src[r.i] == '[' {
			if from := r.i; r.bracketed() && r.peek(0) == '=' {
				a.element = true
				r.i++
				if r.i >= r.end || r.endsWord(r.i) {
					continue
				}
			} else {
				r.i = from
			}
		}
		var w lexeme
		at := r.i
		if !r.pay(4) || !r.lexeme(&w) {
			return false
		}
		if r.i == at {
			return r.unexpected(r.i, "a parenthesis is not quoted")
		}
		if !add(r, &a.list, w) {
			return false
		}
	}
}

// declaration reads export, declare and the like: what looks like an
// assignment among its words is one.
func (r *reader) declaration(s *stmt) bool {
	s.declares = true
	start := r.i
	r.i += len(r.keyword())
	for {
		r.blanks()
		if r.failed {
			return false
		}
		if r.i >= r.end {
			break
		}
		switch c := r.src[r.i]; {
		case c == '<' || c == '>' || c == '&' && r.peek(1) == '>' || ascii.IsDigit(c) && r.numbered():
			if r.redirects(s) {
				continue
			}
			if r.failed {
				return false
			}
		case c == '(':
			return r.unexpected(r.i, "a parenthesis is not quoted")
		case classes[c] == ends:
			s.span = r.span(start)
			return true
		}
		if done, ok := r.assignment(s); !ok {
			return false
		} else if done {
			continue
		}
		var w lexeme // a name or an option
		if !r.pay(4) || !r.lexeme(&w) {
			return false
		}
		if w.parts != nil && !add(r, &s.assigns, assign{value: w}) { // it may run commands all the same
			return false
		}
	}
	s.span = r.span(start)
	return true
}
