// Package corpus reads the cases of testdata. Only tests import it.
//
// A case is a txtar archive. Its comment has fields, each on a line; its
// sections hold a command, what the command takes from outside its text, and
// what is expected. testdata/README.md describes the format.
package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"uncoil/diag"
)

// A Kind is one of the directories of testdata that hold cases.
type Kind struct {
	dir      string
	command  string   // the section that holds the command
	fields   []string // that the comment may have; nil: the comment is free text
	inputs   []string // sections besides the command and files
	expected []string // sections, in the order in which they are written
	marked   bool     // the command marks a span with « and »
}

// The kinds of cases.
var (
	Commands = Kind{dir: "corpus", command: "command", inputs: inputs,
		fields:   []string{"why", "source", "since", "oracle"},
		expected: []string{"convert.json", "error", "requests.json", "warnings"}}
	Errors = Kind{dir: "errors", command: "command", inputs: inputs, marked: true,
		fields: []string{"why", "source", "since", "oracle", "as", "target", "option", "files", "variable", "count"}}
	Pasted = Kind{dir: "pasted", command: "text",
		expected: []string{"shell", "convert.json", "requests.json", "warnings"}}
)

var inputs = []string{"stdin", "env", "shell", "clean", "meant", "entry"}

// Now is the time at which the expectations hold.
var Now = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// A Case is one file.
type Case struct {
	Path    string // of the file
	Name    string // within its kind, without extension: data/json
	Fields  map[string]string
	Command string
	Span    diag.Span // what Errors mark in the command
	Clean   string    // the command as bash takes it, where the text is read as it was meant; "" for none
	Meant   string    // the command that applying all fixes must come to; "" for none
	// What the command takes from outside its text.
	Shell string
	Entry int
	Files map[string][]byte
	Stdin []byte
	Env   map[string]string

	Expected map[string]string

	kind    Kind
	archive *txtar.Archive
}

// Root returns the directory of the module that the test belongs to.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("no go.mod in the working directory or above")
		}
		dir = parent
	}
}

// Read returns the cases of some kinds, each kind in the order of the names.
func Read(tb testing.TB, kinds ...Kind) []*Case {
	tb.Helper()
	var cases []*Case
	for _, kind := range kinds {
		root := filepath.Join(Root(tb), "testdata", kind.dir)
		before := len(cases)
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			c, err := read(kind, path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			name, err := filepath.Rel(root, path)
			c.Name = strings.TrimSuffix(filepath.ToSlash(name), ".txtar")
			cases = append(cases, c)
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
		if len(cases) == before {
			tb.Fatalf("no cases in %s", root)
		}
	}
	return cases
}

func read(kind Kind, path string) (*Case, error) {
	if filepath.Ext(path) != ".txtar" {
		return nil, errors.New("not a .txtar file")
	}
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	c := &Case{
		Path: path, Fields: make(map[string]string), Expected: make(map[string]string),
		kind: kind, archive: archive,
	}
	if err := c.comment(); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, f := range archive.Files {
		name, content := f.Name, string(f.Data)
		if base, ok := strings.CutSuffix(name, " (quoted)"); ok {
			if content, err = strconv.Unquote(strings.TrimSpace(content)); err != nil {
				return nil, fmt.Errorf("section %s: %w", name, err)
			}
			name = base
		} else if name == kind.command || name == "shell" && !slices.Contains(kind.expected, name) {
			content = strings.TrimSuffix(content, "\n")
		}
		if seen[name] {
			return nil, fmt.Errorf("section %s is repeated", name)
		}
		seen[name] = true
		if err := c.section(name, content); err != nil {
			return nil, err
		}
	}
	if !seen[kind.command] {
		return nil, fmt.Errorf("the section %s is missing", kind.command)
	}
	if kind.marked {
		return c, c.unmark()
	}
	return c, nil
}

// comment reads the fields.
func (c *Case) comment() error {
	if c.kind.fields == nil {
		if len(c.archive.Comment) == 0 {
			return errors.New("the comment is missing")
		}
		return nil
	}
	for line := range strings.Lines(string(c.archive.Comment)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if name == "" && !ok {
			continue
		}
		if !ok || !slices.Contains(c.kind.fields, name) || c.Fields[name] != "" {
			return fmt.Errorf("the comment has %q, which is not one of the fields %v", line, c.kind.fields)
		}
		c.Fields[name] = strings.TrimSpace(value)
	}
	if c.Fields["why"] == "" || c.Fields["source"] == "" {
		return errors.New("the comment lacks why or source")
	}
	return nil
}

func (c *Case) section(name, content string) error {
	file, isFile := strings.CutPrefix(name, "files/")
	switch {
	case name == c.kind.command:
		c.Command = content
	case slices.Contains(c.kind.expected, name):
		c.Expected[name] = content
	case c.kind.inputs != nil && isFile:
		if c.Files == nil {
			c.Files = make(map[string][]byte)
		}
		c.Files[file] = []byte(content)
	case !slices.Contains(c.kind.inputs, name):
		return fmt.Errorf("unknown section %s", name)
	case name == "clean":
		c.Clean = strings.TrimSuffix(content, "\n")
	case name == "meant":
		c.Meant = strings.TrimSuffix(content, "\n")
	case name == "stdin":
		c.Stdin = []byte(content)
	case name == "shell":
		c.Shell = content
	case name == "entry":
		n, err := strconv.Atoi(strings.TrimSpace(content))
		c.Entry = n
		return err
	case name == "env":
		c.Env = make(map[string]string)
		for line := range strings.Lines(content) {
			variable, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if !ok {
				return fmt.Errorf("env has %q, which is not NAME=value", line)
			}
			c.Env[variable] = value
		}
	}
	return nil
}

// unmark takes the marks out of the command.
func (c *Case) unmark() error {
	before, rest, ok := strings.Cut(c.Command, "«")
	marked, after, ok2 := strings.Cut(rest, "»")
	if !ok || !ok2 || strings.ContainsAny(after, "«»") {
		return errors.New("the command has no span between « and »")
	}
	c.Command = before + marked + after
	c.Span = diag.Span{Start: int32(len(before)), End: int32(len(before) + len(marked))}
	return nil
}

// Rewrite replaces the expected sections of the file and leaves out empty ones.
func (c *Case) Rewrite(tb testing.TB, sections map[string]string) {
	tb.Helper()
	archive := &txtar.Archive{Comment: c.archive.Comment}
	for _, f := range c.archive.Files {
		if !slices.Contains(c.kind.expected, f.Name) {
			archive.Files = append(archive.Files, f)
		}
	}
	for _, name := range c.kind.expected {
		if sections[name] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(sections[name])})
		}
	}
	if text := txtar.Format(archive); !bytes.Equal(text, txtar.Format(c.archive)) {
		if err := os.WriteFile(c.Path, text, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}
