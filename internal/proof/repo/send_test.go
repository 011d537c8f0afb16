package repo

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/proof/need"
)

// sent is what a request must share with curl's.
type sent struct {
	Method, Target, Body string
	Fields               map[string]string // those of the answer
}

// record runs send and returns the one request that it makes of a server, whose
// URL is in place of URL in the command, with the fields that names has.
func record(t *testing.T, command string, send func(command string, answer []byte)) sent {
	t.Helper()
	var got []sent
	var names []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s := sent{r.Method, r.RequestURI, string(body), map[string]string{}}
		for _, name := range names {
			s.Fields[name] = strings.Join(r.Header.Values(name), ", ")
		}
		got = append(got, s)
	}))
	defer server.Close()
	command = strings.ReplaceAll(command, "URL", "http://"+server.Listener.Addr().String())
	answer, _, err := engine.Append(nil, command, engine.Want{DataText: true}, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	var members struct{ Headers map[string]string }
	if err := json.Unmarshal(answer, &members); err != nil {
		t.Fatal(err)
	}
	for name := range members.Headers {
		names = append(names, name)
	}
	server.Start() // not before: it reads names
	send(command, answer)
	server.Close() // it writes got until then
	if len(got) != 1 {
		t.Fatalf("%s: %d requests", command, len(got))
	}
	return got[0]
}

// sentCommands are commands whose bodies clients would change.
var sentCommands = []string{
	`curl 'URL/a?b=1&c=%20' -H 'x-a: 1'`,
	`curl URL/ -d a=1 -d 'b=x y'`,
	`curl URL/ --json '{"a":1,"b":[1,2]}'`,
	`curl URL/ -H 'content-type: application/json' -d '[{"ü":"é","n":null}]' -X PUT`,
	`curl URL/ -d '{"a":1}'`,
	`curl URL/ -H 'Content-Type: application/json' -d '"text"'`,
	`curl URL/ -u ann:pw -X DELETE -A me`,
	`curl URL/ -d ''`,
	`curl URL/ --json '{"b": 1.0,  "a": 12345678901234567890}'`,
}

// TestReadmeSend sends the answers as the README says, and compares what arrives
// with what the real curl sends.
func TestReadmeSend(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	js, python, golang := readmeBlocks(t, "js"), readmeBlocks(t, "python"), readmeBlocks(t, "go")
	const (
		readJS     = "import { readFileSync } from \"node:fs\";\nconst answer = JSON.parse(readFileSync(0, \"utf8\"));\n"
		readPython = "import json, sys\nanswer = json.loads(sys.stdin.buffer.read())\n"
		readGo     = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"net/http\"\n\t\"os\"\n\t\"strings\"\n)\n\nfunc main() {\n" +
			"var answer struct{ Method, URL, Data string; Headers map[string]string }\n" +
			"if json.NewDecoder(os.Stdin).Decode(&answer) != nil { os.Exit(1) }\n"
		sendGo = "if err != nil { os.Exit(1) }\nif _, err = http.DefaultTransport.RoundTrip(request); err != nil { os.Exit(1) }\n}\n"
	)
	modules := os.Getenv("UNCOIL_NODE_MODULES")
	for _, client := range []struct {
		name, probe, file, program string
		run                        []string
	}{
		{"requests", "python3 -c 'import requests'", "send.py", readPython + python[0], []string{"python3"}},
		{"httpx", "python3 -c 'import httpx'", "send.py", readPython + python[1], []string{"python3"}},
		{"fetch", "node -e 'fetch'", "send.mjs", readJS + js[0], []string{"node"}},
		{"axios", "test -d '" + modules + "/axios'", "send.mjs", readJS + "import { createRequire } from \"node:module\";\nconst axios = createRequire(\"" + modules + "/x\")(\"axios\");\n" + js[1], []string{"node"}},
		{"go", "go version", "send.go", readGo + golang[0] + sendGo, []string{"go", "run"}},
	} {
		t.Run(client.name, func(t *testing.T) {
			if exec.Command("sh", "-c", client.probe).Run() != nil {
				t.Skip("it is not installed")
			}
			file := filepath.Join(t.TempDir(), client.file)
			if err := os.WriteFile(file, []byte(client.program), 0o644); err != nil {
				t.Fatal(err)
			}
			for i, command := range sentCommands {
				if testing.Short() && i%4 != 0 {
					continue
				}
				want := record(t, command, func(command string, _ []byte) {
					c := exec.Command("sh", "-c", strings.Replace(command, "curl", curl+" -q -s", 1))
					if out, err := c.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v\n%s", command, err, out)
					}
				})
				got := record(t, command, func(_ string, answer []byte) {
					c := exec.Command(client.run[0], append(slices.Clone(client.run[1:]), file)...)
					c.Stdin = bytes.NewReader(answer)
					if out, err := c.CombinedOutput(); err != nil {
						t.Fatalf("%s: %v\n%s", command, err, out)
					}
				})
				compareSent(t, command, want, got)
			}
		})
	}
}

func compareSent(t *testing.T, command string, want, got sent) {
	t.Helper()
	w, _ := json.Marshal(want)
	if g, _ := json.Marshal(got); string(g) != string(w) {
		t.Errorf("%s:\n sends %s\n  curl %s", command, g, w)
	}
}

// TestReadmeModule builds the two snippets of the README for Go in a module of
// their own, which it makes as the README says.
func TestReadmeModule(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	snippets := readmeBlocks(t, "go")[1:] // the first sends an answer of the service
	first, imported := strings.CutPrefix(snippets[0], "import \"uncoil\"\n")
	if !imported || len(snippets) != 2 {
		t.Fatalf("the README has the Go snippets %q", snippets)
	}
	dir := t.TempDir()
	program := "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"os\"\n\n\t\"uncoil\"\n\t\"uncoil/httprequest\"\n)\n\n" +
		"func run(ctx context.Context) error {\n" + first + snippets[1] + "fmt.Println(request.Method, request.Host)\nreturn err\n}\n\nfunc main() { fmt.Println(run(context.Background())) }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	var setup string
	for _, block := range readmeBlocks(t, "sh") {
		if strings.HasPrefix(block, "go mod edit ") {
			setup = strings.ReplaceAll(block, "=../uncoil", "='"+root+"'")
		}
	}
	c := exec.Command(need.Program(t, "sh"), "-ec", "go mod init example.test\n"+setup+"go run .")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	if want := "POST https://api.example.com\nPOST api.example.com\n<nil>\n"; err != nil || !strings.HasSuffix(string(out), want) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestNoRegistry holds that no document installs uncoil from a registry, where
// the name may be another's.
func TestNoRegistry(t *testing.T) {
	from := regexp.MustCompile(`(npm (install|i)|npx|pip install|brew install|go install|docker pull|docker run) uncoil\b`)
	for _, pattern := range []string{"*.md", "docs/*.md", "npm/*.md", "npm/parse/*.md", "deploy/*.md", "web/page/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if found := from.Find(text); found != nil {
				t.Errorf("%s says %s", name, found)
			}
		}
	}
}
