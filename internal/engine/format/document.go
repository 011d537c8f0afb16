package format

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/markup"
	"uncoil/internal/engine/meter"
)

// Document returns a document with the commands in its blocks of code laid out: in those of
// which the fence or the directive names a shell, and in blocks without a name that begin
// with curl. All else keeps its bytes. A block that its shell would not take stays as it is;
// the list has why, with the place in the document, as warnings.
func Document(src string, f markup.Format) (out string, diags diag.List) {
	defer func() {
		if value := recover(); value != nil {
			out, diags = src, diag.List{fault.New(value).Diagnostic()}
		}
	}()
	m := meter.New(len(src), meter.Limits{}, nil)
	var b strings.Builder
	at := 0
	for block := range markup.Blocks(src, f, m.Work) {
		content := src[block.Start:block.End]
		if block.Kind != markup.Code || !strings.Contains(content, "curl") {
			continue
		}
		lines := margined(content, block.Quoted)
		text := lines.text()
		shell, session := shellNamed(block.Language, text)
		if shell == "" {
			continue
		}
		formatted, refused := text, diag.List(nil)
		if session {
			formatted = sessionOf(text)
		} else {
			formatted, refused = Source(text, shell)
		}
		if d := refused.Err(); d != nil {
			left := *d
			left.Severity, left.Level = diag.SeverityWarning, diag.LevelDoubt
			left.Span, left.Fix = diag.At(block.Start+lines.place(int(d.Span.Start))), nil
			diags = append(diags, left)
			continue
		}
		if formatted != text {
			b.WriteString(src[at:block.Start] + lines.with(formatted))
			at = block.End
		}
	}
	if m.Over() {
		return src, diag.List{m.Diagnostic(diag.Span{})}
	}
	b.WriteString(src[at:])
	return b.String(), diags
}

// shellNamed returns the shell of a block by the language that it names, or "", and reports
// whether it is a session, in which prompts stand before commands and output below them.
func shellNamed(language, text string) (shell string, session bool) {
	text = strings.TrimLeft(text, "\r\n")
	switch language {
	case "bash", "sh", "shell", "zsh", "ksh", "dash", "curl":
		return "posix", strings.HasPrefix(text, prompt)
	case "console", "terminal", "shell-session", "shellsession", "sh-session", "bash-session":
		return "posix", true
	case "cmd", "bat", "batch", "dos":
		return "cmd", false
	case "powershell", "pwsh", "ps1":
		return "powershell", false
	case "", "text", "txt", "plaintext":
		if strings.HasPrefix(text, prompt+"curl ") {
			return "posix", true
		}
		if strings.HasPrefix(text, "curl ") {
			return "posix", false
		}
	}
	return "", false
}

// prompt stands before the commands of a session.
const prompt = "$ "

// sessionOf returns a session with its commands laid out, each for itself.
func sessionOf(text string) string {
	var b strings.Builder
	for text != "" {
		command := 0 // its length, with the lines that it goes on over
		for more := strings.HasPrefix(text, prompt); more; {
			n := strings.IndexByte(text[command:], '\n') + 1
			if n == 0 {
				n = len(text) - command
			}
			more = strings.HasSuffix(strings.TrimRight(text[command:command+n], "\r\n"), `\`) && command+n < len(text)
			command += n
		}
		if command > 0 {
			blanks := strings.Repeat(" ", len(prompt))
			formatted, refused := Source(blanks+text[len(prompt):command], "posix")
			if refused.Err() == nil && strings.HasPrefix(formatted, blanks) {
				b.WriteString(prompt + formatted[len(blanks):])
			} else {
				b.WriteString(text[:command])
			}
			text = text[command:]
			continue
		}
		line, rest, found := strings.Cut(text, "\n")
		b.WriteString(line)
		if found {
			b.WriteByte('\n')
		}
		text = rest
	}
	return b.String()
}

// margins are the lines of a block and what stands before each: blanks, and the marks of a
// quotation.
type margins struct {
	margin string // of all lines that have more than that
	lines  []string
}

// margined returns the lines of a block without the margin that they have in common.
func margined(content string, quoted bool) margins {
	marks := " \t"
	if quoted {
		marks += ">"
	}
	m := margins{lines: strings.SplitAfter(content, "\n")}
	first := true
	for _, line := range m.lines {
		own := line[:len(line)-len(strings.TrimLeft(line, marks))]
		if strings.TrimRight(line[len(own):], "\r\n") == "" {
			continue // it may have less
		}
		if first {
			m.margin, first = own, false
		}
		n := 0
		for n < len(m.margin) && n < len(own) && m.margin[n] == own[n] {
			n++
		}
		m.margin = m.margin[:n]
	}
	return m
}

// text returns the lines without their margin. One that has less than that is empty.
func (m *margins) text() string {
	var b strings.Builder
	for _, line := range m.lines {
		if rest, ok := strings.CutPrefix(line, m.margin); ok {
			b.WriteString(rest)
		} else {
			b.WriteString(line[len(strings.TrimRight(line, "\r\n")):])
		}
	}
	return b.String()
}

// place returns where a place of the text stands in the block.
func (m *margins) place(at int) int {
	from := 0
	for _, line := range m.lines {
		n := len(strings.TrimPrefix(line, m.margin))
		if !strings.HasPrefix(line, m.margin) {
			n = len(line) - len(strings.TrimRight(line, "\r\n"))
		}
		if at < n {
			return from + len(line) - n + at
		}
		at -= n
		from += len(line)
	}
	return from
}

// with returns another text in the place of the block's: its lines have the margin, but for
// those that stay as they are, and for the empty ones.
func (m *margins) with(text string) string {
	var b strings.Builder
	empty := 0 // how many empty lines of the block were used
	var blanks []string
	for _, line := range m.lines {
		if !strings.HasPrefix(line, m.margin) || strings.TrimRight(line[len(m.margin):], "\r\n") == "" {
			blanks = append(blanks, line)
		}
	}
	for line := range strings.SplitAfterSeq(text, "\n") {
		switch {
		case strings.TrimRight(line, "\r\n") != "":
			b.WriteString(m.margin + line)
		case empty < len(blanks):
			b.WriteString(blanks[empty])
			empty++
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}
