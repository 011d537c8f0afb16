// Package mime writes what curl's mime API puts on the wire and is not said by a
// part itself: how names are escaped, and how content is encoded. The rules are those
// of lib/mime.c of curl 8.22. It says what a media type is, too.
package mime

import (
	"encoding/base64"
	"iter"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

var (
	percentEscapes   = strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A")
	backslashEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

// EscapeName escapes the name of a part, or that of its file, for its place between
// quotes in Content-Disposition, with backslashes as --form-escape does, or else with
// percent signs: escape_string().
func EscapeName(s string, backslashes bool) string {
	if backslashes {
		return backslashEscapes.Replace(s)
	}
	return percentEscapes.Replace(s)
}

// FormData is the type of a form of parts, if the command names no other.
const FormData = "multipart/form-data"

// IsForm reports whether content of a type is a form, whose parts have names:
// content_is_type().
func IsForm(contentType string) bool {
	if len(contentType) < len(FormData) || !ascii.EqualFold(contentType[:len(FormData)], FormData) {
		return false
	}
	rest := contentType[len(FormData):]
	return rest == "" || strings.IndexByte("\t\r\n ;", rest[0]) >= 0
}

// Mixed is the type of a part that holds parts, if the command names no other.
const Mixed = "multipart/mixed"

// Field returns the value of a field among the lines that a command names for the
// head of a part: match_header().
func Field(lines []string, name string) (value string, found bool) {
	for _, line := range lines {
		if value, found = fieldValue(line, name); found {
			return value, true
		}
	}
	return "", false
}

func fieldValue(line, name string) (string, bool) {
	if len(line) <= len(name) || line[len(name)] != ':' || !ascii.EqualFold(line[:len(name)], name) {
		return "", false
	}
	return strings.TrimLeft(line[len(name)+1:], " "), true
}

// WithoutType yields the lines that a command names for the head of a part, but for
// those of Content-Type, whose value stands in the line that curl writes itself.
func WithoutType(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			if _, typed := fieldValue(line, "Content-Type"); !typed && !yield(line) {
				return
			}
		}
	}
}

// Boundaries makes the boundaries of the parts of a form that hold parts, each another
// one. All are as long as that of the form, as curl's are, so that none begins with
// another one, which some readers take for it, and the length of the content is curl's.
type Boundaries struct {
	Form string // the boundary of the form
	used int
}

// Next returns the boundary for the next part that holds parts.
func (b *Boundaries) Next() string {
	b.used++
	number := strconv.Itoa(b.used)
	next := b.Form[:max(0, len(b.Form)-len(number))] + number
	if next == b.Form {
		return b.Next()
	}
	return next
}

// maxEncodedLine is how long an encoded line may be.
const maxEncodedLine = 76

// The encoders that change content, by their names in small letters.
const (
	base64Encoder          = "base64"
	quotedPrintableEncoder = "quoted-printable"
)

// Encodes reports whether an encoder, whose name may be in any case, changes content.
func Encodes(encoder string) bool {
	return ascii.EqualFold(encoder, base64Encoder) || ascii.EqualFold(encoder, quotedPrintableEncoder)
}

// AppendEncoded appends the content of a part in an encoding. Encoders that do not
// change content leave it as it is.
func AppendEncoded(dst []byte, content, encoder string) []byte {
	switch strings.ToLower(encoder) {
	case base64Encoder:
		for len(content) > 0 {
			n := min(len(content), maxEncodedLine/4*3)
			dst = base64.StdEncoding.AppendEncode(dst, []byte(content[:n]))
			if content = content[n:]; content != "" {
				dst = append(dst, "\r\n"...)
			}
		}
		return dst
	case quotedPrintableEncoder:
		return appendQuotedPrintable(dst, content)
	}
	return append(dst, content...)
}

func appendQuotedPrintable(dst []byte, s string) []byte {
	endOfLine := func(i int) bool { return i >= len(s) || strings.HasPrefix(s[i:], "\r\n") }
	column := 0
	for i := 0; i < len(s); {
		if strings.HasPrefix(s[i:], "\r\n") {
			dst = append(dst, "\r\n"...)
			column = 0
			i += 2
			continue
		}
		c := s[i]
		plain := c > ' ' && c <= '~' && c != '=' || (c == ' ' || c == '\t') && !endOfLine(i+1)
		width := 3
		if plain {
			width = 1
		}
		if column+width > maxEncodedLine || column+width == maxEncodedLine && !endOfLine(i+1) {
			dst = append(dst, "=\r\n"...)
			column = 0
			continue
		}
		if plain {
			dst = append(dst, c)
		} else {
			dst = append(dst, '=', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
		column += width
		i++
	}
	return dst
}
