package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source/quote"
)

// url checks one URL.
func (k *checker) url(s *curl.Setting, t *traits) {
	text := s.Value.Text
	if t.globs {
		k.braces(s)
	}
	k.scheme(s, t.unix)
	k.fragment(s)
	k.headerInURL(s)
	k.punctuation(s)
	if k.Style != quote.POSIX || len(s.Value.Holes) > 0 {
		return
	}
	raw := k.raw(s.Value.Span)
	if raw != text { // something quotes it
		return
	}
	if !k.ampersand(s) && strings.IndexByte(text, '?') >= 0 && !strings.ContainsAny(raw, "&;") {
		k.fix(diag.WarnUnquotedQuestion, s.Value.Span, "the ? of this URL is not quoted; zsh takes it for a file pattern, and fails when no file matches",
			"put the URL in quotes", s.Value.Span, k.quoted(text))
	}
}

// ampersand gives the warning about an unquoted & its fix: quotes around the
// URL and all that stands behind the & without a blank.
func (k *checker) ampersand(s *curl.Setting) bool {
	rest := k.from(s.Value.Span.End)
	if len(rest) < 2 || rest[0] != '&' || rest[1] == '&' || strings.IndexByte(" \t\r\n", rest[1]) >= 0 {
		return false
	}
	n := strings.IndexAny(rest, " \t\r\n'\"`\\$;|<>()")
	if n < 0 {
		n = len(rest)
	}
	if n < len(rest) && strings.IndexByte(" \t\r\n", rest[n]) < 0 || !k.meter.Work(n+len(*k.diags)) {
		return true
	}
	at := s.Value.Span.End
	span := diag.Span{Start: s.Value.Span.Start, End: at + int32(n)}
	fix := &diag.Fix{Span: span, Text: k.quoted(k.raw(span))}
	for i := range *k.diags {
		if d := &(*k.diags)[i]; d.Code == diag.WarnUnquotedAmpersand && d.Span.Start == at {
			d.Fix = fix
			return true
		}
	}
	k.fix(diag.WarnUnquotedAmpersand, diag.Span{Start: at, End: at + 1},
		"this & ends the command, because it is not quoted; what follows is not part of the URL", "put the URL in quotes", fix.Span, fix.Text)
	return true
}

// braces looks for braces in a query that curl takes for a glob and removes,
// though they cannot be meant as one: ?query={job="x"}.
func (k *checker) braces(s *curl.Setting) {
	text := s.Value.Text
	query := strings.IndexByte(text, '?')
	if query < 0 {
		return
	}
	for i := query; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '{':
			if strings.HasPrefix(text[i:], "{{") {
				return // a placeholder
			}
			n := strings.IndexByte(text[i:], '}')
			if n < 0 {
				return
			}
			if !strings.ContainsAny(text[i:i+n], `="~:`) {
				i += n
				continue
			}
			at := s.Span.Start
			k.fix(diag.WarnGlob, s.Value.Span, "curl takes the braces of this URL for a glob, and sends what they hold without them",
				"use -g, which switches globs off", diag.At(int(at)), "-g ")
			return
		}
	}
}

// fragment says that what follows a # is not sent.
func (k *checker) fragment(s *curl.Setting) {
	text := s.Value.Text
	i := strings.IndexByte(text, '#')
	if i < 0 || i+1 == len(text) || len(s.Value.Holes) > 0 || strings.Contains(text, "{{") {
		return
	}
	const message, hint = "curl does not send the # of a URL and what follows it", "write %23 for a # that belongs to the value"
	span := s.Value.Span
	if n := strings.IndexByte(k.raw(span), '#'); n >= 0 && strings.Contains(text[:i], "?") {
		at := span.Start + int32(n)
		k.fix(diag.WarnFragment, span, message, hint, diag.Span{Start: at, End: at + 1}, "%23")
		return
	}
	k.warn(diag.WarnFragment, span, message, hint)
}

// headerNames are fields that people write into a URL by mistake.
var headerNames = [...]string{"authorization", "content-type", "accept", "user-agent", "x-api-key"}

// headerInURL looks for a header that is part of the URL.
func (k *checker) headerInURL(s *curl.Setting) {
	text := s.Value.Text
	host := strings.Index(text, "://")
	if host < 0 {
		return
	}
	for end := host + len("://"); ; end++ { // of a name
		n := strings.IndexByte(text[end:], ':')
		if n < 0 || !k.meter.Work(n) {
			return
		}
		end += n
		for _, name := range headerNames {
			start := end - len(name)
			if start < host+len("://") || !ascii.EqualFold(text[start:end], name) {
				continue
			}
			const message, hint = "this looks like a header, and is part of the URL", "end the URL before it, and write -H before the header"
			url := strings.TrimRight(text[:start], " ,;|&?")
			if len(s.Value.Holes) > 0 || strings.ContainsAny(url, " \n") {
				k.warn(diag.WarnHeaderInURL, s.Value.Span, message, hint)
				return
			}
			k.fix(diag.WarnHeaderInURL, s.Value.Span, message, hint, s.Value.Span, k.quoted(url)+" -H "+k.quoted(text[start:]))
			return
		}
	}
}
