package code_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/request"
)

// missing reports that a tool cannot be run: a failure where the runtimes are
// required.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("UNCOIL_REQUIRE_RUNTIMES") == "1" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// TestReaders has libraries of the tools read the files that are written for
// these, and compares methods and URLs: har-validator, Postman's collection,
// Bruno's parser, its importers of Insomnia and OpenAPI, and httpYac's parser.
func TestReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("reading all files takes a while")
	}
	if os.Getenv("UNCOIL_NODE_MODULES") == "" {
		missing(t, "UNCOIL_NODE_MODULES names no folder with the libraries")
	}
	type message struct {
		Method string `json:"method"`
		URL    string `json:"url,omitempty"`
	}
	var input bytes.Buffer
	for _, format := range []string{"har", "postman", "bruno", "insomnia", "http", "openapi"} {
		target, _ := code.Lookup(format)
		eachFile(t, format, func(command string, requests []request.Request, file []byte) {
			var list []message
			for i := range requests {
				m := message{Method: requests[i].Method}
				if len(requests[i].Variables) == 0 && !strings.Contains(requests[i].URL, "{{") {
					m.URL = target.Spelled(&requests[i]).URL
				}
				list = append(list, m)
			}
			line, err := json.Marshal(map[string]any{"format": format, "command": command, "file": string(file), "requests": list})
			if err != nil {
				t.Fatal(err)
			}
			input.Write(append(line, '\n'))
		})
	}
	cmd := exec.Command("node", filepath.Join("testdata", "readers.mjs"))
	cmd.Stdin = &input
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}

// checkFiles runs a command with the names of all files of a target.
func checkFiles(t *testing.T, target, extension, name string, arguments ...string) {
	t.Helper()
	dir := t.TempDir()
	eachFile(t, target, func(_ string, _ []request.Request, file []byte) {
		path := filepath.Join(dir, "request"+strconv.Itoa(len(arguments))+extension)
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, path)
	})
	if out, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWorkflows has actionlint check the workflows of GitHub Actions.
func TestWorkflows(t *testing.T) {
	if testing.Short() {
		t.Skip("building actionlint takes a while")
	}
	actionlint := []string{"tool", "-modfile=" + filepath.Join("..", "tools", "go.mod"), "actionlint"}
	if out, err := exec.Command("go", append(actionlint, "-version")...).CombinedOutput(); err != nil {
		missing(t, "actionlint cannot be built: "+string(out))
	}
	checkFiles(t, "github-actions", ".yml", "go", append(actionlint, "-oneline", "-shellcheck=", "-pyflakes=")...)
}

// TestPlaybooks has Ansible check the syntax of the playbooks.
func TestPlaybooks(t *testing.T) {
	parallel(t)
	if testing.Short() {
		t.Skip("reading all playbooks takes a while")
	}
	if _, err := exec.LookPath("ansible-playbook"); err != nil {
		missing(t, err.Error())
	}
	checkFiles(t, "ansible", ".yml", "ansible-playbook", "-i", "localhost,", "--syntax-check")
}

// TestHurlFormatter has Hurl's own formatter read the files.
func TestHurlFormatter(t *testing.T) {
	if _, err := exec.LookPath("hurlfmt"); err != nil {
		t.Skip(err) // Debian 12 has no package of it
	}
	checkFiles(t, "hurl", ".hurl", "hurlfmt", "--out", "json", "--output", os.DevNull)
}
