package mime

import (
	"iter"
	"strings"
)

// A Head is what stands before the content of a part. T is a text: bytes, or one with
// variables in it.
type Head[T any] struct {
	InForm         bool // whether the part is one of a form, which has a disposition without names, too
	Name, Filename *T   // as [EscapeName] writes them; nil for none
	Type           *T   // nil for none
	Boundary       string
	Encoder        string
	Own            []string // lines that the command names, which take the place of what curl would write
}

// Lines returns the lines of a head, without their ends: Curl_mime_prepare_headers() and
// add_content_disposition() in curl 8.22 lib/mime.c. literal makes a text of bytes, and
// join one of several.
func (h *Head[T]) Lines(literal func(string) T, join func(...T) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		line, ok := h.disposition(literal, join)
		if ok && !yield(line) {
			return
		}
		if h.Type != nil {
			end := ""
			if h.Boundary != "" {
				end = "; boundary=" + h.Boundary
			}
			if !yield(join(literal("Content-Type: "), *h.Type, literal(end))) {
				return
			}
		}
		if _, own := Field(h.Own, "Content-Transfer-Encoding"); h.Encoder != "" && !own && !yield(literal("Content-Transfer-Encoding: "+strings.ToLower(h.Encoder))) {
			return
		}
		for line := range WithoutType(h.Own) {
			if !yield(literal(line)) {
				return
			}
		}
	}
}

// disposition returns the line Content-Disposition, if curl writes one.
func (h *Head[T]) disposition(literal func(string) T, join func(...T) T) (line T, ok bool) {
	if _, own := Field(h.Own, "Content-Disposition"); own || !h.InForm && h.Name == nil && h.Filename == nil {
		return line, false
	}
	disposition := "attachment"
	if h.InForm {
		disposition = "form-data"
	}
	line = literal("Content-Disposition: " + disposition)
	if h.Name != nil {
		line = join(line, literal(`; name="`), *h.Name, literal(`"`))
	}
	if h.Filename != nil {
		line = join(line, literal(`; filename="`), *h.Filename, literal(`"`))
	}
	return line, true
}
