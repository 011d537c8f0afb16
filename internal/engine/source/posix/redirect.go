package posix

import "uncoil/internal/engine/ascii"

// redirects reads the redirection that begins here. It is false where none
// does, or after an error.
func (r *reader) redirects(s *stmt) bool {
	start := r.i
	for ascii.IsDigit(r.peek(0)) {
		r.i++
	}
	number := r.src[start:r.i]
	c := r.peek(0)
	if c == '<' && number == "" && (r.peek(1) == '(' || r.placeholder() > 0 && !r.namesFile()) || c == '>' && r.peek(1) == '(' {
		r.i = start
		return false // a word
	}
	var d redirect
	at := r.i
	d.other = number != "" && (c == '<' && number != "0" || c == '>' && number != "1")
	switch {
	case r.at("<<<"):
		d.op = hereString
		r.i += 3
	case r.at("<<"):
		d.op = hereDocument
		r.i += 2
		if !r.holdTree(documentSize) {
			return false
		}
		doc := &document{at: at}
		if r.peek(0) == '-' {
			doc.tabs = true
			r.i++
		}
		r.blanks()
		if !r.delimiter(doc) {
			return false
		}
		d.doc = doc
		return add(r, &s.redirects, d) && add(r, &r.docs, doc)
	case r.at("<&"):
		d.op = duplicate
		r.i += 2
	case r.at("<>"):
		d.op = fromFile
		r.i += 2
	case c == '<':
		d.op = fromFile
		r.i++
	case r.at("&>>"):
		d.op, d.appends = toFile, true
		r.i += 3
	case r.at(">>"), r.at(">&"), r.at(">|"), r.at("&>"):
		d.op, d.appends, d.copies = toFile, r.at(">>"), r.at(">&")
		r.i += 2
	default:
		d.op = toFile
		r.i++
	}
	r.blanks()
	if r.i >= r.end || r.endsWord(r.i) || (r.src[r.i] == '<' || r.src[r.i] == '>') && r.peek(1) != '(' && (r.src[r.i] == '>' || r.placeholder() == 0) {
		return r.unexpected(at, "the redirection has no target")
	}
	if !r.pay(4) || !r.lexeme(&d.target) {
		return false
	}
	return add(r, &s.redirects, d)
}

// namesFile reports whether what stands between < and > here is more likely a
// file than a placeholder: after it, the name of another file begins.
func (r *reader) namesFile() bool {
	n := r.placeholder()
	for i := r.i + 1; i < r.i+n; i++ {
		if ascii.IsBlank(r.src[i]) {
			return false
		}
	}
	c := r.peek(n)
	return ascii.IsNameByte(c) || c != 0 && (c == '.' || c == '~' || c == '$' || c == '&' || c == '>')
}
