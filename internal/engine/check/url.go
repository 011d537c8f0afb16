package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/source/quote"
)

// url checks one URL.
func (k *checker) url(s *curl.Setting, t *traits) {
	text := s.Value.Text
	if t.globs {
		k.braces(s)
		k.dateMath(s)
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

// dateMath looks for a date in the name of an index of Elasticsearch, <logs-{now/d}>, of
// which curl takes the braces for a glob. As a glob it would have one element.
func (k *checker) dateMath(s *curl.Setting) {
	text := s.Value.Text
	at := dateInIndex(text)
	if at < 0 || strings.IndexByte(text[:at], '?') >= 0 {
		return
	}
	start := s.Span.Start
	k.fix(diag.WarnGlob, s.Value.Span, "curl takes the braces of this date for a glob, and sends what they hold without them",
		"use -g, which switches globs off", diag.At(int(start)), "-g ")
}

// dateInIndex returns where the date of an index of Elasticsearch stands: {now/d}, {now-1d},
// {now{yyyy}}; -1 where there is none.
func dateInIndex(url string) int {
	const now = "{now"
	at := strings.Index(url, now)
	if at < 1 || at+len(now) >= len(url) || strings.IndexByte("/+-{|}", url[at+len(now)]) < 0 || strings.IndexByte(url[:at], '<') < 0 {
		return -1
	}
	return at
}

// fragment says that what follows a # is not sent.
func (k *checker) fragment(s *curl.Setting) {
	if placeholder.Interpolated(s.Value.Text) > 0 {
		return
	}
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

// isURL reports whether a text is a URL that can be nothing else.
func isURL(text string) bool {
	return ascii.HasPrefixFold(text, "http://") || ascii.HasPrefixFold(text, "https://")
}

// takenURL gives the error of a command without a URL the place of the one that an
// option has taken for its argument: curl -H http://h.test.
func (k *checker) takenURL(d *diag.Diagnostic) bool {
	s := k.setting(func(s *curl.Setting) bool {
		switch s.ID {
		case curl.OptProxy, curl.OptPreproxy, curl.OptReferer, curl.OptDohUrl, curl.OptIpfsGateway:
			return false // take one
		}
		return isOwnWord(s) && isURL(s.Value.Text)
	})
	if s == nil {
		return false
	}
	what := "its argument"
	if s.ID == curl.OptRequest {
		what = "the name of the method"
	}
	d.Span, d.Message = s.Value.Span, s.Name+" has taken this URL for "+what+", and the command has no other"
	d.Hint = "write " + what + " before it, or remove " + s.Name
	return true
}

// splitURL looks for a URL of which the shell makes two words, because a blank stands
// in it: http://exa mple.com/, http://h.test/a b. curl takes the second for another
// URL. What could be one is the rest only where the host before the blank lacks its dot
// or ends with it; several words are prose more often.
func (k *checker) splitURL(o *curl.Operation, i int) {
	s := &o.Settings[i]
	if i+1 == len(o.Settings) || i+2 < len(o.Settings) && o.Settings[i+2].ID == curl.OptUrl || !isURL(s.Value.Text) || !k.isBare(s) {
		return
	}
	next := &o.Settings[i+1]
	if next.ID != curl.OptUrl || !k.isBare(next) || next.Span.Start <= s.Span.End || !continuesURL(next.Value.Text) {
		return
	}
	between := k.raw(diag.Span{Start: s.Value.Span.End, End: next.Value.Span.Start})
	if strings.Trim(between, " \t") != "" || !k.meter.Work(len(between)+len(s.Value.Text)+len(next.Value.Text)) {
		return
	}
	_, rest, _ := strings.Cut(s.Value.Text, "://")
	hint, with := "remove the blank", ""
	switch path := strings.IndexAny(rest, "/?#"); {
	case path < 0 && splitsHost(rest, next.Value.Text):
	case path < 0 || looksLikeURL(next.Value.Text) && !k.isFileName(next.Value.Text):
		return
	case strings.HasSuffix(rest, "/"):
	default:
		hint, with = "write %20 for a blank in a URL", "%20"
	}
	const message = "a blank stands in this URL, so it ends there, and curl takes the rest for another URL"
	span := diag.Span{Start: s.Value.Span.Start, End: next.Value.Span.End}
	if name := rest[strings.LastIndexByte(rest, '/')+1:]; with != "" && !strings.ContainsAny(rest, "?#") && strings.Contains(name, ".") {
		// A file's name with its ending is whole: install.sh now.
		k.warn(diag.WarnUnquotedArgument, span, message, hint)
		return
	}
	k.fix(diag.WarnUnquotedArgument, span, message, hint, span, k.quoted(s.Value.Text+with+next.Value.Text))
}

// bareMethod looks for a method before the URL, of which the -X is missing.
func (k *checker) bareMethod(s *curl.Setting, before bool) {
	text := s.Value.Text
	if !before || !k.isBare(s) || len(text) > len("OPTIONS") || text == "" {
		return
	}
	if method := strings.ToUpper(text); meantMethod(text) == method {
		k.fix(diag.WarnLooksLikeMethod, s.Value.Span, text+" looks like a method, and curl takes it for a URL", "write -X "+method, s.Value.Span, "-X "+method)
	}
}

// isBare reports whether a setting is a word without an option, which the text spells as
// it is.
func (k *checker) isBare(s *curl.Setting) bool {
	return s.Name == "" && len(s.Value.Holes) == 0 && k.raw(s.Value.Span) == s.Value.Text
}

// continuesURL reports whether a word can be the rest of a URL: no other URL, no mark
// around an argument, and no method whose -X is missing.
func continuesURL(word string) bool {
	return word != "" && (ascii.IsNameByte(word[0]) || word[0] == '.') && !strings.Contains(word, "://") && (len(word) > len("OPTIONS") || meantMethod(word) != word)
}

// splitsHost reports whether two words are a host with a blank in it.
func splitsHost(first, second string) bool {
	if strings.HasSuffix(first, ".") || second[0] == '.' {
		return true
	}
	host, _, _ := strings.Cut(second, "/")
	return first != "" && !strings.ContainsAny(first, ".:@[") && first != "localhost" && strings.Contains(host, ".")
}
