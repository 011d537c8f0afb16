package cmd

import (
	"bytes"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// expandPercent replaces each %NAME% that is known, as cmd.exe does before it
// looks at quotes and carets: one line at a time, so that a set counts from
// the next line on. In a batch file %% is no name. When the meter refuses, the rest is left as typed.
func expandPercent(src string, batch bool, env map[string]string, m *meter.Meter) (string, word.Positions) {
	if strings.IndexByte(src, '%') < 0 || !m.Work(2*len(src)+mapSteps*len(env)) || !m.Hold(len(src)) {
		return src, nil
	}
	vars := make(map[string]string, len(env))
	for name, value := range env {
		vars[strings.ToUpper(name)] = value
	}
	var splices word.Positions
	out := make([]byte, 0, len(src)) // the text up to src[copied]
	copied, line := 0, 0             // line is the offset in out where the line starts
	for i := 0; i < len(src); {
		switch src[i] {
		case '%':
			if batch && strings.HasPrefix(src[i:], "%%") {
				i += 2
				continue
			}
			n := NameLength(src[i:])
			value, known := "", false
			if n > 0 && m.Work(mapSteps) {
				value, known = vars[strings.ToUpper(src[i+1:i+n-1])]
			}
			if !known || !m.Hold(3*len(value)) {
				i++
				continue
			}
			out = append(out, src[copied:i]...)
			at := len(out)
			out = append(out, value...)
			if !meter.Append(m, &splices, word.Splice{At: at, End: len(out), Start: int32(i), Stop: int32(i + n)}) {
				return src, nil
			}
			i += n
			copied = i
		case '\n':
			i++
			out = append(out, src[copied:i]...)
			copied = i
			assign(vars, out[line:], m)
			line = len(out)
		default:
			i++
		}
	}
	if len(splices) == 0 || !m.Hold(len(out)) {
		return src, nil
	}
	return string(append(out, src[copied:]...)), splices
}

const (
	mapSteps  = 20 // what a look at the variables costs, with a name folded
	entrySize = 96 // of a variable
)

// assign carries out a line such as  set NAME=value  or  set "NAME=value".
func assign(vars map[string]string, text []byte, m *meter.Meter) {
	text = bytes.TrimLeft(text, " \t@")
	if n := PromptLength(string(text[:min(len(text), MaxPrompt+1)])); n > 0 {
		text = bytes.TrimLeft(text[n:], "@")
	}
	if len(text) < 4 || !bytes.EqualFold(text[:3], []byte("set")) || !ascii.IsBlank(text[3]) || !m.Hold(len(text)+entrySize) {
		return
	}
	line := strings.TrimLeft(strings.TrimRight(string(text[4:]), "\r\n"), " \t")
	if strings.HasPrefix(line, `"`) {
		line, _, _ = strings.Cut(line[1:], `"`)
	} else if i := strings.IndexAny(line, "&|<>"); i >= 0 {
		line = line[:i]
	}
	if name, value, ok := strings.Cut(line, "="); ok && name != "" && name[0] != '/' {
		vars[strings.ToUpper(name)] = value
	}
}

// percent reads a percent sign: the start of a variable's name, or text.
func (l *lexer) percent() {
	if l.batch && strings.HasPrefix(l.src[l.pos:], "%%") {
		l.buf = append(l.buf, '%')
		l.pos += 2
		return
	}
	n := NameLength(l.src[l.pos:])
	if n == 0 {
		l.buf = append(l.buf, '%')
		l.pos++
		return
	}
	at, rest := len(l.buf), l.src[l.pos:]
	expr := rest[:n]
	l.buf = append(l.buf, expr...)
	l.pos += n
	if !IsPercentEncoded(rest, n) {
		add(l, &l.holes, word.Hole{Start: int32(at), End: int32(len(l.buf)), Expr: expr, Name: expr[1 : n-1]})
	}
}

// NameLength returns the length of the %NAME% at the start of s, or 0.
func NameLength(s string) int {
	if len(s) < 3 || !ascii.IsLetter(s[1]) && s[1] != '_' {
		return 0
	}
	i := 2
	for i < len(s) && ascii.IsNameByte(s[i]) {
		i++
	}
	if i == len(s) || s[i] != '%' {
		return 0
	}
	return i + 1
}

// IsPercentEncoded reports whether the name of n bytes at the start of s is
// rather text between two percent-encoded bytes, such as %C3abc%20.
func IsPercentEncoded(s string, n int) bool {
	if n == len("%E4%") {
		return ascii.IsHex(s[1]) && ascii.IsHex(s[2])
	}
	return len(s) >= n+2 && ascii.IsHex(s[1]) && ascii.IsHex(s[2]) && ascii.IsHex(s[n]) && ascii.IsHex(s[n+1])
}
