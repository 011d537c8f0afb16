package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/markup"
	"uncoil/internal/engine/source/paste"
)

// rst finds the commands in a text in reStructuredText: in literal blocks, and in what
// stands between them.
func (s *scanner) rst(b *block) {
	s.blocks(b, markup.RST, func(d *markup.Block) { s.literal(b, d.Start, d.End, d.Language) })
}

// blocks finds the commands between the blocks of a document, and calls code with each that
// is code. A comment is text like any other, and what is passed on raw may be HTML.
func (s *scanner) blocks(b *block, f markup.Format, code func(d *markup.Block)) {
	prose := 0
	for d := range markup.Blocks(b.text, f, s.meter.Work) {
		if d.Kind == markup.Comment {
			continue
		}
		s.between(b.asProse(), prose, d.From)
		if d.Kind == markup.Code {
			code(&d)
		} else {
			s.prose(b, d.Start, d.End)
		}
		prose = d.To
	}
	s.between(b.asProse(), prose, len(b.text))
}

// asProse returns a block that is text for people.
func (b *block) asProse() *block {
	prose := b.part(0, len(b.text))
	prose.prose = true
	return prose
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
		b.shell, b.name = true, s.shellOf(b.text, "powershell")
		s.block(b)
	case "cmd", "bat", "batch", "dos":
		b.shell, b.name = true, s.shellOf(b.text, "cmd")
		s.block(b)
	case "diff", "patch":
		s.diff(b)
	default:
		b.shell = paste.IsShellLanguage(language) || language == "dockerfile" || language == "docker"
		b.plain = language == "" || language == "text" || language == "txt" || language == "plaintext"
		s.block(b)
	}
}

// makefile finds the commands in the recipes of a Makefile, where $$ is the $ of the shell. A
// variable right before a command, as in $(Q)curl, is one that quiets make.
func (s *scanner) makefile(b *block) {
	part := b.part(0, len(b.text))
	part.shell = true
	w := paste.NewRewriting(b.text, s.meter)
	for at := 0; ; {
		n := strings.IndexByte(b.text[at:], '$')
		if n < 0 || !s.meter.Work(n/8+4) {
			break
		}
		at += n
		const longest = 32
		rest := b.text[at+1 : min(at+1+longest, len(b.text))]
		name, after, _ := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		switch {
		case strings.HasPrefix(rest, "$"):
			w.Replace(at, at+1, "")
			at += 2
		case rest != "" && rest[0] == '(' && isIdentifier(name) && strings.HasPrefix(after, "curl"):
			w.Replace(at, at+len("$(")+len(name)+len(")"), "")
			at += len("$(") + len(name) + len(")")
		default:
			at++
		}
	}
	part.text, part.places = w.Text(), w
	s.block(part)
}
