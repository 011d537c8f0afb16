package code_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// An httpFileEntry is a request of an .http file, by the grammar of the HTTP
// Request in Editor Specification.
type httpFileEntry struct {
	method, url, body string
	isForm            bool // with parts
	fields            []string
}

func readHTTPFile(s string) (entries []httpFileEntry, err error) {
	for section := range strings.SplitSeq("\n"+s, "\n###\n") {
		lines := strings.Split(strings.TrimSuffix(section, "\n"), "\n")
		for len(lines) > 0 && (lines[0] == "" || strings.HasPrefix(lines[0], "#") || strings.HasPrefix(lines[0], "@")) {
			lines = lines[1:]
		}
		if len(lines) == 0 {
			continue // variables only
		}
		var e httpFileEntry
		var ok bool
		if e.method, e.url, ok = strings.Cut(lines[0], " "); !ok || strings.Contains(e.url, " ") && !strings.HasSuffix(e.url, " HTTP/2") {
			return nil, errors.New("no request line: " + lines[0])
		}
		for i, line := range lines[1:] {
			if line == "" {
				e.body = strings.Trim(strings.Join(lines[i+2:], "\n"), "\n")
				e.isForm = slices.ContainsFunc(e.fields, func(f string) bool { return strings.HasPrefix(strings.ToLower(f), "content-type: multipart/") })
				if e.isForm {
					e.body = strings.ReplaceAll(e.body, "\n", "\r\n") + "\r\n" // each line of a form
				}
				break
			}
			if name, _, ok := strings.Cut(line, ": "); !ok || strings.ContainsAny(name, " \t") {
				return nil, errors.New("no field: " + line)
			}
			e.fields = append(e.fields, line)
		}
		entries = append(entries, e)
	}
	return entries, err
}

// TestHTTPFile reads the files for commands, and compares them with the
// requests.
func TestHTTPFile(t *testing.T) {
	target, _ := code.Lookup("http")
	for _, command := range fileCommands(t) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			continue
		}
		file, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, KeepVariables: true})
		if diags.Err() != nil {
			continue
		}
		entries, err := readHTTPFile(string(file))
		if err != nil || len(entries) != len(r.Requests) {
			t.Errorf("%s\n%s\n%d entries, %v", command, file, len(entries), err)
			continue
		}
		for i, e := range entries {
			want := target.Spelled(&r.Requests[i])
			if e.method != want.Method || strings.TrimSuffix(e.url, " HTTP/2") != want.URL {
				t.Errorf("%s\n%s\nis read as %+v", command, file, e)
			}
			if strings.Contains(string(file), "{\\u007b") {
				continue // JSON that is escaped
			}
			sent := ""
			switch {
			case want.Body != nil && !want.Body.Kind.Known():
				continue
			case want.Body != nil && e.isForm:
				sent = want.Body.Data
			case want.Body != nil:
				sent = strings.Trim(want.Body.Data, "\n")
			}
			if e.body != sent {
				t.Errorf("%s\n%s\nhas the content %q", command, file, e.body)
			}
		}
	}
}

// TestHTTPFileRefuses holds that no text of a request is read as the syntax of
// the format.
func TestHTTPFileRefuses(t *testing.T) {
	target, _ := code.Lookup("http")
	for _, command := range []string{
		`curl 'http://h.test/{{x}}' -g`,
		`curl http://h.test/ -H 'A: {{x}}'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' -d 'a {{x}} b'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\n###\nb'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\n# @no-redirect\nb'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\n//b\nc'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\n@b = c\nd'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\n< b\nc'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\nGET http://h.test/'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\n'`,
		`curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'a\r\nb'`,
		`curl http://h.test/ -H 'Content-Type: multipart/mixed; boundary=b' --data-binary $'--b\r\n\r\na\r\n--b--'`,
		`curl http://h.test/ -H 'Content-Type: multipart/mixed; boundary=b' --data-binary $'--b\r\n\r\na\nb\r\n--b--\r\n'`,
		`curl http://h.test/ -H 'Content-Type: multipart/mixed; boundary=b' --data-binary $'--b\r\n\r\n# a\r\n--b--\r\n'`,
		`curl http://h.test/ -d '{"a":1}'`,
		`curl http://h.test/ -H 'Authorization: Basic a b'`,
		`curl http://h.test/ -X purge`,
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(command, err)
		}
		if file, diags := target.Compose(nil, r.Requests, exactly); diags.Err() == nil {
			t.Errorf("%s is written as\n%s", command, file)
		}
	}
	r, err := engine.Parse(`curl http://h.test/ --json '{"a":"{{x}}"}'`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if file, _ := target.Compose(nil, r.Requests, exactly); !strings.Contains(string(file), `{"a":"{\u007bx}}"}`) {
		t.Errorf("JSON is not escaped:\n%s", file)
	}
}
