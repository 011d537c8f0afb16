package code_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestKotlinTypes has the compiler of Kotlin, where it is installed, read the programs
// for Ktor with the types of what they use of it.
func TestKotlinTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("the compiler takes half a minute")
	}
	if _, err := exec.LookPath("kotlinc"); err != nil {
		t.Skip(err)
	}
	t.Run("kotlin-ktor", func(t *testing.T) { compileKotlin(t, "kotlin-ktor", "ktor.txtar", "com.fasterxml") })
}

// optionCommands are commands with what few of the corpus have.
var optionCommands = []string{
	"curl -k https://h.test/ -o d/f --create-dirs --next -k https://h.test/2", "curl --cacert c.pem https://h.test/", "curl -L --max-redirs 3 https://h.test/", "curl -L https://h.test/ -u a:b -H 'Host: i.test'",
	"curl --digest -u a:b https://h.test/", "curl -c jar https://h.test/a\ncurl -b jar -c jar https://h.test/b", "curl --compressed -m 3 --connect-timeout 0.5 https://h.test/", "curl --retry 3 https://h.test/",
	"curl -x http://u:p@p.test:8080 http://h.test/", "curl -x p.test https://h.test/", "curl -x socks5://p.test http://h.test/", "curl --unix-socket /run/s http://h.test/", "curl -f https://h.test/ -X PURGE", "curl -X POST https://h.test/",
	"curl -i -w '%{http_code}\\n' https://h.test/", "curl -F a=b -F 'c=d;type=text/x' -F f=@g -F 'h=@i;filename=j;type=a/b' -F 'k=<l' -F 'm=n;filename=o' https://h.test/", "curl \"$H/a?b=$C\" -H \"X-A: $D\"",
	"curl -d @f https://h.test/", "curl --data-binary @- https://h.test/", "curl --data-binary @f -H 'Content-Type: text/plain' https://h.test/", "curl -T f https://h.test/", "curl -d $'\\xff' -H 'Content-Type: a/b; c=d' https://h.test/",
	"curl -d 'a=b&a=c&d=%20' https://h.test/", "curl -d x -H Content-Type: https://h.test/", "curl -X PUT --json \"{\\\"a\\\": \\\"$B\\\"}\" https://h.test/", "curl -G -d 'a=b c' --data-urlencode 'd=e f' https://h.test/",
	"curl -X GET -d a=b https://h.test/", "curl -I https://h.test/", "curl -H 'A: é' -H 'A: b' -H 'B;' -A x https://h.test/", "curl -d 'a' -H 'Content-Type: text/plain; charset=utf-8' -o /dev/null https://h.test/",
	"curl --oauth2-bearer t https://h.test/", "curl -u \"$A\" https://h.test/", "curl -u a:é https://h.test/", "curl --tlsv1.3 --http2 https://h.test/", "curl --http1.1 https://h.test/",
}

// composed returns the programs of a target for the commands of the goldens and of the
// corpus, in both styles, by names: those without an import whose types are not at hand.
func composed(t *testing.T, target, without string) map[string]string {
	t.Helper()
	commands := slices.Clone(optionCommands)
	for _, f := range commandFiles(t) {
		commands = append(commands, string(f.Data))
	}
	for i, c := range corpus.Read(t, corpus.Commands) {
		if c.Shell == "" && c.Clean == "" && i%4 == 0 {
			commands = append(commands, c.Command)
		}
	}
	writer, _ := code.Lookup(target)
	programs := make(map[string]string)
	for i, command := range commands {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			continue
		}
		for style, o := range map[string]code.Options{"idiomatic": {}, "exact": exactly} {
			program, diags := writer.Compose(nil, r.Requests, o)
			if diags.Err() == nil && !strings.Contains(string(program), without) {
				programs[style+strconv.Itoa(i)] = string(program)
			}
		}
	}
	return programs
}

// saveSource saves a file of source in a folder, and returns its path.
func saveSource(t *testing.T, folder, name, source string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name)
	save(t, path, source)
	return path
}

// typesOf returns the paths of the files of an archive of types, which it saves.
func typesOf(t *testing.T, archive, dir string) (paths []string) {
	t.Helper()
	types, err := txtar.ParseFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range types.Files {
		paths = append(paths, saveSource(t, filepath.Join(dir, "types"+strconv.Itoa(i)), filepath.Base(f.Name), string(f.Data)))
	}
	return paths
}

// compileKotlin compiles the programs of a target beside an archive of types.
func compileKotlin(t *testing.T, name, types, without string) {
	dir := t.TempDir()
	arguments := append([]string{"-nowarn", "-d", filepath.Join(dir, "out")}, typesOf(t, types, dir)...)
	programs := composed(t, name, without)
	for place, program := range programs {
		arguments = append(arguments, saveSource(t, dir, place+".kt", "package "+place+"\n"+program))
	}
	if len(programs) < 100 {
		t.Fatalf("%d programs", len(programs))
	}
	if out, err := exec.Command("kotlinc", arguments...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
