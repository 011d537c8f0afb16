package code_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
)

var update = flag.Bool("update", false, "rewrite what the tests expect")

// exactly are the options of programs in exact style.
var exactly = code.Options{Style: code.StyleExact}

// exactTargets are the targets whose programs in exact style are goldens, too.
var exactTargets = []string{"python-requests", "javascript-fetch", "node-axios", "go", "java", "csharp", "php", "ruby", "httpie", "wget"}

// TestGolden compares the programs of each target for the same twenty commands
// with those in testdata/golden, so that a change of style is one look at a
// diff, and those of the main targets in exact style with testdata/exact. That they
// send what curl sends is proven elsewhere, by running them.
func TestGolden(t *testing.T) {
	for _, target := range code.Targets() {
		testGolden(t, &target, "golden", code.Options{})
	}
	for _, name := range exactTargets {
		target, ok := code.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		testGolden(t, &target, "exact", exactly)
	}
}

func testGolden(t *testing.T, target *code.Target, folder string, o code.Options) {
	cases := commandFiles(t)
	t.Run(folder+"/"+target.Name, func(t *testing.T) {
		path := filepath.Join("testdata", folder, target.Name+".txtar")
		golden, err := txtar.ParseFile(path)
		if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
			t.Fatal(err)
		}
		out := &txtar.Archive{}
		for _, c := range cases {
			r, err := engine.Parse(strings.TrimSuffix(string(c.Data), "\n"), engine.Input{})
			if err != nil {
				t.Fatal(c.Name, err)
			}
			program, diags := target.Compose(nil, r.Requests, o)
			got := string(program)
			if n := len(got); n > 0 && got[n-1] != '\n' {
				got += "\n" // as an archive has it
			}
			for _, d := range diags {
				if d.Severity == diag.SeverityError {
					got += "error: " + d.Message + "\n"
				}
			}
			out.Files = append(out.Files, txtar.File{Name: c.Name, Data: []byte(got)})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(out), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if len(golden.Files) != len(out.Files) {
			t.Fatalf("%s has %d programs, want %d", path, len(golden.Files), len(out.Files))
		}
		for i, want := range golden.Files {
			if want.Name != out.Files[i].Name {
				t.Errorf("program %d of %s is for %s, want %s", i, path, want.Name, out.Files[i].Name)
			}
			if diff := cmp.Diff(string(want.Data), string(out.Files[i].Data)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", want.Name, diff)
			}
		}
	})
}

// commandFiles returns the commands of the goldens with their names.
func commandFiles(t testing.TB) []txtar.File {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "commands.txtar"))
	if err != nil || len(archive.Files) < 20 {
		t.Fatalf("%v: %v", archive, err)
	}
	return archive.Files
}

// commands returns the commands of the goldens.
func commands(t testing.TB) []string {
	var out []string
	for _, f := range commandFiles(t) {
		out = append(out, strings.TrimSuffix(string(f.Data), "\n"))
	}
	return out
}

// TestAppend holds that a program does not depend on what it is appended to.
func TestAppend(t *testing.T) {
	const before = "before\n"
	for _, target := range code.Targets() {
		for _, command := range commands(t) {
			r, err := engine.Parse(command, engine.Input{})
			if err != nil {
				t.Fatal(err)
			}
			want, _, _ := target.Append(nil, r.Requests, code.Options{})
			for _, room := range []int{0, 64, 1 << 16} { // what is before has no room, some, enough
				got, _, _ := target.Append(append(make([]byte, 0, len(before)+room), before...), r.Requests, code.Options{})
				if string(got) != before+string(want) {
					t.Fatalf("%s: %s\nafter %q is written\n%s\nwant\n%s", target.Name, command, before, got, want)
				}
			}
		}
	}
}
