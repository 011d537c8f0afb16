package api

import (
	"cmp"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/internal/jsontext"
)

// DefaultDepth bounds how deeply arrays and objects may be nested, so that
// the stack stays small whatever the input. Only members that are ignored,
// and id, can be nested at all.
const DefaultDepth = 512

// A scanner steps through one JSON text. Its methods return false after an
// error in the text's syntax, from which there is no going on; an error in
// its meaning is recorded, and scanning goes on, so that a batch can say
// which line was meant.
//
// The text is known to be UTF-8.
type scanner struct {
	src      string
	pos      int
	depth    int
	maxDepth int    // 0: DefaultDepth
	err      *Error // the first error
}

// deeper enters an array or object.
func (s *scanner) deeper() bool {
	limit := cmp.Or(s.maxDepth, DefaultDepth)
	if s.depth++; s.depth > limit {
		return s.fail(s.pos, "", "the JSON is nested deeper than the limit of "+strconv.Itoa(limit))
	}
	return true
}

// fail records an error, unless there is one already. It returns false.
func (s *scanner) fail(offset int, member, message string) bool {
	if s.err == nil {
		s.err = &Error{Offset: offset, Member: member, Message: message}
	}
	return false
}

// unexpected fails at the current byte, which does not begin what is wanted.
func (s *scanner) unexpected(want string) bool {
	if s.pos >= len(s.src) {
		return s.fail(s.pos, "", "the JSON ends where "+want+" should follow")
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return s.fail(s.pos, "", "found "+quoteRune(r)+" where "+want+" should be")
}

// space skips white space and returns the byte after it, 0 at the end.
func (s *scanner) space() byte {
	for ; s.pos < len(s.src); s.pos++ {
		switch c := s.src[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// kind names the value that begins at the current byte.
func (s *scanner) kind() string {
	switch c := s.space(); {
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case c == '"':
		return "a string"
	case s.at("true"), s.at("false"):
		return "a boolean"
	case s.at("null"):
		return "null"
	case c == '-', '0' <= c && c <= '9':
		return "a number"
	}
	return "" // not a value
}

// at reports whether the rest of the text begins with a word.
func (s *scanner) at(word string) bool { return strings.HasPrefix(s.src[s.pos:], word) }

// object steps through an object and calls member for each of its members,
// with the scanner before the member's value and the offset of its name.
func (s *scanner) object(member func(name string, offset int) bool) bool {
	if !s.deeper() {
		return false
	}
	s.pos++ // the brace
	if s.space() == '}' {
		s.pos++
		s.depth--
		return true
	}
	for {
		if s.space() != '"' {
			return s.unexpected("a member name")
		}
		offset := s.pos
		name, ok := s.string()
		if !ok {
			return false
		}
		if s.space() != ':' {
			return s.unexpected("a colon")
		}
		s.pos++
		if !member(name, offset) {
			return false
		}
		switch s.space() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			s.depth--
			return true
		default:
			return s.unexpected("a comma or a closing brace")
		}
	}
}

// array steps through an array whose values do not matter.
func (s *scanner) array() bool {
	if !s.deeper() {
		return false
	}
	s.pos++ // the bracket
	if s.space() == ']' {
		s.pos++
		s.depth--
		return true
	}
	for {
		if !s.skip() {
			return false
		}
		switch s.space() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			s.depth--
			return true
		default:
			return s.unexpected("a comma or a closing bracket")
		}
	}
}

// skip steps over a value of any type.
func (s *scanner) skip() bool {
	switch c := s.space(); {
	case c == '{':
		return s.object(func(string, int) bool { return s.skip() })
	case c == '[':
		return s.array()
	case c == '"':
		_, ok := s.string()
		return ok
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	case c == '-', '0' <= c && c <= '9':
		return s.number()
	}
	return s.unexpected("a value")
}

func (s *scanner) literal(word string) bool {
	if !s.at(word) {
		return s.unexpected(word)
	}
	s.pos += len(word)
	return true
}

func (s *scanner) number() bool {
	if s.src[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.src) && s.src[s.pos] == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.pos < len(s.src) && s.src[s.pos] == '.' {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if s.pos < len(s.src) && s.src[s.pos]|0x20 == 'e' {
		s.pos++
		if s.pos < len(s.src) && (s.src[s.pos] == '+' || s.src[s.pos] == '-') {
			s.pos++
		}
		return s.digits()
	}
	return true
}

// digits steps over one or more digits.
func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.src) && '0' <= s.src[s.pos] && s.src[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start || s.unexpected("a digit")
}

// string reads a string. Without escapes it is a slice of the source.
func (s *scanner) string() (string, bool) {
	start := s.pos + 1 // after the quote
	end := start + jsontext.PlainLength(s.src[start:])
	if end < len(s.src) && s.src[end] == '"' {
		s.pos = end + 1
		return s.src[start:end], true
	}
	return s.unescape(start, end)
}

// unescape reads a string that begins at start, and in which the first byte
// that does not stand for itself is at i. It copies eight bytes at a time, of
// which those count that stand for themselves.
func (s *scanner) unescape(start, i int) (string, bool) {
	const eight = 8
	var room [512]byte
	b := room[:]
	if n := i - start + eight; n > len(room) {
		b = make([]byte, 2*n)
	}
	n := copy(b, s.src[start:i])
	for i < len(s.src) {
		if len(b) < n+eight {
			b = append(b, make([]byte, len(b))...)
		}
		if i+eight <= len(s.src) {
			x := jsontext.Load(s.src[i:])
			binary.LittleEndian.PutUint64(b[n:], x)
			plain := jsontext.PlainOfEight(x)
			i += plain
			n += plain
			if plain == eight {
				continue
			}
		}
		switch c := s.src[i]; {
		case c == '"':
			s.pos = i + 1
			return string(b[:n]), true
		case c == '\\':
			written, read := s.escape(b[n:], i)
			if read == 0 {
				return "", false
			}
			n += written
			i += read
		case c < ' ':
			return "", s.fail(i, "", "a string holds a control character that is not escaped")
		default:
			b[n] = c
			i++
			n++
		}
	}
	return "", s.fail(s.pos, "", neverClosed)
}

// escape writes what the escape at i stands for, and returns the lengths of
// both, or none for an error. A surrogate without its other half stands for no
// character: it becomes U+FFFD, as in encoding/json.
func (s *scanner) escape(dst []byte, i int) (written, read int) {
	rest := s.src[i:]
	if len(rest) == 1 {
		s.fail(s.pos, "", neverClosed)
		return 0, 0
	}
	if c := unescaped[rest[1]]; c == 0 {
		s.fail(i, "", "a string holds an unknown escape")
		return 0, 0
	} else if c != 'u' {
		dst[0] = c
		return 1, 2
	}
	r := hex4(rest[2:])
	if r < 0 {
		s.fail(i, "", `\u needs four hexadecimal digits`)
		return 0, 0
	}
	read = len(`\u0000`)
	if utf16.IsSurrogate(r) {
		first := r
		if r = utf8.RuneError; strings.HasPrefix(rest[read:], `\u`) {
			r = utf16.DecodeRune(first, hex4(rest[read+2:]))
		}
		if r != utf8.RuneError {
			read *= 2
		}
	}
	return utf8.EncodeRune(dst, r), read
}

const neverClosed = "a string is never closed"

// unescaped has what the byte behind a backslash stands for, and u for itself.
var unescaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// hex4 returns the value of the four hexadecimal digits that s begins with,
// or -1.
func hex4(s string) rune {
	if len(s) < 4 {
		return -1
	}
	r, err := strconv.ParseUint(s[:4], 16, 16)
	if err != nil {
		return -1
	}
	return rune(r)
}
