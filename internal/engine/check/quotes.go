package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/engine/source/word"
)

// innerQuotes looks for quotes of the same kind within quotes, which the shell takes for
// the end of the first: 'r('key')', "?q="a b"". Scripts join pieces on purpose where a
// value stands between them ('{"a":"'$X'"}', "Bearer "$T"") and where each piece is whole
// ('user':'pass'). So the piece outside is plain text, and the pieces around it break off
// where text in quotes is due. A value of -F may stand in quotes of its own, which curl
// takes away.
func (k *checker) innerQuotes(s *curl.Setting) {
	if last := len(*k.diags) - 1; last >= 0 && (*k.diags)[last].Span.Start == s.Value.Span.Start {
		return // something is said about it
	}
	fixed, end := k.withInnerQuotes(s)
	if end == 0 {
		return
	}
	span := diag.Span{Start: s.Value.Span.Start, End: s.Value.Span.Start + int32(end)}
	message := "the quotes within this argument end it for the shell, so curl does not get them"
	if span.End > s.Value.Span.End {
		message += ", and takes what follows the blank for a URL"
	}
	k.fix(diag.WarnQuotesLost, span, message, "write quotes of the other kind around the argument", span, fixed)
}

// withInnerQuotes returns an argument with the quotes that the shell takes out of it, quoted
// so that curl gets them, and the length of its text; 0 where it has none.
func (k *checker) withInnerQuotes(s *curl.Setting) (fixed string, end int) {
	text := k.from(s.Value.Span.Start)
	if k.Style != quote.POSIX || len(text) < len(`"="a""`) || text[0] != '\'' && text[0] != '"' {
		return "", 0
	}
	mark, n := text[0], int(s.Value.Span.End-s.Value.Span.Start)
	if n == len(s.Value.Text)+2 && text[n-1] == mark || s.ID == curl.OptHeader && ascii.HasPrefixFold(text[1:], "authorization:") {
		return "", 0 // one piece, or a value that has no quotes
	}
	pieces, end := k.gluedPieces(text[:min(len(text), longestJSON)])
	if pieces == nil || s.ID == curl.OptForm && strings.HasSuffix(pieces[0], "=") || jsontext.Container(s.Value.Text) {
		return "", 0
	}
	if mark == '\'' {
		return k.quoted(strings.Join(pieces, "'")), end
	}
	return `"` + strings.Join(pieces, `\"`) + `"`, end
}

// singleQuotes looks for an argument in single quotes, which cmd.exe does not know: curl gets
// them, and cmd.exe takes the double quotes within and cuts the argument at blanks.
func (k *checker) singleQuotes(s *curl.Setting) {
	if s.Value.Text == "" || s.Value.Text[0] != '\'' {
		return
	}
	start := s.Value.Span.Start
	if start < k.unclosed {
		return
	}
	text := k.from(start)
	arg, n := word.SingleQuoted(text)
	if n == 0 {
		k.unclosed = start + int32(ascii.LineLength(text))
		k.meter.Work(int(k.unclosed - start))
	}
	if n == 0 || !k.meter.Work(2*n) || !k.meter.Hold(2*n) {
		return
	}
	k.bodyDoubted = true
	span := diag.Span{Start: start, End: start + int32(n)}
	k.fix(diag.WarnQuotesLost, span, "cmd.exe knows no single quotes, so curl gets them as a part of this argument, without the double quotes within",
		"write double quotes, and a backslash before those within", span, quote.DoubleQuoted(arg))
}

// gluedPieces returns the pieces of an argument, those in quotes and those between them, and
// its length; no pieces where it is no argument with quotes in it.
func (k *checker) gluedPieces(text string) (pieces []string, end int) {
	mark := text[0]
	for i := 0; ; {
		n := closing(text[i+1:], mark)
		if n < 0 || !k.meter.Work(n+16) || !k.meter.Hold(2*n+64) {
			return nil, 0
		}
		piece := text[i+1 : i+1+n]
		if len(pieces) > 0 && !resumes(piece) {
			return nil, 0
		}
		pieces = append(pieces, piece)
		if i += n + 2; i == len(text) || strings.IndexByte(" \t\r\n;&|)", text[i]) >= 0 {
			break
		}
		n = strings.IndexAny(text[i:], "\"'`$\\\r\n;&|<>()")
		if n < 1 || text[i+n] != mark || !breaksOff(piece, mark == '"' || strings.IndexByte(text[i:i+n], ' ') >= 0 || strings.Count(piece, "(") > strings.Count(piece, ")")) || !isAlphanumeric(text[i]) || !isAlphanumeric(text[i+n-1]) {
			return nil, 0
		}
		pieces = append(pieces, text[i:i+n])
		i += n
	}
	if len(pieces) < 3 {
		return nil, 0
	}
	end = 0
	for _, piece := range pieces {
		end += len(piece) + 1
	}
	return pieces, end + 1
}

// closing returns where the quote stands that ends a text, or -1.
func closing(text string, mark byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == mark:
			return i
		case text[i] == '\\' && mark == '"':
			i++
		}
	}
	return -1
}

// breaksOff reports whether text in quotes is due after a piece. A value alone may stand
// after =, and scripts end single quotes before it.
func breaksOff(piece string, equals bool) bool {
	if equals && strings.HasSuffix(piece, "=") {
		return true
	}
	return strings.HasSuffix(piece, "%20") || piece != "" && strings.IndexByte("(,:[{+ ", piece[len(piece)-1]) >= 0
}

// resumes reports whether a piece may stand after text in quotes.
func resumes(piece string) bool {
	return piece == "" || strings.HasPrefix(piece, "%20") || strings.IndexByte("),]}&;+ ", piece[0]) >= 0
}

func isAlphanumeric(c byte) bool { return ascii.IsLetter(c) || ascii.IsDigit(c) || c >= 0x80 }
