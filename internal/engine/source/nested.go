package source

import (
	"maps"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/cmd"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/posix"
	"uncoil/internal/engine/source/powershell"
	"uncoil/internal/engine/source/word"
)

// maxNested bounds how deep commands in the arguments of others are read.
const maxNested = 8

// nested reads the commands that other commands run: bash -c '…', ssh host '…',
// CMD ["…"]. Where curl runs outside of such arguments, too, it does so for shells
// only. It returns the commands with those that hold curl replaced by what they run.
func nested(src string, commands []Command, env map[string]string, m *meter.Meter, diags *diag.List, depth int) []Command {
	if depth == maxNested {
		return commands
	}
	outside := runsOutside(commands)
	var out []Command
	copied := 0
	for i := range commands {
		c := &commands[i]
		if c.Inside || len(c.Args) == 0 || outside && !isShell(c.Args[0].Text) || !m.Work(8*len(c.Args)) {
			continue
		}
		inner, before := run(src, c, env, m, diags, depth)
		if !runsOutside(inner) {
			continue
		}
		if len(*diags) < paste.MaxWarnings {
			diags.Warn(diag.WarnPastedNoise, before, "the command that this one runs is read, and what stands around it is left out", "")
		}
		out = append(append(out, commands[copied:i]...), inner...)
		copied = i + 1
	}
	if out == nil {
		return commands
	}
	return append(out, commands[copied:]...)
}

// run returns the commands that a command runs, and what stands before them.
func run(src string, c *Command, env map[string]string, m *meter.Meter, diags *diag.List, depth int) (inner []Command, before diag.Span) {
	if words := execForm(src, c, m); len(words) > 0 {
		before = diag.Span{Start: c.Span.Start, End: words[0].Span.Start}
		switch words[0].Text {
		case "NONE":
			return nil, before
		case "CMD":
			words = words[1:]
		case "CMD-SHELL":
			words[0].Text = "eval"
		}
		if len(words) == 0 {
			return nil, before
		}
		span := diag.Span{Start: words[0].Span.Start, End: words[len(words)-1].Span.End}
		inner = []Command{{Args: words, Span: span, Stdin: c.Stdin, Nested: true}}
		return nested(src, inner, env, m, diags, depth+1), before
	}
	s := findScript(c)
	before = diag.Span{Start: c.Span.Start, End: c.Span.End}
	if len(s.words) > 0 && s.words[0].Span.Start > before.Start {
		before.End = s.words[0].Span.Start
	}
	text, places := s.join(src, c, m)
	if text == "" || !strings.Contains(text, "curl") || !m.Work(lookSteps*len(text)) {
		return nil, before
	}
	var found diag.List
	switch s.dialect {
	case Cmd:
		inner, found = cmd.Split(text, env, m)
	case PowerShell:
		inner, found = powershell.Split(text, env, m)
	default:
		inner, found = posix.Read(text, s.env(env, m), m, nil)
	}
	if found.Err() != nil {
		return nil, before
	}
	inner = nested(text, inner, env, m, &found, depth+1)
	places.Restore(inner, found)
	for i := range inner {
		inner[i].Nested = true
		if inner[i].Stdin == nil && !s.stdin {
			inner[i].Stdin = c.Stdin
		}
	}
	if runsOutside(inner) {
		for i := range found {
			found[i].Fix = nil // which another shell would read first
		}
		*diags = append(*diags, found...)
	}
	return inner, before
}

// A script is the text of commands that a command runs.
type script struct {
	words   []Word // joined by blanks they are the text
	args    []Word // $0, $1 and so on
	stdin   bool   // the text is standard input
	dialect Dialect
}

// findScript returns the script that a command runs, if it runs one.
func findScript(c *Command) (s script) {
	s.dialect = POSIX
	args := c.Args
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		name := text[strings.LastIndexAny(text, `/\`)+1:]
		switch name {
		case "bash", "sh", "zsh", "dash", "ksh", "ash":
			rest, ok := afterCommandOption(args[i+1:])
			s.words, s.args = rest[:min(1, len(rest))], rest[min(1, len(rest)):]
			s.stdin = !ok && c.Stdin != nil && c.Stdin.Known && onlyOptions(args[i+1:])
			return s
		case "su", "runuser", "vagrant":
			rest, _ := afterCommandOption(args[i+1:])
			s.words = rest[:min(1, len(rest))]
			return s
		case "eval":
			s.words = args[i+1:]
			return s
		case "watch":
			s.words = args[skipOptions(args, i, paste.WrapperOptions(name))+1:]
			return s
		case "ssh":
			host := skipOptions(args, i, "BbcDEeFIiJLlmOopQRSWw") + 1
			s.words = args[min(host+1, len(args)):]
			s.stdin = len(s.words) == 0 && c.Stdin != nil && c.Stdin.Known
			return s
		case "cmd", "cmd.exe":
			if i+1 < len(args) && (ascii.EqualFold(args[i+1].Text, "/c") || ascii.EqualFold(args[i+1].Text, "/k")) {
				s.words, s.dialect = args[i+2:], Cmd
			}
			return s
		case "powershell", "powershell.exe", "pwsh", "pwsh.exe":
			for j := i + 1; j < len(args); j++ {
				if ascii.EqualFold(args[j].Text, "-command") || ascii.EqualFold(args[j].Text, "-c") {
					s.words, s.dialect = args[j+1:], PowerShell
					return s
				}
			}
			return s
		}
		switch {
		case paste.IsAssignment(text), paste.IsMarker(text), paste.IsPrompt(text):
		case paste.WrapperOptions(text) != "":
			i = skipOptions(args, i, paste.WrapperOptions(text))
			if text == "HEALTHCHECK" && i+1 < len(args) && args[i+1].Text == "CMD" {
				i++
			}
		case paste.RunsElsewhere(text):
			for i+1 < len(args) && !isShell(args[i+1].Text) {
				i++
			}
		default:
			if !promptEnds(args[i:]) {
				return s
			}
		}
	}
	return s
}

// env returns what the script knows: the variables of the text around it, and its
// arguments.
func (s *script) env(env map[string]string, m *meter.Meter) map[string]string {
	const most = 10 // $10 is $1 and a 0
	args := s.args[:min(most, len(s.args))]
	if len(args) == 0 || !m.Work(16*len(env)) || !m.Hold(64*(len(env)+most)) {
		return env
	}
	inner := make(map[string]string, len(env)+most)
	maps.Copy(inner, env)
	for i := range args {
		if delete(inner, strconv.Itoa(i)); len(args[i].Holes) == 0 {
			inner[strconv.Itoa(i)] = args[i].Text
		}
	}
	return inner
}

func isShell(text string) bool {
	switch text[strings.LastIndexByte(text, '/')+1:] {
	case "bash", "sh", "zsh", "dash", "ksh", "ash":
		return true
	}
	return false
}

// promptEnds reports whether one of the first words ends a prompt.
func promptEnds(args []Word) bool {
	const longest = 4
	for i := 0; i < len(args) && i < longest; i++ {
		if text := args[i].Text; text != "" && strings.IndexByte("$#%", text[len(text)-1]) >= 0 {
			return true
		}
	}
	return false
}

// afterCommandOption returns the words after -c, alone or at the end of a
// cluster, or after --command.
func afterCommandOption(args []Word) (rest []Word, ok bool) {
	for i := range args {
		text := args[i].Text
		if text == "--command" || len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.IndexByte(text, 'c') > 0 && len(text) < 6 {
			return args[i+1:], true
		}
	}
	return nil, false
}

func onlyOptions(args []Word) bool {
	for i := range args {
		if text := args[i].Text; text == "" || text[0] != '-' && text[0] != '+' {
			return false
		}
	}
	return true
}

// join returns the text of a script and the spans of its parts in the source.
func (s *script) join(src string, c *Command, m *meter.Meter) (string, *paste.Rewriting) {
	if s.stdin {
		all := word.Positions{{End: len(c.Stdin.Text), Start: c.Span.Start, Stop: c.Span.End}}
		return c.Stdin.Text, paste.Spliced(all)
	}
	const spliceSize, readerSteps = 24, 500
	size, escapes := 0, 0
	for i := range s.words {
		w := &s.words[i]
		size += len(w.Text) + 1
		escapes += 1 + max(0, int(w.Span.End-w.Span.Start)-len(w.Text))
	}
	if !m.Work(2*size+10*escapes+readerSteps) || !m.Hold(size+2*spliceSize*escapes) {
		return "", nil
	}
	b := make([]byte, 0, size)
	var places word.Positions
	for i := range s.words {
		w := &s.words[i]
		if i > 0 {
			b = append(b, ' ')
		}
		places = appendPlaces(places, src, w, len(b))
		b = append(b, w.Text...)
	}
	return string(b), paste.Spliced(places)
}

// appendPlaces notes where the bytes of a word, which stands at an offset of a
// script, come from: each from its own place where quotes around the word and
// backslashes in it are all that is taken off, and else all from the word.
func appendPlaces(places word.Positions, src string, w *Word, at int) word.Positions {
	n := len(places)
	from := at
	if n > 0 {
		from = places[n-1].End
	}
	whole := word.Splice{At: at, End: at + len(w.Text), Start: w.Span.Start, Stop: w.Span.End}
	if w.Span.Start < 0 || w.Span.End < w.Span.Start || int(w.Span.End) > len(src) {
		return append(places, whole)
	}
	raw, i := src[w.Span.Start:w.Span.End], 0
	quote := byte(0)
	if raw != "" && (raw[0] == '\'' || raw[0] == '"') {
		quote, i = raw[0], 1
	}
	places = append(places, word.Splice{At: from, End: at, Start: w.Span.Start, Stop: w.Span.Start + int32(i)})
	for j := 0; j < len(w.Text); j++ {
		switch {
		case i+1 < len(raw) && raw[i] == '\\' && quote != '\'' && raw[i+1] == w.Text[j] && (quote == 0 || strings.IndexByte("\\\"$`", raw[i+1]) >= 0):
			places = append(places, word.Splice{At: at + j, End: at + j + 1, Start: w.Span.Start + int32(i), Stop: w.Span.Start + int32(i) + 2})
			i += 2
		case quote == '\'' && w.Text[j] == '\'' && strings.HasPrefix(raw[min(i, len(raw)):], `'\''`):
			places = append(places, word.Splice{At: at + j, End: at + j + 1, Start: w.Span.Start + int32(i), Stop: w.Span.Start + int32(i) + 4})
			i += 4
		case i < len(raw) && raw[i] == w.Text[j]:
			i++
		default:
			return append(places[:n], whole)
		}
	}
	return places
}

// execForm returns the words of a JSON array of strings, by which a Dockerfile
// or a file of Compose names a command: CMD ["curl", "-f", "http://h"].
func execForm(src string, c *Command, m *meter.Meter) (words []Word) {
	args := c.Args
	for i := 1; i < len(args) && i < 16; i++ {
		at := args[i].Span.Start
		if at < 0 || int(at) >= len(src) || src[at] != '[' {
			continue
		}
		switch before := args[i-1].Text; before {
		case "CMD", "RUN", "ENTRYPOINT", "test:", "command:", "entrypoint:", "cmd:":
		default:
			return nil
		}
		return stringsOf(src, int(at)+1, strings.HasSuffix(args[i-1].Text, ":"), m)
	}
	return nil
}

// stringsOf reads the strings of a JSON array whose bracket has been read, or of a list of
// YAML, where they may stand without quotes.
func stringsOf(src string, i int, yaml bool, m *meter.Meter) (words []Word) {
	for m.Work(16) {
		for i < len(src) && strings.IndexByte(" \t\r\n,", src[i]) >= 0 {
			i++
		}
		if i == len(src) || src[i] == ']' {
			return words
		}
		if yaml && src[i] != '"' && src[i] != '\'' {
			n := strings.IndexAny(src[i:], ",]\n")
			if n < 1 || src[i+n] == '\n' || !m.Work(n) {
				return nil
			}
			text := strings.TrimRight(src[i:i+n], " \t")
			words = append(words, Word{Text: text, Span: diag.Span{Start: int32(i), End: int32(i + len(text))}})
			i += n
			continue
		}
		end := stringEnd(src, i)
		if end < 0 || !m.Work(end-i) || !m.Hold(end-i) {
			return nil
		}
		text, ok := src[i+1:end-1], true
		if src[i] == '"' {
			if text, ok = jsontext.Unquote(src[i:end]); !ok {
				return nil
			}
		}
		words = append(words, Word{Text: text, Span: diag.Span{Start: int32(i), End: int32(end)}})
		i = end
	}
	return nil
}

// stringEnd returns where the string in quotes that begins at an offset ends,
// or -1.
func stringEnd(src string, i int) int {
	if src[i] != '"' && src[i] != '\'' {
		return -1
	}
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case src[i]:
			return j + 1
		case '\n':
			return -1
		}
	}
	return -1
}
