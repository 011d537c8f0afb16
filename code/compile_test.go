package code_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// unrun are commands whose programs no proof runs, as its server has no TLS.
var unrun = []string{
	`curl --cacert ca.pem https://h.test/$ID`,
	`curl -k -I https://h.test/ -H "A: ${A:-a}"`,
	`curl -k -L -f --retry 2 https://h.test/ -o "$OUT"`,
	`curl --tlsv1.2 --tls-max 1.2 -x "$PROXY" -U "$USER:$PASS" https://h.test/ -d "a=$A"`,
	`curl --cacert ca.pem -L --digest -u "$USER:$PASS" https://h.test/ -F "f=@$PHOTO"`,
}

// compiling writes the programs of a target for many commands, in both styles and as functions,
// for its compiler: each in a package, whose name named gives with the program the name of a
// file and its text. It returns the files.
func compiling(t *testing.T, name string, named func(pack string, program []byte) (file, text string)) (files []string) {
	if testing.Short() {
		t.Skip("compilers take half a minute")
	}
	commands := slices.Clone(unrun)
	for _, f := range commandFiles(t) {
		commands = append(commands, string(f.Data))
	}
	for i, c := range corpus.Read(t, corpus.Commands) {
		if c.Shell == "" && c.Clean == "" && i%4 == 0 {
			commands = append(commands, c.Command)
		}
	}
	target, _ := code.Lookup(name)
	seen := make(map[string]string)
	for i, command := range commands {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			continue
		}
		for style, o := range map[string]code.Options{"idiomatic": {}, "exact": exactly, "function": {Function: code.AutoFunction}} {
			if program, diags := target.Compose(nil, r.Requests, o); diags.Err() == nil {
				seen[string(program)] = style + strconv.Itoa(i)
			}
		}
	}
	dir := t.TempDir()
	for _, program := range slices.Sorted(maps.Keys(seen)) {
		file, text := named(seen[program], []byte(program))
		if file == "" {
			continue
		}
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		save(t, file, text)
		files = append(files, file)
	}
	if len(files) < 100 {
		t.Fatalf("%d programs", len(files))
	}
	return files
}

// TestKotlinCompiles has the compiler of Kotlin, where it is installed, read the programs
// for OkHttp 4 with the types of what they use of it.
func TestKotlinCompiles(t *testing.T) {
	if _, err := exec.LookPath("kotlinc"); err != nil {
		t.Skip(err)
	}
	files := compiling(t, "kotlin-okhttp4", func(pack string, program []byte) (file, text string) {
		if bytes.Contains(program, []byte("okio.Buffer")) {
			return "", ""
		}
		return pack + ".kt", "package " + pack + "\n" + string(program)
	})
	arguments := append([]string{"-nowarn", "-d", filepath.Join(t.TempDir(), "out"), filepath.Join("testdata", "okhttp4.kt")}, files...)
	if out, err := exec.Command("kotlinc", arguments...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestJavaCompiles has the compiler of Java, where it and the client are installed, read the
// programs.
func TestJavaCompiles(t *testing.T) {
	for name, jar := range map[string]string{"java": "", "java-httpurlconnection": "", "java-okhttp": "okhttp.jar", "java-apache": "httpclient5.jar"} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath("javac"); err != nil {
				t.Skip(err)
			}
			const jars = "/usr/share/java"
			if _, err := os.Stat(filepath.Join(jars, jar)); err != nil {
				t.Skip(err)
			}
			files := compiling(t, name, func(pack string, program []byte) (file, text string) {
				return filepath.Join(pack, "Main.java"), "package " + pack + ";\n" + string(program)
			})
			list := filepath.Join(t.TempDir(), "files")
			save(t, list, strings.Join(files, "\n"))
			arguments := []string{"-nowarn", "-proc:none", "-d", filepath.Join(t.TempDir(), "out"), "-cp", filepath.Join(jars, "*"), "@" + list}
			if out, err := exec.Command("javac", arguments...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
