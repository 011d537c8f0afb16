package uncoil_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil"
	"uncoil/diag"
)

// TestPanicsBecomeErrors holds that no exported function panics: the error has
// the code internal, no text of the command, and dst stays as it was.
func TestPanicsBecomeErrors(t *testing.T) {
	const secret, command = "s3cr3t", "curl -b jar -d s3cr3t h.test"
	in := uncoil.Input{
		Files:        map[string][]byte{"jar": []byte("h.test\tFALSE\t/\tFALSE\t0\ta\tb\n")},
		PublicSuffix: func(string) string { panic(secret) },
	}
	// What Parse never returns.
	none := uncoil.Result{}
	levels := uncoil.Result{Warnings: diag.List{{Level: 9}}}
	for name, call := range map[string]func(dst []byte) ([]byte, error){
		"Parse": func(dst []byte) ([]byte, error) { _, err := uncoil.Parse(command, in); return dst, err },
		"ParseArgs": func(dst []byte) ([]byte, error) {
			_, err := uncoil.ParseArgs(strings.Fields(command), in)
			return dst, err
		},
		"Convert": func(dst []byte) ([]byte, error) { _, err := uncoil.Convert(command, in); return dst, err },
		"Append": func(dst []byte) ([]byte, error) {
			out, _, err := uncoil.Append(dst, command, uncoil.Want{As: uncoil.AsCode, Target: "go"}, in)
			return out, err
		},
		"AppendConvert":      func(dst []byte) ([]byte, error) { return uncoil.AppendConvert(dst, command, in) },
		"AppendParse":        func(dst []byte) ([]byte, error) { return uncoil.AppendParse(dst, command, in) },
		"Result.Append":      func(dst []byte) ([]byte, error) { return none.Append(dst, uncoil.Want{}) },
		"Result.Members":     func(dst []byte) ([]byte, error) { _, err := none.Members(); return dst, err },
		"Result.MarshalJSON": func(dst []byte) ([]byte, error) { _, err := levels.MarshalJSON(); return dst, err },
	} {
		out, err := call([]byte("before"))
		e, ok := errors.AsType[*uncoil.Error](err)
		if !ok || e.Code != diag.CodeInternal || e.Severity != diag.Error || e.Line != 1 || e.Column != 1 || e.Arg != 0 {
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
	if out := levels.AppendJSON([]byte("before")); string(out) != "beforenull" {
		t.Errorf("AppendJSON leaves %q", out)
	}
	// The memory of a conversion that panicked serves no other.
	if out, err := uncoil.AppendConvert(nil, "curl h.test", uncoil.Input{}); string(out) != `{"method":"GET","url":"http://h.test","headers":{},"data":null}` {
		t.Errorf("%s, %v", out, err)
	}
}
