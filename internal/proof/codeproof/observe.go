package codeproof

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

// Observe returns what a request of a program has otherwise than curl's, in the words of
// code.Difference: a kind alone, one with what is spelled otherwise after a colon, and "adds:"
// with the name of each field that the client adds. "shares:" has the name of one that curl
// adds, too, with the same value.
func Observe(r *request.Request, want, got *oracle.Request) (kinds []string) {
	note := func(kind string) {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	// curl before 8.14 writes escapes in small letters.
	if capitalized(want.Target) != capitalized(got.Target) {
		note("spelling:url")
	}
	compressed := slices.ContainsFunc(r.Options, func(o request.Option) bool { return o.Name == "compressed" }) && !asks(r, "Accept-Encoding")
	var decided []string
	for _, name := range fieldNames(want) {
		switch lower := strings.ToLower(name); {
		case slices.Contains([]string{"host", "content-length", "transfer-encoding", "expect"}, lower):
		case compressed && lower == "accept-encoding":
			if !slices.Equal(want.Values(name), got.Values(name)) {
				note("compression")
			}
		case asks(r, name):
			decided = append(decided, name)
		}
	}
	isDecided := func(name string) bool {
		return slices.ContainsFunc(decided, func(s string) bool { return ascii.EqualFold(s, name) })
	}
	sent := slices.DeleteFunc(fieldNames(got), func(name string) bool { return !isDecided(name) })
	// curl before 8.8 sends some fields in another place than the one that is the model.
	place := func(name string) int {
		return slices.IndexFunc(r.Fields, func(f request.Field) bool { return ascii.EqualFold(f.Name, name) })
	}
	slices.SortStableFunc(decided, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	for i, name := range decided {
		first := slices.IndexFunc(sent, func(s string) bool { return ascii.EqualFold(s, name) })
		if first >= 0 && slices.IndexFunc(decided, func(s string) bool { return ascii.EqualFold(s, name) }) == i && sent[first] != name {
			note("header-case")
		}
	}
	if len(decided) == len(sent) && !slices.EqualFunc(decided, sent, ascii.EqualFold) {
		note("header-order")
	}
	for _, name := range decided {
		a, b := want.Values(name), got.Values(name)
		if !slices.Equal(a, b) && (boundary(a) == "" || boundary(b) == "") && len(b) > 0 {
			note("spelling:fields")
		}
	}
	for _, name := range fieldNames(got) {
		lower := strings.ToLower(name)
		own := slices.Contains([]string{"user-agent", "accept"}, lower) || len(want.Values(name)) == 0
		framing := slices.Contains([]string{"host", "content-length", "transfer-encoding", "expect", "content-type"}, lower) || strings.HasPrefix(lower, "proxy-")
		switch {
		case !own || isDecided(name) || framing || compressed && lower == "accept-encoding":
		case slices.Equal(want.Values(name), got.Values(name)):
			note("shares:" + lower)
		default:
			note("adds:" + lower)
		}
	}
	return append(kinds, observeContent(want, got)...)
}

// observeContent returns what the content of a request has otherwise than curl's.
func observeContent(want, got *oracle.Request) []string {
	a, b := boundary(want.Values("Content-Type")), boundary(got.Values("Content-Type"))
	switch {
	case capitalized(string(want.Body)) == capitalized(string(got.Body)):
		return nil
	case a != "" && b != "":
		w, g := parts(want.Body, a), parts(got.Body, b)
		for i := range min(len(w), len(g)) {
			w[i].unify()
			g[i].unify()
			if !slices.Equal(w[i].head, g[i].head) {
				return []string{"form-parts"}
			}
		}
		return nil
	case sameJSON(want.Body, got.Body):
		return []string{"json-blanks"}
	}
	return []string{"spelling:form"}
}

// capitalized returns a text with its percent-encoding in capitals.
func capitalized(s string) string { return escape.ReplaceAllStringFunc(s, strings.ToUpper) }

var escape = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// fieldNames returns the names of the fields of a request, in their order.
func fieldNames(r *oracle.Request) (names []string) {
	for _, line := range r.Lines {
		name, _, _ := strings.Cut(line, ":")
		names = append(names, strings.Trim(name, " \t")) // curl leaves blanks there
	}
	return names
}
