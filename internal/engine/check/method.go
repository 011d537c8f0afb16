package check

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
)

// usualMethods are those that people mean when they write nearly the same.
var usualMethods = [...]string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}

// method looks at the argument of -X, which curl sends as it is typed
// (Curl_http_method() in curl 8.22 lib/http.c). The names of methods are
// case-sensitive: RFC 9110, section 9.1.
func (k *checker) method(s *curl.Setting, t *traits) {
	const longest = 16
	text := s.Value.Text
	if len(s.Value.Holes) > 0 {
		return
	}
	if isURL(text) {
		if !t.url {
			return // the error says so
		}
		k.warn(diag.WarnLooksLikeURL, s.Value.Span, s.Name+" has taken this URL for the name of the method",
			"name the method after "+s.Name+", or remove "+s.Name)
		return
	}
	if len(text) > longest {
		return
	}
	meant := meantMethod(text)
	if meant == "" && strings.ContainsAny(text, " \t") && !strings.ContainsAny(text, "<{[") {
		k.warn(diag.WarnMisspelledMethod, s.Value.Span, "no method has a blank; curl sends this one as it is typed, and servers refuse it", "name the method alone")
	}
	if meant == "" || meant == text {
		return
	}
	message := "curl sends this method as it is typed, and servers know it as " + meant
	if strings.Trim(k.raw(s.Value.Span), `'"`) == text {
		k.fix(diag.WarnMisspelledMethod, s.Value.Span, message, "write "+meant, s.Value.Span, meant)
		return
	}
	k.warn(diag.WarnMisspelledMethod, s.Value.Span, message, "write "+meant)
}

// dashedMethod looks for a method that is written as an option: -PUT, which curl reads as
// -P UT. Data with -GET may be meant for the query as for the content.
func (k *checker) dashedMethod(s *curl.Setting, t *traits) {
	const longest = len("-OPTIONS")
	if len(s.Name) != 2 || s.Name[1] < 'A' || s.Name[1] > 'Z' {
		return
	}
	raw := k.from(s.Span.Start)
	raw = raw[:min(len(raw), longest+1)]
	if n := strings.IndexAny(raw, " \t\r\n"); n >= 0 {
		raw = raw[:n]
	}
	if len(raw) < len("-GET") || raw[0] != '-' || !isUsualMethod(raw[1:]) {
		return
	}
	span := diag.Span{Start: s.Span.Start, End: s.Span.Start + int32(len(raw))}
	message := "curl reads " + raw + " as " + s.Name + " with more letters, and not as a method"
	with := "-X " + raw[1:]
	switch {
	case raw == "-HEAD":
		with = "-I"
	case raw == "-GET" && (t.data || t.form):
		k.warn(diag.WarnLooksLikeMethod, span, message, "write -X GET, or -G for data in the query")
		return
	}
	k.fix(diag.WarnLooksLikeMethod, span, message, "write "+with, span, with)
}

func isUsualMethod(name string) bool { return slices.Contains(usualMethods[:], name) }

// meantMethod returns the usual method of which a text is another spelling, or "".
func meantMethod(text string) string {
	name := strings.ToUpper(strings.Trim(strings.TrimPrefix(text, "="), " ")) // -X=POST
	for _, usual := range usualMethods {
		if name == usual {
			return usual
		}
	}
	for i := range len(name) {
		if !ascii.IsLetter(name[i]) {
			return ""
		}
	}
	for _, usual := range usualMethods {
		if isSlipOfMethod(name, usual) {
			return usual
		}
	}
	return ""
}

// isSlipOfMethod reports whether a name is a slip of a usual method. One other letter
// makes words of the shorter ones that an API can have for methods: SET, READ, WATCH.
func isSlipOfMethod(name, usual string) bool {
	if !isSlip(name, usual) {
		return false
	}
	return len(name) != len(usual) || sameLetters(name, usual) || len(usual) > len("PATCH") && name[0] == usual[0]
}

// sameLetters reports whether two words have the same letters.
func sameLetters(a, b string) bool {
	var count [256]int
	for i := range len(a) {
		count[a[i]]++
	}
	for i := range len(b) {
		count[b[i]]--
	}
	return count == [256]int{}
}
