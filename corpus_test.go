package uncoil_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"uncoil"
	"uncoil/diag"
)

var update = flag.Bool("update", false, "rewrite what the tests expect")

// A corpusCase is one file of testdata/corpus or testdata/errors: a txtar
// archive whose comment has the fields why (one line), source (what the
// expectation rests on), since (the first curl that behaves so) and oracle
// ("no" and a reason, where a real curl cannot judge).
//
// The sections that say what to convert are command, files/NAME, stdin, env
// (NAME=value on each line) and shell. The line break that ends command and
// shell is not part of them; that of files and stdin is. A section named
// "NAME (quoted)" holds its content as a Go string, for bytes that would not
// be seen, or that no line can end.
//
// A corpus file says what is expected in convert.json, or in error (code and
// place) where that has no answer; in requests.json; and in warnings, where
// no such section means no warning.
type corpusCase struct {
	path    string
	archive *txtar.Archive
	fields  map[string]string
	command string
	input   uncoil.Input
}

// corpusFields are the fields that the comment of a file may have.
var corpusFields = []string{"why", "source", "since", "oracle"}

// readCases reads all files below a directory, by name.
func readCases(t *testing.T, dir string, fields []string) []*corpusCase {
	t.Helper()
	var cases []*corpusCase
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if filepath.Ext(path) != ".txtar" {
			return fmt.Errorf("%s: not a .txtar file", path)
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		c, err := parseCase(archive, fields)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		c.path = path
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("no cases in %s", dir)
	}
	return cases
}

func parseCase(archive *txtar.Archive, fields []string) (*corpusCase, error) {
	c := &corpusCase{archive: archive, fields: make(map[string]string)}
	c.input.Now = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for line := range strings.Lines(string(archive.Comment)) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if name == "" && !ok {
			continue
		}
		if !ok || !slices.Contains(fields, name) || c.fields[name] != "" {
			return nil, fmt.Errorf("the comment has %q, which is none of the fields %v", line, fields)
		}
		c.fields[name] = strings.TrimSpace(value)
	}
	if c.fields["why"] == "" || c.fields["source"] == "" {
		return nil, errors.New("the comment lacks why or source")
	}
	seen := make(map[string]bool)
	for _, f := range archive.Files {
		name, content := f.Name, string(f.Data)
		if base, ok := strings.CutSuffix(name, " (quoted)"); ok {
			unquoted, err := strconv.Unquote(strings.TrimSpace(content))
			if err != nil {
				return nil, fmt.Errorf("section %s: %w", name, err)
			}
			name, content = base, unquoted
		} else if name == "command" || name == "shell" {
			content = strings.TrimSuffix(content, "\n")
		}
		if seen[name] {
			return nil, fmt.Errorf("section %s is there twice", name)
		}
		seen[name] = true
		if err := c.section(name, content); err != nil {
			return nil, err
		}
	}
	if !seen["command"] {
		return nil, errors.New("there is no section command")
	}
	return c, nil
}

func (c *corpusCase) section(name, content string) error {
	file, isFile := strings.CutPrefix(name, "files/")
	switch {
	case isFile:
		if c.input.Files == nil {
			c.input.Files = make(map[string][]byte)
		}
		c.input.Files[file] = []byte(content)
	case name == "command":
		c.command = content
	case name == "stdin":
		c.input.Stdin = []byte(content)
	case name == "shell":
		c.input.Shell = content
	case name == "env":
		c.input.Env = make(map[string]string)
		for line := range strings.Lines(content) {
			variable, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if !ok {
				return fmt.Errorf("env has %q, which is not NAME=value", line)
			}
			c.input.Env[variable] = value
		}
	case slices.Contains(expectations, name):
	default:
		return fmt.Errorf("there is no section of the name %s", name)
	}
	return nil
}

// expectations are the sections that -update writes, in this order.
var expectations = []string{"convert.json", "error", "requests.json", "warnings"}

// TestCorpus converts the commands of testdata/corpus. That the expectations
// are what curl does is tested in internal/oracle.
func TestCorpus(t *testing.T) {
	for _, c := range readCases(t, filepath.Join("testdata", "corpus"), corpusFields) {
		name, _ := filepath.Rel(filepath.Join("testdata", "corpus"), c.path)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			got := answers(t, c)
			if *update {
				c.rewrite(t, got)
				return
			}
			if len(c.expected()) == 0 {
				t.Errorf("%s expects nothing: run  go test . -run Corpus -update  and check what it writes", c.path)
			}
			for _, section := range expectations {
				want, isThere := c.expected()[section]
				if !isThere && section != "warnings" {
					continue
				}
				if diff := cmp.Diff(want, got[section]); diff != "" {
					t.Errorf("%s: %s differs (-want +got):\n%s\n%s", c.path, section, diff, c.command)
				}
			}
		})
	}
}

// answers returns the expectations that the present answers meet.
func answers(t *testing.T, c *corpusCase) map[string]string {
	t.Helper()
	got := make(map[string]string)
	result, err := uncoil.Parse(c.command, c.input)
	if err != nil {
		got["error"] = errorLine(t, err)
		return got
	}
	var description struct {
		Requests json.RawMessage
	}
	if err := json.Unmarshal(result.AppendJSON(nil), &description); err != nil {
		t.Fatalf("the description is no JSON: %v", err)
	}
	got["requests.json"] = indented(t, description.Requests)
	for _, w := range result.Warnings {
		line, column := diag.Position(c.command, w.Span.Start)
		got["warnings"] += fmt.Sprintf("%s %d:%d\n", w.Code, line, column)
	}
	converted, err := result.AppendConvert(nil)
	if err != nil {
		got["error"] = errorLine(t, err)
		return got
	}
	got["convert.json"] = indented(t, converted)
	return got
}

func errorLine(t *testing.T, err error) string {
	t.Helper()
	var e *uncoil.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is a %T", err)
	}
	return fmt.Sprintf("%s %d:%d\n", e.Code, e.Line, e.Column)
}

// indented returns JSON as the files hold it: digits, escapes and the order
// of members stay.
func indented(t *testing.T, src []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, src, "", "  "); err != nil {
		t.Fatalf("%v in %s", err, src)
	}
	return b.String() + "\n"
}

// expected returns the expectations that the file states.
func (c *corpusCase) expected() map[string]string {
	m := make(map[string]string)
	for _, f := range c.archive.Files {
		if slices.Contains(expectations, f.Name) {
			m[f.Name] = string(f.Data)
		}
	}
	return m
}

// rewrite writes the present answers into the file: the sections that are
// there, and in a file without any the ones that say most in little.
func (c *corpusCase) rewrite(t *testing.T, got map[string]string) {
	t.Helper()
	stated := c.expected()
	archive := &txtar.Archive{Comment: c.archive.Comment}
	for _, f := range c.archive.Files {
		if !slices.Contains(expectations, f.Name) {
			archive.Files = append(archive.Files, f)
		}
	}
	for _, section := range expectations {
		_, wanted := stated[section]
		switch section {
		case "convert.json", "requests.json":
			wanted = wanted || len(stated) == 0 && (section == "convert.json" || got["convert.json"] == "")
		default:
			wanted = true
		}
		if wanted && got[section] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: section, Data: []byte(got[section])})
		}
	}
	if text := txtar.Format(archive); !bytes.Equal(text, txtar.Format(c.archive)) {
		if err := os.WriteFile(c.path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCorpusIsOwn holds the form of the files: names, fields, and the reasons
// for what no real curl judges.
func TestCorpusIsOwn(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*\.txtar$`)
	since := regexp.MustCompile(`^(\d+\.\d+\.\d+)?$`)
	complaints := make(map[string]bool)
	for _, c := range readCases(t, filepath.Join("testdata", "corpus"), corpusFields) {
		base := filepath.Base(c.path)
		if !name.MatchString(base) {
			t.Errorf("%s: the name is not words with dashes", c.path)
		}
		if !since.MatchString(c.fields["since"]) {
			t.Errorf("%s: since is %q, which is not a version", c.path, c.fields["since"])
		}
		if oracle, ok := c.fields["oracle"]; ok && !strings.HasPrefix(oracle, "no, ") {
			t.Errorf("%s: oracle is %q; write  oracle: no, REASON", c.path, oracle)
		}
		if filepath.Base(filepath.Dir(c.path)) == "complaints" {
			complaints[base[:len("c00")]] = true
		}
	}
	for i := 1; i <= 48; i++ {
		if number := fmt.Sprintf("c%02d", i); !complaints[number] {
			t.Errorf("testdata/corpus/complaints has no file for %s", number)
		}
	}
}
