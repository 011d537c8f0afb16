package repo

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/internal/proof/need"
)

// An action is what a runner reads of action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			ID, Run, Uses string
			Env           map[string]string
		}
	}
}

var expression = regexp.MustCompile(`\$\{\{ ([\w.]+) \}\}`)

// run runs the steps of the action as a runner does, up to the first that fails, and
// returns what they print, their outputs and the exit code.
func (a *action) run(t *testing.T, dir string, inputs map[string]string) (printed string, values map[string]string, code int) {
	t.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	values = map[string]string{"github.action_path": root}
	for name, input := range a.Inputs {
		values["inputs."+name] = input.Default
	}
	for name, value := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %s", name)
		}
		values["inputs."+name] = value
	}
	for _, step := range a.Runs.Steps {
		if step.Run == "" {
			continue
		}
		output := filepath.Join(temp, step.ID)
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+output, "RUNNER_TEMP="+temp, "GITHUB_ACTION_PATH="+root)
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+expression.ReplaceAllStringFunc(value, func(s string) string {
				return values[expression.FindStringSubmatch(s)[1]]
			}))
		}
		out, err := cmd.CombinedOutput()
		printed += string(out)
		written, _ := os.ReadFile(output)
		for line := range strings.Lines(string(written)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			values["steps."+step.ID+".outputs."+name] = value
		}
		if err != nil {
			return printed, values, cmd.ProcessState.ExitCode()
		}
	}
	return printed, values, 0
}

// TestAction runs the steps of the action on a folder with a finding.
func TestAction(t *testing.T) {
	need.Program(t, "bash")
	need.Program(t, "curl")
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	release := t.TempDir()
	name := "uncoil-" + runtime.GOOS + "-" + runtime.GOARCH
	program := filepath.Join(release, name)
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/uncoil").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	built, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	docs := map[string]string{"a b.md": "```sh\ncurl --urls https://example.com\n```\n", "good.md": "`curl https://example.com`\n", "x/bad.sh": "curl --urls https://example.com\n"}
	for name, text := range docs {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Beside the folder, so that they are no files of it.
	baseline, document := filepath.Join(release, "known.json"), filepath.Join(release, "api.json")
	known := exec.Command(program, "lint", "-baseline", baseline, "-write-baseline", ".")
	known.Dir = dir
	if out, err := known.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	api := `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://example.com"}], "paths": {"/a": {"get": {"responses": {}}}}}`
	if err := os.WriteFile(document, []byte(api), 0o666); err != nil {
		t.Fatal(err)
	}
	sums := func(sum string) { // with another file, and one whose name begins alike
		text := fmt.Sprintf("%064d  %s.exe\n%s  %s\n%064d  other\n", 0, name, sum, name, 0)
		if err := os.WriteFile(filepath.Join(release, "SHA256SUMS"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sums(fmt.Sprintf("%x", sha256.Sum256(built)))
	const found = "::error file=a b.md,line=2,"
	for _, c := range []struct {
		inputs map[string]string
		code   int
		want   string
	}{
		{map[string]string{"program": program}, 1, found},
		{map[string]string{"release": "file://" + release + "/"}, 1, found},
		{map[string]string{"program": program, "files": "good.md\n"}, 0, "0 findings in 1 command of 1 file"},
		{map[string]string{"program": program, "files": "\n  good.md\n a b.md\n"}, 1, "1 finding in 2 commands of 2 files"},
		{map[string]string{"program": program, "exclude": "x/\na b.md"}, 0, "0 findings in 1 command of 1 file"},
		{map[string]string{"program": program, "fail": "false", "sarif": "true"}, 0, found},
		{map[string]string{"program": program, "files": "nothing.md\n."}, 2, found},
		{map[string]string{"program": program, "baseline": baseline}, 0, "0 findings in 3 commands of 3 files"},
		{map[string]string{"program": program, "openapi": document, "files": "good.md"}, 1, "unknown-path"},
		{map[string]string{"program": program, "since": "HEAD"}, 2, "git"},
		{map[string]string{"program": program, "files": "-exclude", "fail": "false"}, 2, "-exclude"},
		{map[string]string{"program": program, "files": "$(touch acted)\n`touch acted`;touch acted"}, 2, "touch acted"},
		{map[string]string{"program": "nothing"}, 2, "names no program"},
	} {
		printed, values, code := a.run(t, dir, c.inputs)
		if code != c.code || !strings.Contains(printed, c.want) {
			t.Errorf("%v: exit code %d, want %d with %s:\n%s", c.inputs, code, c.code, c.want, printed)
		}
		report := values["steps.lint.outputs.sarif"]
		if (report != "") != (c.inputs["sarif"] == "true") {
			t.Errorf("%v: the report is %q", c.inputs, report)
		} else if text, err := os.ReadFile(report); report != "" && (err != nil || strings.Count(string(text), `"ruleId": "unknown-option"`) != 2) {
			t.Errorf("%v: %v\n%s", c.inputs, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "acted")); err == nil {
		t.Error("a name of a file has run as a command")
	}
	sums(strings.Repeat("0", 64))
	if printed, _, code := a.run(t, dir, map[string]string{"release": "file://" + release}); code == 0 || strings.Contains(printed, found) {
		t.Errorf("a program with a wrong checksum has run:\n%s", printed)
	}
}

// TestWorkflows has actionlint check the workflow of docs/lint.md, and with it the
// inputs of the action.
func TestWorkflows(t *testing.T) {
	if testing.Short() {
		t.Skip("building actionlint takes a while")
	}
	docs, err := os.ReadFile("docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	workflow := regexp.MustCompile("(?s)```yaml\n(on: .*?)```").FindSubmatch(docs)
	if workflow == nil {
		t.Fatal("docs/lint.md has no workflow")
	}
	action, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tools, err := filepath.Abs("tools/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	lint := []string{"tool", "-modfile=" + tools, "actionlint"}
	if exec.Command("go", append(lint, "-version")...).Run() != nil {
		need.Missing(t, "actionlint") // where its modules cannot be had
	}
	check := func(workflow string) string {
		for name, text := range map[string]string{"uncoil/action.yml": string(action), ".github/workflows/a.yml": workflow, ".git/HEAD": ""} {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("go", append(lint, "-oneline", "-shellcheck=", "-pyflakes=", filepath.Join(dir, ".github/workflows/a.yml"))...)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if out := check(string(workflow[1])); out != "" {
		t.Error(out)
	}
	if out := check(strings.Replace(string(workflow[1]), "sarif:", "serif:", 1)); !strings.Contains(out, "serif") {
		t.Errorf("actionlint does not see an input that is not there: %s", out)
	}
}

// TestHooks holds the hooks for pre-commit: their programs are subcommands, and the
// files that they are for have commands or markers.
func TestHooks(t *testing.T) {
	text, err := os.ReadFile(".pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry, Language, Files string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		if h.Language != "golang" || !strings.HasPrefix(h.Entry, "uncoil "+strings.TrimPrefix(h.ID, "uncoil-")) {
			t.Errorf("%+v", h)
		}
		files, err := regexp.Compile(h.Files)
		if err != nil {
			t.Error(err)
			continue
		}
		for name, want := range map[string]bool{"docs/a.md": true, "B.MDX": true, "c.rst": true, "d.adoc": true, "e.go": false, "Dockerfile": h.ID != "uncoil-snippets", "amd": false} {
			if h.Files != "" && files.MatchString(name) != want {
				t.Errorf("%s and %s: %t, want %t", h.ID, name, !want, want)
			}
		}
	}
}
