package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/edge/suffix"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

var update = flag.Bool("update", false, "rewrite what the tests expect")

// inputOf returns the input of a case besides its text.
func inputOf(c *corpus.Case) engine.Input {
	return engine.Input{Shell: c.Shell, Entry: c.Entry, Files: c.Files, Stdin: c.Stdin, Env: c.Env, Now: corpus.Now, PublicSuffix: suffix.Public}
}

// TestCorpus converts the commands of testdata/corpus. That the expectations
// are what curl does is tested in internal/proof/oracle.
func TestCorpus(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Commands) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := answers(t, c.Command, inputOf(c))
			if *update {
				rewrite(t, c, got)
				return
			}
			if len(c.Expected) == 0 {
				t.Errorf("%s expects nothing: run  go test . -run Corpus -update  and check what it writes", c.Path)
			}
			checkAnswers(t, c, got, "convert.json", "error", "requests.json")
		})
	}
}

// checkAnswers compares the sections that a case states, and its warnings in
// any case.
func checkAnswers(t *testing.T, c *corpus.Case, got map[string]string, sections ...string) {
	t.Helper()
	for _, section := range append(sections, "warnings") {
		want, stated := c.Expected[section]
		if !stated && section != "warnings" {
			continue
		}
		if diff := cmp.Diff(want, got[section]); diff != "" {
			t.Errorf("%s: %s differs (-want +got):\n%s\n%s", c.Path, section, diff, c.Command)
		}
	}
}

// answers returns the expected sections for the current answers.
func answers(t *testing.T, command string, in engine.Input) map[string]string {
	t.Helper()
	got := make(map[string]string)
	result, err := engine.Parse(command, in)
	if err != nil {
		got["error"] = errorLine(t, err)
		return got
	}
	got["shell"] = result.Shell + "\n"
	var description struct {
		Requests json.RawMessage
	}
	if err := json.Unmarshal(result.AppendJSON(nil), &description); err != nil {
		t.Fatalf("the description is not JSON: %v", err)
	}
	got["requests.json"] = indented(t, description.Requests)
	for _, w := range result.Warnings {
		line, column := diag.Position(command, w.Span.Start)
		got["warnings"] += fmt.Sprintf("%s %v %d:%d\n", w.Code, w.Level, line, column)
	}
	converted, err := appendResult(nil, result)
	if err != nil {
		got["error"] = errorLine(t, err)
		return got
	}
	got["convert.json"] = indented(t, converted)
	return got
}

func errorLine(t *testing.T, err error) string {
	t.Helper()
	var e *engine.Error
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

// rewrite writes the current answers into the file. Of convert.json and
// requests.json it keeps those that the file has; a file with neither gets the
// shorter one that is available.
func rewrite(t *testing.T, c *corpus.Case, got map[string]string) {
	t.Helper()
	none := len(c.Expected) == 0
	if _, stated := c.Expected["convert.json"]; !stated && !none {
		delete(got, "convert.json")
	}
	if _, stated := c.Expected["requests.json"]; !stated && !(none && got["convert.json"] == "") {
		delete(got, "requests.json")
	}
	c.Rewrite(t, got)
}

// TestCorpusIsOwn checks the form of the files: names, fields, and the reasons
// for what no real curl judges.
func TestCorpusIsOwn(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*\.txtar$`)
	since := regexp.MustCompile(`^(\d+\.\d+\.\d+)?$`)
	complaints := make(map[string]bool)
	for _, c := range corpus.Read(t, corpus.Commands) {
		base := filepath.Base(c.Path)
		if !name.MatchString(base) {
			t.Errorf("%s: the name is not words with dashes", c.Path)
		}
		if !since.MatchString(c.Fields["since"]) {
			t.Errorf("%s: since is %q, which is not a version", c.Path, c.Fields["since"])
		}
		if oracle, ok := c.Fields["oracle"]; ok && !strings.HasPrefix(oracle, "no, ") {
			t.Errorf("%s: oracle is %q; write  oracle: no, REASON", c.Path, oracle)
		}
		if filepath.Base(filepath.Dir(c.Path)) == "complaints" {
			complaints[base[:len("c00")]] = true
		}
	}
	for i := 1; i <= 48; i++ {
		if number := fmt.Sprintf("c%02d", i); !complaints[number] {
			t.Errorf("testdata/corpus/complaints has no file for %s", number)
		}
	}
}
