package extract

import (
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/paste"
)

// A place is where the word curl stands.
type place struct {
	*block
	before   string // what stands before it on its line
	joined   string // the lines before, which a backslash joins to this one
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
	quoted              // between quotes, in an argument of a command that may run it
)

// first returns how many bytes of before are indentation and a prompt.
func (p *place) first() int {
	n := len(p.before) - len(strings.TrimLeft(p.before, " \t"))
	for range 2 { // shell> $ curl
		if strings.HasPrefix(p.line[n:], "//") { // a comment, with a prompt or without
			break
		}
		length := paste.PromptLength(p.line[n:])
		if length == 0 {
			length = p.prompt(p.before[n:])
		}
		n += min(length, len(p.before)-n)
	}
	return n
}

// prompt returns the length of a word that ends in the mark of a prompt, as in "root# "
// and "~ ", with the blanks after it: a prompt before what can only be a command. IPython
// also gives a variable what a command prints: "x = !".
func (p *place) prompt(text string) int {
	if name, ok := strings.CutSuffix(text, "!"); ok && convinces(p.argument) {
		if name, ok = strings.CutSuffix(strings.TrimRight(name, " "), "="); ok && isIdentifier(strings.TrimRight(name, " ")) {
			return len(text)
		}
	}
	if promptShell(text) != "" && convinces(p.argument) {
		return len(text)
	}
	marks := "#$%~>"
	word := firstWord(text)
	rest := text[len(word):]
	if p.shell && !p.plain && strings.TrimSpace(rest) != "$" {
		marks = "#$%~" // there > may send output to a file
	}
	if word == "" || rest == "" || strings.IndexByte(marks, word[len(word)-1]) < 0 || strings.Trim(word, "#>-=") == "" || commentLength(word) > 0 || strings.ContainsAny(word, "\"'`(=") || !convinces(p.argument) {
		return 0
	}
	return len(word) + blanks(rest)
}

// isIdentifier reports a name of a variable of Python.
func isIdentifier(name string) bool {
	for i := range len(name) {
		if c := name[i]; !ascii.IsLetter(c) && c != '_' && (i == 0 || !ascii.IsDigit(c)) {
			return false
		}
	}
	return name != ""
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
	case p.joined != "" && !prompted && strings.IndexByte("|;&", openCommand(rest).after) < 0:
		lines := p.joined + rest
		return p.onlyIf(p.inCommand(lines[paste.PromptLength(lines):]), p.shell || convinces(p.argument))
	case rest == "" && (p.shell && !p.plain || prompted):
		return p.onlyIf(first, !isSentence(p.argument))
	case rest == "":
		return p.onlyIf(first, convinces(p.argument) && !(p.prose && isProse(p.argument)))
	}
	if isUnit(rest) {
		return p.onlyIf(later, convinces(p.argument))
	}
	if n := commentLength(rest); n > 0 && (!p.shell || !strings.HasPrefix(rest, "--")) {
		return p.onlyIf(comment, opensComment(rest[n:]) && convinces(p.argument))
	}
	if marker := strings.TrimRight(rest, " \t"); paste.IsMarker(marker) && len(marker) < len(rest) {
		return p.onlyIf(first, convinces(p.argument) && !(p.prose && isProse(p.argument)))
	}
	if p.shell {
		return p.inCommand(rest)
	}
	trimmed := strings.TrimRight(rest, " \t")
	if !convinces(p.argument) || len(trimmed) == len(rest) && !strings.HasSuffix(rest, "$(") && !strings.HasSuffix(rest, "`") {
		return nowhere
	}
	if runsNext(trimmed) {
		return later
	}
	if !p.prose && isShellLine(rest) {
		return p.inCommand(rest)
	}
	if p.prose || strings.Count(trimmed, `"`)%2 != 0 {
		return nowhere // in a string of a program
	}
	return p.onlyIf(later, strings.IndexByte(":]>+$|;&", trimmed[len(trimmed)-1]) >= 0)
}

func (p *place) onlyIf(s standing, ok bool) standing {
	if !ok {
		return nowhere
	}
	return s
}

// isShellLine reports whether a line of any text begins as only commands of a shell do:
// with a variable that takes what a command prints, a loop, a container.
func isShellLine(line string) bool {
	word := strings.TrimPrefix(firstWord(line), "(")
	return paste.IsAssignment(word) && (strings.Contains(word, "=$(") || strings.Contains(word, "=`")) || word == "for" && strings.Contains(line, "; do ") ||
		paste.RunsElsewhere(word) && word != "ip" || (word == "bash" || word == "sh") && strings.Contains(line, " -c ")
}

// isUnit reports whether a line of a unit of systemd, or of a table of cron, runs the
// command that follows.
func isUnit(rest string) bool {
	if name, prefix, ok := strings.Cut(rest, "="); ok && strings.HasPrefix(name, "Exec") && strings.Trim(prefix, "-@:+!") == "" {
		return true
	}
	fields := strings.Fields(rest)
	if len(fields) == 6 {
		fields = fields[:5] // the sixth is the user
	}
	if len(fields) == 1 {
		return endsBlank(rest) && strings.HasPrefix(fields[0], "@") && len(fields[0]) > 4
	}
	if len(fields) != 5 || !endsBlank(rest) {
		return false
	}
	for _, field := range fields {
		if strings.Trim(field, "0123456789*/,-") != "" {
			return false
		}
	}
	return true
}

// opensComment reports whether a command may stand after the text of a comment:
// nothing, a label, or what opens a substitution or code.
func opensComment(text string) bool {
	text = strings.TrimRight(text, " \t")
	if strings.Trim(text, " \t$>!%") == "" {
		return true
	}
	return strings.IndexByte(":`", text[len(text)-1]) >= 0 || strings.HasSuffix(text, "$(")
}

// inCommand returns how curl stands after the text of a command.
func (p *place) inCommand(rest string) standing {
	c := openCommand(rest)
	words := joinQuoted(rest[c.start:])
	if c.nowhere || strings.TrimSpace(words) != "" && !(endsBlank(words) && (runsNext(words) || runsIn(words) && convinces(p.argument))) || isSentence(p.argument) {
		return nowhere
	}
	switch {
	case c.quote != 0:
		return quoted
	case c.ticked:
		return backquoted
	case c.after == '|':
		return piped
	}
	return later
}

// joinQuoted puts a letter for each blank between quotes, so that what they hold is one
// word.
func joinQuoted(words string) string {
	if !strings.ContainsAny(words, "'\"`") {
		return words
	}
	joined := []byte(words)
	quote := byte(0)
	for i, c := range joined {
		switch {
		case quote == 0 && strings.IndexByte("'\"`", c) >= 0:
			quote = c
		case c == quote:
			quote = 0
		case quote != 0 && ascii.IsBlank(c):
			joined[i] = '_'
		}
	}
	return string(joined)
}

func endsBlank(s string) bool { return s != "" && ascii.IsBlank(s[len(s)-1]) }

// runsIn reports whether words run the one after them elsewhere, or again, without a
// mark before it: docker exec name curl, ssh host curl, and run curl of bats.
func runsIn(words string) bool {
	fields := strings.Fields(words)
	switch fields[0] {
	case "run", "retry", "try":
		return true
	case "ssh":
		return len(fields) > 1
	}
	for i, word := range fields {
		switch {
		case paste.RunsElsewhere(word):
			return len(fields) > i+2 && (fields[i+1] == "exec" || fields[i+1] == "run" || fields[i+1] == "compose")
		case paste.WrapperOptions(word) == "" && !paste.IsAssignment(word) && !isKeyword(word):
			return false
		}
	}
	return false
}

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
	case "eval", "if", "elif", "while", "until", "then", "else", "do", "!", "time", "--", "+":
		return true
	}
	return false
}

// commentLength returns the length of the mark of a comment that a line starts
// with.
func commentLength(line string) int {
	for _, mark := range []string{"//", "/*", "*", "#", "--", ";;", "REM "} {
		if !strings.HasPrefix(line, mark) {
			continue
		}
		n := len(mark)
		for n < len(line) && line[n] == mark[len(mark)-1] {
			n++
		}
		if mark == "//" && n < len(line) && line[n] == '!' {
			n++ // of Rust
		}
		return n
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
	case c == '(':
		return false
	case c == '\\':
		return strings.TrimSpace(word) == `\`
	case c == '-':
		return len(word) > 1 && (ascii.IsLetter(word[1]) || word[1] == '-' && len(word) > 2 && ascii.IsLetter(word[2]))
	case c == '\'' || c == '"':
		return len(word) > 2 && (strings.Contains(word, "://") || strings.IndexByte("-$<{", word[1]) >= 0 || isHost(word[1:]))
	case c == '$':
		return len(word) > 1 && (ascii.IsNameByte(word[1]) || word[1] == '{')
	case c == '<':
		return isPlaceholder(word) && strings.Contains(word, ">")
	case strings.Contains(word, "://"):
		return true
	}
	return isHost(word) || namesMethod(argument, word)
}

// isPlaceholder reports a word that begins as a placeholder does, and not as a link.
func isPlaceholder(word string) bool {
	return placeholder.OpensAngle(word) && !strings.Contains(word, "://")
}

// namesMethod reports whether a word in capitals stands before a URL: the method, of which
// the -X is missing.
func namesMethod(argument, word string) bool {
	return isPlainWord(word) && strings.ToUpper(word) == word && strings.Contains(firstWord(strings.TrimLeft(argument[len(word):], " \t")), "://")
}

// isVersion reports a word that is a version of curl, as in "curl 8.22.0 was released",
// and not an address.
func isVersion(argument string) bool {
	word := strings.TrimRight(firstWord(argument), ".,;:)")
	word = strings.TrimPrefix(word, "v")
	if word == "" || !ascii.IsDigit(word[0]) || strings.HasPrefix(word, "127.") {
		return false
	}
	dots := strings.Count(word, ".")
	return dots >= 1 && dots <= 2 && strings.Trim(word, "0123456789._-abcdefrxy+") == ""
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
	return dot > 0 && !isFingerprint(word) && dot+1 < len(word) && (ascii.IsLetter(word[dot+1]) || ascii.IsDigit(word[dot+1]))
}

// listsNames reports whether a backslash joins a line of a plain word alone, or a comment,
// as lists of packages have them.
func listsNames(argument string) bool {
	_, below, _ := strings.Cut(argument, "\n")
	line := strings.TrimSpace(below[:ascii.LineLength(below)])
	return strings.HasPrefix(line, "#") || isPlainWord(strings.TrimSpace(strings.TrimSuffix(line, `\`)))
}

// isFingerprint reports the bytes of a digest, as files have them behind a name.
func isFingerprint(word string) bool {
	return strings.Count(word, ":") > 2 && strings.Trim(word, "0123456789abcdefABCDEF:") == ""
}

// isSentence reports whether what follows curl is a sentence about it, or further names
// in a list of packages.
func isSentence(argument string) bool {
	argument = strings.TrimLeft(argument, " \t")
	word := strings.TrimRight(firstWord(argument), ",.:")
	if word != "" && (isVersion(argument) || isFingerprint(word)) || word == `\` && listsNames(argument) {
		return true
	}
	switch word {
	case "", "is", "and", "or", "to", "the", "command", "commands", "request", "requests", "for", "with", "in", "can", "will", "as",
		"=", "==", "=>", "->", ">", "<", "|", "||", "&&", ")", "install", "wget", "git", "jq", "bash":
		return true
	}
	rest := argument[len(firstWord(argument)):]
	line := rest[:ascii.LineLength(rest)]
	return (isPlainWord(word) || strings.Trim(word, "0123456789") == "") && isPlainWord(firstWord(strings.TrimLeft(line, " \t")))
}

// isProse reports whether a sentence goes on behind the URL that follows curl: "curl
// http://localhost and see".
func isProse(argument string) bool {
	argument = strings.TrimLeft(argument, " \t")
	rest := argument[len(firstWord(argument)):]
	rest = rest[:ascii.LineLength(rest)]
	return argument != "" && argument[0] != '-' && isPlainWord(firstWord(strings.TrimLeft(rest, " \t")))
}

// isPlainWord reports a word of letters alone, as sentences and names of packages are.
func isPlainWord(word string) bool {
	word = strings.TrimRight(word, ",.:;")
	for i := range len(word) {
		if !ascii.IsLetter(word[i]) && (word[i] != '-' || i == 0) {
			return false
		}
	}
	return len(word) > 1
}

// hasURL reports whether one of the words is what a URL may be.
func hasURL(words string) bool {
	argument := false
	for word := range strings.FieldsSeq(joinQuoted(words)) {
		taken := argument
		option := curl.Expecting(word)
		argument = option != nil && option.ID != curl.OptUrl // what follows --url is the URL
		word = strings.Trim(word, "'\"")
		if word == "" || word[0] == '-' || taken && !strings.HasPrefix(word, "http") || holdsJSON(word) {
			continue
		}
		if strings.Contains(word, "://") && !strings.HasSuffix(word, "://…") && word[0] != '<' || word[0] == '$' || isHost(word) || isPlaceholder(word) {
			return true
		}
	}
	return false
}

// readsInput reports whether a command may read its standard input.
func readsInput(command string) bool {
	return strings.Contains(command, "@-") || strings.Contains(command, "-T") || strings.Contains(command, "-K")
}

// holdsJSON reports an argument that begins as objects and lists do: the URLs in it are
// not those of the command.
func holdsJSON(word string) bool {
	word = strings.TrimLeft(word, "'\"_")
	return strings.HasPrefix(word, "{") && strings.ContainsAny(word, "\"':") || strings.HasPrefix(word, "[{") || strings.HasPrefix(word, `["`)
}

// inBrackets reports whether the brackets of a name are open around a command, as logs
// write what they ran: Exec[cd x; curl h].
func inBrackets(before string) bool {
	i := strings.LastIndexByte(before, '[')
	return i > 0 && ascii.IsLetter(before[i-1]) && !strings.ContainsAny(before[i:], "]$'\"`")
}
