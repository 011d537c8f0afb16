package engine_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/request"
)

// TestPanicsBecomeErrors holds that no exported function panics: the error has
// the code internal, no text of the command, and dst stays as it was.
func TestPanicsBecomeErrors(t *testing.T) {
	const secret, command = "s3cr3t", "curl -b jar -d s3cr3t h.test"
	in := engine.Input{
		Files:        map[string][]byte{"jar": []byte("h.test\tFALSE\t/\tFALSE\t0\ta\tb\n")},
		PublicSuffix: func(string) string { panic(secret) },
	}
	// What Parse never returns.
	none := engine.Result{}
	pieces := engine.Result{Requests: []request.Request{{Body: &request.Body{Kind: request.KindFile}}}}
	for name, call := range map[string]func(dst []byte) ([]byte, error){
		"Parse": func(dst []byte) ([]byte, error) { _, err := engine.Parse(command, in); return dst, err },
		"ParseArgs": func(dst []byte) ([]byte, error) {
			_, err := engine.ParseArgs(strings.Fields(command), in)
			return dst, err
		},
		"Convert": func(dst []byte) ([]byte, error) { _, err := engine.Convert(command, in); return dst, err },
		"Answer as code": func(dst []byte) ([]byte, error) {
			r := api.Request{Curl: command, Want: api.Want{Target: "go"}, Input: in}
			out, _, err := r.Answer(dst, api.AsCode)
			return out, err
		},
		"AppendConvert":      func(dst []byte) ([]byte, error) { return appendConvert(dst, command, in) },
		"AppendParse":        func(dst []byte) ([]byte, error) { return appendParse(dst, command, in) },
		"Result.Append":      func(dst []byte) ([]byte, error) { return appendResult(dst, &none) },
		"Result.Members":     func(dst []byte) ([]byte, error) { _, err := none.Members(); return dst, err },
		"Result.MarshalJSON": func(dst []byte) ([]byte, error) { _, err := pieces.MarshalJSON(); return dst, err },
	} {
		out, err := call([]byte("before"))
		e, ok := errors.AsType[*engine.Error](err)
		if !ok || e.Code != diag.CodeInternal || e.Severity != diag.SeverityError || e.Line != 1 || e.Column != 1 || e.Arg != 0 {
			t.Errorf("%s: %+v", name, err)
			continue
		}
		if text := err.Error() + string(e.AppendReport(nil)); strings.Contains(text, secret) || !strings.Contains(text, "please report it") {
			t.Errorf("%s says %s", name, text)
		}
		if string(out) != "before" {
			t.Errorf("%s leaves %q", name, out)
		}
	}
	if out := pieces.AppendJSON([]byte("before")); string(out) != "beforenull" {
		t.Errorf("AppendJSON leaves %q", out)
	}
	// The memory of a conversion that panicked serves no other.
	if out, err := appendConvert(nil, "curl h.test", engine.Input{}); string(out) != `{"method":"GET","url":"http://h.test","headers":{},"data":null}` {
		t.Errorf("%s, %v", out, err)
	}
}
