package cli

import (
	"io"
	"testing"

	"uncoil/diag"
)

func TestColoured(t *testing.T) {
	const source = "curl ^^ --nothing"
	d := diag.Diagnostic{Code: "c-d", Severity: diag.SeverityError, Span: diag.Span{Start: 8, End: 12}, Message: "c-d: it", Hint: "^^"}
	want := "1:9: " + red + "c-d" + plain + ": c-d: it\n" + source + "\n        " + red + "^^^^" + plain + "\nhint: ^^\n"
	if got := string(coloured(d.AppendText(nil, source), &d)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	d = diag.Diagnostic{Code: "c", Severity: diag.SeverityWarning, Span: diag.Span{Start: 0, End: 1}, Message: "m"}
	want = "1:1: " + yellow + "warning: c" + plain + ": m\nx\n" + yellow + "^" + plain + "\n"
	if got := string(coloured(d.AppendText(nil, "x"), &d)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestHasColour(t *testing.T) {
	for _, test := range []struct {
		stream io.Writer
		env    map[string]string
		want   bool
	}{
		{&terminal{}, map[string]string{"TERM": "xterm"}, true},
		{io.Discard, map[string]string{"TERM": "xterm"}, false},
		{&terminal{}, map[string]string{"TERM": "dumb"}, false},
		{&terminal{}, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
	} {
		p := &Program{Env: func(name string) string { return test.env[name] }}
		if got := p.hasColour(test.stream); got != test.want {
			t.Errorf("%T, %v: %v", test.stream, test.env, got)
		}
	}
}
