// Package shelltest has what the tests of all readers share.
package shelltest

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/source/word"

	"github.com/google/go-cmp/cmp"
)

// Texts returns the arguments of each command.
func Texts(cmds []word.Command) [][]string {
	var out [][]string
	for _, c := range cmds {
		var args []string
		for _, w := range c.Args {
			args = append(args, w.Text)
		}
		out = append(out, args)
	}
	return out
}

// Codes returns the codes of the diagnostics, in order.
func Codes(diags diag.List) string {
	var out []string
	for _, d := range diags {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

// A Case is a text and the commands in it. Where want is nil the text has
// one command, args.
type Case struct {
	Name, Src string
	Env       map[string]string
	Args      []string
	Want      [][]string
	Codes     string
}

// Run holds that split makes of the text what the case says.
func (c *Case) Run(t *testing.T, split func(string, map[string]string) ([]word.Command, diag.List)) {
	t.Helper()
	cmds, diags := split(c.Src, c.Env)
	want := c.Want
	if c.Args != nil {
		want = [][]string{c.Args}
	}
	if diff := cmp.Diff(want, Texts(cmds)); diff != "" {
		t.Errorf("%s\n(-want +got)\n%s", c.Src, diff)
	}
	if got := Codes(diags); got != c.Codes {
		t.Errorf("%s\ncodes %q, want %q\n%v", c.Src, got, c.Codes, diags)
	}
	CheckSpans(t, c.Src, cmds, diags)
}

// CheckSpans reports spans out of bounds or out of order.
func CheckSpans(t *testing.T, src string, cmds []word.Command, diags diag.List) {
	t.Helper()
	inside := func(what string, s diag.Span, low int32) {
		if s.Start < low || s.End < s.Start || int(s.End) > len(src) {
			t.Errorf("%.200q: %.60s has span %v, after %d of %d", src, what, s, low, len(src))
		}
	}
	low := int32(0)
	for _, c := range cmds {
		inside("a command", c.Span, low)
		at := c.Span.Start
		for _, w := range c.Args {
			inside("the word "+w.Text, w.Span, 0)
			if !translated(src, c) {
				inside("the word "+w.Text, w.Span, at)
				at = w.Span.End
			}
			hole := int32(0)
			for _, h := range w.Holes {
				if h.Start < hole || h.End < h.Start || int(h.End) > len(w.Text) || w.Text[h.Start:h.End] != h.Expr {
					t.Errorf("%.200q: the word %.60q has the hole %v", src, w.Text, h)
				}
				hole = h.End
			}
		}
		low = c.Span.End
	}
	for _, d := range diags {
		inside(string(d.Code), d.Span, 0)
	}
}

// CheckBounds reports spans and holes out of bounds. A shell that runs loops and
// substitutions has its commands in the order in which they run, which is not
// that of the text.
func CheckBounds(t *testing.T, src string, cmds []word.Command, diags diag.List) {
	t.Helper()
	for i := range cmds {
		c := cmds[i]
		c.Args = nil
		CheckSpans(t, src, []word.Command{c}, nil)
		for j := range cmds[i].Args {
			c.Args = cmds[i].Args[j : j+1]
			c.Span = c.Args[0].Span
			CheckSpans(t, src, []word.Command{c}, nil)
		}
	}
	CheckSpans(t, src, nil, diags)
}

// translated reports whether the words stand for PowerShell's own command:
// those are in curl's order, not in the text's.
func translated(src string, c word.Command) bool {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "--") && !strings.Contains(src[w.Span.Start:w.Span.End], "--") {
			return true
		}
	}
	return false
}

// Benchmark measures split with pieces of text, 16 kB and 1 MB of them.
func Benchmark(b *testing.B, head, piece string, split func(string, map[string]string) ([]word.Command, diag.List)) {
	for _, size := range []struct {
		name string
		n    int
	}{{"16k", 16 << 10}, {"1M", 1 << 20}} {
		src := head + strings.Repeat(piece, size.n/len(piece))
		b.Run("size="+size.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				split(src, nil)
			}
		})
	}
}
