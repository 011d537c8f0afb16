package javascript

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// XMLHttpRequest does in a page what fetch does there, but for a string whose type names
// another charset, which it replaces (WHATWG XMLHttpRequest, send(); measured in Chromium 156).
var XHR = plan.Target{
	Name: "javascript-xhr", Convention: &jsConvention, Client: "XMLHttpRequest", Version: "2024", Kind: plan.Code, Extension: "mjs",
	Aliases: []string{"xhr"}, Proven: true, Style: style, Write: writeXHR, Takes: plan.OnlyResponses,
	Functions: true, Decodes: true,
	Facts: browserFacts(fetchMethod),
}

func writeXHR(p *plan.Program) {
	writeJavaScript(p, "", func(r *jsRequest) {
		body := r.xhrBody()
		url := r.url()
		r.browserRedirects()
		headers := r.fetchHeaders(func(*plan.Field) bool { return true })
		limit, response := r.c.Timeout(), r.response()
		r.again(".status", "", ".cause?.code", func(before string) {
			r.p.Block(before+"new Promise((resolve, reject) => {", func() {
				r.p.Line("const request = new XMLHttpRequest();")
				r.p.Statement("request.open", []emit.Node{emit.Leaf(String(r.c.Method)), url})
				for _, h := range headers {
					name := h.Name
					if !strings.HasPrefix(name, `"`) {
						name = String(name)
					}
					h.Name, h.Separator = "", ""
					r.p.Statement("request.setRequestHeader", []emit.Node{emit.Leaf(name), h})
				}
				if r.c.Field("Cookie") != nil {
					r.p.Line("request.withCredentials = true;")
				}
				if r.c.Destination(r.p.Options) == plan.ToFile {
					r.p.Line(`request.responseType = "blob";`)
				}
				r.p.Line("request.onload = () => resolve(request);")
				r.p.Line(`request.onerror = () => reject(new Error("the request failed"));`)
				if limit > 0 {
					r.p.Line("request.ontimeout = request.onerror;")
					r.p.Line("request.timeout = ", emit.Milliseconds(limit), ";")
				}
				if len(body) == 0 {
					r.p.Line("request.send();")
				} else {
					r.p.Statement("request.send", body)
				}
			})
			r.p.Line("});")
		})
		text := response + ".responseText"
		r.result(jsResponse{".status", ".statusText", ".getAllResponseHeaders()", response + ".response", "", "JSON.parse(" + text + ")", text}, func() {
			r.failure(response + ".status")
		})
	})
}

// xhrBody returns the argument for the content, if there is some. What may wait for a file
// has a statement of its own, because the function that sends it cannot wait.
func (r *jsRequest) xhrBody() []emit.Node {
	content, has := r.browserContent()
	switch f := r.c.Field("Content-Type"); {
	case !has:
		return nil
	case isString(content) && f != nil && strings.Contains(strings.ToLower(f.Value.Source()), "charset"):
		content = emit.Wrapped("new Blob", emit.Group("", "[", []emit.Node{content}, "]"))
	case strings.HasPrefix(content.Head, "new Blob"):
		name := "body" + r.suffix
		r.p.Node("const "+name+" = ", content, ";")
		content = emit.Leaf(name)
	}
	return []emit.Node{content}
}

// isString reports whether the content is a string, and no object of the browser.
func isString(content emit.Node) bool {
	for _, object := range []string{"new Blob", "new URLSearchParams", "form", "file("} {
		if strings.HasPrefix(content.Head, object) {
			return false
		}
	}
	return true
}

// What jQuery 3 and 4 add to XMLHttpRequest (the sources, src/ajax.js): they write methods in
// capitals, give content the type of a form unless told another, or none; make the text
// of a form of an object, and a plus of each %20 in one; fail for a status of 400 and more;
// read the response as its type says; and name themselves to the origin of the page.
var JQuery = plan.Target{
	Name: "javascript-jquery", Convention: &jsConvention, Client: "jQuery", Version: "3", Kind: plan.Code, Extension: "mjs",
	Aliases: []string{"jquery"}, Proven: true, Style: style, Write: writeJQuery, Takes: plan.OnlyResponses,
	Functions: true, Decodes: true,
	Facts: browserFacts(func(method string) bool { return fetchMethod(method) && plan.Capitals(method) }, "X-Requested-With"),
}

// encodeJQuery is jQuery.param, and what jQuery.ajax makes of its blanks.
var encodeJQuery = plan.FormEncoder{Safe: "-_.!~*'()", Plus: true}

func writeJQuery(p *plan.Program) {
	writeJavaScript(p, "", func(r *jsRequest) {
		content, has := r.jqueryContent()
		url := r.url()
		r.browserRedirects()
		r.method()
		r.object("headers", r.fetchHeaders(func(f *plan.Field) bool { return !f.Is("Content-Type") }))
		switch f := r.c.Field("Content-Type"); {
		case f != nil && !f.Derived():
			r.add("contentType", header(p, f.Value))
		case f == nil && has:
			r.add("contentType", emit.Leaf("false"))
		}
		if has {
			r.add("data", content)
			if f := r.c.Field("Content-Type"); content.Open != "{" && (!isString(content) || f == nil || strings.HasPrefix(strings.ToLower(f.Value.Source()), plan.FormType)) {
				r.add("processData", emit.Leaf("false"))
			}
		}
		r.jqueryExchange()
		again := r.c.Retries() > 0 || r.p.Exact() || r.c.ReadsErrors()
		response := r.response()
		r.again(".status", "", ".cause?.code", func(before string) {
			r.send(strings.TrimSuffix(before, "await ")+"$.ajax", url)
			if !again {
				r.p.Line("await ", response, ";")
				return
			}
			r.p.Block("await "+response+".catch(({ status }) => {", func() { r.p.Line(`if (!status) throw new Error("the request failed");`) })
			r.p.Line("});")
		})
		text := response + ".responseText"
		r.result(jsResponse{".status", ".statusText", ".getAllResponseHeaders()", "await " + response, "", "JSON.parse(" + text + ")", text}, func() {
			r.failure(response + ".status")
		})
	})
}

// jqueryContent returns the setting data: an object for a form.
func (r *jsRequest) jqueryContent() (n emit.Node, has bool) {
	form := r.c.Content.Form
	if r.c.Content.Kind == plan.RawBody && keeps(plan.PairNames(form)) && r.c.IsForm(&encodeJQuery) {
		r.c.LeavesType()
		return r.pairs(form), true
	}
	return r.browserContent()
}

// jqueryExchange adds what shapes the exchange.
func (r *jsRequest) jqueryExchange() {
	var fields []emit.Node
	if r.c.Field("Cookie") != nil {
		fields = append(fields, emit.Leaf("withCredentials: true"))
	}
	switch to := r.c.Destination(r.p.Options); {
	case to == plan.ToFile:
		r.p.Differs("saves nothing of an error")
		r.add("dataType", emit.Leaf(`"binary"`))
		fields = append(fields, emit.Leaf(`responseType: "blob"`))
	case r.p.Exact():
		r.add("dataType", emit.Leaf(`"text"`)) // whatever the response says of itself
	}
	r.object("xhrFields", fields)
	if limit := r.c.Timeout(); limit > 0 {
		r.add("timeout", emit.Leaf(emit.Milliseconds(limit)))
	}
}
