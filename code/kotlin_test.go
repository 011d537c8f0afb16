package code_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestKotlinCompiles has the compiler of Kotlin, where it is installed, read the programs
// for OkHttp 4 with the types of what they use of it.
func TestKotlinCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("the compiler takes half a minute")
	}
	if _, err := exec.LookPath("kotlinc"); err != nil {
		t.Skip(err)
	}
	var commands []string
	for _, f := range commandFiles(t) {
		commands = append(commands, string(f.Data))
	}
	for i, c := range corpus.Read(t, corpus.Commands) {
		if c.Shell == "" && c.Clean == "" && i%4 == 0 {
			commands = append(commands, c.Command)
		}
	}
	target, _ := code.Lookup("kotlin-okhttp4")
	dir := t.TempDir()
	arguments := []string{"-nowarn", "-d", filepath.Join(dir, "out"), filepath.Join("testdata", "okhttp4.kt")}
	for i, command := range commands {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			continue
		}
		for style, o := range map[string]code.Options{"idiomatic": {}, "exact": exactly} {
			program, diags := target.Compose(nil, r.Requests, o)
			if diags.Err() != nil || strings.Contains(string(program), "okio.Buffer") {
				continue
			}
			name := style + strconv.Itoa(i)
			file := filepath.Join(dir, name+".kt")
			if err := os.WriteFile(file, append([]byte("package "+name+"\n"), program...), 0o600); err != nil {
				t.Fatal(err)
			}
			arguments = append(arguments, file)
		}
	}
	if len(arguments) < 100 {
		t.Fatalf("%d programs", len(arguments))
	}
	if out, err := exec.Command("kotlinc", arguments...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
