package check

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/source/quote"
	"uncoil/internal/engine/source/word"
)

// twoAuthorizations says that a header beats -u.
func (k *checker) twoAuthorizations(user *curl.Setting) {
	const message, hint = "the header Authorization is set too, and curl sends that one", "remove one of the two"
	span := diag.Span{Start: user.Span.Start, End: user.Value.Span.End}
	if k.standsAlone(user) {
		fixed := diag.Span{Start: span.Start - 1, End: span.End}
		k.fix(diag.WarnTwoAuthorizations, user.Span, message, hint, fixed, "")
		return
	}
	k.warn(diag.WarnTwoAuthorizations, user.Span, message, hint)
}

// splitArgument looks for an argument of which the shell makes several words, because
// nothing quotes it: -H Name: value, -F name=John Smith. curl takes all but the first
// for URLs.
func (k *checker) splitArgument(o *curl.Operation, i int, t *traits) {
	settings := o.Settings
	s := &settings[i]
	text := s.Value.Text
	if len(s.Value.Holes) > 0 || k.raw(s.Value.Span) != text {
		return
	}
	what := "argument"
	separator, bare := byte('='), false
	if s.ID == curl.OptHeader {
		what, separator = "header", ':'
		bare = strings.HasSuffix(text, ":") // its value must follow
	}
	if strings.IndexByte(text, separator) < 1 && s.ID != curl.OptUser {
		return
	}
	end, last, holes, urls := s.Value.Span.End, i, false, t.urls
	for j := i + 1; j < len(settings); j++ {
		next := &settings[j]
		if next.ID != curl.OptUrl || next.Name != "" || next.Span.Start <= end || strings.Contains(next.Value.Text, "://") {
			break
		}
		between := k.raw(diag.Span{Start: end, End: next.Span.Start})
		whole, path := begins(next.Value)
		isURL := path || looksLikeURL(next.Value.Text)
		if strings.Trim(between, " \t") != "" || (!bare || j > i+1) && isURL ||
			!k.meter.Work(len(between)+len(next.Value.Text)) || !k.meter.Hold(len(between)+len(next.Value.Text)) {
			break
		}
		text += between + next.Value.Text
		if isURL || whole {
			urls--
		}
		holes = holes || len(next.Value.Holes) > 0
		end, last = next.Span.End, j
	}
	if last == i {
		return
	}
	alone := urls == 0 // without the words nothing would be a URL
	if next := settings[last].Value.Text; alone && (!bare || last == i+1 && looksLikeURL(next) && strings.IndexByte(next, ' ') < 0) {
		return
	}
	span := diag.Span{Start: s.Value.Span.Start, End: end}
	message := "this " + what + " is not quoted, so only its first word belongs to the option, and curl takes the others for URLs"
	hint := "put the whole " + what + " in quotes"
	quoted := k.quoted(text)
	if holes {
		text = k.raw(span)
	}
	if alone || s.ID == curl.OptUser { // a blank may stand there for nothing
		k.warn(diag.WarnUnquotedArgument, span, message, hint)
		return
	}
	if k.Style == quote.POSIX && !strings.ContainsAny(text, "\"'\\!`") && (holes || strings.IndexByte(text, '$') < 0) {
		quoted = `"` + text + `"`
	} else if holes {
		k.warn(diag.WarnUnquotedArgument, span, message, hint)
		return
	}
	k.fix(diag.WarnUnquotedArgument, span, message, hint, span, quoted)
}

// fieldName looks for a name that no field can have. curl sends the line as it is typed
// (Curl_add_custom_headers() in curl 8.22 lib/http.c), and servers must refuse a blank
// before the colon: RFC 9112, section 5.1.
func (k *checker) fieldName(s *curl.Setting) {
	text := s.Value.Text
	name, value, ok := strings.Cut(text, ":")
	if !ok || name == "" || name[0] == '@' || ascii.IsToken(name) || len(s.Value.Holes) > 0 || strings.Trim(value, " \t\r\n") == "" || !k.meter.Work(len(text)) {
		return
	}
	span := s.Value.Span
	raw := k.raw(span)
	if trimmed := strings.Trim(name, " \t"); ascii.IsToken(trimmed) {
		const message, hint = "a blank stands beside the name of this header: curl sends it like this, and servers refuse it", "remove the blank"
		if n := strings.Index(raw, name+":"); n >= 0 {
			at := span.Start + int32(n)
			k.fix(diag.WarnNotAHeader, span, message, hint, diag.Span{Start: at, End: at + int32(len(name))}, trimmed)
			return
		}
		k.warn(diag.WarnNotAHeader, span, message, hint)
		return
	}
	if strings.ContainsAny(name, "<>{}[]$%") { // something is to be put there
		return
	}
	const message, hint = "the name of this header holds a character that no name can: curl sends it like this, and servers refuse it", "write the name, a colon and the value, without other quotes"
	if plain := withoutQuotes(text); plain != "" && isOwnWord(s) {
		k.fix(diag.WarnNotAHeader, span, message, hint, span, k.quoted(plain))
		return
	}
	k.warn(diag.WarnNotAHeader, span, message, hint)
}

// withoutQuotes returns a header that is written as a member of JSON, "Name": "value",
// or that has quotes around it, as it is meant; "" for others.
func withoutQuotes(text string) string {
	const quotes = "\"'"
	text = strings.Trim(text, " \t")
	if len(text) < 2 || strings.IndexByte(quotes, text[0]) < 0 || text[0] != text[len(text)-1] {
		return ""
	}
	mark := text[:1]
	name, value, _ := strings.Cut(text[1:len(text)-1], ":")
	if inner, ok := strings.CutSuffix(name, mark); ok {
		name = inner
		if value, ok = strings.CutPrefix(strings.TrimLeft(value, " \t"), mark); !ok {
			return ""
		}
		value = " " + value
	}
	if !ascii.IsToken(name) || strings.ContainsAny(name, quotes) || strings.ContainsAny(value, mark) {
		return ""
	}
	return name + ":" + value
}

// onceFields finds the fields that a request may have once, and has twice.
type onceFields [6]*curl.Setting

// names are of such fields. Of Host curl sends the first alone, and a Cookie may be cut
// into several.
var onceNames = [len(onceFields{})]string{"Content-Type", "Authorization", "User-Agent", "Referer", "Content-Length", "Origin"}

// add looks at one header; form says that the content is one.
func (f *onceFields) add(k *checker, s *curl.Setting, form bool) {
	name, value, ok := strings.Cut(s.Value.Text, ":")
	if value = strings.Trim(value, " \t\r\n"); !ok || value == "" {
		return
	}
	for i := range onceNames {
		if !ascii.EqualFold(name, onceNames[i]) {
			continue
		}
		first := f[i]
		if f[i] = s; first == nil {
			return
		}
		k.twice(first, s, onceNames[i], form && i == 0)
	}
}

// twice says that a field stands twice in the command. curl sends both, but of types of
// a form the first alone (Curl_add_custom_headers() in curl 8.22 lib/http.c).
func (k *checker) twice(first, second *curl.Setting, name string, firstAlone bool) {
	message := "the header " + name + " is set before this one, too, and curl sends both"
	if firstAlone {
		message = "the header " + name + " is set before this one, too, and curl sends that one"
	}
	span := diag.Span{Start: second.Span.Start, End: second.Value.Span.End}
	_, a, _ := strings.Cut(first.Value.Text, ":")
	_, b, _ := strings.Cut(second.Value.Text, ":")
	if strings.Trim(a, " \t") == strings.Trim(b, " \t") && k.standsAlone(second) {
		k.fix(diag.WarnFieldTwice, second.Value.Span, message, "remove one of the two", diag.Span{Start: span.Start - 1, End: span.End}, "")
		return
	}
	k.warn(diag.WarnFieldTwice, second.Value.Span, message, "remove one of the two")
}

// standsAlone reports whether an option with its argument is no part of a cluster, and
// stands after a blank.
func (k *checker) standsAlone(s *curl.Setting) bool {
	at := s.Span.Start
	return strings.HasPrefix(k.raw(s.Span), "-") && at > 0 && ascii.IsBlank(k.Source[at-1])
}

// begins reports whether a word is a variable, and whether it is one with a path behind
// it: $HOST/a can only be a URL.
func begins(w *word.Word) (whole, path bool) {
	if len(w.Holes) == 0 || w.Holes[0].Start != 0 {
		return false, false
	}
	rest := w.Text[w.Holes[0].End:]
	return rest == "", strings.HasPrefix(rest, "/")
}

// looksLikeURL reports whether a word without a scheme is one of the URLs that
// people type: a host with a dot or a port, or localhost.
func looksLikeURL(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	return strings.HasPrefix(text, "localhost") || strings.Contains(host, ".") || strings.Contains(host, ":")
}
