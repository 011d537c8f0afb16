package code_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// A formatter is the tool that those who write a language have their programs laid out
// by.
type formatter struct {
	name      string
	targets   []string
	extension string
	command   []string // which lays out the files whose names follow
	config    map[string]string
}

// mostChanged is the share of the lines of programs that a formatter may change.
const mostChanged = 0.02

var formatters = []formatter{
	{"black", []string{"python-aiohttp", "python-http", "python-httpx", "python-httpx-async", "python-locust", "python-pycurl", "python-requests", "python-urllib", "python-urllib3"}, "py",
		[]string{"black", "--quiet", "--line-length=100"}, nil},
	{"prettier", []string{"browser-fetch", "javascript-fetch", "javascript-jquery", "javascript-xhr", "k6", "node-axios", "node-got", "node-http", "node-ky", "node-ofetch", "node-superagent", "node-undici", "playwright", "playwright-test"}, "mjs",
		[]string{"prettier", "--print-width=100", "--log-level=warn", "--write"}, nil},
	{"prettier", []string{"typescript"}, "ts", []string{"prettier", "--print-width=100", "--log-level=warn", "--write"}, nil},
	{"rustfmt", []string{"rust", "rust-reqwest-async", "rust-ureq"}, "rs", []string{"rustfmt", "--edition=2021"}, nil},
	{"gofmt", []string{"go", "go-resty"}, "go", []string{"gofmt", "-w"}, nil},
	{"rubocop", []string{"ruby", "ruby-faraday", "ruby-httparty"}, "rb",
		[]string{"rubocop", "--autocorrect-all", "--only=Layout", "--format=quiet", "--config=rubocop.yml"},
		map[string]string{"rubocop.yml": "AllCops:\n  SuggestExtensions: false\n  TargetRubyVersion: 3.1\nLayout/LineLength:\n  Max: 100\n"}},
	{"phpcbf", []string{"php", "php-guzzle", "php-http-request2", "php-laravel", "php-symfony"}, "php",
		[]string{"phpcbf", "-q", "--standard=PSR12", "--exclude=PSR1.Files.SideEffects"}, nil},
}

// TestFormatters holds the programs of both styles against the formatters that are
// installed: those for the commands of the goldens and, with -prove, for the commands of
// the corpus and of the proofs, too. With -short each lays out the programs of one target.
func TestFormatters(t *testing.T) {
	parallel(t)
	var commands []string
	for _, f := range commandFiles(t) {
		commands = append(commands, strings.TrimSuffix(string(f.Data), "\n"))
	}
	if *prove {
		cases, _ := proofCases(t)
		for _, c := range cases {
			commands = append(commands, c.Command)
		}
	}
	for _, f := range formatters {
		for i, name := range f.targets {
			if testing.Short() && i > 0 {
				break
			}
			t.Run(f.name+"/"+name, func(t *testing.T) { f.judge(t, name, code.StyleIdiomatic, commands) })
			t.Run(f.name+"/"+name+"/exact", func(t *testing.T) { f.judge(t, name, code.StyleExact, commands) })
		}
	}
}

// judge lays out the programs of a target, and counts the lines that differ then.
func (f *formatter) judge(t *testing.T, target string, style code.Style, commands []string) {
	tool := f.find()
	if tool == "" {
		if os.Getenv("UNCOIL_REQUIRE_RUNTIMES") == "1" {
			t.Fatal(f.name, "is not installed")
		}
		t.Skip(f.name, "is not installed")
	}
	dir := t.TempDir()
	for name, content := range f.config {
		save(t, filepath.Join(dir, name), content)
	}
	programs := make(map[string]string)
	command := exec.Command(tool, f.command[1:]...)
	command.Dir = dir
	for i, text := range commands {
		if program := written(t, target, style, text); program != "" {
			name := "program" + strconv.Itoa(i) + "." + f.extension
			programs[name] = program
			save(t, filepath.Join(dir, name), program)
			command.Args = append(command.Args, name)
		}
	}
	if len(programs) < len(commands)/2 {
		t.Fatalf("%d programs for %d commands", len(programs), len(commands))
	}
	said, err := command.CombinedOutput() // phpcbf and rubocop end with 1 after a change
	lines, changed := 0, 0
	for name, program := range programs {
		laid, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		before, after := strings.SplitAfter(program, "\n"), strings.SplitAfter(string(laid), "\n")
		lines += len(before)
		if n := max(len(before), len(after)) - common(before, after); n > 0 {
			changed += n
			t.Logf("%s changes %d lines:\n%s\nto:\n%s", f.name, n, program, laid)
		}
	}
	share := float64(changed) / float64(lines)
	t.Logf("%s changes %.2f %% of %d lines", f.name, 100*share, lines)
	if share > mostChanged {
		t.Errorf("%s changes %.2f %% of %d lines, which is more than %.0f %%: %v %.2000s", f.name, 100*share, lines, 100*mostChanged, err, said)
	}
}

// find returns the path of the tool; "" where it is not installed.
func (f *formatter) find() string {
	if modules := os.Getenv("UNCOIL_NODE_MODULES"); modules != "" {
		if path, err := exec.LookPath(filepath.Join(modules, ".bin", f.command[0])); err == nil {
			return path
		}
	}
	path, err := exec.LookPath(f.command[0])
	if err != nil {
		return ""
	}
	return path
}

// written returns the program for a command; "" where the target refuses it.
func written(t *testing.T, target string, style code.Style, command string) string {
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		return ""
	}
	writer, ok := code.Lookup(target)
	if !ok {
		t.Fatal(target)
	}
	program, _, err := writer.Append(nil, r.Requests, code.Options{Style: style})
	if err != nil {
		return ""
	}
	return string(program)
}

func save(t *testing.T, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// common returns how many lines two texts have in common, in their order.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, line := range a {
		before := 0 // of the row before, one column to the left
		for i := range b {
			above := row[i+1]
			if line == b[i] {
				row[i+1] = before + 1
			} else {
				row[i+1] = max(above, row[i])
			}
			before = above
		}
	}
	return slices.Max(row)
}
