// Package format lays out the curl commands of a text, as gofmt does with a
// program: an option on each line, or the whole on one line where it is short,
// and each word in the plainest quotes. The words stay, and so does all else.
package format

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/diag"
	"uncoil/internal/curl"
	"uncoil/internal/fault"
	"uncoil/internal/meter"
	"uncoil/internal/shell"
	"uncoil/internal/shell/quote"
)

// width is how long a line may be that holds a whole command.
const width = 80

// Source returns the text with its curl commands laid out, in the shell that it
// is written for. It reads what it has written, and leaves a command as it is
// that would be another one. The list has an error where the text cannot be
// read.
func Source(src, dialect string) (out string, diags diag.List) {
	defer func() {
		if value := recover(); value != nil {
			out, diags = src, diag.List{fault.New(value).Diagnostic()}
		}
	}()
	d, _ := shell.Lookup(dialect)
	r := read(src, d)
	if r.Diags.Err() != nil {
		return src, r.Diags
	}
	return apply(src, edits(src, &r), d, &r), nil
}

// apply returns the text with those edits with which its commands, and the shell
// that it seems to be for, stay the same.
func apply(src string, edits []edit, d shell.Dialect, r *shell.Reading) string {
	if len(edits) == 0 {
		return src
	}
	var b strings.Builder
	copied := 0
	for _, e := range slices.Backward(edits) {
		b.WriteString(src[copied:e.start])
		b.WriteString(e.text)
		copied = e.end
	}
	b.WriteString(src[copied:])
	changed := b.String()
	if again := read(changed, d); again.Dialect == r.Dialect && again.Diags.Err() == nil && sameWords(r.Commands, again.Commands) {
		return changed
	}
	if len(edits) == 1 {
		return src
	}
	half := len(edits) / 2
	return apply(apply(src, edits[:half], d, r), edits[half:], d, r)
}

func read(src string, d shell.Dialect) shell.Reading {
	return shell.Split(src, d, nil, meter.New(len(src), meter.Limits{}, nil), nil)
}

// sameWords reports whether two readings have the same commands.
func sameWords(a, b []shell.Command) bool {
	return slices.EqualFunc(a, b, func(a, b shell.Command) bool {
		return slices.EqualFunc(a.Args, b.Args, func(a, b shell.Word) bool { return a.Text == b.Text })
	})
}

// An edit replaces a stretch of the text.
type edit struct {
	start, end int
	text       string
}

// edits returns what lays out the commands, the last one first, so that the
// places of the others hold.
func edits(src string, r *shell.Reading) []edit {
	var found []edit
	style, ok := styles[r.Dialect]
	if !ok {
		return nil // it is data, and no command
	}
	commands, _ := shell.Curls(slices.Clone(r.Commands))
	for _, c := range commands {
		if c.Inside || c.Nested || len(c.Args) == 0 {
			continue
		}
		if e, ok := style.layOut(src, c.Args); ok {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b edit) int { return b.start - a.start })
	last := len(src) + 1
	return slices.DeleteFunc(found, func(e edit) bool { // a loop runs a command again
		overlaps := e.end > last || e.start >= last
		if !overlaps {
			last = e.start
		}
		return overlaps || src[e.start:e.end] == e.text
	})
}

// A style is how a shell is written.
type style struct {
	quote.Style
	goOn string // ends a line that goes on
}

var styles = map[shell.Dialect]*style{
	shell.POSIX:      {quote.POSIX, `\`},
	shell.Cmd:        {quote.Cmd, "^"},
	shell.PowerShell: {quote.PowerShell, "`"},
}

// layOut returns the arguments of a command, laid out. It reports false where
// more than blanks stands between them.
func (s *style) layOut(src string, args []shell.Word) (edit, bool) {
	first := int(args[0].Span.Start)
	start := len(s.trimmed(src[:first]))
	line := strings.LastIndexByte(src[:start], '\n') + 1
	before := src[line:start]
	indent := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	if start == 0 || start == first {
		return edit{}, false // nothing stands before the arguments
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
			return edit{}, false
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
	rest, _, _ := strings.Cut(src[end:], "\n")
	whole := before + " " + strings.Join(groups, " ")
	if !strings.Contains(whole, "\n") && utf8.RuneCountInString(whole+rest) <= width {
		return edit{start, end, whole[len(before):]}, true
	}
	text := ""
	if !strings.HasPrefix(groups[0], "-") { // the URL stands beside curl
		text, groups = " "+groups[0], groups[1:]
	}
	for _, g := range groups {
		text += " " + s.goOn + "\n" + indent + "  " + g
	}
	return edit{start, end, text}, true
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
func (s *style) word(spelled string, w *shell.Word) string {
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
