package api

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/source"
	"uncoil/internal/proof/corpus"
)

// refusals are the codes with which an answer of four members refuses a text that has one
// request: what it has no place for.
var refusals = []diag.Code{
	diag.CodeFileNotSupplied, diag.CodeBinaryBody, diag.CodeComputedAuth, diag.CodeRequestTarget,
	diag.CodeTooLarge, diag.CodeTooMuchWork, diag.CodeStdinNotSupplied,
}

// checkOneAnswer holds that the doors agree on which requests a text has: where the full
// description has one, convert and code answer that one, or refuse it for a reason of
// their own, and where it has none, all have the same error.
func checkOneAnswer(t *testing.T, text, shell string) {
	t.Helper()
	in := engine.Input{Shell: shell}
	result, err := engine.Parse(text, in)
	request := Request{Curl: text, Input: in}
	short, _, shortErr := request.Answer(nil, AsConvert)
	request.Target = "curl"
	_, program, codeErr := request.Answer(nil, AsCode)
	if err != nil {
		if a, b, c := codeOf(err), codeOf(shortErr), codeOf(codeErr); a != b || a != c {
			t.Errorf("%q: parse says %s, convert %s, code %s", text, a, b, c)
		}
		return
	}
	if codeErr == nil && program.Requests != len(result.Requests) {
		t.Errorf("%q: a program of %d requests, parse has %d", text, program.Requests, len(result.Requests))
	}
	if code := codeOf(codeErr); code != "" && code != diag.CodeCannotExpress && !slices.Contains(refusals, code) {
		t.Errorf("%q: code says %s, parse has %d requests", text, code, len(result.Requests))
	}
	if len(result.Requests) != 1 {
		return
	}
	if code := codeOf(shortErr); code != "" && !slices.Contains(refusals, code) {
		t.Errorf("%q: convert says %s, parse has one request", text, code)
	}
	if shortErr != nil {
		return
	}
	of := engine.Result{Shell: result.Shell, Requests: result.Requests}
	if same, _, err := of.Append(nil, engine.Want{}); err != nil || string(same) != string(short) {
		t.Errorf("%q: convert says\n%s\nof the request of parse it is\n%s %v", text, short, same, err)
	}
}

// codeOf returns the code of an error, or nothing.
func codeOf(err error) diag.Code {
	e, ok := errors.AsType[*engine.Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return "not an error of the engine"
	}
	return e.Code
}

// around is what may stand around a command in a text.
var around = [][2]string{
	{"Use curl as `", "` "}, {"`", "` | with `curl`"}, {"curl --version\n", ""}, {"", "\ncurl -V"}, {"curl) r=$(", ") || exit 1;;"},
	{"echo \"$(", ")\""}, {"if ", "; then"}, {"curl -H \"A: $(", ")\" http://outer.test"}, {"curl\n", ""}, {"", "; curl --bogus"},
	{"x=`", "`; curl"}, {"for i in $(", "); do echo $i; done"}, {"curl -o \"`", "`\" --next"}, {"| curl | `", "` |"}, {"Can you curl it? $(", ")"},
}

// marks are letters that mean something to a shell or to curl.
const marks = "`'\"$()|;&\\\n <>{}[]#@-="

// mutated returns a text made of those of the corpus.
func mutated(r *rand.Rand, texts []string) string {
	text := texts[r.IntN(len(texts))]
	for range 1 + r.IntN(3) {
		at := r.IntN(len(text) + 1)
		switch r.IntN(5) {
		case 0:
			text = text[:at] + text[min(len(text), at+1+r.IntN(8)):]
		case 1:
			text = text[:at] + string(marks[r.IntN(len(marks))]) + text[at:]
		case 2:
			text += "\n" + texts[r.IntN(len(texts))]
		default:
			w := around[r.IntN(len(around))]
			text = w[0] + text + w[1]
		}
	}
	return text
}

// TestOneAnswer holds the doors equal over texts that are made of those of the corpora.
func TestOneAnswer(t *testing.T) {
	var texts []string
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors, corpus.Pasted) {
		if len(c.Command) < 1000 {
			texts = append(texts, c.Command)
		}
	}
	n := 20_000
	if testing.Short() {
		n = 1500
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		checkOneAnswer(t, mutated(r, texts), "")
	}
	for _, w := range around {
		checkOneAnswer(t, w[0]+"curl http://h.test/a -d b"+w[1], "")
	}
}

// FuzzOneAnswer is TestOneAnswer for any text.
func FuzzOneAnswer(f *testing.F) {
	shells := source.DialectNames()
	seeds := corpus.Read(f, corpus.Commands, corpus.Errors, corpus.Pasted)
	for i, c := range seeds {
		if !testing.Short() || i%16 == 0 {
			f.Add(c.Command, byte(max(slices.Index(shells, c.Shell), 0)))
		}
	}
	f.Fuzz(func(t *testing.T, text string, shell byte) {
		checkOneAnswer(t, text, shells[int(shell)%len(shells)])
	})
}
