package code_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/proof/codeproof"
)

// turned are scripts that go on where a request fails, or send it again. X stands for the
// address of a server, and Y for one where nobody listens.
var turned = []string{
	"curl -sf X/404 || true\ncurl -s X/ok",
	"curl -sf X/404 || exit 3\ncurl -s X/ok",
	"curl -sf X/ok || exit 3\ncurl -s X/ok",
	`curl -sf X/404 || echo "it's \"down\""`,
	`curl -sf X/404 || { echo 'not $there' >&2; exit 4; }`,
	"curl -sf X/404 || (echo none; exit 5); curl -s X/ok",
	"curl -sf X/404 -d a=b || curl -s X/ok -H 'A: b'",
	"curl -sf X/ok || curl -s X/404",
	"curl -s Y/ || curl -sf X/404 || curl -sf X/ok",
	"curl -sf X/404 || curl -sf X/404/b || echo none\ncurl -s X/ok",
	"curl -s X/404 || curl -s X/ok",
	"curl -sf -o out.txt X/404 || curl -sf -o out.txt X/ok",
	"until curl -sf X/later; do sleep 0.1; done",
	"while ! curl -sf -o /dev/null X/later; do\n  echo 'waiting \\ ...'\n  sleep 0.1\ndone\ncurl -s X/ok",
	"while curl -sf X/soon; do sleep 0.1; done\ncurl -s X/ok",
	"until curl -sf X/later -d '{\"a\": 1}' -H 'Content-Type: application/json'; do sleep 0.1; done; curl -sf X/404 || curl -s X/ok",
	"for i in 1 2 3 4; do curl -sf X/later && break; sleep 0.1; done; for i in {1..3}; do if curl -sf X/404; then break; else echo no; sleep 0.1; fi; done; curl -s X/ok",
	"for host in 404 404/b ok later; do curl -sf X/$host && break; done; while true; do curl -sf X/soon || break; sleep 0.1; done",
}

// turners are targets that write all of these.
var turners = regexp.MustCompile("^(csharp|curl|go|java|javascript-fetch|node-(axios|got|undici)|php|python-requests|ruby(-httparty)?|typescript)$")

// TestTurns runs the programs for such scripts beside bash and curl: they send the same requests
// in the same order, print the same and end alike.
func TestTurns(t *testing.T) {
	parallel(t)
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		n := 0
		for _, one := range asked {
			if strings.HasSuffix(one, r.URL.Path) {
				n++
			}
		}
		asked = append(asked, r.Method+" "+r.URL.Path)
		switch {
		case strings.HasPrefix(r.URL.Path, "/404"), r.URL.Path == "/later" && n < 2, r.URL.Path == "/soon" && n >= 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		w.Write([]byte("of " + r.URL.Path + "\n"))
	}))
	defer server.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	for i, script := range turned {
		script = strings.NewReplacer("X/", server.URL+"/", "Y/", closed.URL+"/").Replace(script)
		run := func(t *testing.T, files map[string]string, argv ...string) (exchanged, []string) {
			asked = nil
			left := exchange(t, files, argv...)
			left.stdout = strings.Join(strings.Fields(left.stdout), " ")
			return left, asked
		}
		want, sent := run(t, nil, "bash", "-c", script)
		for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
			programsAs(t, i, script, style, turners, func(t *testing.T, r *codeproof.Runtime, program string) {
				got, requests := run(t, map[string]string{r.File: program}, r.Command...)
				exits := !strings.Contains(script, "exit") || got.exit == want.exit || r.Target == "go" // go run ends with 1
				if got.stdout != want.stdout || got.fails != want.fails || !exits || !slices.Equal(requests, sent) || got.files["out.txt"] != want.files["out.txt"] {
					t.Errorf("%s: it ends with %d, prints %q and sends %q, want %d, %q and %q\n%s", script, got.exit, got.stdout, requests, want.exit, want.stdout, sent, program)
				}
			})
		}
	}
}

// TestTurnsWritten checks that the programs of these targets say all of that, and that each other
// one is warned of, in the way that the doors warn.
func TestTurnsWritten(t *testing.T) {
	for _, target := range code.Targets() {
		for _, script := range turned {
			script = strings.NewReplacer("X/", "http://h.test/", "Y/", "http://closed.test/").Replace(script)
			program, diags := writeAs(t, target, script, code.Options{Source: script})
			told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
				return d.Code == diag.WarnCannotExpress && (d.Option == "||" || d.Option == "the loop")
			})
			if diags.Err() == nil && told == turners.MatchString(target.Name) {
				t.Errorf("%s: %s: warned of is %t: %v\n%s", target.Name, script, told, diags, program)
			}
		}
	}
}
