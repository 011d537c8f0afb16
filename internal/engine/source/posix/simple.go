package posix

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/paste"
)

// SimpleEnd returns where the simple command ends that starts at the start of a
// text, with its redirections, its here-documents, and the lines after it that
// begin with options, as where a backslash was forgotten. What follows may be
// anything. The error is that of a command which the shell would not accept.
func SimpleEnd(src string, m *meter.Meter) (end int, err *diag.Diagnostic) {
	r := readers.Get().(*reader)
	defer r.release()
	r.src, r.end, r.meter = src, len(src), m
	r.paste = paste.Bare(src, m, &r.diags)
	var s stmt
	for ok := true; ok; {
		if !r.simple(&s) {
			return r.i, r.diags.Err()
		}
		end = len(strings.TrimRight(src[:r.i], " \t\r\n"))
		ok = len(r.docs) == 0 && r.optionLine()
	}
	if len(r.docs) > 0 {
		r.i = min(r.i+ascii.LineLength(src[r.i:])+1, len(src))
		if !r.documents() {
			return r.i, r.diags.Err()
		}
		end = len(strings.TrimRight(src[:r.i], "\r\n"))
	}
	return end, nil
}

// optionLine steps to the next line where that begins with an option.
func (r *reader) optionLine() bool {
	if r.i >= r.end || r.src[r.i] != '\n' {
		return false
	}
	i := r.i + 1
	for i < r.end && ascii.IsBlank(r.src[i]) {
		i++
	}
	if i+1 >= r.end || !beginsOption(r.src[i:r.end]) || !r.pay(i-r.i) {
		return false
	}
	r.i = i
	return true
}
