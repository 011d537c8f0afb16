// Package redact hides the secrets in a request, or in the text of a command,
// so that it can be shown to others: passwords, cookies, keys, all values whose
// name is that of a secret, and all tokens of a known shape. A secret without
// such a name or shape stays.
package redact

import (
	"encoding/base64"
	"slices"
	"strings"

	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// Mask replaces a secret.
const Mask = "•••"

// A hider collects the secrets that it hides.
type hider struct {
	found []string
	seen  map[string]bool
}

// Requests hides the secrets in place and returns them, each once, as spelled
// in the request and in order. It also hides, but does not return, the header
// fields that curl derives from a password.
func Requests(requests []request.Request) []string {
	h := hider{seen: make(map[string]bool)}
	for i := range requests {
		h.request(&requests[i])
	}
	return h.found
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
	if a := r.Auth; a != nil {
		auth := *a
		auth.Username = h.text(a.Username)
		auth.Password, auth.Token = h.hide(a.Password), h.hide(a.Token)
		auth.Params = h.params(a.Params)
		r.Auth = &auth
	}
	r.URL, r.Target = h.url(r.URL), h.url(r.Target)
	r.Query = h.params(r.Query)
	fields := make([]request.Field, len(r.Fields))
	for i, f := range r.Fields {
		var value string
		if f.Origin == request.OriginImplied && strings.EqualFold(f.Name, "Authorization") {
			value = hideCredentials(f.Value)
		} else {
			value = h.field(f.Name, f.Value)
		}
		if value != f.Value {
			f.Value = value
			if f.Line != "" {
				f.Line = f.Name + ": " + value
			}
		}
		fields[i] = f
	}
	r.Fields = fields
	if r.Body != nil {
		body := *r.Body
		h.body(&body)
		r.Body = &body
	}
	options := make([]request.Option, len(r.Options))
	for i, o := range r.Options {
		o.Value = h.option(o.Name, o.Value)
		options[i] = o
	}
	r.Options = options
	r.Variables = hideVariables(r.Variables)
}

// hideVariables hides what a command in $(…) or a default may hold. The
// spans of the variables are those before hiding.
func hideVariables(variables request.Variables) request.Variables {
	out := slices.Clone(variables)
	for i := range out {
		if v := &out[i]; v.Name == "" || v.Default != "" {
			v.Expr = Mask
			if v.Default != "" {
				v.Default = Mask
			}
		}
	}
	return out
}

// field hides what is secret in the value of a header field.
func (h *hider) field(name, value string) string {
	if scheme, credentials, ok := strings.Cut(value, " "); ok && strings.EqualFold(scheme, "basic") &&
		(strings.EqualFold(name, "Authorization") || strings.EqualFold(name, "Proxy-Authorization")) {
		h.basic(credentials)
	}
	return h.hideFinds(value, Field(name, value))
}

// hideCredentials returns what to show for credentials whose secret was
// found elsewhere.
func hideCredentials(value string) string {
	scheme, _, ok := strings.Cut(value, " ")
	if !ok {
		return Mask
	}
	return scheme + " " + Mask
}

// basic collects the password inside of basic credentials.
func (h *hider) basic(credentials string) {
	text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(credentials))
	if err != nil {
		return
	}
	if _, password, ok := strings.Cut(string(text), ":"); ok {
		h.hide(password)
	}
}

func (h *hider) params(params []request.Param) []request.Param {
	if params == nil {
		return nil
	}
	out := make([]request.Param, len(params))
	for i, p := range params {
		if Secret(p.Name) {
			p.Value = h.hide(p.Value)
		} else {
			p.Value = h.text(p.Value)
		}
		out[i] = p
	}
	return out
}

func (h *hider) url(url string) string { return h.hideFinds(url, URL(url)) }

func (h *hider) form(s string) string { return h.hideFinds(s, Form(s)) }

func (h *hider) body(b *request.Body) {
	switch b.Kind {
	case request.KindJSON:
		b.Data = h.json(b.Data)
	case request.KindText, request.KindBinary:
		b.Data = h.text(b.Data)
	case request.KindForm:
		b.Data = h.form(b.Data)
		b.Fields = h.params(b.Fields)
	case request.KindMultipart:
		b.Parts = h.parts(b.Parts)
	case request.KindConcat:
		pieces := make([]request.Piece, len(b.Pieces))
		for i, p := range b.Pieces {
			p.Text = h.form(p.Text)
			pieces[i] = p
		}
		b.Pieces = pieces
	}
}

func (h *hider) parts(parts []request.Part) []request.Part {
	if parts == nil {
		return nil
	}
	out := make([]request.Part, len(parts))
	for i, p := range parts {
		if Secret(p.Name) {
			p.Value = h.hide(p.Value)
			if p.Content != nil {
				hidden := h.hide(*p.Content)
				p.Content = &hidden
			}
		} else {
			p.Value = h.content(p.Value)
			if p.Content != nil {
				hidden := h.content(*p.Content)
				p.Content = &hidden
			}
		}
		if p.Filename != nil {
			hidden := h.text(*p.Filename)
			p.Filename = &hidden
		}
		p.Headers = h.lines(p.Headers)
		p.Parts = h.parts(p.Parts)
		out[i] = p
	}
	return out
}

// content hides secrets in text that may be JSON.
func (h *hider) content(s string) string {
	if jsontext.Container(s) {
		return h.json(s)
	}
	return h.text(s)
}

// lines hides secrets in header lines.
func (h *hider) lines(lines []string) []string {
	if lines == nil {
		return nil
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line
		if name, value, ok := strings.Cut(line, ":"); ok {
			blank := len(value) - len(strings.TrimLeft(value, " "))
			out[i] = name + ":" + value[:blank] + h.field(strings.TrimSpace(name), value[blank:])
		} else {
			out[i] = h.text(line)
		}
	}
	return out
}

// option hides secrets in an option that is not part of the request.
func (h *hider) option(name string, value any) any {
	switch v := value.(type) {
	case []string:
		if name == "proxyHeaders" {
			return h.lines(v)
		}
		out := make([]string, len(v))
		for i, text := range v {
			out[i] = h.optionText(name, text)
		}
		return out
	case string:
		return h.optionText(name, v)
	}
	return value
}

func (h *hider) optionText(name, text string) string { return h.hideFinds(text, Option(name, text)) }
