package code_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"uncoil/code"
)

// requires are targets with the line that ends a program where a variable is empty.
var requires = map[string]string{
	"csharp":     `if (string.IsNullOrEmpty(Environment.GetEnvironmentVariable("PRINTS")))`,
	"go":         `if os.Getenv("PRINTS") == "" {`,
	"java":       `if (System.getenv().getOrDefault("PRINTS", "").isEmpty()) {`,
	"node-axios": `if (!process.env.PRINTS) throw new Error("PRINTS is not set");`,
	"node-http":  `if (!process.env.PRINTS) throw new Error("PRINTS is not set");`,
	"perl":       `die "PRINTS is not set\n" unless length $ENV{PRINTS};`,
	"php":        `if ((string) getenv('PRINTS') === '') {`,
	"ruby":       `abort 'PRINTS is not set' if ENV['PRINTS'].to_s.empty?`,
	"typescript": `if (!process.env.PRINTS) throw new Error("PRINTS is not set");`,
}

// TestRequires checks that a program ends where what a command would have printed is missing
// in a credential, a host or a path, and nowhere else.
func TestRequires(t *testing.T) {
	for command, want := range map[string]bool{
		`curl -H "Authorization: Bearer $(prints)" https://h.test/`:              true,
		`curl -u "ann:$(prints)" https://h.test/`:                                true,
		`P=$(prints | cut -c2-); curl "https://h.test/items/$P"`:                 true,
		`curl "https://$(prints).h.test/"`:                                       true,
		`curl -H "X-Api-Key: $(prints)" https://h.test/`:                         true,
		`curl "https://h.test/?q=$(prints)"`:                                     false,
		`curl -d "a=$(prints)" https://h.test/`:                                  false,
		`curl -H "X-Trace: $(prints)" https://h.test/`:                           false,
		`curl -H "Authorization: Bearer $PRINTS" https://h.test/`:                false,
		`curl -H "X-Api-Key: $(prints | jq -r '.key // empty')" https://h.test/`: false,
		`P=$(prints); curl "https://h.test/items/${P:-1}"`:                       false,
	} {
		for name, guard := range requires {
			if strings.HasPrefix(command, "P=") {
				guard = strings.ReplaceAll(guard, "PRINTS", "P")
			}
			target, _ := code.Lookup(name)
			program, _ := write(t, target, command)
			if strings.Contains(program, guard) != want {
				t.Errorf("%s for %s has %s: %t\n%s", command, name, guard, !want, program)
			}
			if bare, _ := writeAs(t, target, command, code.Options{Bare: true}); strings.Contains(bare, guard) {
				t.Errorf("%s for %s: a bare program has %s\n%s", command, name, guard, bare)
			}
		}
	}
}

// TestRequiresEnds checks that such a program sends nothing.
func TestRequiresEnds(t *testing.T) {
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	for name, argv := range map[string][]string{"node-http": {"node", "p.mjs"}, "perl": {"perl", "p.mjs"}, "php": {"php", "p.mjs"}, "ruby": {"ruby", "p.mjs"}} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skip(err)
			}
			target, _ := code.Lookup(name)
			program, _ := write(t, target, `curl -H "Authorization: Bearer $(prints-no-secret)" `+server.URL)
			if got := exchange(t, map[string]string{"p.mjs": program}, argv...); !got.fails || asked {
				t.Errorf("fails %t, and asks the server %t:\n%s", got.fails, asked, program)
			}
			asked = false
		})
	}
}
