package shell

import (
	"strings"

	"uncoil/internal/ascii"
	"uncoil/internal/shell/cmd"
	"uncoil/internal/shell/powershell"
)

// detect tells from the text alone which dialect it is in. It reads the text
// once, from the left, and the first sure mark decides; without any, weaker
// marks do, and without those the text is POSIX.
//
// A mark counts only where it is not data. Text in single quotes is data in
// POSIX and PowerShell, and what cmd.exe users quote stands in double quotes,
// so nothing in single quotes counts. A caret, a backtick or a backslash that
// joins lines counts outside all quotes only.
//
// A reading is ambiguous where another dialect would take the text as well
// and make something else of it.
func detect(src string) (d Dialect, ambiguous bool) {
	s := detector{src: src, start: true, line: true}
	for s.pos < len(s.src) {
		if d := s.step(); d != Auto {
			return d, d == Cmd && s.single
		}
	}
	switch {
	case s.inside:
		return PowerShell, false
	case s.doubledSingle, s.exe && s.slashed, s.doubled && s.single:
		return PowerShell, true
	case s.doubled, s.carets && !s.single, s.percent && !s.single:
		return Cmd, true
	}
	return POSIX, false
}

// A detector holds what detect has seen so far.
type detector struct {
	src   string
	pos   int
	start bool // a word may start here
	line  bool // a line starts here, but for blanks

	// What PowerShell means something by within double quotes, and cmd.exe
	// takes as it is.
	inside bool
	// The weaker marks.
	single        bool // a word in single quotes, which cmd.exe has not
	doubled       bool // "" within double quotes
	doubledSingle bool // '' within single quotes
	carets        bool // a caret before each special character within double quotes
	percent       bool // %NAME%
	exe           bool // the program is called curl.exe
	slashed       bool // single quotes in which each " is a \"
}

// step reads a little and returns the dialect that it proves, or Auto.
func (s *detector) step() Dialect {
	if s.line && !ascii.IsBlank(s.src[s.pos]) {
		s.line = false
		if d := s.lineStart(); d != Auto {
			return d
		}
		if s.pos == len(s.src) {
			return Auto
		}
	}
	start, rest := s.start, s.src[s.pos:]
	s.start = false
	switch c := rest[0]; c {
	case '\n':
		s.line, s.start = true, true
	case ' ', '\t', '\r', ';', '|', '&', '(', '=':
		s.start = true
	case '\'':
		return s.singleQuoted(start)
	case '"':
		return s.doubleQuoted()
	case '\\':
		if joinsLines(rest) {
			return POSIX
		}
		s.pos = min(s.pos+1, len(s.src)-1) // the next character is escaped
	case '^':
		if joinsLines(rest) || start && strings.HasPrefix(rest, `^"`) || strings.HasPrefix(rest, "^&") {
			return Cmd
		}
	case '`':
		if start && joinsLines(rest) {
			return PowerShell
		}
	case '$':
		switch {
		case strings.HasPrefix(rest, "$'"):
			return POSIX
		case ascii.HasPrefixFold(rest, "$env:"):
			return PowerShell
		}
	case '<':
		if strings.HasPrefix(rest, "<<") {
			return POSIX
		}
	case '%':
		s.variable(rest)
	case '#':
		if start {
			s.pos += ascii.LineLength(rest)
			return Auto
		}
	default:
		if start {
			if d := s.word(rest); d != Auto {
				return d
			}
		}
		for s.pos+1 < len(s.src) && ascii.IsNameByte(s.src[s.pos+1]) { // which tell nothing within a word
			s.pos++
		}
	}
	s.pos++
	return Auto
}

// lineStart looks for what stands only at the start of a line: prompts,
// fences, assignments and comments. It may step over them.
func (s *detector) lineStart() Dialect {
	rest := s.src[s.pos:]
	switch {
	case cmd.PromptLength(rest) > 0:
		return Cmd
	case strings.HasPrefix(rest, "PS") && powershell.PromptLength(rest) > 0:
		return PowerShell
	case strings.HasPrefix(rest, "$ "):
		return POSIX
	case strings.HasPrefix(rest, "& ") && len(rest) > 2 && !ascii.IsBlank(rest[2]):
		return PowerShell // the call operator; elsewhere no command starts so
	case strings.HasPrefix(rest, "```"):
		language := strings.TrimSpace(rest[len("```"):min(ascii.LineLength(rest), len("```")+maxName)])
		s.pos += ascii.LineLength(rest)
		return fenced(language)
	case cmd.IsComment(rest), strings.HasPrefix(rest, "::"), ascii.HasPrefixFold(rest, "@echo "), isSet(rest):
		return Cmd
	}
	if _, n := powershell.VariableName(rest); n > 0 {
		after := strings.TrimLeft(rest[n:min(len(rest), n+maxIndent)], " \t")
		if strings.HasPrefix(after, "=") || strings.HasPrefix(after, "+=") || strings.HasPrefix(after, ".") && len(after) > 1 && ascii.IsLetter(after[1]) {
			return PowerShell
		}
	}
	return Auto
}

// isSet reports whether s starts with  set NAME=  or  set "NAME= .
func isSet(s string) bool {
	if !ascii.HasPrefixFold(s, "set ") {
		return false
	}
	s = strings.TrimPrefix(s[len("set "):min(len(s), maxName)], `"`)
	n := 0
	for n < len(s) && ascii.IsNameByte(s[n]) {
		n++
	}
	return n > 0 && n < len(s) && s[n] == '='
}

// fenced returns the dialect that a code fence names, or Auto.
func fenced(language string) Dialect {
	switch strings.ToLower(language) {
	case "powershell", "pwsh", "ps1", "ps":
		return PowerShell
	case "cmd", "bat", "batch", "dos":
		return Cmd
	case "bash", "sh", "shell", "zsh":
		return POSIX
	}
	return Auto
}

// word looks for words that only one dialect has.
func (s *detector) word(rest string) Dialect {
	first := rest[0]
	if strings.IndexByte("-@ciCI", first) < 0 { // as with most
		return Auto
	}
	word := rest[:min(len(rest), maxIndent)]
	if i := strings.IndexAny(word, " \t\r\n\"'"); i >= 0 {
		word = word[:i]
	}
	switch first {
	case '-':
		if word == "--%" || powershell.IsInvokeParameter(word) {
			return PowerShell
		}
	case '@':
		isHereString := word == "@" && len(rest) > 2 && rest[1] != ' ' && ascii.LineBreak(strings.TrimLeft(rest[2:min(len(rest), maxIndent)], " \t")) > 0
		if isHereString || strings.HasPrefix(word, "@{") {
			return PowerShell
		}
	default:
		switch strings.ToLower(word) {
		case "invoke-webrequest", "invoke-restmethod", "iwr", "irm":
			return PowerShell
		case "curl.exe":
			s.exe = true
		}
	}
	return Auto
}

// singleQuoted reads '…'.
func (s *detector) singleQuoted(start bool) Dialect {
	s.single = s.single || start
	body := s.src[s.pos+1:]
	n := strings.IndexByte(body, '\'')
	if n < 0 {
		s.pos = len(s.src)
		return Auto
	}
	body = body[:n]
	s.slashed = s.slashed || strings.Contains(body, `\"`) && strings.Count(body, `\"`) == strings.Count(body, `"`)
	s.pos += n + 2
	rest := s.src[s.pos:]
	switch {
	case strings.HasPrefix(rest, `\''`):
		return POSIX
	case n > 0 && len(rest) > 1 && rest[0] == '\'' && strings.IndexByte(" \t\r\n", rest[1]) < 0:
		s.doubledSingle = true
	}
	return Auto
}

// doubleQuoted reads "…", in which "" is a quote for cmd.exe and PowerShell
// and nothing for POSIX.
func (s *detector) doubleQuoted() Dialect {
	open, substitution, carets := s.pos, false, false
	for s.pos++; s.pos < len(s.src); {
		rest := s.src[s.pos:]
		switch rest[0] {
		case '"':
			if !strings.HasPrefix(rest, `""`) {
				s.carets = s.carets || carets && cmd.CaretsInside(s.src, open)
				s.pos++
				return Auto
			}
			s.doubled = s.doubled || s.pos > open+1
			s.pos++
		case '\\':
			if strings.HasPrefix(rest, `\" ^`) && joinsLines(rest[len(`\" `):]) {
				return Cmd // for which the quotes end here
			}
			s.pos++
		case '^':
			if strings.HasPrefix(rest, `^\^"`) {
				return Cmd
			}
			carets = true
			if strings.HasPrefix(rest, `^\^`) {
				s.pos++ // a backslash before a caret escapes nothing anywhere
			}
		case '`':
			if !substitution && (strings.HasPrefix(rest, "`\"") || strings.HasPrefix(rest, "`$")) {
				s.inside = true
			}
			substitution = !substitution // what a pair is in POSIX
		case '$':
			s.inside = s.inside || ascii.HasPrefixFold(rest, "$env:")
		case '%':
			s.variable(rest)
		}
		s.pos++
	}
	s.pos = len(s.src)
	return Auto
}

// variable notes the %NAME% at the start of rest, if it is one.
func (s *detector) variable(rest string) {
	if n := cmd.NameLength(rest); n > len("%AB%") && !cmd.IsPercentEncoded(rest, n) {
		s.percent = true
	}
}

// joinsLines reports whether the character at the start of s, with blanks at
// most, ends its line or the text.
func joinsLines(s string) bool {
	if s == "" {
		return false
	}
	s = strings.TrimLeft(s[1:], " \t")
	return s == "" || ascii.LineBreak(s) > 0
}
