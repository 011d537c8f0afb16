package engine_test

import (
	"errors"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// findingsOf returns the error, the doubts and the advice of a text.
func findingsOf(src string, in engine.Input) diag.List {
	r, err := engine.Parse(src, in)
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return append(diag.List{e.Diagnostic}, e.Doubts...)
	}
	return r.Warnings
}

// TestFixesMend holds for each fix that is offered: the text with it lacks the finding, and
// has no error.
func TestFixesMend(t *testing.T) {
	fixes := 0
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors, corpus.Pasted) {
		in := engine.Input{Shell: c.Shell, Files: c.Files, Env: c.Env, Stdin: c.Stdin}
		for _, d := range findingsOf(c.Command, in) {
			if d.Fix == nil {
				continue
			}
			fixes++
			fixed := c.Command[:d.Fix.Span.Start] + d.Fix.Text + c.Command[d.Fix.Span.End:]
			for _, after := range findingsOf(fixed, in) {
				if after.Code == d.Code && after.Span.Start == d.Span.Start || after.Severity == diag.SeverityError && after.Fix == nil {
					t.Errorf("%s: with the fix of %s it is\n%s\nwhich has %s: %s", c.Path, d.Code, fixed, after.Code, after.Message)
				}
			}
		}
	}
	if fixes < 50 {
		t.Errorf("only %d fixes", fixes)
	}
}

// TestNoFix holds that nothing is offered as certain which is not.
func TestNoFix(t *testing.T) {
	for _, src := range []string{
		`curl "https://h.test/'`,
		"curl -X PUT 'http://h.test/a' \\  # remark\n-H 'A: b'\n",
		"-d '{",
		"curl http://h.test/plain, curl http://h.test/other",
	} {
		for _, d := range findingsOf(src, engine.Input{}) {
			if d.Fix != nil {
				t.Errorf("%q: the fix of %s puts %q for %q", src, d.Code, d.Fix.Text, src[d.Fix.Span.Start:d.Fix.Span.End])
			}
		}
	}
}

// TestJoiningFix holds that one fix ends all lines of a command with the backslash that they
// lack.
func TestJoiningFix(t *testing.T) {
	const src = "curl https://h.test/a  \n  -X PUT\n  -H 'A: b' \\\n  -d x\n  -d y\necho\n"
	const want = "curl https://h.test/a \\\n  -X PUT \\\n  -H 'A: b' \\\n  -d x\n  -d y\necho\n"
	found := findingsOf(src, engine.Input{})
	for _, d := range found {
		if d.Code == diag.WarnPastedNoise && d.Fix != nil {
			if got := src[:d.Fix.Span.Start] + d.Fix.Text + src[d.Fix.Span.End:]; got != want {
				t.Errorf("got %q", got)
			}
			return
		}
	}
	t.Errorf("no fix in %v", found)
}
