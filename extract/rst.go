package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/paste"
)

// rst finds the commands in a text in reStructuredText: in literal blocks, which are
// indented more than the paragraph or directive that opens them, and in what stands
// between them.
func (s *scanner) rst(b *block) {
	prose := 0
	for at := 0; at < len(b.text); {
		line := b.text[at : at+ascii.LineLength(b.text[at:])]
		next := min(at+len(line)+1, len(b.text))
		if !s.meter.Work(len(line)/8 + 4) {
			return
		}
		language, ok := opensLiteral(line)
		if !ok {
			at = next
			continue
		}
		end := s.blockEnd(b.text, next, blanks(line))
		s.between(b.asProse(), prose, next)
		s.literal(b, next, end, language)
		at, prose = max(end, next), max(end, next)
	}
	s.between(b.asProse(), prose, len(b.text))
}

// asProse returns a block that is text for people.
func (b *block) asProse() *block {
	prose := b.part(0, len(b.text))
	prose.prose = true
	return prose
}

// opensLiteral reports whether a literal block follows a line, and its language.
func opensLiteral(line string) (language string, ok bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, ".. ") {
		return "", strings.HasSuffix(line, "::")
	}
	name, argument, ok := strings.Cut(strings.TrimSpace(line[len(".. "):]), "::")
	if !ok {
		return "", false
	}
	switch name {
	case "code-block", "code", "sourcecode", "code-tab", "prompt", "tab", "group-tab":
		return firstWord(strings.TrimSpace(argument)), name != "tab" && name != "group-tab"
	case "parsed-literal", "literal", "console", "highlight":
		return "", name != "highlight"
	}
	return "", strings.HasSuffix(argument, "::")
}

// literal finds the commands in a literal block of a language.
func (s *scanner) literal(b *block, start, end int, language string) {
	if start >= end || !s.meter.Work((end-start)/4) || !strings.Contains(b.text[start:end], "curl") {
		return
	}
	code := b.part(start, end)
	w := paste.NewRewriting(code.text, s.meter)
	margin := -1
	for at := 0; at < len(code.text); {
		line := code.text[at : at+ascii.LineLength(code.text[at:])]
		n := blanks(line)
		if n < len(line) && line[n] != ':' && (margin < 0 || n < margin) {
			margin = n
		}
		at += len(line) + 1
	}
	for at := 0; at < len(code.text); {
		line := code.text[at : at+ascii.LineLength(code.text[at:])]
		if n := min(blanks(line), margin); n > 0 {
			w.Replace(at, at+n, "")
		}
		at += len(line) + 1
	}
	code.text, code.places = w.Text(), w
	s.code(code, language)
}

// code finds the commands in code of a language, as the fence of a block names it.
func (s *scanner) code(b *block, language string) {
	if strings.HasPrefix(language, "json") && !jsontext.StartsContainer(strings.TrimSpace(b.text)) {
		language = "" // a command, above what it prints
	}
	if language == "" && startsYAML(strings.TrimLeft(b.text, " \t\r\n")) {
		language = "yaml"
	}
	switch language {
	case "yaml", "yml":
		s.yaml(b)
	case "json", "jsonc", "json5":
		s.json(b)
	case "makefile", "make", "mk":
		s.makefile(b)
	case "powershell", "pwsh", "ps1":
		b.shell, b.name = true, "powershell"
		s.block(b)
	case "cmd", "bat", "batch", "dos":
		b.shell, b.name = true, "cmd"
		s.block(b)
	default:
		b.shell = paste.IsShellLanguage(language) || language == "dockerfile" || language == "docker"
		b.plain = language == "" || language == "text" || language == "txt" || language == "plaintext"
		s.block(b)
	}
}

// makefile finds the commands in the recipes of a Makefile, where $$ is the $ of the shell.
func (s *scanner) makefile(b *block) {
	part := b.part(0, len(b.text))
	part.shell = true
	w := paste.NewRewriting(b.text, s.meter)
	for at := 0; ; at += 2 {
		n := strings.Index(b.text[at:], "$$")
		if n < 0 || !s.meter.Work(n/8+4) {
			break
		}
		at += n
		w.Replace(at, at+1, "")
	}
	part.text, part.places = w.Text(), w
	s.block(part)
}
