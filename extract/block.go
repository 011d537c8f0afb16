package extract

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/paste"
)

const (
	// window bounds how long a command may be.
	window = 64 << 10
	// maxPart bounds how long one may be in a comment, or with the command that runs it.
	maxPart = 8 << 10
	// maxBefore bounds how much of a line before curl is looked at.
	maxBefore = 256
	// maxVain is how many steps may be vain for each byte of the text.
	maxVain = 32
)

// block finds the commands in a block.
func (s *scanner) block(b *block) {
	line := 0 // where the current line starts
	for pos := 0; pos < len(b.text); {
		n := strings.Index(b.text[pos:], "curl")
		if n < 0 {
			s.meter.Work((len(b.text) - pos) / 8)
			return
		}
		if !s.meter.Work(n/4 + 32) {
			return
		}
		at := pos + n
		if i := strings.LastIndexByte(b.text[pos:at], '\n'); i >= 0 {
			line = pos + i + 1
		}
		end := s.command(b, line, at)
		if pos = max(end, at+len("curl")); end > at {
			if i := strings.LastIndexByte(b.text[at:end], '\n'); i >= 0 {
				line = at + i + 1
			}
		}
	}
}

// command adds the command whose word curl stands at an offset, in a line that
// starts at line, and returns where it ends; 0 where there is none.
func (s *scanner) command(b *block, line, at int) int {
	after := at + len("curl")
	if strings.HasPrefix(b.text[after:], ".exe") {
		after += len(".exe")
	}
	if after >= len(b.text) || strings.IndexByte(" \t\\", b.text[after]) < 0 {
		return 0
	}
	if at > line && b.text[at-1] == '/' {
		for at > line && at > after-maxBefore && isPathByte(b.text[at-1]) {
			at--
		}
		if strings.HasPrefix(b.text[at:], "//") { // a comment
			at += len("//")
		}
	}
	if at > line && (isPathByte(b.text[at-1]) && !strings.HasSuffix(b.text[line:at], "=-") || strings.IndexByte("$%@:=+~", b.text[at-1]) >= 0 && !b.shell && !strings.HasSuffix(b.text[line:at], "`+")) {
		return 0 // it ends the name of something else
	}
	from := max(line, at-maxBefore)
	p := place{block: b, before: b.text[from:at], line: b.text[from:min(len(b.text), at+maxBefore)], cut: from > line, argument: b.text[after:min(len(b.text), after+maxBefore)]}
	if p.cut && !b.prose && !b.inline {
		return 0
	}
	if !s.meter.Work(2 * (len(p.before) + 64)) {
		return 0
	}
	switch {
	case b.prose && codeSpan(p.before) >= 0:
		return s.backticks(b, p, from+codeSpan(p.before), at)
	case b.inline:
		return s.inline(b, at, len(b.text))
	}
	if p.joined = joined(b.text[:line]); !s.meter.Work(2 * len(p.joined)) {
		return 0
	}
	stand := p.stand()
	switch stand {
	case nowhere:
		return 0
	case quoted:
		return s.nested(b, from+p.first(), at)
	case comment:
		return s.commented(b, p, at)
	}
	if shell := promptShell(p.before[:p.first()]); shell != "" && b.name == "" {
		named := *b
		named.name = s.shellOf(b.text[at:min(len(b.text), at+maxPart)], shell)
		b = &named
	}
	end := s.limit(b, p, stand, at)
	if code := s.respelled(b, p, at, end); code != nil {
		n := s.end(code, 0, len(code.text))
		if n > len("curl") {
			s.add(code, 0, n)
		}
		return at + int(code.places.End(n))
	}
	stop := s.end(b, at, end)
	if stop <= after {
		return 0
	}
	start := at
	if stand == piped && readsInput(b.text[at:stop]) && !p.cut && s.feeds(b.text[from+p.first():stop]) {
		start = from + p.first()
	}
	s.add(b, start, stop)
	return stop
}

// limit returns where the command that stands at an offset ends at the latest: with the
// backquotes or the brackets around it.
func (s *scanner) limit(b *block, p place, stand standing, at int) int {
	end := min(len(b.text), at+window)
	i := -1
	switch {
	case stand == backquoted:
		i = unescaped(b.text[at:end], '`')
	case inBrackets(p.before):
		i = strings.IndexByte(b.text[at:at+ascii.LineLength(b.text[at:end])], ']')
	default:
		return end
	}
	if i >= 0 {
		end = at + i
	}
	s.meter.Work((end - at) / 4)
	return end
}

// respelled returns the rest of a block from an offset on where the command there spells
// its further lines in another way: after the prompt of a terminal for them, or with the
// escaped backslashes of a string in a program. Else it returns nil.
func (s *scanner) respelled(b *block, p place, at, end int) *block {
	eol := at + ascii.LineLength(b.text[at:end])
	line := strings.TrimRight(b.text[at:eol], " \t\r")
	old := ""
	switch indent := blanks(p.before); {
	case (p.first() > indent || strings.HasSuffix(line, ` \`)) && isPrompted(b.text[min(eol+1, end):end], "> "):
		old = "> "
	case p.first() > indent && strings.HasSuffix(line, ` \`) && isPrompted(b.text[min(eol+1, end):end], "$ "):
		old = "$ "
	case !b.shell && !b.prose && !b.plain && strings.HasSuffix(line, ` \\`):
		end = min(end, at+maxPart)
		if strings.Count(p.before, "`")%2 != 0 { // a template literal of JavaScript
			if n := unescaped(b.text[at:end], '`'); n >= 0 {
				end = at + n
			}
		}
		return s.unescaped(b, at, end)
	default:
		return nil
	}
	end = min(end, at+maxPart)
	code := b.part(at, end)
	w := paste.NewRewriting(code.text, s.meter)
	for i := 0; i < len(code.text) && s.meter.Work(4); i += ascii.LineLength(code.text[i:]) + 1 {
		if n := blanks(code.text[i:]); i > 0 && strings.HasPrefix(code.text[i+n:], old) {
			w.Replace(i, i+n+len(old), "")
		} else if i > 0 {
			break
		}
	}
	code.text, code.places, code.name, code.shell = w.Text(), w, b.name, b.shell
	return code
}

// unescaped returns a part of a block that is in a string of a program: a backslash there
// escapes a backslash, a quote, a backquote or a dollar.
func (s *scanner) unescaped(b *block, start, end int) *block {
	code := b.part(start, end)
	if !s.meter.Work(len(code.text)) {
		return code
	}
	w := paste.NewRewriting(code.text, s.meter)
	for i := 0; i+1 < len(code.text); i++ {
		if code.text[i] == '\\' && strings.IndexByte("\\\"`$", code.text[i+1]) >= 0 {
			w.Replace(i, i+1, "")
			i++
		}
	}
	code.text, code.places, code.name = w.Text(), w, b.name
	return code
}

// isPrompted reports whether a line begins with a prompt, and goes on with a command: what
// follows would be no file.
func isPrompted(line, prompt string) bool {
	line = line[:ascii.LineLength(line)]
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), prompt)
	rest = strings.TrimLeft(rest, " ")
	return ok && rest != "" && (strings.IndexByte("-'\"{", rest[0]) >= 0 || strings.Contains(rest, "://"))
}

// joined returns the lines at the end of a text that a backslash joins to what follows,
// without the comments between them, which Docker drops.
func joined(text string) string {
	const lines = 8
	text = text[max(0, len(text)-2*maxBefore):]
	var parts [lines]string
	n, kept := lines, lines
	for range lines {
		i := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')
		line := strings.TrimSpace(text[i+1:])
		bare := strings.TrimSuffix(line, `\`)
		n--
		switch {
		case len(bare) < len(line) && !strings.HasSuffix(bare, `\`):
			parts[n] = bare + " "
			kept = n
		case !strings.HasPrefix(line, "#"):
			return strings.Join(parts[kept:], "")
		}
		if i < 0 {
			break
		}
		text = text[:i+1]
	}
	return strings.Join(parts[kept:], "")
}

// unescaped returns where a byte first stands without a backslash before it, or -1.
func unescaped(text string, c byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case c:
			return i
		}
	}
	return -1
}

// codeSpan returns where the code starts that a line of prose ends in, after its
// backticks, or -1.
func codeSpan(before string) int {
	opening, start := 0, -1 // how many backticks opened it
	for i := 0; i < len(before); i++ {
		if before[i] != '`' {
			continue
		}
		n := len(before[i:]) - len(strings.TrimLeft(before[i:], "`"))
		switch {
		case start < 0:
			opening, start = n, i+n
		case n == opening:
			start = -1
		}
		i += n - 1
	}
	return start
}

// isPathByte reports a byte of the path before the name of a program.
func isPathByte(c byte) bool {
	return c == '/' || c == '.' || c == '_' || c == '-' || ascii.IsLetter(c) || ascii.IsDigit(c)
}

// end returns where the command ends that starts at an offset: where the reader
// of the shell ends it, or, where the shell would not accept it, where whoever
// wrote it ends it.
func (s *scanner) end(b *block, at, end int) int {
	line := at + ascii.LineLength(b.text[at:end])
	cut := func(before string) { end, line = at+len(before), at+len(before) }
	if before, _, found := strings.Cut(b.text[at:line], "-->"); found && !strings.Contains(before, "<!--") {
		cut(before) // of a comment in HTML or XML
	}
	if before, _, found := strings.Cut(b.text[at:line], "`}"); found && b.prose && strings.Count(b.text[at:line], "`")%2 != 0 {
		cut(before) // of a template in a component
	}
	if before, _, found := strings.Cut(b.text[at:line], "</code>"); found && !b.shell {
		cut(before) // of an element in another text
	}
	if mark := continuation(b.text[at:line]); b.name == "powershell" || b.name == "cmd" || mark == '`' || mark == '^' {
		return s.lines(b.text, at, end, "`^")
	}
	n, err := s.read(b.text[at:end])
	switch {
	case s.meter.Over():
		return 0
	case err == nil:
		if bare := strings.TrimRight(strings.TrimSuffix(b.text[at:at+n], `\`), " \t"); len(bare) < n && strings.TrimSpace(b.text[at+n:end]) != "" {
			n = len(bare) // the backslash joins an operator to it
		}
		n = beforeRule(b.text[at : at+n])
		if !s.meter.Work(n / 4) {
			return 0
		}
		if next := urlBelow(b.text[at:at+n], b.text[at+n:end]); next > 0 {
			if more, err := s.read(b.text[at+n+next : end]); err == nil {
				n += next + more
			}
		}
		return at + n + s.severed(b.text[at:at+n], b.text[at+n:end])
	case err.Code == diag.CodeUnterminatedQuote && end == at+window:
		return 0 // the rest of it is not known
	case err.Code == diag.CodeUnterminatedQuote:
		if i := strings.IndexByte(b.text[at:end], '`'); i > 0 && !b.shell && !b.prose && !b.plain { // of a raw string in a program
			if n, err := s.read(b.text[at : at+i]); err == nil {
				return at + n
			}
		}
		if i := strings.Index(b.text[at:end], "\n\n"); i >= 0 {
			end = at + i
		}
		return at + len(strings.TrimRight(b.text[at:end], " \t\r\n"))
	}
	return s.lines(b.text, at, end, `\`)
}

// urlBelow returns how many bytes stand between a command without a URL and the one that
// begins the line below it, where a backslash was forgotten, or 0.
func urlBelow(command, rest string) int {
	if !strings.HasPrefix(rest, "\n") {
		return 0
	}
	for word := range strings.FieldsSeq(joinQuoted(command)) {
		if !holdsJSON(word) && (strings.Contains(word, "://") || strings.Contains(word, "localhost")) {
			return 0
		}
	}
	n := 1 + blanks(rest[1:])
	if strings.HasPrefix(strings.TrimLeft(rest[n:], "'\""), "http") && strings.Contains(firstWord(rest[n:]), "://") {
		return n
	}
	return 0
}

// beforeRule returns the length of a command without a line below it that begins with two
// dashes and is no option: a rule, the end of a listing, the boundary of a multipart body.
func beforeRule(command string) int {
	for at := 0; ; {
		n := strings.Index(command[at:], "\n--")
		if n < 0 {
			return len(command)
		}
		at += n
		if rest := command[at+len("\n--"):]; rest != "" && (rest[0] < 'a' || rest[0] > 'z') {
			return at
		}
		at++
	}
}

// severed returns how much of what follows a command was meant to belong to its
// last word: the rest of a query or of form data behind an unquoted &. The shell
// ends the command there, and so do the readers of the command, with a doubt.
func (s *scanner) severed(command, rest string) int {
	if len(rest) < 2 || rest[0] != '&' || !ascii.IsNameByte(rest[1]) {
		return 0
	}
	n := strings.IndexAny(rest, " \t\r\n'\"`\\;|<>()")
	if n < 0 {
		n = len(rest)
	}
	if !s.meter.Work(n/4 + 1) {
		return 0
	}
	for _, opening := range []string{"${", "$("} { // may have blanks inside
		before, _, _ := strings.Cut(rest[:n], opening)
		n = len(before)
	}
	last := command[strings.LastIndexAny(command, " \t\n")+1:]
	if strings.ContainsAny(last, "'\"") || rest[:n] == "&curl" {
		return 0
	}
	if strings.Contains(last, "?") || strings.Contains(last, "=") && strings.Contains(rest[:n], "=") {
		return n
	}
	return 0
}

// read returns where the command ends with which a text starts. What the shell
// would not accept is read in vain, often up to the end of the text. Where that
// happened too often already, only the line is read.
func (s *scanner) read(text string) (n int, err *diag.Diagnostic) {
	if s.vain > maxVain*(int64(len(s.src))+window) {
		text = text[:ascii.LineLength(text)]
	}
	s.attempt(len(text), func(m *meter.Meter) bool {
		n, err = source.CommandEnd(text, m)
		return err == nil
	})
	return n, err
}

// attempt lets a reader read n bytes, and reports whether that was of use. One
// reading may not use up what the whole text may cost.
func (s *scanner) attempt(n int, read func(m *meter.Meter) bool) bool {
	const base, perByte = 1 << 16, 64
	m := meter.New(n, meter.Limits{Work: base + perByte*int64(n)}, nil)
	ok := read(m)
	steps, _ := m.Spent()
	if !ok {
		s.vain += steps
	}
	return s.meter.Work(int(steps)) && ok
}

// lines returns the end of the lines from an offset on that go on as long as
// one of the marks stands at their end.
func (s *scanner) lines(text string, at, end int, marks string) int {
	for i := at; ; {
		stop := i + ascii.LineLength(text[i:end])
		mark := continuation(text[i:stop])
		if !s.meter.Work((stop-i)/8 + 1) {
			return 0
		}
		if stop == end || mark == 0 || strings.IndexByte(marks, mark) < 0 {
			return i + len(strings.TrimRight(text[i:stop], " \t\r"))
		}
		i = stop + 1
	}
}

// continuation returns the last byte of a line if it stands alone and may join
// the line with the next one, or 0.
func continuation(line string) byte {
	line = strings.TrimRight(line, " \t\r")
	if n := len(line); n > 1 && strings.IndexByte("\\`^", line[n-1]) >= 0 && (line[n-2] == ' ' || line[n-1] == '\\') {
		return line[n-1]
	}
	return 0
}

// feeds reports whether a text is a command that gives curl its input.
func (s *scanner) feeds(text string) bool {
	return s.attempt(len(text), func(m *meter.Meter) bool { return source.FeedsCurl(text, m) })
}

// nested adds the command that runs curl in one of its arguments, such as
// bash -c 'curl h'.
func (s *scanner) nested(b *block, start, at int) int {
	c := openCommand(b.text[start:at])
	starts := []int{start, start + c.outside}
	if i := strings.LastIndex(b.text[start:at], "sh -c "); i >= 0 {
		starts = append(starts, start+strings.LastIndexByte(b.text[start:start+i], ' ')+1)
	}
	for _, start := range slices.Compact(starts) {
		n, err := s.read(b.text[start:min(len(b.text), start+maxPart)])
		if err != nil || start+n <= at {
			continue
		}
		if s.attempt(n, func(m *meter.Meter) bool { return source.RunsCurl(b.text[start:start+n], m) }) {
			s.add(b, start, start+n)
			return start + n
		}
	}
	if c.quote != '\'' || !runsText(b.text[start:at]) {
		return 0
	}
	size := strings.IndexByte(b.text[at:min(len(b.text), at+maxPart)], '\'')
	stop := s.end(b, at, at+max(size, 0))
	if stop > at {
		s.add(b, at, stop)
	}
	return stop
}

// runsText reports whether a command runs what its last argument says, as text for a
// shell, beside those that the reader of commands knows.
func runsText(command string) bool {
	switch firstWord(command) {
	case "parallel", "hyperfine", "entr":
		return true
	}
	return false
}

// backticks adds the command at an offset in a sentence, within the code between
// backticks that starts at another one.
func (s *scanner) backticks(b *block, p place, code, at int) int {
	ticks := code
	for ticks > 0 && b.text[ticks-1] == '`' {
		ticks--
	}
	before := strings.TrimLeft(b.text[code:at], "+ ") // of literal text in AsciiDoc
	if n := paste.PromptLength(before + "curl "); n < len(before) && p.inCommand(before) == nowhere {
		return 0
	}
	rest := b.text[at:min(len(b.text), at+8*maxBefore)]
	if i := strings.Index(rest, "\n\n"); i >= 0 {
		rest = rest[:i]
	}
	if !s.meter.Work(len(rest)/4 + 1) {
		return 0
	}
	n := strings.Index(rest, b.text[ticks:code])
	if n > 0 && rest[n-1] == '+' && strings.HasPrefix(b.text[code:], "+") {
		n--
	}
	if n < 0 {
		return 0
	}
	if before != "" && strings.IndexByte("'\"", before[len(before)-1]) >= 0 {
		if i := unescaped(rest[:n], before[len(before)-1]); i >= 0 {
			n = i // of a string in another language
		}
	}
	switch {
	case ticks > 0 && b.text[ticks-1] == '{' && strings.IndexByte(rest[:n], '\\') >= 0:
		return s.literalOf(b, at, at+n)
	case strings.HasPrefix(strings.TrimLeft(p.before, " \t"), "|") && strings.Contains(rest[:n], `\|`):
		return s.tableCode(b, at, at+n)
	case strings.IndexByte(rest[:n], '\n') < 0 || code > ticks+1 || ticks > 0 && b.text[ticks-1] == '{':
		return s.inline(b, at, at+n)
	}
	// A line break within code is a blank (CommonMark 0.31, 6.1).
	span := b.part(at, at+n)
	w := paste.NewRewriting(span.text, s.meter)
	for i := range len(span.text) {
		if span.text[i] == '\n' && !strings.HasSuffix(span.text[:i], `\`) {
			w.Replace(i, i+1, " ")
		}
	}
	span.text, span.places, span.name = w.Text(), w, b.name
	if s.inline(span, 0, len(span.text)) == 0 {
		return 0
	}
	return at + n
}

// literalOf adds the command that is all of a template literal of JavaScript, whose backslashes
// escape.
func (s *scanner) literalOf(b *block, at, end int) int {
	code := s.unescaped(b, at, end)
	if s.inline(code, 0, len(code.text)) == 0 {
		return 0
	}
	return end
}

// tableCode adds the command in code in a row of a table, where a backslash keeps | from ending
// the cell (GitHub Flavored Markdown 0.29, 4.10).
func (s *scanner) tableCode(b *block, at, end int) int {
	code := b.part(at, end)
	w := paste.NewRewriting(code.text, s.meter)
	for i := 0; i+1 < len(code.text); i++ {
		if code.text[i] == '\\' && code.text[i+1] == '|' {
			w.Replace(i, i+1, "")
		}
	}
	code.text, code.places, code.name = w.Text(), w, b.name
	if s.inline(code, 0, len(code.text)) == 0 {
		return 0
	}
	return end
}

// inline adds the command from an offset on that is all of a piece of code
// within a sentence. Such pieces are often only the beginning of a command, so
// it must have a URL.
func (s *scanner) inline(b *block, at, end int) int {
	stop := s.end(b, at, end)
	if stop <= at || !hasURL(b.text[at+len("curl"):stop]) {
		return 0
	}
	s.add(b, at, stop)
	return stop
}
