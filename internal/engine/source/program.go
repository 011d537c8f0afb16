package source

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/source/paste"
)

// Curls picks the commands that run curl and cuts them down to curl's
// arguments. Where no curl runs outside of the words of other commands, none feeds another.
// What stands before curl without changing what it sends (a
// prompt, sudo, time, env A=b) is left out; other commands are named in a
// warning.
func Curls(commands []Command) ([]Command, diag.List) {
	var diags diag.List
	curls := commands[:0:0]
	if len(commands) == 1 { // the usual case needs no copy
		curls = commands[:0]
	}
	outside := runsOutside(commands)
	others := series{}
	wrapped, first := 0, 0 // how often something stands before curl, and the warning about it
	for _, c := range commands {
		at := programIndex(c.Args)
		switch {
		case c.Inside && (at < 0 || outside && c.OfCurl && !c.Feeds()):
			continue
		case at < 0, outside && isTrace(c.Args):
			if len(diags) < paste.MaxWarnings {
				others.add(&diags, c)
			}
			continue
		case at > 0, isRecipe(c.Args):
			if wrapped++; wrapped == 1 {
				first = len(diags)
				diags.Warn(diag.WarnPastedNoise, diag.Span{Start: c.Args[0].Span.Start, End: c.Args[max(at-1, 0)].Span.End},
					"the text before curl is left out", "")
			}
		}
		others = series{}
		c.Args, c.OfCurl = c.Args[at+1:], c.OfCurl && outside
		curls = append(curls, c)
	}
	if wrapped > 1 {
		diags[first].Message += paste.Elsewhere(wrapped - 1)
	}
	return curls, diags
}

// runsOutside reports whether curl runs outside of the words of other commands.
// Only where it does not are the commands within words what the text is about.
func runsOutside(commands []Command) bool {
	for i := range commands {
		if c := &commands[i]; !c.Inside && programIndex(c.Args) >= 0 && !isTrace(c.Args) {
			return true
		}
	}
	return false
}

// runsCurl reports whether one of the commands runs curl.
func runsCurl(commands []Command) bool {
	for i := range commands {
		if programIndex(commands[i].Args) >= 0 {
			return true
		}
	}
	return false
}

// isTrace reports whether a command is one that a shell shows with a plus sign
// in front: set -x does, and an error of PowerShell.
func isTrace(args []Word) bool {
	return len(args) > 1 && strings.HasPrefix(args[0].Text, "+") && strings.Trim(args[0].Text, "+") == "" && paste.IsCurl(args[1].Text)
}

// series merges the warnings about adjacent commands that are not curl.
type series struct {
	count   int
	warning int // its index in the list
}

// add reports a command that is not curl: in the warning about those before it
// when there is one.
func (r *series) add(diags *diag.List, c Command) {
	if r.count > 0 && (*diags)[r.warning].Span.End <= c.Span.Start {
		r.count++
		d := &(*diags)[r.warning]
		d.Span.End = c.Span.End
		d.Message = "these " + strconv.Itoa(r.count) + " commands are not curl, and are left out"
		return
	}
	diags.Warn(diag.WarnOtherCommand, c.Span, "the command "+paste.ShownName(c.Args[0].Text)+" is not curl, and is left out", "")
	r.count, r.warning = 1, len(*diags)-1
}

// programIndex returns the index of the word that is curl, or -1 when the
// command runs something else.
func programIndex(args []Word) int {
	if len(args) > 0 && (paste.IsCurl(args[0].Text) || holdsCurl(&args[0])) {
		return 0
	}
	if isTrace(args) {
		return 1
	}
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case paste.IsCurl(text), holdsCurl(&args[i]):
			return i
		case paste.IsAssignment(text), paste.IsMarker(text):
		case paste.IsPrompt(text):
		case i == 0 && isRecipe(args):
			return 0
		case text == "command" && i+1 < len(args) && asksWhere(args[i+1].Text):
			return -1
		case len(paste.WrapperOptions(text)) > 0:
			i = skipOptions(args, i, paste.WrapperOptions(text))
			if text == "HEALTHCHECK" && i+1 < len(args) && args[i+1].Text == "CMD" {
				i++
			}
		case paste.RunsElsewhere(text):
			return containedCurl(args, i+1)
		default:
			if !promptFollows(args[i:]) {
				return -1
			}
		}
	}
	return -1
}

// isRecipe reports whether a command is a line of a Makefile, or of a batch file, that is not
// printed: @curl.
func isRecipe(args []Word) bool { return args[0].Text == "@curl" }

// asksWhere reports whether an option makes command say what a name is, and run nothing
// (POSIX, command).
func asksWhere(option string) bool {
	return strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--") && strings.ContainsAny(option, "vV")
}

// holdsCurl reports whether a word is a variable that is called CURL, or whose
// default is curl.
func holdsCurl(w *Word) bool {
	if len(w.Holes) != 1 || int(w.Holes[0].End-w.Holes[0].Start) != len(w.Text) {
		return false
	}
	h := &w.Holes[0]
	return h.Name == "CURL" || h.Name == "curl" || h.HasDefault && paste.IsCurl(h.Default)
}

// promptFollows reports whether the words begin a prompt of several words,
// such as [user@host dir]$, which ends before curl.
func promptFollows(args []Word) bool {
	const longest = 4
	for i := 0; i+1 < len(args) && i < longest; i++ {
		text := args[i].Text
		if text != "" && strings.IndexByte("$#%>", text[len(text)-1]) >= 0 {
			return paste.IsCurl(args[i+1].Text)
		}
	}
	return false
}

// containedCurl returns the index of the first word from i on that is curl, or
// an image of it, or -1.
func containedCurl(args []Word, i int) int {
	if program := args[i-1].Text; program == "kubectl" || program == "oc" { // what runs comes after two dashes
		for j := i; j+1 < len(args); j++ {
			if args[j].Text == "--" && paste.IsCurl(args[j+1].Text) {
				return j + 1
			}
		}
	}
	for ; i < len(args); i++ {
		image, _, _ := strings.Cut(args[i].Text, ":")
		if strings.IndexByte(args[i].Text, ' ') >= 0 {
			continue // a script
		}
		if paste.IsCurl(args[i].Text) || strings.HasSuffix(image, "/curl") {
			return i
		}
	}
	return -1
}

// skipOptions returns the index of the last word that belongs to the wrapper
// at i: its options and their arguments.
func skipOptions(args []Word, i int, letters string) int {
	name := args[i].Text
	for i+1 < len(args) && strings.HasPrefix(args[i+1].Text, "-") {
		i++
		if text := args[i].Text; len(text) == 2 && strings.IndexByte(letters, text[1]) >= 0 && i+1 < len(args) {
			i++
		}
	}
	if name == "timeout" && i+1 < len(args) && !paste.IsCurl(args[i+1].Text) {
		i++ // the time
	}
	return i
}
