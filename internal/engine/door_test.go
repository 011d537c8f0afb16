package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

// TestDoor holds that every way to an answer gives the same one, for the
// commands of the corpus, the errors and the pasted texts.
func TestDoor(t *testing.T) {
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors, corpus.Pasted) {
		in := inputOf(c)
		result, err := engine.Parse(c.Command, in)
		if err != nil {
			result = nil
		}
		for _, want := range []engine.Want{{}, {As: engine.AsConvert, Warnings: true}, {As: engine.AsParse}} {
			out, beside, err := engine.Append([]byte("x"), c.Command, want, in)
			if result == nil {
				if err == nil || string(out) != "x" {
					t.Errorf("%s: Parse has an error, Append %q", c.Name, out)
				}
				continue
			}
			again, warnings, againErr := result.Append([]byte("x"), want)
			if string(out) != string(again) || (err == nil) != (againErr == nil) {
				t.Errorf("%s: Append gives\n%s %v\nResult.Append\n%s %v", c.Name, out, err, again, againErr)
			}
			if beside.Shell != result.Shell || beside.Requests != len(result.Requests) || len(beside.Warnings) != len(warnings) && againErr == nil && (want.Warnings || want.As == engine.AsParse) {
				t.Errorf("%s: beside the answer stands %+v", c.Name, beside)
			}
		}
		if result != nil {
			checkMembers(t, c.Name, result)
		}
	}
}

// checkMembers holds that Members marshal to the answer AsConvert.
func checkMembers(t *testing.T, name string, result *engine.Result) {
	t.Helper()
	want, wantErr := appendResult(nil, result)
	members, err := result.Members()
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%s: Members say %v, the answer %v", name, err, wantErr)
		return
	}
	if err != nil {
		return
	}
	if got, _ := members.MarshalJSON(); string(got) != string(want) {
		t.Errorf("%s: Members are\n%s\nthe answer\n%s", name, got, want)
	}
}

// TestChosenRequest holds that a request which a caller has chosen is the answer, also one
// that only feeds a word of another command.
func TestChosenRequest(t *testing.T) {
	const text = `curl -H "A: $(curl http://a.test)" http://b.test`
	for i, want := range []string{"http://a.test", "http://b.test"} {
		result, err := engine.Parse(text, engine.Input{})
		if err != nil || len(result.Requests) != 2 {
			t.Fatalf("%v, %v", result, err)
		}
		if m, err := result.Members(); err != nil || m.URL != "http://b.test" {
			t.Errorf("the text is about %v, %v", m, err)
		}
		result.Requests = result.Requests[i : i+1]
		if m, err := result.Members(); err != nil || m.URL != want {
			t.Errorf("%s was chosen: %v, %v", want, m, err)
		}
	}
}

func TestParseArgs(t *testing.T) {
	result, err := engine.ParseArgs([]string{"curl", "-H", "A: it's $x", "http://h.test/?a=1&b=2"}, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := appendResult(nil, result)
	if want := `{"method":"GET","url":"http://h.test/?a=1&b=2","headers":{"A":"it's $x"},"data":null}`; string(got) != want || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	for _, test := range []struct {
		args []string
		code diag.Code
		arg  int
	}{
		{nil, diag.CodeEmptyCommand, 0},
		{[]string{"wget", "x"}, diag.CodeNotCurl, 1},
		{[]string{"curl", "h.test", "-H", "a b: c", "--heder", "x"}, diag.CodeUnknownOption, 5},
		{[]string{"sudo", "curl", "-d"}, diag.CodeMissingArgument, 3},
	} {
		_, err := engine.ParseArgs(test.args, engine.Input{})
		var e *engine.Error
		if !errors.As(err, &e) || e.Code != test.code || e.Arg != test.arg {
			t.Errorf("%q gives %v", test.args, err)
		}
		if test.arg > 0 && !strings.HasPrefix(e.Error(), "argument ") {
			t.Errorf("%q: the place is missing in %v", test.args, err)
		}
	}
}

func TestAnswerLimit(t *testing.T) {
	in := engine.Input{Limits: engine.Limits{Answer: 300}}
	for _, want := range []engine.Want{{As: engine.AsConvert}, {As: engine.AsParse}} {
		if _, _, err := engine.Append(nil, "curl h.test", want, in); err != nil {
			t.Errorf("a short answer is refused: %v", err)
		}
		out, _, err := engine.Append([]byte("x"), "curl h.test -d "+strings.Repeat("x", 400), want, in)
		var e *engine.Error
		if !errors.As(err, &e) || e.Code != diag.CodeTooLarge || string(out) != "x" {
			t.Errorf("a long answer gives %q, %v", out, err)
		}
	}
}

func TestWarningsAreBounded(t *testing.T) {
	result, err := engine.Parse("curl h.test"+strings.Repeat(" -H nonsense", 5000), engine.Input{})
	if err != nil || len(result.Warnings) != engine.MaxWarnings {
		t.Fatalf("%d warnings, %v", len(result.Warnings), err)
	}
	m, err := engine.Convert("curl http://h.test -x p.test --digest -u a:b"+strings.Repeat(" -H nonsense", 5000), engine.Input{})
	if err != nil || len(m.Warnings) != engine.MaxWarnings {
		t.Fatalf("%d warnings, %v", len(m.Warnings), err)
	}
	if last := m.Warnings[engine.MaxWarnings-2:]; last[0].Code != diag.WarnOtherPeer || last[1].Code != diag.WarnComputedAuth {
		t.Errorf("the last warnings are %v", last)
	}
}

func TestReadFile(t *testing.T) {
	asked := 0
	in := engine.Input{ReadFile: func(name string) ([]byte, error) {
		asked++
		if name != "f" {
			return nil, errors.New("no")
		}
		return []byte("a=1"), nil
	}}
	m, err := engine.Convert("curl -d @f -d @f h.test", in)
	if err != nil || string(m.Data) != `"a=1&a=1"` || asked != 1 {
		t.Errorf("asked %d times, got %+v, %v", asked, m, err)
	}
	if _, err := engine.Convert("curl -d @g h.test", in); err == nil {
		t.Error("a file that cannot be read is no error")
	}
}

// TestPublicSuffix holds that the caller decides what a public suffix is, and
// that without a list it is a domain of one label.
func TestPublicSuffix(t *testing.T) {
	jar := ".com.test\tTRUE\t/\tFALSE\t0\ta\t1\n.test\tTRUE\t/\tFALSE\t0\tb\t2\n"
	list := func(domain string) string {
		if strings.HasSuffix(domain, "com.test") {
			return "com.test"
		}
		return domain[strings.LastIndexByte(domain, '.')+1:]
	}
	for _, test := range []struct {
		suffix func(string) string
		want   []request.Param
	}{
		{nil, []request.Param{{Name: "Cookie", Value: "a=1"}}},
		{list, nil},
	} {
		in := engine.Input{Files: map[string][]byte{"jar": []byte(jar)}, PublicSuffix: test.suffix}
		m, err := engine.Convert("curl -b jar http://h.com.test/", in)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, m.Headers); diff != "" {
			t.Errorf("with a list %v (-want +got):\n%s", test.suffix != nil, diff)
		}
	}
}

func TestResultMarshals(t *testing.T) {
	result, err := engine.Parse("curl h.test", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(result); err != nil || string(got) != string(result.AppendJSON(nil)) {
		t.Errorf("got %s, %v", got, err)
	}
}
