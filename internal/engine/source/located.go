package source

import (
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
)

// maxLocated bounds how many places are tried, since each may look at the rest of
// the text.
const maxLocated = 64

// located reads the commands of curl that stand among other text: prose of any
// language before one and after it, a string of a program, a value of YAML. A
// command begins at the word curl where an option or a URL comes after that; it
// goes to where the shell ends it, or to what closes the bracket, the quote or the
// emphasis before it.
func located(src string, _ *diag.Diagnostic, m *meter.Meter, diags *diag.List) *paste.Rewriting {
	l := locator{src: src, w: paste.NewRewriting(src, m), meter: m, first: -1}
	for at, tries := 0, 0; at < len(src) && tries < maxLocated; {
		n := strings.Index(src[at:], "curl")
		if n < 0 || !m.Work(n/8+16) {
			break
		}
		name := at + n
		at = name + len("curl")
		start := l.programStart(name)
		if start < l.kept {
			continue
		}
		if end := l.take(start, name, at); end > 0 {
			tries++
			at = max(at, end)
		}
	}
	if l.first < 0 || m.Over() || strings.TrimSpace(src[:l.first]) == "" {
		return nil
	}
	l.w.Replace(l.kept, len(src), "")
	diags.Warn(diag.WarnPastedNoise, diag.Span{Start: int32(l.first), End: int32(l.first + len("curl"))},
		"the command stands among other text, which is left out", "paste the command alone")
	return l.w
}

// A locator takes commands out of other text.
type locator struct {
	src   string
	w     *paste.Rewriting
	meter *meter.Meter
	kept  int // what stands before it is dealt with
	first int // where the first command begins, or -1
}

// programStart returns where the path of the program begins whose name is at an
// offset.
func (l *locator) programStart(name int) int {
	const longest = 256
	start := name
	for start > l.kept && name-start < longest && (start < name || l.src[start-1] == '/' || l.src[start-1] == '\\') {
		if c := l.src[start-1]; !ascii.IsNameByte(c) && strings.IndexByte(`/\.:~-`, c) < 0 {
			break
		}
		start--
	}
	return start
}

// take takes the command whose program has a path that starts at an offset, a name
// at another, and its arguments after a third. It returns where it ends, or 0
// where none begins there.
func (l *locator) take(start, name, after int) int {
	before := l.src[l.kept:start]
	if len(l.src)-after > len(".exe") && ascii.EqualFold(l.src[after:after+len(".exe")], ".exe") {
		after += len(".exe")
	}
	if before != "" && after < len(l.src) && (l.src[after] == '"' || l.src[after] == '\'') && before[len(before)-1] == l.src[after] {
		return l.list(start - 1)
	}
	if !endsBefore(before) || !argumentsFollow(l.src[after:]) || isInstalled(before, l.src[after:]) {
		return 0
	}
	closing, quote := closingOf(before)
	if strings.IndexByte(l.src[start:name], '\\') >= 0 {
		start = name // of a path of Windows a POSIX shell makes another
	}
	if quote != 0 {
		if end := stringLength(l.src[start:], quote); end > 0 {
			return l.unquoted(start, start+end, quote)
		}
	} else if closing != "" {
		if n := unquotedIndex(l.src[start:], func(s string) bool { return strings.HasPrefix(s, closing) }); n > 0 && l.meter.Work(n) {
			return l.segment(start, start+n)
		}
	}
	end, err := posix.SimpleEnd(l.src[start:], l.meter)
	if err != nil {
		end = len(l.src) - start
	}
	if n := unquotedIndex(l.src[start:start+end], endsSentence); n > 0 {
		end = n
	}
	return l.segment(start, start+end)
}

// segment keeps a stretch of the source as a command.
func (l *locator) segment(start, end int) int {
	l.separate(start)
	l.kept = end
	return end
}

// separate leaves out what stands before a command.
func (l *locator) separate(start int) {
	with := ""
	if l.first >= 0 {
		with = "\n"
	}
	l.w.Replace(l.kept, start, with)
	if l.first < 0 {
		l.first = start
	}
}

// unquoted keeps the text of a string as a command.
func (l *locator) unquoted(start, end int, quote byte) int {
	l.separate(start)
	if quote == '"' {
		l.w.Unescape(start, end)
	}
	l.kept = end
	return end
}

// list keeps the strings of a list, of which the first begins at an offset, as
// the words of a command.
func (l *locator) list(open int) int {
	var words []string
	var ends []int
	i := open
	for i < len(l.src) && (l.src[i] == '"' || l.src[i] == '\'') {
		end := stringEnd(l.src, i)
		if end < 0 || !l.meter.Work(2*(end-i)) || !l.meter.Hold(2*(end-i)) {
			return 0
		}
		text, ok := l.src[i+1:end-1], true
		if l.src[i] == '"' {
			text, ok = jsontext.Unquote(l.src[i:end])
		}
		if !ok {
			return 0
		}
		words, ends = append(words, "'"+strings.ReplaceAll(text, "'", `'\''`)+"'"), append(ends, end)
		i = end
		for i < len(l.src) && strings.IndexByte(" \t\r\n,", l.src[i]) >= 0 {
			i++
		}
	}
	if len(words) < 2 || i == len(l.src) || strings.IndexByte("])}", l.src[i]) < 0 {
		return 0
	}
	l.separate(open)
	from := open
	for k, word := range words {
		if k > 0 {
			word = " " + word
		}
		l.w.Replace(from, ends[k], word)
		from = ends[k]
	}
	l.kept = i
	return i
}

// endsBefore reports whether a command may begin after a text: a name does not go
// on there.
func endsBefore(before string) bool {
	if before == "" {
		return true
	}
	c := before[len(before)-1]
	return !ascii.IsNameByte(c) && strings.IndexByte("-./@~", c) < 0
}

// isInstalled reports whether curl is the last package of an installation between two texts:
// yum install curl -y.
func isInstalled(before, after string) bool {
	const longest = 200
	before = before[max(len(before)-longest, 0):]
	before = before[strings.LastIndexAny(before, "\n;&|")+1:]
	option, _, _ := strings.Cut(strings.TrimLeft(after[:min(len(after), longest)], " \t"), "\n")
	return strings.Contains(before, " install ") && strings.TrimRight(option, " \t\r") == "-y"
}

// argumentsFollow reports whether a text goes on as curl does after its name: with
// a blank, and an option or a URL.
func argumentsFollow(s string) bool {
	rest := strings.TrimLeft(s[:min(len(s), maxName)], " \t\\\r\n")
	if rest == "" || len(rest) == len(s[:min(len(s), maxName)]) {
		return false
	}
	if rest[0] == '-' {
		return len(rest) > 1 && (ascii.IsLetter(rest[1]) || len(rest) > 2 && (rest[1] == '-' && ascii.IsLetter(rest[2]) || ascii.IsDigit(rest[1]) && rest[2] == ' '))
	}
	word, _, _ := strings.Cut(rest, " ")
	word = strings.TrimLeft(word, `"'`)
	if i := strings.IndexAny(word, "\r\n\t\"'"); i >= 0 {
		word = word[:i]
	}
	switch {
	case word == "":
		return false
	case strings.Contains(word, "://"), strings.HasPrefix(word, "localhost"), strings.IndexByte("$<{%", word[0]) >= 0 && len(word) > 2:
		return true
	}
	host, _, _ := strings.Cut(word, "/")
	host, _, _ = strings.Cut(host, ":")
	dot := strings.IndexByte(host, '.')
	if dot < 1 || dot+1 == len(host) || !ascii.IsLetter(host[len(host)-1]) {
		return strings.Count(host, ".") == 3 && strings.Trim(host, "0123456789.") == "" && host[len(host)-1] != '.'
	}
	return true
}

// closers are what closes the brackets, quotes and marks of emphasis that may
// stand before a command.
var closers = map[string]string{
	"(": ")", "[": "]", "{": "}", "（": "）", "「": "」", "『": "』", "【": "】", "«": "»", "‹": "›", "“": "”", "‘": "’", "„": "“", "»": "«", "*": "*", "_": "_", "`": "`", "|": "|",
}

// closingOf returns what closes what stands at the end of a text: a bracket, one
// or more marks of emphasis, or the quote of a string, or the element of HTML.
func closingOf(before string) (closing string, quote byte) {
	r, size := utf8.DecodeLastRuneInString(before)
	if size == 0 {
		return "", 0
	}
	switch {
	case r == '"' || r == '\'':
		return "", byte(r)
	case r == '>':
		if open := strings.LastIndexByte(before, '<'); open >= 0 && len(before)-open < maxIndent && open+1 < len(before) && ascii.IsLetter(before[open+1]) {
			return "</", 0
		}
		return "", 0
	}
	last := before[len(before)-size:]
	closing = closers[last]
	n := 1
	for closing != "" && n < 3 && strings.HasSuffix(before, strings.Repeat(last, n+1)) {
		n++
	}
	return strings.Repeat(closing, n), 0
}

// stringLength returns how long the text of a string is, up to its closing quote,
// or 0.
func stringLength(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return 0
}

// unquotedIndex returns the first place in a text, outside of the quotes of a
// shell, at which found reports true for what follows, or 0.
func unquotedIndex(s string, found func(s string) bool) int {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case found(s[i:]):
			return i
		case c == '"' || c == '\'':
			quote = c
		}
	}
	return 0
}

// endsSentence reports whether a text begins with punctuation of Chinese or
// Japanese, which ends a command among prose.
func endsSentence(s string) bool {
	for _, mark := range [...]string{"，", "。", "；", "！", "？", "、", "）", "」", "』", "】", "»"} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}
