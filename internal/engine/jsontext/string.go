package jsontext

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst, _ = AppendText(dst, s)
	return dst
}

// AppendText is AppendString, and reports whether s is UTF-8. It copies eight
// bytes at a time, of which those before an escape count.
func AppendText[T string | []byte](dst []byte, s T) (_ []byte, valid bool) {
	valid = true
	dst = append(dst, '"')
	n := len(dst)
	for i := 0; i < len(s); {
		if n > len(dst)-2*eight {
			dst = roomFor(dst[:n], len(s)-i)
		}
		if i >= 0 && i <= len(s)-eight && n >= 0 && n <= len(dst)-eight { // so the compiler checks no bounds
			x := ascii.Eight(s[i : i+eight])
			store(dst[n:n+eight], x)
			plain := plainBytes(x)
			if i, n = i+plain, n+plain; plain == eight {
				continue
			}
		}
		c := s[i]
		switch e := escapes[c]; {
		case e == 0: // the last seven
			dst[n] = c
			n++
			i++
		case e != 'u':
			dst[n], dst[n+1] = '\\', e
			n += 2
			i++
		case c < ' ':
			n += copy(dst[n:], []byte{'\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15]})
			i++
		default:
			length := unicodeLength(s[i:])
			dst = dst[:n]
			if length > 0 {
				dst = append(dst, s[i:i+length]...)
			} else {
				valid = false
				dst, length = append(dst, "\ufffd"...), 1
			}
			n = len(dst)
			i += length
		}
	}
	return append(dst[:n], '"'), valid
}

// roomFor returns dst with all that it may grow into as its length: at least
// length bytes and a few escapes.
func roomFor(dst []byte, length int) []byte {
	dst = slices.Grow(dst, length+length/8+3*eight)
	return dst[:cap(dst)]
}

// escapes has what follows the backslash for a byte that has an escape of two bytes in
// a JSON string, u for the others that are not ASCII or do not stand for themselves,
// and 0 for the rest.
var escapes = func() (table [256]byte) {
	for b := range table {
		if b < ' ' || b >= utf8.RuneSelf {
			table[b] = 'u'
		}
	}
	table['"'], table['\\'], table['\n'], table['\r'], table['\t'] = '"', '\\', 'n', 'r', 't'
	return table
}()

// unicodeLength returns how many bytes at the start of s are characters beyond
// ASCII.
func unicodeLength[T string | []byte](s T) int {
	i := 0
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

const hexDigits = "0123456789abcdef"

const eight = 8

// plainLength returns how many bytes at the start of s are ASCII and stand for
// themselves in a JSON string: all but control characters, the quote and the
// backslash.
func plainLength(s string) int {
	i := 0
	if len(s) < eight {
		for i < len(s) && escapes[s[i]] == 0 {
			i++
		}
		return i
	}
	for ; i <= len(s)-eight; i += eight {
		if n := plainBytes(ascii.Eight(s[i : i+eight])); n < eight {
			return i + n
		}
	}
	i = len(s) - eight // some of these have been looked at
	return i + plainBytes(ascii.Eight(s[i:]))
}

// literalLength is plainLength with the bytes beyond ASCII, which need not be
// UTF-8.
func literalLength(s string) int {
	for i := 0; ; {
		if i += plainLength(s[i:]); i == len(s) || s[i] < utf8.RuneSelf {
			return i
		}
		for i < len(s) && s[i] >= utf8.RuneSelf {
			i++
		}
	}
}

// special has the high bit of the first of eight bytes that is beyond ASCII or
// does not stand for itself, and perhaps others above it.
func special(x uint64) uint64 {
	return (x | (x - ' '*ascii.Ones) | (x ^ '"'*ascii.Ones - ascii.Ones) | (x ^ '\\'*ascii.Ones - ascii.Ones)) & ascii.High
}

// plainBytes returns how many of eight bytes stand before the first that special finds.
func plainBytes(x uint64) int { return bits.TrailingZeros64(special(x)) / 8 }

// store writes eight bytes, the lowest first.
func store(b []byte, x uint64) {
	_ = b[7]
	b[0], b[1], b[2], b[3] = byte(x), byte(x>>8), byte(x>>16), byte(x>>24)
	b[4], b[5], b[6], b[7] = byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56)
}

// unescape reads the rest of a string that begins at start, after the quote;
// the first byte that does not stand for itself is at i. It copies as AppendText does.
func (r *Reader) unescape(start, i int) (string, bool) {
	var small [512]byte
	b := small[:]
	if n := i - start + eight; n > len(b) {
		b = make([]byte, 2*n)
	}
	src := r.src
	n := copy(b, src[start:i])
	for i < len(src) {
		if n > len(b)-eight {
			b = append(b, make([]byte, len(b))...)
		}
		if i >= 0 && i <= len(src)-eight && n >= 0 && n <= len(b)-eight { // which holds, as above
			x := ascii.Eight(src[i : i+eight])
			store(b[n:n+eight], x)
			plain := plainBytes(x)
			if i, n = i+plain, n+plain; plain == eight {
				continue
			}
		}
		switch c := src[i]; {
		case c == '"':
			r.pos = i + 1
			return string(b[:n]), true
		case c == '\\':
			if i+1 < len(src) {
				if c = unescaped[src[i+1]]; c != 0 && c != 'u' {
					b[n] = c
					i += 2
					n++
					continue
				}
			}
			character, length, f := escape(src[i:])
			if f == neverClosed {
				return "", r.fail(start-1, f)
			} else if f != noFault {
				return "", r.fail(i, f)
			}
			n += utf8.EncodeRune(b[n:], r.note(character, i))
			i += length
		case c < ' ':
			return "", r.fail(i, controlByte)
		default:
			copied := 1
			for i+copied < len(src) && copied < eight && src[i+copied] >= utf8.RuneSelf {
				copied++
			}
			copy(b[n:], src[i:i+copied])
			i += copied
			n += copied
		}
	}
	return "", r.fail(start-1, neverClosed)
}

// note remembers where the escapes are that callers may refuse, and returns
// the character to write.
func (r *Reader) note(character rune, offset int) rune {
	if character == 0 && r.nul < 0 {
		r.nul = offset
	}
	if character >= 0 {
		return character
	}
	if r.surrogate < 0 {
		r.surrogate = offset
	}
	return utf8.RuneError
}

// escape returns the character of the escape at the start of s,
// negative for a surrogate without its other half, and the escape's length.
func escape(s string) (character rune, length int, f fault) {
	if length, f = escapeLength(s); f != noFault {
		return 0, 0, f
	}
	if s[1] != 'u' {
		return rune(unescaped[s[1]]), length, noFault
	}
	r := hex4(s[2:])
	if !utf16.IsSurrogate(r) {
		return r, length, noFault
	}
	if strings.HasPrefix(s[length:], `\u`) {
		if pair := utf16.DecodeRune(r, hex4(s[length+2:])); pair != utf8.RuneError {
			return pair, 2 * length, noFault
		}
	}
	return -1, length, noFault
}

// unescaped maps the byte after a backslash to its character, and u to itself.
var unescaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// hex4 returns the value of the four hexadecimal digits that s begins with,
// or -1.
func hex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	r := rune(0)
	for i := range 4 {
		d := ascii.Hex(s[i])
		if d < 0 {
			return -1
		}
		r = r<<4 | rune(d)
	}
	return r
}
