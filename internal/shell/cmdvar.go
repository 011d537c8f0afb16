package shell

import (
	"sort"
	"strings"
)

// A splice says that text[at:end], a variable's value, stands for the bytes
// from start to stop of the text as typed.
type splice struct {
	at, end     int
	start, stop int32
}

// sourceOffset maps an offset in an expanded text back to the text as typed.
// Within a value, it is the start or the end of the variable.
func sourceOffset(splices []splice, i int, end bool) int32 {
	n := sort.Search(len(splices), func(n int) bool {
		return splices[n].at > i || end && splices[n].at == i
	})
	if n == 0 {
		return int32(i)
	}
	s := splices[n-1]
	switch {
	case end && i <= s.end:
		return s.stop
	case !end && i < s.end:
		return s.start
	}
	return s.stop + int32(i-s.end)
}

// expandPercent replaces each %NAME% that is known, as cmd.exe does before it
// looks at quotes and carets: one line at a time, so that a set counts from
// the next line on. When variables add too much, the rest is left as typed,
// and full is true.
func expandPercent(src string, env map[string]string) (text string, splices []splice, full bool) {
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
			n := percentName(src[i:])
			value, known := "", false
			if n > 0 {
				value, known = vars[strings.ToUpper(src[i+1:i+n-1])]
			}
			full = full || known && len(out)+len(value) > len(src)+MaxExpansion
			if !known || full {
				i++
				continue
			}
			out = append(out, src[copied:i]...)
			at := len(out)
			out = append(out, value...)
			splices = append(splices, splice{at, len(out), int32(i), int32(i + n)})
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
	line = strings.TrimLeft(line[cmdPrompt(line):], "@")
	if len(line) < 4 || !strings.EqualFold(line[:3], "set") || !isBlank(line[3]) {
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
func (l *cmdLexer) percent() {
	n := percentName(l.src[l.pos:])
	if n == 0 {
		l.buf = append(l.buf, '%')
		l.pos++
		return
	}
	at, expr := len(l.buf), l.src[l.pos:l.pos+n]
	l.buf = append(l.buf, expr...)
	l.pos += n
	if !isPercentEncoded(l.src[l.pos-n:], n) {
		l.holes = append(l.holes, Hole{Start: int32(at), End: int32(len(l.buf)), Expr: expr})
	}
}

// percentName returns the length of the %NAME% at the start of s, or 0.
func percentName(s string) int {
	if len(s) < 3 || !isLetter(s[1]) && s[1] != '_' {
		return 0
	}
	i := 2
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	if i == len(s) || s[i] != '%' {
		return 0
	}
	return i + 1
}

// isPercentEncoded reports whether the name of n bytes at the start of s is
// rather text between two percent-encoded bytes, such as %C3abc%20.
func isPercentEncoded(s string, n int) bool {
	if n == len("%E4%") {
		return isHex(s[1]) && isHex(s[2])
	}
	return len(s) >= n+2 && isHex(s[1]) && isHex(s[2]) && isHex(s[n]) && isHex(s[n+1])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
