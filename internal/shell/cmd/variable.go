package cmd

import (
	"strings"

	"uncoil/internal/ascii"
	"uncoil/internal/shell/word"
)

// expandPercent replaces each %NAME% that is known, as cmd.exe does before it
// looks at quotes and carets: one line at a time, so that a set counts from
// the next line on. When variables add too much, the rest is left as typed,
// and full is true.
func expandPercent(src string, env map[string]string) (text string, splices word.Positions, full bool) {
	if strings.IndexByte(src, '%') < 0 {
		return src, nil, false
	}
	vars := make(map[string]string, len(env))
	for name, value := range env {
		vars[strings.ToUpper(name)] = value
	}
	var out []byte       // the text up to src[copied], once anything is replaced
	copied, line := 0, 0 // line is the offset in out, or src, where the line starts
	for i := 0; i < len(src); {
		switch src[i] {
		case '%':
			n := NameLength(src[i:])
			value, known := "", false
			if n > 0 {
				value, known = vars[strings.ToUpper(src[i+1:i+n-1])]
			}
			full = full || known && len(out)+len(value) > len(src)+word.MaxExpansion
			if !known || full {
				i++
				continue
			}
			out = append(out, src[copied:i]...)
			at := len(out)
			out = append(out, value...)
			splices = append(splices, word.Splice{At: at, End: len(out), Start: int32(i), Stop: int32(i + n)})
			i += n
			copied = i
		case '\n':
			i++
			out = append(out, src[copied:i]...)
			copied = i
			assign(vars, string(out[line:]))
			line = len(out)
		default:
			i++
		}
	}
	if len(splices) == 0 {
		return src, nil, full
	}
	return string(append(out, src[copied:]...)), splices, full
}

// assign carries out a line such as  set NAME=value  or  set "NAME=value".
func assign(vars map[string]string, line string) {
	line = strings.TrimLeft(strings.TrimRight(line, "\r\n"), " \t@")
	line = strings.TrimLeft(line[PromptLength(line):], "@")
	if len(line) < 4 || !strings.EqualFold(line[:3], "set") || !ascii.IsBlank(line[3]) {
		return
	}
	line = strings.TrimLeft(line[4:], " \t")
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
	n := NameLength(l.src[l.pos:])
	if n == 0 {
		l.buf = append(l.buf, '%')
		l.pos++
		return
	}
	at, expr := len(l.buf), l.src[l.pos:l.pos+n]
	l.buf = append(l.buf, expr...)
	l.pos += n
	if !IsPercentEncoded(l.src[l.pos-n:], n) {
		l.holes = append(l.holes, word.Hole{Start: int32(at), End: int32(len(l.buf)), Expr: expr})
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
