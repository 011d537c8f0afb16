package code_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// typed are commands whose programs have what TypeScript wants a type for, beside those of
// the goldens.
var typed = []string{
	"curl h.test/a --retry 3 --retry-connrefused",
	"curl h.test -F f=@a -N",
	"curl -o x.txt http://h.test/ -f --create-dirs",
	"curl -d @x -L --location-trusted http://h.test -H 'Authorization: b' --max-redirs 3",
	"curl -x http://p:1 https://h.test -k -m 2",
	"T=$(curl -s http://h.test/l | jq -r .a.b); curl -H \"A: $T\" h.test",
	"T=$(curl -s http://h.test/l | jq -r .token); curl -H \"A: $T\" h.test",
	"curl http://h.test -I -w '%{http_code}'",
	"curl -T - h.test",
	"curl \"$X/a?b=$Y\" -H \"X: $(date +%s)\" -H \"Y: $(printf a | openssl dgst -sha256 -hmac k)\"",
	"curl h.test -d @x --data-urlencode a@b",
	"curl h.test -N -H 'Accept: text/event-stream'",
	"curl -T x h.test -H 'Transfer-Encoding: chunked'",
	"curl h.test -F a=b -F 'x=y;type=z/a'",
	"curl h.test -z 'dec 12 1999'",
	"curl --digest -u a:b h.test -d x -L",
	"curl --digest -u a:b -x http://p:1 http://h.test -d x",
	// fetch cannot send these, so another client does.
	"curl --unix-socket /run/a http://h.test/a -d a=b -f -L",
	"curl h.test -H 'Host: other.test' -F a=@b -o x.txt",
	"curl h.test/../a --path-as-is --request-target /b -X GET -d '{\"a\": 1}' -w '%{http_code}'",
	"T=$(curl -s http://h.test/l -H 'Host: a' | jq -r .token); curl -H \"A: $T\" h.test -H 'Host: a' --retry 2",
	"curl --digest -u a:b --unix-socket /run/a http://h.test",
}

// TestTypeScript holds that the compiler takes the programs, with --strict and the types of
// Node.
func TestTypeScript(t *testing.T) {
	parallel(t)
	modules := os.Getenv("UNCOIL_NODE_MODULES")
	compiler := filepath.Join(modules, "typescript", "bin", "tsc")
	if _, err := os.Stat(compiler); modules == "" || err != nil {
		t.Skip("UNCOIL_NODE_MODULES has no TypeScript")
	}
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", `{"type": "module"}`)
	target, _ := code.Lookup("typescript")
	arguments := []string{compiler, "--strict", "--noEmit", "--target", "es2022", "--module", "nodenext", "--lib", "es2023", "--types", "node"}
	for i, command := range append(commands(t), typed...) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		for j, o := range []code.Options{{}, exactly} {
			program, diags := target.Compose(nil, r.Requests, o)
			if diags.Err() != nil {
				continue
			}
			name := fmt.Sprintf("%d-%d.ts", i, j)
			write(name, string(program)+"\nexport {}; // a module of its own\n")
			arguments = append(arguments, name)
		}
	}
	if len(arguments) < 40 {
		t.Fatalf("only %d programs", len(arguments))
	}
	cmd := exec.Command("node", arguments...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
