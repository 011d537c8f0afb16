package shell

import (
	"strings"
	"unicode/utf8"
)

// Quote writes a command that the dialect's shell splits back into args, on
// one line unless an argument holds a line break. Auto is POSIX.
//
// No shell can hold a NUL in an argument; it is left out. cmd.exe cannot hold
// a carriage return either. For PowerShell the arguments are written as its
// version 7.3 and later pass them on, behind the call operator: it shows the
// reader which shell the text is for, and lets any word name the program.
func Quote(args []string, d Dialect) string {
	var dst []byte
	if d == PowerShell {
		dst = append(dst, "& "...)
	}
	for i, arg := range args {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = QuoteWord(dst, arg, d)
	}
	return string(dst)
}

// QuoteWord appends one argument as the dialect's shell needs it: bare where
// that is safe, in quotes otherwise.
func QuoteWord(dst []byte, arg string, d Dialect) []byte {
	if isBare(arg, d) {
		return append(dst, arg...)
	}
	switch d {
	case Cmd:
		return appendCmd(dst, arg)
	case PowerShell:
		return appendPowerShell(dst, arg)
	default:
		return appendPOSIX(dst, arg)
	}
}

// isBare reports whether no character of the argument means anything to the
// dialect's shell.
func isBare(arg string, d Dialect) bool {
	if arg == "" {
		return false
	}
	for i := 0; i < len(arg); i++ {
		if c := arg[i]; !isNameByte(c) && strings.IndexByte("-./:", c) < 0 {
			return false
		}
	}
	if d != PowerShell {
		return true
	}
	// PowerShell cuts a parameter at a dot or a colon, and takes -- away.
	return arg[0] != '-' || arg != "--" && !strings.ContainsAny(arg, ".:")
}

// appendPOSIX appends arg in single quotes, or in $'…' if it holds bytes that
// a terminal or an editor would not keep.
func appendPOSIX(dst []byte, arg string) []byte {
	if !isPrintable(arg) {
		return appendANSIC(dst, arg)
	}
	dst = append(dst, '\'')
	for i := 0; i < len(arg); i++ {
		if arg[i] == '\'' {
			dst = append(dst, `'\''`...)
		} else {
			dst = append(dst, arg[i])
		}
	}
	return append(dst, '\'')
}

// isPrintable reports whether arg is UTF-8 with no control characters but
// line feeds and tabs.
func isPrintable(arg string) bool {
	for i := 0; i < len(arg); i++ {
		if c := arg[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(arg)
}

// appendANSIC appends arg in bash's $'…'.
func appendANSIC(dst []byte, arg string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, "$'"...)
	for i := 0; i < len(arg); {
		c := arg[i]
		r, size := utf8.DecodeRuneInString(arg[i:])
		switch {
		case c == 0:
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\\' || c == '\'':
			dst = append(dst, '\\', c)
		case c < ' ' || c == 0x7f || r == utf8.RuneError && size == 1:
			dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, arg[i:i+size]...)
		}
		i += size
	}
	return append(dst, '\'')
}

// QuoteFish is [Quote] for the fish shell, where a backslash between single
// quotes may escape what follows. Backslashes stand outside of quotes here,
// where fish and POSIX shells read them alike, so neither need know which of
// the two the text is for.
func QuoteFish(args []string) string {
	var dst []byte
	for i, arg := range args {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendFish(dst, arg)
	}
	return string(dst)
}

func appendFish(dst []byte, arg string) []byte {
	switch {
	case isBare(arg, POSIX):
		return append(dst, arg...)
	case arg == "":
		return append(dst, "''"...)
	}
	quoted := false
	for i := 0; i < len(arg); i++ {
		c := arg[i]
		if c == 0 {
			continue
		}
		outside := c == '\\' || c == '\''
		if quoted == outside {
			dst = append(dst, '\'')
			quoted = !quoted
		}
		if outside {
			dst = append(dst, '\\')
		}
		dst = append(dst, c)
	}
	if quoted {
		dst = append(dst, '\'')
	}
	return dst
}

// appendCmd appends arg in ^"…^", as browsers do. The quotes carry carets, so
// that cmd.exe is never within quotes and a caret escapes everywhere; the C
// runtime sees plain quotes. Unlike browsers, it writes no caret before a
// backslash, and so tells the reader that none is doubled.
func appendCmd(dst []byte, arg string) []byte {
	dst = append(dst, `^"`...)
	slashes := 0
	for i := 0; i < len(arg); i++ {
		c := arg[i]
		switch {
		case c == 0 || c == '\r':
			continue
		case c == '"':
			dst = appendSlashes(dst, slashes+1)
			dst = append(dst, `^"`...)
		case c == '\n':
			dst = append(dst, "^\n\n"...)
		case strings.IndexByte("^&|<>()!", c) >= 0:
			dst = append(dst, '^', c)
		case c == '%':
			// The second caret breaks up what could be a variable's name.
			dst = append(dst, "^%"...)
			if i+1 < len(arg) && isNameByte(arg[i+1]) {
				dst = append(dst, '^')
			}
		default:
			dst = append(dst, c)
		}
		if c == '\\' {
			slashes++
		} else {
			slashes = 0
		}
	}
	dst = appendSlashes(dst, slashes)
	return append(dst, `^"`...)
}

func appendSlashes(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '\\')
	}
	return dst
}

// appendPowerShell appends arg in single quotes. Each single quote is doubled,
// the typographic ones too, which PowerShell takes for the plain one.
func appendPowerShell(dst []byte, arg string) []byte {
	quotes, escaped := escapedQuotes(Word{Text: arg})
	slash := quotes > 0 && quotes == escaped // it would be read the old way
	dst = append(dst, '\'')
	slashes := 0
	for i := 0; i < len(arg); {
		kind, width := psQuote(arg, i)
		width = max(width, 1)
		switch {
		case kind == '\'':
			dst = append(dst, arg[i:i+width]...)
		case arg[i] == '"' && slash:
			dst = appendSlashes(dst, slashes+1)
		}
		if arg[i] == '\\' {
			slashes++
		} else {
			slashes = 0
		}
		if arg[i] != 0 {
			dst = append(dst, arg[i:i+width]...)
		}
		i += width
	}
	return append(dst, '\'')
}
