package shell

import "strings"

// A joint is how a command follows the one before it on the same line.
type joint struct {
	inside bool   // it does follow one: no prompt or fence stands before it
	must   bool   // there has to be a command
	stdin  *Input // what the one before it leads here
}

// piped is what a pipe leads to a command when that is not known.
var piped Input

// operator reads what ends a command within a line: a semicolon, a pipe, or
// the && or || of a list, both sides of which are taken to run. It declines
// where the side before it tells more: what it prints, or that it fails.
func (l *posixLexer) operator(args []Word) bool {
	if len(args) == 0 {
		return l.decline()
	}
	rest := l.src[l.i:l.end]
	next := joint{inside: true, must: true}
	n := 2
	switch {
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		if hasKnownStatus(args) {
			return l.decline()
		}
	case strings.HasPrefix(rest, "|&"), strings.HasPrefix(rest, ";;"), strings.HasPrefix(rest, ";&"), rest[0] == '&':
		return l.decline()
	case rest[0] == '|':
		if prints(args) {
			return l.decline()
		}
		n = 1
		next.stdin = &piped
	default:
		n = 1
		next.must = false
	}
	l.i += n
	l.joint = next
	return !next.must || l.skipLines()
}

// skipLines skips what may stand between an operator and the command behind
// it: line breaks and comments too.
func (l *posixLexer) skipLines() bool {
	for broken := false; ; {
		l.skipBlanks()
		switch {
		case l.i >= l.end, broken && (l.src[l.i] == '>' || l.paste.Prompted()):
			return l.decline() // a prompt of a continued line
		case l.src[l.i] == '\n':
			broken = true
			l.i++
		case l.src[l.i] == '#':
			l.i += lineLength(l.src[l.i:l.end])
		default:
			return true
		}
	}
}

// hasKnownStatus reports a command that is known to succeed or to fail.
func hasKnownStatus(args []Word) bool {
	return len(args) == 1 && (args[0].Text == "true" || args[0].Text == "false" || args[0].Text == ":")
}

// prints reports a command whose output can be known.
func prints(args []Word) bool {
	return args[0].Text == "echo" || args[0].Text == "printf" || args[0].Text == "cat"
}

// redirectsOutput reports whether a redirection of output starts here, with
// the number of what it redirects or without.
func (l *posixLexer) redirectsOutput() bool {
	i := l.i
	for i < l.end && l.src[i] >= '0' && l.src[i] <= '9' {
		i++
	}
	return i < l.end && l.src[i] == '>'
}

// redirection skips a redirection of output, which changes nothing of what a
// command sends. At the start of a line it could be a prompt.
func (l *posixLexer) redirection() bool {
	if strings.HasSuffix(strings.TrimRight(l.src[:l.i], " \t"), "\n") {
		return l.decline()
	}
	l.i += strings.IndexByte(l.src[l.i:l.end], '>') + 1
	if l.i < l.end && (l.src[l.i] == '>' || l.src[l.i] == '&') {
		l.i++
	}
	l.skipBlanks()
	if l.i >= l.end || strings.IndexByte("\n#>", l.src[l.i]) >= 0 || isOperator(l.src[l.i]) {
		return l.decline()
	}
	_, ok := l.word()
	return ok
}

func isOperator(c byte) bool { return c == '|' || c == '&' || c == ';' }
