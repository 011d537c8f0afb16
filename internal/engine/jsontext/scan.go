package jsontext

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// A fault is why a text is not JSON.
type fault uint8

const (
	noFault fault = iota
	tooDeep
	neverClosed   // a string
	controlByte   // in a string
	unknownEscape // in a string
	badUnicode    // \u without four hexadecimal digits
	wantValue     // from here on: the token expected at the offset
	wantName      //
	wantColon     //
	wantObjectEnd // or a comma
	wantArrayEnd  // or a comma
	wantDigit     //
	wantTrue      //
	wantFalse     //
	wantNull      //
)

// A copier copies JSON while it is scanned: what stands between two runs of
// white space is appended at once. It is passed by value, which keeps it in
// registers.
type copier struct {
	dst   []byte
	start int // of the text that is not copied yet; -1: nothing is copied
}

// flush appends the text up to end.
func (c copier) flush(s string, end int) copier {
	if c.start >= 0 && end > c.start {
		c.dst = append(c.dst, s[c.start:end]...)
	}
	return c
}

// startsSpace reports whether white space starts at i; after most tokens there
// is none.
func startsSpace(s string, i int) bool { return i < len(s) && s[i] <= ' ' && isSpace(s[i]) }

// skipSpace leaves out the white space at i.
func (c copier) skipSpace(s string, i int) (copier, int) {
	c = c.flush(s, i)
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	if c.start >= 0 {
		c.start = i
	}
	return c, i
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// at returns byte i, or 0 at the end.
func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// skipValue returns the end of the value that begins at i, in which arrays and
// objects nest at most limit deep. For a fault, end is its offset.
func skipValue(s string, i, limit int) (end int, f fault) {
	switch at(s, i) {
	case '{', '[':
		_, end, f = container(copier{start: -1}, s, i, limit)
		return end, f
	case '"':
		return text(s, i)
	}
	return scalar(s, i)
}

// container scans the object or array that begins at i. The nesting is not
// kept on Go's stack, so that depth costs little.
func container(c copier, s string, i, limit int) (_ copier, end int, f fault) {
	var open nesting
	for {
		// A value begins here.
		switch b := at(s, i); b {
		case '{', '[':
			if open.depth == limit {
				return c, i, tooDeep
			}
			open.push(b == '{')
			i++
			if startsSpace(s, i) {
				c, i = c.skipSpace(s, i)
			}
			if at(s, i) == closing(b) {
				break
			}
			if b == '[' {
				continue
			}
			if c, i, f = name(c, s, i); f != noFault {
				return c, i, f
			}
			continue
		case '"':
			i, f = text(s, i)
		default:
			i, f = scalar(s, i)
		}
		if f != noFault {
			return c, i, f
		}
		// A value ended: go on in what holds it.
		for {
			if startsSpace(s, i) {
				c, i = c.skipSpace(s, i)
			}
			b := at(s, i)
			if b == ',' {
				i++
				if startsSpace(s, i) {
					c, i = c.skipSpace(s, i)
				}
				if !open.inObject() {
					break
				}
				if c, i, f = name(c, s, i); f != noFault {
					return c, i, f
				}
				break
			}
			if b != '}' && b != ']' || open.inObject() != (b == '}') {
				if open.inObject() {
					return c, i, wantObjectEnd
				}
				return c, i, wantArrayEnd
			}
			i++
			open.pop()
			if open.depth == 0 {
				return c, i, noFault
			}
		}
	}
}

// name scans the name of a member and the colon, with the white space around
// it.
func name(c copier, s string, i int) (_ copier, end int, f fault) {
	if at(s, i) != '"' {
		return c, i, wantName
	}
	if i, f = text(s, i); f != noFault {
		return c, i, f
	}
	if startsSpace(s, i) {
		c, i = c.skipSpace(s, i)
	}
	if at(s, i) != ':' {
		return c, i, wantColon
	}
	i++
	if startsSpace(s, i) {
		c, i = c.skipSpace(s, i)
	}
	return c, i, noFault
}

func closing(open byte) byte { return open + 2 } // in ASCII, for [ and for {

// nesting is a stack of bits for the containers that are open, 1 for an
// object.
type nesting struct {
	depth int
	top   uint64   // up to 64 of them, the innermost in the lowest bit
	below []uint64 // 64 each
}

func (n *nesting) push(object bool) {
	if n.depth%64 == 0 && n.depth > 0 {
		n.below = append(n.below, n.top)
	}
	n.top <<= 1
	if object {
		n.top |= 1
	}
	n.depth++
}

func (n *nesting) pop() {
	n.top >>= 1
	if n.depth--; n.depth%64 == 0 && n.depth > 0 {
		last := len(n.below) - 1
		n.top, n.below = n.below[last], n.below[:last]
	}
}

func (n *nesting) inObject() bool { return n.top&1 != 0 }

// text scans the string whose opening quote is at i.
func text(s string, i int) (end int, f fault) {
	for start := i; ; {
		i++ // the quote, or the last byte of an escape
		if i += literalLength(s[i:]); i == len(s) {
			return start, neverClosed
		}
		switch s[i] {
		case '"':
			return i + 1, noFault
		case '\\':
			n, f := escapeLength(s[i:])
			if f == neverClosed {
				return start, f
			} else if f != noFault {
				return i, f
			}
			i += n - 1
		default:
			return i, controlByte
		}
	}
}

// escapeLength returns the length of the escape that s begins with.
func escapeLength(s string) (n int, f fault) {
	if len(s) == 1 {
		return 0, neverClosed
	}
	switch unescaped[s[1]] {
	case 0:
		return 0, unknownEscape
	case 'u':
		if hex4(s[2:]) < 0 {
			return 0, badUnicode
		}
		return len(`\u0000`), noFault
	}
	return 2, noFault
}

// scalar scans a number, true, false or null.
func scalar(s string, i int) (end int, f fault) {
	switch b := at(s, i); {
	case b == '-', ascii.IsDigit(b):
		return number(s, i)
	case b == 't':
		return literal(s, i, "true", wantTrue)
	case b == 'f':
		return literal(s, i, "false", wantFalse)
	case b == 'n':
		return literal(s, i, "null", wantNull)
	}
	return i, wantValue
}

func literal(s string, i int, word string, f fault) (end int, _ fault) {
	if !strings.HasPrefix(s[i:], word) {
		return i, f
	}
	return i + len(word), noFault
}

func number(s string, i int) (end int, f fault) {
	if s[i] == '-' {
		i++
	}
	if at(s, i) == '0' {
		i++
	} else if i, f = digits(s, i); f != noFault {
		return i, f
	}
	if at(s, i) == '.' {
		if i, f = digits(s, i+1); f != noFault {
			return i, f
		}
	}
	if at(s, i)|0x20 == 'e' {
		i++
		if b := at(s, i); b == '+' || b == '-' {
			i++
		}
		return digits(s, i)
	}
	return i, noFault
}

// digits scans one or more digits.
func digits(s string, i int) (end int, f fault) {
	start := i
	for i < len(s) && ascii.IsDigit(s[i]) {
		i++
	}
	if i == start {
		return i, wantDigit
	}
	return i, noFault
}
