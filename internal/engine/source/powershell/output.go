package powershell

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
)

// sinkSize is what a file that takes the output of a command takes.
const sinkSize = 2 * word.Size

// viewers are PowerShell's own commands that show what they read, or a part of it.
var viewers = strings.Fields("convertfrom-json convertto-json fl foreach foreach-object format-custom format-list format-table format-wide ft measure-object " +
	"oh out-default out-gridview out-host out-string select select-object select-string sls sort-object where where-object write-host write-output % ? findstr")

// redirection reads >file, 2>&1 and the like. It returns the file of one that takes the output,
// and leaves out the others.
func (l *lexer) redirection() (sink *word.Sink, ok bool) {
	i, stream := l.pos, byte('1')
	if c := l.src[i]; '1' <= c && c <= '6' || c == '*' {
		stream = c
		i++
	}
	if i == len(l.src) || l.src[i] != '>' {
		return nil, false
	}
	operator := i
	for i < len(l.src) && l.src[i] == '>' {
		i++
	}
	appends := i > operator+1
	if strings.HasPrefix(l.src[i:], "&1") || strings.HasPrefix(l.src[i:], "&2") {
		l.pos = i + 2
		return nil, true
	}
	l.pos = i
	l.skipSpace(false)
	if l.endsCommand() {
		return nil, true
	}
	target := l.argument()
	if stream != '1' && stream != '*' {
		return nil, true
	}
	return l.sink(target, appends), true
}

// sink returns the file that an argument names.
func (l *lexer) sink(target argument, appends bool) *word.Sink {
	l.hold(sinkSize)
	s := &word.Sink{File: target.word, Appends: appends}
	if target.value != nil && target.value.literal == null {
		s.File.Text = "/dev/null" // as everything else names it
	}
	return s
}

// pipes notes where what the command before prints goes: to a file, or to a program that does more
// than to show it. Those are the words of the next command.
func (l *lexer) pipes(from *word.Command, args []argument) {
	if from.Led() != nil || !from.Translated && !slices.ContainsFunc(from.Args, func(w word.Word) bool { return paste.IsCurl(w.Text) }) {
		return
	}
	name := args[0].word.Text
	switch strings.ToLower(name) {
	case "out-null":
		l.hold(sinkSize)
		l.lead(from, &word.Sink{File: word.Word{Text: "/dev/null", Span: args[0].word.Span}})
		return
	case "out-file", "set-content", "sc", "add-content", "ac":
		if file, appends, ok := written(args[1:]); ok {
			l.lead(from, l.sink(file, appends || strings.HasPrefix(strings.ToLower(name), "a")))
			return
		}
	}
	if paste.Views(name, len(args)-1) || slices.Contains(viewers, strings.ToLower(name)) || paste.IsCurl(name) {
		return
	}
	l.hold(sinkSize)
	if from.Extra == nil {
		from.Extra = new(word.Extra)
	}
	from.Piped = true
	if len(args[0].word.Holes) > 0 {
		name = "other commands"
	}
	l.warn(diag.WarnPipedOutput, int(args[0].word.Span.Start), l.pos, "what curl prints goes to "+paste.ShownName(name)+", which is no part of the request")
}

func (l *lexer) lead(from *word.Command, s *word.Sink) {
	if from.Extra == nil {
		from.Extra = new(word.Extra)
	}
	from.Sink = s
}

// written returns the file that Out-File or Set-Content writes, where its arguments say no more than
// its name, its encoding and whether it is added to.
func written(args []argument) (file argument, appends, ok bool) {
	for i := 0; i < len(args); i++ {
		name := strings.ToLower(args[i].word.Text)
		switch {
		case !args[i].bare || !strings.HasPrefix(name, "-"):
			if ok {
				return file, false, false
			}
			file, ok = args[i], true
		case name == "-append":
			appends = true
		case name == "-force" || name == "-nonewline" || name == "-filepath" || name == "-path" || name == "-literalpath":
		case name == "-encoding" || name == "-width":
			i++
		default:
			return file, false, false
		}
	}
	return file, appends, ok
}
