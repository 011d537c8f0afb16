package render

import (
	"strconv"
	"strings"

	"uncoil/request"
)

// AppendHTTP appends the request as curl puts it on the wire with HTTP/1.1,
// its own defaults included. boundary separates the parts of a form; curl
// picks a random one for each. A body that goes out in chunks is one chunk.
//
// ok is false when the content is not known, and then nothing is appended.
func AppendHTTP(dst []byte, r *request.Request, boundary string) (out []byte, ok bool) {
	body, ok := appendContent(nil, r, boundary)
	if !ok {
		return dst, false
	}
	dst = append(dst, r.Method...)
	dst = append(dst, ' ')
	dst = append(dst, target(r)...)
	dst = append(dst, " HTTP/"...)
	dst = append(dst, httpVersion(r)...)
	dst = append(dst, "\r\n"...)
	chunked := false
	for i := range r.Fields {
		f := &r.Fields[i]
		if strings.EqualFold(f.Name, "Transfer-Encoding") && strings.Contains(strings.ToLower(f.Value), "chunked") {
			chunked = true
		}
		dst = appendFieldLine(dst, r, f, boundary, len(body))
	}
	dst = append(dst, "\r\n"...)
	if !chunked {
		return append(dst, body...), true
	}
	if len(body) > 0 {
		dst = strconv.AppendInt(dst, int64(len(body)), 16)
		dst = append(dst, "\r\n"...)
		dst = append(dst, body...)
		dst = append(dst, "\r\n"...)
	}
	return append(dst, "0\r\n\r\n"...), true
}

// target returns what --request-target gives, or else path and query.
func target(r *request.Request) string {
	if r.Target != "" {
		return r.Target
	}
	url := r.URL
	if i := strings.Index(url, "://"); i >= 0 {
		url = url[i+len("://"):]
	}
	i := strings.IndexAny(url, "/?")
	switch {
	case i < 0:
		return "/"
	case url[i] == '?':
		return "/" + url[i:]
	}
	return url[i:]
}

func httpVersion(r *request.Request) string {
	for _, o := range r.Options {
		if o.Name == "httpVersion" && o.Value == "1.0" {
			return "1.0"
		}
	}
	return "1.1"
}

// appendFieldLine appends a field. The length of a form's content, and its
// boundary, are known only now.
func appendFieldLine(dst []byte, r *request.Request, f *request.Field, boundary string, length int) []byte {
	if f.Line != "" {
		dst = append(dst, f.Line...)
	} else {
		dst = append(dst, f.Name...)
		dst = append(dst, ": "...)
		dst = append(dst, f.Value...)
	}
	switch {
	case f.Origin == request.Default && f.Name == "Content-Length" && f.Value == "":
		dst = strconv.AppendInt(dst, int64(length), 10)
	case r.Body != nil && r.Body.Kind == request.Multipart && strings.EqualFold(f.Name, "Content-Type"):
		dst = append(dst, "; boundary="...)
		dst = append(dst, boundary...)
	}
	return append(dst, "\r\n"...)
}

// appendContent appends the bytes of the body; ok is false when they are not
// known.
func appendContent(dst []byte, r *request.Request, boundary string) (out []byte, ok bool) {
	b := r.Body
	switch {
	case b == nil:
		return dst, true
	case b.Kind <= request.Binary:
		return append(dst, b.Data...), true
	case b.Kind == request.Multipart:
		w := multipartWriter{dst: dst, boundary: boundary, backslash: b.FormEscape}
		disposition := ""
		if contentType, _, _ := strings.Cut(contentTypeOf(r), ";"); strings.EqualFold(strings.TrimSpace(contentType), "multipart/form-data") {
			disposition = "form-data"
		}
		ok := w.parts(b.Parts, disposition)
		return w.dst, ok
	}
	return dst, false
}

func contentTypeOf(r *request.Request) string {
	for i := range r.Fields {
		if strings.EqualFold(r.Fields[i].Name, "Content-Type") {
			return r.Fields[i].Value
		}
	}
	return ""
}
