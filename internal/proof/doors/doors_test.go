package doors

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"uncoil/internal/edge/cli"
)

// TestCommandLine holds that what the doors are compared with is what uncoil convert,
// parse and code print.
func TestCommandLine(t *testing.T) {
	questions := Questions(t)
	answered := 0
	for i, want := range Answers(t, questions) {
		q := &questions[i]
		if files, ok := q.Options["files"].(map[string]any); ok && slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(name string) bool { return strings.Contains(name, "=") }) {
			continue // -file NAME=PATH has no such name
		}
		got, exit := q.run(t)
		if (exit == 0) != want.OK {
			t.Errorf("%s: uncoil %s exits with %d, uncoil batch answers %s", q.Name, q.Function, exit, want.Body)
		}
		if exit != 0 || !want.OK {
			continue
		}
		answered++
		expected := want.Body + "\n"
		if q.Function == "code" {
			expected = program(t, want.Body)
		}
		if got != expected {
			t.Errorf("%s: uncoil %s prints\n%s\nuncoil batch\n%s", q.Name, q.Function, got, expected)
		}
	}
	if answered < 1000 {
		t.Errorf("only %d answers were compared", answered)
	}
	t.Logf("%d questions, %d answers", len(questions), answered)
}

// run asks the command line, and returns what it prints and its exit code.
func (q *Question) run(t *testing.T) (printed string, exit int) {
	t.Helper()
	dir, files := t.TempDir(), 0
	args := []string{q.Function, "-q"}
	file := func(content any) string {
		files++
		name := filepath.Join(dir, fmt.Sprint(files))
		if err := os.WriteFile(name, content.(map[string][]byte)["base64"], 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, value := range q.Options {
		switch name {
		case "files":
			for name, content := range value.(map[string]any) {
				args = append(args, "-file", name+"="+file(content))
			}
		case "stdin":
			args = append(args, "-stdin", file(value))
		case "env":
			for name, value := range value.(map[string]string) {
				args = append(args, "-env", name+"="+value)
			}
		case "target":
			args = append(args, "-to", value.(string))
		default:
			args = append(args, "-"+name, fmt.Sprint(value))
		}
	}
	var out, problems bytes.Buffer
	exit = cli.Run(args, strings.NewReader(q.Command), &out, &problems, noVariables, nil)
	return out.String(), exit
}

// program returns the program in an answer of code.
func program(t *testing.T, body string) string {
	t.Helper()
	var answer struct{ Code string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Code
}

// TestObject holds that contents arrive as bytes.
func TestObject(t *testing.T) {
	q := Question{Command: "curl h.test", Options: map[string]any{"stdin": map[string][]byte{"base64": {0xff}}}}
	if want := `{"curl":"curl h.test","stdin":{"base64":"` + base64.StdEncoding.EncodeToString([]byte{0xff}) + `"}}`; q.Object(t) != want {
		t.Errorf("got %s, want %s", q.Object(t), want)
	}
}
