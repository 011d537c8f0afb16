package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// asciidoc finds the commands in a text in AsciiDoc: in the blocks between delimiters, and
// in what stands between them.
func (s *scanner) asciidoc(b *block) {
	prose, language := 0, ""
	for at := 0; at < len(b.text); {
		line := b.text[at : at+ascii.LineLength(b.text[at:])]
		next := min(at+len(line)+1, len(b.text))
		if !s.meter.Work(len(line)/8 + 4) {
			return
		}
		line = strings.TrimRight(line, " \t\r")
		mark, isDelimiter := delimiter(line)
		switch {
		case strings.HasPrefix(line, "[source") || strings.HasPrefix(line, "[,"):
			language = sourceLanguage(line)
		case isDelimiter:
			if name := strings.TrimPrefix(line, mark); name != "" {
				language = strings.TrimSpace(name)
			}
			end, after := s.delimited(b.text, next, mark)
			s.between(b.asProse(), prose, at)
			s.literal(b, next, end, language)
			next, prose, language = after, after, ""
		case strings.TrimSpace(line) != "" && strings.IndexByte(".[", line[0]) < 0: // a title, attributes
			language = ""
		}
		at = next
	}
	s.between(b.asProse(), prose, len(b.text))
}

// delimiter returns what opens a listing or a literal block and closes it.
func delimiter(line string) (mark string, ok bool) {
	const shortest = 3
	if len(line) < shortest || strings.IndexByte("-.`", line[0]) < 0 {
		return "", false
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	if line[0] == '`' {
		return line[:n], n == shortest
	}
	return line, n == len(line) && n > shortest
}

// delimited returns where the content of a block ends, and where the text after it starts.
func (s *scanner) delimited(text string, at int, mark string) (end, after int) {
	for at < len(text) {
		line := text[at : at+ascii.LineLength(text[at:])]
		next := min(at+len(line)+1, len(text))
		if strings.TrimRight(line, " \t\r") == mark || !s.meter.Work(len(line)/8+4) {
			return at, next
		}
		at = next
	}
	return len(text), len(text)
}

// sourceLanguage returns the language of [source,bash] and [,bash].
func sourceLanguage(line string) string {
	_, attributes, _ := strings.Cut(strings.Trim(line, "[]"), ",")
	language, _, _ := strings.Cut(attributes, ",")
	return strings.ToLower(strings.Trim(strings.TrimPrefix(strings.TrimSpace(language), "language="), `" `))
}
