package php

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
)

// Laravel 13 sends with Guzzle 8, so that it does by itself what Guzzle does;
// it also expands braces in URLs, and gives up after 30 seconds. Its programs are
// part of an application, which loads the classes.
var Laravel = plan.Target{
	Name: "php-laravel", Convention: &convention, Client: "Laravel Http", Version: "13", Kind: plan.Code, Extension: "php",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "laravel/framework", Version: "13.0"}},
	Aliases:  []string{"laravel"}, Proven: true, Style: Curl.Style, Write: writeLaravel, Takes: takes, Heads: true, Runs: true,
	Facts: plan.Client{
		Loopback: true,
		Adds:     Guzzle.Facts.Adds,
		Always:   Guzzle.Facts.Adds,
		Rules:    plan.Rules{plan.RemovesDots},
		Digest:   true, Quotes: true,
		Drops: Guzzle.Facts.Drops, Proxies: libcurl.Libcurl.Proxies, Versions: libcurl.Libcurl.Versions,
	},
}

func writeLaravel(p *plan.Program) {
	composed(p, `Illuminate\Support\Facades\Http`, false, func(c *plan.Call) {
		r := laravelRequest{composedRequest: composedRequest{phpRequest: phpOf(p, c), prints: laravelPrints, pairing: "form_params"}}
		r.write()
	})
}

// laravelPrints reports whether Laravel prints a value as the data: it has
// arrays for objects, and none for an empty one.
func laravelPrints(p *plan.Program, c *plan.Call) bool {
	return len(c.Content.JSON.Items) > 0 && p.Encodes(&guzzleJSON, c)
}

// A laravelRequest writes one call with Laravel.
type laravelRequest struct {
	composedRequest
	calls []emit.Node // on Http
}

func (r *laravelRequest) call(name string, arguments ...emit.Node) {
	before := "->"
	if len(r.calls) == 0 {
		before = "Http::"
	}
	r.calls = append(r.calls, emit.Group(before+name, "(", arguments, ")"))
}

func (r *laravelRequest) write() {
	r.c.URLText = plan.PercentEncoded(r.c.URLText, "{}")
	arguments := []emit.Node{emit.Leaf(r.location())}
	data, sent := r.data()
	r.headers()
	r.exchange()
	verb := strings.ToLower(r.c.Method)
	if !sent {
		verb = "send"
		arguments = slices.Insert(arguments, 0, emit.Leaf(String(r.c.Method)))
	}
	r.call(verb, append(arguments, data...)...)
	r.p.Chain("$response = ", r.calls, ";")
	const status = "$response->status()"
	switch r.c.Destination(r.p.Options) {
	case plan.HeadersPrinted:
		r.giveArray("$response->headers()", status)
	case plan.ContentPrinted:
		r.give("$response->body()", "$response->json()", status)
	case plan.ToFile:
		if r.c.KeepsFile(r.p.Options) { // sink opens its file for an error as well
			r.makeFolder()
			r.p.Line("file_put_contents(", r.text(r.c.Output()), ", $response->resource());")
		}
	case plan.Captured:
		keepFields(r.p, r.c, func(name string) string { return "$response->toPsrResponse()->getHeader(" + name + ")[0]" })
		captures(r.p, r.c, "$response->body()", "$response->json()")
	}
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.p.Line("return ", status, ";")
	}
}

// data adds the content, or returns an argument with it. It reports whether the
// method of Laravel that has the name of the request's sends both.
func (r *laravelRequest) data() (arguments []emit.Node, sent bool) {
	if r.c.Content.Kind == plan.NoBody {
		return nil, slices.Contains([]string{"GET", "HEAD", "DELETE"}, r.c.Method)
	}
	fluent := slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if fluent && r.c.Content.Kind == plan.MultipartBody && r.attach() {
		return nil, true
	}
	name, content := r.content()
	contentType := r.c.Field("Content-Type")
	switch {
	case fluent && name == "json":
		return []emit.Node{content}, true
	case fluent && name == "form_params":
		r.call("asForm")
		return []emit.Node{content}, true
	case fluent && contentType != nil:
		r.c.Imply(contentType)
		r.call("withBody", content, emit.Leaf(r.text(contentType.Value)))
		return nil, true
	}
	return []emit.Node{emit.Group("", "[", []emit.Node{emit.Named("'"+name, "' => ", content)}, "]")}, false
}

// attach adds the parts of a form, where Guzzle makes the form that curl makes.
func (r *laravelRequest) attach() bool {
	if !r.guzzleForm() {
		return false
	}
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		arguments := []emit.Node{emit.Leaf(r.text(p.NameText)), emit.Leaf(r.text(p.ValueText))}
		if p.IsFile() {
			arguments[1] = emit.Leaf("fopen(" + r.text(p.FileText) + ", 'rb')")
		}
		name := p.SentName()
		if name != "" {
			arguments = append(arguments, emit.Leaf(String(name)))
		}
		if p.TypeText != nil && !guzzleGuesses(p) {
			before := ""
			if name == "" {
				before = "headers: "
			}
			arguments = append(arguments, emit.Leaf(before+"['Content-Type' => "+String(*p.TypeText)+"]"))
		}
		r.call("attach", arguments...)
	}
	return true
}

// headers adds the credentials and the header fields.
func (r *laravelRequest) headers() {
	r.visibleBasic()
	if calls := r.spread(); len(calls) > 0 {
		r.call("withRequestMiddleware", emit.Leaf("fn ($request) => $request"+strings.Join(calls, "")))
	}
	if c := r.c.Basic; c != nil {
		r.call("withBasicAuth", emit.Leaf(r.text(c.User)), emit.Leaf(r.text(c.Password)))
	}
	if c := r.c.Digest; c != nil {
		r.call("withDigestAuth", emit.Leaf(r.text(c.User)), emit.Leaf(r.text(c.Password)))
	}
	if f := r.c.Field("Authorization"); f != nil && !f.Derived() && plan.IsBearer(f.Value) && !r.c.Repeated() {
		r.c.Imply(f)
		r.call("withToken", emit.Leaf(r.text(f.Value.Cut(len("Bearer "), len(f.Value.Source())))))
	}
	if f := r.c.Field("Accept"); f != nil && f.Value.Source() == "application/json" && !r.c.Repeated() {
		r.c.Imply(f)
		r.call("acceptJson")
	}
	if items := r.fieldItems(); len(items) > 0 {
		r.call("withHeaders", emit.Group("", "[", items, "]"))
	}
}

// exchange adds what shapes the exchange.
func (r *laravelRequest) exchange() {
	switch {
	case r.c.Follow():
		r.call("maxRedirects", emit.Leaf(r.redirects()))
	case r.c.Stops():
		r.call("withoutRedirecting")
	}
	switch {
	case r.c.Timeout() > 0:
		r.call("timeout", emit.Leaf(emit.Seconds(r.c.Timeout())))
	case r.p.Exact():
		r.call("timeout", emit.Leaf("0")) // none; the default is thirty seconds
	}
	if r.c.ConnectTimeout() > 0 {
		r.call("connectTimeout", emit.Leaf(emit.Seconds(r.c.ConnectTimeout())))
	}
	if r.c.Insecure() {
		r.call("withoutVerifying")
	}
	if r.c.Retries() > 0 {
		when := "fn ($e) => in_array($e?->getCode(), [" + plan.RetryStatuses + "])"
		r.call("retry", emit.Leaf(strconv.FormatInt(r.c.Retries()+1, 10)), emit.Leaf("1000"), emit.Leaf(when), emit.Leaf("throw: false"))
	}
	if r.c.Fail() {
		r.call("throw")
	}
	if r.c.Destination(r.p.Options) == plan.ToFile && !r.c.KeepsFile(r.p.Options) {
		r.makeFolder()
		r.call("sink", emit.Leaf(r.text(r.c.Output())))
	}
	r.transport()
	if len(r.entries) > 0 {
		r.call("withOptions", emit.Group("", "[", r.entries, "]"))
	}
}
