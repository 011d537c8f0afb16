package code_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/proof/codeproof"
)

// TestPipedOutput runs programs whose command has a pipe to a program that reads bytes, before a
// server whose content is no text, beside curl: they write the same bytes to standard output.
func TestPipedOutput(t *testing.T) {
	parallel(t)
	var content []byte
	for i := range 70_000 { // more than one buffer, without a line break at its end
		content = append(content, byte(i*7+i>>8))
	}
	content = append(content, "\r\n\x00\xff\xfe"...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if strings.HasPrefix(r.URL.Path, "/404") {
			w.WriteHeader(http.StatusNotFound)
		}
		w.Write(content)
	}))
	defer server.Close()
	for i, c := range []struct{ command, pipe string }{
		{"curl -s X/a", " | tar xz"},
		{"curl -s X/a", " | openssl dgst"},
		{"curl -s X/404", " | gunzip"},
		{"curl -sf X/404", " | sh"},
		{"curl -sN X/a", " | sudo tee f > /dev/null"},
		{`curl -s X/a -w '\n%{http_code}\n'`, " | tee f"},
		{"curl -s -L -m 20 --retry 2 X/a", " | gpg --dearmor"},
	} {
		command := strings.ReplaceAll(c.command, "X/", server.URL+"/")
		want := exchange(t, nil, "bash", "-c", command)
		for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
			programsAs(t, i, command+c.pipe, style, pipes, func(t *testing.T, r *codeproof.Runtime, program string) {
				got := exchangeBy(t, r, map[string]string{r.File: program})
				if got.stdout != want.stdout || got.fails != want.fails {
					t.Errorf("%s: it fails %t, and writes %d bytes, want %t and %d\n%s", command, got.fails, len(got.stdout), want.fails, len(want.stdout), program)
				}
			})
		}
	}
}

// pipes are targets that write bytes before a pipe. That of urllib does so too, but raises for a
// status of 400 and more.
var pipes = regexp.MustCompile("^(csharp|go|java|javascript-fetch|node-(axios|got|ky|undici)|php|python-(aiohttp|http|httpx|httpx-async|requests|urllib3)|ruby(-faraday|-httparty)?|typescript)$")

// TestPipedOrder checks that what a program prints before and behind bytes stands there, too.
func TestPipedOrder(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("of " + r.URL.Path + "\xff\n")) }))
	defer server.Close()
	command := strings.ReplaceAll("curl -s X/1 -w '%{http_code}\n'\ncurl -s X/2 | tar x\ncurl -s X/3", "X/", server.URL+"/")
	programs(t, 0, command, regexp.MustCompile("^(go|java|javascript-fetch|node-axios|php|python-requests|ruby)$"), func(t *testing.T, r *codeproof.Runtime, program string) {
		got := exchangeBy(t, r, map[string]string{r.File: program}).stdout
		at := []int{strings.Index(got, "of /1"), strings.Index(got, "200"), strings.Index(got, "of /2\xff\n"), strings.Index(got, "of /3")}
		if !slices.IsSorted(at) || at[0] < 0 {
			t.Errorf("it prints %q\n%s", got, program)
		}
	})
}

// TestPipedToViewer checks that a pipe to what only shows a text changes no program.
func TestPipedToViewer(t *testing.T) {
	for _, target := range code.Targets() {
		want, _ := write(t, target, "curl -s http://h.test/")
		for _, pipe := range []string{"jq .", "head -c 20", "grep -i a", "less", "python3 -m json.tool"} {
			if got, _ := write(t, target, "curl -s http://h.test/ | "+pipe); got != want {
				t.Errorf("%s before %s:\n%s\nwant\n%s", target.Name, pipe, got, want)
			}
		}
	}
}
