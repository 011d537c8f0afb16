package posix

import "uncoil/internal/engine/ascii"

// parenthesized reads a subshell, or an arithmetic command.
func (r *reader) parenthesized(s *stmt) bool {
	start := r.i
	if !r.deeper(start) {
		return false
	}
	if r.at("((") {
		if text, n := r.sumText(2); n > 0 {
			r.i += n
			s.compound = &compound{kind: arithmetic, head: [3]string{text}}
			return r.holdTree(compoundSize) && r.compoundEnds(s, start)
		}
		if r.failed {
			return false
		}
	}
	r.i++
	c := &compound{kind: subshell}
	if !r.holdTree(compoundSize) || !r.branch(c) {
		return false
	}
	if !r.closes(start) {
		return false
	}
	s.compound = c
	return r.compoundEnds(s, start)
}

// closes reads the parenthesis that closes the one at an offset.
func (r *reader) closes(start int) bool {
	switch {
	case r.peek(0) == ')':
		r.i++
		return true
	case r.i < r.end:
		return r.unexpected(r.i, "a command cannot begin here")
	}
	return r.piece || r.unexpected(start, "the parenthesis that opens here is never closed")
}

// compoundEnds reads the redirections after a compound command.
func (r *reader) compoundEnds(s *stmt, start int) bool {
	r.depth--
	s.span = r.span(start)
	for {
		r.blanks()
		if r.failed {
			return false
		}
		if c := r.peek(0); c != '<' && c != '>' && (c != '&' || r.peek(1) != '>') && (!ascii.IsDigit(c) || !r.numbered()) || !r.redirects(s) {
			return !r.failed
		}
	}
}

// compound reads the compound command that a word begins.
func (r *reader) compound(s *stmt, word string) bool {
	start := r.i
	if !r.deeper(start) {
		return false
	}
	c := &compound{}
	s.compound = c
	r.i += len(word)
	ok := r.holdTree(compoundSize)
	switch word {
	case "{":
		c.kind = group
		ok = r.branch(c) && r.expect(start, "}")
	case "if":
		c.kind = conditions
		ok = r.conditions(c, start)
	case "while", "until":
		c.kind, c.until = while, word == "until"
		ok = r.branch(c) && r.expect(start, "do") && r.branch(c) && r.expect(start, "done")
	case "for", "select":
		ok = r.forLoop(c, start)
	case "case":
		c.kind = choices
		ok = r.choices(c, start)
	case "function":
		c.kind = function
		ok = r.namedFunction(c)
	case "coproc":
		c.kind = coproc
		ok = r.coprocess(c)
	case "[[":
		c.kind = expression
		ok = r.expression(start)
	}
	return ok && r.compoundEnds(s, start)
}

// branch reads one list of a compound command.
func (r *reader) branch(c *compound) bool {
	var list []stmt
	if !r.list(&list) {
		return false
	}
	return add(r, &c.lists, list)
}

// expect reads a word that a compound command needs.
func (r *reader) expect(start int, word string) bool {
	if !r.breaks() {
		return false
	}
	if r.i >= r.end || r.keyword() != word {
		if r.i >= r.end {
			return r.piece || r.incomplete(start, word)
		}
		return r.unexpected(r.i, word+" is missing before this")
	}
	r.i += len(word)
	return true
}

// conditions reads an if up to its fi.
func (r *reader) conditions(c *compound, start int) bool {
	for {
		if !r.branch(c) || !r.expect(start, "then") || !r.branch(c) {
			return false
		}
		switch r.keyword() {
		case "elif":
			r.i += len("elif")
			continue
		case "else":
			r.i += len("else")
			if !r.branch(c) {
				return false
			}
		}
		return r.expect(start, "fi")
	}
}

// forLoop reads for and select.
func (r *reader) forLoop(c *compound, start int) bool {
	r.blanks()
	if r.at("((") {
		c.kind = forCount
		text, n := r.sumText(2)
		if n == 0 {
			return r.unexpected(r.i, "the parenthesis that opens here is never closed")
		}
		r.i += n
		c.head = countingParts(text)
	} else {
		c.kind = forEach
		n := ascii.NameLength(r.src[r.i:r.end])
		if n == 0 {
			return r.unexpected(r.i, "a loop needs the name of a variable")
		}
		c.name = r.src[r.i : r.i+n]
		r.i += n
		if !r.breaks() {
			return false
		}
		if r.keyword() == "in" {
			c.in = true
			r.i += len("in")
			if !r.items(c) {
				return false
			}
		}
	}
	r.blanks()
	if r.peek(0) == ';' {
		r.i++
	}
	if !r.breaks() {
		return false
	}
	if r.keyword() == "{" {
		r.i++
		return r.branch(c) && r.expect(start, "}")
	}
	return r.expect(start, "do") && r.branch(c) && r.expect(start, "done")
}

// items reads the words that a loop goes through.
func (r *reader) items(c *compound) bool {
	for {
		r.blanks()
		if r.failed {
			return false
		}
		if r.i >= r.end || r.endsWord(r.i) {
			if ch := r.peek(0); ch != 0 && ch != ';' && ch != '\n' {
				return r.unexpected(r.i, "do is missing before this")
			}
			return true
		}
		var w lexeme
		at := r.i
		if !r.pay(4) || !r.lexeme(&w) {
			return false
		}
		if r.i == at {
			return r.unexpected(r.i, "do is missing before this")
		}
		if !add(r, &c.items, w) {
			return false
		}
	}
}

// choices reads a case up to its esac.
func (r *reader) choices(c *compound, start int) bool {
	r.blanks()
	var subject lexeme
	if r.i >= r.end || r.endsWord(r.i) {
		return r.unexpected(start, "case needs a word")
	}
	if !r.lexeme(&subject) {
		return false
	}
	c.items = []lexeme{subject}
	if !r.expect(start, "in") {
		return false
	}
	for {
		if !r.breaks() {
			return false
		}
		if r.i >= r.end {
			return r.piece || r.incomplete(start, "esac")
		}
		if r.keyword() == "esac" {
			r.i += len("esac")
			return true
		}
		if !r.patterns(start) || !r.branch(c) {
			return false
		}
		switch {
		case r.at(";;&"):
			r.i += 3
		case r.at(";;"), r.at(";&"):
			r.i += 2
		}
	}
}

// patterns reads the patterns before a branch of case.
func (r *reader) patterns(start int) bool {
	if r.peek(0) == '(' {
		r.i++
	}
	for {
		r.blanks()
		var w lexeme
		at := r.i
		if r.failed || r.i >= r.end || !r.lexeme(&w) {
			return !r.failed && r.incomplete(start, "esac")
		}
		if r.i == at {
			return r.unexpected(r.i, "a pattern is missing before this")
		}
		r.blanks()
		switch r.peek(0) {
		case ')':
			r.i++
			return true
		case '|':
			r.i++
		default:
			return r.unexpected(min(r.i, r.end), "a pattern of case must end in a parenthesis")
		}
	}
}

// definesFunction reports whether () stands here.
func (r *reader) definesFunction() bool {
	i := r.i + 1
	for i < r.end && ascii.IsBlank(r.src[i]) {
		i++
	}
	return i < r.end && r.src[i] == ')'
}

// function reads the rest of name() body, whose name is on the stack.
func (r *reader) function(s *stmt, mark int) bool {
	start := int(r.stack[mark].span.Start)
	name := r.stack[mark].text
	r.stack = r.stack[:mark]
	if !r.deeper(start) {
		return false
	}
	for r.src[r.i] != ')' {
		r.i++
	}
	r.i++
	s.compound = &compound{kind: function, name: name}
	return r.holdTree(compoundSize) && r.body(s.compound) && r.compoundEnds(s, start)
}

// namedFunction reads function name body.
func (r *reader) namedFunction(c *compound) bool {
	r.blanks()
	var w lexeme
	if r.failed || r.i >= r.end || !r.lexeme(&w) {
		return !r.failed && r.unexpected(r.i, "function needs a name")
	}
	c.name = w.text
	r.blanks()
	if r.peek(0) == '(' && r.definesFunction() {
		for r.src[r.i] != ')' {
			r.i++
		}
		r.i++
	}
	return r.body(c)
}

// body reads the body of a function.
func (r *reader) body(c *compound) bool {
	if !r.breaks() {
		return false
	}
	if r.i >= r.end {
		return r.unexpected(r.i, "the function lacks its body")
	}
	var s stmt
	if !r.command(&s) {
		return false
	}
	if s.compound == nil {
		return r.unexpected(int(s.span.Start), "the body of a function must stand in braces")
	}
	c.lists = [][]stmt{{s}}
	return true
}

// coprocess reads the command of coproc, with a name before it or without.
func (r *reader) coprocess(c *compound) bool {
	r.blanks()
	if n := ascii.NameLength(r.src[r.i:r.end]); n > 0 && r.keyword() == r.src[r.i:r.i+n] {
		name := r.i
		r.i += n
		r.blanks()
		if c := r.peek(0); c != '{' && c != '(' {
			r.i = name
		}
	}
	if r.i >= r.end || r.endsWord(r.i) && r.src[r.i] != '(' {
		return r.unexpected(r.i, "coproc needs a command")
	}
	var s stmt
	if !r.command(&s) {
		return false
	}
	c.lists = [][]stmt{{s}}
	return true
}

// expression steps over [[ … ]].
func (r *reader) expression(start int) bool {
	for {
		if !r.breaks() {
			return false
		}
		if r.i >= r.end {
			return r.incomplete(start, "]]")
		}
		if r.keyword() == "]]" {
			r.i += len("]]")
			return true
		}
		var w lexeme
		at := r.i
		if !r.lexeme(&w) {
			return false
		}
		if r.i == at {
			r.i++ // an operator
		}
	}
}
