package powershell

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// How arguments of native programs pass, in the old way and the new.

// native returns the arguments as a program that is not PowerShell's own gets
// them.
func (l *lexer) native(args []argument) []word.Word {
	words := make([]word.Word, len(args))
	for i, arg := range args {
		words[i] = arg.word
		if i > 0 && (arg.value == nil || !arg.value.verbatim) {
			words[i] = l.passOn(arg.word)
		}
	}
	return words
}

// passOn applies the rules for an argument of a native program. In the old
// way every double quote has an odd number of backslashes before it; each
// pair of them is one backslash, and the last one belongs to the quote.
func (l *lexer) passOn(w word.Word) word.Word {
	l.pay(len(w.Text) / 4)
	quotes, escaped := CountQuotes(w)
	if quotes == escaped+2 && l.passesOldWay() && isQuoted(w) {
		l.hold(len(w.Text) + word.HoleSize*len(w.Holes))
		return unslash(unquote(w))
	}
	switch {
	case quotes == 0 && w.Text != "":
		return w
	case quotes > 0 && quotes == escaped:
		l.hold(len(w.Text) + word.HoleSize*len(w.Holes))
		return unslash(w)
	case len(w.Holes) == 0 && isDoubledJSON(w.Text):
		l.hold(len(w.Text))
		w.Text = strings.ReplaceAll(w.Text, `""`, `"`)
		l.warnAt(diag.WarnBrowserIntent, w.Span, "Windows PowerShell 5 passes each doubled double quote on as one, and it was read so; PowerShell 7.3 keeps both", `for both, put the argument in a file: -d "@body.json"`)
		return w
	case !l.mangle && !l.failed:
		l.mangle = true
		message := "Windows PowerShell 5 removes the double quotes inside an argument; they were kept, as PowerShell 7.3 does"
		if quotes == 0 {
			message = "Windows PowerShell 5 removes an empty argument; it was kept, as PowerShell 7.3 does"
		}
		l.warnAt(diag.WarnBrowserIntent, w.Span, message, `for both, put the argument in a file: -d "@body.json"`)
	}
	return w
}

// passesOldWay reports whether the text chooses the old way, in which a quote without a backslash
// is of the command line.
func (l *lexer) passesOldWay() bool {
	v := l.vars["psnativecommandargumentpassing"]
	return v != nil && ascii.EqualFold(v.word.Text, "legacy")
}

// isQuoted reports whether the double quotes around a word are of the command line.
func isQuoted(w word.Word) bool {
	inner, ok := strings.CutPrefix(w.Text, `"`)
	inner, end := strings.CutSuffix(inner, `"`)
	return ok && end && (len(inner)-len(strings.TrimRight(inner, `\`)))%2 == 0
}

// unquote removes these, and the half of the backslashes before the second.
func unquote(w word.Word) word.Word {
	inner := w.Text[1 : len(w.Text)-1]
	slashes := len(inner) - len(strings.TrimRight(inner, `\`))
	w.Text = inner[:len(inner)-slashes/2]
	w.Holes = word.AppendHoles(nil, -1, w.Holes)
	return w
}

// isDoubledJSON reports whether a text is JSON in which each double quote is doubled. A
// pair is an empty string only where a name or a value ends after it.
func isDoubledJSON(text string) bool {
	if !strings.HasPrefix(text, `{""`) && !strings.HasPrefix(text, `[""`) || len(text) < 4 || strings.IndexByte(`:,}]" `, text[3]) >= 0 {
		return false
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i++; i == len(text) || text[i] != '"' {
			return false
		}
	}
	return strings.Count(text, `""`)%2 == 0
}

// CountQuotes returns how many double quotes a word holds outside its holes,
// and how many of them have an odd number of backslashes before them.
func CountQuotes(w word.Word) (quotes, escaped int) {
	from := 0
	count := func(s string) {
		slashes := 0
		for i := 0; i < len(s); i++ {
			switch s[i] {
			case '\\':
				slashes++
				continue
			case '"':
				quotes++
				escaped += slashes % 2
			}
			slashes = 0
		}
	}
	for _, h := range w.Holes {
		count(w.Text[from:h.Start])
		from = int(h.End)
	}
	count(w.Text[from:])
	return quotes, escaped
}

// unslash removes the backslashes that escape the double quotes in a word.
func unslash(w word.Word) word.Word {
	out := make([]byte, 0, len(w.Text))
	plain := func(s string) {
		slashes := 0
		for i := 0; i < len(s); i++ {
			if s[i] == '"' {
				out = out[:len(out)-(slashes+1)/2]
			}
			out = append(out, s[i])
			if s[i] == '\\' {
				slashes++
			} else {
				slashes = 0
			}
		}
	}
	var holes []word.Hole
	from := 0
	for _, h := range w.Holes {
		plain(w.Text[from:h.Start])
		holes = word.AppendHoles(holes, len(out)-int(h.Start), []word.Hole{h})
		out = append(out, w.Text[h.Start:h.End]...)
		from = int(h.End)
	}
	plain(w.Text[from:])
	w.Text, w.Holes = string(out), holes
	return w
}
