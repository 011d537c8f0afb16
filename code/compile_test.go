package code_test

import (
	"maps"
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

// rare are commands with what few of the corpus have, and with TLS, which no server of a
// proof has.
var rare = []string{
	"curl -k https://h.test/ -o d/f --create-dirs --next -k https://h.test/2", "curl --cacert c.pem https://h.test/", "curl -L --max-redirs 3 https://h.test/", "curl -L https://h.test/ -u a:b -H 'Host: i.test'",
	"curl --digest -u a:b https://h.test/", "curl -c jar https://h.test/a\ncurl -b jar -c jar https://h.test/b", "curl --compressed -m 3 --connect-timeout 0.5 https://h.test/", "curl --retry 3 https://h.test/",
	"curl -x http://u:p@p.test:8080 http://h.test/", "curl -x p.test https://h.test/", "curl -x socks5://p.test http://h.test/", "curl --unix-socket /run/s http://h.test/", "curl -f https://h.test/ -X PURGE", "curl -X POST https://h.test/",
	"curl -i -w '%{http_code}\\n' https://h.test/", "curl -F a=b -F 'c=d;type=text/x' -F f=@g -F 'h=@i;filename=j;type=a/b' -F 'k=<l' -F 'm=n;filename=o' https://h.test/", "curl \"$H/a?b=$C\" -H \"X-A: $D\"",
	"curl -d @f https://h.test/", "curl --data-binary @- https://h.test/", "curl --data-binary @f -H 'Content-Type: text/plain' https://h.test/", "curl -T f https://h.test/", "curl -d $'\\xff' -H 'Content-Type: a/b; c=d' https://h.test/",
	"curl -d 'a=b&a=c&d=%20' https://h.test/", "curl -d x -H Content-Type: https://h.test/", "curl -X PUT --json \"{\\\"a\\\": \\\"$B\\\"}\" https://h.test/", "curl -G -d 'a=b c' --data-urlencode 'd=e f' https://h.test/",
	"curl -X GET -d a=b https://h.test/", "curl -I https://h.test/", "curl -H 'A: é' -H 'A: b' -H 'B;' -A x https://h.test/", "curl -d 'a' -H 'Content-Type: text/plain; charset=utf-8' -o /dev/null https://h.test/",
	"curl --oauth2-bearer t https://h.test/", "curl -u \"$A\" https://h.test/", "curl -u a:é https://h.test/", "curl --tlsv1.3 --http2 https://h.test/", "curl --http1.1 https://h.test/",
	`curl --cacert ca.pem https://h.test/$ID`,
	`curl -k -I https://h.test/ -H "A: ${A:-a}"`,
	`curl -k -L -f --retry 2 https://h.test/ -o "$OUT"`,
	`curl --tlsv1.2 --tls-max 1.2 -x "$PROXY" -U "$USER:$PASS" https://h.test/ -d "a=$A"`,
	`curl --cacert ca.pem -L --digest -u "$USER:$PASS" https://h.test/ -F "f=@$PHOTO"`,
}

// compiling writes the programs of a target for many commands, in both styles and as functions,
// for its compiler, but for those with a text that needs what is not at hand: each in a package,
// with whose name head begins the file. It returns a file that lists them.
func compiling(t *testing.T, name, without, file, head string) string {
	commands := slices.Clone(rare)
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
			program, diags := target.Compose(nil, r.Requests, o)
			if diags.Err() == nil && (without == "" || !strings.Contains(string(program), without)) {
				seen[string(program)] = style + strconv.Itoa(i)
			}
		}
	}
	if len(seen) < 100 {
		t.Fatalf("%d programs", len(seen))
	}
	dir, list := t.TempDir(), ""
	for _, program := range slices.Sorted(maps.Keys(seen)) {
		list += saveSource(t, filepath.Join(dir, seen[program]), file, "package "+seen[program]+head+program) + "\n"
	}
	return saveSource(t, dir, "files", list)
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
func typesOf(t *testing.T, archive string) (paths []string) {
	t.Helper()
	types, err := txtar.ParseFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i, f := range types.Files {
		paths = append(paths, saveSource(t, filepath.Join(dir, strconv.Itoa(i)), filepath.Base(f.Name), string(f.Data)))
	}
	return paths
}

// compiles runs a compiler.
func compiles(t *testing.T, compiler string, arguments ...string) {
	t.Helper()
	if out, err := exec.Command(compiler, arguments...).CombinedOutput(); err != nil || strings.Contains(string(out), ": warning: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// needsCompiler skips a test whose compiler is not installed, or takes half a minute.
func needsCompiler(t *testing.T, name string) {
	t.Helper()
	if testing.Short() {
		t.Skip("compilers take half a minute")
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
}

// TestKotlinCompiles has the compiler of Kotlin read the programs for clients that are not
// at hand, with the types of what they use of them.
func TestKotlinCompiles(t *testing.T) {
	needsCompiler(t, "kotlinc")
	for name, c := range map[string]struct{ types, without string }{"kotlin-okhttp4": {"okhttp4.txtar", "okio.Buffer"}, "kotlin-ktor": {"ktor.txtar", "com.fasterxml"}} {
		t.Run(name, func(t *testing.T) {
			files := compiling(t, name, c.without, "request.kt", "\n")
			compiles(t, "kotlinc", append([]string{"-nowarn", "-d", filepath.Join(t.TempDir(), "out"), "@" + files}, typesOf(t, c.types)...)...)
		})
	}
}

// TestJavaCompiles has the compiler of Java read the programs, with the client where it is
// installed, and else with the types of what they use of it.
func TestJavaCompiles(t *testing.T) {
	needsCompiler(t, "javac")
	const jars = "/usr/share/java"
	for name, c := range map[string]struct{ jar, types string }{
		"java": {}, "java-httpurlconnection": {}, "java-okhttp": {jar: "okhttp.jar"}, "java-apache": {jar: "httpclient5.jar"},
		"java-restclient": {types: "restclient.txtar"}, "java-unirest": {types: "unirest.txtar"}, "java-rest-assured": {types: "restassured.txtar"},
	} {
		t.Run(name, func(t *testing.T) {
			arguments := []string{"-nowarn", "-proc:none", "-d", filepath.Join(t.TempDir(), "out")}
			without := ""
			if _, err := os.Stat(filepath.Join(jars, "jackson-databind.jar")); err != nil {
				without = "com.fasterxml"
			}
			if c.types != "" {
				without = "com.fasterxml"
				arguments = append(arguments, typesOf(t, c.types)...)
			} else if _, err := os.Stat(filepath.Join(jars, c.jar)); err != nil {
				t.Skip(err)
			} else {
				arguments = append(arguments, "-cp", filepath.Join(jars, "*"))
			}
			compiles(t, "javac", append(arguments, "@"+compiling(t, name, without, "Main.java", ";\n"))...)
		})
	}
}
