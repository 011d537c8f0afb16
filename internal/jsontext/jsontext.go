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

// A copier copies JSON while it is read. Copying goes by runs: what lies
// between two blanks is appended at once. It is passed by value, which keeps
// it in registers.
type copier struct {
	dst   []byte
	start int // of the run that is not copied yet; -1: nothing is copied
}

// flush appends the run that ends there.
func (c copier) flush(s string, end int) copier {
	if c.start >= 0 && end > c.start {
		c.dst = append(c.dst, s[c.start:end]...)
	}
	return c
}

// startsBlank reports whether a blank stands there: behind most tokens there
// is none.
func startsBlank(s string, i int) bool { return i < len(s) && s[i] <= ' ' && isBlank(s[i]) }

// skipBlanks leaves out the blanks there.
func (c copier) skipBlanks(s string, i int) (copier, int) {
	c = c.flush(s, i)
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	if c.start >= 0 {
		c.start = i
	}
	return c, i
}

func isBlank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func appendCompact(dst []byte, s string, write bool) ([]byte, bool) {
	c := copier{dst: dst}
	if !write {
		c.start = -1
	}
	c, i := c.skipBlanks(s, 0)
	if b := at(s, i); b != '{' && b != '[' || !utf8.ValidString(s) {
		return dst, false
	}
	c, i, ok := container(c, s, i)
	if !ok {
		return dst, false
	}
	c = c.flush(s, i)
	c.start = -1
	if _, i = c.skipBlanks(s, i); i != len(s) {
		return dst, false
	}
	return c.dst, true
}

// at returns the byte there, or 0 at the end.
func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// container reads an object or array with all that is in it. The nesting is
// not kept on Go's stack, so that depth costs little.
func container(c copier, s string, i int) (_ copier, end int, ok bool) {
	var open nesting
	for {
		// A value begins here.
		switch b := at(s, i); b {
		case '{', '[':
			if open.depth == MaxDepth {
				return c, i, false
			}
			open.push(b == '{')
			i++
			if startsBlank(s, i) {
				c, i = c.skipBlanks(s, i)
			}
			if ok = at(s, i) == closing(b); ok {
				break
			}
			if b == '[' {
				continue
			}
			if c, i, ok = key(c, s, i); !ok {
				return c, i, false
			}
			continue
		case '"':
			i, ok = text(s, i)
		default:
			i, ok = scalar(s, i)
		}
		if !ok {
			return c, i, false
		}
		// A value ended: go on in what holds it.
		for {
			if startsBlank(s, i) {
				c, i = c.skipBlanks(s, i)
			}
			b := at(s, i)
			if b == ',' {
				i++
				if startsBlank(s, i) {
					c, i = c.skipBlanks(s, i)
				}
				if !open.inObject() {
					break
				}
				if c, i, ok = key(c, s, i); !ok {
					return c, i, false
				}
				break
			}
			if b != '}' && b != ']' || open.inObject() != (b == '}') {
				return c, i, false
			}
			i++
			open.pop()
			if open.depth == 0 {
				return c, i, true
			}
		}
	}
}

// key reads the name of a member and the colon, with the blanks around it.
func key(c copier, s string, i int) (_ copier, end int, ok bool) {
	if at(s, i) != '"' {
		return c, i, false
	}
	i, ok = text(s, i)
	if startsBlank(s, i) {
		c, i = c.skipBlanks(s, i)
	}
	if !ok || at(s, i) != ':' {
		return c, i, false
	}
	i++
	if startsBlank(s, i) {
		c, i = c.skipBlanks(s, i)
	}
	return c, i, true
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

// text reads a string from its opening quote on.
func text(s string, i int) (end int, ok bool) {
	for i++; ; i++ {
		if i += PlainLength(s[i:]); i == len(s) {
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
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// IsText reports UTF-8 without NUL, which no argument of a program has.
func IsText(s string) bool { return strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) }

// AppendText appends s as a JSON string where it is text, as in [IsText]. When
// it is not, dst comes back as it was.
func AppendText(dst []byte, s string) (out []byte, ok bool) {
	out = append(dst, '"')
	for s != "" {
		n := blockLength(s)
		if !IsText(s[:n]) {
			return dst, false
		}
		out = appendEscaped(out, s[:n])
		s = s[n:]
	}
	return append(out, '"'), true
}

// block is how much of a text is done at once: it is looked at more than once,
// and so has to stay in the cache.
const block = 4 << 10

// blockLength returns the length of the first block of s, which ends with a
// character.
func blockLength(s string) int {
	if len(s) <= block {
		return len(s)
	}
	n := block
	for n > block-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// appendEscaped appends s as it stands within a JSON string.
func appendEscaped(dst []byte, s string) []byte {
	for s != "" {
		n := PlainLength(s[:min(len(s), block)])
		dst = append(dst, s[:n]...)
		if s = s[n:]; s != "" && isEscaped(s[0]) {
			dst = appendEscape(dst, s[0])
			s = s[1:]
		}
	}
	return dst
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

// PlainLength returns how many bytes at the start of s stand for themselves in
// a JSON string: all but control characters, the quote and the backslash.
// Whether they are UTF-8 does not matter to it.
func PlainLength(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if found := escaped(Load(s[i : i+8])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s) && !isEscaped(s[i]) {
		i++
	}
	return i
}

// PlainOfEight returns how many of eight bytes, as [Load] returns them, stand
// for themselves, as in [PlainLength], before one that does not.
func PlainOfEight(x uint64) int { return bits.TrailingZeros64(escaped(x)) / 8 }

// escaped has the high bit of the first of eight bytes that does not stand for
// itself, and perhaps others above it.
//
// In (x-n)&^x, the high bit of each byte tells whether it is below n, up to the
// first that is: what is subtracted from that one may be borrowed from those
// above.
func escaped(x uint64) uint64 {
	quote, backslash := x^'"'*ones, x^'\\'*ones
	return ((x-' '*ones)&^x | (quote-ones)&^quote | (backslash-ones)&^backslash) & high
}

func isEscaped(b byte) bool { return b < ' ' || b == '"' || b == '\\' }

// IsPrintable reports text of printable ASCII.
func IsPrintable(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 { // as in escaped
		x := Load(s[i : i+8])
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

// Load returns the first eight bytes, the first one lowest.
func Load(s string) uint64 {
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
