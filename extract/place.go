package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/paste"
)

// A place is where the word curl stands.
type place struct {
	*block
	before   string // what stands before it on its line
	line     string // the line, from before on
	cut      bool   // before is not all of it
	argument string // what follows
}

// A standing is how a word stands where a shell would run it.
type standing uint8

const (
	nowhere    standing = iota
	first               // at the start of a line
	later               // after an operator, or a command that runs it
	piped               // after a pipe
	backquoted          // between backquotes
	comment             // after the mark of a comment
)

// first returns how many bytes of before are indentation and a prompt.
func (p *place) first() int {
	n := len(p.before) - len(strings.TrimLeft(p.before, " \t"))
	return n + min(paste.PromptLength(p.line[n:]), len(p.before)-n)
}

// stand returns how curl stands in its line.
func (p *place) stand() standing {
	if p.cut {
		return nowhere
	}
	indent := len(p.before) - len(strings.TrimLeft(p.before, " \t"))
	rest := p.before[p.first():]
	prompted := p.first() > indent
	switch {
	case rest == "" && (p.shell && !p.plain || prompted):
		return p.onlyIf(first, !isSentence(p.argument))
	case rest == "":
		return p.onlyIf(first, convinces(p.argument))
	}
	if n := commentLength(rest); n > 0 {
		return p.onlyIf(comment, strings.Trim(rest[n:], " \t$") == "" && convinces(p.argument))
	}
	if marker := strings.TrimRight(rest, " \t"); paste.IsMarker(marker) && len(marker) < len(rest) {
		return p.onlyIf(first, convinces(p.argument))
	}
	if p.shell {
		return p.inCommand(rest)
	}
	trimmed := strings.TrimRight(rest, " \t")
	if trimmed == "" || len(trimmed) == len(rest) || !convinces(p.argument) {
		return nowhere
	}
	if runsNext(trimmed) {
		return later
	}
	if p.prose {
		return nowhere
	}
	return p.onlyIf(later, strings.IndexByte(":]>+$|;&", trimmed[len(trimmed)-1]) >= 0)
}

func (p *place) onlyIf(s standing, ok bool) standing {
	if !ok {
		return nowhere
	}
	return s
}

// inCommand returns how curl stands after the text of a command.
func (p *place) inCommand(rest string) standing {
	i := strings.LastIndexAny(rest, "|;&({`!@")
	if i < 0 {
		return p.onlyIf(later, endsBlank(rest) && runsNext(rest) && !isSentence(p.argument))
	}
	words := rest[i+1:]
	if strings.TrimSpace(words) != "" && !(endsBlank(words) && runsNext(words)) || isSentence(p.argument) {
		return nowhere
	}
	switch rest[i] {
	case '|':
		return p.onlyIf(piped, i == 0 || rest[i-1] != '\\')
	case '`':
		return backquoted
	case '@':
		return p.onlyIf(later, i == 0) // of a Makefile
	}
	return later
}

func endsBlank(s string) bool { return s != "" && ascii.IsBlank(s[len(s)-1]) }

// runsNext reports whether words are such that the word after them is a command:
// assignments, and commands that run another one, with their options.
func runsNext(words string) bool {
	wrapped, elsewhere, before := false, false, ""
	for word := range strings.FieldsSeq(words) {
		asks := before == "command" && word[0] == '-' // where curl is
		before = word
		switch {
		case asks:
			return false
		case elsewhere:
		case paste.WrapperOptions(word) != "":
			wrapped = true
		case paste.RunsElsewhere(word):
			elsewhere = true
		case paste.IsAssignment(word), paste.IsMarker(word), paste.IsPrompt(word):
		case isKeyword(word):
		case word == "(shell" || word == "shell": // $(shell curl) of a Makefile
		case wrapped && (word[0] == '-' || ascii.IsDigit(word[0])):
		default:
			return false
		}
	}
	return !elsewhere || strings.HasSuffix(strings.TrimRight(words, " \t"), " --")
}

func isKeyword(word string) bool {
	switch word {
	case "if", "elif", "while", "until", "then", "else", "do", "!", "time", "--", "+":
		return true
	}
	return false
}

// quoted reports whether curl is the first word between quotes, in an argument of
// a command that may run it.
func (p *place) quoted() bool {
	n := len(p.before)
	return p.shell && !p.cut && n > 0 && (p.before[n-1] == '\'' || p.before[n-1] == '"')
}

// commentLength returns the length of the mark of a comment that a line starts
// with.
func commentLength(line string) int {
	for _, mark := range []string{"//", "/*", "*", "#", "--", ";;", "REM "} {
		if strings.HasPrefix(line, mark) {
			return len(line) - len(strings.TrimLeft(line, mark[:1]))
		}
	}
	return 0
}

// convinces reports whether what follows curl shows a command rather than a
// sentence about it.
func convinces(argument string) bool {
	argument = strings.TrimLeft(argument, " \t")
	if argument == "" || isVersion(argument) {
		return false
	}
	word := firstWord(argument)
	switch c := argument[0]; {
	case c == '\\':
		return strings.TrimSpace(word) == `\`
	case c == '-':
		return len(word) > 1 && (ascii.IsLetter(word[1]) || word[1] == '-' && len(word) > 2 && ascii.IsLetter(word[2]))
	case c == '\'' || c == '"':
		return len(word) > 2 && (strings.Contains(word, "://") || strings.IndexByte("-$<{", word[1]) >= 0 || isHost(word[1:]))
	case c == '$':
		return len(word) > 1 && (ascii.IsNameByte(word[1]) || word[1] == '{')
	case strings.Contains(word, "://"):
		return true
	}
	return isHost(word)
}

// isVersion reports what curl prints about itself: curl 8.22.0 (x86_64-pc-linux-gnu).
func isVersion(argument string) bool {
	return ascii.IsDigit(argument[0]) && strings.Count(firstWord(argument), ".") < 3 && strings.Contains(argument, " (")
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t\r\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// isHost reports whether a word may be a URL without a scheme.
func isHost(word string) bool {
	if strings.HasPrefix(word, "localhost") {
		return true
	}
	dot := strings.IndexAny(word, ".:/")
	return dot > 0 && dot+1 < len(word) && (ascii.IsLetter(word[dot+1]) || ascii.IsDigit(word[dot+1]))
}

// isSentence reports whether what follows curl is a sentence about it.
func isSentence(argument string) bool {
	argument = strings.TrimLeft(argument, " \t")
	word := strings.TrimRight(firstWord(argument), ",.:")
	if word != "" && isVersion(argument) {
		return true
	}
	switch word {
	case "", "is", "and", "or", "to", "the", "command", "commands", "request", "requests", "for", "with", "in", "can", "will", "as",
		"=", "==", "=>", "->", ">", "<", "|", "||", "&&", ")", "install", "wget", "git", "jq", "bash", "\\":
		return word != "\\"
	}
	return false
}

// hasURL reports whether one of the words is what a URL may be.
func hasURL(words string) bool {
	for word := range strings.FieldsSeq(words) {
		word = strings.Trim(word, "'\"")
		if word == "" || word[0] == '-' {
			continue
		}
		if strings.Contains(word, "://") && !strings.HasSuffix(word, "://…") || word[0] == '$' || isHost(word) {
			return true
		}
	}
	return false
}

// readsInput reports whether a command may read its standard input.
func readsInput(command string) bool {
	return strings.Contains(command, "@-") || strings.Contains(command, "-T") || strings.Contains(command, "-K")
}
