package posix

import (
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
	"uncoil/request"
)

// A match is what grep -o prints of JSON text: a key and its value, up to the quote
// that ends the value. It is a From only between two commands of a pipe.
type match struct {
	request.Response
}

// filtered returns what a command makes of input that comes from a response: a value
// in its JSON content, where that is certain.
func (r *reader) filtered(args []string, origin *word.Origin) *word.Input {
	switch content := origin.From.(type) {
	case *request.Response:
		return r.picked(args, origin, content)
	case *dryText:
		if f := fieldOf(args); f != nil {
			return r.from(f, origin.Output)
		}
	case *headLine:
		return r.cutLine(args, origin, content)
	case *match:
		if isCut(args[0], args[1:]) {
			return r.from(&content.Response, origin.Output)
		}
	case *digest:
		return r.digested(args, origin, content)
	case *request.Encoded:
		if isTrim(args) {
			return &word.Input{From: origin}
		}
		if content.Base64 && !content.URLSafe {
			return r.forURLs(args, origin, &halfSafe{Encoded: *content})
		}
	case *halfSafe:
		return r.forURLs(args, origin, content)
	case *request.FileContent:
		switch {
		case content.Base64 && isTrim(args):
			return &word.Input{From: origin}
		case !content.Base64 && args[0] == "base64":
			if f := encodedFile(args[1:], &word.Input{File: content.Name}); f != nil {
				return r.from(f, nil)
			}
		}
	case *brokenFile:
		if isTrim(args) {
			return r.from(&content.FileContent, nil)
		}
	case *request.UUID:
		if isLower(args) {
			return &word.Input{From: origin}
		}
	}
	return &unknown
}

// picked returns what a command prints of the content of a response, or of a value in it.
func (r *reader) picked(args []string, origin *word.Origin, from *request.Response) *word.Input {
	if from.Header != "" {
		if trimsValue(args) {
			return &word.Input{From: origin}
		}
		return &unknown
	}
	if len(from.Path) == 0 {
		if f := fieldOf(args); f != nil {
			return r.from(f, origin.Output)
		}
		if takesCR(args) {
			return r.from(&dryText{}, origin.Output)
		}
	}
	var more []request.Step
	quoted, ok := false, false
	name, args := args[0], args[1:]
	switch name {
	case "cat":
		if len(args) == 0 {
			return &word.Input{From: origin}
		}
	case "jq":
		more, quoted, ok = jq(args)
	case "python3", "python":
		if len(args) == 2 && args[0] == "-c" {
			more, ok = printOfPython(args[1])
		}
	case "grep", "egrep":
		if key, found := grep(args); found && len(from.Path) == 0 {
			return r.from(&match{request.Response{Path: []request.Step{{Key: key}}}}, origin.Output)
		}
	case "sed":
		if key, found := sedPicks(args); found && len(from.Path) == 0 {
			return r.from(&request.Response{Path: []request.Step{{Key: key}}}, origin.Output)
		}
		fallthrough
	case "tr":
		if from.Quoted && dropsQuotes(name, args) {
			return r.from(&request.Response{Path: from.Path}, origin.Output)
		}
	}
	// Of a value without its quotes it is not known whether it is JSON.
	if !ok || len(more) == 0 || len(from.Path) > 0 && !from.Quoted || !r.hold(2*stepSize*(len(from.Path)+len(more))) {
		return &unknown
	}
	path := append(from.Path[:len(from.Path):len(from.Path)], more...)
	return r.from(&request.Response{Path: path, Quoted: quoted}, origin.Output)
}

// jq returns the steps of a filter of jq that is a path, as jq 1.7 reads it. The value
// is quoted without -r. What shapes objects only, or the status, has no bearing.
func jq(args []string) (path []request.Step, quoted, ok bool) {
	quoted = true
	filter := ""
	for _, a := range args {
		switch {
		case a == "--raw-output" || a == "--join-output":
			quoted = false
		case a == "--exit-status" || a == "--compact-output" || a == "--monochrome-output":
		case len(a) > 1 && a[0] == '-' && strings.Trim(a[1:], "rejcM") == "":
			quoted = quoted && !strings.ContainsAny(a, "rj")
		case filter == "" && a != "" && a[0] == '.':
			filter = a
		default:
			return nil, false, false
		}
	}
	// Of null it makes nothing in place of "null".
	if before, found := strings.CutSuffix(strings.TrimRight(filter, " \t\n"), "empty"); found {
		filter, found = strings.CutSuffix(strings.TrimRight(before, " \t\n"), "//")
		if !found {
			return nil, false, false
		}
		filter = strings.TrimRight(filter, " \t\n")
	}
	for filter != "" {
		filter = strings.Trim(filter, " \t\n")
		if filter == "" || filter[0] != '.' {
			return nil, false, false
		}
		var steps []request.Step
		if steps, filter, ok = jqPath(filter); !ok {
			return nil, false, false
		}
		path = append(path, steps...)
		if filter == "" {
			break
		}
		if filter = strings.TrimLeft(filter, " \t\n"); filter == "" || filter[0] != '|' || len(filter) == 1 {
			return nil, false, false
		}
		filter = filter[1:]
	}
	return path, quoted, len(path) > 0
}

// jqPath reads .a, .a.b, .[0], ."a b", .["a"] and what they make together.
func jqPath(s string) (path []request.Step, rest string, ok bool) {
	for s != "" {
		switch {
		case s[0] == '.' && len(s) > 1 && s[1] == '"':
			key, rest, ok := plainString(s[1:])
			if !ok {
				return nil, "", false
			}
			path, s = append(path, request.Step{Key: key}), rest
		case s[0] == '.' && len(s) > 1 && s[1] == '[':
			s = s[1:]
		case s[0] == '.':
			n := ascii.NameLength(s[1:])
			if n == 0 {
				return nil, "", false
			}
			path, s = append(path, request.Step{Key: s[1 : 1+n]}), s[1+n:]
		case s[0] == '[':
			step, rest, ok := subscript(s)
			if !ok {
				return nil, "", false
			}
			path, s = append(path, step), rest
		default:
			return path, s, len(path) > 0
		}
	}
	return path, "", true
}

// subscript reads [0], ["a"] or ['a'], which stands at the start of s.
func subscript(s string) (step request.Step, rest string, ok bool) {
	s = strings.TrimLeft(s[1:], " ")
	if s == "" {
		return step, "", false
	}
	if s[0] == '"' || s[0] == '\'' {
		if step.Key, s, ok = plainString(s); !ok {
			return step, "", false
		}
	} else {
		n := 0
		for n < len(s) && ascii.IsDigit(s[n]) {
			n++
		}
		i, err := strconv.ParseInt(s[:n], 10, 32)
		if err != nil || n > 1 && s[0] == '0' {
			return step, "", false
		}
		step.Index, step.IsIndex, s = int(i), true, s[n:]
	}
	s = strings.TrimLeft(s, " ")
	if s == "" || s[0] != ']' {
		return step, "", false
	}
	return step, s[1:], true
}

// plainString reads a string in quotes that has no escapes and no line breaks.
func plainString(s string) (text, rest string, ok bool) {
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 || strings.ContainsAny(s[1:1+end], "\\\n\r") {
		return "", "", false
	}
	return s[1 : 1+end], s[2+end:], true
}

// printOfPython returns the steps of import sys, json; print(json.load(sys.stdin)['a']).
func printOfPython(code string) (path []request.Step, ok bool) {
	for _, part := range [...]string{"import", "", ";", "print", "(", "json", ".", "load", "(", "sys", ".", "stdin", ")"} {
		code = strings.TrimLeft(code, " \t\n")
		if part == "" {
			modules, rest, found := strings.Cut(code, ";")
			switch strings.ReplaceAll(modules, " ", "") {
			case "sys,json", "json,sys":
			default:
				return nil, false
			}
			if !found {
				return nil, false
			}
			code = ";" + rest
			continue
		}
		if code, ok = strings.CutPrefix(code, part); !ok {
			return nil, false
		}
	}
	for strings.HasPrefix(code, "[") {
		var step request.Step
		if step, code, ok = subscript(code); !ok {
			return nil, false
		}
		path = append(path, step)
	}
	return path, len(path) > 0 && strings.TrimRight(code, " ;\n") == ")"
}

// grep returns the key of grep -o '"key":"[^"]*', with which it prints the key and the
// value of each member of that name. Another quote may follow.
func grep(args []string) (key string, ok bool) {
	if len(args) == 3 && args[0] == "-o" && args[1] == "-E" || len(args) == 3 && args[0] == "-E" && args[1] == "-o" {
		args = args[1:]
	}
	if len(args) != 2 || args[0] != "-o" && args[0] != "-oE" && args[0] != "-Eo" && args[0] != "-oP" {
		return "", false
	}
	key, rest, ok := memberPattern(args[1])
	return key, ok && (rest == `"[^"]*` || rest == `"[^"]*"`)
}

// sedPicks returns the key of sed -n 's/.*"key":"\([^"]*\)".*/\1/p', with which it prints
// the value of the last member of that name on a line.
func sedPicks(args []string) (key string, ok bool) {
	open, shut := `\(`, `\)`
	switch {
	case len(args) == 2 && args[0] == "-n":
	case len(args) == 2 && (args[0] == "-nE" || args[0] == "-En" || args[0] == "-nr" || args[0] == "-rn"):
		open, shut = "(", ")"
	default:
		return "", false
	}
	pattern, ok := strings.CutPrefix(args[1], "s/.*")
	if !ok {
		return "", false
	}
	key, rest, ok := memberPattern(pattern)
	return key, ok && rest == `"`+open+`[^"]*`+shut+`".*/\1/p`
}

// memberPattern cuts the begin of a pattern for a member of a JSON object: the key in
// quotes, the colon, and blanks.
func memberPattern(s string) (key, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	key, rest, ok = strings.Cut(s[1:], `"`)
	if !ok || key == "" {
		return "", "", false
	}
	for i := range len(key) {
		if c := key[i]; !ascii.IsNameByte(c) && c != '-' {
			return "", "", false
		}
	}
	if rest, ok = strings.CutPrefix(rest, ":"); !ok {
		return "", "", false
	}
	for _, blanks := range [...]string{" *", `\s*`, " "} {
		rest = strings.TrimPrefix(rest, blanks)
	}
	return key, rest, true
}

// isCut reports cut -d'"' -f4, which prints the value of a match.
func isCut(name string, args []string) bool {
	if name != "cut" {
		return false
	}
	switch strings.Join(args, " ") {
	case `-d" -f4`, `-d " -f4`, `-d" -f 4`, `-d " -f 4`, `-f4 -d"`, `-f 4 -d "`:
		return true
	}
	return false
}

// dropsQuotes reports tr -d '"' and sed 's/"//g'.
func dropsQuotes(name string, args []string) bool {
	switch strings.Join(args, " ") {
	case `-d "`, `-d \"`, `-d "\n`, `-d \n"`:
		return name == "tr"
	case `s/"//g`, `s/\"//g`, `-e s/"//g`:
		return name == "sed"
	}
	return false
}

// isLower reports tr with which letters become small.
func isLower(args []string) bool {
	switch strings.Join(args, " ") {
	case "tr A-Z a-z", "tr [:upper:] [:lower:]", "tr [A-Z] [a-z]":
		return true
	}
	return false
}
