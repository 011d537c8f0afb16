// Package format lays out the curl commands of a text, as gofmt does with a
// program: an option on each line, or the whole on one line where it is short,
// and each word in the plainest quotes. The words stay, and so does all else.
package format

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/quote"
)

// width is how long a line may be that holds a whole command.
const width = 80

// Source returns the text with its curl commands laid out, in the shell that it
// is written for. It reads what it has written, and leaves a command as it is
// that would be another one. The list has an error where the text cannot be
// read. Formatting a formatted text changes nothing.
func Source(src, dialect string) (out string, diags diag.List) {
	defer func() {
		if value := recover(); value != nil {
			out, diags = src, diag.List{fault.New(value).Diagnostic()}
		}
	}()
	d, _ := source.Lookup(dialect)
	r := read(src, d)
	if r.Diags.Err() != nil {
		return src, r.Diags
	}
	style, ok := styles[r.Dialect]
	if !ok {
		return src, nil // it is data, and no command
	}
	f := formatter{src: src, dialect: d, style: style, before: r, commands: style.commands(src, &r), tries: maxTries}
	f.choose(f.commands)
	return f.text(), nil
}

// maxTries bounds how often a text is written and read again. Each try is as long
// as the text, and few texts need more than one.
const maxTries = 64

// A formatter lays out one text.
type formatter struct {
	src      string
	dialect  source.Dialect // as asked for
	style    *style
	before   source.Reading
	commands []command // in order
	tries    int
}

// A command is the arguments of one, which its layout replaces.
type command struct {
	start, end int
	groups     []string // of an option and its argument, each
	chosen     bool     // to be laid out
}

// choose chooses those of the commands with which all commands of the text, and
// the shell that it seems to be for, stay the same. Where that takes too many
// tries, it chooses none.
func (f *formatter) choose(commands []command) {
	if len(commands) == 0 {
		return
	}
	choice := func(chosen bool) {
		for i := range commands {
			commands[i].chosen = chosen
		}
	}
	choice(true)
	if f.tries--; f.tries < 0 {
		for i := range f.commands {
			f.commands[i].chosen = false
		}
		return
	}
	if f.keeps() {
		return
	}
	choice(false)
	if half := len(commands) / 2; half > 0 {
		f.choose(commands[:half])
		f.choose(commands[half:])
	}
}

// keeps reports whether the text with the choice has the commands that it had.
func (f *formatter) keeps() bool {
	text := f.text()
	if text == f.src {
		return true
	}
	again := read(text, f.dialect)
	return again.Dialect == f.before.Dialect && again.Diags.Err() == nil && sameWords(f.before.Commands, again.Commands)
}

// text returns the text with the chosen commands laid out.
func (f *formatter) text() string {
	w := writer{goOn: f.style.goOn}
	w.text.Grow(len(f.src))
	copied := 0
	for i := range f.commands {
		c := &f.commands[i]
		w.write(f.src[copied:c.start])
		next := len(f.src)
		if i+1 < len(f.commands) {
			next = f.commands[i+1].start
		}
		if c.chosen {
			f.style.layOut(&w, c.groups, f.src[c.end:next])
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
	goOn   string // of the style
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
			if !strings.HasSuffix(strings.TrimSuffix(line, "\r"), w.goOn) {
				w.indent, w.begun = "", false
			}
		}
	}
}

func read(src string, d source.Dialect) source.Reading {
	return source.Split(src, d, nil, meter.New(len(src), meter.Limits{}, nil), nil)
}

// sameWords reports whether two readings have the same commands.
func sameWords(a, b []source.Command) bool {
	return slices.EqualFunc(a, b, func(a, b source.Command) bool {
		return slices.EqualFunc(a.Args, b.Args, func(a, b source.Word) bool { return a.Text == b.Text })
	})
}

// A style is how a shell is written.
type style struct {
	quote.Style
	goOn string // ends a line that goes on
}

var styles = map[source.Dialect]*style{
	source.POSIX:      {quote.POSIX, `\`},
	source.Cmd:        {quote.Cmd, "^"},
	source.PowerShell: {quote.PowerShell, "`"},
}

// commands returns the curl commands that can be laid out, in order.
func (s *style) commands(src string, r *source.Reading) []command {
	var found []command
	commands, _ := source.Curls(slices.Clone(r.Commands))
	for _, c := range commands {
		if c.Inside || c.Nested || len(c.Args) == 0 {
			continue
		}
		if one, ok := s.command(src, c.Args); ok {
			found = append(found, one)
		}
	}
	slices.SortStableFunc(found, func(a, b command) int { return a.start - b.start })
	end := 0
	return slices.DeleteFunc(found, func(c command) bool { // a loop runs a command again
		if c.start < end {
			return true
		}
		end = c.end
		return false
	})
}

// command returns the groups of the arguments of a command. It reports false
// where more than blanks stands between them.
func (s *style) command(src string, args []source.Word) (command, bool) {
	first := int(args[0].Span.Start)
	start := len(s.trimmed(src[:first]))
	if start == 0 || start == first {
		return command{}, false // nothing stands before the arguments
	}
	end := start
	var groups []string
	expected := false // an argument
	for i := range args {
		w := &args[i]
		from, to := int(w.Span.Start), int(w.Span.End)
		if i > 0 && w.Span == args[i-1].Span {
			expected = false
			continue // of one variable
		}
		if from < end || to > len(src) || from == to || s.trimmed(src[end:from]) != "" || from == end {
			return command{}, false
		}
		end = to
		text := s.word(src[from:to], w)
		option := !expected && len(w.Text) > 1 && w.Text[0] == '-'
		if expected {
			groups[len(groups)-1] += " " + text
		} else {
			groups = append(groups, text)
		}
		expected = option && takesNext(w.Text)
	}
	return command{start: start, end: end, groups: groups}, true
}

// layOut writes the arguments of a command. After them comes rest, up to the next
// command.
func (s *style) layOut(w *writer, groups []string, rest string) {
	line := " " + strings.Join(groups, " ")
	rest, _, _ = strings.Cut(rest[:min(len(rest), utf8.UTFMax*width)], "\n")
	if !strings.Contains(line, "\n") && w.column+utf8.RuneCountInString(line)+utf8.RuneCountInString(rest) <= width {
		w.write(line)
		return
	}
	next := " " + s.goOn + "\n" + w.indent + "  "
	if !strings.HasPrefix(groups[0], "-") { // the URL stands beside curl
		w.write(" " + groups[0])
		groups = groups[1:]
	}
	for _, g := range groups {
		w.write(next + g)
	}
}

// trimmed returns a text without the blanks and the line ends that go on at its
// end.
func (s *style) trimmed(text string) string {
	for {
		shorter := strings.TrimRight(text, " \t\r")
		shorter = strings.TrimSuffix(shorter, s.goOn+"\n")
		shorter = strings.TrimSuffix(shorter, s.goOn+"\r\n")
		if shorter == text {
			return text
		}
		text = shorter
	}
}

// word returns a word in plainer quotes, unless it is more than its text or
// gets longer.
func (s *style) word(spelled string, w *source.Word) string {
	if len(w.Holes) > 0 || s.Style == quote.Cmd || !isLiteral(spelled) {
		return spelled
	}
	if plain := string(quote.AppendWord(nil, w.Text, s.Style)); len(plain) <= len(spelled) {
		return plain
	}
	return spelled
}

// isLiteral reports a word in one pair of quotes, in which nothing is replaced.
func isLiteral(word string) bool {
	if len(word) < 2 || word[0] != word[len(word)-1] {
		return false
	}
	inside := word[1 : len(word)-1]
	switch word[0] {
	case '\'':
		return !strings.Contains(inside, "'")
	case '"':
		return !strings.ContainsAny(inside, "$`!")
	}
	return false
}

// takesNext reports whether the word after an option is its argument.
func takesNext(word string) bool {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		o := curl.Lookup(strings.TrimPrefix(name, "expand-"))
		return o != nil && o.TakesArgument()
	}
	for i := 1; i < len(word); i++ {
		o := curl.LookupShort(word[i])
		if o == nil {
			return false
		}
		if o.TakesArgument() {
			return i == len(word)-1
		}
	}
	return false
}
