package code

import (
	"slices"
	"strconv"
	"strings"
)

// Laravel 13 sends with Guzzle 8, so that it does by itself what Guzzle does;
// it also expands braces in URLs, and gives up after 30 seconds. Its programs are
// part of an application, which loads the classes.
var phpLaravel = Target{
	Name: "php-laravel", Language: "php", Client: "Laravel Http", Version: "13", Kind: Code, Extension: "php",
	Aliases: []string{"laravel"}, Proven: true, style: phpCurl.style, write: writeLaravel,
	client: client{
		loopback: true,
		adds:     phpGuzzle.client.adds,
		always:   phpGuzzle.client.adds,
		dots:     true, digest: true, quotes: true,
		says: phpGuzzle.client.says, drops: phpGuzzle.client.drops, proxies: libcurl.proxies, versions: libcurl.versions,
	},
}

func writeLaravel(p *program) {
	p.composed(`Illuminate\Support\Facades\Http`, false, func(c *call) {
		r := laravelRequest{composedRequest: composedRequest{phpRequest: phpOf(p, c), prints: laravelPrints, pairing: "form_params"}}
		r.write()
	})
}

// laravelPrints reports whether Laravel prints a value as the data: it has
// arrays for objects, and none for an empty one.
func laravelPrints(v *value, data string) bool {
	return len(v.items) > 0 && guzzleJSON.prints(v, data)
}

// A laravelRequest writes one call with Laravel.
type laravelRequest struct {
	composedRequest
	calls []node // on Http
}

func (r *laravelRequest) call(name string, arguments ...node) {
	before := "->"
	if len(r.calls) == 0 {
		before = "Http::"
	}
	r.calls = append(r.calls, group(before+name, "(", arguments, ")"))
}

func (r *laravelRequest) write() {
	r.c.url = percentEncoded(r.c.url, "{}")
	arguments := []node{leaf(r.location())}
	data, sent := r.data()
	r.headers()
	r.exchange()
	verb := strings.ToLower(r.c.Method)
	if !sent {
		verb = "send"
		arguments = slices.Insert(arguments, 0, leaf(phpString(r.c.Method)))
	}
	r.call(verb, append(arguments, data...)...)
	r.p.chain("$response = ", r.calls, ";")
	switch r.c.destination(r.p.options) {
	case headersPrinted:
		r.p.line("print_r($response->headers());")
	case contentPrinted:
		r.p.line("echo $response->body();")
	}
}

// data adds the content, or returns an argument with it. It reports whether the
// method of Laravel that has the name of the request's sends both.
func (r *laravelRequest) data() (arguments []node, sent bool) {
	if r.c.body.kind == noBody {
		return nil, slices.Contains([]string{"GET", "HEAD", "DELETE"}, r.c.Method)
	}
	fluent := slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
	if fluent && r.c.body.kind == multipartBody && r.attach() {
		return nil, true
	}
	name, content := r.content()
	contentType := r.c.field("Content-Type")
	switch {
	case fluent && name == "json":
		return []node{content}, true
	case fluent && name == "form_params":
		r.call("asForm")
		return []node{content}, true
	case fluent && contentType != nil:
		contentType.derived = true
		r.call("withBody", content, leaf(r.text(contentType.value)))
		return nil, true
	}
	return []node{group("", "[", []node{named("'"+name, "' => ", content)}, "]")}, false
}

// attach adds the parts of a form, where Guzzle makes the form that curl makes.
func (r *laravelRequest) attach() bool {
	if !r.guzzleForm() {
		return false
	}
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		arguments := []node{leaf(r.text(p.name)), leaf(r.text(p.value))}
		if p.isFile() {
			arguments[1] = leaf("fopen(" + r.text(p.file) + ", 'rb')")
		}
		name := p.sentName()
		if name != "" {
			arguments = append(arguments, leaf(phpString(name)))
		}
		if p.contentType != nil && !guzzleGuesses(p) {
			before := ""
			if name == "" {
				before = "headers: "
			}
			arguments = append(arguments, leaf(before+"['Content-Type' => "+phpString(*p.contentType)+"]"))
		}
		r.call("attach", arguments...)
	}
	return true
}

// headers adds the credentials and the header fields.
func (r *laravelRequest) headers() {
	r.visibleBasic()
	if calls := r.spread(); len(calls) > 0 {
		r.call("withRequestMiddleware", leaf("fn ($request) => $request"+strings.Join(calls, "")))
	}
	if c := r.c.basic; c != nil {
		r.call("withBasicAuth", leaf(r.text(c.user)), leaf(r.text(c.password)))
	}
	if c := r.c.digest; c != nil {
		r.call("withDigestAuth", leaf(r.text(c.user)), leaf(r.text(c.password)))
	}
	if f := r.c.field("Authorization"); f != nil && !f.derived && isBearer(f.value) && !r.c.repeated() {
		f.derived = true
		r.call("withToken", leaf(r.text(f.value.cut(len("Bearer "), len(f.value.source())))))
	}
	if f := r.c.field("Accept"); f != nil && f.value.source() == "application/json" && !r.c.repeated() {
		f.derived = true
		r.call("acceptJson")
	}
	if items := r.fieldItems(); len(items) > 0 {
		r.call("withHeaders", group("", "[", items, "]"))
	}
}

// exchange adds what shapes the exchange.
func (r *laravelRequest) exchange() {
	if r.c.follow {
		r.call("maxRedirects", leaf(r.redirects()))
	} else {
		r.call("withoutRedirecting")
	}
	limit := "0" // none; the default is thirty seconds
	if r.c.timeout > 0 {
		limit = seconds(r.c.timeout)
	}
	r.call("timeout", leaf(limit))
	if r.c.connectTimeout > 0 {
		r.call("connectTimeout", leaf(seconds(r.c.connectTimeout)))
	}
	if r.c.insecure {
		r.call("withoutVerifying")
	}
	if r.c.retries > 0 {
		when := "fn ($e) => in_array($e?->getCode(), [" + retryStatuses + "])"
		r.call("retry", leaf(strconv.FormatInt(r.c.retries+1, 10)), leaf("1000"), leaf(when), leaf("throw: false"))
	}
	if r.c.fail {
		r.call("throw")
	}
	if r.c.destination(r.p.options) == toFile {
		r.makeFolder()
		r.call("sink", leaf(r.text(r.c.output)))
	}
	r.transport()
	if len(r.entries) > 0 {
		r.call("withOptions", group("", "[", r.entries, "]"))
	}
}
