package code_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// hostileValue has what acts in a URL, a form, JSON, a shell and the source of programs.
const hostileValue = "../a/b?c=d&e#f +%2F%00\"\\'<>;={}[]|^,$X${Y}#{z}`id`é日\t"

// valueCommands have a value in each place where one may stand.
var valueCommands = []string{
	`curl -X PUT "http://$AT/s/$ITEM/p/$OBJECT_KEY?q=$WORD&r=1" -H "X-F: a $FIELD" -H "Content-Type: application/json" -d "{\"t\": \"x $TEXT\", \"n\": $COUNT, \"l\": [ $LIST ]}"`,
	`curl "http://$AT/s/v-$ITEM/p/$OBJECT_KEY?r=1&q=$WORD" -H "X-F: $FIELD" -d "t=$TEXT&n=1"`,
	`curl -X DELETE "http://$AT/s/v-$ITEM/p/$OBJECT_KEY?r=1&q=$WORD" -H "X-F: $FIELD" -H "Content-Type: application/json" -d "{\"t\": \"$TEXT\"}"`,
}

// TestParametersAreValues runs functions with values that act where they are not encoded: what
// arrives decodes to the value, in its place, and what cannot is an error before anything is
// sent.
func TestParametersAreValues(t *testing.T) {
	parallel(t)
	for _, r := range newProver(t).runtimes {
		if target, _ := code.Lookup(r.Target); target.Functions && !inPage(target) {
			t.Run(r.Name(), func(t *testing.T) { testValues(t, r, target, code.Options{}) })
		}
	}
}

// TestParametersAreValuesInCSharp7 does so for C# 7.
func TestParametersAreValuesInCSharp7(t *testing.T) {
	parallel(t)
	target, _ := code.Lookup("csharp")
	for _, r := range proverOf(t, codeproof.CSharp7()).runtimes {
		testValues(t, r, target, code.Options{Switches: []string{"csharp7"}})
	}
}

func testValues(t *testing.T, r *codeproof.Runtime, target code.Target, o code.Options) {
	b, err := codeproof.NewBench(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Answer(func(r *oracle.Request) string {
		return codeproof.Response(r, 200, "Content-Type: application/json", "{}")
	})
	values := func(more ...string) map[string]string {
		env := map[string]string{"AT": b.Host(), "ITEM": "i" + hostileValue, "OBJECT_KEY": "o" + strings.ReplaceAll(hostileValue, "../", "/"), "WORD": hostileValue, "FIELD": "plain", "TEXT": hostileValue, "COUNT": "-1.5e3", "LIST": "1, 2"}
		for i := 0; i < len(more); i += 2 {
			env[more[i]] = more[i+1]
		}
		return env
	}
	styles := []code.Style{code.StyleIdiomatic, code.StyleExact}
	for n, command := range valueCommands {
		for _, style := range styles {
			text := valueProgram(t, target, command, style, o)
			env := values()
			checkValues(t, n, text, runValues(t, b, r, text, env), env)
		}
	}
	for _, bad := range [][2]string{{"ITEM", ".."}, {"ITEM", "."}, {"OBJECT_KEY", "a/../b"}, {"OBJECT_KEY", ".."}, {"FIELD", "x\r\nX-Evil: 1"}, {"FIELD", "x\nX-Evil: 1"}, {"FIELD", "x\r\n X-Evil: 1"}, {"COUNT", `7, "admin": true`}, {"COUNT", `x`}, {"LIST", `1], "admin": [2`}, {"LIST", "1,,2"}, {"LIST", "x"}} {
		text := valueProgram(t, target, valueCommands[0], code.StyleIdiomatic, o)
		if run := runValues(t, b, r, text, values(bad[0], bad[1])); len(run.Requests) > 0 || run.Exit == 0 {
			t.Errorf("%q as %s ends with %d and sends %d requests\n%s", bad[1], bad[0], run.Exit, len(run.Requests), text)
			for _, one := range run.Requests {
				t.Errorf("%s\n%s", one.Head, one.Body)
			}
		}
	}
}

// valueProgram returns a program that calls the function that a command is.
func valueProgram(t *testing.T, target code.Target, command string, style code.Style, o code.Options) []byte {
	t.Helper()
	parsed, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	o.Style, o.Function, o.Source = style, "send", command
	p, _, err := target.Write(parsed.Requests, o)
	if err != nil {
		t.Fatal(err)
	}
	return called(target.Language, p)
}

func runValues(t *testing.T, b *codeproof.Bench, r *codeproof.Runtime, text []byte, env map[string]string) codeproof.Run {
	t.Helper()
	run, err := b.Program(r, text, false, oracle.Setup{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// checkValues compares what arrived of one of the commands with the values.
func checkValues(t *testing.T, n int, text []byte, run codeproof.Run, env map[string]string) {
	t.Helper()
	if len(run.Requests) != 1 {
		t.Errorf("%d requests, %s\n%s", len(run.Requests), run.Output, text)
		return
	}
	one := run.Requests[0]
	path, query, _ := strings.Cut(one.Target, "?")
	segments := strings.Split(path, "/")
	for i := range segments {
		segments[i], _ = url.PathUnescape(segments[i])
	}
	item := env["ITEM"]
	if n > 0 {
		item = "v-" + item
	}
	want := slices.Concat([]string{"", "s", item, "p"}, strings.Split(env["OBJECT_KEY"], "/"))
	if !slices.Equal(segments, want) {
		t.Errorf("the path %s is %q, want %q\n%s", path, segments, want, text)
	}
	pairs, err := url.ParseQuery(query)
	if err != nil || len(pairs) != 2 || pairs.Get("q") != env["WORD"] || pairs.Get("r") != "1" {
		t.Errorf("the query %s is %q: %v\n%s", query, pairs, err, text)
	}
	if !slices.ContainsFunc(one.Lines, func(line string) bool {
		return strings.EqualFold(line, "X-F: "+map[bool]string{true: "a "}[n == 0]+env["FIELD"])
	}) {
		t.Errorf("the fields are %q\n%s", one.Lines, text)
	}
	switch n {
	case 1:
		form, err := url.ParseQuery(string(one.Body))
		if err != nil || len(form) != 2 || form.Get("t") != env["TEXT"] || form.Get("n") != "1" {
			t.Errorf("the form %s is %q: %v\n%s", one.Body, form, err, text)
		}
	default:
		var value map[string]any
		err := json.Unmarshal(one.Body, &value)
		want := map[string]any{"t": env["TEXT"]}
		if n == 0 {
			want = map[string]any{"t": "x " + env["TEXT"], "n": -1500.0, "l": []any{1.0, 2.0}}
		}
		if err != nil || !cmp.Equal(value, want) {
			t.Errorf("the JSON %s: %v\n%s", one.Body, err, text)
		}
	}
}
