package code_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

// TestPowerShellAgain reads programs for PowerShell with the project's own
// reader of Invoke-WebRequest: they have the request that they were written for.
func TestPowerShellAgain(t *testing.T) {
	for _, name := range []string{"powershell", "powershell-restmethod"} {
		t.Run(name, func(t *testing.T) { readPowerShellAgain(t, name) })
	}
}

func readPowerShellAgain(t *testing.T, name string) {
	t.Helper()
	var commands []string
	for _, f := range commandFiles(t) {
		commands = append(commands, string(f.Data))
	}
	for _, c := range corpus.Read(t, corpus.Commands) {
		if c.Shell == "" && c.Clean == "" {
			commands = append(commands, c.Command)
		}
	}
	target, _ := code.Lookup(name)
	compared := 0
	for _, command := range commands {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil || len(r.Requests) == 0 || strings.HasPrefix(r.Requests[0].URL, "ws") || slices.ContainsFunc(r.Requests, func(q request.Request) bool { return takesFrom(&q) }) {
			continue
		}
		if r, err = engine.Parse(command, engine.Input{Env: values(r)}); err != nil || len(values(r)) > 0 {
			continue // the text gives a variable a value that is not known
		}
		program, diags := target.Compose(nil, r.Requests, exactly)
		counted := slices.ContainsFunc(r.Warnings, func(d diag.Diagnostic) bool { return d.Code == diag.WarnContentLength })
		if diags.Err() != nil || counted || strings.Contains(command, "--digest") || strings.Contains(command, "--crlf") || !powerShellReadable(string(program)) {
			continue
		}
		if strings.Contains(command, "encoder=quoted-printable") {
			continue // which curl sends in chunks, because it does not count what it encodes
		}
		again, err := engine.Parse(string(program), engine.Input{Shell: "powershell"})
		if err != nil {
			t.Errorf("%s: %v\n%s", command, err, program)
			continue
		}
		if len(again.Requests) != len(r.Requests) {
			t.Errorf("%s: %d requests, want %d\n%s", command, len(again.Requests), len(r.Requests), program)
			continue
		}
		compared++
		for i := range r.Requests {
			if want, got := wire(t, target.Spelled(&r.Requests[i])), wire(t, &again.Requests[i]); want != got {
				t.Errorf("%s\n%s\nwant %s\ngot  %s", command, program, want, got)
			}
		}
	}
	if compared < 200 {
		t.Errorf("%d programs were compared", compared)
	}
}

// powerShellReadable reports whether a program has nothing that the reader does
// not evaluate.
func powerShellReadable(program string) bool {
	for _, s := range []string{"[Net.Http", "[byte[]]", "[Convert]", "[Console]", "[uri]", "-replace", "::Create", "TransferEncoding", "[securestring]"} {
		if strings.Contains(program, s) {
			return false
		}
	}
	return true
}

// wire returns a request with its fields in the order of the alphabet, those of
// one name joined, and without what each client decides for itself.
func wire(t *testing.T, r *request.Request) string {
	boundary := "uncoil"
	if r.Body != nil && slices.ContainsFunc(r.Body.Parts, func(p request.Part) bool { return p.Nested }) {
		boundary = "uncoil-0"
	}
	message, err := r.AppendMessage(nil, request.Source{Boundary: boundary, ReadFile: func(name string) ([]byte, error) { return []byte("<" + name + ">"), nil }})
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(message), "\r\n\r\n")
	lines := strings.Split(head, "\r\n")
	fields := make(map[string]string)
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		name, value = strings.ToLower(name), strings.TrimSpace(value)
		switch before := fields[name]; {
		case before == "":
			fields[name] = value
		case name == "cookie":
			fields[name] += "; " + value
		default:
			fields[name] += ", " + value
		}
	}
	for _, name := range []string{"accept", "accept-encoding"} {
		delete(fields, name)
	}
	out := r.URL + "\n" + lines[0] + "\n"
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		out += name + ": " + fields[name] + "\n"
	}
	return out + "\n" + body
}

// TestPowerShellBlocks reads JSON back from here-strings: each is the value of the command.
func TestPowerShellBlocks(t *testing.T) {
	for _, name := range []string{"powershell", "powershell-restmethod"} {
		target, _ := code.Lookup(name)
		for _, body := range []string{
			`{"a": "$x ` + "`n" + ` \"q\" “q” ‘q’", "b": [1, 2.50, {"c": null}], "long": "` + strings.Repeat("word ", 20) + `"}`,
			"{\n  \"a\":\n\"@b\",\n\"c\": \"'@\", \"long\": \"" + strings.Repeat("word ", 20) + "\"\n}",
			"[\n  \"`$(Get-Date)\",\n\t\"${env:PATH}\", \"" + strings.Repeat("word ", 20) + "\"\n]",
		} {
			command := "curl h.test -H 'Content-Type: application/json' -d " + string(quote.AppendWord(nil, body, quote.POSIX))
			program, diags := compose(t, target, command, code.StyleIdiomatic)
			again, err := engine.Parse(program, engine.Input{Shell: "powershell"})
			if err != nil || diags.Err() != nil || len(again.Requests) != 1 || again.Requests[0].Body == nil {
				t.Errorf("%s: %v, %v\n%s", command, err, diags, program)
				continue
			}
			var want, got bytes.Buffer
			if json.Compact(&want, []byte(body)) != nil || json.Compact(&got, []byte(again.Requests[0].Body.Data)) != nil || want.String() != got.String() {
				t.Errorf("%s: got %s\n%s", command, again.Requests[0].Body.Data, program)
			}
			if !strings.Contains(program, "@'\n") {
				t.Errorf("%s has no here-string\n%s", command, program)
			}
		}
	}
}
