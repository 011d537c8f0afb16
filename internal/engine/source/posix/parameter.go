package posix

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// parameter reads ${…}.
func (r *reader) parameter(quoted bool) bool {
	start := r.i
	if !r.deeper(start) {
		return false
	}
	r.i += 2
	var x expansion
	switch c := r.peek(0); {
	case c == '!':
		x.opaque = true
		r.i++
	case c == '#' && r.peek(1) != '}' && strings.IndexByte("-+=?:#%/", r.peek(1)) < 0:
		x.length = true
		r.i++
	}
	name := r.i
	if n := ascii.NameLength(r.src[r.i:r.end]); n > 0 {
		r.i += n
	} else {
		for r.i < r.end && ascii.IsDigit(r.src[r.i]) {
			r.i++
		}
		if r.i == name && r.i < r.end && strings.IndexByte("@*#?$!-", r.src[r.i]) >= 0 {
			r.i++
		}
	}
	x.name = r.src[name:r.i]
	if x.name != "" && r.peek(0) == '[' {
		from := r.i + 1
		if !r.bracketed() {
			return r.unclosedParameter(start)
		}
		x.indexed, x.index = true, r.src[from:r.i-1]
	}
	if x.opaque || x.name == "" {
		return r.opaque(x, start, quoted)
	}
	if r.peek(0) != '}' && !r.operation(&x, quoted) {
		return !r.failed && r.opaque(x, start, quoted)
	}
	if r.failed || r.peek(0) != '}' {
		return !r.failed && r.opaque(x, start, quoted)
	}
	r.i++
	r.depth--
	r.pushExpansion(parameter, x, start, quoted)
	return true
}

// opaque reads the rest of an expansion that keeps its spelling, because the
// shell would refuse it or what it stands for cannot be known.
func (r *reader) opaque(x expansion, start int, quoted bool) bool {
	x.opaque = true
	for r.i < r.end {
		switch c := r.src[r.i]; {
		case c == '}':
			r.i++
			r.depth--
			r.pushExpansion(parameter, expansion{opaque: true}, start, quoted)
			return true
		case c == '\n' && !quoted, c == '"' && quoted:
			return r.unclosedParameter(start)
		}
		r.i++
	}
	return r.unclosedParameter(start)
}

func (r *reader) unclosedParameter(start int) bool {
	return r.unexpected(start, "the brace that opens here is never closed")
}

// bracketed steps over […] with what nests in it.
func (r *reader) bracketed() bool {
	depth := 0
	for r.i < r.end {
		switch r.src[r.i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				r.i++
				return true
			}
		case '\n':
			return false
		case '\\':
			r.i++
		}
		r.i++
	}
	r.i = min(r.i, r.end)
	return false
}

// operation reads the operator of an expansion with its words, up to the
// closing brace. It is false where there is no such operator.
func (r *reader) operation(x *expansion, quoted bool) bool {
	from := r.i
	c, next := r.peek(0), r.peek(1)
	double := next == c
	switch {
	case c == ':' && strings.IndexByte("-=?+", next) >= 0 && next != 0:
		r.i += 2
	case strings.IndexByte("-=?+", c) >= 0 && c != 0:
		r.i++
	case c == ':':
		x.op = ":"
		r.i++
		return r.slices(x)
	case c == '#' || c == '%' || c == '^' || c == ',':
		r.i++
		if double {
			r.i++
		}
		x.op = r.src[from:r.i]
		x.word = r.operand(quoted, true, 0)
		x.hasWord = len(x.word) > 0
		return !r.failed
	case c == '/':
		r.i++
		if next == '/' || next == '#' || next == '%' {
			r.i++
		}
		x.op = r.src[from:r.i]
		x.word = r.operand(quoted, true, '/')
		if r.peek(0) == '/' {
			r.i++
			x.with, x.hasWith = r.operand(quoted, true, 0), true
		}
		return !r.failed
	case c == '@' && ascii.IsLetter(next):
		r.i += 2
		x.op = r.src[from:r.i]
		return true
	default:
		return false
	}
	x.op = r.src[from:r.i]
	x.word, x.hasWord = r.operand(quoted, false, 0), true
	return !r.failed
}

// operand reads the word of an operator up to the closing brace or another
// byte. In double quotes single quotes are text, except in patterns.
func (r *reader) operand(quoted, pattern bool, until byte) []part {
	mark := len(r.pieces)
	for r.i < r.end && !r.failed {
		start, kind := r.i, literal
	run:
		for r.i < r.end {
			switch c := r.src[r.i]; {
			case c == '}' || c == until && until != 0 || c == '$' || c == '`' || c == '"':
				break run
			case c == '\'' && (!quoted || pattern):
				break run
			case c == '\\':
				kind = escaped
				r.i = min(r.i+2, r.end)
			default:
				r.i++
			}
		}
		if r.i > start {
			r.push(kind, r.src[start:r.i], start, quoted && !pattern)
		}
		if r.i >= r.end {
			break
		}
		switch c := r.src[r.i]; {
		case c == '}' || c == until && until != 0:
			return r.take(mark)
		case c == '$':
			r.dollar(quoted && !pattern)
		case c == '`':
			r.backquoted(quoted)
		case c == '"':
			r.doubleQuoted()
		case c == '\'':
			r.singleQuoted(1)
		}
	}
	return r.take(mark)
}

// slices reads the offset and the length of ${X:offset:length}.
func (r *reader) slices(x *expansion) bool {
	part, from, depth := 0, r.i, 0
	for r.i < r.end {
		switch r.src[r.i] {
		case '(', '[', '{':
			depth++
		case ')', ']':
			depth--
		case '}':
			if depth <= 0 {
				x.slice[part] = r.src[from:r.i]
				x.bounded = part == 1
				return true
			}
			depth--
		case ':':
			if part == 0 && depth == 0 {
				x.slice[0] = r.src[from:r.i]
				part, from = 1, r.i+1
			}
		case '\n':
			return false
		}
		r.i++
	}
	return false
}
