package bash

import (
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell"
	"uncoil/internal/shell/paste"
)

// clean prepares src[start:end] for the parser. It walks over the text once,
// knows where quotes, comments and here-documents begin and end, and
//
//   - leaves out what pasting brings in: prompts, fences, output of commands,
//     blanks beyond ASCII, blanks behind a backslash that ends its line,
//     typographic quotes around an argument;
//   - writes bytes that the parser does not take (it wants UTF-8, and drops
//     NUL and the carriage return of a line break) as characters that stand
//     for bytes, see [escapeByte];
//   - refuses what nests deeper than the parser's stack should grow.
//
// It follows only the plain grammar. Where a construct comes that it does not
// follow (a backquote, arithmetic, an operator in an expansion), it stops
// looking for pasted noise, and takes all that follows for code that could
// nest.
func clean(src string, start, end int) (script string, o origin, diags diag.List) {
	c := newCleaner(src, start, end)
	c.run()
	whole := diag.Span{Start: int32(start), End: int32(end)}
	if c.words > shell.MaxWords {
		c.diags.Error(diag.CodeTooLarge, whole, "the text has more words than are looked at", "send the commands in parts")
	}
	if c.weight > maxNesting {
		c.diags.Error(diag.CodeShellSyntax, whole, "the script is nested too deeply", "send its commands one by one")
	}
	return c.w.Text(), origin{c.w, start}, c.diags
}

func newCleaner(src string, start, end int) *cleaner {
	c := &cleaner{src: src[start:end], w: paste.NewRewriting(src[start:end]), base: start}
	c.paste, _, _ = paste.New(src, meter.New(len(src), meter.Limits{}, nil), &c.diags)
	c.atLine, c.atCommand = true, true
	return c
}

func (c *cleaner) run() {
	for c.i < len(c.src) && !c.lost {
		c.step()
	}
	for c.i < len(c.src) {
		c.weigh(c.src[c.i:])
		c.data(1, true)
	}
}

// An origin tells where the bytes of a script stand in the text as pasted.
type origin struct {
	w    *paste.Rewriting
	base int
}

func (o origin) start(offset int) int32 { return int32(o.base) + o.w.Start(offset) }
func (o origin) end(offset int) int32   { return int32(o.base) + o.w.End(offset) }

// maxNesting bounds how often a text may open something that the parser
// reads by calling itself: it takes some ten kilobytes of stack for each.
// What is closed again counts too, since nobody pastes so much of it.
const maxNesting = 5000

// A cleaner holds the state of one clean.
type cleaner struct {
	src   string
	i     int
	base  int // where src begins in the whole text
	w     *paste.Rewriting
	paste paste.Origin
	diags diag.List

	atLine    bool   // a line starts here, and with it a command
	atCommand bool   // a command may start here
	atWord    bool   // no word has begun
	joins     bool   // the line goes on behind its end: after | && ||
	open      []byte // what is open: " ( $ for $( or <(, { for ${, B for a ${ within quotes
	blocks    int    // the compound commands that are open
	documents []document
	weight    int // what has been opened so far
	words     int // read so far, about
	signs     int // operators that nest a little
	lost      bool
}

// A document is a here-document whose lines are still to come.
type document struct {
	delimiter string
	quoted    bool
	tabs      bool   // leading tabs are left out
	standIn   string // what the parser reads in the place of the delimiter, or nothing
}

// endsAt reports whether a line is the delimiter; crlf says that lines end in
// a carriage return besides.
func (d document) endsAt(line string, crlf bool) bool {
	line = strings.TrimSuffix(line, "\n")
	if crlf {
		line = strings.TrimSuffix(line, "\r")
	}
	if d.tabs {
		line = strings.TrimLeft(line, "\t")
	}
	return line == d.delimiter
}

// seemsToEndAt reports a line in which the parser may see the delimiter: behind
// an expansion, as in ${X}EOF.
func (d document) seemsToEndAt(line string) bool {
	return strings.IndexByte(line, '$') >= 0 && strings.Contains(line, d.delimiter)
}

// step reads a little.
func (c *cleaner) step() {
	switch c.within() {
	case '"':
		c.inQuotes()
		return
	case '{', 'B':
		c.inBraces()
		return
	}
	if c.atLine {
		c.lineStart()
		if c.i == len(c.src) {
			return
		}
	}
	rest := c.src[c.i:]
	switch b := rest[0]; b {
	case '\n':
		c.lineEnd()
	case ' ', '\t', '\r':
		if c.i++; !c.atWord {
			c.words++
		}
		c.atWord = true
	case '#':
		if !c.atWord {
			c.plain(1)
			break
		}
		c.comment()
	case '\'':
		c.singleQuoted(1, false)
	case '"':
		c.quote()
	case '\\':
		c.backslash()
	case '$':
		c.dollar(rest)
	case '<':
		c.input(rest)
	case '`':
		c.lost = true
	case '(':
		c.parenthesis(rest)
	case ')':
		c.closeParenthesis()
	case ';', '&', '|':
		if strings.HasPrefix(rest, "&>") {
			c.redirection(2)
			break
		}
		c.joins = strings.HasPrefix(rest, "&&") || b == '|'
		c.i++
		if c.joins && len(rest) > 1 && rest[1] == b {
			c.i++
		}
		c.atCommand, c.atWord = true, true
	case '>':
		n := 1
		if len(rest) > 1 && strings.IndexByte(">&|", rest[1]) >= 0 {
			n = 2
		}
		c.redirection(n)
	default:
		c.word(rest)
	}
}

// redirection steps over an operator of n bytes, behind which no word is the
// shell's own.
func (c *cleaner) redirection(n int) {
	c.i += n
	c.atCommand, c.atWord = false, true
}

// within returns the innermost of what is open, or 0.
func (c *cleaner) within() byte {
	if n := len(c.open); n > 0 {
		return c.open[n-1]
	}
	return 0
}

// comment reads a comment. A backslash at its end, for which the parser would
// go on reading it on the next line, is left out.
func (c *cleaner) comment() {
	for c.i < len(c.src) && c.src[c.i] != '\n' {
		if c.src[c.i] == '\\' {
			c.replace(1, " ")
			continue
		}
		c.data(toLineEnd(c.src[c.i:]), false)
	}
}

// toLineEnd returns how far it is to a backslash or the end of the line.
func toLineEnd(s string) int {
	if i := strings.IndexAny(s, "\n\\"); i >= 0 {
		return i
	}
	return len(s)
}

// lineStart leaves out what is no command at the start of a line.
func (c *cleaner) lineStart() {
	c.atLine = false
	if len(c.open) > 0 || c.blocks > 0 || c.joins {
		c.continued()
		return
	}
	if n := c.paste.Skip(c.base+c.i, c.base+len(c.src)) - c.base - c.i; n > 0 {
		c.replace(n, "")
	}
	c.atWord = true
}

// continued leaves out the prompt of a continued line.
func (c *cleaner) continued() {
	rest := c.src[c.i:]
	indent := len(rest) - len(strings.TrimLeft(rest, " \t"))
	rest = rest[indent:]
	if !strings.HasPrefix(rest, ">") || len(rest) > 1 && strings.IndexByte(" \t\r\n", rest[1]) < 0 {
		return
	}
	if n := len(rest) - len(strings.TrimLeft(rest[1:], " \t")); c.paste.Prompted() || strings.HasPrefix(rest[n:], "-") {
		at := c.base + c.i + indent
		c.paste.Warn(at, at+1, "a prompt stands before the continued line", "remove it")
		c.replace(indent+min(n, len("> ")), "")
	}
}

// lineEnd reads a line break, and the here-documents that follow it.
func (c *cleaner) lineEnd() {
	crlf := c.i > 0 && c.src[c.i-1] == '\r'
	c.i++
	c.atLine, c.atCommand, c.atWord = true, true, true
	for _, d := range c.documents {
		if !c.lost {
			c.hereDocument(d, crlf)
		}
	}
	c.documents = c.documents[:0]
}

// hereDocument reads the lines up to the delimiter. Their carriage returns
// are part of the text unless all lines of the script end so.
func (c *cleaner) hereDocument(d document, crlf bool) {
	for c.i < len(c.src) {
		line := c.src[c.i:]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n+1]
		}
		if c.paste.Prompted() && strings.HasPrefix(line, "> ") {
			c.continued()
			line = line[len("> "):]
		}
		if d.endsAt(line, crlf) {
			end := c.i + len(line)
			if d.standIn != "" {
				c.i += strings.Index(line, d.delimiter)
				c.replace(len(d.delimiter), d.standIn)
			}
			c.i = end
			return
		}
		if !d.quoted && (d.standIn == "" && d.seemsToEndAt(line) || !isPlainText(line)) {
			if c.lost = true; d.standIn == "" {
				return
			}
		}
		for end := c.i + len(line); c.i < end; {
			if c.lost {
				c.weigh(c.src[c.i:])
				c.data(1, true)
			} else {
				c.data(end-c.i, !crlf)
			}
		}
	}
}

// isPlainText reports whether a line of a here-document has no expansions but
// those of a name, $X and ${X}.
func isPlainText(line string) bool {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '`':
			return false
		case '\\':
			i++
		case '$':
			rest := line[i+1:]
			if strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") {
				return false
			}
			if strings.HasPrefix(rest, "{") {
				n := 1
				for n < len(rest) && (rest[n] == '_' || isAlphanumeric(rest[n])) {
					n++
				}
				if n == len(rest) || rest[n] != '}' {
					return false
				}
			}
		}
	}
	return true
}

// replace puts another text for the next n bytes.
func (c *cleaner) replace(n int, with string) {
	c.w.Replace(c.i, c.i+n, with)
	c.i += n
}

// plain steps over bytes of a word.
func (c *cleaner) plain(n int) {
	c.i += n
	c.atCommand, c.atWord, c.joins = false, false, false
}

// data steps over some of the next n bytes, one at least, which are text. A
// byte that the parser would not take is escaped; a carriage return before a
// line break is one of them where it is part of the text.
func (c *cleaner) data(n int, returns bool) {
	s := c.src[c.i : c.i+n]
	k := 0
	for k < len(s) && s[k] >= ' ' && s[k] < utf8.RuneSelf {
		k++
	}
	if k > 0 {
		c.i += k
		return
	}
	width, refused := refusedBytes(c.src[c.i:], returns)
	if !refused {
		c.i += width
		return
	}
	var escaped []byte
	end := c.i
	for refused {
		for range width {
			escaped = utf8.AppendRune(escaped, escapeByte(c.src[end]))
			end++
		}
		if end >= c.i+n {
			break
		}
		width, refused = refusedBytes(c.src[end:], returns)
	}
	c.replace(end-c.i, string(escaped))
}

// refusedBytes returns how long the character is that s begins with, and
// whether the parser does not take it as it is.
func refusedBytes(s string, returns bool) (width int, refused bool) {
	r, width := utf8.DecodeRuneInString(s)
	return width, r == 0 || r == utf8.RuneError && width == 1 || r >= byteRunes && r < byteRunes+256 ||
		returns && strings.HasPrefix(s, "\r\n")
}

// quoteText writes a text in single quotes, as the parser takes it.
func quoteText(s string) string {
	b := []byte{'\''}
	for i := 0; i < len(s); {
		width, refused := refusedBytes(s[i:], true)
		switch {
		case s[i] == '\'':
			b = append(b, `'\''`...)
		case !refused:
			b = append(b, s[i:i+width]...)
		default:
			for k := range width {
				b = utf8.AppendRune(b, escapeByte(s[i+k]))
			}
		}
		i += width
	}
	return string(append(b, '\''))
}

// byteRunes is where the characters that stand for bytes begin. It is the end
// of the last private plane; characters of a text that are there already are
// escaped too, byte by byte.
const byteRunes = 0x10ff00

// escapeByte returns the character that stands for a byte.
func escapeByte(b byte) rune { return byteRunes + rune(b) }

// bytes returns a text of the parser with the bytes that it stands for.
func (r *reader) bytes(s string) string {
	i := strings.IndexByte(s, 0xf4) // the first byte of those characters
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c >= byteRunes && c < byteRunes+256 {
			b = append(b, byte(c-byteRunes))
		} else {
			b = utf8.AppendRune(b, c)
		}
	}
	return string(b)
}
