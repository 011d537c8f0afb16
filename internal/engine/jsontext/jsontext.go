// Package jsontext reads and writes JSON as text (RFC 8259). Digits, member
// order and duplicate members are kept, and nothing becomes a Go value but
// strings.
//
// One scanner knows the grammar. [AppendCompact] and [Container] run it over a
// whole text, [Reader] over the values that its caller skips. It takes time
// linear in the text, and memory of one bit for each open array or object, so
// a caller that bounds the text bounds the cost.
package jsontext

import "unicode/utf8"

// MaxDepth is how deep arrays and objects may nest, as in encoding/json.
const MaxDepth = 10_000

// ByteOrderMark may stand before a text that comes from a file; a reader may pass over it
// (RFC 8259, section 8.1).
const ByteOrderMark = "\ufeff"

// Container reports whether s is a JSON object or array in UTF-8; white space
// around it is allowed.
func Container(s string) bool {
	_, ok := appendCompact(nil, s, false)
	return ok
}

// StartsContainer reports whether s starts as a JSON object or array does.
func StartsContainer(s string) bool {
	_, i := copier{start: -1}.skipSpace(s, 0)
	return at(s, i) == '{' || at(s, i) == '['
}

// AppendCompact appends the JSON object or array in s without the white space
// between its tokens. When s is neither, dst is returned unchanged.
func AppendCompact(dst []byte, s string) (out []byte, ok bool) {
	return appendCompact(dst, s, true)
}

func appendCompact(dst []byte, s string, write bool) ([]byte, bool) {
	c := copier{dst: dst}
	if !write {
		c.start = -1
	}
	c, i := c.skipSpace(s, 0)
	if b := at(s, i); b != '{' && b != '[' || !utf8.ValidString(s) {
		return dst, false
	}
	c, i, f := container(c, s, i, MaxDepth)
	if f != noFault {
		return dst, false
	}
	c = c.flush(s, i)
	c.start = -1
	if _, i = c.skipSpace(s, i); i != len(s) {
		return dst, false
	}
	return c.dst, true
}
