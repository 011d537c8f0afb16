package shell

// curlyQuoted reads an argument between typographic quotes.
func (l *posixLexer) curlyQuoted() bool {
	text, n := l.paste.Curly(l.i, l.end)
	if n == 0 {
		return false
	}
	l.text.Add(text)
	l.i += n
	return true
}
