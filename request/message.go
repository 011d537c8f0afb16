package request

import (
	"errors"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/mime"
	"uncoil/internal/engine/urlparts"
)

// A Source supplies what the content of a request is made of and what the
// request does not hold.
type Source struct {
	// Boundary separates the parts of a form. curl picks a random one for each
	// form: 24 dashes and 22 letters and digits. Where parts hold parts, theirs
	// are the same but for a number at the end.
	Boundary string
	// ReadFile returns the content of a file that was not supplied when the
	// command was read; "-" is standard input. With nil, no file can be read.
	ReadFile func(name string) ([]byte, error)
}

// ErrNotSupplied is the cause of a [FileError] when no ReadFile is given.
var ErrNotSupplied = errors.New("the file was not supplied")

// A FileError is why the content of a request is not known: a file of it could
// not be read.
type FileError struct {
	Name string // "-" for standard input
	Err  error
}

func (e *FileError) Error() string {
	return "request: content of " + strconv.Quote(e.Name) + ": " + e.Err.Error()
}

func (e *FileError) Unwrap() error { return e.Err }

func (s *Source) read(name string) (string, error) {
	if s.ReadFile == nil {
		return "", &FileError{name, ErrNotSupplied}
	}
	data, err := s.ReadFile(name)
	if err != nil {
		return "", &FileError{name, err}
	}
	return string(data), nil
}

// AppendMessage appends the request as curl puts it on the wire with HTTP/1.1,
// its own defaults included. Content that goes out in chunks is one chunk. On
// error, a *[FileError], dst comes back as it was.
func (r *Request) AppendMessage(dst []byte, source Source) (out []byte, err error) {
	out = dst
	defer fault.Recover(&err)
	body, err := r.AppendBody(nil, source)
	if err != nil {
		return dst, err
	}
	dst = append(dst, r.Method...)
	dst = append(dst, ' ')
	dst = append(dst, r.RequestTarget()...)
	dst = append(dst, " HTTP/"...)
	dst = append(dst, httpVersion(r)...)
	dst = append(dst, "\r\n"...)
	chunked := false
	for i := range r.Fields {
		f := &r.Fields[i]
		if ascii.EqualFold(f.Name, "Transfer-Encoding") && strings.Contains(strings.ToLower(f.Value), "chunked") {
			chunked = true
		}
		dst = appendFieldLine(dst, r, f, source.Boundary, len(body))
	}
	dst = append(dst, "\r\n"...)
	if !chunked {
		return append(dst, body...), nil
	}
	if len(body) > 0 {
		dst = strconv.AppendInt(dst, int64(len(body)), 16)
		dst = append(dst, "\r\n"...)
		dst = append(dst, body...)
		dst = append(dst, "\r\n"...)
	}
	return append(dst, "0\r\n\r\n"...), nil
}

// RequestTarget returns what --request-target gives, or else the path and query
// of the URL.
func (r *Request) RequestTarget() string {
	if r.Target != "" {
		return r.Target
	}
	parts := urlparts.Of(r.URL)
	if parts.Path == parts.Query {
		return "/" + r.URL[parts.Path:]
	}
	return r.URL[parts.Path:]
}

func httpVersion(r *Request) string {
	for _, o := range r.Options {
		if o.Name == "httpVersion" && o.Value == "1.0" {
			return "1.0"
		}
	}
	return "1.1"
}

// appendFieldLine appends a field. The length of a form's content, and its
// boundary, are known only now.
func appendFieldLine(dst []byte, r *Request, f *Field, boundary string, length int) []byte {
	if f.Line != "" {
		dst = append(dst, f.Line...)
	} else {
		dst = append(dst, f.Name...)
		dst = append(dst, ": "...)
		dst = append(dst, f.Value...)
	}
	switch {
	case f.Origin == OriginDefault && f.Name == "Content-Length" && f.Value == "":
		dst = strconv.AppendInt(dst, int64(length), 10)
	case r.Body != nil && r.Body.Kind == KindMultipart && ascii.EqualFold(f.Name, "Content-Type"):
		dst = append(dst, "; boundary="...)
		dst = append(dst, boundary...)
	}
	return append(dst, "\r\n"...)
}

// AppendBody appends the bytes of the content. On error, a *[FileError], dst
// comes back as it was.
func (r *Request) AppendBody(dst []byte, source Source) (out []byte, err error) {
	out = dst
	defer fault.Recover(&err)
	b := r.Body
	if b == nil {
		return dst, nil
	}
	switch b.Kind {
	case KindMultipart:
		w := multipartWriter{dst: dst, source: source, inner: mime.Boundaries{Form: source.Boundary}, backslash: b.FormEscape}
		if err := w.parts(b.Parts, source.Boundary, contentTypeOf(r)); err != nil {
			return dst, err
		}
		return w.dst, nil
	case KindFile, KindStdin, KindConcat:
		return r.appendPieces(dst, source)
	}
	return append(dst, b.Data...), nil
}

// appendPieces appends content of which some files were not supplied.
func (r *Request) appendPieces(dst []byte, source Source) ([]byte, error) {
	out := dst
	for i := range r.Body.Pieces {
		p := &r.Body.Pieces[i]
		if p.Kind == KindText {
			out = append(out, p.Text...)
			continue
		}
		content, err := source.read(p.File)
		if err != nil {
			return dst, err
		}
		out = append(out, p.Apply(content)...)
	}
	if text := out[len(dst):]; r.convertsLines() && len(text) > 0 {
		out = append(out[:len(dst):len(dst)], toCRLF(string(text))...)
	}
	return out, nil
}

// convertsLines reports --crlf and --use-ascii, with which curl ends the lines
// of the content with CRLF.
func (r *Request) convertsLines() bool {
	for _, o := range r.Options {
		if (o.Name == "crlf" || o.Name == "useAscii") && o.Value == true {
			return true
		}
	}
	return false
}

// toCRLF makes CRLF of each LF that has no CR before it.
func toCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// Apply returns what curl makes of the content of a file.
func (p *Piece) Apply(content string) string {
	content = content[min(int64(len(content)), max(p.Offset, 0)):]
	if p.Strip && strings.ContainsAny(content, "\r\n\x00") {
		content = lineStripper.Replace(content)
	}
	if !p.URLEncode || content == "" {
		return content // without a name, as in curl, when empty
	}
	encoded := make([]byte, 0, len(p.Name)+len(content)+len("=")+16)
	if p.Name != "" {
		encoded = append(append(encoded, p.Name...), '=')
	}
	return string(ascii.AppendPercent(encoded, content, "+"))
}

// lineStripper removes what -d drops from a file (file2string() in curl 8.22
// src/tool_paramhlp.c).
var lineStripper = strings.NewReplacer("\r", "", "\n", "", "\x00", "")

func contentTypeOf(r *Request) string {
	for i := range r.Fields {
		if ascii.EqualFold(r.Fields[i].Name, "Content-Type") {
			return r.Fields[i].Value
		}
	}
	return ""
}
