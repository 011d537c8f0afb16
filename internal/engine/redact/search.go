package redact

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// searched is how many bytes a secret has at least that is looked for everywhere: shorter ones
// are parts of other words.
const searched = 8

// A Finder looks for secrets in texts, in time linear in them: the last step of whoever hides or
// moves secrets, because the same value may stand where nothing makes it one. The zero value
// finds nothing.
type Finder struct{ at map[string][]sought }

// A sought is a secret, of which the bytes at an offset are the key.
type sought struct {
	value         string
	offset, index int
}

// NewFinder returns a Finder for the values of 8 bytes and more. A name of a secret, which is
// what documentation writes in place of one, is none.
func NewFinder(values []string) Finder {
	f := Finder{make(map[string][]sought)}
	for i, value := range values {
		if len(value) < searched || isName(value) {
			continue
		}
		// Tokens of one issuer begin alike.
		for _, offset := range [...]int{0, len(value) - searched, (len(value) - searched) / 2} {
			key := value[offset : offset+searched]
			if same := f.at[key]; len(same) < searched {
				f.at[key] = append(same, sought{value, offset, i})
				break
			}
		}
	}
	return f
}

// isName reports a text that is the name of a secret, such as YOUR_API_KEY or {{token}}.
func isName(s string) bool {
	return Secret(s) && !strings.ContainsFunc(s, func(r rune) bool { return '0' <= r && r <= '9' })
}

// mostCompared is how many bytes are compared at most for each byte of a text.
const mostCompared = 1024

// firstCompared is how many bytes decide whether the others are compared.
const firstCompared = 64

// Empty reports whether nothing is looked for.
func (f Finder) Empty() bool { return len(f.at) == 0 }

// Find shows the places of the values in a text, by their index, in the order of their keys.
func (f Finder) Find(text string, found func(index int, at Span)) {
	if f.Empty() {
		return
	}
	left := mostCompared * (len(text) + searched) // where all is one letter, each place is the beginning of a value
	for i := range max(0, len(text)-searched+1) {
		for _, one := range f.at[text[i:i+searched]] {
			start := i - one.offset
			if start < 0 || !strings.HasPrefix(text[start:], one.value[:min(len(one.value), firstCompared)]) {
				continue
			}
			if left -= len(one.value); left < 0 {
				return
			}
			if strings.HasPrefix(text[start:], one.value) {
				found(one.index, Span{start, start + len(one.value)})
			}
		}
	}
}

// spans returns where a text has the values, without overlaps.
func (f Finder) spans(text string) []Span {
	var spans []Span
	f.Find(text, func(_ int, at Span) { spans = append(spans, at) })
	return merged(spans)
}

// alternatives returns what a shell takes where a variable has no value, or the other way round:
// the x of ${TOKEN:-x}, without variables within it.
func alternatives(name, expr, value string) []string {
	if value == "" {
		rest, ok := strings.CutPrefix(expr, "${"+name)
		if !ok {
			return nil
		}
		rest = strings.TrimPrefix(rest, ":")
		if rest == "" || strings.IndexByte("-=?+", rest[0]) < 0 {
			return nil // ${X^^}, ${X:0:3}
		}
		value = strings.TrimSuffix(rest[1:], "}")
	}
	var out []string
	for {
		literal, after, more := strings.Cut(value, "$")
		if strings.Trim(literal, Signs+`"'{}()`) != "" {
			out = append(out, literal)
		}
		if !more {
			return out
		}
		end := 0
		for end < len(after) && ascii.IsNameByte(after[end]) {
			end++
		}
		value = after[end:]
	}
}

// sweep hides what was found in the other strings of requests.
func (h *hider) sweep(requests []request.Request) {
	h.finder = NewFinder(h.found)
	h.short = make(map[string]bool)
	for _, one := range h.found {
		if len(one) >= shortSecret && !isName(one) && !isConstant(one) {
			h.short[one] = true
		}
	}
	if len(h.short) == 0 {
		return
	}
	for i := range requests {
		r := &requests[i]
		reqtext.Rewrite(r, func(s *reqtext.String) {
			switch s.Member {
			case request.MemberBody:
				if r.Body.Kind == request.KindJSON {
					h.sweepJSON(&s.Text)
					return
				}
			case request.MemberPartValue, request.MemberPartContent:
				if jsontext.Container(s.Value) {
					h.sweepJSON(&s.Text)
					return
				}
			}
			h.sweepText(&s.Text)
		})
	}
}

// isConstant reports a value of JSON that is none of a secret alone.
func isConstant(s string) bool { return s == "true" || s == "false" || s == "null" }

// sweepText hides what was found in a text.
func (h *hider) sweepText(t *reqtext.Text) {
	spans := h.finder.spans(t.Value)
	if h.short[t.Value] {
		spans = []Span{{End: len(t.Value)}}
	}
	for end := 0; end < len(t.Value); { // the values of a URL, a form and cookies
		i := strings.IndexByte(t.Value[end:], '=')
		if i < 0 {
			break
		}
		start := end + i + 1
		if end = start + strings.IndexAny(t.Value[start:], "&;#"); end < start {
			end = len(t.Value)
		}
		if h.short[t.Value[start:end]] {
			spans = append(spans, Span{start, end})
		}
	}
	if len(spans) == 0 {
		return
	}
	var b reqtext.Builder
	end := 0
	for _, at := range merged(spans) {
		b.Keep(*t, end, at.Start)
		b.Replace(*t, at.Start, at.End, Mask)
		end = at.End
	}
	b.Keep(*t, end, len(t.Value))
	*t = b.Text()
}

// sweepJSON hides what was found in JSON text, which stays JSON.
func (h *hider) sweepJSON(t *reqtext.Text) {
	h.sweeps = true
	h.json(t)
	h.sweeps = false
}
