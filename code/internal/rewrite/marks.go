package rewrite

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/placeholder"
	"uncoil/request"
)

// A mark is a placeholder in a text: its bytes from start to end, how it is spelled, and
// what it calls the value.
type mark struct {
	start, end int
	spelled    string
	name       string
	pair       string           // the name of the pair of a query or a form that it stands in
	encoding   request.Encoding // in which the text has it
}

// markAt returns a mark that is spelled as the text has it.
func markAt(s string, start, end int, name string) mark {
	return mark{start: start, end: end, spelled: s[start:end], name: name, encoding: request.EncodingNone}
}

// A scan says which marks a text may have. {{name}} and YOUR_NAME may stand in every
// text.
type scan struct {
	single bool // {name}
	angle  bool // <name>
	dollar bool // $NAME and ${NAME}, which the shell has not replaced
	whole  bool // these three, your_name and your-name only where they are the whole text
}

// The texts of a request.
var (
	inValue = scan{single: true, angle: true, dollar: true}
	// inText is what people write to people, in a JSON string or a part of a form: braces and
	// angle brackets belong to it, but for a text that has nothing else.
	inText = scan{single: true, angle: true, dollar: true, whole: true}
	// inBroken is text that was to be JSON, with marks where values are missing. Single
	// braces are objects there.
	inBroken = scan{angle: true, dollar: true}
	inOther  = scan{}
)

// marks returns the placeholders in a text, in order.
func (c scan) marks(s string) []mark {
	if m, ok := wholeMark(s); ok {
		return []mark{m}
	}
	inside := c
	if c.whole {
		inside = scan{}
	}
	var list []mark
	for i := 0; i < len(s); {
		m, ok := inside.at(s, i)
		if !ok {
			i++
			continue
		}
		list = append(list, m)
		i = m.end
	}
	return list
}

// wholeMark returns the placeholder that is all of a text.
func wholeMark(s string) (mark, bool) {
	if s == "" || len(s) > placeholder.Max {
		return mark{}, false
	}
	if placeholder.Yours(s) == len(s) {
		return markAt(s, 0, len(s), s), true
	}
	m, ok := inValue.at(s, 0)
	return m, ok && m.end == len(s)
}

// at returns the placeholder that begins at an offset.
func (c scan) at(s string, i int) (mark, bool) {
	rest := s[i:min(len(s), i+placeholder.Max)]
	switch rest[0] {
	case '{':
		if strings.HasPrefix(rest, "{{") {
			if i > 0 && (s[i-1] == '$' || s[i-1] == '{') {
				return mark{}, false // of GitHub's workflows, or three braces
			}
			return named(s, rest, i)
		}
		if c.single && (i == 0 || s[i-1] != '$' && s[i-1] != '{') {
			return named(s, rest, i)
		}
	case '<':
		if c.angle {
			return named(s, rest, i)
		}
	case '$':
		if c.dollar {
			return shellMark(s, rest, i)
		}
	case 'Y':
		// Within a text only capitals: your_name may be a name of its language.
		if n := placeholder.Yours(rest); n > 0 && strings.HasPrefix(rest, "YOUR") && (i == 0 || !placeholder.IsWordByte(s[i-1])) {
			return markAt(s, i, i+n, rest[:n]), true
		}
	}
	return mark{}, false
}

// named returns the placeholder between two signs, where it names a parameter: with a letter
// first, and no sign of a language in it: {{#if x}}, {a,b}, <b>text</b>.
func named(s, rest string, i int) (mark, bool) {
	open, name, stop := placeholder.Cut(rest)
	if open != "{" {
		name = strings.TrimSpace(name) // {{ name }}, < name >
	}
	if name == "" || !ascii.IsLetter(name[0]) && name[0] != '_' {
		return mark{}, false
	}
	for j := range len(name) {
		c := name[j]
		if !placeholder.IsWordByte(c) && c != '.' && (open != "<" || c != ' ') && c < 0x80 {
			return mark{}, false
		}
	}
	if open == "<" && strings.Contains(rest[stop:], "</"+name) {
		return mark{}, false // an element of XML
	}
	return markAt(s, i, i+stop, name), true
}

// shellMark returns $NAME or ${NAME} in capitals, the custom for what stands for a value.
func shellMark(s, rest string, i int) (mark, bool) {
	name, n := rest[1:], 0
	braces := strings.HasPrefix(name, "{")
	if braces {
		name = name[1:]
	}
	for n < len(name) && (name[n] == '_' || 'A' <= name[n] && name[n] <= 'Z' || n > 0 && ascii.IsDigit(name[n])) {
		n++
	}
	switch {
	case n < 2 || !braces && n < len(name) && ascii.IsLetter(name[n]) || braces && (n == len(name) || name[n] != '}'):
		return mark{}, false
	case braces:
		return markAt(s, i, i+n+len("${}"), name[:n]), true
	}
	return markAt(s, i, i+n+1, name[:n]), true
}

// urlMarks returns the placeholders in a URL whose path begins at an offset: :name too, where
// it is a whole segment.
func urlMarks(s string, path int) []mark {
	query := indexAny(s, path, "?#")
	list := inValue.marks(s[:path])
	for start := path; start < query; {
		end := start + 1
		for end < query && s[end] != '/' {
			end++
		}
		if segment := s[start+1 : end]; len(segment) > 1 && segment[0] == ':' && s[start] == '/' && 1+ascii.NameLength(segment[1:]) == len(segment) {
			list = append(list, markAt(s, start+1, end, segment[1:]))
		} else {
			list = append(list, shifted(inValue.marks(s[start:end]), start)...)
		}
		start = end
	}
	return append(list, pairMarks(s, query)...)
}

// pairMarks returns the placeholders in the values of what has the form of a query, from an
// offset on: one that is percent-encoded too, where it is a whole value.
func pairMarks(s string, from int) (list []mark) {
	for start := from; start < len(s); {
		end := indexAny(s, start, "&#")
		if end == start {
			start++ // the sign itself
			continue
		}
		value := start + strings.IndexByte(s[start:end], '=') + 1
		found := shifted(inValue.marks(s[value:end]), value)
		if len(found) == 0 && end-value <= 3*placeholder.Max && strings.IndexByte(s[value:end], '%') >= 0 {
			if m, ok := wholeMark(ascii.Decoded(s[value:end], true)); ok {
				found = []mark{{start: value, end: end, spelled: m.spelled, name: m.name, encoding: request.EncodingForm}}
			}
		}
		for i := range found {
			found[i].pair = s[start:max(start, value-1)]
		}
		list = append(list, found...)
		start = end
	}
	return list
}

// jsonMarks returns the placeholders in the strings of JSON text, or in text that was to be
// JSON.
func jsonMarks(s string) (list []mark) {
	r := jsontext.NewReader(s, jsontext.MaxDepth)
	var value func() bool
	value = func() bool {
		switch r.Peek() {
		case '{':
			return r.Object(func(string, int) bool { return value() })
		case '[':
			return r.Array(value)
		case '"':
			start := r.Pos() + 1
			if !r.Skip() {
				return false
			}
			list = append(list, shifted(inText.marks(s[start:r.Pos()-1]), start)...)
			return true
		}
		return r.Skip()
	}
	if value() {
		return list
	}
	return inBroken.marks(s)
}

// indexAny returns where the first of some signs stands, from an offset on, or the end.
func indexAny(s string, from int, signs string) int {
	if i := strings.IndexAny(s[from:], signs); i >= 0 {
		return from + i
	}
	return len(s)
}

// shifted moves marks to where their text begins.
func shifted(list []mark, by int) []mark {
	for i := range list {
		list[i].start += by
		list[i].end += by
	}
	return list
}
