// Package cmd reads text as cmd.exe would.
package cmd

import (
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// Split reads text as cmd.exe and the C runtime of a Windows program would.
//
// Two readers take turns on a real machine. cmd.exe cuts the line at & | < >
// and lets a caret escape the next character; the C runtime then cuts what is
// left at blanks, lets "…" group, and reads \" and "" as quotes. Each keeps
// its own idea of what is quoted, and the two disagree after every \". This
// reader has one idea, the C runtime's, because that is the one a writer has
// in mind; where cmd.exe alone would tear the word apart it warns.
//
// Browsers write for cmd.exe in four forms, and all are read as the browser
// meant them:
//
//	^"a^\^"b^%^41^"   carets outside quotes (today's form)
//	"a^\^"b^%^41"     the same inside plain quotes, where cmd.exe keeps carets
//	"a""b"%"41"       no carets; a line break is written  "^⏎"
//	^"a"^⏎⏎"b^"       a line break outside the quotes
//
// %NAME% is replaced where env knows the name, in any case, or a set line
// above gives it; else it stays and becomes a [Hole]. In a batch file, which is a
// text that begins with @echo off, %% is one percent sign.
func Split(src string, env map[string]string, m *meter.Meter) (commands []word.Command, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			commands, diags = nil, recoverRefusal(r, m)
		}
	}()
	batch := isBatch(src)
	text, splices := expandPercent(src, batch, env, m)
	l := lexer{src: text, splices: splices, m: m, batch: batch}
	l.pay(lexSteps * len(text))
	return l.commands(), l.diags
}

// lexSteps is how many steps the reader takes for a byte: no byte is looked at
// more often, however often a mark of a browser is looked for.
const lexSteps = 3

// Words reads src from an offset on as the C runtime alone reads a command
// line: no carets, no operators.
func Words(src string, from int, m *meter.Meter) (words []word.Word, diags diag.List) {
	defer func() {
		if r := recover(); r != nil {
			words, diags = nil, recoverRefusal(r, m)
		}
	}()
	l := lexer{src: src, pos: from, verbatim: true, m: m}
	l.pay(lexSteps * (len(src) - from))
	for l.pos < len(src) {
		if c := src[l.pos]; ascii.IsBlank(c) || c == '\r' {
			l.pos++
			continue
		}
		before := l.pos
		add(&l, &words, l.word())
		l.pos = max(l.pos, before+1)
	}
	return words, l.diags
}

// A lexer holds the state of one Split.
type lexer struct {
	src     string         // the text, its known variables replaced
	splices word.Positions // where src differs from the text as typed
	last    int32          // the end of the last span
	pos     int
	m       *meter.Meter

	// The word being read.
	buf     []byte
	holes   []word.Hole
	runs    []run // what may be doubled in buf
	handle  byte  // the digit before the redirection that comes next, or 0
	browser bool  // the word has marks of a browser
	exact   bool  // a backslash in the word shows that none is doubled

	blocks   int  // open parentheses
	prompted bool // a prompt has been there
	piped    bool // the next command reads from a pipe
	// otherwise says that the next command runs only if the one before it fails.
	otherwise bool
	firefox   bool           // the program is curl.exe: backslashes were not doubled
	verbatim  bool           // only the C runtime reads: no carets, no operators
	batch     bool           // the text is a batch file
	within    bool           // the text is the command of for /F
	looped    []word.Command // of for /F, up to here
	warned    intent
	diags     diag.List
}

// An intent is a way in which a word was read as it was meant, not as cmd.exe
// reads it. Each is reported once per text.
type intent uint8

const (
	intentCarets intent = 1 << iota
	intentBackslashes
	intentNewline
	intentOperator
	intentQuote
	intentLine
)

func (l *lexer) commands() []word.Command {
	var out []word.Command
	for l.nextCommand() {
		l.flush(&out)
		start, otherwise := l.pos, l.otherwise
		cmd := l.command()
		if len(cmd.Args) == 0 || ascii.EqualFold(cmd.Args[0].Text, "set") || isSetting(cmd.Args) {
			continue // expandPercent has done what set does
		}
		if name := cmd.Args[0].Text; otherwise && (ascii.EqualFold(name, "curl") || ascii.EqualFold(name, "curl.exe")) {
			l.warn(diag.WarnConditional, start, l.pos, "this command runs only if the one before || fails")
		}
		add(l, &out, cmd)
	}
	l.flush(&out)
	return out
}

// nextCommand moves to the start of the next command: past separators,
// parentheses, comments, echo suppression and prompts.
func (l *lexer) nextCommand() bool {
	l.piped, l.otherwise = false, false
	for l.pos < len(l.src) {
		if l.prompted && l.pos > 0 && l.src[l.pos-1] == '\n' {
			l.skipOutput()
			if l.pos == len(l.src) {
				break
			}
		}
		switch c := l.src[l.pos]; c {
		case ' ', '\t', '\r', '\n', '@', ',', ';', '=':
			l.pos++
		case '&':
			l.pos++
			l.piped, l.otherwise = false, false
		case '|':
			l.otherwise = strings.HasPrefix(l.src[l.pos:], "||")
			l.piped = !l.otherwise
			l.pos++
			if l.otherwise {
				l.pos++
			}
		case '(':
			l.pos++
			l.blocks++
		case ')':
			l.pos++
			l.blocks = max(l.blocks-1, 0)
		case ':': // a label, or :: as a comment
			l.skipLine()
		case '`':
			if !strings.HasPrefix(l.src[l.pos:], "```") {
				return true
			}
			l.warn(diag.WarnPastedNoise, l.pos, l.pos+3, "the text has a Markdown fence")
			l.skipLine()
		default:
			if n := PromptLength(l.src[l.pos:]); n > 0 {
				l.warn(diag.WarnPastedNoise, l.pos, l.pos+n, "the prompt was left out")
				l.pos += n
				l.prompted = true
			} else if IsComment(l.src[l.pos:]) {
				l.skipLine()
			} else if l.head() {
				continue
			} else if n := l.continuation(); n > 0 {
				l.pos += n
			} else {
				return true
			}
		}
	}
	return false
}

// skipOutput steps over the lines without a prompt after a command that had
// one, unless they begin with curl: the command wrote them.
func (l *lexer) skipOutput() {
	start, blank := l.pos, true
	for l.pos < len(l.src) {
		line := strings.TrimLeft(l.src[l.pos:], " \t")
		if PromptLength(line) > 0 || ascii.HasPrefixFold(line, "curl ") || ascii.HasPrefixFold(line, "curl.exe ") {
			break
		}
		n := ascii.LineLength(l.src[l.pos:])
		blank = blank && strings.TrimSpace(l.src[l.pos:l.pos+n]) == ""
		l.pos = min(l.pos+n+1, len(l.src))
	}
	if !blank {
		l.warn(diag.WarnPastedNoise, start, l.pos, "the output of the command was left out")
	}
}

func (l *lexer) skipLine() {
	if n := strings.IndexByte(l.src[l.pos:], '\n'); n >= 0 {
		l.pos += n
	} else {
		l.pos = len(l.src)
	}
}

// isBatch reports whether a text says that it is a batch file.
func isBatch(src string) bool {
	return ascii.HasPrefixFold(strings.TrimLeft(src, " \t\r\n"), "@echo off")
}

// isSetting reports whether a command only sets how cmd.exe reads and shows the
// text: echo off, echo on, chcp 65001.
func isSetting(args []word.Word) bool {
	if len(args) != 2 {
		return false
	}
	name, value := args[0].Text, args[1].Text
	return ascii.EqualFold(name, "chcp") ||
		ascii.EqualFold(name, "echo") && (ascii.EqualFold(value, "off") || strings.EqualFold(value, "on"))
}

// IsComment reports whether s starts with the comment command.
func IsComment(s string) bool {
	return len(s) >= 3 && ascii.EqualFold(s[:3], "rem") && (len(s) == 3 || ascii.IsBlank(s[3]) || s[3] == '\r' || s[3] == '\n')
}

// PromptLength returns the length of a prompt such as C:\Users\me> at the start
// of s, with the blank after it, or 0.
func PromptLength(s string) int {
	if len(s) < 4 || !ascii.IsLetter(s[0]) || s[1] != ':' || s[2] != '\\' {
		return 0
	}
	for i := 3; i < len(s) && i < MaxPrompt; i++ {
		switch s[i] {
		case '>':
			for i++; i < len(s) && s[i] == ' '; i++ {
			}
			return i
		case '\n', '"', '<', '|', '*', '?':
			return 0 // not in a directory's name
		}
	}
	return 0
}

// MaxPrompt bounds the search for the end of a prompt: a directory's name is
// no longer than this on Windows.
const MaxPrompt = 260

// command reads words up to an operator or the end of the line.
func (l *lexer) command() word.Command {
	var cmd word.Command
	cmd.Span = l.span(l.pos, l.pos)
	if l.piped {
		cmd.Stdin = &word.Input{}
	}
	l.firefox = false
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case ascii.IsBlank(c) || c == '\r':
			l.pos++
			continue
		case c == '\n' || c == '&' || c == '|' || c == ')' && l.blocks > 0:
			return cmd
		case c == '<' || c == '>':
			l.redirection(&cmd)
			cmd.Span.End = l.span(l.pos, l.pos).End
			continue
		}
		if l.escapedOperator() {
			l.pos++
			continue
		}
		if n := nbsp(l.src[l.pos:]); n > 0 {
			l.warn(diag.WarnPastedNoise, l.pos, l.pos+n, "a no-break space was read as a space")
			l.pos += n
			continue
		}
		if n := l.continuation(); n > 0 {
			l.pos += n
			continue
		}
		w := l.word()
		if l.isHandle(w) {
			continue
		}
		if len(cmd.Args) == 0 {
			l.firefox = ascii.EqualFold(w.Text, "curl.exe")
		}
		add(l, &cmd.Args, w)
		cmd.Span.End = w.Span.End
	}
	return cmd
}

// isHandle reports whether the word just read is the 2 of 2>file.
func (l *lexer) isHandle(w word.Word) bool {
	if l.pos == len(l.src) || l.src[l.pos] != '>' && l.src[l.pos] != '<' {
		return false
	}
	is := len(w.Text) == 1 && '0' <= w.Text[0] && w.Text[0] <= '9' && l.src[l.pos-1] == w.Text[0]
	if is {
		l.handle = w.Text[0]
	}
	return is
}

// redirection reads >file, >>file, <file or >&1: a file to read from, and one that takes the
// output. The others are dropped.
func (l *lexer) redirection(cmd *word.Command) {
	input, appends, handle := l.src[l.pos] == '<', strings.HasPrefix(l.src[l.pos:], ">>"), l.handle
	l.handle = 0
	for l.pos < len(l.src) && (l.src[l.pos] == '>' || l.src[l.pos] == '<') {
		l.pos++
	}
	if l.pos < len(l.src) && l.src[l.pos] == '&' {
		for l.pos++; l.pos < len(l.src) && '0' <= l.src[l.pos] && l.src[l.pos] <= '9'; l.pos++ {
		}
		return
	}
	for l.pos < len(l.src) && ascii.IsBlank(l.src[l.pos]) {
		l.pos++
	}
	if l.pos == len(l.src) || l.src[l.pos] == '\n' || l.src[l.pos] == '\r' {
		return
	}
	target := l.word()
	if ascii.EqualFold(target.Text, "nul") {
		target.Text = "/dev/null" // as everything else names it
	}
	switch {
	case !input && (handle == 0 || handle == '1'):
		l.hold(sinkSize)
		cmd.Extra = &word.Extra{Sink: &word.Sink{File: target, Appends: appends}}
	case input:
		if cmd.Stdin == nil {
			cmd.Stdin = new(word.Input)
		}
		*cmd.Stdin = word.Input{File: target.Text} // the last one counts
	}
}

// sinkSize is what a file that takes the output of a command takes.
var sinkSize = meter.SizeOf[word.Sink]() + meter.SizeOf[word.Extra]()

// continuation returns the length of a caret that joins this line to the
// next, with the line break, or 0. Blanks between the two, which only a paste
// puts there, are forgiven, and so is a caret that ends the text.
func (l *lexer) continuation() int {
	if l.verbatim || l.src[l.pos] != '^' {
		return 0
	}
	i := l.pos + 1
	for i < len(l.src) && ascii.IsBlank(l.src[i]) {
		i++
	}
	n := ascii.LineBreak(l.src[i:])
	switch {
	case n == 0 && i < len(l.src):
		return 0
	case n == 0:
		l.warn(diag.WarnPastedNoise, l.pos, i, "the caret at the end of the text was left out")
	case i > l.pos+1:
		l.warn(diag.WarnPastedNoise, l.pos, i, "the blank between the caret and the line break was left out")
	}
	return i + n - l.pos
}

// pay pays for steps of work, and hold for bytes that are kept. When the meter
// refuses, reading ends there and then.
func (l *lexer) pay(steps int) {
	if !l.m.Work(steps) {
		l.refuse()
	}
}

func (l *lexer) hold(bytes int) {
	if !l.m.Hold(bytes) {
		l.refuse()
	}
}

// add appends to a list, which is paid for as it grows.
func add[T any](l *lexer, list *[]T, v T) {
	if !meter.Append(l.m, list, v) {
		l.refuse()
	}
}

func (l *lexer) refuse() {
	at := l.start(l.pos)
	panic(refusal{diag.Span{Start: at, End: max(at, l.end(l.pos))}})
}

// A refusal is the panic value of the reader when the meter refuses;
// the caller recovers from it. Nothing else would stop the reader at once.
type refusal struct{ span diag.Span }

// recoverRefusal takes what recover returned, and returns the diagnostics of
// a refusal.
func recoverRefusal(r any, m *meter.Meter) diag.List {
	refused, ok := r.(refusal)
	if !ok {
		panic(r)
	}
	return diag.List{m.Diagnostic(refused.span)}
}

// maxWarnings bounds the warnings about one text.
const maxWarnings = 100

// warn reports something about the text between two offsets of l.src.
func (l *lexer) warn(code diag.Code, start, end int, message string) {
	if len(l.diags) >= maxWarnings {
		return
	}
	l.diags.Warn(code, diag.Span{Start: l.start(start), End: l.end(end)}, message, "")
}

// meant reports, once, that a part of the text was not read as cmd.exe does.
func (l *lexer) meant(what intent, start int) {
	if l.warned&what != 0 {
		return
	}
	l.warned |= what
	span := diag.Span{Start: l.start(start), End: l.end(l.pos)}
	message, hint := "", "copy the command again from a current browser to get one that cmd.exe reads as meant"
	switch what {
	case intentCarets:
		message = "carets inside quotes were removed as the browser meant; cmd.exe would send them"
	case intentBackslashes:
		message = "doubled backslashes were read as one as the browser meant; cmd.exe would send both"
	case intentNewline:
		message = "a line break between quotes was read as the browser meant; cmd.exe would read it otherwise"
	case intentLine:
		message = "a caret and a line break inside quotes were read as a line break; cmd.exe would end the argument there"
		hint = "write the argument on one line"
	case intentOperator:
		message = "an operator inside quotes was read as text; cmd.exe would end the command there"
		hint = "write a caret before it"
	case intentQuote:
		message = "a quote after a backslash was read as text as the browser meant; cmd.exe would end the argument there"
	}
	l.diags.Warn(diag.WarnBrowserIntent, span, message, hint)
}

// span returns where l.src[start:end] stands in the text as typed. A variable
// may hold several words and commands; those after the first stand at its end.
func (l *lexer) span(start, end int) diag.Span {
	s := diag.Span{Start: max(l.last, l.start(start))}
	s.End = max(s.Start, l.end(end))
	l.last = s.End
	return s
}

// start returns the offset in the text as typed of what starts at i in l.src.
func (l *lexer) start(i int) int32 { return l.splices.Start(i) }

// end returns the offset in the text as typed of what ends at i in l.src.
func (l *lexer) end(i int) int32 { return l.splices.End(i) }

// nbsp returns the length of a no-break space at the start of s, or 0.
func nbsp(s string) int {
	if strings.HasPrefix(s, "\u00a0") {
		return utf8.RuneLen('\u00a0')
	}
	return 0
}
