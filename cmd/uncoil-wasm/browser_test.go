package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/code"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/wasm"
	"uncoil/internal/proof/corpus"
)

// What the engine for the browser must not consist of: it has no use for
// them, and each is a large part of the download.
var notInBrowser = []string{"net", "net/http", "crypto", "encoding/json", "log", "os/exec", "regexp"}

// root is the directory of the module.
const root = "../.."

func TestBrowserImports(t *testing.T) {
	imports, err := wasm.Imports(root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(imports, "uncoil/internal/engine/source/posix") {
		t.Errorf("the engine is not there: %q", imports)
	}
	for _, name := range notInBrowser {
		if slices.Contains(imports, name) {
			t.Errorf("cmd/uncoil-wasm has %s in its closure; find out who imports it with  GOOS=js GOARCH=wasm go list -deps", name)
		}
	}
}

// A browserCase is a question to the engine in the browser: a request object.
type browserCase struct {
	Name, Function, Text string
	want                 string
}

// TestCorpusInBrowser checks that the engine for JavaScript, run in Node, gives the
// answers of the native one; and so does the one without programs, to what it knows.
func TestCorpusInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the engine for the browser")
	}
	cases := browserCases(t)
	t.Run("all", func(t *testing.T) { checkBrowser(t, wasm.Engine, cases) })
	t.Run("without programs", func(t *testing.T) {
		known := slices.DeleteFunc(slices.Clone(cases), func(c browserCase) bool { return c.Function != "convert" && c.Function != "parse" })
		checkBrowser(t, wasm.Parser, known)
	})
}

// checkBrowser asks a program in Node.
func checkBrowser(t *testing.T, program wasm.Program, cases []browserCase) {
	node := lookNode(t)
	dir := t.TempDir()
	if err := wasm.Build(root, program, filepath.Join(dir, "uncoil.wasm"), wasm.Small); err != nil {
		t.Fatal(err)
	}
	script, err := wasm.Exec(root)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "wasm_exec.js"), script, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	var questions, problems bytes.Buffer
	enc := json.NewEncoder(&questions)
	for _, c := range cases {
		if err := enc.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(node, filepath.Join("testdata", "answer.mjs"), dir)
	cmd.Stdin, cmd.Stderr = &questions, &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, problems.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	n := 0
	for ; lines.Scan() && n < len(cases); n++ {
		var got string
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if c := cases[n]; got != c.want {
			t.Errorf("%s: %s answers\n%s\nthe native engine\n%s", c.Name, c.Function, got, c.want)
		}
	}
	if n != len(cases) {
		t.Errorf("%d questions have %d answers", len(cases), n)
	}
	t.Logf("%d answers are equal", n)
}

// lookNode finds Node, without which a test is skipped.
func lookNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("UNCOIL_REQUIRE_CURL") == "1" {
		t.Fatal("node is not installed, and UNCOIL_REQUIRE_CURL asks for every test")
	}
	if err != nil {
		t.Skip("node is not installed")
	}
	return node
}

// browserCases asks all of the corpus and of the errors, and texts that bring
// out the messages of the bash parser.
func browserCases(t *testing.T) []browserCase {
	t.Helper()
	var cases []browserCase
	targets := code.Targets()
	add := func(name string, request map[string]any) {
		request["target"] = targets[len(cases)%len(targets)].Name
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		for function, as := range map[string]api.As{"convert": api.AsConvert, "parse": api.AsParse, "code": api.AsCode} {
			body, status := api.Limits{}.AnswerObject(string(text), as)
			cases = append(cases, browserCase{name, function, string(text), fmt.Sprint(status, " ", string(body))})
		}
		for _, hide := range []string{"", "hidden"} {
			cases = append(cases, browserCase{name, "show" + hide, string(text), string(api.Show(string(text), 0, hide != ""))})
		}
	}
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors) {
		if !utf8.ValidString(c.Command) {
			continue // no string of JavaScript holds it
		}
		files := make(map[string]any)
		for name, content := range c.Files {
			files[name] = map[string][]byte{"base64": content}
		}
		request := map[string]any{"curl": c.Command, "files": files, "env": c.Env}
		if c.Stdin != nil {
			request["stdin"] = map[string][]byte{"base64": c.Stdin}
		}
		if c.Shell != "" {
			request["shell"] = c.Shell
		}
		add(c.Path, request)
	}
	for _, script := range brokenScripts() {
		add(script, map[string]any{"curl": script})
	}
	// From this size on, a text takes another way into the engine.
	add("a long text", map[string]any{"curl": "curl h.test -d '" + strings.Repeat("ü", 64<<10) + "'"})
	add("an object without a command", map[string]any{"files": nil})
	cases = append(cases, browserCase{"the targets", "targets", "", string(api.AppendTargets(nil))})
	return cases
}

// brokenScripts are texts that bash refuses, each in another way.
func brokenScripts() []string {
	fragments := strings.Fields("| || & && ; ;; ( ) { } [[ ]] (( )) < > << <<< >& if then fi for do done while case esac function ! $( ${ ${a! ${a@ $(( ` ' \" <( a=( $'")
	fragments = append(fragments, "if x; then", "for i", "case a in b", "case a in b) c", "[[ a", "[[ a -zz b ]]", "[[ a == ]]",
		"f() {", "${a:", "${a/}", "${#a:-b}", "${a@Z}", "$((1+))", "$((a ? b))", "$((a ? b :))", "$((1 = 2))", "$((++1))", "$((a[))", "((1 +))",
		"let a+", "<<EOF\nx", "a=(b c", "declare -a", "coproc", "select x in", "echo }", "&>", "2>", "function", "time |", "! !", "\u2028(", "é(")
	var scripts []string
	for _, f := range fragments {
		scripts = append(scripts, "curl h.test | "+f, "x=1; "+f+" curl h.test", "curl \"$x\" "+f+" h.test; echo")
	}
	return scripts
}
