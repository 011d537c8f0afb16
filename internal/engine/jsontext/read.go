package jsontext

import (
	"strconv"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// An Error is why a text is not JSON, or not what its reader takes.
type Error struct {
	Offset  int // into the text, in bytes
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// A Reader steps through one JSON text in UTF-8. Its methods return false
// after an error in the syntax, which [Reader.Err] returns; they must not be
// called then.
type Reader struct {
	src   string
	pos   int
	depth int
	limit int
	err   *Error

	surrogate, nul int // as LoneSurrogate and NUL return them
}

// NewReader returns a Reader of src in which arrays and objects may nest limit
// deep. [Reader.Object] calls itself by way of its callers, so that the limit
// bounds Go's stack too.
func NewReader(src string, limit int) Reader { return Reader{src: src, limit: limit} }

// Err returns the error that ended reading, or nil.
func (r *Reader) Err() *Error { return r.err }

// Pos returns the offset of the next byte.
func (r *Reader) Pos() int { return r.pos }

// Advance skips n bytes.
func (r *Reader) Advance(n int) { r.pos += n }

// Peek skips white space and returns the byte after it, 0 at the end.
func (r *Reader) Peek() byte {
	for r.pos < len(r.src) && isSpace(r.src[r.pos]) {
		r.pos++
	}
	return at(r.src, r.pos)
}

// Kind returns what to call the value that begins at the next byte, as in "an
// object", or "" where no value begins.
func (r *Reader) Kind() string {
	switch r.Peek() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	}
	c := at(r.src, r.pos)
	if c == '-' || ascii.IsDigit(c) {
		return "a number"
	}
	if _, f := scalar(r.src, r.pos); f != noFault {
		return ""
	}
	if c == 'n' {
		return "null"
	}
	return "a boolean"
}

// Null skips the value null and reports whether it stood there.
func (r *Reader) Null() bool {
	if r.Peek() != 'n' {
		return false
	}
	end, f := literal(r.src, r.pos, "null", wantNull)
	r.pos = end
	return f == noFault
}

// Object reads an object, whose brace is the next byte. It calls member for
// each member, with the reader before the member's value and the offset of its
// name; member must read the value. In the name, a lone surrogate is U+FFFD.
func (r *Reader) Object(member func(name string, offset int) bool) bool {
	if r.depth == r.limit {
		return r.fail(r.pos, tooDeep)
	}
	r.depth++
	r.pos++
	if r.Peek() == '}' {
		return r.close()
	}
	for {
		if r.Peek() != '"' {
			return r.fail(r.pos, wantName)
		}
		offset := r.pos
		name, ok := r.String()
		if !ok {
			return false
		}
		if r.Peek() != ':' {
			return r.fail(r.pos, wantColon)
		}
		r.pos++
		if !member(name, offset) {
			return false
		}
		switch r.Peek() {
		case ',':
			r.pos++
		case '}':
			return r.close()
		default:
			return r.fail(r.pos, wantObjectEnd)
		}
	}
}

// Array reads an array, whose bracket is the next byte. It calls element with
// the reader before each element, which element must read.
func (r *Reader) Array(element func() bool) bool {
	if r.depth == r.limit {
		return r.fail(r.pos, tooDeep)
	}
	r.depth++
	r.pos++
	if r.Peek() == ']' {
		return r.close()
	}
	for {
		if r.Peek(); !element() {
			return false
		}
		switch r.Peek() {
		case ',':
			r.pos++
		case ']':
			return r.close()
		default:
			return r.fail(r.pos, wantArrayEnd)
		}
	}
}

// close skips the end of an object or array.
func (r *Reader) close() bool {
	r.pos++
	r.depth--
	return true
}

// Skip skips a value of any kind.
func (r *Reader) Skip() bool {
	r.Peek()
	end, f := skipValue(r.src, r.pos, r.limit-r.depth)
	if f != noFault {
		return r.fail(end, f)
	}
	r.pos = end
	return true
}

// String reads a string, whose quote is the next byte. A surrogate without its
// other half is not a character: it becomes U+FFFD, as in encoding/json,
// and [Reader.LoneSurrogate] returns its offset. Without escapes the string is
// a slice of the source.
func (r *Reader) String() (string, bool) {
	r.surrogate, r.nul = -1, -1
	start := r.pos + 1
	end := start + literalLength(r.src[start:])
	if end < len(r.src) && r.src[end] == '"' {
		r.pos = end + 1
		return r.src[start:end], true
	}
	return r.unescape(start, end)
}

// Unquote returns the value of the JSON string s.
func Unquote(s string) (string, bool) {
	r := NewReader(s, 0)
	if r.Peek() != '"' {
		return "", false
	}
	text, ok := r.String()
	return text, ok && r.pos == len(s)
}

// LoneSurrogate returns the offset of the first escape in the last string that
// is half of a surrogate pair, or -1.
func (r *Reader) LoneSurrogate() int { return r.surrogate }

// NUL returns the offset of the first escape in the last string that stands
// for NUL, or -1.
func (r *Reader) NUL() int { return r.nul }

// Unexpected makes the next byte the error: something else is
// wanted there. It returns false.
func (r *Reader) Unexpected(want string) bool { return r.failWith(r.pos, r.unexpected(r.pos, want)) }

func (r *Reader) fail(offset int, f fault) bool {
	message := ""
	switch f {
	case tooDeep:
		message = "the JSON is nested deeper than the limit of " + strconv.Itoa(r.limit)
	case neverClosed:
		message = "a string is never closed"
	case controlByte:
		message = "a string holds a control character that is not escaped"
	case unknownEscape:
		message = "a string holds an unknown escape"
	case badUnicode:
		message = `\u needs four hexadecimal digits`
	default:
		message = r.unexpected(offset, wanted[f])
	}
	return r.failWith(offset, message)
}

// wanted names what a fault misses.
var wanted = [...]string{
	wantValue:     "a value",
	wantName:      "a member name",
	wantColon:     "a colon",
	wantObjectEnd: "a comma or a closing brace",
	wantArrayEnd:  "a comma or a closing bracket",
	wantDigit:     "a digit",
	wantTrue:      "true",
	wantFalse:     "false",
	wantNull:      "null",
}

func (r *Reader) failWith(offset int, message string) bool {
	if r.err == nil {
		r.err = &Error{Offset: offset, Message: message}
	}
	return false
}

func (r *Reader) unexpected(offset int, want string) string {
	if offset >= len(r.src) {
		return "the JSON ends where " + want + " should follow"
	}
	found, _ := utf8.DecodeRuneInString(r.src[offset:])
	quoted := "an apostrophe"
	if found != '\'' {
		quoted = strconv.QuoteRune(found)
	}
	return "expected " + want + ", found " + quoted
}
