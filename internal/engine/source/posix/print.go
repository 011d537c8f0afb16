package posix

import (
	"strconv"
	"strings"
)

// echo prints as the builtin of bash does.
func echo(args []string) string {
	newline, escapes := true, false
	for len(args) > 0 && isEchoOption(args[0]) {
		newline = newline && !strings.Contains(args[0], "n")
		for _, c := range args[0][1:] {
			switch c {
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		var stops bool
		if text, stops = decodeEscapes(text, inEcho); stops {
			return text
		}
	}
	if newline {
		text += "\n"
	}
	return text
}

func isEchoOption(s string) bool {
	return len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], "neE") == ""
}

// printf prints a format of %s, %d, %b, %% and escapes; ok is false for what
// else a format may hold. took is told of each argument: what took it, or 0 for the
// format, and at which offset of the text it then stands.
func (r *reader) printf(args []string, took func(verb byte, arg, offset int)) (text string, ok bool) {
	first := 0
	switch {
	case len(args) > 1 && args[0] == "--":
		args, first = args[1:], 1
	case len(args) == 0 || strings.HasPrefix(args[0], "-"):
		return "", false
	}
	took(0, first, 0)
	first++
	format, args := args[0], args[1:]
	var b strings.Builder
	for {
		used, size := 0, b.Len()
		if !r.pay(len(format) + 10) {
			return "", false
		}
		for rest := format; rest != ""; {
			n := strings.IndexByte(rest, '%')
			if n < 0 {
				n = len(rest)
			}
			literal, _ := decodeEscapes(rest[:n], inFormat)
			b.WriteString(literal)
			if rest = rest[n:]; rest == "" {
				break
			}
			if len(rest) < 2 {
				return "", false
			}
			if rest[1] != '%' {
				argument := ""
				if used < len(args) {
					argument = args[used]
					took(rest[1], first+used, b.Len())
				}
				used++
				if !r.pay(10 + len(argument)) {
					return "", false
				}
				text, stops, ok := conversion(rest[1], argument)
				if !ok {
					return "", false
				}
				b.WriteString(text)
				if stops {
					return b.String(), true
				}
			} else {
				b.WriteByte('%')
			}
			rest = rest[2:]
		}
		switch {
		case !r.hold(b.Len() - size):
			return "", false
		case used == 0 || used >= len(args):
			return b.String(), true
		}
		args, first = args[used:], first+used // the format is used again for what is left
	}
}

// conversion prints one argument of printf.
func conversion(verb byte, argument string) (text string, stops, ok bool) {
	switch verb {
	case 's':
		return argument, false, true
	case 'b':
		text, stops = decodeEscapes(argument, inArgument)
		return text, stops, true
	case 'd':
		if argument == "" {
			return "0", false, true
		}
		n, err := strconv.ParseInt(argument, 10, 64)
		return argument, false, err == nil && strconv.FormatInt(n, 10) == argument
	}
	return "", false, false
}
