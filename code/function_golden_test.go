package code_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/code"
	"uncoil/internal/engine"
)

// functionTargets are those whose functions are goldens.
var functionTargets = []string{"python-requests", "python-http", "javascript-fetch", "typescript", "go", "php", "ruby", "java", "kotlin", "csharp", "rust"}

// TestFunctionGolden compares functions that take values with those in testdata/functions.
func TestFunctionGolden(t *testing.T) {
	for _, name := range functionTargets {
		target, ok := code.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, command := range valueCommands {
				command = strings.Replace(command, "http://$AT", "https://api.example.com", 1)
				r, err := engine.Parse(command, engine.Input{})
				if err != nil {
					t.Fatal(err)
				}
				program, diags := target.Compose(nil, r.Requests, code.Options{Function: code.AutoFunction})
				if diags.Err() != nil {
					t.Fatal(diags)
				}
				b.WriteString("-- " + command + " --\n" + string(program))
			}
			path := filepath.Join("testdata", "functions", name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
