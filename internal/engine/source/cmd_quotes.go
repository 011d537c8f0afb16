package source

import (
	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/word"
)

// SplitForCmd reads a text for cmd.exe, which knows no single quotes, as if those around its
// arguments were double ones, which double writes; ok is false where there are none.
func SplitForCmd(src string, env map[string]string, m *meter.Meter, double func(arg string) string) (r Reading, ok bool) {
	if !HasSingleQuotes(src, m) || !m.Hold(4*len(src)) {
		return r, false
	}
	var said diag.List
	q := misquoting{src: src, w: paste.NewRewriting(src, m), meter: m, diags: &said}
	for at := 0; ; {
		i, n := nextSingleQuoted(src, at)
		if n == 0 {
			break
		}
		q.change(i, i+n, double(src[i+1:i+n-1]), diag.WarnQuotesLost, diag.Span{Start: int32(i), End: int32(i + n)},
			"cmd.exe knows no single quotes; this argument was read as if it stood in double quotes", "write double quotes, and a backslash before those within")
		at = i + n
	}
	if len(q.changes) == 0 || m.Over() {
		return r, false
	}
	q.report()
	r = splitRewritten(q.w, Cmd, env, m)
	r.Diags = append(said, r.Diags...)
	return r, true
}

// HasSingleQuotes reports whether an argument of a text for cmd.exe stands in single quotes.
func HasSingleQuotes(src string, m *meter.Meter) bool {
	if !m.Work(4 * len(src)) {
		return false
	}
	_, n := nextSingleQuoted(src, 0)
	return n > 0
}

// nextSingleQuoted returns where the next argument in single quotes stands, outside of double
// ones, and its length; 0 where there is none.
func nextSingleQuoted(src string, at int) (start, length int) {
	inside := false
	for i := max(at, 1); i < len(src); i++ {
		switch c := src[i]; {
		case c == '"':
			inside = !inside
		case c == '\n':
			inside = false
		case c == '\'' && !inside && ascii.IsBlank(src[i-1]):
			if _, n := word.SingleQuoted(src[i:]); n > 0 {
				return i, n
			}
			i += ascii.LineLength(src[i:]) - 1 // no other on this line ends either
			inside = false
		}
	}
	return 0, 0
}
