package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// shellOf returns the shell that code is for whose fence names one of Windows: none that is
// known where a backslash joins lines, as it does in no shell of Windows.
func (s *scanner) shellOf(code, named string) string {
	joined := false
	for line := range strings.Lines(code) {
		if !s.meter.Work(len(line)/8 + 4) {
			return named
		}
		bare := strings.TrimLeft(line, " \t")
		if joined && len(bare) > 1 && (strings.IndexByte("-'\"", bare[0]) >= 0 || strings.HasPrefix(bare, "http")) {
			return ""
		}
		joined = continuation(strings.TrimRight(line, "\r\n")) == '\\'
	}
	return named
}

// promptShell returns the shell of Windows that a prompt is of: C:\> and PS C:\>.
func promptShell(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	rest, powershell := strings.CutPrefix(prompt, "PS ")
	switch {
	case len(rest) < 3 || strings.ContainsAny(rest[:len(rest)-1], "<>|\"*?;&") || !ascii.IsLetter(rest[0]) || rest[1] != ':' || rest[len(rest)-1] != '>':
		return ""
	case powershell:
		return "powershell"
	}
	return "cmd"
}

// diff finds the commands in a diff as they are after it: without the lines that it takes
// away, and without the marks of the others.
func (s *scanner) diff(b *block) {
	after := s.rewritten(b, func(w *paste.Rewriting, line string, at int) {
		switch {
		case strings.HasPrefix(line, "-"):
			w.Replace(at, min(at+len(line)+1, len(b.text)), "")
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, " "):
			w.Replace(at, at+1, "")
		}
	})
	after.plain = true
	s.block(after)
}

// rewritten returns a block of what is left of another one after a look at each of its lines.
func (s *scanner) rewritten(b *block, look func(w *paste.Rewriting, line string, at int)) *block {
	code := b.part(0, len(b.text))
	w := paste.NewRewriting(b.text, s.meter)
	for at := 0; at < len(b.text) && s.meter.Work(8); {
		line := b.text[at : at+ascii.LineLength(b.text[at:])]
		look(w, line, at)
		at += len(line) + 1
	}
	code.text, code.places, code.name = w.Text(), w, b.name
	return code
}

// withoutMagic returns the code of a fence as its page shows it: without the comments that say how.
// Docusaurus takes lines of such a comment out, Shiki, as VitePress and others use it, the
// comment alone.
func (s *scanner) withoutMagic(b *block) *block {
	if !strings.Contains(b.text, "highlight-") && !strings.Contains(b.text, "[!code ") {
		return b
	}
	return s.rewritten(b, func(w *paste.Rewriting, line string, at int) {
		if isMagic(line) {
			w.Replace(at, min(at+len(line)+1, len(b.text)), "")
		} else if n := beforeMark(line); n < len(line) {
			w.Replace(at+n, at+len(line), "")
		}
	})
}

// isMagic reports a line that Docusaurus takes out: a comment that is the name of what the
// lines after it look like.
func isMagic(line string) bool {
	line = strings.TrimSpace(line)
	n := commentLength(line)
	if strings.HasPrefix(line, "<!--") {
		n = len("<!--")
	}
	switch strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(line[n:], "-->"), "*/")) {
	case "highlight-next-line", "highlight-start", "highlight-end":
		return n > 0
	}
	return false
}

// beforeMark returns the length of a line without a comment such as # [!code highlight] at
// its end.
func beforeMark(line string) int {
	i := strings.LastIndex(line, "[!code ")
	if i < 0 || !strings.HasSuffix(strings.TrimRight(line, " \t\r"), "]") {
		return len(line)
	}
	before := strings.TrimRight(line[:i], " \t")
	for _, mark := range []string{"//", "#", "--"} {
		if bare, ok := strings.CutSuffix(before, mark); ok {
			return len(strings.TrimRight(bare, " \t"))
		}
	}
	return len(line)
}
