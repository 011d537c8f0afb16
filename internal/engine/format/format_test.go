package format_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/format"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

func TestSource(t *testing.T) {
	wide := strings.Repeat("a", 70)
	for _, test := range []struct{ name, src, want string }{
		{"a short one stays", "curl   -X POST \"https://h.test/\"  'a'\n", ""},
		{"lines that are indented alike stay", "curl -X POST \\\n     -H 'a: b' \\\n     \"https://h.test/\"\n", ""},
		{"a long one has a line for each option, and flags, method and URL stand beside curl",
			`curl -sS -X POST https://api.example.com/v1/items -H "Content-Type: application/json" -d '{"name":"Ann"}'` + "\n",
			"curl -sS -X POST https://api.example.com/v1/items \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\"name\":\"Ann\"}'\n"},
		{"the URL stands where it stood", "curl -s -H 'a: b' https://h.test/" + wide + "\n", "curl -s \\\n  -H 'a: b' \\\n  https://h.test/" + wide + "\n"},
		{"what stands behind a command does not make it long", "curl -fsSL 'https://get.h.test' | bash # " + wide + "\n", ""},
		{"nothing divides one option", "curl https://h.test/" + wide + "\n", ""},
		{"only the lines that are too long are divided", "curl a \\\n    -d b -d c \\\n    -H 'a: " + wide + "' -d  d\n", "curl a \\\n    -d b -d c \\\n    -H 'a: " + wide + "' \\\n    -d d\n"},
		{"lines that are not indented alike are", "\tcurl a \\\n\t\t-d b \\\n  -d c\n", "\tcurl a \\\n\t\t-d b \\\n\t\t-d c\n"},
		{"lines that are not indented at all are", "  curl a \\\n-d b \\\n-d c\n", "  curl a \\\n    -d b \\\n    -d c\n"},
		{"a line with nothing goes", "curl a \\\n\\\n  -d b\n", "curl a \\\n  -d b\n"},
		{"comments, strings and here-documents stay", "# curl -d a https://h.test/" + wide + "\necho 'curl -d a https://h.test/" + wide + "'\ncat <<E\ncurl -d a https://h.test/" + wide + "\nE\n", ""},
		{"a function, a branch and a substitution are laid out", "f() {\n\tX=\"$(curl -s -d a https://h.test/" + wide + ")\"\n}\n", "f() {\n\tX=\"$(curl -s \\\n\t\t-d a \\\n\t\thttps://h.test/" + wide + ")\"\n}\n"},
		{"backquotes stay", "X=`curl -s -d a https://h.test/" + wide + "`\n", ""},
		{"a redirection among the arguments stays", "curl   a   >x   -s -d " + wide + "\n", ""},
		{"words that a variable splits stay", "O='-X PUT'\ncurl $O x.test -d " + wide + "\n", "O='-X PUT'\ncurl $O \\\n  x.test \\\n  -d " + wide + "\n"},
		{"a prefix stays", "sudo   curl -s x.test -d " + wide, "sudo   curl -s x.test \\\n  -d " + wide},
		{"a word of two lines", "curl x.test   -d 'a\n" + wide + wide + "'", ""},
		{"a missing backslash is not added", "curl a\n  -d " + wide + " -d b\n", ""},
		{"line ends of Windows", "curl a -d b -d '" + wide + "'\r\n", "curl a \\\r\n  -d b \\\r\n  -d '" + wide + "'\r\n"},
		{"a carriage return within a line", "curl a -d b -d '" + wide + "' \r\n\n", ""},
		{"cmd.exe", "curl   ^\"https://h.test/^\" -d " + wide + " ^\r\n  -H ^\"A: b^\"\r\n", "curl ^\"https://h.test/^\" ^\r\n  -d " + wide + " ^\r\n  -H ^\"A: b^\"\r\n"},
		{"PowerShell", "curl.exe   'https://h.test/?a=b' -d " + wide + " `\n  -H   \"A: $env:B\"\n", "curl.exe 'https://h.test/?a=b' `\n  -d " + wide + " `\n  -H \"A: $env:B\"\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if want == "" {
				want = test.src
			}
			got, diags := format.Source(test.src, "")
			if got != want || diags.Err() != nil {
				t.Errorf("%s\nis formatted as\n%s\nwant\n%s\n%v", test.src, got, want, diags)
			}
			if again, _ := format.Source(got, ""); again != got {
				t.Errorf("formatted again it is\n%s", again)
			}
		})
	}
	if _, diags := format.Source("curl 'a", ""); diags.Err() == nil {
		t.Error("an open quote is no error")
	}
}

// TestCorpus holds that a command stays the same request, and that formatting
// is idempotent.
func TestCorpus(t *testing.T) {
	changed := 0
	for _, c := range corpus.Read(t, corpus.Commands) {
		in := engine.Input{Files: c.Files, Env: c.Env, Stdin: c.Stdin}
		want, err := engine.Parse(c.Command, in)
		if err != nil {
			continue
		}
		formatted, diags := format.Source(c.Command, "")
		if diags.Err() != nil || formatted == c.Command {
			continue
		}
		changed++
		got, err := engine.Parse(formatted, in)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.Path, err, formatted)
			continue
		}
		forgetPlaces(want)
		forgetPlaces(got)
		if a, b := string(want.AppendJSON(nil)), string(got.AppendJSON(nil)); a != b {
			t.Errorf("%s: %s\nis formatted as\n%s\nwant %s\ngot  %s", c.Path, c.Command, formatted, a, b)
		}
		if again, _ := format.Source(formatted, ""); again != formatted {
			t.Errorf("%s\nis formatted as\n%s\nand again as\n%s", c.Command, formatted, again)
		}
	}
	if changed < 40 {
		t.Errorf("only %d commands change", changed)
	}
}

// forgetPlaces drops what has a place in the text.
func forgetPlaces(r *engine.Result) {
	r.Warnings = nil
	for i := range r.Requests {
		for _, v := range r.Requests[i].Variables {
			if c, ok := v.From.(*request.Command); ok {
				c.Span = diag.Span{}
			}
		}
	}
}

// frames are scripts around a command: X stands for it.
var frames = []string{
	"X", "X; X", "X\n X", "if X ; then echo; fi", "time X; ! X", "{ X; }; (X) && X", "echo a; X | cat", "sudo X && if ! X; then X; fi",
	"for i in a b; do X; done", "$(X) ; X", "bash -c 'X'; X",
}

// TestIdempotent holds that formatting a formatted text changes nothing, where
// several commands share a line too.
func TestIdempotent(t *testing.T) {
	texts := []string{
		"if curl  -d x  h ; then curl  https://api.example.com/v1/items/1 -H 'Content-Type: application/json' -d text; fi",
		"time curl  https://api.example.com/v1/items/1 -H 'Content-Type: application/json' -d text; ! curl  -d y  h",
		"\tcurl  https://api.example.com/v1/items/1 -H 'Content-Type: application/json' -d text; curl  -d '\n y'  h; curl  -s  h",
		strings.Repeat("curl  -s  h;", 30), strings.Repeat("curl  -d 'a\n\t' -s  h &&", 30) + "x", strings.Repeat(" ", 500) + strings.Repeat("curl  -s  h; ", 30),
	}
	for _, c := range corpus.Read(t, corpus.Commands, corpus.Errors) {
		for _, frame := range frames {
			texts = append(texts, strings.ReplaceAll(frame, "X", strings.ReplaceAll(c.Command, " ", "  ")))
		}
	}
	changed := 0
	for _, src := range texts {
		formatted, diags := format.Source(src, "")
		if diags.Err() != nil || formatted == src {
			continue
		}
		changed++
		if again, diags := format.Source(formatted, ""); again != formatted || diags.Err() != nil {
			t.Errorf("%s\nis formatted as\n%s\nand again as\n%s\n%v", src, formatted, again, diags)
		}
	}
	if changed < 1000 {
		t.Errorf("only %d texts change", changed)
	}
}

// FuzzSource holds for any text that formatting keeps the words of its commands,
// and changes nothing the second time.
func FuzzSource(f *testing.F) {
	for _, c := range corpus.Read(f, corpus.Commands) {
		f.Add(c.Command)
	}
	for _, frame := range frames {
		f.Add(strings.ReplaceAll(frame, "X", "curl  -d 'a b'  -s \\\n h"))
	}
	f.Fuzz(func(t *testing.T, src string) {
		formatted, diags := format.Source(src, "")
		if d := diags.Err(); d != nil {
			if fault := fault.Of(d.Cause); fault != nil {
				t.Fatalf("a panic: %s\n%s", fault.What, fault.Stack)
			}
			return
		}
		if again, diags := format.Source(formatted, ""); again != formatted || diags.Err() != nil {
			t.Errorf("%q\nis formatted as\n%q\nand again as\n%q\n%v", src, formatted, again, diags)
		}
		if before, after := words(src), words(formatted); !slices.Equal(before, after) {
			t.Errorf("%q\nis formatted as\n%q\nwith the words\n%q\nfor\n%q", src, formatted, after, before)
		}
	})
}

// words returns all words of a text.
func words(src string) (all []string) {
	for _, c := range source.Split(src, source.Auto, nil, meter.New(len(src), meter.Limits{}, nil), nil).Commands {
		for _, w := range c.Args {
			all = append(all, w.Text)
		}
		all = append(all, "")
	}
	return all
}

// TestGrowth holds that what is allocated grows as the text does.
func TestGrowth(t *testing.T) {
	for _, piece := range []string{
		"curl h;", "curl  -s  h;", "curl  a.test  -d  b\n", "curl  -d  'a\nb'  h;", " curl  $x", "\\\n", "curl  -d  $(curl  -s  h) h;",
		"curl  -d '" + strings.Repeat("a", 90) + "' -s  h;",
	} {
		const n = 500
		short, long := allocated(strings.Repeat(piece, n)), allocated(strings.Repeat(piece, 8*n))
		if long > 12*short {
			t.Errorf("%q: %d bytes for %d pieces, and %d for %d", piece, short, n, long, 8*n)
		}
		deep := strings.Repeat(" ", n*len(piece)) // an indentation, which each line repeats
		if long := allocated(deep + strings.Repeat(piece, n)); long > 12*short {
			t.Errorf("%q: %d bytes for %d pieces, and %d with %d blanks", piece, short, n, long, len(deep))
		}
	}
}

// allocated returns how many bytes the formatting of a text allocates.
func allocated(src string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	format.Source(src, "")
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
