package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source"
	"uncoil/internal/proof/corpus"
)

// shells are the ways to read a text.
var shells = source.DialectNames()

// FuzzParse checks what holds for any text in any shell: the result is an
// answer, or an *Error with a code of the catalogue; every span lies inside the
// text; the answer is valid JSON; and the same text gives the same answer again.
func FuzzParse(f *testing.F) {
	addCorpus(f)
	f.Fuzz(func(t *testing.T, src string, selector byte, file, stdin []byte) {
		in := engine.Input{
			Shell: shells[int(selector)%len(shells)],
			Files: map[string][]byte{"f": file, "conf": file, ".netrc": file, "jar": file},
			Env:   map[string]string{"A": string(file), "B": "b c"},
		}
		if selector&0x80 != 0 {
			in.Stdin = stdin
		}
		result, err := engine.Parse(src, in)
		if err != nil {
			checkError(t, src, err)
			return
		}
		if n := len(result.Requests); n == 0 || n > 1000 {
			t.Fatalf("%d requests", n)
		}
		for i := range result.Warnings {
			w := &result.Warnings[i]
			checkSpan(t, src, w.Span)
			if w.Code == "" || w.Message == "" || w.Severity != diag.SeverityWarning {
				t.Errorf("a warning of %+v", w)
			}
		}
		description := result.AppendJSON([]byte("x"))
		checkCompact(t, description[1:])
		converted, err := appendResult([]byte("x"), result)
		if err != nil {
			if string(converted) != "x" {
				t.Errorf("after an error dst is %q", converted)
			}
			checkError(t, src, err)
		} else {
			checkCompact(t, converted[1:])
		}
		again, err := appendParse([]byte("x"), src, in)
		if err != nil || !bytes.Equal(again, description) {
			t.Errorf("the second answer is another one: %v\n%s\n%s", err, description, again)
		}
	})
}

func checkError(t *testing.T, src string, err error) {
	t.Helper()
	var e *engine.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is a %T: %v", err, err)
	}
	if !slices.Contains(diag.ErrorCodes(), e.Code) {
		t.Errorf("the code %s is not in the catalogue", e.Code)
	}
	checkNoFault(t, err)
	checkSpan(t, src, e.Span)
	if e.Line < 1 || e.Column < 1 || e.Message == "" || e.Severity != diag.SeverityError {
		t.Errorf("an error of %+v", e)
	}
	e.AppendReport(nil)
}

// checkNoFault fails for a panic that the facade has made an error of.
func checkNoFault(t *testing.T, err error) {
	t.Helper()
	if f := fault.Of(err); f != nil {
		t.Fatalf("a panic: %s\n%s", f.What, f.Stack)
	}
}

func checkSpan(t *testing.T, src string, s diag.Span) {
	t.Helper()
	if s.Start < 0 || s.End < s.Start || int(s.End) > len(src) {
		t.Errorf("the place %v is not in a text of %d bytes", s, len(src))
	}
}

// checkCompact checks that a text is JSON in its shortest form.
func checkCompact(t *testing.T, text []byte) {
	t.Helper()
	if !json.Valid(text) {
		if len(text) > jsontext.MaxDepth { // what holds the user's value may nest a little deeper
			return
		}
		t.Fatalf("not JSON: %s", text)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil || !bytes.Equal(compact.Bytes(), text) {
		t.Errorf("not compact: %s", text)
	}
}

// addCorpus adds the commands of the corpus and of the errors as seeds.
func addCorpus(f *testing.F) {
	for i, c := range corpus.Read(f, corpus.Commands, corpus.Errors) {
		var file []byte
		for _, content := range c.Files {
			file = content
		}
		f.Add(c.Command, byte(max(slices.Index(shells, c.Shell), 0)|i<<7), file, c.Stdin)
	}
	f.Add("curl h.test -K conf", byte(1), []byte("url=h.test\n-H \"A: b\"\ndata=@f"), []byte(nil))
	f.Add("curl -n h.test -b jar -F a=@f", byte(1), []byte("machine h.test login a password b"), []byte(nil))
}
