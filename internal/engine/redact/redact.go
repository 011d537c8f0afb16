// Package redact hides the secrets in a request, or in the text of a command,
// so that it can be shown to others: passwords, cookies, keys, all values whose
// name is that of a secret, and all tokens of a known shape. A secret without
// such a name or shape stays.
package redact

import (
	"encoding/base64"
	"slices"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// Mask replaces a secret.
const Mask = "•••"

// A hider collects the secrets that it hides.
type hider struct {
	found []string
	seen  map[string]bool

	sources Sources

	finder Finder          // of what was found
	short  map[string]bool // what was found and may be a whole value
	sweeps bool            // it is looked for
}

// Requests hides the secrets in place and returns them, each once, as spelled
// in the request and in order. It also hides, but does not return, the header
// fields that curl derives from a password. What was found is hidden in all other strings,
// too: values of 8 bytes and more wherever they stand, and those of 4 and more where they are
// the whole value of a name.
func Requests(requests []request.Request) []string {
	h := hider{seen: make(map[string]bool), sources: make(Sources)}
	for i := range requests {
		h.request(&requests[i])
	}
	h.sweep(requests)
	return h.found
}

// Sends reports whether a secret, or a variable in its place, goes to a server or a proxy.
func Sends(r *request.Request) bool {
	found, shown := false, *r
	reqtext.Rewrite(&shown, func(s *reqtext.String) {
		if s.Member != request.MemberOption || strings.HasPrefix(s.Option, "proxy") {
			found = found || Derived(r, s) || len(Finds(r, s)) > 0
		}
	})
	return found
}

// hide returns what to show for a secret.
func (h *hider) hide(secret string) string {
	if secret == "" || secret == Mask {
		return secret
	}
	if !h.seen[secret] {
		h.seen[secret] = true
		h.found = append(h.found, secret)
	}
	return Mask
}

func (h *hider) request(r *request.Request) {
	h.commands(r)
	reqtext.Rewrite(r, func(s *reqtext.String) {
		switch {
		case Derived(r, s):
			hideDerived(s)
		case s.Member == request.MemberBody && r.Body.Kind == request.KindJSON:
			h.json(&s.Text)
		case (s.Member == request.MemberPartValue || s.Member == request.MemberPartContent) && !Secret(s.Name) && jsontext.Container(s.Value):
			h.json(&s.Text)
		default:
			if credentials, ok := basicOf(s); ok {
				h.basic(credentials)
			}
			h.hideFinds(&s.Text, Finds(r, s))
		}
	})
	make(reqtext.Sources).Rewrite(r, h.hideSource)
	r.Variables = slices.Clone(r.Variables) // which Rewrite may leave to others, too
	for i := range r.Variables {
		hideVariable(&r.Variables[i])
	}
}

// hideVariable hides the text of a command, a default, and what else a shell may take.
func hideVariable(v *request.Variable) {
	if v.Name == "" || len(alternatives(v.Name, v.Expr, v.Default)) > 0 {
		v.Expr = Mask
		if v.Default != "" {
			v.Default = Mask
		}
	}
}

// hideSource hides what a value is computed of: the key of an HMAC, credentials, and
// content. Variables stay, and the signs between them.
func (h *hider) hideSource(e *request.Encoded) {
	e.Text = hiddenAround(e.Text, e.Variables, func(string) string { return Mask })
	e.Key = hiddenAround(e.Key, e.KeyVariables, h.hide)
}

// hiddenAround returns a text with what stands around its variables masked.
func hiddenAround(text string, variables []request.Variable, mask func(string) string) string {
	var b strings.Builder
	hide := func(s string) {
		if strings.ContainsFunc(s, func(c rune) bool { return !strings.ContainsRune(Signs, c) }) {
			s = mask(s)
		}
		b.WriteString(s)
	}
	end := 0
	for i := range variables { // which are a copy
		v := &variables[i]
		hide(text[end:v.Start])
		end = v.End
		hideVariable(v)
		v.Start = b.Len()
		b.WriteString(v.Expr)
		v.End = b.Len()
	}
	hide(text[end:])
	return b.String()
}

// Derived reports a field that curl makes of the credentials, whose secret is found
// there.
func Derived(r *request.Request, s *reqtext.String) bool {
	if s.Member != request.MemberFieldValue && s.Member != request.MemberFieldLine {
		return false
	}
	return r.Fields[s.Index].Origin == request.OriginImplied && ascii.EqualFold(s.Name, "Authorization")
}

// hideDerived shows no more than the scheme of credentials.
func hideDerived(s *reqtext.String) {
	start := strings.IndexByte(s.Value, ' ') + 1
	var b reqtext.Builder
	b.Keep(s.Text, 0, start)
	b.Replace(s.Text, start, len(s.Value), Mask)
	s.Text = b.Text()
}

// basicOf returns the credentials of a header field for them.
func basicOf(s *reqtext.String) (credentials string, ok bool) {
	name, value := s.Name, s.Value
	switch {
	case s.Member == request.MemberFieldValue:
	case isLine(s):
		name, value, _ = strings.Cut(value, ":")
		name, value = strings.TrimSpace(name), strings.TrimLeft(value, " ")
	default:
		return "", false
	}
	scheme, credentials, ok := strings.Cut(value, " ")
	return credentials, ok && ascii.EqualFold(scheme, "basic") &&
		(ascii.EqualFold(name, "Authorization") || ascii.EqualFold(name, "Proxy-Authorization"))
}

// basic collects the password inside of basic credentials.
func (h *hider) basic(credentials string) {
	if password, ok := passwordIn(strings.TrimSpace(credentials)); ok {
		h.hide(password)
	}
}

// passwordIn returns the password of credentials in Base64.
func passwordIn(credentials string) (password string, ok bool) {
	text, err := base64.StdEncoding.DecodeString(credentials)
	if err != nil {
		return "", false
	}
	_, password, ok = strings.Cut(string(text), ":")
	return password, ok
}

// hideFinds hides what was found in a text.
func (h *hider) hideFinds(t *reqtext.Text, finds []Find) {
	if len(finds) == 0 {
		return
	}
	var b reqtext.Builder
	copied := 0
	for _, f := range finds {
		b.Keep(*t, copied, f.Start)
		h.know(t, f.Span)
		b.Replace(*t, f.Start, f.End, h.hide(t.Value[f.Start:f.End]))
		copied = f.End
	}
	b.Keep(*t, copied, len(t.Value))
	*t = b.Text()
}

// know keeps what stands for a variable within a secret, if the variable has no value.
func (h *hider) know(t *reqtext.Text, at Span) {
	for i := range t.Variables {
		if v := &t.Variables[i]; v.Start < at.End && at.Start < v.End {
			for _, one := range alternatives(v.Name, v.Expr, v.Default) {
				h.hide(one)
			}
		}
	}
}

// plain hides the secrets in text of any kind.
func (h *hider) plain(text string) string {
	t := reqtext.Text{Value: text}
	if h.sweeps {
		h.sweepText(&t)
		return t.Value
	}
	h.hideFinds(&t, Text(text))
	return t.Value
}
