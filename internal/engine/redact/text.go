package redact

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// A Span is a half-open range of bytes in a text.
type Span struct{ Start, End int }

// Spans returns where text, of any kind, holds secrets, in order and without
// overlaps: tokens of known shapes, passwords before the host of a URL, and
// the values of secret names, as in name=value, "name": "value" and
// Name: value. It takes time linear in the text.
func Spans(text string) []Span { return (&finder{text: text}).all() }

// looks returns those of [Spans] that no name before them makes secrets.
func looks(text string) []Span { return (&finder{text: text, nameless: true}).all() }

func (f *finder) all() []Span {
	for i := 0; i < len(f.text); {
		i = f.next(i)
	}
	return f.spans
}

// A finder collects secrets from the start of a text to its end.
type finder struct {
	text     string
	nameless bool // names make no secrets
	spans    []Span
}

func (f *finder) hide(start, end int) int {
	if end > start {
		f.spans = append(f.spans, Span{start, end})
	}
	return max(start, end)
}

// next looks at what begins at i, and returns where to go on.
func (f *finder) next(i int) int {
	c := f.text[i]
	if s, ok := awsSecret(f.text, i); ok {
		return f.hide(s.Start, s.End)
	}
	if c == '/' || c == 'h' || c == 'a' || c == 'o' {
		if s, ok := pathSecret(f.text[i:]); ok {
			return f.hide(i+s.Start, i+s.End)
		}
	}
	switch {
	case ascii.IsNameByte(c):
		return f.name(i)
	case c == '-':
		if s, ok := pem(f.text[i:]); ok {
			return f.hide(i+s.Start, i+s.End)
		}
	case c == ':' && strings.HasPrefix(f.text[i:], "://"):
		return f.userinfo(i + len("://"))
	case c == '<' && !f.nameless:
		return f.element(i)
	}
	return i + 1
}

// name reads the name that begins at i, and hides what follows if it is a
// secret's, or the name itself where it is a token.
func (f *finder) name(i int) int {
	end := i
	for end < len(f.text) && (isTokenByte(f.text[end]) || f.text[end] == '%' || f.text[end] == '[' || f.text[end] == ']') {
		// A token may follow a separator inside of the run.
		if end == i || !ascii.IsLetter(f.text[end-1]) && !ascii.IsDigit(f.text[end-1]) {
			if t, ok := token(f.text[end:]); ok {
				return f.hide(end+t.Start, end+t.End)
			}
		}
		if end-i > maxName {
			return end + 1
		}
		end++
	}
	if f.nameless || i > 0 && f.text[i-1] == ':' && end < len(f.text) && f.text[end] == ':' { // urn:ietf:params:oauth:token-type:jwt
		return end
	}
	at := end
	for at < len(f.text) && (f.text[at] == '\\' || f.text[at] == '"' || f.text[at] == '\'') {
		at++
	}
	for at < len(f.text) && ascii.IsBlank(f.text[at]) {
		at++
	}
	if at == len(f.text) || f.text[at] != '=' && f.text[at] != ':' || strings.HasPrefix(f.text[at:], "://") {
		return end
	}
	if name := ascii.Decoded(f.text[i:end], false); Secret(name) || f.text[at] == ':' && at == end && ascii.EqualFold(name, "Authentication") {
		return f.value(at)
	}
	return end
}

// element hides the text of the element of XML that begins at i, if its name is a
// secret's: <password>text</password>.
func (f *finder) element(i int) int {
	start := i + 1
	end := start
	for end < len(f.text) && end-start <= maxName && (isTokenByte(f.text[end]) || f.text[end] == ':') {
		end++
	}
	name := f.text[start:end]
	if !Secret(name) {
		return i + 1
	}
	for end < len(f.text) && end-start <= 2*maxName && f.text[end] != '>' && f.text[end] != '<' { // attributes
		end++
	}
	if end == len(f.text) || f.text[end] != '>' || f.text[end-1] == '/' {
		return i + 1
	}
	text := end + 1
	const section = "<![CDATA["
	if strings.HasPrefix(f.text[text:], section) {
		text += len(section)
	}
	stop := strings.IndexByte(f.text[text:], '<')
	if stop < 0 || !strings.HasPrefix(f.text[text+stop:], "</"+name) {
		return i + 1 // a placeholder, such as <token>
	}
	f.hide(text, text+len(strings.TrimSuffix(f.text[text:text+stop], "]]>")))
	return text + stop
}

// maxName bounds how long a name can be that is looked at.
const maxName = 256

// value hides the value after the = or : at i.
func (f *finder) value(i int) int {
	colon := f.text[i] == ':'
	i++
	for i < len(f.text) && ascii.IsBlank(f.text[i]) {
		i++
	}
	escaped := i
	for i < len(f.text) && f.text[i] == '\\' {
		i++
	}
	if i < len(f.text) && (f.text[i] == '"' || f.text[i] == '\'') {
		return f.quoted(i, i-escaped)
	}
	stops := "&; \t\r\n\"'`,"
	if colon {
		stops = "\r\n\"'`" // a header field
	}
	end := strings.IndexAny(f.text[i:], stops)
	if end < 0 {
		end = len(f.text) - i
	}
	return f.hide(i, i+end)
}

// quoted hides the text between the quote at i, before which some backslashes
// stand, and the next that has as many.
func (f *finder) quoted(i, backslashes int) int {
	quote, run := f.text[i], 0
	for end := i + 1; end < len(f.text); end++ {
		switch {
		case f.text[end] == '\\':
			run++
			continue
		case f.text[end] == quote && run <= backslashes:
			return f.hide(i+1, end-run)
		}
		run = 0
	}
	return f.hide(i+1, len(f.text))
}

// userinfo hides the password in the authority that begins at i, after ://.
func (f *finder) userinfo(i int) int {
	colon := -1
	for at := i; at < len(f.text); at++ {
		switch c := f.text[at]; {
		case c == ':' && colon < 0:
			colon = at
		case c == '@' && colon >= 0:
			// The last @ ends the user information.
			last := at
			for k := at + 1; k < len(f.text) && !strings.ContainsRune("/?# \t\r\n\"'", rune(f.text[k])); k++ {
				if f.text[k] == '@' {
					last = k
				}
			}
			f.hide(colon+1, last)
			return last
		case c <= ' ' || strings.IndexByte("/?#\"'`", c) >= 0:
			return i
		}
	}
	return i
}
