// Package jsontext reads and writes JSON as text: digits, member order and
// duplicates are kept, and nothing is decoded into Go values.
package jsontext

import (
	"math/bits"
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
// what lies between two blanks is appended at once. Its methods take the place
// where they begin in s, and return the place behind what they read.
type compactor struct {
	s     string
	dst   []byte
	start int // of the run that is not copied yet
	write bool
}

func appendCompact(dst []byte, s string, write bool) ([]byte, bool) {
	c := compactor{s: s, dst: dst, write: write}
	i := c.skipBlanks(0)
	if b := c.at(i); b != '{' && b != '[' || !utf8.ValidString(s) {
		return dst, false
	}
	i, ok := c.container(i)
	if !ok || c.skipBlanks(i) != len(s) {
		return dst, false
	}
	c.flush(i)
	return c.dst, true
}

// at returns the byte there, or 0 at the end.
func (c *compactor) at(i int) byte {
	if i < len(c.s) {
		return c.s[i]
	}
	return 0
}

func (c *compactor) flush(end int) {
	if c.write && end > c.start {
		c.dst = append(c.dst, c.s[c.start:end]...)
	}
}

// skipBlanks leaves out blanks, which there are none of behind most tokens.
func (c *compactor) skipBlanks(i int) int {
	if i < len(c.s) && isBlank(c.s[i]) {
		return c.skipRun(i)
	}
	return i
}

func (c *compactor) skipRun(i int) int {
	c.flush(i)
	for i < len(c.s) && isBlank(c.s[i]) {
		i++
	}
	c.start = i
	return i
}

func isBlank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// container reads an object or array with all that is in it. The nesting is
// not kept on Go's stack, so that depth costs little.
func (c *compactor) container(i int) (end int, ok bool) {
	var open nesting
	for {
		// A value begins here.
		switch b := c.at(i); b {
		case '{', '[':
			if open.depth == MaxDepth {
				return i, false
			}
			open.push(b == '{')
			i = c.skipBlanks(i + 1)
			if ok = c.at(i) == closing(b); ok {
				break
			}
			if b == '[' {
				continue
			}
			if i, ok = c.key(i); !ok {
				return i, false
			}
			continue
		case '"':
			i, ok = text(c.s, i)
		default:
			i, ok = scalar(c.s, i)
		}
		if !ok {
			return i, false
		}
		// A value ended: go on in what holds it.
		for {
			i = c.skipBlanks(i)
			b := c.at(i)
			if b == ',' {
				i = c.skipBlanks(i + 1)
				if !open.inObject() {
					break
				}
				if i, ok = c.key(i); !ok {
					return i, false
				}
				break
			}
			if b != '}' && b != ']' || open.inObject() != (b == '}') {
				return i, false
			}
			i++
			open.pop()
			if open.depth == 0 {
				return i, true
			}
		}
	}
}

func closing(open byte) byte { return open + 2 } // in ASCII, for [ and for {

// key reads the name of a member and the colon, with the blanks around it.
func (c *compactor) key(i int) (end int, ok bool) {
	if c.at(i) != '"' {
		return i, false
	}
	i, ok = text(c.s, i)
	i = c.skipBlanks(i)
	if !ok || c.at(i) != ':' {
		return i, false
	}
	return c.skipBlanks(i + 1), true
}

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

// text reads a string from its opening quote on.
func text(s string, i int) (end int, ok bool) {
	for i++; ; i++ {
		if i += plainLength(s[i:]); i == len(s) {
			return i, false
		}
		switch s[i] {
		case '"':
			return i + 1, true
		case '\\':
			if i++; i == len(s) {
				return i, false
			}
			if s[i] == 'u' {
				if i+4 >= len(s) || !isHex4(s[i+1:i+5]) {
					return i, false
				}
				i += 4
			} else if strings.IndexByte(`"\/bfnrt`, s[i]) < 0 {
				return i, false
			}
		default:
			return i, false
		}
	}
}

func isHex4(s string) bool {
	for i := range 4 {
		if c := s[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// scalar reads a number or a word.
func scalar(s string, i int) (end int, ok bool) {
	rest := s[i:]
	if rest != "" && (rest[0] == '-' || isDigit(rest[0])) {
		n, ok := number(rest)
		return i + n, ok
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(rest, word) {
			return i + len(word), true
		}
	}
	return i, false
}

// number returns the length of the number that s begins with.
func number(s string) (n int, ok bool) {
	if s[0] == '-' {
		n = 1
	}
	whole := digits(s[n:])
	if whole == 0 || whole > 1 && s[n] == '0' {
		return n, false
	}
	n += whole
	if n < len(s) && s[n] == '.' {
		fraction := digits(s[n+1:])
		if fraction == 0 {
			return n, false
		}
		n += 1 + fraction
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		n++
		if n < len(s) && (s[n] == '+' || s[n] == '-') {
			n++
		}
		exponent := digits(s[n:])
		return n + exponent, exponent > 0
	}
	return n, true
}

// digits returns how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD; whoever needs them exactly asks [utf8.ValidString] first.
func AppendString(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = replaceInvalid(s)
	}
	return AppendUTF8(dst, s)
}

// AppendUTF8 appends s, which is known to be UTF-8, as a JSON string.
func AppendUTF8(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; ; i++ {
		if i += plainLength(s[i:]); i == len(s) {
			break
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscape(dst, s[i])
		start = i + 1
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// replaceInvalid puts U+FFFD in the place of each byte that is not UTF-8.
func replaceInvalid(s string) string {
	var b strings.Builder
	for _, r := range s { // which is U+FFFD for such a byte
		b.WriteRune(r)
	}
	return b.String()
}

const (
	ones = 0x0101010101010101
	high = 0x80 * ones
)

// plainLength returns how many bytes at the start of s stand for themselves in
// a JSON string: all but control characters, the quote and the backslash.
//
// It looks at eight at a time. In (x-n)&^x, the high bit of each byte tells
// whether it is below n, up to the first that is: what is subtracted from that
// one may be borrowed from those above.
func plainLength(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := load(s[i : i+8])
		quote, backslash := x^'"'*ones, x^'\\'*ones
		if found := ((x-' '*ones)&^x | (quote-ones)&^quote | (backslash-ones)&^backslash) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(s); i++ {
		if b := s[i]; b < ' ' || b == '"' || b == '\\' {
			break
		}
	}
	return i
}

// IsPrintable reports text of printable ASCII.
func IsPrintable(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 { // as in plainLength
		x := load(s[i : i+8])
		del := x ^ 0x7f*ones
		if ((x-' '*ones)&^x|(del-ones)&^del|x)&high != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// load returns eight bytes, the first one lowest.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
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
