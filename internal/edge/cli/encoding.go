package cli

import (
	"bufio"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/internal/engine/jsontext"
)

// textReader returns a reader of the UTF-8 text in r. A byte order mark is left
// out; it names the encoding, because Windows PowerShell writes UTF-16.
func textReader(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	start, _ := b.Peek(len(jsontext.ByteOrderMark))
	switch {
	case string(start) == jsontext.ByteOrderMark:
		_, _ = b.Discard(len(start))
	case len(start) >= 2 && string(start[:2]) == "\xff\xfe":
		_, _ = b.Discard(2)
		return &utf16Reader{b, binary.LittleEndian}
	case len(start) >= 2 && string(start[:2]) == "\xfe\xff":
		_, _ = b.Discard(2)
		return &utf16Reader{b, binary.BigEndian}
	}
	return b
}

// A utf16Reader turns UTF-16 into UTF-8.
type utf16Reader struct {
	b     *bufio.Reader
	order binary.ByteOrder
}

// Read needs room for one character at least.
func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for n+utf8.UTFMax <= len(p) && (n == 0 || u.b.Buffered() > utf8.UTFMax) {
		unit, err := u.b.Peek(2)
		if len(unit) < 2 {
			return n, err
		}
		_, _ = u.b.Discard(2)
		r := rune(u.order.Uint16(unit))
		if utf16.IsSurrogate(r) {
			second, _ := u.b.Peek(2)
			if len(second) == 2 {
				r = utf16.DecodeRune(r, rune(u.order.Uint16(second)))
			}
			if r > 0xffff {
				_, _ = u.b.Discard(2)
			}
		}
		n += utf8.EncodeRune(p[n:], r) // U+FFFD for a surrogate that is alone
	}
	return n, nil
}
