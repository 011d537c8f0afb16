package markup

import "strings"

// asciidoc reads the block between two delimiters.
func (r *reader) asciidoc(line string) (b Block, ok bool) {
	line = strings.TrimRight(line, " \t")
	mark, kind, ok := delimiter(line)
	if !ok {
		switch {
		case strings.HasPrefix(line, "[source") || strings.HasPrefix(line, "[,"):
			r.language, r.attributes = sourceLanguage(line), strings.Contains(line, "attributes")
		case line != "" && strings.IndexByte(".[", line[0]) < 0: // no title and no attributes
			r.language, r.attributes = "", false
		}
		return b, false
	}
	b = Block{Kind: kind, Language: r.language, Attributes: r.attributes}
	if name := languageOf(line[len(mark):]); name != "" {
		b.Language = name
	}
	r.language, r.attributes = "", false
	r.until(&b, func(line string) bool { return strings.TrimRight(line, " \t") == mark })
	return b, true
}

// delimiter returns what opens a block and closes it: of a listing or literal text, a
// comment, what is passed on, and a fence of Markdown, which has three backticks
// (Asciidoctor, Parser.is_delimited_block?).
func delimiter(line string) (mark string, kind Kind, ok bool) {
	const shortest = 3
	if len(line) < shortest {
		return "", 0, false
	}
	rest := strings.TrimLeft(line, line[:1])
	mark = line[:len(line)-len(rest)]
	switch line[0] {
	case '`':
		return mark, Code, len(mark) == shortest
	case '-', '.':
		kind = Code
	case '/':
		kind = Comment
	case '+':
		kind = Raw
	default:
		return "", 0, false
	}
	return mark, kind, rest == "" && len(mark) > shortest
}

// sourceLanguage returns the language of [source,bash] and [,bash].
func sourceLanguage(line string) string {
	_, attributes, _ := strings.Cut(strings.Trim(line, "[]"), ",")
	language, _, _ := strings.Cut(attributes, ",")
	return strings.ToLower(strings.Trim(strings.TrimPrefix(strings.TrimSpace(language), "language="), `" `))
}
