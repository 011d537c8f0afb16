package engine_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestMeant applies the fixes of the commands that say what was meant. What
// they make of the command must send what the other one sends, and must not get
// the warnings again.
func TestMeant(t *testing.T) {
	cases := 0
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors) {
		if c.Meant == "" {
			continue
		}
		cases++
		fixed := fixedCommand(t, c)
		in := inputOf(c)
		got, ok := requestsOf(fixed, in)
		if want, _ := requestsOf(c.Meant, in); !ok || got != want {
			t.Errorf("%s: with its fixes it is\n%s\nwhich sends %s\nmeant is\n%s\nwhich sends %s", c.Name, fixed, got, c.Meant, want)
			continue
		}
		again, err := engine.Parse(fixed, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range again.Warnings {
			if d.Fix != nil {
				t.Errorf("%s: with its fixes it gets another: %s in\n%s", c.Name, d.Code, fixed)
			}
		}
	}
	if cases < 20 {
		t.Errorf("only %d commands say what is meant by them", cases)
	}
}

// fixedCommand applies the fixes of a command, from the last to the first.
func fixedCommand(t *testing.T, c *corpus.Case) string {
	t.Helper()
	r, err := engine.Parse(c.Command, inputOf(c))
	var e *engine.Error
	if errors.As(err, &e) {
		if e.Fix == nil {
			t.Errorf("%s: the error has no fix", c.Name)
			return c.Command
		}
		return applied(c.Command, e.Fix)
	}
	var fixes []*diag.Fix
	for i := range r.Warnings {
		if f := r.Warnings[i].Fix; f != nil && !slices.ContainsFunc(fixes, func(g *diag.Fix) bool { return *f == *g }) {
			fixes = append(fixes, f)
		}
	}
	slices.SortStableFunc(fixes, func(a, b *diag.Fix) int { return cmp.Compare(b.Span.Start, a.Span.Start) })
	fixed, end := c.Command, int32(len(c.Command))
	for _, f := range fixes {
		if f.Span.End > end {
			t.Errorf("%s: two fixes overlap at %d", c.Name, f.Span.Start)
			continue
		}
		fixed, end = applied(fixed, f), f.Span.Start
	}
	return fixed
}

// TestClean holds that a text which is read as it was meant sends what its clean
// form sends, which bash and curl judge.
func TestClean(t *testing.T) {
	cases := 0
	for _, c := range corpus.Read(t, corpus.Commands) {
		if c.Clean == "" {
			continue
		}
		cases++
		in := inputOf(c)
		got, ok := requestsOf(c.Command, in)
		if want, _ := requestsOf(c.Clean, in); !ok || got != want {
			t.Errorf("%s:\n%s\n got %s\nwant %s", c.Name, c.Command, got, want)
		}
		if r := parse(t, c.Command); len(r.Warnings) == 0 {
			t.Errorf("%s: no warning says how the text was read", c.Name)
		}
	}
	if cases < 20 {
		t.Errorf("only %d texts have a clean form", cases)
	}
}

// TestMistakes holds that each mistake of testdata/corpus/mistake gets a warning
// that says what to do.
func TestMistakes(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Commands) {
		if !strings.HasPrefix(c.Name, "mistake/") {
			continue
		}
		doubts := 0
		for _, d := range parse(t, c.Command).Warnings {
			if mistakes[d.Code] {
				doubts++
				if d.Hint == "" {
					t.Errorf("%s: %s does not say what to do", c.Name, d.Code)
				}
			}
		}
		if doubts == 0 {
			t.Errorf("%s: no warning says what is wrong", c.Name)
		}
	}
}

// mistakes are the codes of what curl takes and nobody means.
var mistakes = map[diag.Code]bool{
	diag.WarnQuotesLost: true, diag.WarnInvalidJSON: true, diag.WarnQuotedVariable: true, diag.WarnUnquotedArgument: true,
	diag.WarnSingleDash: true, diag.WarnLooksLikeMethod: true, diag.WarnLooksLikeOption: true, diag.WarnGlob: true,
	diag.WarnUnquotedAmpersand: true, diag.WarnUnquotedQuestion: true, diag.WarnFragment: true, diag.WarnHeaderInURL: true,
	diag.WarnUnicodeDash: true, diag.CodeInvalidURL: true, diag.WarnTwoAuthorizations: true, diag.WarnPlaceholder: true,
	diag.WarnPastedNoise: true, diag.WarnUnicodeQuote: true, diag.CodeShellSyntax: true, diag.CodeUnterminatedQuote: true,
	diag.CodeInvalidGlob: true, diag.CodeNoURL: true, diag.WarnMisspelledMethod: true, diag.WarnLooksLikeURL: true,
	diag.WarnNotAHeader: true, diag.WarnFieldTwice: true, diag.WarnMisspelledScheme: true,
	diag.WarnLooksLikeFile: true, diag.WarnLooksLikeText: true, diag.WarnFormSyntax: true,
}

// TestRefusedMistakes holds that the error of a command which curl refuses
// says which mistake leads to it.
func TestRefusedMistakes(t *testing.T) {
	for _, c := range []struct{ typed, hint, fixed string }{
		{`curl http://h.test/?a[b]=c`, "-g", `curl -g http://h.test/?a[b]=c`},
		{`curl --hedaer 'A: b' http://h.test/`, "--header", `curl --header 'A: b' http://h.test/`},
		{`curl 'http://h.test/a`, "closing quote", `curl 'http://h.test/a'`},
		{`curl htps://h.test/ -H 'A: b'`, "https", `curl https://h.test/ -H 'A: b'`},
		{`curl "htpp://h.test/"`, "http", `curl "http://h.test/"`},
		{`https://h.test/?a=1`, "write curl", `curl https://h.test/?a=1`},
		{`curl -max-time 5 http://h.test/`, "--max-time", `curl --max-time 5 http://h.test/`},
		{`curl "http://h.test/ -H 'A: b'"`, "quote", ""},
		{`curl --H 'A: b' http://h.test/`, "-H", `curl -H 'A: b' http://h.test/`},
		{`curl --XPOST http://h.test/`, "-XPOST", `curl -XPOST http://h.test/`},
		{`curl 'https://$HOST:81/a'`, "double quotes", `curl "https://$HOST:81/a"`},
		{"curl http://h.test/ --data-binary <<'EOF'\n{}\nEOF", "@-", "curl http://h.test/ --data-binary @- <<'EOF'\n{}\nEOF"},
		{`curl http:h.test/a`, "://", `curl http://h.test/a`},
		{`curl 'https;//h.test/a'`, "://", `curl 'https://h.test/a'`},
		{`curl 'http:\\h.test/a'`, "://", `curl 'http://h.test/a'`},
		{`curl http:\\h.test/a`, "://", ""},
		{`curl https:://h.test/a`, "://", `curl https://h.test/a`},
		{`curl //h.test/a`, "https://", ""},
		{`curl hxxps://h.test/a`, "https", `curl https://h.test/a`},
		{`curl http://h.test/ -d`, "add the data after -d", ""},
		{`curl http://h.test/ -X`, "leave -X out", ""},
		{`curl http://h.test/ -m`, "seconds", ""},
		{`curl http://h.test/ -d a -I`, "-i for -I", ""},
		{`curl http://h.test/ -F a=b -I`, "-i for -I", ""},
		{`curl http://h.test/ --no-head -I`, "remove one", ""},
		{`curl http://h.test/ -d a -F b=c`, "with -F", ""},
		{`curl http://h.test/ -T a -F b=c`, "-F name=@file", ""},
		{`curl -X http://h.test/ -d a`, "the name of the method", ""},
		{"echo a | curl http://h.test/ -T", "write -", "echo a | curl http://h.test/ -T -"},
	} {
		_, err := engine.Parse(c.typed, engine.Input{})
		var e *engine.Error
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
		`curl -X LIST http://h.test/v1/secret --next -X PURGE http://h.test/ --next -X PUSH h.test --next -X M-SEARCH h.test --next -X READ h.test`,
		`curl -H '<name>: x' -H '{{name}}: x' -H 'X-Empty;' -H 'Accept:' -H '$name: x' -H "$NAME : x" -H @file http://h.test/`,
		`curl -H 'Accept: a' -H 'Accept: b' -H 'Cookie: a=1' -H 'Cookie: b=2' -H 'Content-Type:' -H 'Content-Type: a' -d x http://h.test/`,
		`curl -H 'Content-Type: a' http://h.test/ -d a --next -H 'Content-Type: b' http://h.test/ -d b`,
		`curl -F name=John h`,
		`curl -H Accept: localhost/x`,
		`curl -d google.com -d v1.2 -d 'see a.json' -d a.test/b.json -d .json -d name=photo.jpg -d @file.json -d 'a,b.json' -d '$X.json' http://h.test/`,
		`curl -G -d report.pdf http://h.test/`,
		`curl -d '{"a":"\"b\""}' -d '{\"a' -d 'a\"b' -d '{"a":"\n"}' http://h.test/`,
		`curl -F key=uploads/a.png -F filename=a.png -F name=photo.jpg -F url=http://h.test/a.png -F file=x -F 'image="a.png"' http://h.test/`,
		`curl -F image=a.png -F file=@b.png http://h.test/`,
		`curl -F 'a=@My Report.pdf' -F 'b=@path to your picture' -F 'c=@/a b/c' -F 'd=@john' -F 'e=<name>' -F 'f=<C:\a b' -F 'g=< a.txt' http://h.test/`,
		`curl --form-string 'text=<b>hi</b>' --form-string 'c=@john thanks' --form-string file=a.png http://h.test/`,
		`curl -d '{"a":'5'}' -d '{'"a"':1}' -d '{'$x':1}' -d 'a='b'' -d a={b} http://h.test/ --next -F 'a={"b":1}' -F "a={b}" http://h.test/`,
		`curl --unix-socket /var/run/docker.sock http:/v1.30/containers/json`,
		`curl http/a http.d/b http.test//c http:80/d http:///h.test/e http://proxy/http://h.test/f http:user@h.test`,
		`curl -d a=b h.test/x http://h.test/`,
		`curl -d 'a=b' web http://h.test/`,
		`curl -d a=b localhost:80 http://h.test/`,
	} {
		for _, d := range parse(t, command).Warnings {
			if mistakes[d.Code] && d.Code != diag.WarnPlaceholder {
				t.Errorf("%s: %s: %s", command, d.Code, d.Message)
			}
		}
	}
}

// TestFixes applies every fix of the corpus: the command is read, and the
// warning is gone.
func TestFixes(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Commands) {
		r, err := engine.Parse(c.Command, engine.Input{Shell: c.Shell, Env: c.Env})
		if err != nil {
			continue
		}
		for i := range r.Warnings {
			d := &r.Warnings[i]
			if d.Fix == nil {
				continue
			}
			fixed := applied(c.Command, d.Fix)
			again, err := engine.Parse(fixed, engine.Input{Shell: c.Shell, Env: c.Env})
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

func parse(t *testing.T, command string) *engine.Result {
	t.Helper()
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return r
}

func applied(src string, f *diag.Fix) string {
	return strings.Join([]string{src[:f.Span.Start], f.Text, src[f.Span.End:]}, "")
}
