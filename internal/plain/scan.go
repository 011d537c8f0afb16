package plain

import "strings"

// A scanner finds the words of a text in a POSIX shell.
type scanner struct {
	src      string
	i        int
	start    int // of the word
	word     string
	holed    bool // the word holds a variable, which stays as it is spelled
	words    int  // and options that share one: both are bounded
	outputs  int  // how often the output was led on
	document document
	declined bool

	joined    strings.Builder // the words that are made of several stretches
	unescaped strings.Builder // the stretches that had escapes
}

// room makes room, the first time, for text that has to be put together from
// the word on, which is no longer than the rest of the source, and returns where
// the next one begins.
func (s *scanner) room(b *strings.Builder) int {
	if b.Cap() == 0 {
		b.Grow(len(s.src) - s.start)
	}
	return b.Len()
}

// begin begins behind the program's name; it is false unless the text starts
// with curl.
func (s *scanner) begin(src string) (ok bool) {
	const program = "curl"
	if len(src) <= len(program) || src[:len(program)] != program || kinds[src[len(program)]]&blank == 0 {
		return false
	}
	s.src, s.i = src, len(program)
	return true
}

// A kind tells what a byte may be part of.
type kind uint8

const (
	blank      kind = 1 << iota // between words
	bare                        // a word without quotes
	quoted                      // text in double quotes, as it stands
	inURL                       // what curl takes in the path and the query of a URL, sends as it is, and gives no meaning
	inName                      // the name of a header field
	inVariable                  // the name of a variable
	inPath                      // the path of a file in a form, or its type
)

var kinds = func() (t [256]kind) {
	set := func(k kind, chars string) {
		for i := range len(chars) {
			t[chars[i]] |= k
		}
	}
	const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	set(blank, " \t")
	set(bare, alphanumeric+"-_./:=,+@?")
	set(inURL, alphanumeric+"-_.~!&'()*+,;=:@/?")
	set(inName, alphanumeric+"-_")
	set(inVariable, alphanumeric+"_")
	set(inPath, alphanumeric+"-_./+")
	for c := ' '; c < 0x7f; c++ {
		if !strings.ContainsRune("\"\\$`^%", c) { // the last two may be cmd.exe's
			t[c] |= quoted
		}
	}
	for c := 0x80; c <= 0xff; c++ {
		t[c] |= quoted
	}
	t['\n'] |= quoted
	return t
}()

func (s *scanner) decline() bool {
	s.declined = true
	return false
}

// next reads the next word; it returns false at the end of the command.
func (s *scanner) next() bool {
	s.skipBlanks()
	if s.i == len(s.src) || s.declined {
		return false
	}
	s.words++
	switch c := s.src[s.i]; {
	case c == '|' || c == '>' || c == '&':
		return s.output()
	case (c == '1' || c == '2') && strings.HasPrefix(s.src[s.i+1:], ">"):
		s.i++
		return s.output()
	case c == '<':
		if !s.startDocument() {
			return s.decline()
		}
		return s.next()
	}
	s.holed = false
	s.start = s.i
	first, ok := s.stretch()
	if !ok || s.atEnd() {
		s.word = first
		return ok || s.decline()
	}
	begin := s.room(&s.joined)
	s.joined.WriteString(first)
	literal := s.isLiteral(s.start, first)
	for !s.atEnd() {
		start := s.i
		stretch, ok := s.stretch()
		if !ok {
			return s.decline()
		}
		s.joined.WriteString(stretch)
		literal = literal || s.isLiteral(start, stretch)
	}
	s.word = s.joined.String()[begin:]
	return !(s.holed && literal) || s.decline()
}

// isLiteral reports whether a stretch from start on holds a dollar that is
// just a dollar.
func (s *scanner) isLiteral(start int, stretch string) bool {
	return s.src[start] == '\'' && strings.IndexByte(stretch, '$') >= 0
}

// atEnd reports whether a word ends here.
func (s *scanner) atEnd() bool {
	rest := strings.TrimPrefix(s.src[s.i:], "\\\n")
	return rest == "" || kinds[rest[0]]&blank != 0 || rest[0] == '\n'
}

// stretch reads a stretch of a word: in one kind of quotes, or without. Two
// quotes in a row mean something in other shells.
func (s *scanner) stretch() (text string, ok bool) {
	rest := s.src[s.i:]
	switch c := rest[0]; {
	case c == '\'':
		n := strings.IndexByte(rest[1:], '\'')
		if n < 0 {
			return "", false
		}
		text = rest[1 : 1+n]
		s.i += n + 2
		return text, !strings.HasPrefix(s.src[s.i:], "'")
	case c == '"':
		text, ok = s.doubleQuoted()
		return text, ok && !strings.HasPrefix(s.src[s.i:], `"`)
	case c == '\\' && len(rest) > 1 && strings.IndexByte(`'"?=&!()[]`, rest[1]) >= 0:
		s.i += 2
		return rest[1:2], true
	}
	start := s.i
	s.i = s.skip(s.i, bare)
	return s.src[start:s.i], s.i > start
}

// output skips what becomes of the output, which changes nothing: a file, or
// one of the programs that documentation likes to lead it to, or to run next.
func (s *scanner) output() bool {
	const most = 4 // for next and output call each other
	if s.outputs++; s.outputs > most {
		return s.decline()
	}
	operator := s.src[s.i]
	s.i++
	switch rest := s.src[s.i:]; {
	case strings.HasPrefix(rest, "&") && operator != '|', strings.HasPrefix(rest, "|") && operator == '|': // >& && ||
		s.i++
	case operator == '&':
		return s.decline()
	}
	if operator != '>' && s.document.delimiter == "" && strings.HasPrefix(s.src[s.i:], "\n") {
		s.i++ // the list goes on there
	}
	if !s.next() || operator != '>' && !isHarmless(s.word) {
		return s.decline()
	}
	for s.next() {
		// What follows a file is an argument of curl's again.
		if operator == '>' || strings.Contains(s.word, "curl") {
			return s.decline()
		}
	}
	return false
}

// isHarmless reports a program that makes no requests.
func isHarmless(program string) bool {
	switch program {
	case "jq", "grep", "head", "tail", "less", "more", "tee", "wc", "cut", "sed", "awk", "sort", "tr", "cat",
		"tar", "gzip", "gunzip", "gpg", "sh", "bash", "sudo", "python", "python3", "echo", "exit", "true":
		return true
	}
	return false
}

// skipBlanks goes to the next word, or to the end of a text that has but one
// command.
func (s *scanner) skipBlanks() {
	i := s.i
	for i < len(s.src) {
		switch c := s.src[i]; {
		case kinds[c]&blank != 0:
			i++
		case c == '\\':
			n := skipKind(s.src, i+1, blank) // blanks behind it are forgiven
			if n < len(s.src) && s.src[n] != '\n' {
				s.i = i
				return
			}
			i = min(n+1, len(s.src))
		case c == '#': // a comment up to the end of the line
			if n := strings.IndexByte(s.src[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(s.src)
			}
		case c == '\n':
			s.endCommand(i + 1)
			i = len(s.src)
		default:
			s.i = i
			return
		}
	}
	s.i = i
}

// endCommand reads what follows the line of the command: its here-document,
// and comments.
func (s *scanner) endCommand(i int) {
	if s.document.delimiter != "" {
		end, ok := s.readDocument(i)
		if !ok {
			s.decline()
			return
		}
		i = end
	}
	for line := range strings.SplitSeq(s.src[i:], "\n") {
		if line = strings.Trim(line, " \t"); line != "" && line[0] != '#' {
			s.decline()
			return
		}
	}
}

// skipKind returns where bytes of a kind end, from i on.
func skipKind(s string, i int, k kind) int {
	for i+4 <= len(s) && kinds[s[i]]&kinds[s[i+1]]&kinds[s[i+2]]&kinds[s[i+3]]&k != 0 {
		i += 4
	}
	for i < len(s) && kinds[s[i]]&k != 0 {
		i++
	}
	return i
}

// skip returns where what stands for itself ends: bytes of a kind, and
// variables.
func (s *scanner) skip(i int, k kind) int {
	for {
		if i = skipKind(s.src, i, k); i == len(s.src) {
			return i
		}
		switch c := s.src[i]; {
		case c == '$':
			n := variableLength(s.src[i:])
			if n == 0 {
				return i
			}
			s.holed = true
			i += n
		case c == '{' && k == bare: // braces around a single word are just braces
			n := placeholderLength(s.src[i:])
			if n == 0 {
				return i
			}
			i += n
		case c == '%' && i+1 < len(s.src) && !startsVariable(s.src[i+1]): // or it could be one of cmd.exe
			i++
		default:
			return i
		}
	}
}

// variableLength returns the length of the variable that s begins with, $NAME
// or ${NAME}, or 0 for what may be more than that.
func variableLength(s string) int {
	n := 1
	if strings.HasPrefix(s, "${") {
		n = 2
	}
	start := n
	for n < len(s) && kinds[s[n]]&inVariable != 0 {
		n++
	}
	name := s[start:n]
	if name == "" || !startsVariable(name[0]) || strings.EqualFold(name, "env") { // the last is PowerShell's
		return 0
	}
	switch {
	case start == 1 && strings.HasPrefix(s[n:], "\\\n"):
		return 0 // the name could go on in the next line
	case start == 1:
		return n
	case n == len(s) || s[n] != '}':
		return 0
	}
	return n + 1
}

// startsVariable reports what the name of a variable begins with, of those
// that it may be made of.
func startsVariable(c byte) bool { return c > '9' && kinds[c]&inVariable != 0 }

// doubleQuoted reads "…". A backslash escapes a quote, itself and a line
// break, and stands for itself before most others.
func (s *scanner) doubleQuoted() (text string, ok bool) {
	start := s.i + 1
	i := s.skip(start, quoted)
	if i < len(s.src) && s.src[i] == '"' {
		s.i = i + 1
		return s.src[start:i], true
	}
	b := &s.unescaped
	begin := s.room(b)
	for i+1 < len(s.src) && s.src[i] == '\\' {
		c := s.src[i+1]
		escaped := c == '"' || c == '\\'
		if !escaped && kinds[c]&quoted == 0 {
			return "", false
		}
		b.WriteString(s.src[start:i])
		start = i
		switch {
		case c == '\n':
			start += 2
		case escaped:
			start++
		}
		i = s.skip(i+2, quoted)
	}
	if i >= len(s.src) || s.src[i] != '"' {
		return "", false
	}
	b.WriteString(s.src[start:i])
	s.i = i + 1
	return b.String()[begin:], true
}

// mayBeEscaped reports a text that could be escaped as HTML: a & begins what
// could be an entity.
func mayBeEscaped(src string) bool {
	if strings.IndexByte(src, ';') < 0 { // as in most texts, however many & there are
		return false
	}
	for {
		i := strings.IndexByte(src, '&')
		if i < 0 {
			return false
		}
		src = src[i+1:]
		n := 0
		for n < len(src) && (src[n] == '#' || kinds[src[n]]&inName != 0) {
			n++
		}
		if n > 0 && n < len(src) && src[n] == ';' {
			return true
		}
	}
}
