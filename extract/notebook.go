package extract

import (
	"strings"

	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/paste"
)

// A cell is what matters of a cell of a notebook.
type cell struct {
	kind       string
	start, end int // of its source in the text: a string, or an array of strings
}

// notebook finds the commands in the cells of a Jupyter notebook. A notebook
// that is cut off has the cells before that.
func (s *scanner) notebook() {
	if !s.meter.Work(4 * len(s.src)) {
		return
	}
	const depth = 64
	r := jsontext.NewReader(s.src, depth)
	if r.Peek() != '{' {
		return
	}
	r.Object(func(name string, _ int) bool {
		if name != "cells" || r.Peek() != '[' {
			return r.Skip()
		}
		return r.Array(func() bool {
			if r.Peek() != '{' {
				return r.Skip()
			}
			var c cell
			ok := r.Object(func(name string, _ int) bool {
				opening := r.Peek()
				at := r.Pos()
				if name == "cell_type" && opening == '"' {
					var ok bool
					c.kind, ok = r.String()
					return ok
				}
				ok := r.Skip()
				if name == "source" && (opening == '"' || opening == '[') {
					c.start, c.end = at, r.Pos()
				}
				return ok
			})
			if ok {
				s.cell(c)
			}
			return ok
		})
	})
}

// cell finds the commands in a cell.
func (s *scanner) cell(c cell) {
	src := s.src[c.start:c.end]
	if !strings.Contains(src, "curl") {
		return
	}
	b := s.unquoted(&block{text: s.src}, c.start, c.end)
	switch {
	case s.meter.Over():
	case c.kind == "markdown":
		s.markdown(b)
	default:
		magic := firstWord(strings.TrimLeft(b.text, " \t\r\n"))
		b.shell = magic == "%%bash" || magic == "%%sh" || magic == "%%script"
		s.block(b)
	}
}

// unquoted returns the block of the strings of JSON in a part of a block, without what
// stands between them.
func (s *scanner) unquoted(outer *block, start, end int) *block {
	src := outer.text[start:end]
	w := paste.NewRewriting(src, s.meter)
	outside := 0 // where what is not content starts
	for i := 0; i < len(src); i++ {
		if src[i] != '"' {
			continue
		}
		w.Replace(outside, i+1, "")
		for i++; i < len(src) && src[i] != '"'; i++ {
			if src[i] != '\\' {
				continue
			}
			n := escapeLength(src[i:])
			if text, ok := jsontext.Unquote(`"` + src[i:i+n] + `"`); ok {
				w.Replace(i, i+n, text)
			}
			i += n - 1
		}
		outside = i
	}
	w.Replace(min(outside, len(src)), len(src), "")
	b := outer.part(start, end)
	b.text, b.places = w.Text(), w
	return b
}

// escapeLength returns the length of the escape that a text starts with, or of
// the two that are one character.
func escapeLength(s string) int {
	const unicode = len(`\u0000`)
	switch {
	case len(s) < unicode || s[1] != 'u':
		return min(2, len(s))
	case len(s) >= 2*unicode && (s[2] == 'd' || s[2] == 'D') && strings.HasPrefix(s[unicode:], `\u`):
		return 2 * unicode
	}
	return unicode
}

// history finds the commands in the history of a shell. Zsh writes a backslash
// before each line break within a command.
func (s *scanner) history() {
	b := &block{text: s.src, shell: true}
	if strings.HasPrefix(s.src, ": ") || strings.Contains(s.src, "\n: ") {
		w := paste.NewRewriting(s.src, s.meter)
		for at := 0; at < len(s.src); {
			if n := stamp(s.src[at:min(len(s.src), at+maxBefore)]); n > 0 {
				w.Replace(at, at+n, "")
			}
			n := strings.IndexByte(s.src[at:], '\n')
			if n < 0 || !s.meter.Work(n/4+8) {
				break
			}
			if n > 1 && s.src[at+n-1] == '\\' {
				w.Replace(at+n-1, at+n, "")
			}
			at += n + 1
		}
		b.text, b.places = w.Text(), w
	}
	s.block(b)
}
