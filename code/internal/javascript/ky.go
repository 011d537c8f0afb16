package javascript

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What ky 1 and ofetch 1 do beside fetch, on which they stand (their sources, and measured on
// the wire): they throw for a status of 400 and more; ask again after some of these, for
// methods without content; ky ends after ten seconds. ofetch gives text a type and asks for
// JSON where the program says neither, and reads the response as its type says. ofetch writes
// methods in capitals, and ky does those that fetch knows.
var Ky = plan.Target{
	Name: "node-ky", Convention: &jsConvention, Client: "ky", Version: "1", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "ky", Version: "1.0.0"}},
	Aliases:  []string{"ky", "javascript-ky"}, Proven: true, Style: style, Write: writeKy, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Fallbacks: Fetch.Fallbacks, Facts: kyFacts(),
}

// kyFacts returns what ky does, which throws with the request.
func kyFacts() plan.Client {
	k := wrapsFetch(func(method string) bool { return fetchMethod(method) && method != "patch" })
	k.Tells = true
	k.Order, k.Case = "< +content-type", plan.Lower // it makes Headers of them
	return k
}

var Ofetch = plan.Target{
	Name: "node-ofetch", Convention: &jsConvention, Client: "ofetch", Version: "1", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "ofetch", Version: "1.0.0"}},
	Aliases:  []string{"ofetch", "javascript-ofetch"}, Proven: true, Style: style, Write: writeOfetch, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Fallbacks: Fetch.Fallbacks, Facts: wrapsFetch(func(method string) bool { return fetchMethod(method) && plan.Capitals(method) }),
}

// wrapsFetch returns what a client does that stands on fetch, and takes no other one.
func wrapsFetch(sends func(method string) bool) plan.Client {
	k := fetchFacts
	k.Rules = append(slices.Clone(k.Rules), plan.SendsMethods(sends))
	k.Answers, k.Loops, k.Proxies = false, nil, nil
	return k
}

func writeKy(p *plan.Program) {
	writeJavaScript(p, `import ky from "ky";`, func(r *jsRequest) {
		content, has := r.valueContent("json")
		url := r.url()
		function := r.function("ky", "ky")
		response := r.response()
		r.wrappedSettings(content, has, "false")
		if r.throwsLess() {
			r.add("throwHttpErrors", emit.Leaf("false"))
		}
		r.again(".status", "await "+response+".body?.cancel();", ".cause?.code", func(before string) { r.send(before+function, url) })
		r.result(jsResponse{".status", ".statusText", ".headers", response + `.body ?? ""`, response + ".body", "await " + response + ".json()", "await " + response + ".text()"}, func() {
			if r.throwsLess() {
				r.failure(response + ".status")
			}
		})
	})
}

// throwsLess reports whether the program keeps the client from throwing for a status.
func (r *jsRequest) throwsLess() bool {
	return r.p.Exact() || r.c.Retries() > 0 || r.c.ReadsErrors()
}

// valueContent returns the content, and adds JSON of which the client makes the text as a
// setting with a name: it says the type, if nothing else does.
func (r *jsRequest) valueContent(name string) (n emit.Node, has bool) {
	f := r.c.Field("Content-Type")
	if f != nil && name == "body" && mayBeForm(f) {
		name = "" // ofetch makes a form of an object then: src/fetch.ts of ofetch 1.5
	}
	if f != nil && name != "" && r.c.Content.Kind == plan.RawBody && !r.c.Streamed() && r.p.Encodes(&jsStringify[0].Encoder, r.c) {
		if value := jsValue(r.p, r.c, r.c.Content.JSON); value.Open != "" { // a string stays one
			if f.Value.Source() == "application/json" {
				r.c.Imply(f)
			}
			if name == "body" {
				return value, true
			}
			r.add(name, value)
			return emit.Node{}, false
		}
	}
	n, has = r.fetchContent()
	if r.c.Streamed() {
		n = stream(n)
	}
	return n, has
}

// mayBeForm reports a type that is, or may be, that of a form.
func mayBeForm(f *plan.Field) bool {
	s, known := f.Value.Plain()
	return !known || strings.Contains(strings.ToLower(s), "form")
}

// wrappedSettings adds what both clients take: the settings of fetch, and how long and how
// often they ask. limitless is the time limit that is none.
func (r *jsRequest) wrappedSettings(content emit.Node, has bool, limitless string) {
	r.fetchSettings(r.fetchHeaders(func(*plan.Field) bool { return true }), content, has, nil)
	if r.p.Exact() || r.c.Retries() > 0 {
		r.add("retry", emit.Leaf("0"))
	}
	switch limit := r.c.Timeout(); {
	case limit > 0:
		r.add("timeout", emit.Leaf(emit.Milliseconds(limit)))
	case r.p.Exact() && limitless != "":
		r.add("timeout", emit.Leaf(limitless))
	}
}

func writeOfetch(p *plan.Program) {
	writeJavaScript(p, `import { ofetch } from "ofetch";`, func(r *jsRequest) {
		name := ""
		if slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method) {
			name = "body"
		}
		content, has := r.valueContent(name)
		url := r.url()
		r.method()
		response := r.response()
		r.wrappedSettings(content, has, "")
		if r.throwsLess() {
			r.add("ignoreResponseError", emit.Leaf("true"))
		}
		function, data, to := "ofetch.raw", response+"._data", r.c.Destination(p.Options)
		switch {
		case to == plan.ToFile, r.c.Streams(p.Options):
			r.add("responseType", emit.Leaf(`"stream"`))
		case to == plan.Captured && !r.keepsWhole(), p.Options.DecodeJSON && to == plan.ContentPrinted:
			r.add("responseType", emit.Leaf(`"json"`))
		case r.p.Exact() || to == plan.Captured:
			r.add("responseType", emit.Leaf(`"text"`)) // whatever the response says of itself
		case !r.throwsLess() && !r.c.PrintsHead(p.Options) && !r.c.ReadsStatus(p.Options):
			function, data = "ofetch", response
		}
		r.again(".status", "", ".cause?.code", func(before string) { r.send(before+function, url) })
		r.result(jsResponse{".status", ".statusText", ".headers", data + ` ?? ""`, data, data, data}, func() {
			if r.throwsLess() {
				r.failure(response + ".status")
			}
		})
	})
}
