package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/paste"
)

// yaml finds the commands in the scalars of a text in YAML, as YAML reads them: without
// indentation, with folded lines joined. What has no such form, comments and templates
// among it, is read as a script.
func (s *scanner) yaml(b *block) {
	raw := 0 // where what is read as a script starts
	for at := 0; at < len(b.text); {
		end := at + ascii.LineLength(b.text[at:])
		line := b.text[at:end]
		if !s.meter.Work(len(line)/8 + 4) {
			return
		}
		v := valueOf(strings.TrimRight(line, " \t\r"))
		next := end + 1
		if v.start < 0 {
			if v = valueBelow(line, b.text[min(next, len(b.text)):]); v.start < 0 {
				at = next
				continue
			}
			at, end = next, next+ascii.LineLength(b.text[next:])
			line, next = b.text[at:end], end+1
		}
		start := at + v.start
		var stop int
		switch value := strings.TrimRight(line[v.start:], " \t\r"); {
		case isBlockHeader(value):
			stop = s.blockEnd(b.text, next, v.indent)
		case value[0] == '"' || value[0] == '\'':
			stop = start + s.closed(quotedLength, b.text[start:min(len(b.text), start+window)])
		case (value[0] == '[' || value[0] == '{') && strings.IndexByte("]}", value[len(value)-1]) < 0: // over lines
			stop = start + s.closed(flowLength, b.text[start:min(len(b.text), start+maxPart)])
		default:
			stop = end
			if strings.Contains(value, "curl") {
				stop = plainEnd(b.text, end, v.indent)
			}
		}
		if !s.meter.Work((stop - start) / 8) {
			return
		}
		if strings.Contains(b.text[start:stop], "curl") {
			s.script(b, raw, at)
			s.yamlScalar(b, start, stop, v)
			raw = stop
		}
		if at = max(next, stop); stop > next && b.text[stop-1] != '\n' {
			at = stop + ascii.LineLength(b.text[stop:]) + 1
		}
	}
	s.script(b, raw, len(b.text))
}

// startsYAML reports whether a text begins as only YAML does: with the mark of a document,
// a name without a value, or one in a list.
func startsYAML(text string) bool {
	line := strings.TrimRight(text[:ascii.LineLength(text)], " \t\r")
	if line == "---" {
		return true
	}
	item, listed := strings.CutPrefix(line, "- ")
	name, value, named := strings.Cut(item, ":")
	return named && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-") == "" && name != "" && (value == "" || listed && value[0] == ' ')
}

// script finds the commands in a part of a block that is a script.
func (s *scanner) script(b *block, start, end int) {
	if start < end && s.meter.Work((end-start)/16) && strings.Contains(b.text[start:end], "curl") {
		part := b.part(start, end)
		part.shell = true
		s.block(part)
	}
}

// A value is where the value of a line of YAML stands.
type value struct {
	name   string
	start  int // in the line; negative: there is none
	indent int // of what it belongs to
}

// valueOf returns the value in a line: behind the marks of a list and a name.
func valueOf(line string) (v value) {
	i, inList := 0, false
	for {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		if !strings.HasPrefix(line[i:], "- ") {
			break
		}
		v.indent, inList = i, true
		i += 2
	}
	v.start = -1
	if i == len(line) || line[i] == '#' {
		return v
	}
	at := i
	if line[i] == '"' || line[i] == '\'' {
		at = i + quotedLength(line[i:])
	}
	n := strings.Index(line[at:], ": ")
	switch {
	case n >= 0 && isName(line[i:at+n]):
		v.name, v.indent = strings.Trim(line[i:at+n], "\"'"), i
		at += n + 2
		for at < len(line) && line[at] == ' ' {
			at++
		}
		if at < len(line) && line[at] != '#' {
			v.start = at
		}
	case inList && line[len(line)-1] != ':':
		v.start = i
	}
	return v
}

// valueBelow returns the plain value of a line of a name alone that begins in the line
// below it, where that is a command.
func valueBelow(line, rest string) value {
	v := value{start: -1}
	line = strings.TrimRight(line, " \t\r")
	bare := strings.TrimLeft(line, " -")
	name, ok := strings.CutSuffix(bare, ":")
	n := len(rest) - len(strings.TrimLeft(rest, " "))
	if v.indent = len(line) - len(bare); ok && isName(name) && n > v.indent && strings.HasPrefix(rest[n:], "curl ") {
		v.name, v.start = strings.Trim(name, "\"'"), n
	}
	return v
}

// isName reports whether a text is what the names of members are.
func isName(text string) bool {
	const longest = 128
	if len(text) == 0 || len(text) > longest {
		return false
	}
	return text[0] == '"' || text[0] == '\'' || !strings.ContainsAny(text, "{}[]\"'`$|&;=#") && !strings.Contains(text, "curl ")
}

// isBlockHeader reports whether a value begins a literal or a folded scalar.
func isBlockHeader(value string) bool {
	if value[0] != '|' && value[0] != '>' {
		return false
	}
	header, _, _ := strings.Cut(value[1:], " #")
	return strings.Trim(header, "+-123456789 \t") == ""
}

// blockEnd returns where the lines end that are blank, or indented more than what a
// scalar belongs to.
func (s *scanner) blockEnd(text string, at, indent int) int {
	end := min(at, len(text))
	for at < len(text) {
		line := text[at : at+ascii.LineLength(text[at:])]
		n := len(line) - len(strings.TrimLeft(line, " "))
		blank := strings.Trim(line, " \t\r") == ""
		if !blank && n <= indent || !s.meter.Work(len(line)/8+4) {
			break
		}
		at = min(at+len(line)+1, len(text))
		if !blank {
			end = at
		}
	}
	return end
}

// plainEnd returns where a plain scalar ends whose first line ends at an offset: it goes
// on in lines that are indented more, and name nothing.
func plainEnd(text string, end, indent int) int {
	for end < len(text) {
		line := text[end+1:]
		line = strings.TrimRight(line[:ascii.LineLength(line)], "\r")
		n := len(line) - len(strings.TrimLeft(line, " "))
		if n <= indent || n == len(line) || line[n] == '#' || strings.HasPrefix(line[n:], "- ") || valueOf(line).name != "" {
			break
		}
		end += 1 + len(line)
	}
	return end
}

// quotedLength returns the length of the quoted scalar that a text starts with; 1 where
// the quote is not closed.
func quotedLength(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		default:
			return i + 1
		}
	}
	return 1
}

// yamlScalar finds the commands in a scalar that stands somewhere.
func (s *scanner) yamlScalar(b *block, start, end int, v value) {
	if !s.meter.Work((end - start) / 4) {
		return
	}
	part := b.part(start, end)
	w := paste.NewRewriting(part.text, s.meter)
	switch c := part.text[0]; {
	case isBlockHeader(strings.TrimRight(part.text[:ascii.LineLength(part.text)], " \t\r")):
		unindent(part.text, w, c == '>')
	case c == '"' && len(part.text) > 1, c == '\'' && len(part.text) > 1:
		unquote(part.text, w, c)
	case c == '[' || c == '{':
		s.flow(b, start, end, v.name)
		return
	default:
		fold(part.text, 0, w)
	}
	part.text, part.places = w.Text(), w
	s.scalar(part, v.name)
}

// unindent takes the header and the indentation off a literal or folded scalar. In a
// folded one a line break between two lines is a blank, and the first of several breaks
// is none; lines that are indented further keep theirs (YAML 1.2, 8.1.3).
func unindent(text string, w *paste.Rewriting, folded bool) {
	at := ascii.LineLength(text) + 1
	from, indent, breaks := 0, -1, 0 // from: where what is to be replaced starts
	kept := true                     // the line before keeps its line break
	for at < len(text) {
		line := text[at : at+ascii.LineLength(text[at:])]
		n := len(line) - len(strings.TrimLeft(line, " "))
		blank := n == len(strings.TrimRight(line, "\r"))
		if indent < 0 && !blank {
			indent = n
		}
		n = min(n, max(indent, 0))
		if from > 0 {
			breaks++
		}
		if at += len(line) + 1; blank && from > 0 {
			continue
		}
		keep := !folded || n < len(line) && ascii.IsBlank(line[n])
		with := strings.Repeat("\n", breaks)
		if !keep && !kept && breaks > 0 {
			if with = with[1:]; with == "" {
				with = " "
			}
		}
		start := at - len(line) - 1
		w.Replace(from, start+n, with)
		from, breaks, kept = start+len(line), 0, keep
	}
}

// unquote reads a scalar in quotes.
func unquote(text string, w *paste.Rewriting, quote byte) {
	w.Replace(0, 1, "")
	end := len(text) - 1
	for i := 1; i < end; i++ {
		switch c := text[i]; {
		case c == '\\' && quote == '"' && text[i+1] == '\n':
			n := blanks(text[i+2:])
			w.Replace(i, i+2+n, "")
			i += 1 + n
		case c == '\\' && quote == '"':
			n := min(escapeLength(text[i:]), end-i)
			if t, ok := jsontext.Unquote(`"` + text[i:i+n] + `"`); ok {
				w.Replace(i, i+n, t)
			} else {
				n = 2
				w.Replace(i, i+1, "") // an escaped blank, among others
			}
			i += n - 1
		case c == '\'' && quote == c:
			w.Replace(i, i+1, "")
			i++
		case c == '\n':
			i += foldAt(text, i, w) - 1
		}
	}
	w.Replace(end, end+1, "")
}

// fold joins the lines of a plain scalar.
func fold(text string, at int, w *paste.Rewriting) {
	for ; at < len(text); at++ {
		if text[at] == '\n' {
			at += foldAt(text, at, w) - 1
		}
	}
}

// foldAt joins the lines that a line break separates, and returns how much it replaced.
// Each further break, of a blank line, stays.
func foldAt(text string, at int, w *paste.Rewriting) int {
	n := 1 + blanks(text[at+1:])
	breaks := 0
	for at+n < len(text) && text[at+n] == '\n' {
		n += 1 + blanks(text[at+n+1:])
		breaks++
	}
	with := " "
	if breaks > 0 {
		with = strings.Repeat("\n", breaks)
	}
	w.Replace(at, at+n, with)
	return n
}

// blanks returns how many blanks a text starts with.
func blanks(text string) int { return len(text) - len(strings.TrimLeft(text, " \t\r")) }

// closed returns the length of what a text starts with, and pays for the look at all of the
// text where that is not closed.
func (s *scanner) closed(length func(text string) int, text string) int {
	n := length(text)
	if n == 1 {
		s.meter.Work(len(text) / 8)
	}
	return n
}

// flowLength returns the length of the list or mapping between brackets that a text starts
// with; 1 where they are not closed.
func flowLength(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '"' || c == '\'') && !ascii.IsNameByte(text[i-1]):
			i += quotedLength(text[i:]) - 1
		case c == '#' && ascii.IsBlank(text[i-1]):
			i += ascii.LineLength(text[i:])
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 1
}

// flow finds the commands in a list or mapping between brackets: in its strings.
func (s *scanner) flow(b *block, start, end int, name string) {
	if s.arguments(b, start, end) {
		return
	}
	for at := start; at < end; at++ {
		c := b.text[at]
		if c != '"' && c != '\'' || at > start && ascii.IsNameByte(b.text[at-1]) {
			continue
		}
		n := quotedLength(b.text[at:end])
		if n > 1 && strings.Contains(b.text[at:at+n], "curl") {
			s.yamlScalar(b, at, at+n, value{name: name})
		}
		at += n - 1
	}
}
