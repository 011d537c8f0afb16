package redact

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/reqtext"
	"uncoil/internal/engine/urlparts"
	"uncoil/request"
)

// A Find is a secret in a text: where it stands, and the name that makes it
// one, which is empty where its shape does.
type Find struct {
	Span
	Name string
}

// Finds returns the secrets in a string of a request, in order.
func Finds(r *request.Request, s *reqtext.String) []Find {
	switch s.Member {
	case request.MemberURL, request.MemberTarget:
		return URL(s.Value)
	case request.MemberQueryValue, request.MemberFormValue, request.MemberAuthParam:
		if Secret(s.Name) {
			return whole(s.Value, s.Name)
		}
		return Text(s.Value)
	case request.MemberFieldValue:
		return Field(s.Name, s.Value)
	case request.MemberBody:
		switch r.Body.Kind {
		case request.KindJSON:
			return JSON(s.Value)
		case request.KindForm:
			return Form(s.Value)
		}
		return Text(s.Value)
	case request.MemberPieceText, request.MemberFormName, request.MemberQueryName: // a text that is no form is a name without a value
		return Form(s.Value)
	case request.MemberPartValue, request.MemberPartContent:
		if Secret(s.Name) {
			return whole(s.Value, s.Name)
		}
		return Content(s.Value)
	case request.MemberPartFilename, request.MemberUsername:
		return Text(s.Value)
	case request.MemberPassword:
		return whole(s.Value, "password")
	case request.MemberToken:
		return whole(s.Value, "token")
	case request.MemberOption:
		if !isLine(s) {
			return Option(s.Option, s.Value)
		}
	}
	if isLine(s) {
		return line(s.Value)
	}
	return nil
}

// isLine reports a string that is a header line.
func isLine(s *reqtext.String) bool {
	return s.Member == request.MemberFieldLine || s.Member == request.MemberPartHeader ||
		s.Member == request.MemberOption && s.Option == "proxyHeaders"
}

// line returns the secrets in a header line.
func line(s string) []Find {
	name, value, found := strings.Cut(s, ":")
	if !found {
		return Text(s)
	}
	value = strings.TrimLeft(value, " ")
	finds := Field(strings.TrimSpace(name), value)
	for i := range finds {
		finds[i].Start += len(s) - len(value)
		finds[i].End += len(s) - len(value)
	}
	return finds
}

// whole is a secret that is all of a text.
func whole(s, name string) []Find { return []Find{{Span{End: len(s)}, name}} }

// Field returns the secrets in the value of a header field. The scheme of
// credentials, and the names of cookies, are none.
func Field(name, value string) []Find {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "authentication":
		scheme, credentials, ok := strings.Cut(value, " ")
		switch {
		case !ok:
			return whole(value, "token")
		case ascii.EqualFold(scheme, "basic"):
			name = "credentials"
		default:
			name = "token"
		}
		return []Find{{Span{len(value) - len(credentials), len(value)}, name}}
	case "cookie":
		return cookieFinds(value)
	case "set-cookie":
		return whole(value, "cookie")
	case "referer", "location", "origin":
		return URL(value)
	}
	if Secret(name) {
		return whole(value, name)
	}
	return Text(value)
}

// cookieFinds returns the values of cookies.
func cookieFinds(value string) []Find {
	var finds []Find
	end := -1
	for end < len(value) {
		start := end + 1
		if end = start + strings.IndexByte(value[start:], ';'); end < start {
			end = len(value)
		}
		name, secret, ok := strings.Cut(value[start:end], "=")
		if !ok {
			name, secret = "cookie", strings.TrimLeft(value[start:end], " ")
		}
		finds = append(finds, Find{Span{end - len(secret), end}, strings.TrimSpace(name)})
	}
	return finds
}

// Text returns the secrets in text of any kind, as [Spans] does.
func Text(text string) []Find {
	var finds []Find
	for _, s := range Spans(text) {
		finds = append(finds, Find{Span: s})
	}
	return finds
}

// URL returns the secrets in a URL: the password before the host, the values of
// secret names in the query, and tokens of known shapes.
func URL(url string) []Find {
	var finds []Find
	parts := urlparts.Of(url)
	if at := strings.LastIndexByte(url[:parts.Path], '@'); parts.Authority > 0 && at >= 0 {
		finds = append(finds, userFinds(url[parts.Authority:at], parts.Authority, "password")...)
	}
	if start := strings.IndexByte(url, '?') + 1; start > 0 { // of a fragment, too
		query, _, _ := strings.Cut(url[start:], "#")
		finds = append(finds, pairFinds(query, start)...)
	}
	return united(append(finds, Text(url)...))
}

// userFinds returns the password of user:password, a text that stands at an
// offset.
func userFinds(s string, offset int, name string) []Find {
	i := strings.IndexByte(s, ':')
	if i < 0 {
		return nil
	}
	return []Find{{Span{offset + i + 1, offset + len(s)}, name}}
}

// Form returns the secrets in a=1&b=2.
func Form(s string) []Find { return united(append(pairFinds(s, 0), Text(s)...)) }

// pairFinds returns the values of secret names in a=1&b=2, a text that stands
// at an offset.
func pairFinds(s string, offset int) []Find {
	var finds []Find
	for part := range strings.SplitSeq(s, "&") {
		if name, value, ok := strings.Cut(part, "="); ok && Secret(ascii.Decoded(name, false)) {
			end := offset + len(part)
			finds = append(finds, Find{Span{end - len(value), end}, ascii.Decoded(name, false)})
		} else if ok && hidesInPair(value) {
			end := offset + len(part)
			finds = append(finds, Find{Span: Span{end - len(value), end}})
		}
		offset += len(part) + len("&")
	}
	return finds
}

// hidesInPair reports whether a value of a pair has a secret that is seen only where it is
// decoded, such as a URL.
func hidesInPair(value string) bool {
	return strings.IndexByte(value, '%') >= 0 && len(Spans(value)) == 0 && len(looks(ascii.Decoded(value, true))) > 0
}

// JSON returns the secrets in the strings of JSON text, as they are spelled
// there. Secrets that are numbers or objects are not among them.
func JSON(text string) []Find {
	j := jsonHider{Reader: jsontext.NewReader(text, jsontext.MaxDepth), hider: &hider{seen: make(map[string]bool)}, text: text}
	if !j.value() {
		return Text(text)
	}
	var finds []Find
	for _, f := range j.found {
		if text[f.start] != '"' {
			continue
		}
		inside := Span{f.start + 1, f.end - 1}
		if !f.shown {
			finds = append(finds, Find{inside, f.name})
			continue
		}
		for _, s := range Spans(text[inside.Start:inside.End]) {
			finds = append(finds, Find{Span: Span{inside.Start + s.Start, inside.Start + s.End}})
		}
	}
	return united(finds)
}

// Content returns the secrets in text that may be JSON.
func Content(s string) []Find {
	if jsontext.Container(s) {
		return JSON(s)
	}
	return Text(s)
}

// Option returns the secrets in an option that is not part of the request, by
// the name that it has in the model.
func Option(name, text string) []Find {
	switch name {
	case "keyPassword", "proxyKeyPassword", "tlspassword":
		return whole(text, name)
	case "proxyUser":
		return userFinds(text, 0, "proxyPassword")
	case "cert", "proxyCert":
		return userFinds(text, 0, name+"Password") // the file and its password
	case "proxy", "preproxy":
		if at := strings.LastIndexByte(text, '@'); at >= 0 && !strings.Contains(text, "://") {
			return userFinds(text[:at], 0, "proxyPassword")
		}
	}
	return URL(text)
}

// united sorts finds and joins those that overlap; empty ones go.
func united(finds []Find) []Find {
	slices.SortStableFunc(finds, func(a, b Find) int { return cmp.Compare(a.Start, b.Start) })
	out := finds[:0]
	for _, f := range finds {
		switch {
		case f.End <= f.Start:
		case len(out) > 0 && f.Start < out[len(out)-1].End:
			out[len(out)-1].End = max(out[len(out)-1].End, f.End)
		default:
			out = append(out, f)
		}
	}
	return out
}
