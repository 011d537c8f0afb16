package fetch

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// request adds the command for a call with its arguments. What the browser adds
// and the call does not say, such as cookies, Origin and User-Agent, is not
// known; what the standard adds is.
func (r *reader) request(span diag.Span, url, init value) bool {
	msg := message.Message{Span: span, Partial: true}
	if !r.url(&msg, url) {
		return false
	}
	if init.kind != undefined && init.kind != null && init.kind != object {
		return r.Fail(r.Syntax, init.span, "the second argument of fetch must be an object", "")
	}
	var body, redirect, referrer, policy, credentials, cache value
	for i := range init.members {
		m := &init.members[i]
		v := m.value
		v.span = diag.Join(m.span, v.span)
		switch m.name {
		case "method":
			msg.Method = word.Word{Text: method(v.text), Span: v.span}
		case "headers":
			if !r.headers(&msg, m.value) {
				return false
			}
		case "body":
			body = v
		case "redirect":
			redirect = v
		case "referrer":
			referrer = v
		case "referrerPolicy":
			policy = v
		case "credentials":
			credentials = v
		case "cache":
			cache = v
		}
	}
	if !r.body(&msg, body) || !r.referer(&msg, referrer, policy.text) || !r.cache(&msg, cache) {
		return false
	}
	switch redirect.text {
	case "manual":
	case "error":
		msg.Options = append(msg.Options, message.Option{Name: "--location", Span: redirect.span},
			message.Option{Name: "--max-redirs", Span: redirect.span, Argument: &word.Word{Text: "0", Span: redirect.span}})
	default:
		msg.Options = append(msg.Options, message.Option{Name: "--location", Span: span})
	}
	if credentials.text == "include" && !message.Has(msg.Fields, "Cookie") {
		r.Warn(diag.WarnBrowserAdds, credentials.span, "the browser adds its cookies for this host, which the text does not have", `copy the request as "fetch (Node.js)" or as cURL, which have them`)
	}
	return r.Meter.Hold(optionsSize) && r.Add(&msg)
}

// optionsSize is what the options of a message take.
const optionsSize = 4 * 64

// method returns a method as fetch sends it, which knows some in any case.
func method(s string) string {
	switch upper := strings.ToUpper(s); upper {
	case "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT":
		return upper
	}
	return s
}

// url reads the first argument.
func (r *reader) url(msg *message.Message, v value) bool {
	s, _, _ := strings.Cut(strings.Trim(v.text, " \t\r\n"), "#")
	switch {
	case v.kind != text:
		return r.Fail(r.Syntax, v.span, "the first argument of fetch must be a string with the URL", "")
	case strings.Index(s, "://") <= 0:
		return r.Fail(diag.CodeNotData, v.span, "the host of this URL is that of the page", "write the whole URL")
	}
	var encoded message.Text
	if !encoded.AddURL(r.Meter, word.Word{Text: s}) {
		return false
	}
	msg.URL = encoded.Word(v.span)
	return true
}

// headers reads the member headers.
func (r *reader) headers(msg *message.Message, v value) bool {
	pairs, ok := r.pairs(v)
	if !ok {
		return false
	}
	for i := range pairs {
		p := &pairs[i]
		if !r.Meter.Hold(len(p.value.text)) {
			return false
		}
		content := strings.Trim(p.value.text, " \t\r\n")
		for _, c := range content {
			if c > 0xff {
				return r.Fail(r.Syntax, p.value.span, "fetch takes no characters beyond Latin-1 in a header field", "encode the value")
			}
		}
		f := message.Field{Name: word.Word{Text: p.name, Span: p.span}, Value: word.Word{Text: message.Latin1(content), Span: p.value.span}}
		if !meter.Append(r.Meter, &msg.Fields, f) {
			return false
		}
	}
	return true
}

// add adds a field that the standard has the client send, unless the call has
// it.
func (r *reader) add(msg *message.Message, name, content string, span diag.Span) bool {
	return message.Has(msg.Fields, name) || meter.Append(r.Meter, &msg.Fields, message.Field{
		Name: word.Word{Text: name, Span: span}, Value: word.Word{Text: content, Span: span},
	})
}

// body reads the member body.
func (r *reader) body(msg *message.Message, v value) bool {
	none := v.kind == undefined || v.kind == null
	switch {
	case none && (msg.Method.Text == "POST" || msg.Method.Text == "PUT"):
		msg.HasContent, msg.Content = true, word.Word{Span: msg.Method.Span} // Content-Length: 0
		return true
	case none:
		return true
	case v.kind == array || v.kind == object:
		return r.Fail(r.Syntax, v.span, "fetch would send this as the text [object Object]", "write JSON.stringify(…) around it")
	case msg.Method.Text == "" || msg.Method.Text == "GET" || msg.Method.Text == "HEAD":
		return r.Fail(r.Syntax, v.span, "fetch refuses content with this method", "name another method")
	}
	if v.kind == form {
		return r.form(msg, v)
	}
	mime := "text/plain;charset=UTF-8"
	if v.kind == params {
		mime = "application/x-www-form-urlencoded;charset=UTF-8"
		if !r.encode(&v) {
			return false
		}
	}
	msg.HasContent, msg.Content = true, word.Word{Text: v.text, Span: v.span}
	return r.add(msg, "Content-Type", mime, v.span)
}

// cache adds what the cache mode makes of a request
// (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
func (r *reader) cache(msg *message.Message, v value) bool {
	switch v.text {
	case "no-cache":
		return message.Has(msg.Fields, "Cache-Control") || r.add(msg, "Cache-Control", "max-age=0", v.span)
	case "no-store", "reload":
		return r.add(msg, "Pragma", "no-cache", v.span) && r.add(msg, "Cache-Control", "no-cache", v.span)
	}
	return true
}

// referer adds the field that referrer and its policy make
// (https://w3c.github.io/webappsec-referrer-policy/#determine-requests-referrer).
func (r *reader) referer(msg *message.Message, v value, policy string) bool {
	page, _, _ := strings.Cut(v.text, "#")
	scheme, rest, ok := strings.Cut(page, "://")
	if v.kind != text || !ok || !ascii.HasPrefixFold(scheme, "http") || policy == "no-referrer" {
		return true
	}
	host, _, _ := strings.Cut(rest, "/")
	origin := scheme + "://" + host
	same := msg.URL.Text == origin || strings.HasPrefix(msg.URL.Text, origin+"/") || strings.HasPrefix(msg.URL.Text, origin+"?")
	down := scheme == "https" && strings.HasPrefix(msg.URL.Text, "http:")
	if !strings.Contains(rest, "/") {
		page += "/"
	}
	switch policy {
	case "origin":
		page = origin + "/"
	case "same-origin":
		if !same {
			return true
		}
	case "no-referrer-when-downgrade", "strict-origin":
		if down {
			return true
		}
		if policy == "strict-origin" {
			page = origin + "/"
		}
	case "origin-when-cross-origin":
		if !same {
			page = origin + "/"
		}
	case "unsafe-url":
	default: // strict-origin-when-cross-origin
		if down {
			return true
		}
		if !same {
			page = origin + "/"
		}
	}
	return r.Meter.Hold(2*len(page)) && r.add(msg, "Referer", page, v.span)
}
