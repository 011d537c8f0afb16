package code_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"uncoil"
	"uncoil/code"
	"uncoil/diag"
)

var update = flag.Bool("update", false, "rewrite what the tests expect")

// TestGolden compares the programs of all targets for the same twenty commands
// with those in testdata, so that a change of style is one look at a diff. That
// they send what curl sends is proven elsewhere, by running them.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := make(map[string]string)
			for _, f := range archive.Files {
				want[f.Name] = string(f.Data)
			}
			r, err := uncoil.Parse(strings.TrimSuffix(want["command"], "\n"), uncoil.Input{})
			if err != nil {
				t.Fatal(err)
			}
			out := &txtar.Archive{Comment: archive.Comment, Files: archive.Files[:1]}
			for _, target := range code.Targets() {
				program, diags := target.Append(nil, r.Requests, code.Options{})
				got := string(program)
				for _, d := range diags {
					if d.Severity == diag.Error {
						got += "error: " + d.Message + "; " + d.Hint + "\n"
					}
				}
				out.Files = append(out.Files, txtar.File{Name: target.Name, Data: []byte(got)})
				if diff := cmp.Diff(want[target.Name], got); diff != "" && !*update {
					t.Errorf("%s (-want +got):\n%s", target.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// commands returns the commands of the golden files.
func commands(t testing.TB) []string {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	var out []string
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimSuffix(string(archive.Files[0].Data), "\n"))
	}
	return out
}
