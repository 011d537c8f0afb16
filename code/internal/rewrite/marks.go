package rewrite

import (
	"slices"
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
		if inside = (scan{}); isTemplate(s) {
			return nil
		}
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

// valueWords end the names in capitals that stand for a value: API_KEY, TEMPLATE_ID.
var valueWords = []string{"ACCOUNT", "EMAIL", "ID", "KEY", "LOGIN", "NAME", "PASS", "PASSWORD", "SECRET", "SID", "TOKEN", "USER", "USERNAME", "UUID"}

// namesValue reports whether a text is a name in capitals for what is to stand there. Words of
// a protocol are spelled so, too (CREATED_AT), but end otherwise.
func namesValue(s string) bool {
	return placeholder.IsCapitals(s) && slices.Contains(valueWords, s[strings.LastIndexAny(s, "_-")+1:])
}

// credentialMarks returns the placeholders in a user, a password or a token, which may stand
// behind a scheme: API_KEY too, and dots, for what is called so.
func credentialMarks(s, called string) []mark {
	if list := inValue.marks(s); len(list) > 0 {
		return list
	}
	at := strings.IndexByte(s, ' ') + 1
	switch value := s[at:]; {
	case namesValue(value):
		return []mark{markAt(s, at, len(s), value)}
	case placeholder.Elides(value) && strings.Trim(value, ".…") == "":
		return []mark{markAt(s, at, len(s), called)}
	}
	return nil
}

// isCredential reports whether a field is called as those are that hold a credential.
func isCredential(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"auth", "key", "secret", "token"}, func(word string) bool { return strings.Contains(name, word) })
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
	if len(list) == 0 {
		list = hostMarks(s[:path])
	}
	var members map[string]bool // of the query, once a segment asks
	for start := path; start < query; {
		end := start + 1
		for end < query && s[end] != '/' {
			end++
		}
		switch segment := s[start+1 : end]; {
		case len(segment) > 1 && segment[0] == ':' && s[start] == '/' && 1+ascii.NameLength(segment[1:]) == len(segment):
			if members == nil {
				members = membersOf(s[query:])
			}
			if !members[segment[1:]] { // else it says which member of the query has the value
				list = append(list, markAt(s, start+1, end, segment[1:]))
			}
		case s[start] == '/' && namesValue(segment):
			list = append(list, markAt(s, start+1, end, segment))
		default:
			list = append(list, shifted(inValue.marks(s[start:end]), start)...)
		}
		start = end
	}
	return append(list, pairMarks(s, query, false)...)
}

// hostMarks returns the placeholder that the beginning of a URL has for its host: a name in
// capitals, such as SITE_ROOT and YOUR.SERVER.HERE, which no host has.
func hostMarks(s string) []mark {
	start := 0
	if i := strings.Index(s, "://"); i >= 0 {
		start = i + len("://")
	}
	end := start
	for end < len(s) && (placeholder.IsWordByte(s[end]) || s[end] == '.') {
		end++
	}
	host := s[start:end]
	if end < len(s) && s[end] != ':' || len(host) > placeholder.Max || !placeholder.IsCapitals(strings.ReplaceAll(host, ".", "_")) ||
		strings.IndexByte(host, '_') < 0 && !strings.HasPrefix(host, "YOUR.") {
		return nil
	}
	return []mark{markAt(s, start, end, host)}
}

// membersOf returns the names of the members of a query.
func membersOf(query string) map[string]bool {
	members := make(map[string]bool)
	for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		name, _, _ := strings.Cut(pair, "=")
		members[name] = true
	}
	return members
}

// isTemplate reports whether a text that content holds is one for others to fill in, as a letter
// is: names between double braces stand among its words.
func isTemplate(s string) bool { return strings.ContainsAny(s, " \n") && strings.Contains(s, "{{") }

// pairMarks returns the placeholders in the values of what has the form of a query, from an
// offset on: one that is percent-encoded too, where it is a whole value. Those of content may be
// templates.
func pairMarks(s string, from int, content bool) (list []mark) {
	for start := from; start < len(s); {
		end := indexAny(s, start, "&#")
		if end == start {
			start++ // the sign itself
			continue
		}
		value := start + strings.IndexByte(s[start:end], '=') + 1
		var found []mark
		if !content || !isTemplate(ascii.Decoded(s[value:end], true)) {
			found = shifted(inValue.marks(s[value:end]), value)
		}
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
