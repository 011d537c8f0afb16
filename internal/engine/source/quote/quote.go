// Package quote writes arguments so that a shell splits them back.
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/powershell"
	"uncoil/internal/engine/source/word"
)

// A Style is a way of quoting.
type Style uint8

// The styles.
const (
	POSIX Style = iota
	Fish
	Cmd   // at the prompt
	Batch // cmd.exe, in a batch file
	PowerShell
)

// Command returns a command that the style's shell splits back into args, on
// one line unless an argument holds a line break.
//
// No shell can hold a NUL in an argument; it is left out. cmd.exe cannot hold
// a carriage return either. For PowerShell the arguments are written as its
// version 7.3 and later pass them on, after the call operator: it shows the
// reader which shell the text is for, and lets any word name the program.
func Command(args []string, style Style) string {
	var dst []byte
	if style == PowerShell {
		dst = append(dst, "& "...)
	}
	for i, arg := range args {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if i == 0 && strings.IndexByte(arg, '=') >= 0 && (style == POSIX || style == Fish) {
			dst = appendPOSIX(dst, arg) // bare, it would set a variable
			continue
		}
		dst = AppendWord(dst, arg, style)
	}
	return string(dst)
}

// AppendWord appends one argument as the style's shell needs it: bare where
// that is safe, in quotes otherwise.
func AppendWord(dst []byte, arg string, style Style) []byte {
	if isBare(arg, style) {
		return append(dst, arg...)
	}
	switch style {
	case Fish:
		return appendFish(dst, arg)
	case Cmd, Batch:
		return appendCmd(dst, arg, style == Batch)
	case PowerShell:
		return appendPowerShell(dst, arg)
	default:
		return appendPOSIX(dst, arg)
	}
}

// isBare reports whether no character of the argument means anything to the
// style's shell.
func isBare(arg string, style Style) bool {
	if arg == "" {
		return false
	}
	plain := "-./:"
	if style == POSIX || style == Fish {
		plain = "-./:+,=@"
	}
	for i := 0; i < len(arg); i++ {
		if c := arg[i]; !ascii.IsNameByte(c) && strings.IndexByte(plain, c) < 0 {
			return false
		}
	}
	if arg[0] == '=' {
		return false // zsh takes it for the path of a program
	}
	if style != PowerShell {
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
// line feeds and tabs, and none that turn the direction of the text after them.
func isPrintable(arg string) bool {
	for i := 0; i < len(arg); i++ {
		if c := arg[i]; c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(arg) && !strings.ContainsFunc(arg, Turns)
}

// Turns reports a character that turns the direction of the text after it: a reader sees
// another command than the shell runs, or other code than the compiler reads. Unicode
// 16, property Bidi_Control; CVE-2021-42574.
func Turns(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Bidi_Control, r) }

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
		case c < ' ' || c == 0x7f || r == utf8.RuneError && size == 1 || Turns(r):
			for _, c := range []byte(arg[i : i+size]) {
				dst = append(dst, '\\', 'x', hex[c>>4], hex[c&15])
			}
		default:
			dst = append(dst, arg[i:i+size]...)
		}
		i += size
	}
	return append(dst, '\'')
}

// appendFish appends arg as fish needs it: there a backslash between single
// quotes may escape what follows. Backslashes and single quotes stand outside
// of quotes here, where fish and POSIX shells read them alike, so neither need
// know which of the two the text is for.
func appendFish(dst []byte, arg string) []byte {
	if arg == "" {
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
// backslash, which shows the reader that none is doubled. In a batch file a
// percent sign is doubled; at the prompt nothing stands for one, but a name that
// no variable has stays there as it is.
func appendCmd(dst []byte, arg string, batch bool) []byte {
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
		case c == '%' && batch:
			dst = append(dst, "%%"...)
		case c == '%':
			// The second caret breaks up what could be a variable's name.
			dst = append(dst, "^%"...)
			if i+1 < len(arg) && ascii.IsNameByte(arg[i+1]) {
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

// appendPowerShell appends arg as an argument of a native program. Where all double quotes have a
// backslash, each gets another: the argument would be read the old way.
func appendPowerShell(dst []byte, arg string) []byte {
	quotes, escaped := powershell.CountQuotes(word.Word{Text: arg})
	if quotes == 0 || quotes > escaped {
		return AppendPowerShell(dst, arg)
	}
	return AppendPowerShell(dst, string(AppendRuntime(nil, arg)))
}

// AppendRuntime appends a text with a backslash before each double quote and two for each that
// stands before one, as the C runtime of Windows reads arguments.
func AppendRuntime(dst []byte, s string) []byte {
	slashes := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			slashes++
		case '"':
			dst = appendSlashes(dst, slashes+1)
			slashes = 0
		default:
			slashes = 0
		}
		dst = append(dst, s[i])
	}
	return dst
}

// AppendPowerShell appends a text in single quotes, as PowerShell reads strings. Each single quote
// is doubled, the typographic ones too, which it takes for the plain one.
func AppendPowerShell(dst []byte, s string) []byte {
	dst = append(dst, '\'')
	for i := 0; i < len(s); {
		kind, width := powershell.QuoteAt(s, i)
		width = max(width, 1)
		if kind == '\'' {
			dst = append(dst, s[i:i+width]...)
		}
		if s[i] != 0 {
			dst = append(dst, s[i:i+width]...)
		}
		i += width
	}
	return append(dst, '\'')
}
