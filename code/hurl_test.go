package code_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/request"
)

// A hurlEntry is what a reader of hurl.dev/docs/grammar.html finds in a file,
// as far as the target writes it.
type hurlEntry struct {
	method, url string
	fields      []string // "Name: value"
	sections    map[string][]string
	body        string
	file        bool // the body is the name of a file
	asserts     bool
}

var (
	hurlRequestLine = regexp.MustCompile(`^([A-Z]+) (\S.*)$`)
	hurlKeyValue    = regexp.MustCompile(`^((?:[A-Za-z0-9_.\[\]@$-]|[^\x00-\x7f]|\{\{[A-Za-z][A-Za-z0-9_]*\}\}|\\u\{[0-9a-f]+\}|\\[\\nrt])+):(?: (.*))?$`)
	hurlFiles       = regexp.MustCompile(`^(output|cacert|cert|key)$`)
	hurlEscapes     = regexp.MustCompile(`\\(u\{[0-9a-f]+\}|.)`)
)

// unescapeHurl returns what a string stands for; it fails at what would begin a
// comment or a variable that the target does not write.
func unescapeHurl(s string) (string, error) {
	if strings.ContainsAny(hurlEscapes.ReplaceAllString(s, ""), "#\r\n\t") {
		return "", errors.New("an unescaped character in " + s)
	}
	return hurlEscapes.ReplaceAllStringFunc(s, func(e string) string {
		if e[1] == 'u' {
			n, _ := strconv.ParseUint(e[3:len(e)-1], 16, 32)
			return string(rune(n))
		}
		if i := strings.IndexByte("nrt", e[1]); i >= 0 {
			return string("\n\r\t"[i])
		}
		return e[1:]
	}), nil
}

// readHurl reads a file.
func readHurl(s string) (entries []hurlEntry, err error) {
	lines := strings.Split(s, "\n")
	unescaped := func(s string) string {
		out, e := unescapeHurl(s)
		err = errors.Join(err, e)
		return out
	}
	for i := 0; i < len(lines) && err == nil; i++ {
		if lines[i] == "" || strings.HasPrefix(lines[i], "#") {
			continue
		}
		m := hurlRequestLine.FindStringSubmatch(lines[i])
		if m == nil {
			return entries, errors.New("no request line: " + lines[i])
		}
		e := hurlEntry{method: m[1], url: unescaped(m[2]), sections: make(map[string][]string)}
		section := ""
	entry:
		for i++; i < len(lines); i++ {
			line := lines[i]
			switch {
			case line == "" || strings.HasPrefix(line, "#"):
				break entry
			case line == "HTTP *":
				if i+2 >= len(lines) || lines[i+1] != "[Asserts]" || lines[i+2] != "status < 400" {
					return entries, errors.New("no asserts")
				}
				e.asserts = true
				i += 2
				break entry
			case strings.HasPrefix(line, "```"):
				for i++; i < len(lines) && lines[i] != "```"; i++ {
					e.body += lines[i] + "\n"
				}
			case strings.HasPrefix(line, "`") && strings.HasSuffix(line, "`"):
				e.body = unescaped(line[1 : len(line)-1])
			case strings.HasPrefix(line, "base64,") && strings.HasSuffix(line, ";"):
				b, e2 := base64.StdEncoding.DecodeString(line[len("base64,") : len(line)-1])
				e.body, err = string(b), errors.Join(err, e2)
			case strings.HasPrefix(line, "file,") && strings.HasSuffix(line, ";"):
				e.body, e.file = unescaped(line[len("file,"):len(line)-1]), true
			case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && strings.Trim(line, "[]ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == "":
				section = line
			case hurlKeyValue.MatchString(line) && !strings.HasPrefix(line, "["):
				kv := hurlKeyValue.FindStringSubmatch(line)
				if section == "[Options]" && hurlFiles.MatchString(kv[1]) && strings.ContainsAny(hurlEscapes.ReplaceAllString(kv[2], ""), "{}; ") {
					return entries, errors.New("no name of a file: " + line)
				}
				one := unescaped(kv[1]) + ": " + unescaped(kv[2])
				if section == "" {
					e.fields = append(e.fields, one)
				} else {
					e.sections[section] = append(e.sections[section], one)
				}
			case strings.HasPrefix(line, "{") || strings.HasPrefix(line, "["):
				for ; i < len(lines) && lines[i] != "HTTP *" && !(lines[i] == "" && json.Valid([]byte(e.body))); i++ {
					e.body += lines[i] + "\n"
				}
				e.body = strings.TrimSuffix(e.body, "\n")
				i--
			default:
				return entries, errors.New("no line of the grammar: " + line)
			}
		}
		entries = append(entries, e)
	}
	return entries, err
}

// TestHurl reads the files for commands by the grammar, and compares them with
// the requests, also where Hurl is not installed.
func TestHurl(t *testing.T) {
	target, _ := code.Lookup("hurl")
	read := 0
	for _, command := range fileCommands(t) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			continue
		}
		file, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, KeepVariables: true})
		if diags.Err() != nil {
			continue
		}
		read++
		entries, err := readHurl(string(file))
		if err != nil || len(entries) != len(r.Requests) {
			t.Errorf("%s\n%s\n%d entries, %v", command, file, len(entries), err)
			continue
		}
		for i, e := range entries {
			want := target.Spelled(&r.Requests[i])
			asserts := slices.ContainsFunc(want.Options, func(o request.Option) bool { return slices.Contains([]string{"fail", "failWithBody", "retry"}, o.Name) })
			if e.method != want.Method || e.url != want.URL || e.asserts != asserts {
				t.Errorf("%s\n%s\nis read as %+v", command, file, e)
			}
			if want.Body != nil && want.Body.Kind.Known() && len(e.sections["[Form]"]) == 0 && e.body != want.Body.Data {
				t.Errorf("%s\n%s\nhas the content %q, want %q", command, file, e.body, want.Body.Data)
			}
			for _, f := range want.Fields {
				if line, _, ok := strings.Cut(f.Line, ":"); ok {
					f.Name = line // with blanks at its end
				}
				if f.From == "-H" && !strings.EqualFold(f.Name, "Content-Type") && !strings.EqualFold(f.Name, "Content-Length") &&
					!strings.Contains(strings.Join(e.fields, "\n")+"\n", f.Name+": "+f.Value+"\n") {
					t.Errorf("%s\n%s\nlacks %s: %s", command, file, f.Name, f.Value)
				}
			}
		}
	}
	t.Logf("%d files", read)
}
