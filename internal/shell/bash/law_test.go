package bash

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell"
)

// sameAsBash holds the law that joins the two readers: what the fast one does
// not decline it reads as this package does.
func sameAsBash(t *testing.T, src string) {
	t.Helper()
	fast := shell.Split(src, shell.POSIX, nil, meter.New(len(src), meter.Limits{}, nil))
	slow, diags := Split(src, fast.Start, fast.End, nil)
	checkSpans(t, src, slow, diags)
	if fast.Declined {
		return
	}
	if err := fast.Diags.Err(); err != nil {
		if diags.Err() == nil {
			t.Errorf("%q\nis refused at %v: %s\nbut read as %q", src, err.Span, err.Message, texts(slow))
		}
		return
	}
	for _, c := range fast.Commands {
		if strings.ContainsAny(c.Args[0].Text, "[]=") {
			return // assignments are no words here, and the parser takes  a[b]  for one
		}
	}
	if err := diags.Err(); err != nil {
		t.Errorf("%q\nis read as %q\nbut refused: %s", src, texts(fast.Commands), err.Message)
		return
	}
	if diff := cmp.Diff(texts(fast.Commands), texts(slow)); diff != "" {
		t.Fatalf("%q (-fast +bash)\n%s", src, diff)
	}
	for i, c := range fast.Commands {
		if c.Span.Start != slow[i].Span.Start { // to the end may belong what joins lines
			t.Errorf("%q: the command %q is at %v, or at %v", src, c.Args[0].Text, c.Span, slow[i].Span)
		}
		if diff := cmp.Diff(c.Stdin, slow[i].Stdin); diff != "" {
			t.Errorf("%q: the input of %q (-fast +bash)\n%s", src, c.Args[0].Text, diff)
		}
		for j, w := range c.Args {
			if diff := cmp.Diff(w.Holes, slow[i].Args[j].Holes); diff != "" {
				t.Errorf("%q: the holes of %q (-fast +bash)\n%s", src, w.Text, diff)
			}
			if w.Span.Start != slow[i].Args[j].Span.Start {
				t.Errorf("%q: the word %q is at %v, or at %v", src, w.Text, w.Span, slow[i].Args[j].Span)
			}
		}
	}
}

func texts(commands []shell.Command) [][]string {
	var out [][]string
	for _, c := range commands {
		var words []string
		for _, w := range c.Args {
			words = append(words, w.Text)
		}
		out = append(out, words)
	}
	return out
}

// checkSpans holds that every place is inside the text.
func checkSpans(t *testing.T, src string, commands []shell.Command, diags diag.List) {
	t.Helper()
	check := func(s diag.Span) {
		if s.Start < 0 || s.End < s.Start || int(s.End) > len(src) {
			t.Errorf("%q: the place %v of a text of %d bytes", src, s, len(src))
		}
	}
	for _, c := range commands {
		check(c.Span)
		for _, w := range c.Args {
			check(w.Span)
			for _, h := range w.Holes {
				if h.Start < 0 || h.End < h.Start || int(h.End) > len(w.Text) || w.Text[h.Start:h.End] != h.Expr {
					t.Errorf("%q: the hole %+v of %q", src, h, w.Text)
				}
			}
		}
	}
	for _, d := range diags {
		check(d.Span)
	}
}

// plainPieces are what plain commands are made of.
var plainPieces = []string{
	"curl", " ", " ", " ", "  ", "\t", "\n", " \\\n ", "\\\n", " \\\r\n", "\r\n", "a", "b", "-H", "http://h.test/?a=1", "=", "{", "}", "{id}", "{{x}}", "[1-3]", ":", "~",
	"'", "''", "'a b'", "'a\nb'", "'a\r\nb'", `'"'`, `'\'`, `"`, `""`, `"a b"`, `"a\"b"`, `"\$x"`, `"\a"`, `"\\"`, `"$x"`, `"${x}"`, `"'"`, "\"a\nb\"", "\"a\\\nb\"", `"!"`, "$", "$x", "${y}", "$1", "$@", "$#", "$ ", "$'a\\nb'", `$'\x41\u00e9\''`, `$"a"`, "$%",
	`\ `, `\a`, `\'`, `\"`, `\\`, `\$`, "#", "# c'\n", "a#b", "!", "*", "?", "^", "%", "é", "你", "\u00a0", "\u200b", "\xff", "\x80", "\x01", "\x7f", "\U0010ffff", "“a b”", "‘c’", "’", "\\", "-", "@", ",", "..", "\n\n", "\n$ ", "\n> ", "\n```\n", "me@host:~$ ",
	"|", " | ", " |\n", "|&", "&&", " && ", " && curl ", " || ", " &&\n# c\n", ";", "; ", ";;", "&", " > out", ">x", " 2>&1", ">>", " >& ", "2", " | curl ", "; curl ", "\ncurl ", "echo ", "cat", "true", "jq . ", "<", "if ", "! ",
}

func randomPlain(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(8) > 0 {
		b.WriteString("curl ")
	}
	for range 1 + r.IntN(12) {
		b.WriteString(plainPieces[r.IntN(len(plainPieces))])
	}
	return b.String()
}

func TestFastReaderIsBash(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 100_000 {
		sameAsBash(t, randomPlain(r))
		if t.Failed() {
			return
		}
	}
}

func FuzzFastReaderIsBash(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		f.Add(randomPlain(r))
	}
	for _, s := range scripts {
		f.Add(s)
	}
	f.Fuzz(sameAsBash)
}
