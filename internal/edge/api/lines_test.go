package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
)

// An answerLine is a line of a batch's answer.
type answerLine struct {
	ID     json.RawMessage
	Result *struct{ Method, URL, Shell string }
	Error  *struct {
		Code   diag.Code
		Status int
		Offset int
		Member string
	}
}

func readAnswers(t *testing.T, text []byte) []answerLine {
	t.Helper()
	var answers []answerLine
	for line := range strings.Lines(string(text)) {
		var a answerLine
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if !strings.HasSuffix(line, "\n") || strings.ContainsRune(line, '\r') || (a.Result == nil) == (a.Error == nil) {
			t.Fatalf("bad line %q", line)
		}
		answers = append(answers, a)
	}
	return answers
}

func TestAppendLines(t *testing.T) {
	block := `{"id":"a","curl":"curl https://example.com"}` + "\r\n" +
		" \t\n\r\n\n" +
		`{"curl":"curl https://example.com","as":"parse"}` + "\n" +
		`{"id":[1,` + "\r" + ` 2],"curl":"curl --heder https://example.com"}` + "\n" +
		`{"id":3,"curl":5}` + "\n" +
		`{"id":4,"curl":"` + strings.Repeat("x", 200) + `"}` + "\n" +
		`{"id":1.50,"curl":"curl https://example.com"}`
	out, tally := Limits{Line: 100}.AppendLines([]byte("before\n"), block, AsConvert)
	if want := (Tally{Lines: 6, Errors: 3}); tally != want {
		t.Errorf("tally %+v, want %+v", tally, want)
	}
	rest, ok := strings.CutPrefix(string(out), "before\n")
	if !ok {
		t.Fatalf("what was there is gone: %q", out)
	}
	var got []string
	for _, a := range readAnswers(t, []byte(rest)) {
		switch {
		case a.Error != nil:
			got = append(got, string(a.ID)+" "+string(a.Error.Code))
		case a.Result.Shell != "":
			got = append(got, string(a.ID)+" parsed")
		default:
			got = append(got, string(a.ID)+" "+a.Result.Method)
		}
	}
	want := []string{`"a" GET`, "null parsed", "[1,2] unknown-option", "3 bad-request", "null too-large", "1.50 GET"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnswerSafely(t *testing.T) {
	var fault *Request
	out, _, err := answerSafely(fault, []byte("before"), AsConvert)
	_, status, code := AppendProblem(nil, err)
	if string(out) != "before" || status != 500 || code != diag.CodeInternal {
		t.Errorf("got %q, %v: %d %s", out, err, status, code)
	}
}

// FuzzLines: there is one answer for each line that is not empty, whatever
// the lines hold, and each is a line of JSON.
func FuzzLines(f *testing.F) {
	f.Add("{\"id\":{\"a\": 1},\"curl\":\"curl x\"}\r\n\n{\"curl\":\"curl -d '{\\n}' x\",\"as\":\"parse\"}\nnot json")
	f.Fuzz(func(t *testing.T, block string) {
		want := 0
		for line := range strings.Lines(block) {
			if strings.Trim(line, " \t\r\n") != "" {
				want++
			}
		}
		out, tally := Limits{Line: 1000}.AppendLines(nil, block, AsConvert)
		answers := readAnswers(t, out)
		if got := len(answers); got != want || tally.Lines != want {
			t.Errorf("%d lines give %d answers, %d counted", want, got, tally.Lines)
		}
		for _, a := range answers {
			if a.Error != nil && a.Error.Code == diag.CodeInternal {
				t.Errorf("a panic in %q", block)
			}
		}
	})
}
