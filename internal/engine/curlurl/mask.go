package curlurl

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/word"
)

// A mark stands for a placeholder: these two control characters, which curl
// accepts in no URL, around the placeholder's number.
const (
	markOpen  = '\x01'
	markClose = '\x02'
)

// Masked is a URL with marks in the place of its placeholders.
type Masked struct {
	Text         string
	placeholders []string
	templates    bool // some placeholder is not a variable of the shell
	loose        bool // some placeholder is one of MaskHost alone
	meter        *meter.Meter
}

// Mask hides the placeholders of a URL: the unknown parts of the word, {{x}},
// ${{x}}, <x>, and {x} where x is one name. Control characters that could be taken
// for marks become another one, which the parser refuses as well. When the
// meter refuses, the text is empty.
func Mask(w *word.Word, m *meter.Meter) Masked {
	s := w.Text
	switch {
	case strings.IndexByte(s, markOpen) >= 0 || strings.IndexByte(s, markClose) >= 0:
		if !m.Hold(len(s)) {
			return Masked{}
		}
		return Masked{Text: strings.NewReplacer(string(markOpen), "\x03", string(markClose), "\x03").Replace(s)}
	case len(w.Holes) == 0 && strings.IndexByte(s, '{') < 0 && strings.IndexByte(s, '<') < 0:
		return Masked{Text: s}
	}
	k := masker{s: s, holes: w.Holes, Masked: Masked{meter: m}}
	if !m.Work(8*len(s)) || !m.Hold(len(s)) || !k.mask() {
		return Masked{}
	}
	k.Text = k.out.String()
	return k.Masked
}

// MaskHost is Mask for a URL that curl refuses: it hides what else documentation writes for
// a host or a port, too. raw is how the text spells it: \$HOST keeps its dollar on purpose.
func MaskHost(w *word.Word, raw string, m *meter.Meter) Masked {
	first, last := authority(w.Text)
	if strings.IndexByte(w.Text, markOpen) >= 0 || strings.IndexByte(w.Text, markClose) >= 0 || !m.Work(8*len(w.Text)) || !m.Hold(len(w.Text)) {
		return Mask(w, m)
	}
	k := masker{s: w.Text, holes: w.Holes, Masked: Masked{meter: m}, first: first, last: last, dollars: strings.Contains(raw, `\$`)}
	if !k.mask() {
		return Masked{}
	}
	k.Text = k.out.String()
	return k.Masked
}

// authority returns where the authority of a URL stands.
func authority(url string) (first, last int) {
	if n := strings.Index(url, "://"); n >= 0 {
		first = n + len("://")
	}
	last = first
	for last < len(url) && strings.IndexByte("/?#", url[last]) < 0 {
		last++
	}
	return first, last
}

// looseLength returns the length of what only stands for a host or a port at an offset of a
// URL whose authority is given, or 0.
func looseLength(url string, i, first, last int) int {
	if i < first || i >= last {
		return 0
	}
	n := placeholder.HostLength(url[i:last])
	// What is called a URL before the colon stands for more than a host.
	if n == 0 && i > first && url[i-1] == ':' && !ascii.HasSuffixFold(url[first:i-1], "url") {
		if n = placeholder.PortLength(url[i:last]); i+n < last {
			n = 0 // a password, or no port
		}
	}
	return n
}

// masker is the state of Mask.
type masker struct {
	Masked
	s     string
	i     int
	holes []word.Hole // from i on
	out   strings.Builder
	inSet bool // within {a,b}, which holds no placeholder in braces

	first, last int  // the authority, where what stands for a host is a placeholder, too
	dollars     bool // so is $NAME there
}

// sizeOfMark is the memory of a placeholder, with room to grow.
const sizeOfMark = 64

// mask reads s up to its end. It reports whether the meter pays.
func (k *masker) mask() bool {
	for k.i < len(k.s) {
		n := k.next()
		if n == 0 {
			c, escaped := k.s[k.i], k.i > 0 && k.s[k.i-1] == '\\'
			if !escaped && (c == '{' || c == '}') {
				k.inSet = c == '{'
			}
			k.out.WriteByte(c)
			k.i++
			continue
		}
		if !k.meter.Hold(sizeOfMark) {
			return false
		}
		k.out.WriteByte(markOpen)
		k.out.WriteString(strconv.Itoa(len(k.placeholders)))
		k.out.WriteByte(markClose)
		k.placeholders = append(k.placeholders, k.s[k.i:k.i+n])
		k.i += n
	}
	return true
}

// next returns the length of the placeholder at i, or 0.
func (k *masker) next() int {
	s, i := k.s, k.i
	for len(k.holes) > 0 && int(k.holes[0].Start) < i {
		k.holes = k.holes[1:]
	}
	if len(k.holes) > 0 && int(k.holes[0].Start) == i {
		return int(k.holes[0].End) - i
	}
	n := 0
	if i == 0 {
		n = placeholder.Interpolated(s)
	}
	if n == 0 && (s[i] != '{' || !k.inSet) {
		n = placeholder.Length(s[i:])
	}
	if strings.HasPrefix(s[i:], "${{") {
		if n = placeholder.Length(s[i+1:]); n > 0 {
			n++
		}
	}
	if i > 0 && (s[i] == '{' && s[i-1] == '\\' || s[i] == '<' && (s[i-1] == '{' || s[i-1] == '[')) {
		n = 0 // an escaped brace, or the name of a glob
	}
	if len(k.holes) > 0 && int(k.holes[0].Start) < i+n && s[i] == '{' && !strings.HasPrefix(s[i:], "{{") {
		n = 0 // one name has no unknown part
	}
	if n == 0 {
		if n = looseLength(s, i, k.first, k.last); n == 0 && k.dollars && i >= k.first && i < k.last {
			n = placeholder.DollarLength(s[i:k.last])
		}
		k.loose = k.loose || n > 0
	}
	k.templates = k.templates || n > 0 && !isElement(s[i:], n)
	return n
}

// isElement reports whether the name between angle brackets at the start of s,
// which takes n bytes, is a tag of HTML: a closing one, or one that is closed
// soon after.
func isElement(s string, n int) bool {
	const soon = 256
	if s[0] != '<' {
		return false
	}
	return s[1] == '/' || strings.Contains(s[n:min(len(s), n+soon)], "</"+s[1:n])
}

// HasTemplate reports whether there are placeholders other than the unknown
// variables of the shell.
func (m *Masked) HasTemplate() bool { return m.templates }

// IsLoose reports whether there are placeholders that only MaskHost knows.
func (m *Masked) IsLoose() bool { return m.loose }

// Restore puts the placeholders back into a text made from the masked one.
// When the meter refuses, the result is empty.
func (m *Masked) Restore(s string) string {
	if len(m.placeholders) == 0 || strings.IndexByte(s, markOpen) < 0 {
		return s
	}
	if !m.meter.Hold(2 * len(s)) {
		return ""
	}
	var b strings.Builder
	for s != "" {
		before, after, found := strings.Cut(s, string(markOpen))
		b.WriteString(before)
		if !found {
			break
		}
		number, rest, _ := strings.Cut(after, string(markClose))
		if n, err := strconv.Atoi(number); err == nil && n < len(m.placeholders) {
			if !m.meter.Work(16) || !m.meter.Hold(2*len(m.placeholders[n])) {
				return ""
			}
			b.WriteString(m.placeholders[n])
		}
		s = rest
	}
	return b.String()
}

// markPrefix returns the length of the mark that s begins with, or 0.
func markPrefix(s string) int {
	if s == "" || s[0] != markOpen {
		return 0
	}
	return strings.IndexByte(s, markClose) + 1
}
