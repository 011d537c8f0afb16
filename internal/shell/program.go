package shell

import (
	"strings"

	"uncoil/diag"
)

// Curls picks the commands that run curl and cuts them down to curl's
// arguments. What stands before curl without changing what it sends (a
// prompt, sudo, time, env A=b) is left out; other commands are named in a
// warning.
func Curls(commands []Command) ([]Command, diag.List) {
	var diags diag.List
	curls := commands[:0:0]
	if len(commands) == 1 { // the usual case needs no copy
		curls = commands[:0]
	}
	for _, c := range commands {
		at := programIndex(c.Args)
		if at < 0 {
			if len(diags) < maxWarnings {
				warnOther(&diags, c)
			}
			continue
		}
		if at > 0 && len(diags) < maxWarnings {
			diags.Warn(diag.WarnPastedNoise, diag.Span{Start: c.Args[0].Span.Start, End: c.Args[at-1].Span.End},
				"what stands before curl is left out", "")
		}
		c.Args = c.Args[at+1:]
		curls = append(curls, c)
	}
	return curls, diags
}

func warnOther(diags *diag.List, c Command) {
	name := c.Args[0].Text
	if len(name) > 40 {
		name = name[:40] + "…"
	}
	diags.Warn(diag.WarnOtherCommand, c.Span, "the command "+strings.ToValidUTF8(name, "?")+" is not curl, and is left out", "")
}

// programIndex returns the index of the word that is curl, or -1 when the
// command runs something else.
func programIndex(args []Word) int {
	if len(args) > 0 && isCurl(args[0].Text) {
		return 0
	}
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case isCurl(text):
			return i
		case isAssignment(text), isMarker(text):
		case isPrompt(text):
		case len(wrapperOptions(text)) > 0:
			i = skipOptions(args, i, wrapperOptions(text))
		case runsElsewhere(text):
			return containedCurl(args, i+1)
		default:
			if !promptFollows(args[i:]) {
				return -1
			}
		}
	}
	return -1
}

// isCurl reports whether a word names curl: by its path, and with or without
// .exe.
func isCurl(text string) bool {
	if text == "curl" {
		return true
	}
	if i := strings.LastIndexAny(text, `/\`); i >= 0 {
		text = text[i+1:]
	}
	return text == "curl" || strings.EqualFold(text, "curl.exe")
}

func isAssignment(text string) bool {
	n := nameLength(text)
	return n > 0 && n < len(text) && text[n] == '='
}

// isMarker reports what begins an item of a list: -, *, •, 1., 2).
func isMarker(text string) bool {
	switch text {
	case "-", "*", "•", "–":
		return true
	}
	digits := strings.TrimLeft(text, "0123456789")
	return len(digits) < len(text) && (digits == "." || digits == ")")
}

// isPrompt reports a word that can only be the end of a prompt.
func isPrompt(text string) bool {
	switch text {
	case "$", "%", "#", ">", "❯", "➜", "λ", "!":
		return true
	}
	return false
}

// promptFollows reports whether the words begin a prompt of several words,
// such as [user@host dir]$, which ends before curl.
func promptFollows(args []Word) bool {
	const longest = 4
	for i := 0; i+1 < len(args) && i < longest; i++ {
		text := args[i].Text
		if text != "" && strings.IndexByte("$#%>", text[len(text)-1]) >= 0 {
			return isCurl(args[i+1].Text)
		}
	}
	return false
}

// wrapperOptions returns which letters of a command that runs another one
// take an argument; the empty string means that it is no such command. A
// leading space stands for no letters.
func wrapperOptions(text string) string {
	switch text {
	case "sudo":
		return "ugCpThUrtD"
	case "doas":
		return "uC"
	case "time":
		return "fo"
	case "env":
		return "uCS"
	case "nice":
		return "n"
	case "watch":
		return "nq"
	case "timeout":
		return "ks"
	case "stdbuf":
		return "ioe"
	case "exec", "command", "builtin", "nohup", "noglob", "winpty", "setsid", "proxychains", "proxychains4", "torsocks", "then", "do", "else":
		return " "
	}
	return ""
}

// runsElsewhere reports whether a command runs another one in a container. Its
// options are not known here. xargs is none: it makes up arguments of its own.
func runsElsewhere(text string) bool {
	switch text {
	case "docker", "docker-compose", "podman", "nerdctl", "kubectl", "oc":
		return true
	}
	return false
}

// containedCurl returns the index of the first word from i on that is curl, or
// an image of it, or -1.
func containedCurl(args []Word, i int) int {
	for ; i < len(args); i++ {
		image, _, _ := strings.Cut(args[i].Text, ":")
		if isCurl(args[i].Text) || strings.HasSuffix(image, "/curl") {
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
	if name == "timeout" && i+1 < len(args) && !isCurl(args[i+1].Text) {
		i++ // the time
	}
	return i
}
