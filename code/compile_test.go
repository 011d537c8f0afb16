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

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
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
	every := 12
	if *prove {
		every = 4
	}
	for i, c := range corpus.Read(t, corpus.Commands) {
		if c.Shell == "" && c.Clean == "" && i%every == 0 {
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

// compiles runs a compiler.
func compiles(t *testing.T, compiler string, arguments ...string) {
	t.Helper()
	if out, err := exec.Command(compiler, arguments...).CombinedOutput(); err != nil || strings.Contains(string(out), ": warning: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// needsJudges skips a test whose compiler is not installed, or takes half a minute, or whose
// client could not be fetched.
func needsJudges(t *testing.T, folders ...string) (jars string) {
	t.Helper()
	if testing.Short() {
		t.Skip("compilers take half a minute")
	}
	for _, folder := range folders {
		if codeproof.Jars(folder) == "" {
			t.Skipf("tools/judges/install.sh installs %s", folder)
		}
	}
	return codeproof.Jars(append([]string{"javac"}, folders...)...)
}

// TestKotlinCompiles has the compiler of Kotlin read the programs, with the oldest and the
// newest of their clients.
func TestKotlinCompiles(t *testing.T) {
	parallel(t)
	for name, clients := range map[string][]string{
		"kotlin": {"kotlin"}, "kotlin-okhttp": {"okhttp3-oldest", "okhttp3"}, "kotlin-okhttp4": {"okhttp4-oldest", "okhttp5"}, "kotlin-ktor": {"ktor-oldest", "ktor"},
	} {
		for _, client := range clients {
			t.Run(name+"/"+client, func(t *testing.T) {
				jars := needsJudges(t, "kotlin", client)
				files := compiling(t, name, "", "request.kt", "\n")
				compiles(t, "java", "-cp", codeproof.Jars("kotlin"), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-nowarn", "-cp", jars, "-d", filepath.Join(t.TempDir(), "out"), "@"+files)
			})
		}
	}
}

// TestJavaCompiles has the compiler of Java read the programs, with the oldest and the newest
// of their clients.
func TestJavaCompiles(t *testing.T) {
	parallel(t)
	for name, clients := range map[string][]string{
		"java": {"javac"}, "java-httpurlconnection": {"javac"}, "java-okhttp": {"okhttp3-oldest", "okhttp4", "okhttp5"}, "java-apache": {"apache-oldest", "apache"},
		"java-restclient": {"restclient-oldest", "restclient"}, "java-unirest": {"unirest-oldest", "unirest"}, "java-rest-assured": {"rest-assured-oldest", "rest-assured"},
	} {
		for _, client := range clients {
			t.Run(name+"/"+client, func(t *testing.T) {
				jars := needsJudges(t, client)
				compiles(t, "javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-proc:none", "-d", filepath.Join(t.TempDir(), "out"), "-cp", jars, "@"+compiling(t, name, "", "Main.java", ";\n"))
			})
		}
	}
}
