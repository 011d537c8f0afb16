// Package doors has what tests ask of every door through which programs of other
// languages reach the engine, and what the program answers. Only tests import it.
package doors

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/code"
	"uncoil/internal/edge/cli"
	"uncoil/internal/engine/source"
	"uncoil/internal/proof/corpus"
)

// Functions are what all doors have, beside the list of targets.
var Functions = []string{"convert", "parse", "code"}

// A Question is a call of a function. Command is text of UTF-8, because the doors that
// take JSON can take no other.
type Question struct {
	Name, Function, Command string
	Options                 map[string]any // the other members of the request object
}

// Object returns the question as a request object.
func (q *Question) Object(tb testing.TB) string {
	object := map[string]any{"curl": q.Command}
	maps.Copy(object, q.Options)
	return text(tb, object)
}

// OptionsText returns the options as JSON text.
func (q *Question) OptionsText(tb testing.TB) string { return text(tb, q.Options) }

func text(tb testing.TB, value any) string {
	tb.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(out)
}

// Questions asks each function about each case of testdata, and for each program
// another target.
func Questions(tb testing.TB) []Question {
	tb.Helper()
	var questions []Question
	targets := code.Targets()
	for i, c := range corpus.Read(tb, corpus.Commands, corpus.Errors, corpus.Pasted) {
		wrong := c.Shell != "" && !slices.Contains(source.DialectNames(), c.Shell) // a problem with a place in the JSON, which differs
		if wrong || !utf8.ValidString(c.Command) {
			continue
		}
		for _, function := range Functions {
			options := optionsOf(c)
			if function == "code" {
				options["target"] = targets[i%len(targets)].Name
			}
			questions = append(questions, Question{c.Path, function, c.Command, options})
		}
	}
	return questions
}

// optionsOf returns what a case takes from outside its text.
func optionsOf(c *corpus.Case) map[string]any {
	options := make(map[string]any)
	if len(c.Files) > 0 {
		files := make(map[string]any)
		for name, content := range c.Files {
			files[name] = map[string][]byte{"base64": content}
		}
		options["files"] = files
	}
	if c.Stdin != nil {
		options["stdin"] = map[string][]byte{"base64": c.Stdin}
	}
	if len(c.Env) > 0 {
		options["env"] = c.Env
	}
	if c.Shell != "" {
		options["shell"] = c.Shell
	}
	if c.Entry > 0 {
		options["entry"] = c.Entry
	}
	return options
}

// An Answer is the answer to a question, or the problem document in its place.
type Answer struct {
	OK   bool
	Body string
}

// Answers returns what the program answers: its lines of uncoil batch, without what
// frames them.
func Answers(tb testing.TB, questions []Question) []Answer {
	tb.Helper()
	var in, out, problems bytes.Buffer
	for _, q := range questions {
		line := q
		line.Options = map[string]any{"as": q.Function}
		maps.Copy(line.Options, q.Options)
		in.WriteString(line.Object(tb) + "\n")
	}
	if exit := cli.Run([]string{"batch"}, &in, &out, &problems, noVariables, nil); exit != 0 {
		tb.Fatalf("uncoil batch exits with %d: %s", exit, problems.String())
	}
	var answers []Answer
	for line := range strings.Lines(out.String()) {
		answers = append(answers, answerOf(tb, line))
	}
	if len(answers) != len(questions) {
		tb.Fatalf("%d questions have %d answers", len(questions), len(answers))
	}
	return answers
}

func answerOf(tb testing.TB, line string) Answer {
	tb.Helper()
	body, framed := strings.CutSuffix(line, "}\n")
	if result, ok := strings.CutPrefix(body, `{"id":null,"result":`); ok && framed {
		return Answer{true, result}
	}
	problem, ok := strings.CutPrefix(body, `{"id":null,"error":`)
	if !ok || !framed {
		tb.Fatalf("not a line of a batch: %s", line)
	}
	return Answer{false, problem}
}

func noVariables(string) string { return "" }
