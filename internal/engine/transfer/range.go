package transfer

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// checkRange mends a range as parse_range() in curl 8.22
// src/tool_getparam.c: a number that no dash follows is taken for an open
// range, and what follows it is dropped.
func (b *builder) checkRange(c *config) {
	if len(c.rangeSpec.holes()) > 0 {
		return
	}
	text := c.rangeSpec.Text
	digits := 0
	for digits < len(text) && ascii.IsDigit(text[digits]) {
		digits++
	}
	if n, err := strconv.ParseInt(text[:digits], 10, 64); err == nil && !strings.HasPrefix(text[digits:], "-") {
		c.rangeSpec.Text = strconv.FormatInt(n, 10) + "-"
		b.warn(diag.WarnRange, c.rangeSpec.span(), "a range needs a dash; curl sends "+c.rangeSpec.Text, "write "+c.rangeSpec.Text)
		return
	}
	if strings.Trim(text, "0123456789-,") != "" {
		b.warn(diag.WarnRange, c.rangeSpec.span(), "this is not a range of bytes, and the server may not take it", "write start-end")
	}
}

// setResume reads -C.
func (c *config) setResume(s *curl.Setting) {
	c.hasResume = true
	c.resumeEnd = s.Value.Text == "-"
	c.resume = 0
	c.rangeSpec.setting = s
	if n, err := strconv.ParseInt(s.Value.Text, 10, 64); err == nil {
		c.resume = n
	} else if len(s.Value.Holes) > 0 {
		c.rangeSpec.Text = s.Value.Text + "-"
	}
}

// rangeField appends Range, or Content-Range when something is sent:
// http_range() in curl 8.22 lib/http.c.
func (t *transfer) rangeField() {
	c := t.c
	spec := c.rangeSpec.Text
	if c.resume != 0 {
		spec = strconv.FormatInt(c.resume, 10) + "-"
	}
	resumeUpload := c.resumeEnd && t.kind == kindPut
	if spec == "" && !resumeUpload {
		return
	}
	name, value := "", ""
	switch t.kind {
	case kindUnset, kindGet, kindHead:
		name, value = "Range", "bytes="+spec
	case kindPost, kindPut:
		name, value = "Content-Range", "bytes "+t.contentRange(spec)
	default:
		return
	}
	if c.find(name) == nil {
		t.add(request.Field{Name: name, Value: value, From: c.rangeSpec.from(), Origin: request.OriginImplied, Span: c.rangeSpec.at()})
	}
}

// resumeOutput makes -C - the length of the file that the output goes to, if
// it was supplied. Later URLs without a file keep it, as in curl.
func (c *config) resumeOutput(t *transfer) {
	if !c.resumeEnd {
		return
	}
	switch {
	case t.upload != "":
		c.resume = -1 // the library is to find out
	case t.n.output != "" && t.n.output != "-":
		c.resume, c.resumesFile = int64(len(t.b.in.Files[t.b.in.Marks.Restore(t.n.output)])), true
	case t.namesOutput(): // a file named after the URL, which is not known to exist
		c.resume, c.resumesFile = 0, true
	}
}

func (t *transfer) contentRange(spec string) string {
	length, known := t.contentLength()
	if known && t.unmeasured() {
		length = -1 // as curl counts what it does not know
	}
	total, last := "*", "*"
	if t.c.resume > 0 {
		length += t.c.resume // the content is what follows the offset
	}
	if known {
		total, last = strconv.FormatInt(length, 10), strconv.FormatInt(length-1, 10)
	}
	switch {
	case t.c.resumeEnd && t.upload != "":
		return "0-" + last + "/" + total
	case t.c.resume > 0:
		return spec + last + "/" + total
	}
	return spec + "/" + total
}
