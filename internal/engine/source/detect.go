package source

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/cmd"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/powershell"
)

// detect returns the dialect that a text shows, in one pass from the left.
//
// POSIX is the first reading. Another one wins at the first sign that only
// its shell writes. Without any it wins where the POSIX reading cannot be
// meant and the other one can: doubled quotes that stand as quotes do in JSON
// or around a word, an apostrophe that is doubled, a variable between percent
// signs. The text is ambiguous then, and because says what decided.
//
// A sign counts only where it is not data. Text in single quotes is data in
// POSIX and PowerShell, and what cmd.exe users quote stands in double quotes,
// so nothing in single quotes is a sign of a shell. A caret, a backtick or a
// backslash that joins lines counts outside all quotes only.
func detect(src string) (d Dialect, because string) {
	s := detector{src: src}
	if d := s.lineStart(); d != Auto {
		return d, ""
	}
	for {
		if s.pos = next(src, s.pos, &marks); s.pos == len(src) {
			break
		}
		if d := s.step(); d != Auto {
			if d == Cmd && s.single {
				because = "a caret stands where cmd.exe takes it for its own"
			}
			return d, because
		}
	}
	switch {
	case s.inside:
		return PowerShell, ""
	case s.apostrophe, s.exe && s.doubledSingle:
		return PowerShell, "a single quote is doubled between single quotes"
	case s.exe && s.slashed:
		return PowerShell, `each double quote between single quotes is a \"`
	case s.doubled && s.single:
		return PowerShell, "a double quote is doubled between double quotes"
	case s.doubled:
		return Cmd, "a double quote is doubled between double quotes"
	case s.carets && !s.single:
		return Cmd, "a caret stands before each special character"
	case s.path && s.single:
		return PowerShell, ""
	case s.path:
		return Cmd, ""
	case s.fence != Auto:
		return s.fence, ""
	case s.percent && !s.single:
		return Cmd, "a name stands between percent signs"
	}
	return POSIX, ""
}

// next returns the index of the next byte of a set in src from i on, or its
// end.
func next(src string, i int, set *[256]bool) int {
	for i < len(src) && !set[src[i]] {
		i++
	}
	return i
}

// A detector holds what detect has seen so far.
type detector struct {
	src string
	pos int

	inside        bool    // what PowerShell alone means something by within double quotes
	single        bool    // a word in single quotes, which cmd.exe has not
	doubled       bool    // "" within double quotes, where quotes are meant
	doubledSingle bool    // '' within single quotes
	apostrophe    bool    // the same, where a single quote is meant
	carets        bool    // a caret before each special character within double quotes
	percent       bool    // %NAME%
	exe           bool    // the program is called curl.exe
	path          bool    // the program has a path of Windows
	slashed       bool    // single quotes in which each " is a \"
	fence         Dialect // the shell that a fence names
}

// marks are the bytes that may be a sign outside quotes, or stand before one.
var marks = bytesOf("\n \t\r;|&({='\"\\^`$<%#")

// openers begin the words that are signs.
var openers = bytesOf("-@cCiI")

// quotedMarks are the bytes that mean something within double quotes.
var quotedMarks = bytesOf("\"\\^`$%")

func bytesOf(s string) (t [256]bool) {
	for _, c := range []byte(s) {
		t[c] = true
	}
	return t
}

// step reads what begins with a mark, and returns the dialect that it proves,
// or Auto.
func (s *detector) step() Dialect {
	rest := s.src[s.pos:]
	switch c := rest[0]; c {
	case '\n':
		s.pos++
		return s.lineStart()
	case ' ', '\t', '\r', ';', '|', '&', '(', '{', '=':
		s.pos++
		if len(rest) < 2 || !openers[rest[1]] || rest[1] == '-' && !isLong(rest[1:]) {
			return Auto // as with most
		}
		return s.word(rest[1:], c != ' ' && c != '\t' && c != '=')
	case '\'':
		return s.singleQuoted()
	case '"':
		return s.doubleQuoted()
	case '\\':
		if joinsLines(rest) {
			return POSIX
		}
		s.pos++ // the next character is escaped
	case '^':
		if s.caret(rest) {
			return Cmd
		}
	case '`':
		if s.afterBlank() && joinsLines(rest) {
			return PowerShell
		}
	case '$':
		switch {
		case strings.HasPrefix(rest, "$'"):
			return POSIX
		case isEnv(rest):
			return PowerShell
		}
	case '<':
		if strings.HasPrefix(rest, "<<") {
			return POSIX
		}
	case '%':
		s.variable(rest)
	case '#':
		if s.afterBlank() {
			s.pos += ascii.LineLength(rest)
			return Auto
		}
	}
	s.pos++
	return Auto
}

// afterBlank reports whether a word starts at the current position.
func (s *detector) afterBlank() bool {
	return s.pos == 0 || strings.IndexByte(" \t\r\n;|&(=", s.src[s.pos-1]) >= 0
}

// caret reports whether the caret at the start of rest is one that only
// cmd.exe knows: before a quote that starts a word, before an ampersand, or
// at the end of a line that goes on.
func (s *detector) caret(rest string) bool {
	blank := s.pos == 0 || strings.IndexByte(" \t\n", s.src[s.pos-1]) >= 0
	switch {
	case strings.HasPrefix(rest, `^"`):
		return blank
	case strings.HasPrefix(rest, "^&"):
		return true
	case !joinsLines(rest):
		return false
	case blank, s.src[s.pos-1] == '"':
		return true
	}
	next := strings.TrimLeft(rest[1:], " \t\r\n")
	return next != "" && strings.IndexByte(`-"^`, next[0]) >= 0
}

// isEnv reports whether s starts with $env:NAME.
func isEnv(s string) bool {
	const prefix = "$env:"
	return len(s) > len(prefix) && (ascii.IsLetter(s[len(prefix)]) || s[len(prefix)] == '_') && ascii.HasPrefixFold(s, prefix)
}

// lineStart looks for what stands only at the start of a line: prompts,
// fences, assignments and comments. It steps over blanks and fences.
func (s *detector) lineStart() Dialect {
	for s.pos < len(s.src) && ascii.IsBlank(s.src[s.pos]) {
		s.pos++
	}
	if s.pos == len(s.src) {
		return Auto
	}
	rest := s.src[s.pos:]
	switch {
	case rest[0] == '-' && !isLong(rest), strings.HasPrefix(rest, "curl "):
		return Auto // as with most lines
	case cmd.PromptLength(rest) > 0:
		return Cmd
	case powershell.PromptLength(rest) > 0 && (rest[0] != '>' || powershell.Continues(rest)):
		return PowerShell
	case strings.HasPrefix(rest, "$ "):
		return POSIX
	case strings.HasPrefix(rest, "& ") && len(rest) > 2 && !ascii.IsBlank(rest[2]):
		return PowerShell // the call operator; elsewhere no command starts so
	case strings.HasPrefix(rest, "```"):
		language := strings.TrimSpace(rest[len("```"):min(ascii.LineLength(rest), len("```")+maxName)])
		s.pos += ascii.LineLength(rest)
		if s.fence == Auto {
			s.fence = fenced(language)
		}
		return Auto
	case cmd.IsComment(rest), strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, ":::"), ascii.HasPrefixFold(rest, "@echo "), isSet(rest), cmd.BeginsCompound(rest):
		return Cmd
	}
	if word := rest[:wordLength(rest)]; strings.IndexByte(word, '\\') >= 0 && paste.IsCurl(word) && isWindowsPath(word) {
		s.path = true
		s.pos += len(word)
		return Auto
	}
	if _, n := powershell.VariableName(rest); n > 0 && settingLength(rest) == 0 {
		after := strings.TrimLeft(rest[n:min(len(rest), n+maxIndent)], " \t")
		if strings.HasPrefix(after, "=") || strings.HasPrefix(after, "+=") || strings.HasPrefix(after, ".") && len(after) > 1 && ascii.IsLetter(after[1]) {
			return PowerShell
		}
	}
	if openers[rest[0]] {
		return s.word(rest, true)
	}
	return Auto
}

// wordLength returns how much of a text stands before its first blank, a few
// hundred bytes at most.
func wordLength(s string) int {
	s = s[:min(len(s), maxName)]
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\r', '\n':
			return i
		}
	}
	return len(s)
}

// isWindowsPath reports whether a word is a path as Windows has them, in which
// backslashes escape nothing: C:\a\b, .\a, ..\a, %A%\b.
func isWindowsPath(word string) bool {
	drive := len(word) > 2 && ascii.IsLetter(word[0]) && word[1] == ':' && word[2] == '\\'
	return drive || strings.HasPrefix(word, `.\`) || strings.HasPrefix(word, `..\`) || word[0] == '%' || ascii.HasPrefixFold(word, "$env:")
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

// word looks for words that only one dialect has, at the start of rest. A
// command may start there, or an argument only.
func (s *detector) word(rest string, command bool) Dialect {
	word := rest[:min(len(rest), maxIndent)]
	if i := strings.IndexAny(word, " \t\r\n\"'"); i >= 0 {
		word = word[:i]
	}
	switch rest[0] {
	case '-':
		if word == "--%" || len(word) > 1 && ascii.IsLetter(word[1]) && powershell.IsInvokeParameter(word) {
			return PowerShell
		}
	case '@':
		isHereString := word == "@" && len(rest) > 2 && rest[1] != ' ' && ascii.LineBreak(strings.TrimLeft(rest[2:min(len(rest), maxIndent)], " \t")) > 0
		if isHereString || isTable(rest[:min(len(rest), maxName)]) {
			return PowerShell
		}
	case 'c', 'C':
		s.exe = s.exe || ascii.EqualFold(word, "curl.exe")
	default:
		if ascii.EqualFold(word, "invoke-webrequest") || ascii.EqualFold(word, "invoke-restmethod") ||
			command && (ascii.EqualFold(word, "iwr") || ascii.EqualFold(word, "irm")) {
			return PowerShell
		}
	}
	return Auto
}

// isLong reports whether the dash at the start of s begins a word that may be a
// parameter of PowerShell's, or is --%.
func isLong(s string) bool {
	return len(s) > 2 && (s[1] != '-' && ascii.IsLetter(s[2]) || s[2] == '%')
}

// isTable reports whether s starts with a table, @{ name = …, and not with
// the name of a file that is left to fill in, @{name}.
func isTable(s string) bool {
	if !strings.HasPrefix(s, "@{") {
		return false
	}
	s = strings.TrimLeft(s[len("@{"):], " \t")
	n := 0
	for n < len(s) && (ascii.IsNameByte(s[n]) || s[n] == '-') {
		n++
	}
	s = strings.TrimLeft(s[n:], " \t")
	return s != "" && (s[0] == '=' || n == 0 && strings.IndexByte("\r\n'\"}", s[0]) >= 0)
}

// singleQuoted reads '…' and all that PowerShell takes for the same string:
// for it ” is a single quote.
func (s *detector) singleQuoted() Dialect {
	s.single = s.single || s.afterBlank()
	open := s.pos
	pairs := pairing{open: open}
	apostrophes, names := 0, 0
	for {
		body := s.src[s.pos+1:]
		n := strings.IndexByte(body, '\'')
		if n < 0 {
			s.pos = len(s.src)
			return Auto
		}
		if body = body[:n]; s.exe && !s.slashed {
			if i := strings.IndexByte(body, '"'); i > 0 && body[i-1] == '\\' {
				s.slashed = strings.Count(body, `\"`) == strings.Count(body, `"`)
			}
		}
		s.pos += n + 2
		if strings.HasPrefix(s.src[s.pos:], `\''`) {
			return POSIX
		}
		if n == 0 && s.pos == open+2 || s.pos+1 >= len(s.src) || s.src[s.pos] != '\'' {
			break
		}
		pairs.add(s.src, s.pos-1)
		before, after := s.src[open+1:s.pos-1], s.src[s.pos+1:]
		if isApostrophe(before, after) {
			apostrophes++
		}
		if isName(before, after) {
			names++
		}
	}
	if pairs.n > 0 {
		s.doubledSingle = true
		s.apostrophe = s.apostrophe || names == pairs.n || isProse(s.src[open+1:s.pos-1]) && (apostrophes == pairs.n || pairs.ok())
	}
	return Auto
}

// isProse reports whether a text is one in which an apostrophe may stand:
// JSON, or several words, and neither an option nor a URL.
func isProse(text string) bool {
	if (text[0] == '{' || text[0] == '[') && !strings.HasPrefix(text, "{{") {
		return true
	}
	return text[0] != '-' && strings.IndexByte(text, ' ') >= 0 && !strings.Contains(text, "://")
}

// isApostrophe reports whether an apostrophe may stand between two texts:
// it's, don't, we'll, O'Brien, d'accord.
func isApostrophe(before, after string) bool {
	if before == "" || after == "" || !isWordByte(before[len(before)-1]) || !isWordByte(after[0]) {
		return false
	}
	if len(before) == 1 || !isWordByte(before[len(before)-2]) { // one letter
		return strings.IndexByte("DLdljmtnsc", before[len(before)-1]) >= 0 && (after[0] >= 0x80 || strings.IndexByte("aeiouhyAEIOUH", after[0]) >= 0) ||
			isName(before, after)
	}
	n := 0
	for n < len(after) && n < len("re")+1 && isWordByte(after[n]) {
		n++
	}
	switch after[:n] {
	case "s", "d", "m", "re", "ve", "ll":
		return true
	case "t":
		return before[len(before)-1] == 'n'
	}
	return false
}

// isName reports whether an apostrophe between two texts gives a name, such as
// O'Brien.
func isName(before, after string) bool {
	n := len(before)
	return n > 0 && strings.IndexByte("ODM", before[n-1]) >= 0 && (n == 1 || !isWordByte(before[n-2])) &&
		len(after) > 1 && 'A' <= after[0] && after[0] <= 'Z' && 'a' <= after[1] && after[1] <= 'z'
}

func isWordByte(c byte) bool { return ascii.IsLetter(c) || c >= 0x80 }

// A pairing follows the doubled quotes within a string, which are meant as
// quotes where they stand in pairs, each around something: after a blank or
// what may stand before a quote in JSON, and before what may stand after one.
type pairing struct {
	open int // offset of the quote that opens the string
	n    int // how many doubled quotes there are
	bad  bool
}

// add takes the doubled quote at offset i.
func (p *pairing) add(src string, i int) {
	before, after := src[i-1], byte(0)
	if i+2 < len(src) {
		after = src[i+2]
	}
	if p.n++; p.n%2 == 1 {
		p.bad = p.bad || i != p.open+1 && strings.IndexByte(" \t\n=:,;{[(@>\"", before) < 0 || strings.IndexByte(" \t\r\n", after) >= 0
	} else {
		p.bad = p.bad || strings.IndexByte(" \t\r\n,;:&}])<.\"'", after) < 0 || strings.IndexByte(" \t", before) >= 0
	}
}

// ok reports whether the string has doubled quotes, and all are meant.
func (p *pairing) ok() bool { return p.n > 0 && p.n%2 == 0 && !p.bad }

// doubleQuoted reads "…", in which "" is a quote for cmd.exe and PowerShell
// and nothing for POSIX.
func (s *detector) doubleQuoted() Dialect {
	open, substitution, carets, slashed := s.pos, false, false, false
	pairs := pairing{open: open}
	for s.pos++; ; {
		if s.pos = next(s.src, min(s.pos, len(s.src)), &quotedMarks); s.pos == len(s.src) {
			return Auto
		}
		rest := s.src[s.pos:]
		switch rest[0] {
		case '"':
			if s.pos == open+1 || len(rest) == 1 || rest[1] != '"' {
				s.carets = s.carets || carets && cmd.CaretsInside(s.src, open)
				s.doubled = s.doubled || pairs.ok() && !slashed
				s.pos++
				return Auto
			}
			pairs.add(s.src, s.pos)
			s.pos++
		case '\\':
			if strings.HasPrefix(rest, `\" ^`) && joinsLines(rest[len(`\" `):]) {
				return Cmd // for which the quotes end here
			}
			slashed = slashed || strings.HasPrefix(rest, `\"`)
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
			s.inside = s.inside || isEnv(rest)
		case '%':
			s.variable(rest)
		}
		s.pos++
	}
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
