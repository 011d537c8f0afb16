package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/quote"
)

// An argument is a word of a list, and where it stands.
type argument struct {
	start, end int
	text       string
}

// arguments finds the command in a flow sequence that has its words, as containers are told
// them: ["CMD", "curl", "-f", "http://h/"]. It reports whether the sequence is such a one.
func (s *scanner) arguments(b *block, start, end int) bool {
	if b.text[start] != '[' || !s.meter.Work((end-start)/2) {
		return false
	}
	part := b.part(start, end)
	words, stop := s.words(part.text)
	if len(words) > 0 && words[0].text == "CMD" { // of a check of health: it runs the others
		words = words[1:]
	}
	if len(words) < 2 || words[0].text != "curl" && !strings.HasSuffix(words[0].text, "/curl") {
		return false
	}
	w, at := paste.NewRewriting(part.text, s.meter), 0
	separator := ""
	for _, word := range words {
		// What is alike in both stays, with its place.
		inner := strings.Index(part.text[word.start:word.end], word.text)
		before, after, alike := strings.Cut(shellWord(word.text), word.text)
		if inner < 0 || !alike || word.text == "" {
			inner, before, after, word.text = word.end-word.start, shellWord(word.text), "", ""
		}
		w.Replace(at, word.start, separator)
		w.Replace(word.start, word.start+inner, before)
		w.Replace(word.start+inner+len(word.text), word.end, after)
		at, separator = word.end, " "
	}
	w.Replace(at, stop, "")
	part.text, part.places, part.shell = w.Text(), w, true
	s.block(part)
	return true
}

// shellWord writes a word for a shell. A variable in it is one of the file, whose reader puts its
// value there.
func shellWord(word string) string {
	if strings.Contains(word, "$") && !strings.ContainsAny(word, "\"\\`") {
		return `"` + word + `"`
	}
	return string(quote.AppendWord(nil, word, quote.POSIX))
}

// words returns the scalars of a flow sequence and where it ends; nil where it has anything
// else in it.
func (s *scanner) words(text string) (words []argument, stop int) {
	for at := 1; at < len(text); {
		switch c := text[at]; {
		case c == ']':
			return words, len(text)
		case c == ',' || ascii.IsBlank(c) || c == '\n' || c == '\r':
			at++
		case c == '[' || c == '{' || c == '#' || c == '&' || c == '*' || c == '!':
			return nil, 0
		case c == '"' || c == '\'':
			n := quotedLength(text[at:])
			if n == 1 {
				return nil, 0
			}
			w := paste.NewRewriting(text[at:at+n], s.meter)
			unquote(text[at:at+n], w, c)
			words = append(words, argument{at, at + n, w.Text()})
			at += n
		default:
			n := strings.IndexAny(text[at:], ",]\n")
			if n < 0 {
				return nil, 0
			}
			word := strings.TrimRight(text[at:at+n], " \t\r")
			words = append(words, argument{at, at + len(word), word})
			at += n
		}
	}
	return nil, 0
}
