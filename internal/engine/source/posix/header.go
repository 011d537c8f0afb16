package posix

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// A headLine is a line of the head of a response: the name of a field, a colon and its
// value. It is a From only between two commands of a pipe.
type headLine struct {
	request.Response
	padded bool // the name is gone, and what stands before the value is not
}

// A dryText is all that curl prints, without any CR. It is a From only between two commands of
// a pipe.
type dryText struct{ request.Response }

// A line of a head ends in CR LF. Scripts that keep the CR work with no server, so all that
// is said here is of the value without it.

// fieldOf returns what a command picks of the head of a response: a line of it, or the value
// of a field. It is nil for another command.
func fieldOf(args []string) request.From {
	switch name, args := args[0], args[1:]; name {
	case "grep", "egrep", "fgrep":
		return grepField(args)
	case "awk", "gawk":
		return awkField(args)
	case "sed":
		return sedField(args)
	}
	return nil
}

// cutLine returns what a command makes of a line of a head.
func (r *reader) cutLine(args []string, origin *word.Origin, line *headLine) *word.Input {
	if trimsValue(args) {
		switch {
		case !line.padded:
			return &word.Input{From: origin}
		case trimsBlanks(args):
			return r.from(&line.Response, origin.Output)
		}
		return &unknown
	}
	if line.padded {
		return &unknown
	}
	if f := valueOf(args, line.Header); f != nil {
		return r.from(f, origin.Output)
	}
	return &unknown
}

// valueOf returns what a command prints of the line of a field, or nil.
func valueOf(args []string, header string) request.From {
	whole := &request.Response{Header: header}
	name, command := args[0], strings.Join(args[1:], " ")
	switch name {
	case "cut":
		switch {
		case isCutAtBlanks(command, "2"):
			return wordOf(header, 1)
		case isCutAtBlanks(command, "3"):
			return wordOf(header, 2)
		case isCutAtBlanks(command, "2-"):
			return whole
		}
		switch strings.Replace(command, "-d :", "-d:", 1) {
		case "-d: -f2", "-d: -f 2", "-f2 -d:", "-f 2 -d:":
			if !holdsColons(header) {
				return &headLine{*whole, true}
			}
		case "-d: -f2-", "-d: -f 2-", "-f2- -d:", "-f 2- -d:":
			return &headLine{*whole, true}
		}
	case "awk", "gawk":
		return awkValue(args[1:], header)
	case "sed":
		if len(args) == 2 && dropsName(args[1], header) {
			return whole
		}
	}
	return nil
}

// wordOf returns a word of the value of a field: all of it where no value of that has a blank.
func wordOf(header string, n int) request.From {
	if n == 1 && slices.ContainsFunc(oneWord, func(name string) bool { return ascii.EqualFold(name, header) }) {
		n = 0
	}
	return &request.Response{Header: header, Word: n}
}

// oneWord are fields whose value has no blank.
var oneWord = []string{"Location", "Content-Location", "ETag", "Content-Length", "Mcp-Session-Id", "X-Subject-Token", "Operation-Location", "X-Request-Id"}

// holdsColons reports a field whose value has a colon, most often, at which cut would end it.
func holdsColons(header string) bool {
	switch strings.ToLower(header) {
	case "location", "content-location", "operation-location", "link", "date", "last-modified", "expires", "etag":
		return true
	}
	return false
}

// plainNames are fields of one word, which text names without doubt. Any other word may be a
// part of a longer name.
var plainNames = []string{"location", "etag", "link", "authorization", "date", "server", "age", "allow", "expires", "vary", "via"}

// longestPattern is how many bytes a pattern or a program has at most that is read here.
const longestPattern = 300

// fieldName returns the name of a field that a pattern finds at the begin of a line, and
// what follows the colon in it. Without a colon and ^ the name must be one that is surely
// whole. Of Set-Cookie a response has several.
func fieldName(pattern string) (name, after string, ok bool) {
	if len(pattern) > longestPattern {
		return "", "", false
	}
	pattern = strings.TrimPrefix(pattern, "(?i)")
	pattern, anchored := strings.CutPrefix(pattern, "^")
	pattern = oneCase(pattern)
	n := 0
	for n < len(pattern) && (ascii.IsNameByte(pattern[n]) || pattern[n] == '-') {
		n++
	}
	name, after = pattern[:n], pattern[n:]
	after, colon := strings.CutPrefix(after, ":")
	if name == "" || !ascii.IsLetter(name[0]) || !colon && after != "" || strings.HasSuffix(name, "-") || ascii.EqualFold(name, "set-cookie") {
		return "", "", false
	}
	known := strings.IndexByte(name, '-') > 0 || slices.ContainsFunc(plainNames, func(one string) bool { return ascii.EqualFold(one, name) })
	return name, after, known || anchored && colon
}

// oneCase writes [Ll]ocation as location.
func oneCase(pattern string) string {
	for {
		i := strings.IndexByte(pattern, '[')
		if i < 0 || i+4 > len(pattern) || pattern[i+3] != ']' || pattern[i+1] == pattern[i+2] || !ascii.EqualFold(pattern[i+1:i+2], pattern[i+2:i+3]) {
			return pattern
		}
		pattern = pattern[:i] + pattern[i+2:i+3] + pattern[i+4:]
	}
}

// isBlanks reports a pattern of blanks, which stand before the value of a field.
func isBlanks(pattern string) bool {
	switch pattern {
	case "", " ", " *", " +", `\s*`, `\s+`, `\s`, "[ ]*", "[[:space:]]*", "[[:blank:]]*", ".*", " .*":
		return true
	}
	return false
}

// grepField reads the arguments of grep: the line of a field, or with -oP and \K its value.
func grepField(args []string) request.From {
	pattern, only, given := "", false, false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--ignore-case", a == "--max-count=1":
		case a == "-m" && i+1 < len(args) && args[i+1] == "1", a == "-e" && i+1 < len(args) && !given:
			if i++; a == "-e" {
				pattern, given = args[i], true
			}
		case len(a) > 1 && a[0] == '-' && strings.Trim(strings.TrimSuffix(a[1:], "m1"), "aiFEPo") == "":
			only = only || strings.Contains(a, "o")
		case !given && a != "" && a[0] != '-':
			pattern, given = a, true
		default:
			return nil
		}
	}
	if !only {
		if name, after, ok := fieldName(pattern); ok && isBlanks(after) {
			return &headLine{Response: request.Response{Header: name}}
		}
		return nil
	}
	pattern, value, found := strings.Cut(pattern, `\K`)
	name, after, ok := fieldName(pattern)
	if !found || !ok || after == "" && strings.IndexByte(pattern, ':') < 0 || strings.HasSuffix(after, ".*") || !isBlanks(after) {
		return nil
	}
	switch value {
	case ".*", ".+", `[^\r]*`, `[^\r]+`, `[^\r\n]*`, `[^\r\n]+`:
		return &request.Response{Header: name}
	case `\S*`, `\S+`, `[^ ]*`, `[^ ]+`, `[^\s]*`, `[^\s]+`:
		return wordOf(name, 1)
	}
	return nil
}

// sedField reads the arguments of sed -n with which it prints the value of a field.
func sedField(args []string) request.From {
	if len(args) != 2 || args[0] == "" || args[0][0] != '-' || !strings.Contains(args[0], "n") || strings.Trim(args[0][1:], "nErs") != "" {
		return nil
	}
	pattern, with, flags, ok := substituted(args[1])
	if !ok || !strings.Contains(flags, "p") {
		return nil
	}
	pattern = strings.TrimPrefix(pattern, ".*")
	name, after, ok := fieldName(pattern)
	if !ok || !strings.Contains(pattern, ":") {
		return nil
	}
	if with == "" {
		if isBlanks(after) && !strings.Contains(after, ".") {
			return &request.Response{Header: name}
		}
		return nil
	}
	blanks, group, found := strings.Cut(strings.NewReplacer(`\(`, "(", `\)`, ")").Replace(after), "(")
	group, rest, ends := strings.Cut(group, ")")
	if with != `\1` || !found || !ends || !isBlanks(blanks) || strings.Contains(blanks, ".") {
		return nil
	}
	switch strings.TrimSuffix(rest, "$") {
	case "", `\r`, `\r*`, `\r\?`, `\r?`, ".*":
	default:
		return nil
	}
	switch group {
	case ".*", ".+", `[^\r]*`, `[^\r]+`, `[^\r\n]*`:
		return &request.Response{Header: name}
	case `[^ ]*`, `[^ ]+`, `\S*`, `\S+`, `[^[:space:]]*`, `[^[:space:]]+`:
		return wordOf(name, 1)
	}
	return nil
}

// substituted cuts s/pattern/with/flags into its parts.
func substituted(script string) (pattern, with, flags string, ok bool) {
	if len(script) < 4 || len(script) > longestPattern || script[0] != 's' || strings.IndexByte("/|#,@!", script[1]) < 0 {
		return "", "", "", false
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || strings.HasSuffix(parts[0], `\`) || strings.Trim(parts[2], "pIig") != "" {
		return "", "", "", false
	}
	return parts[0], parts[1], parts[2], true
}

// dropsName reports a script of sed that takes the name of a field from its line.
func dropsName(script, header string) bool {
	pattern, with, _, ok := substituted(script)
	if !ok || with != "" {
		return false
	}
	switch pattern = strings.TrimPrefix(pattern, "^"); pattern {
	case "[^:]*: ", "[^:]*: *", `[^:]*:\s*`, "[^ ]* ":
		return true
	case ".*: ", `.*:\s`: // up to the last of these
		return !holdsColons(header) || ascii.EqualFold(header, "location")
	}
	name, after, ok := fieldName("^" + pattern)
	return ok && ascii.EqualFold(name, header) && isBlanks(after) && !strings.Contains(after, ".")
}

// awkField reads the arguments of awk with which it prints the value of a field of a head.
func awkField(args []string) request.From {
	separator, program, ok := awkProgram(args)
	if !ok {
		return nil
	}
	condition, action, found := strings.Cut(program, "{")
	pattern := ""
	switch {
	case !found:
		return nil
	case strings.HasPrefix(condition, "tolower($1)==") || strings.HasPrefix(condition, "$1=="):
		_, literal, _ := strings.Cut(condition, "==")
		if len(literal) < 3 || literal[0] != '"' || !strings.HasSuffix(literal, `"`) || separator == " " != strings.HasSuffix(literal, `:"`) {
			return nil
		}
		pattern = "^" + strings.TrimSuffix(literal[1:len(literal)-1], ":") + ":"
	default:
		for _, before := range [...]string{"tolower($0)~", "tolower($1)~", "$0~", "$1~"} {
			condition = strings.TrimPrefix(condition, before)
		}
		if len(condition) < 3 || condition[0] != '/' || !strings.HasSuffix(condition, "/") {
			return nil
		}
		pattern = condition[1 : len(condition)-1]
	}
	name, after, ok := fieldName(pattern)
	if !ok || !isBlanks(after) {
		return nil
	}
	return awkPrints(separator, action, name)
}

// awkValue reads the arguments of awk with which it prints the value of a field of its line.
func awkValue(args []string, header string) request.From {
	separator, program, ok := awkProgram(args)
	action, found := strings.CutPrefix(program, "{")
	if !ok || !found {
		return nil
	}
	return awkPrints(separator, action, header)
}

// awkProgram returns what parts the fields of awk, and its program without blanks.
func awkProgram(args []string) (separator, program string, ok bool) {
	separator = " "
	for len(args) > 1 {
		switch a := args[0]; {
		case (a == "-v" || a == "-F") && len(args) > 2:
			if a == "-F" {
				separator = args[1]
			} else if args[1] != "IGNORECASE=1" {
				return "", "", false
			}
			args = args[2:]
		case a == "-vIGNORECASE=1":
			args = args[1:]
		case strings.HasPrefix(a, "-F"):
			separator, args = a[2:], args[1:]
		default:
			return "", "", false
		}
	}
	if len(args) == 0 || len(args[0]) > longestPattern {
		return "", "", false
	}
	program = strings.Join(strings.Fields(args[0]), "")
	begin, rest, found := strings.Cut(program, "}")
	switch {
	case !found:
		return "", "", false
	case begin == "BEGIN{IGNORECASE=1":
		program = strings.TrimPrefix(rest, ";")
	case begin == `BEGIN{FS=":"`:
		separator, program = ": ", rest
	}
	switch separator { // what else it is may be a pattern
	case " ", ": ", ":", `:\s*`, ": *", "[: ]+", `:[[:space:]]*`:
		return separator, program, true
	}
	return "", "", false
}

// awkPrints returns what an action of awk prints of the line of a field.
func awkPrints(separator, action, header string) request.From {
	action, ok := strings.CutSuffix(action, "}")
	printed := ""
	for statement := range strings.SplitSeq(strings.TrimSuffix(action, ";"), ";") {
		switch statement {
		case `gsub(/\r/,"")`, `gsub(/\r/,"",$2)`, `gsub("\r","")`, `gsub("\r","",$2)`, `sub(/\r/,"")`, `sub(/\r$/,"")`, `sub(/\r$/,"",$2)`, `sub(/\r/,"",$2)`, `sub("\r","",$2)`, `sub("\r","")`, `gsub(/[\r\n]/,"")`, `gsub(/[\r\n]/,"",$2)`, `gsub(/\r|\n/,"")`:
			ok = ok && printed == ""
		case "print$2", "print$3", `printf"%s",$2`, `printf("%s",$2)`, "printf$2":
			ok = ok && printed == ""
			printed = statement
		case "exit":
			ok = ok && printed != ""
		default:
			return nil
		}
	}
	switch {
	case !ok || printed == "":
		return nil
	case separator == " " && printed == "print$3":
		return wordOf(header, 2)
	case separator == " ":
		return wordOf(header, 1)
	case printed == "print$3" || separator != ": " && holdsColons(header):
		return nil
	case separator == ":":
		return &headLine{request.Response{Header: header}, true}
	case separator == "[: ]+":
		return wordOf(header, 1)
	}
	return &request.Response{Header: header}
}

// trimsValue reports a command that takes the line break from a line, or blanks around it.
func trimsValue(args []string) bool {
	switch strings.Join(args, " ") {
	case "tr -d [:cntrl:]", "tr -dc [:print:]", "sed s/[[:space:]]*$//",
		"head -1", "head -n1", "head -n 1", "tail -1", "tail -n1", "tail -n 1":
		return true
	}
	return takesCR(args) || isTrim(args) || trimsBlanks(args)
}

// takesCR reports a command that takes each CR away.
func takesCR(args []string) bool {
	switch strings.Join(args, " ") {
	case `tr -d \r`, "tr -d \r", `tr -d \015`, `sed s/\r//`, `sed s/\r$//`, `sed s/\r//g`, `sed -e s/\r$//`, "dos2unix":
		return true
	}
	return false
}

// trimsBlanks reports a command that takes the blanks around one word.
func trimsBlanks(args []string) bool {
	switch strings.Join(args, " ") {
	case "xargs", `tr -d  \r`, `tr -d \r `, `tr -d  \r\n`, `tr -d \r\n `, `tr -d \n\r `, "tr -d [:space:]", "tr -d [[:space:]]", "tr -d [:blank:]", `tr -d  \n\r`:
		return true
	}
	return false
}
