// Package jsontext reads and writes JSON as text: digits, member order and
// duplicates are kept, and nothing is decoded into Go values.
package jsontext

import (
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may nest, as in encoding/json.
const MaxDepth = 10_000

// Container reports whether s is a JSON object or array, by the grammar of
// RFC 8259, with blanks allowed around it.
func Container(s string) bool {
	_, ok := appendCompact(nil, s, false)
	return ok
}

// AppendCompact appends the JSON object or array in s without the blanks
// between its tokens. When s is none, dst comes back as it was.
func AppendCompact(dst []byte, s string) (out []byte, ok bool) {
	return appendCompact(dst, s, true)
}

// compactor copies JSON while it checks the grammar. Copying goes by runs:
// what lies between two blanks is appended at once.
type compactor struct {
	s     string
	i     int
	dst   []byte
	start int // of the run that is not copied yet
	write bool
}

func appendCompact(dst []byte, s string, write bool) ([]byte, bool) {
	c := compactor{s: s, dst: dst, write: write}
	c.skipBlanks()
	if c.i == len(s) || s[c.i] != '{' && s[c.i] != '[' || !utf8.ValidString(s) {
		return dst, false
	}
	if !c.container() {
		return dst, false
	}
	c.skipBlanks()
	if c.i != len(s) {
		return dst, false
	}
	c.flush(c.i)
	return c.dst, true
}

func (c *compactor) flush(end int) {
	if c.write && end > c.start {
		c.dst = append(c.dst, c.s[c.start:end]...)
	}
	c.start = end
}

func (c *compactor) skipBlanks() {
	i := c.i
	for i < len(c.s) && (c.s[i] == ' ' || c.s[i] == '\n' || c.s[i] == '\t' || c.s[i] == '\r') {
		i++
	}
	if i > c.i {
		c.flush(c.i)
		c.i, c.start = i, i
	}
}

// container reads an object or array with all that is in it. The nesting is
// kept on a stack of bits, not on Go's, so that depth costs little.
func (c *compactor) container() bool {
	var stack [(MaxDepth + 63) / 64]uint64 // 1: object
	depth := 0
	for {
		// A value begins here.
		switch b := c.peek(); b {
		case '{', '[':
			if depth == MaxDepth {
				return false
			}
			word, bit := depth/64, uint64(1)<<(depth%64)
			stack[word] &^= bit
			if b == '{' {
				stack[word] |= bit
			}
			depth++
			c.i++
			c.skipBlanks()
			if c.peek() == closing(b) {
				break
			}
			if b == '{' && !c.key() {
				return false
			}
			continue
		default:
			if !c.scalar(b) {
				return false
			}
		}
		// A value ended: go on in what holds it.
		for {
			c.skipBlanks()
			isObject := stack[(depth-1)/64]&(1<<((depth-1)%64)) != 0
			b := c.peek()
			if b == ',' {
				c.i++
				c.skipBlanks()
				if isObject && !c.key() {
					return false
				}
				break
			}
			if b != '}' && b != ']' || isObject != (b == '}') {
				return false
			}
			c.i++
			if depth--; depth == 0 {
				return true
			}
		}
	}
}

func closing(open byte) byte { return open + 2 } // in ASCII, for [ and for {

func (c *compactor) peek() byte {
	if c.i < len(c.s) {
		return c.s[c.i]
	}
	return 0
}

// key reads the name of a member and the colon.
func (c *compactor) key() bool {
	if c.peek() != '"' || !c.text() {
		return false
	}
	c.skipBlanks()
	if c.peek() != ':' {
		return false
	}
	c.i++
	c.skipBlanks()
	return true
}

func (c *compactor) scalar(b byte) bool {
	switch {
	case b == '"':
		return c.text()
	case b == '-' || isDigit(b):
		return c.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(c.s[c.i:], word) {
			c.i += len(word)
			return true
		}
	}
	return false
}

// text reads a string from its opening quote on.
func (c *compactor) text() bool {
	for i := c.i + 1; i < len(c.s); i++ {
		switch b := c.s[i]; {
		case b == '"':
			c.i = i + 1
			return true
		case b < ' ':
			return false
		case b == '\\':
			if i++; i == len(c.s) {
				return false
			}
			if c.s[i] == 'u' {
				if i+4 >= len(c.s) || !isHex4(c.s[i+1:i+5]) {
					return false
				}
				i += 4
			} else if strings.IndexByte(`"\/bfnrt`, c.s[i]) < 0 {
				return false
			}
		}
	}
	return false
}

func isHex4(s string) bool {
	for i := range 4 {
		if c := s[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

func (c *compactor) number() bool {
	if c.peek() == '-' {
		c.i++
	}
	if c.peek() == '0' {
		c.i++
	} else if !c.digits() {
		return false
	}
	if c.peek() == '.' {
		c.i++
		if !c.digits() {
			return false
		}
	}
	if c.peek()|0x20 == 'e' {
		c.i++
		if c.peek() == '+' || c.peek() == '-' {
			c.i++
		}
		return c.digits()
	}
	return true
}

func (c *compactor) digits() bool {
	start := c.i
	for isDigit(c.peek()) {
		c.i++
	}
	return c.i > start
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD; whoever needs them exactly asks [utf8.ValidString] first.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if b >= ' ' && b != '"' && b != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, b)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, s[start:i]...)
			dst = append(dst, "\ufffd"...)
			i++
			start = i
			continue
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
}
