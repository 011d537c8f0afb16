// Package format lays out the curl commands of a script: one that is too long for a line
// gets a line for each option, and the lines of one that goes on are indented alike. Only
// the blanks between its words change. A command that has room stays as it is.
package format

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/revise"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/posix"
)

// width is how many characters a line of a command has, unless nothing divides it.
const width = 80

// Source returns a script with its curl commands laid out, in the shell that it is written
// for. Comments, strings, here-documents and all else that no shell runs stay as they are.
// What it has written is read again, and must be the same to the shell; a command whose
// layout would change that stays as it is. The list has an error where a shell would not
// take the script, which then comes back unchanged. Formatting a formatted script changes
// nothing.
func Source(src, dialect string) (out string, diags diag.List) {
	defer func() {
		if value := recover(); value != nil {
			out, diags = src, diag.List{fault.New(value).Diagnostic()}
		}
	}()
	text, returns := strings.ReplaceAll(src, "\r\n", "\n"), false
	if len(text) < len(src) {
		returns = len(src)-len(text) == strings.Count(text, "\n")
	}
	if strings.Contains(text, "\r") || len(text) < len(src) && !returns {
		return src, nil // a carriage return is a part of a word there
	}
	d, _ := source.Lookup(dialect)
	s, refused := shellOf(text, d)
	if refused != nil {
		return src, diag.List{*refused}
	}
	if s == nil {
		return src, nil // it is data, and no script
	}
	f := formatter{src: text, script: s, commands: commandsOf(text, s)}
	out = f.text(revise.Choose(len(f.commands), maxTries, f.keeps))
	if returns {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return out, nil
}

// A script is a text as its shell reads it.
type script struct {
	dialect  source.Dialect
	goOn     string           // ends a line that goes on
	commands []source.Command // wherever they stand
	skeleton string           // what must stay: for a POSIX shell the text but for blanks
}

// shellOf reads a text, or says why its shell refuses it.
func shellOf(src string, d source.Dialect) (*script, *diag.Diagnostic) {
	m := meter.New(len(src), meter.Limits{}, nil)
	if d == source.POSIX {
		return posixScript(src, m)
	}
	r := source.Split(src, d, nil, m, nil)
	switch r.Dialect {
	case source.POSIX:
		return posixScript(src, meter.New(len(src), meter.Limits{}, nil))
	case source.Cmd, source.PowerShell:
	default:
		return nil, nil
	}
	if err := r.Diags.Err(); err != nil {
		return nil, err
	}
	s := &script{dialect: r.Dialect, goOn: "^"}
	if r.Dialect == source.PowerShell {
		s.goOn = "`"
	}
	for _, c := range r.Commands {
		for i := range c.Args {
			s.skeleton += c.Args[i].Text + "\x00"
		}
		s.skeleton += "\x00"
		if !c.Inside && !c.Nested {
			s.commands = append(s.commands, c)
		}
	}
	return s, nil
}

func posixScript(src string, m *meter.Meter) (*script, *diag.Diagnostic) {
	read, refused := posix.ReadScript(src, m)
	if refused != nil {
		return nil, refused
	}
	s := &script{dialect: source.POSIX, goOn: `\`, skeleton: read.Skeleton(src)}
	for _, c := range read.Commands {
		if !c.Backquoted {
			s.commands = append(s.commands, source.Command{Args: c.Args})
		}
	}
	return s, nil
}

// maxTries bounds how often a text is written and read again. Each try is as long
// as the text, and few texts need more than one.
const maxTries = 64

// A formatter lays out one script.
type formatter struct {
	src      string
	script   *script
	commands []command // in order
}

// keeps reports whether the script with some of the commands laid out is the same to its
// shell.
func (f *formatter) keeps(chosen []bool) bool {
	text := f.text(chosen)
	if text == f.src {
		return true
	}
	again, refused := shellOf(text, f.script.dialect)
	return refused == nil && again != nil && again.skeleton == f.script.skeleton
}

// text returns the script with the chosen commands laid out.
func (f *formatter) text(chosen []bool) string {
	w := writer{goOn: f.script.goOn}
	w.text.Grow(len(f.src))
	copied := 0
	for i := range f.commands {
		c := &f.commands[i]
		w.write(f.src[copied:c.start])
		if chosen[i] {
			c.layOut(&w, f.src)
		} else {
			w.write(f.src[c.start:c.end])
		}
		copied = c.end
	}
	w.write(f.src[copied:])
	return w.text.String()
}

// A writer is the text that is written, and what its last line is. The layout
// depends on that line, and not on the line of the source, because another command
// in it may have been laid out.
type writer struct {
	text   strings.Builder
	goOn   string // of the shell
	column int    // characters in the line
	indent string // the blanks that begin the line, or the line that it continues
	begun  bool   // something stands after them
}

func (w *writer) write(s string) {
	w.text.WriteString(s)
	for more := true; more; {
		var line string
		line, s, more = strings.Cut(s, "\n")
		w.column += utf8.RuneCountInString(line)
		if !w.begun {
			blanks := len(line) - len(strings.TrimLeft(line, " \t"))
			w.indent += line[:min(blanks, width)]
			w.begun = blanks < len(line)
		}
		if more {
			w.column = 0
			if !strings.HasSuffix(line, w.goOn) {
				w.indent, w.begun = "", false
			}
		}
	}
}

// A command is the arguments of one.
type command struct {
	start, end int
	groups     []group
}

// A group is an argument, or an option with its argument.
type group struct {
	start, end int
	gap        string // before it
	broken     bool   // the gap has a line break
	text       string // with one blank within
	leads      bool   // it may stand beside curl, and others after it: a flag, or the method
	url        bool   // it may, and is the last to do so
}

// commandsOf returns the curl commands that can be laid out, in order.
func commandsOf(src string, s *script) []command {
	var found []command
	curls, _ := source.Curls(s.commands)
	for _, c := range curls {
		if one, ok := commandOf(src, s.goOn, c.Args); ok {
			found = append(found, one)
		}
	}
	slices.SortStableFunc(found, func(a, b command) int { return a.start - b.start })
	end := 0
	return slices.DeleteFunc(found, func(c command) bool { // one that stands in a word of another
		if c.start < end {
			return true
		}
		end = c.end
		return false
	})
}

// commandOf returns the groups of the arguments of a command. It reports false
// where more than blanks stands between them.
func commandOf(src, goOn string, args []source.Word) (c command, ok bool) {
	if len(args) < 2 {
		return c, false
	}
	first := int(args[0].Span.Start)
	c.start = len(trimmed(src[:first], goOn))
	c.end = c.start
	if c.start == 0 || c.start == first {
		return c, false // nothing stands before the arguments
	}
	expected := false // an argument
	for i := range args {
		w := &args[i]
		from, to := int(w.Span.Start), int(w.Span.End)
		if i > 0 && w.Span == args[i-1].Span {
			expected = false
			continue // of one variable
		}
		if from <= c.end || to > len(src) || from == to || trimmed(src[c.end:from], goOn) != "" {
			return c, false
		}
		if expected {
			g := &c.groups[len(c.groups)-1]
			g.end, g.text = to, g.text+" "+src[from:to]
		} else {
			gap := src[c.end:from]
			c.groups = append(c.groups, group{start: from, end: to, gap: gap, broken: strings.Contains(gap, "\n"), text: src[from:to]})
		}
		argument := expected
		option := !argument && len(w.Text) > 1 && w.Text[0] == '-'
		g := &c.groups[len(c.groups)-1]
		expected = option && curl.Expecting(w.Text) != nil
		switch {
		case expected:
			g.leads = setsMethod(w.Text)
		case option:
			g.leads = true
		case !argument:
			g.url = true
		}
		c.end = to
	}
	return c, true
}

// layOut writes the arguments of a command.
func (c *command) layOut(w *writer, src string) {
	indent, regular := c.indentation(w.indent)
	breaks, divided := c.breaks(w.column, utf8.RuneCountInString(indent), src)
	if regular && !divided {
		w.write(src[c.start:c.end])
		return
	}
	for i := range c.groups {
		if breaks[i] {
			w.write(" " + w.goOn + "\n" + indent + c.groups[i].text)
		} else {
			w.write(" " + c.groups[i].text)
		}
	}
}

// breaks returns which of the groups begin a line, for a command that begins in a column
// and whose further lines have an indentation, and reports whether some of them did not.
func (c *command) breaks(column, indent int, src string) (breaks []bool, divided bool) {
	breaks = make([]bool, len(c.groups))
	segments, long := c.segments(column, indent, src)
	n := 0
	for s, segment := range segments {
		leading := s == 0 // the groups up to here stand beside curl
		for i := range segment {
			g := &segment[i]
			size := 1 + utf8.RuneCountInString(g.text)
			switch {
			case i == 0 && s == 0: // beside curl in any case
			case i == 0:
				breaks[n] = true
			case !long[s]:
			case leading && (g.leads || g.url) && column+size <= width:
			case leading && g.url && indent+size-1 > width: // too long for any line
			default:
				breaks[n], divided, leading = true, true, false
			}
			leading = leading && g.leads
			column += size
			n++
		}
	}
	return breaks, divided
}

// indentation returns how the lines begin on which a command goes on, and reports whether
// they all do so. indent is that of the line on which it begins.
func (c *command) indentation(indent string) (next string, regular bool) {
	next, regular = indent+"  ", true
	if indent != "" && strings.Trim(indent, "\t") == "" {
		next = indent + "\t"
	}
	first := true
	for i := range c.groups {
		g := &c.groups[i]
		if !g.broken {
			continue
		}
		blanks := g.gap[strings.LastIndexByte(g.gap, '\n')+1:]
		if first && len(blanks) > len(indent) && strings.HasPrefix(blanks, indent) {
			next = blanks
		}
		first = false
		regular = regular && blanks == next && strings.Count(g.gap, "\n") == 1
	}
	return next, regular
}

// segments returns the groups of each line of a command that begins in a column, and which
// of the lines are too long, with an indentation of the further ones, and can be divided.
func (c *command) segments(column, indent int, src string) (segments [][]group, long []bool) {
	start, from := 0, c.start
	for i := 1; i <= len(c.groups); i++ {
		if i < len(c.groups) && !c.groups[i].broken {
			continue
		}
		segment := c.groups[start:i]
		segments = append(segments, segment)
		long = append(long, isLong(src[from:c.groups[i-1].end], column, segment, from))
		if start = i; i < len(c.groups) {
			from, column = c.groups[i].start, indent
		}
	}
	return segments, long
}

// isLong reports whether a line of the text, which begins in a column, is too long and has
// a gap between two groups. The text has several lines where a word has.
func isLong(text string, column int, segment []group, from int) bool {
	at := from
	for more := true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		end := at + len(line)
		if column+utf8.RuneCountInString(line) > width && slices.ContainsFunc(segment[1:], func(g group) bool { return g.start > at && g.start <= end }) {
			return true
		}
		at, column = end+1, 0
	}
	return false
}

// trimmed returns a text without the blanks and the line ends that go on at its
// end.
func trimmed(text, goOn string) string {
	for {
		shorter := strings.TrimRight(text, " \t")
		shorter = strings.TrimSuffix(shorter, goOn+"\n")
		if shorter == text {
			return text
		}
		text = shorter
	}
}

// setsMethod reports whether an option that takes the next word is the method, alone.
func setsMethod(word string) bool { return word == "-X" || word == "--request" }
