package uncoil_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil"
	"uncoil/diag"
	"uncoil/internal/corpus"
)

// mistakes are commands that curl takes and nobody means: the warning that
// each gets, and the command that its fix makes of it; "" where it has none.
var mistakes = []struct{ typed, code, fixed string }{
	{`curl -d "{"a":"b"}" http://h.test/`, "quotes-lost", `curl -d '{"a":"b"}' http://h.test/`},
	{`curl -d {"a":1} http://h.test/`, "quotes-lost", `curl -d '{"a":1}' http://h.test/`},
	{`curl --json {"a":"1","b":"2"} http://h.test/`, "quotes-lost", `curl --json '{"a":"1","b":"2"}' http://h.test/`},
	{`curl --json '{"a":1,}' http://h.test/`, "invalid-json", `curl --json '{"a":1}' http://h.test/`},
	{`curl --json '{"a":[1,],}' http://h.test/`, "invalid-json", `curl --json '{"a":[1]}' http://h.test/`},
	{`curl --json "{'a':1}" http://h.test/`, "invalid-json", `curl --json '{"a":1}' http://h.test/`},
	{`curl --json '{"a"}' http://h.test/`, "invalid-json", ""},
	{`curl --json '{"a":"$USER_ID"}' http://h.test/`, "variable-in-single-quotes", `curl --json '{"a":"'"$USER_ID"'"}' http://h.test/`},
	{`curl -H 'Authorization: Bearer $TOKEN' http://h.test/`, "variable-in-single-quotes", `curl -H "Authorization: Bearer $TOKEN" http://h.test/`},
	{`curl -H Content-Type: application/json http://h.test/`, "unquoted-argument", `curl -H "Content-Type: application/json" http://h.test/`},
	{`curl -H Authorization: Bearer abc http://h.test/`, "unquoted-argument", `curl -H "Authorization: Bearer abc" http://h.test/`},
	{`curl -data a=1 http://h.test/`, "single-dash", `curl --data a=1 http://h.test/`},
	{`curl -user ann:x http://h.test/`, "single-dash", `curl --user ann:x http://h.test/`},
	{`curl -verbose http://h.test/`, "single-dash", `curl --verbose http://h.test/`},
	{`curl -x PUT http://h.test/`, "looks-like-method", `curl -X PUT http://h.test/`},
	{`curl -H -v http://h.test/`, "looks-like-option", ""},
	{`curl 'http://h.test/?query={job="x"}'`, "url-glob", `curl -g 'http://h.test/?query={job="x"}'`},
	{`curl http://h.test/?a=1&b=2`, "unquoted-ampersand", `curl 'http://h.test/?a=1&b=2'`},
	{`curl http://h.test/?a=1`, "unquoted-question-mark", `curl 'http://h.test/?a=1'`},
	{`curl 'http://h.test/?a=x#1'`, "url-fragment", `curl 'http://h.test/?a=x%231'`},
	{`curl http://h.test/,Accept:text/plain`, "header-in-url", `curl http://h.test/ -H Accept:text/plain`},
	{"curl \u2013X PUT http://h.test/", "unicode-dash", "curl -X PUT http://h.test/"},
	{"curl \u2014data=a http://h.test/", "unicode-dash", "curl --data=a http://h.test/"},
	{"curl \u2013\u2013json '{}' http://h.test/", "unicode-dash", "curl --json '{}' http://h.test/"},
	{`curl Accept:text/plain http://h.test/`, "invalid-url", `curl -H Accept:text/plain http://h.test/`},
	{`curl -u ann:x -H 'Authorization: Bearer y' http://h.test/`, "authorization-twice", `curl -H 'Authorization: Bearer y' http://h.test/`},
}

func TestMistakes(t *testing.T) {
	for _, c := range mistakes {
		d := warning(t, c.typed, c.code)
		switch {
		case d == nil:
			t.Errorf("%s: no warning %s", c.typed, c.code)
		case d.Hint == "":
			t.Errorf("%s: %s does not say what to do", c.typed, c.code)
		case d.Fix == nil && c.fixed != "":
			t.Errorf("%s: %s has no fix", c.typed, c.code)
		case d.Fix != nil:
			if fixed := applied(c.typed, d.Fix); fixed != c.fixed {
				t.Errorf("%s: the fix of %s gives\n%s, want\n%s", c.typed, c.code, fixed, c.fixed)
			} else if warning(t, fixed, c.code) != nil {
				t.Errorf("%s: the fixed command gets the warning again", fixed)
			}
		}
	}
}

// TestRefusedMistakes holds that the error of a command which curl refuses
// says which mistake leads to it.
func TestRefusedMistakes(t *testing.T) {
	for _, c := range []struct{ typed, hint, fixed string }{
		{`curl -d "{"a": "b c"}" http://h.test/`, "single quotes", `curl -d '{"a": "b c"}' http://h.test/`},
		{`curl -max-time 5 http://h.test/`, "--max-time", `curl --max-time 5 http://h.test/`},
		{`curl "http://h.test/ -H 'A: b'"`, "quote", ""},
		{`fetch("http://h.test/", {"method": "GET"});`, "Copy as cURL", ""},
	} {
		_, err := uncoil.Parse(c.typed, uncoil.Input{})
		var e *uncoil.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: the error is %v", c.typed, err)
			continue
		}
		if !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: the hint is %q", c.typed, e.Hint)
		}
		if e.Fix != nil || c.fixed != "" {
			if e.Fix == nil || applied(c.typed, e.Fix) != c.fixed {
				t.Errorf("%s: the fix is %+v", c.typed, e.Fix)
			} else if parse(t, c.fixed); t.Failed() {
				return
			}
		}
	}
}

// TestNoFalseAlarm reads commands that resemble mistakes and are none.
func TestNoFalseAlarm(t *testing.T) {
	for _, command := range []string{
		`curl --json '{"a":"b"}' http://h.test/`,
		`curl -d "{\"a\":\"b\"}" http://h.test/`,
		`curl -d "[1,2]" -d [1,2] http://h.test/`,
		`curl --json "{\"a\":$X}" http://h.test/`,
		`curl --json '{"a":COUNT,"b":"'$X'"}' http://h.test/`,
		`curl --json '{"a":<id>}' http://h.test/`,
		`curl --json '"text"' http://h.test/`,
		`curl -H 'Content-Type: application/json' --data-binary $'{"index":{}}\n{"a":1}\n' http://h.test/_bulk`,
		`curl --json '{"query":"query($id: ID!) { a }","filter":{"$set":1}}' http://h.test/`,
		`curl -H Accept: http://h.test/`,
		"curl -d \u2013X -- http://h.test/\u2013X",
		`curl -fsSL -XPUT -da=1 -sSo/dev/null http://h.test/`,
		`curl -d -1 http://h.test/`,
		`curl -x PROXY http://h.test/`,
		`curl 'http://h.test/{a,b}?x={name}&y={{value}}' 'http://h.test/[1-2]'`,
		`curl -g 'http://h.test/?query={job="x"}'`,
		`curl "http://h.test/?redirect=http://x.test/"`,
		`curl -u ann:x -H 'X-Authorization: y' http://h.test/`,
		`curl -u ann:x -H 'Authorization:' http://h.test/`,
	} {
		for _, d := range parse(t, command).Warnings {
			for _, c := range mistakes {
				if string(d.Code) == c.code {
					t.Errorf("%s: %s: %s", command, d.Code, d.Message)
				}
			}
		}
	}
}

// TestFixes applies every fix of the corpus: the command is read, and the
// warning is gone.
func TestFixes(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Commands) {
		r, err := uncoil.Parse(c.Command, uncoil.Input{Shell: c.Shell, Env: c.Env})
		if err != nil {
			continue
		}
		for i := range r.Warnings {
			d := &r.Warnings[i]
			if d.Fix == nil {
				continue
			}
			fixed := applied(c.Command, d.Fix)
			again, err := uncoil.Parse(fixed, uncoil.Input{Shell: c.Shell, Env: c.Env})
			if err != nil {
				t.Errorf("%s: the fix of %s gives %q, which is refused: %v", c.Name, d.Code, fixed, err)
				continue
			}
			if before, after := count(r.Warnings, d.Code), count(again.Warnings, d.Code); after >= before {
				t.Errorf("%s: with the fix of %s, %q, there are %d such warnings after %d", c.Name, d.Code, fixed, after, before)
			}
		}
	}
}

func count(l diag.List, code diag.Code) (n int) {
	for i := range l {
		if l[i].Code == code {
			n++
		}
	}
	return n
}

func parse(t *testing.T, command string) *uncoil.Result {
	t.Helper()
	r, err := uncoil.Parse(command, uncoil.Input{})
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return r
}

// warning returns the first warning of a code, or nil.
func warning(t *testing.T, command, code string) *diag.Diagnostic {
	t.Helper()
	r := parse(t, command)
	for i := range r.Warnings {
		if string(r.Warnings[i].Code) == code {
			return &r.Warnings[i]
		}
	}
	return nil
}

func applied(src string, f *diag.Fix) string {
	return strings.Join([]string{src[:f.Span.Start], f.Text, src[f.Span.End:]}, "")
}
