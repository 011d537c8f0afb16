package oracle

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"uncoil"
)

// A corpusCommand is what a file of the corpus has bash and curl do. The
// format of the files is described in corpus_test.go at the module's root.
type corpusCommand struct {
	name, command string
	setup         Setup
	since         Version
	unjudged      string // why no curl can judge it
}

// readCorpus reads all commands below a directory of testdata.
func readCorpus(t *testing.T, dir string) []corpusCommand {
	t.Helper()
	root := filepath.Join("..", "..", "testdata", dir)
	var commands []corpusCommand
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		c, err := parseCorpus(archive)
		c.name = strings.TrimSuffix(filepath.ToSlash(name), ".txtar")
		commands = append(commands, c)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return commands
}

func parseCorpus(archive *txtar.Archive) (c corpusCommand, err error) {
	for line := range strings.Lines(string(archive.Comment)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); name {
		case "since":
			if c.since, err = ParseVersion(value); err != nil {
				return c, err
			}
		case "oracle":
			c.unjudged = strings.TrimPrefix(value, "no, ")
		}
	}
	c.setup.Env = make(map[string]string)
	c.setup.Files = make(map[string][]byte)
	for _, f := range archive.Files {
		name, content := f.Name, string(f.Data)
		if base, ok := strings.CutSuffix(name, " (quoted)"); ok {
			name = base
			if content, err = strconv.Unquote(strings.TrimSpace(content)); err != nil {
				return c, err
			}
		} else if name == "command" {
			content = strings.TrimSuffix(content, "\n")
		}
		file, isFile := strings.CutPrefix(name, "files/")
		switch {
		case isFile:
			c.setup.Files[file] = []byte(content)
		case name == "command":
			c.command = content
		case name == "stdin":
			c.setup.Stdin = []byte(content)
		case name == "env":
			for line := range strings.Lines(content) {
				variable, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
				c.setup.Env[variable] = value
			}
		}
	}
	return c, nil
}

// judge runs a command by bash and curl, or skips the test.
func (c *corpusCommand) judge(t *testing.T) Result {
	t.Helper()
	t.Parallel()
	version, err := CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	if c.unjudged != "" {
		t.Skipf("no curl can judge it: %s", c.unjudged)
	}
	if version.Compare(c.since) < 0 {
		t.Skipf("it holds from curl %v on, and this is %v", c.since, version)
	}
	got, err := Run(context.Background(), c.command, c.setup)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestCorpus has curl judge every command of testdata/corpus.
func TestCorpus(t *testing.T) {
	Require(t)
	for _, c := range readCorpus(t, "corpus") {
		t.Run(c.name, func(t *testing.T) {
			got := c.judge(t)
			if difference := c.differs(got); difference != "" {
				t.Errorf("%s\n%s", c.command, difference)
			}
		})
	}
}

// differs returns how uncoil's reading of the command differs from what curl
// did, or "". Unlike compare it makes no allowance: a case that needs one says
// so in its file.
func (c *corpusCommand) differs(got Result) string {
	version, err := CurlVersion()
	if err != nil {
		return err.Error()
	}
	var sent []Request
	for _, r := range got.Requests {
		if !r.IsTunnel() {
			sent = append(sent, r)
		}
	}
	result, err := uncoil.Parse(c.command, c.setup.input())
	if err != nil {
		if len(sent) > 0 {
			return fmt.Sprintf("curl sent %s, uncoil refuses: %v", sent[0].Line(), err)
		}
		return ""
	}
	sent = dropUnfinished(sent, got, result)
	if len(sent) != len(result.Requests) {
		return fmt.Sprintf("curl sent %d requests (exit %d: %s), uncoil says %d", len(sent), got.Exit, lastLine(got.Stderr), len(result.Requests))
	}
	for i := range sent {
		if difference := compareRequest(&sent[i], &result.Requests[i], version); difference != "" {
			return fmt.Sprintf("request %d: %s", i+1, difference)
		}
	}
	return ""
}

// TestErrors holds that curl, too, sends nothing for a command of
// testdata/errors, and says so by its exit code.
func TestErrors(t *testing.T) {
	Require(t)
	for _, c := range readCorpus(t, "errors") {
		t.Run(c.name, func(t *testing.T) {
			c.command = strings.NewReplacer("«", "", "»", "").Replace(c.command)
			got := c.judge(t)
			if len(got.Requests) > 0 {
				t.Errorf("curl sent %s\n%s", got.Requests[0].Line(), c.command)
			}
			if got.Exit == 0 {
				t.Errorf("curl is content\n%s", c.command)
			}
		})
	}
}
