package paste

import (
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// maxLine bounds how much of a line is looked at for a prompt or a first word.
const maxLine = 256

// PromptLength returns the length of the prompt at the start of a line, with
// the blanks after it, or 0. Prompts end in $, %, # or an arrow. They are that
// alone, or have a user, a host or a directory before it.
func PromptLength(line string) int {
	if n := arrowPrompt(line); n > 0 {
		return n
	}
	if n := bangOrLabel(line); n > 0 {
		return n
	}
	if n := cornerPrompt(line) + listingPrompt(line); n > 0 {
		return n
	}
	if strings.HasPrefix(line, "curl ") || strings.HasPrefix(line, "#") {
		return 0 // most lines begin with the one, which isPromptText would find out late; comments with the other
	}
	line = line[:min(len(line), maxLine)]
	if n := ascii.LineLength(line); n < len(line) {
		line = line[:n]
	}
	for _, mark := range []string{"$ ", "% ", "❯ ", "➜ ", "λ ", "$\t"} {
		if strings.HasPrefix(line, mark) {
			return len(line) - len(strings.TrimLeft(line[len(mark):], " \t"))
		}
	}
	end := 0 // of the mark
	for i, c := range []byte(line) {
		if strings.IndexByte("$%#", c) >= 0 && i+1 < len(line) && line[i+1] == ' ' {
			end = i + 1
			break
		}
		if c == '>' && i > 0 && (strings.IndexByte(line[:i], ' ') < 0 || isAddress(line)) && strings.HasPrefix(line[i+1:], " curl ") {
			return i + 2
		}
		if strings.IndexByte("'\"\\`=?&;|<>{}!,", c) >= 0 {
			return 0
		}
	}
	if end == 0 || !isPromptText(line[:end-1]) {
		return 0
	}
	return len(line) - len(strings.TrimLeft(line[end:], " "))
}

// arrow begins the prompt of a common theme of zsh: ➜  dir git:(branch) ✗ .
const arrow = "➜"

// arrowPrompt returns the length of the prompt with an arrow that the line
// starts with, or 0: the arrow, a directory, the branch and its state. What is
// no directory because a command begins there is not part of it.
func arrowPrompt(line string) int {
	at := 0
	if strings.HasPrefix(line, "(") {
		end := strings.IndexByte(line[:min(len(line), maxLine)], ')')
		if end < 0 {
			return 0
		}
		at = end + 1
		for at < len(line) && ascii.IsBlank(line[at]) {
			at++
		}
	}
	if !strings.HasPrefix(line[at:], arrow) {
		return 0
	}
	at += len(arrow)
	line = line[:min(len(line), at+maxLine)]
	line = line[:ascii.LineLength(line)]
	for words := 0; ; words++ {
		start := at
		for at < len(line) && ascii.IsBlank(line[at]) {
			at++
		}
		if at == start || at == len(line) || startsCommand(line[at:]) {
			return at
		}
		word, _, _ := strings.Cut(line[at:], " ")
		isState := word == "✗" || word == "✔" || word == "✘" || strings.HasPrefix(word, "git:(")
		if words > 0 && !isState {
			return at
		}
		at += len(word)
	}
}

// bangOrLabel returns the length of the ! by which a notebook runs a command,
// or of a label with a colon: "Curl : curl -i".
func bangOrLabel(line string) int {
	if line == "" || line[0] != '!' && line[0]|0x20 != 'c' {
		return 0
	}
	if line[0] == '!' {
		if startsCommand(line[1:]) {
			return 1
		}
		return 0
	}
	const label = "curl"
	if !ascii.HasPrefixFold(line, label) {
		return 0
	}
	n := len(label)
	for n < len(line) && line[n] == ' ' {
		n++
	}
	if line[:len(label)] != label { // which a shell would run: more words may follow
		for n < len(line) && n < maxIndent && (ascii.IsLetter(line[n]) || line[n] == ' ') {
			n++
		}
	}
	if n == len(line) || line[n] != ':' {
		return 0
	}
	for n++; n < len(line) && line[n] == ' '; n++ {
	}
	if strings.HasPrefix(line[n:], "curl ") {
		return n
	}
	return 0
}

// isPromptText reports whether s is what stands before the mark of a prompt:
// user@host:dir, [user@host dir], ~/dir, bash-5.2, (env) in front of any.
func isPromptText(s string) bool {
	if strings.HasPrefix(s, "(") {
		_, rest, ok := strings.Cut(s, ")")
		s = strings.TrimLeft(rest, " ")
		if !ok || s == "" {
			return ok
		}
	}
	bracketed := strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]")
	words := strings.Fields(s)
	switch {
	case len(words) == 0 || len(words) > 3, len(words) > 1 && !bracketed && !strings.Contains(words[0], "@"):
		return false
	case bracketed, strings.Contains(words[0], "@"), s[0] == '~', s[0] == '/' && len(words) == 1:
		return !strings.Contains(s, "://")
	}
	return strings.HasPrefix(s, "bash-") || strings.HasPrefix(s, "sh-") || strings.HasPrefix(s, "zsh-")
}

// isAddress reports whether a line begins with the user and the host of a prompt.
func isAddress(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	at := strings.IndexByte(word, '@')
	return at > 0 && strings.IndexByte(word, '/') < 0 && strings.IndexByte(word, ':') < 0
}

// The first and the second line of a prompt of two begin with these corners.
const upperCorners, lowerCorners = "┌╭╔┏", "└╰╚┗"

// isUpperPrompt reports whether a line is the first of a prompt of two lines, as
// Kali, Parrot and themes of zsh have them: a corner, and no command.
func isUpperPrompt(line string) bool { return beginsWithAny(line, upperCorners) }

func beginsWithAny(line, runes string) bool {
	if line == "" || line[0] != runes[0] {
		return false
	}
	r, _ := utf8.DecodeRuneInString(line)
	return strings.ContainsRune(runes, r)
}

// cornerPrompt returns the length of the second line of such a prompt: a corner,
// lines drawn from it, and a mark.
func cornerPrompt(line string) int {
	if !beginsWithAny(line, lowerCorners) {
		return 0
	}
	n := 0
	for n < len(line) {
		r, size := utf8.DecodeRuneInString(line[n:])
		switch {
		case r >= 0x2500 && r <= 0x25ff: // lines, blocks and geometric shapes
		case strings.ContainsRune("$#%>❯➜➤λ» \t", r):
		default:
			return n
		}
		n += size
	}
	return n
}

// listingPrompt returns the length of what a listing of commands puts before each:
// the number of the shell's history, with or without a date, and the time of a
// log. Then curl follows.
func listingPrompt(line string) int {
	if line == "" || !ascii.IsDigit(line[0]) && line[0] != '$' {
		return 0
	}
	if line[0] == '$' { // without a blank
		if strings.HasPrefix(line, "$curl ") {
			return 1
		}
		return 0
	}
	at := 0
	for range 3 {
		n := at
		for n < len(line) && n < maxIndent && (ascii.IsDigit(line[n]) || n > at && strings.IndexByte("-:./,+TZ*", line[n]) >= 0) {
			n++
		}
		if n == at || n == len(line) || !ascii.IsBlank(line[n]) || line[n-1] == '.' {
			return 0
		}
		for n < len(line) && ascii.IsBlank(line[n]) {
			n++
		}
		if at = n; strings.HasPrefix(line[at:], "curl ") {
			return at
		}
	}
	return 0
}

// maxIndent bounds how long a word before a command is.
const maxIndent = 64
