package repo

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/shell"

	"uncoil/internal/edge/cli"
	"uncoil/internal/edge/httpapi"
	"uncoil/internal/edge/serve"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
)

// TestReadmeConsole runs the commands of the README and compares what they
// print.
func TestReadmeConsole(t *testing.T) {
	blocks := readmeBlocks(t, "console")
	if len(blocks) < 3 {
		t.Fatalf("the README has %d console blocks", len(blocks))
	}
	for _, block := range blocks {
		command, want, _ := strings.Cut(strings.TrimPrefix(block, "$ "), "\n")
		args, err := shell.Fields(command, nil)
		if err != nil || args[0] != "uncoil" {
			t.Fatalf("not a command of uncoil: %s", command)
		}
		var out bytes.Buffer
		cli.Run(args[1:], strings.NewReader(""), &out, &out, func(string) string { return "" }, serve.Serve)
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%s (-README +got):\n%s", command, diff)
		}
	}
}

// TestReadmeService checks that the first command of the README, and what it
// sends to the service as text and as JSON, have the answer that it shows.
func TestReadmeService(t *testing.T) {
	answer := strings.TrimSpace(readmeBlocks(t, "json")[0])
	var call string
	for _, block := range readmeBlocks(t, "sh") {
		if strings.Contains(block, "text/plain") {
			call = block
		}
	}
	reading := source.Split(call, source.POSIX, nil, meter.New(len(call), meter.Limits{}, nil), nil)
	args := reading.Commands[0].Args
	command := args[len(args)-1].Text
	object, err := json.Marshal(map[string]string{"curl": command})
	if err != nil {
		t.Fatal(err)
	}
	first := readmeBlocks(t, "sh")[0]
	if !strings.Contains(first, "./uncoil '"+command+"'") {
		t.Errorf("the first block does not convert the command of the service:\n%s", first)
	}
	var out bytes.Buffer
	cli.Run([]string{command}, strings.NewReader(""), &out, &out, func(string) string { return "" }, serve.Serve)
	if got := strings.TrimSpace(out.String()); got != answer {
		t.Errorf("the command line:\n got %s\nwant %s", got, answer)
	}
	server := httptest.NewServer(httpapi.New(httpapi.Config{}))
	defer server.Close()
	for contentType, body := range map[string]string{"text/plain": command, "application/json": string(object)} {
		response, err := server.Client().Post(server.URL+"/api/convert", contentType, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if string(got) != answer {
			t.Errorf("%s:\n got %s\nwant %s", contentType, got, answer)
		}
	}
}

// TestReadmeProofs checks that the tests which the README names exist.
func TestReadmeProofs(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)\\| `([^`]+)` in `([^`]+)` \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Errorf("the README has %d proofs", len(rows))
	}
	for _, row := range rows {
		name, place := row[1], row[2]
		files, declaration := []string{place}, "test(\""+name+"\","
		if strings.HasPrefix(name, "Test") {
			files, _ = filepath.Glob(filepath.Join(place, "*_test.go"))
			declaration = "\nfunc " + name + "(t *testing.T)"
		}
		if !slices.ContainsFunc(files, func(file string) bool {
			source, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(source), declaration)
		}) {
			t.Errorf("there is no test %s in %s", name, place)
		}
	}
}

// readmeBlocks returns the fenced blocks of a language.
func readmeBlocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(text), "```") {
		if first, rest, ok := strings.Cut(part, "\n"); i%2 == 1 && ok && first == language {
			blocks = append(blocks, rest)
		}
	}
	return blocks
}
