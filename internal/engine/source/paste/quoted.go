package paste

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
)

// withoutMarks reads a text whose lines all begin with the marks that a mail, a
// page in Markdown or a diff puts before quoted lines. For a shell such a line is
// a redirection, a pipe without a command, or an option without one. It
// returns nil where a line has none, or where no line goes on with a command.
func withoutMarks(src string, start int, m *meter.Meter) *Rewriting {
	first, end := src[start:], len(src)
	markLength := quoteMarks
	switch first[0] {
	case '|':
		markLength = barMark
	case '+', '-', '@':
		if strings.HasPrefix(first, "- ") || strings.HasPrefix(first, "+ ") {
			return nil // a list, or the trace of a shell
		}
		markLength = diffMark
	case '`':
		if !strings.HasPrefix(first, "```diff") {
			return nil
		}
		start += ascii.LineLength(first)
		end = nextFence(src, start, end)
		markLength = diffMark
	case '>':
	default: // a line that says whose words follow
		n := ascii.LineLength(first)
		if !strings.HasSuffix(strings.TrimRight(first[:n], " \t\r"), ":") || PromptLength(first) > 0 ||
			!strings.HasPrefix(strings.TrimLeft(first[n:], " \t\r\n"), ">") {
			return nil
		}
		start += n
	}
	w, lines, holds, marks := NewRewriting(src, m), 0, false, ""
	if start > 0 {
		w.Replace(0, start, "")
	}
	for at := start; at < end; {
		line := src[at : at+ascii.LineLength(src[at:end])]
		if strings.TrimSpace(line) != "" {
			n := markLength(line)
			if n == 0 {
				return nil
			}
			lines++
			if n == 1 && (line[0] == '-' || line[0] == '+') && !strings.Contains(marks, line[:1]) {
				marks += line[:1]
			}
			rest := strings.TrimLeft(line[n:], " \t")
			holds = holds || startsCommand(rest) || startsCommand(rest[PromptLength(rest):])
			w.Replace(at, at+n, "")
		}
		at += len(line) + 1
	}
	if lines < 2 || !holds || marks == "-+" {
		return nil // a diff is read before and after it
	}
	if end < len(src) {
		w.Replace(end, len(src), "")
	}
	return w
}

// quoteMarks returns the length of the marks > at the start of a line, each with a
// blank after it.
func quoteMarks(line string) int {
	n := 0
	for {
		mark := n
		for mark < len(line) && ascii.IsBlank(line[mark]) {
			mark++
		}
		if mark == len(line) || line[mark] != '>' || strings.HasPrefix(line[mark:], ">>") {
			return n
		}
		if n = mark + 1; n < len(line) && ascii.IsBlank(line[n]) {
			n++
		}
	}
}

// barMark returns the length of the bar at the start of a line, with a blank.
func barMark(line string) int {
	switch {
	case strings.HasPrefix(line, "| "):
		return len("| ")
	case strings.HasPrefix(line, "|"):
		return len("|")
	}
	return 0
}

// diffMark returns the length of the mark of a diff at the start of a line.
func diffMark(line string) int {
	switch line[0] {
	case '+', '-', ' ':
		return 1
	case '@':
		return len(line)
	}
	return 0
}

// WithoutErrorRecords reads a text without the errors that PowerShell shows below a
// command: from a line such as "Invoke-WebRequest : Cannot bind" up to the next
// prompt. The blank before the colon is what no command has. It returns nil where
// there are none.
func WithoutErrorRecords(src string, m *meter.Meter, diags *diag.List) *Rewriting {
	const colon = " : "
	first := ascii.LineLength(src)
	if first == len(src) || !strings.Contains(src[first:], colon) || !m.Work(len(src)) {
		return nil
	}
	var w *Rewriting
	for at := first + 1; at < len(src); {
		line := src[at : at+ascii.LineLength(src[at:])]
		if line == "" || strings.IndexByte(" \t\"'-{}", line[0]) >= 0 { // as most lines begin that go on with a command
			at += len(line) + 1
			continue
		}
		name, message, ok := strings.Cut(line, colon)
		if !ok || !ascii.HasPrefixFold(name, "invoke-") && (!IsCurl(name) || strings.HasPrefix(message, "curl ")) || strings.IndexByte(name, ' ') >= 0 {
			at += len(line) + 1
			continue
		}
		end := at + len(line)
		for end < len(src) {
			rest := src[end+1:]
			if strings.HasPrefix(rest, "PS ") || strings.HasPrefix(rest, "PS>") {
				break
			}
			end += 1 + ascii.LineLength(rest)
		}
		if w == nil {
			w = NewRewriting(src, m)
			diags.Warn(diag.WarnPastedNoise, diag.Span{Start: int32(at), End: int32(at + len(line))}, "an error that PowerShell shows is left out", "")
		}
		end = min(end, len(src))
		w.Replace(at, end, "")
		at = end + 1
	}
	return w
}
