package transfer

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/placeholder"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// warnOperation points at what is probably not meant, and at what a reader
// of the command should know.
func (b *builder) warnOperation(c *config) {
	b.warnJSONAsForm(c)
	b.warnMethod(c)
	if b.in.NoAdvice {
		return
	}
	for i := range c.settings {
		s := &c.settings[i]
		switch {
		case s.ID == curl.OptInsecure && s.On:
			b.warn(diag.WarnInsecure, s.Span, s.Name+" switches off the check of the server's certificate", "use --cacert to trust a certificate of your own")
		case s.Flags&curl.FlagSecret != 0 && len(s.Value.Holes) == 0 && holdsSecret(s):
			b.warn(diag.WarnSecret, s.Span, "the argument of "+s.Name+" is a secret, written out in the command", "keep it in a variable or a file")
		}
	}
}

// holdsSecret reports an argument that is a secret, or that has one in it.
func holdsSecret(s *curl.Setting) bool {
	text := s.Value.Text
	switch s.ID {
	case curl.OptCert, curl.OptProxyCert, curl.OptHttpsigKey: // names of files
		return false
	case curl.OptUser, curl.OptProxyUser:
		name, password, ok := strings.Cut(s.Value.Text, ":")
		if text = password; strings.Trim(password, ":") == "" { // key: is one
			text = name
		}
		if !ok {
			return false
		}
	}
	return strings.Trim(text, ":") != "" && placeholder.Length(text) < len(text)
}

func (b *builder) warnJSONAsForm(c *config) {
	if b.in.NoAdvice || !c.hasData || c.get || c.json != nil || c.find("Content-Type") != nil {
		return
	}
	if text, known := c.data.pieces.known(); known && b.isJSON(b.in.Marks.Restore(text)) {
		b.warn(diag.WarnJSONSentAsForm, c.data.last.span(),
			"this is JSON, and curl sends it as application/x-www-form-urlencoded",
			"use --json, or add -H 'Content-Type: application/json'")
	}
}

func (b *builder) warnMethod(c *config) {
	m := c.method
	if !m.set() || len(m.holes()) > 0 {
		return
	}
	inferred := "GET"
	switch c.kind {
	case kindHead:
		inferred = "HEAD"
	case kindForm, kindPost:
		inferred = "POST"
	}
	if len(c.nodes) > 0 && c.nodes[0].upload.Text != "" {
		inferred = "PUT"
	}
	switch {
	case ascii.EqualFold(m.Text, inferred):
		if b.in.NoAdvice || m.Text != inferred { // post is another method, which package check says
			return
		}
		message := m.from() + " " + inferred + " is not needed: curl would use " + inferred + " anyway"
		if c.keepsMethod() {
			message += "; with -L, it only keeps a redirect from changing the method"
		}
		b.warn(diag.WarnRedundantMethod, m.setting.Span, message, "leave it out")
	case ascii.EqualFold(m.Text, "HEAD"):
		b.warn(diag.WarnMethodHead, m.setting.Span, "with "+m.from()+" HEAD curl waits for a body that never comes", "use -I")
	case ascii.EqualFold(m.Text, "GET") && inferred != "HEAD":
		b.warn(diag.WarnBodyWithGet, m.setting.Span, "this GET request has a body, which many servers ignore or refuse", "use -G to put the data into the URL, or another method")
	}
}

// warnTransfer warns about one request.
func (b *builder) warnTransfer(t *transfer) {
	if t.url.HasUser {
		message := "the URL holds credentials; they are moved into Authorization"
		if t.c.find("Authorization") != nil {
			message = "the URL holds credentials; curl does not send them, because -H sets Authorization"
		}
		b.warn(diag.WarnURLCredentials, t.n.url.span(), message, "use -u, and keep the password out of the command")
	}
	if t.urls.masked.HasTemplate() {
		b.warn(diag.WarnPlaceholder, t.n.url.span(),
			"the URL holds a placeholder, which is kept as typed; curl itself would take braces for a glob, or refuse the URL",
			"replace the placeholder with its value")
		if d := b.diags.Last(diag.WarnPlaceholder); d != nil && t.urls.masked.IsLoose() {
			d.Level = diag.LevelDoubt
		}
	}
}

// warnKept says that a placeholder is kept in an argument that curl would refuse.
func (b *builder) warnKept(span diag.Span) {
	b.warn(diag.WarnPlaceholder, span, "curl would refuse this argument; what looks like a placeholder in it is kept as typed", "replace the placeholder with its value")
	if d := b.diags.Last(diag.WarnPlaceholder); d != nil {
		d.Level = diag.LevelDoubt
	}
}

// warnLength warns of a Content-Length of -H that is not the content's, which curl
// sends as it stands: the server would wait for more, or take the rest for another
// request. Of content whose files were not supplied, only a length is known to be wrong
// that has no room for the rest. Without a length, unless the content goes out in
// chunks, a server that speaks HTTP/1 takes the content for no part of the request.
func (b *builder) warnLength(t *transfer) {
	h := t.c.find("Content-Length")
	if h == nil || len(reqtext.In(t.request.Variables, reqtext.At(request.MemberBody, 0))) > 0 {
		return
	}
	least, known := 0, true
	if body := t.request.Body; body != nil {
		least, known = len(body.Data), body.Kind.Known()
		for i := range body.Pieces {
			least += len(body.Pieces[i].Text)
		}
	}
	value := strings.TrimSpace(h.line[len("Content-Length:"):])
	if value == "" && !t.chunked() && (least > 0 || !known) {
		b.warn(diag.WarnContentLength, h.setting.Span, "the content goes out without its length, and under HTTP/1 a server cannot tell where it ends", "leave it out")
	}
	said, err := strconv.Atoi(value)
	if err == nil && (said < least || known && said > least) {
		b.warn(diag.WarnContentLength, h.setting.Span, "the content has another length, and curl sends both as they are", "leave it out")
	}
}
