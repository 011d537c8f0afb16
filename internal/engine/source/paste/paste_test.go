package paste

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
)

// Skip steps over a prompt, and over nothing that is a command.
func TestPrompt(t *testing.T) {
	for _, c := range []struct{ prompt, command string }{
		{"$ ", "curl h"}, {"ann@host:~/dir$ ", "curl h"}, {"[ann@host dir]$ ", "curl h"}, {"(env) $ ", "curl h"},
		{"➜  ~ ", "curl h"}, {"➜ ", "curl h"}, {"➜  app git:(main) ✗ ", "curl h"}, {"(base) ➜  app git:(main) ", "curl h"},
		{"➜  ~ ", "cd app"}, {"host1> ", "curl h"}, {"!", "curl h"}, {"Curl : ", "curl h"}, {"cURL: ", "curl h"},
		{"", "curl h"}, {"", "! curl h"}, {"", "a > curl h"}, {"", "echo: curl h"}, {"", "curl: (6) no host"}, {"", "c"},
	} {
		src := c.prompt + c.command
		var diags diag.List
		o, start, end := New(src, meter.New(len(src), meter.Limits{}, nil), &diags)
		if got := src[o.Skip(start, end):end]; got != c.command {
			t.Errorf("%q: the command is %q", src, got)
		}
		if (len(diags) > 0) != (c.prompt != "") {
			t.Errorf("%q: warnings %v", src, diags)
		}
	}
}

func TestUnwrap(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`<pre><code class="a">curl "h?a=1&amp;b=2"</code></pre>`, `curl "h?a=1&b=2"`},
		{`"curl \"h\" \\\n -H 'A: b'",`, "curl \"h\" \\\n -H 'A: b'"},
		{`'curl h -d "x"'`, `curl h -d "x"`},
		{"1  curl h \\\n2    -d x", "curl h \\\n-d x"},
		{"1 | curl h \\\n2 |   -d x", "curl h \\\n-d x"},
		{"1\n2\n45\nCURL h", "\n\n\nCURL h"},
		{`curl "h?a=1&amp;b=2"`, ""}, {`"curl" h -d "x"`, ""}, {`'curl' h -d 'x'`, ""}, {`"curl h" -d "x"`, ""},
		{"1 curl h\n3 curl i", ""}, {"1 a\n2 b", ""}, {"<a", ""}, {"< in curl h", ""}, {"", ""}, {" \n", ""}, {`"`, ""}, {`"curl "`, "curl "},
		{`curl \"http://h\" -d \"{\\\"a\\\":1}\"`, `curl "http://h" -d "{\"a\":1}"`},
		{`curl h -H \"A: b\"`, `curl h -H "A: b"`},
		{`curl h -d {\"a\":1}`, ""}, // as a shell wants it
		{`curl \"http://h\" -d "x"`, ""},
		{`curl \"http://h`, ""},
	} {
		w, what := Unwrap(c.src, meter.New(len(c.src), meter.Limits{}, nil))
		got := ""
		if w != nil {
			got = w.Text()
		}
		if got != c.want || (w != nil && what == "") {
			t.Errorf("%q is read as %q, want %q", c.src, got, c.want)
		}
	}
}

func FuzzUnwrap(f *testing.F) {
	f.Add("1 curl h\n2 -d x")
	f.Add(`"curl \"h\\"`)
	f.Add("<pre>a</pre>&lt;")
	f.Fuzz(func(t *testing.T, src string) {
		w, _ := Unwrap(src, meter.New(len(src), meter.Limits{}, nil))
		if w == nil {
			return
		}
		text := w.Text()
		for i := range len(text) + 1 {
			if s, e := w.Start(i), w.End(i); s < 0 || e < 0 || int(s) > len(src) || int(e) > len(src) {
				t.Fatalf("%q: byte %d of %q comes from %d to %d", src, i, text, s, e)
			}
		}
	})
}
