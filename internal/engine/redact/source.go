package redact

import (
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
)

// How much of an option's argument is a secret.
type extent uint8

const (
	all     extent = iota + 1
	second         // what follows the colon, as in user:password
	cookies        // the values of name=value
)

// secretOptions are the options of curl, by their long names, whose arguments
// hold secrets that [Spans] cannot know.
var secretOptions = map[string]extent{
	"user": second, "proxy-user": second, "cert": second, "proxy-cert": second, "aws-sigv4-user": second,
	"pass": all, "proxy-pass": all, "oauth2-bearer": all, "tlspassword": all, "proxy-tlspassword": all,
	"cookie": cookies, "password": all, "token": all, "credential": all,
	"hmac": all, "macopt": second, "passin": second, "passout": second, // of openssl
}

// secretLetters are their short names.
var secretLetters = map[byte]extent{'u': second, 'U': second, 'E': second, 'b': cookies}

// argumentLetters are curl's short options that take an argument: the rest of
// the word after one of them is that argument.
const argumentLetters = "AbcCdDeEFhHKmoPQrtTuUwxXyYz"

// Source returns where the text of commands holds secrets, in order and
// without overlaps, whether curl would use them or not. It reads words as
// shells have them in common, and in doubt hides too much.
func Source(src string) []Span {
	spans := Spans(src)
	pending := extent(0) // of the next word
	for i := 0; i < len(src); {
		if src[i] <= ' ' {
			i++
			continue
		}
		end := wordEnd(src, i)
		word := src[i:end]
		bare := strings.Trim(word, "'\"")
		spans = append(spans, within(src, i, end)...)
		switch {
		case pending != 0 && (bare != "" || word != "") && word != `\` && word != "^" && word != "`":
			spans = appendExtent(spans, src, i, end, pending)
			pending = 0
		case strings.HasPrefix(bare, "-"):
			start, e, found := optionExtent(bare)
			if !found {
				break
			}
			if start == len(bare) {
				pending = e
			} else {
				spans = appendExtent(spans, src, i+strings.Index(word, bare)+start, end, e)
			}
		}
		i = end
	}
	return merged(spans)
}

// within returns the secrets of a word that only its parts make some: commands within it, and
// JSON between single quotes.
func within(src string, start, end int) []Span {
	word := src[start:end]
	if at := strings.Index(word, "$("); at >= 0 {
		c := commandFinder{text: src}
		c.words(start+at, end, 0)
		return c.spans
	}
	var spans []Span
	if len(word) > 2 && word[0] == '\'' && word[len(word)-1] == '\'' && jsontext.Container(word[1:len(word)-1]) {
		for _, f := range JSON(word[1 : len(word)-1]) {
			spans = append(spans, Span{start + 1 + f.Start, start + 1 + f.End})
		}
	}
	return spans
}

// Places returns what [Source] does, and where the text has one of the secrets of its
// requests: a shell may have put an option together from other words.
func Places(src string, secrets []string) []Span {
	spans := Source(src)
	for _, secret := range secrets[:min(len(secrets), mostReplaced)] {
		if len(secret) < shortSecret || secret == Mask {
			continue
		}
		for i := 0; ; {
			at := strings.Index(src[i:], secret)
			if at < 0 {
				break
			}
			spans = append(spans, Span{i + at, i + at + len(secret)})
			i += at + len(secret)
		}
	}
	return merged(spans)
}

// wordEnd returns the end of the word that begins at i: the next white space
// outside of quotes.
func wordEnd(src string, i int) int {
	quote := byte(0)
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(src) && src[i+1] != '\n' && src[i+1] != '\r':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c <= ' ':
			return i
		}
	}
	return len(src)
}

// optionExtent returns where the argument begins in a word that is an option,
// at its end when it is the next word.
func optionExtent(word string) (start int, e extent, found bool) {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		if i := strings.IndexAny(name, "=: "); i >= 0 {
			e, found = secretOptions[name[:i]]
			return len("--") + i + 1, e, found
		}
		e, found = secretOptions[name]
		return len(word), e, found
	}
	if e, found = secretOptions[strings.ToLower(word[1:])]; found && len(word) > 2 { // PowerShell's
		return len(word), e, true
	}
	for i := 1; i < len(word); i++ {
		if e, found = secretLetters[word[i]]; found {
			return i + 1, e, true
		}
		if strings.IndexByte(argumentLetters, word[i]) >= 0 || !ascii.IsLetter(word[i]) && !ascii.IsDigit(word[i]) && word[i] != '#' && word[i] != ':' {
			break
		}
	}
	return 0, 0, false
}

// appendExtent appends what is secret in src[start:end], an argument perhaps
// in quotes.
func appendExtent(spans []Span, src string, start, end int, e extent) []Span {
	for start < end && strings.IndexByte(`'"$^`, src[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(`'"^`, src[end-1]) >= 0 {
		end--
	}
	switch e {
	case all:
		return append(spans, Span{start, end})
	case second:
		if i := strings.IndexByte(src[start:end], ':'); i >= 0 {
			return append(spans, Span{start + i + 1, end})
		}
	case cookies:
		for start < end {
			part := end
			if i := strings.IndexByte(src[start:end], ';'); i >= 0 {
				part = start + i
			}
			if i := strings.IndexByte(src[start:part], '='); i >= 0 {
				spans = append(spans, Span{start + i + 1, part})
			}
			start = part + 1
		}
	}
	return spans
}

// merged sorts spans and joins those that overlap; empty ones go.
func merged(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, s := range spans {
		switch {
		case s.End <= s.Start:
		case len(out) > 0 && s.Start <= out[len(out)-1].End:
			out[len(out)-1].End = max(out[len(out)-1].End, s.End)
		default:
			out = append(out, s)
		}
	}
	return out
}
