// Package powershell reads text as PowerShell would.
package powershell

import (
	"cmp"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/cmd"
	"uncoil/internal/engine/source/word"
)

// Split reads text as PowerShell would, as far as pasted commands
// need it:
//
//	statement = [ "$name =" ] ( command | expression ) { "|" command }
//	command   = [ "&" ] word { word }
//	word      = '…' | "…" | here-string | $var | bare text, with ` escapes
//
// Statements end at a line break, ; or |. Of redirections, those of the output
// to a file are kept, as are pipes to Out-File and Set-Content. A variable
// that the text assigns, or env knows, in any case, is replaced; any other
// stays as typed and becomes a [Hole], as does $(…).
//
// A native program such as curl.exe gets its arguments in one of two ways.
// Since version 7.3 PowerShell passes them whole. Windows PowerShell 5 loses
// plain double quotes inside them, so people write \" there. An argument in
// which every quote has its backslash is read the old way, any other the new.
//
// Invoke-WebRequest, Invoke-RestMethod and their aliases, among them curl, are
// translated: see [lexer.invoke].
func Split(src string, env map[string]string, m *meter.Meter) (commands []word.Command, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			at, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			commands, diags = nil, diag.List{m.Diagnostic(diag.At(at.pos))}
		}
	}()
	l := lexer{src: src, m: m, vars: make(map[string]*value)}
	l.pay(lexSteps*len(src) + mapSteps*len(env))
	for name, text := range env {
		l.vars[strings.ToLower(name)] = &value{word: word.Word{Text: text}}
	}
	l.script()
	return l.cmds, l.diags
}

// What the reader pays for. No byte of the text is looked at more often than
// lexSteps times: whatever cannot be known is stepped over at once.
const (
	lexSteps     = 4
	mapSteps     = 20
	elementSteps = 8
	valueSize    = 96  // of a value
	indexSize    = 80  // of an entry in the index of a table
	variableSize = 176 // of a variable, in a map
	settingSize  = 112
)

// A lexer holds the state of one Split.
type lexer struct {
	src  string
	pos  int
	vars map[string]*value // by lower-case name
	m    *meter.Meter

	// The word being read. Words nest: a word starts at a mark in buf.
	buf   []byte
	holes []word.Hole

	prompted bool // a prompt has been there
	groups   int  // open parentheses around the statement
	piped    bool // the next command reads from a pipe
	// otherwise says that the next command runs only if the one before it fails.
	otherwise bool
	feeder    int  // the place of the one that feeds it in cmds, from 1; 0: an expression
	depth     int  // how deep the expression being read is nested
	mangle    bool // the loss of quotes under version 5 is reported
	failed    bool // something is never closed
	joined    bool // it is reported that a backtick is missing
	cmds      []word.Command
	diags     diag.List
}

// script reads statements up to the end of the text.
func (l *lexer) script() {
	for {
		l.skipSpace(true)
		if l.prompted && l.atLineStart() {
			l.skipOutput()
			l.skipSpace(true)
		}
		if l.pos == len(l.src) {
			return
		}
		switch c := l.src[l.pos]; c {
		case ';', '{', '}', ',':
			l.pos++
			l.piped = false
		case '&':
			l.pos++
		case '|':
			otherwise := strings.HasPrefix(l.src[l.pos:], "||")
			l.piped = !otherwise
			l.pos++
			if otherwise {
				l.pos++
				l.otherwise = true
			}
		case '(':
			l.pos++
			l.groups++
		case ')':
			l.pos++
			l.groups = max(l.groups-1, 0)
			l.skipMembers()
		case '$':
			l.variable()
		case '[', '@':
			l.skipStatement()
		case '`':
			if strings.HasPrefix(l.src[l.pos:], "```") {
				l.warn(diag.WarnPastedNoise, l.pos, l.pos+3, "the text has a Markdown fence")
				l.pos += ascii.LineLength(l.src[l.pos:])
			} else {
				l.statement()
			}
		default:
			start, before := l.pos, len(l.cmds)
			l.statement()
			if l.otherwise && len(l.cmds) > before {
				l.warn(diag.WarnConditional, start, l.pos, "this command runs only if the one before || fails")
			}
			l.piped, l.otherwise = false, false
		}
	}
}

// statement reads a command, or steps over what is none.
func (l *lexer) statement() {
	if n := PromptLength(l.src[l.pos:]); n > 0 && l.atLineStart() {
		l.warn(diag.WarnPastedNoise, l.pos, l.pos+n, "the prompt was left out")
		l.pos += n
		l.prompted = true
		return
	}
	if kind, _ := l.quote(l.pos); kind != 0 && (l.pos == 0 || !l.afterCall()) {
		l.skipStatement() // a string alone is an expression, not a command
		return
	}
	if n := keyword(l.src[l.pos:]); n > 0 {
		l.pos += n
		l.skipTo("{;\n")
		return
	}
	l.command()
}

// skipOutput steps over the lines without a prompt after a command that had
// one, unless a command begins there after all: the command wrote them.
func (l *lexer) skipOutput() {
	start := l.pos
	for l.pos < len(l.src) {
		line := strings.TrimLeft(l.src[l.pos:], " \t")
		if PromptLength(line) > 0 || isCommandLine(line) {
			break
		}
		l.pos = min(l.pos+ascii.LineLength(l.src[l.pos:])+1, len(l.src))
	}
	if l.pos > start {
		l.warn(diag.WarnPastedNoise, start, l.pos, "the output of the command was left out")
	}
}

// isCommandLine reports whether a line begins as commands do that send
// requests, or set a variable for them.
func isCommandLine(line string) bool {
	for _, name := range [...]string{"curl ", "curl.exe ", "irm ", "iwr ", "invoke-webrequest ", "invoke-restmethod ", "& "} {
		if ascii.HasPrefixFold(line, name) {
			return true
		}
	}
	_, n := VariableName(line)
	line = strings.TrimLeft(line[n:min(len(line), n+maxIndent)], " \t")
	return n > 0 && strings.HasPrefix(line, "=")
}

// atLineStart reports whether only blanks precede the current position.
func (l *lexer) atLineStart() bool {
	head := strings.TrimRight(l.src[max(0, l.pos-maxIndent):l.pos], " \t")
	return head == "" || head[len(head)-1] == '\n'
}

// afterCall reports whether the call operator precedes the current position.
func (l *lexer) afterCall() bool {
	head := strings.TrimRight(l.src[max(0, l.pos-maxIndent):l.pos], " \t")
	return head != "" && head[len(head)-1] == '&'
}

// maxIndent bounds how far back the start of a line is looked for.
const maxIndent = 64

// PromptLength returns the length of a prompt at the start of s, or 0:
// PS C:\Users\me>, PS /home/me>, PS>, one of them as an item of
// a list, or the >> of a continued line.
func PromptLength(s string) int {
	i := 0
	switch {
	case strings.HasPrefix(s, ">>"):
		i = 2
	case strings.HasPrefix(s, "PS>"):
		i = 3
	case strings.HasPrefix(s, "PS "):
		end := strings.IndexAny(s[:min(len(s), cmd.MaxPrompt)], ">\n\"'$;")
		if end < 0 || s[end] != '>' {
			return 0
		}
		i = end + 1
	case strings.HasPrefix(s, "- PS"), strings.HasPrefix(s, "* PS"): // in a list
		if n := PromptLength(s[len("- "):]); n > 0 {
			return len("- ") + n
		}
		return 0
	default:
		return 0
	}
	for i < len(s) && ascii.IsBlank(s[i]) {
		i++
	}
	return i
}

// keyword returns the length of the keyword at the start of s that opens a
// block, or 0.
func keyword(s string) int {
	n := 0
	for n < len(s) && ascii.IsLetter(s[n]) {
		n++
	}
	if n == 0 || n > len("foreach") || n < len(s) && strings.IndexByte(" \t\r\n({", s[n]) < 0 {
		return 0
	}
	switch strings.ToLower(s[:n]) {
	case "try", "catch", "finally", "if", "elseif", "else", "for", "foreach", "while", "do", "switch", "begin", "process", "end", "function", "param":
		return n
	}
	return 0
}

// command reads a program and its arguments.
func (l *lexer) command() {
	start, end := l.pos, l.pos
	var args []argument
	var stdin *word.Input
	var sink *word.Sink
	if l.piped {
		stdin = &word.Input{}
	}
	for {
		l.skipSpace(false)
		if l.continued() {
			continue
		}
		if l.endsCommand() {
			break
		}
		if led, ok := l.redirection(); ok {
			sink = cmp.Or(led, sink)
			end = l.pos
			continue
		}
		if strings.HasPrefix(l.src[l.pos:], "--%") && len(args) > 0 && l.bareEnd(l.pos+3) {
			args = l.verbatim(args)
			end = l.pos
			continue
		}
		before := l.pos
		if arg := l.argument(); l.pos > before {
			l.pay(elementSteps)
			add(l, &args, arg)
			end = l.pos
		} else {
			l.pos++ // never stand still
		}
	}
	if len(args) == 0 {
		l.pos = max(l.pos, start+1) // never stand still
		return
	}
	l.hold(word.Size * len(args))
	if l.piped && l.feeder > 0 {
		l.pipes(&l.cmds[l.feeder-1], args)
	}
	cmd := word.Command{Stdin: stdin, Span: diag.Span{Start: int32(start), End: int32(end)}}
	if sink != nil {
		l.lead(&cmd, sink)
	}
	if isInvoke(args) {
		cmd.Args, cmd.Translated = l.invoke(args), true
	} else {
		cmd.Args = l.native(args)
	}
	add(l, &l.cmds, cmd)
	if l.feeder = 0; strings.HasPrefix(l.src[l.pos:], "|") && !strings.HasPrefix(l.src[l.pos:], "||") {
		l.feeder = len(l.cmds)
	}
}

// endsCommand reports whether the command ends at the current position.
func (l *lexer) endsCommand() bool {
	if l.pos == len(l.src) {
		return true
	}
	switch l.src[l.pos] {
	case '\n', ';', '|', '&', '}':
		return true
	case ')':
		return l.groups > 0
	}
	return false
}

// An argument is one argument of a command.
type argument struct {
	word  word.Word
	value *value // of an expression; nil for a plain word
	bare  bool   // begins without a quote, so a dash may begin a parameter
	splat bool   // @name: a table of parameters
}

// argument reads one argument.
func (l *lexer) argument() argument {
	start := l.pos
	rest := l.src[start:]
	switch {
	case strings.HasPrefix(rest, "@{"), strings.HasPrefix(rest, "@("), rest[0] == '(':
		v := l.primary()
		return argument{word: l.typed(start, l.pos), value: &v}
	case rest[0] == '@':
		if v, n := l.splatted(rest); n > 0 {
			l.pos += n
			return argument{word: l.typed(start, l.pos), value: v, splat: true}
		}
	}
	mark := l.begin()
	if kind, _ := l.quote(start); kind != 0 || l.hereMark() != 0 {
		l.str() // an argument that starts with a quote ends with it
		return argument{word: l.finish(mark, start, l.pos)}
	}
	value := l.wholeVariable()
	for l.pos < len(l.src) && !l.bareEnd(l.pos) {
		if kind, _ := l.quote(l.pos); kind != 0 {
			l.str()
			continue
		}
		switch c := l.src[l.pos]; c {
		case '`':
			l.backtick()
		case '$':
			l.dollar(l.pos == start)
		default:
			l.buf = append(l.buf, c)
			l.pos++
			if c == ':' && rest[0] == '-' && l.startsValue() {
				return argument{word: l.finish(mark, start, l.pos), bare: true}
			}
		}
	}
	return argument{word: l.finish(mark, start, l.pos), value: value, bare: true}
}

// startsValue reports whether the value of a parameter, which stands after its
// colon, is a group or a table.
func (l *lexer) startsValue() bool {
	rest := l.src[l.pos:]
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "@{") || strings.HasPrefix(rest, "@(")
}

// wholeVariable returns the value of the variable that is the whole argument
// at the current position, or nil. It reads nothing.
func (l *lexer) wholeVariable() *value {
	name, n := VariableName(l.src[l.pos:])
	if n == 0 || !l.bareEnd(l.pos+n) {
		return nil
	}
	return l.lookup(name)
}

// bareEnd reports whether a word without quotes ends before offset i.
func (l *lexer) bareEnd(i int) bool {
	if i >= len(l.src) {
		return true
	}
	switch c := l.src[i]; c {
	case ' ', '\t', '\n', ';', '|', '&', '>':
		return true
	case '\r':
		return ascii.LineBreak(l.src[i:]) > 0
	case ')':
		return l.groups > 0 || l.depth > 0
	case '`':
		return l.continuation(i) > 0
	default:
		return blankLength(l.src[i:]) > 0
	}
}

// verbatim reads what follows --% : the C runtime's words up to a pipe or the
// end of the line, in which PowerShell changes nothing.
func (l *lexer) verbatim(args []argument) []argument {
	l.pos += len("--%")
	end := len(l.src)
	if n := strings.IndexAny(l.src[l.pos:], "\n|"); n >= 0 {
		end = l.pos + n
	}
	words, diags := cmd.Words(l.src[:end], l.pos, l.m)
	l.pay(0) // ends here if that was refused
	for _, w := range words {
		l.hold(valueSize)
		add(l, &args, argument{word: w, value: &value{word: w, verbatim: true}})
	}
	l.diags = append(l.diags, diags...)
	l.pos = end
	return args
}

// pay pays for steps of work, and hold for bytes that are kept. When the meter
// refuses, reading ends there and then.
func (l *lexer) pay(steps int) {
	if !l.m.Work(steps) {
		panic(refusal{l.pos})
	}
}

func (l *lexer) hold(bytes int) {
	if !l.m.Hold(bytes) {
		panic(refusal{l.pos})
	}
}

// add appends to a list, which is paid for as it grows.
func add[L ~[]T, T any](l *lexer, list *L, v T) {
	if !meter.Append(l.m, list, v) {
		panic(refusal{l.pos})
	}
}

// A refusal is the panic value of the reader when the meter refuses; Split
// recovers from it. Nothing else would stop nested calls at once.
type refusal struct{ pos int }

// maxReports bounds the warnings and errors about one text.
const maxReports = 100

// report adds a warning or an error.
func (l *lexer) report(d diag.Diagnostic) {
	if len(l.diags) < maxReports || d.Severity == diag.SeverityError && l.diags.Err() == nil {
		l.diags = append(l.diags, d)
	}
}

func (l *lexer) warnAt(code diag.Code, span diag.Span, message, hint string) {
	l.report(diag.Diagnostic{Code: code, Severity: diag.SeverityWarning, Level: code.Level(), Span: span, Message: message, Hint: hint})
}

// warn reports something about the text between two offsets.
func (l *lexer) warn(code diag.Code, start, end int, message string) {
	l.warnAt(code, diag.Span{Start: int32(start), End: int32(end)}, message, "")
}
