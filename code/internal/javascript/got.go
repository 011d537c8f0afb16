package javascript

import (
	"slices"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What got 14 does by itself, measured on the wire: it adds user-agent,
// accept-encoding and Connection; writes names of fields in small letters and
// methods in capitals; follows redirects, tries again, and throws for status
// 400 and more, unless told not to.
var Got = plan.Target{
	Name: "node-got", Convention: &jsConvention, Client: "got", Version: "14", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "got", Version: "14.0.0"}, {Name: "tough-cookie", Version: "5.0.0", Import: `"tough-cookie"`}},
	Aliases:  []string{"got", "javascript-got"}, Proven: true, Style: style, Write: writeGot, Takes: plan.AnyFrom, Tries: tries, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Facts: plan.Client{
		ModernTLS: true,
		Rules: plan.Rules{
			plan.SendsCodings(plan.NamesChunks),
			plan.SendsMethods(plan.Capitals),
			plan.RemovesDots,
			plan.TakesNumbers,
			plan.SendsNoContent("HEAD"),
			plan.PrintableFields,
		},
		Adds:     plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		Wire:     plan.Wire{Order: "User-Agent * +content-type", Case: plan.Lower, Follows: true, Text: true, Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true},
		Always:   plan.FieldNames{"Connection"},
		Once:     sendsFormData,
		Stuck:    sendsFormData,
		Answers:  true,
		Tells:    true,
		Eager:    true,
		Slashes:  true,
		Versions: []string{"2"},
	},
}

func writeGot(p *plan.Program) {
	writeJavaScript(p, `import got from "got";`, func(r *jsRequest) {
		r.method()
		name, content := r.gotContent()
		items := r.headerMembers(true, (*plan.Field).Skipped)
		r.object("headers", append(items, r.removedMembers("undefined", "User-Agent")...))
		if r.c.Removes("Accept-Encoding") {
			r.add("decompress", emit.Leaf("false"))
		}
		if name != "" {
			r.add(name, content)
			if r.c.Method == "GET" {
				r.add("allowGetBody", emit.Leaf("true"))
			}
		}
		r.querySetting("searchParams")
		r.gotCookies()
		r.gotExchange()
		if r.gotStreams() {
			r.sendStream()
			return
		}
		before := "const " + r.response() + " = await got"
		if r.c.Destination(r.p.Options) == plan.Discarded && r.p.Options.Bare {
			before = "await got"
		}
		r.send(before, r.url())
		response, fail := r.response(), func() {}
		if r.c.ReadsErrors() {
			fail = func() { r.failure(response + ".statusCode") }
		}
		r.result(jsResponse{".statusCode", ".statusMessage", ".headers", response + ".rawBody", "", "JSON.parse(" + response + ".body)", response + ".body"}, fail)
	})
}

// gotStreams reports whether the program reads the response as it comes: a stream of got
// tries again only with the help of the program.
func (r *jsRequest) gotStreams() bool {
	asked := r.c.Destination(r.p.Options) == plan.ToFile || r.c.Streams(r.p.Options)
	return asked && !r.c.NamedByResponse() && r.c.Retries() == 0 && r.c.Digest == nil
}

// sendStream writes the statements that send the request, and write the response as it
// comes: once throws what got makes of a status.
func (r *jsRequest) sendStream() {
	r.p.Use(`import { once } from "node:events";`)
	stream, response := "stream"+r.suffix, r.response()
	r.send("const "+stream+" = got.stream", r.url())
	reads := ""
	if r.c.ReadsErrors() {
		reads = "const [" + response + "] = "
	}
	r.p.Line(reads, "await once(", stream, `, "response");`)
	fail := func() {}
	if r.c.ReadsErrors() {
		fail = func() { r.failure(response + ".statusCode") }
	}
	r.result(jsResponse{status: ".statusCode", reason: ".statusMessage", headers: ".headers", bytes: stream, chunks: stream}, fail)
}

// gotContent returns the name of the setting for the body, and its value.
func (r *jsRequest) gotContent() (name string, n emit.Node) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if r.byteHead() { // Node writes a string and the head as one text, in the encoding of the string
			return "body", buffer(Bytes(r.p, r.c.Content.Data))
		}
		if n, compact, ok := r.stringify(); ok {
			if compact && r.c.HasType("application/json") {
				r.c.Imply(r.c.Field("Content-Type"))
				return "json", jsValue(r.p, r.c, r.c.Content.JSON)
			}
			return "body", n
		}
		if r.c.IsForm(&plan.EncodeWHATWG) {
			if n := r.pairs(r.c.Content.Form); n.Open == "{" {
				r.c.Imply(r.c.Field("Content-Type"))
				return "form", n
			}
			return "body", emit.Followed(r.search(r.c.Content.Form), ".toString()")
		}
		return "body", Bytes(r.p, r.c.Content.Data)
	case plan.MultipartBody:
		n, _ := r.formData()
		return "body", n
	case plan.FileBody:
		return "body", emit.Leaf(jsFile(r.p, plan.Piece{File: r.c.Content.File}))
	case plan.PieceBody:
		return "body", jsPieces(r.p, r.c.Content.List)
	}
	return "", emit.Node{}
}

// gotCookies adds the jar of several requests, after the statement that makes it. A cookie
// that the server may not set is no error to curl.
func (r *jsRequest) gotCookies() {
	jar := r.c.Jar()
	if jar == nil {
		return
	}
	name := jar.Named("cookieJar")
	if r.c.Opens() {
		r.p.Use(`import { CookieJar } from "tough-cookie";`)
		r.p.Line("const ", name, " = new CookieJar();")
	}
	setting := emit.Leaf(name)
	if name != "cookieJar" {
		setting = emit.Named("cookieJar", ": ", setting)
	}
	r.settings = append(r.settings, setting)
	r.add("ignoreInvalidCookies", emit.Leaf("true"))
}

// gotRetries are the methods that got sends again by itself.
var gotRetries = []string{"GET", "PUT", "HEAD", "DELETE", "OPTIONS", "TRACE"}

func (r *jsRequest) gotExchange() {
	switch {
	case r.c.Stops():
		r.add("followRedirect", emit.Leaf("false"))
	case r.c.MaxRedirects() != plan.CurlRedirects:
		r.add("maxRedirects", emit.Leaf(emit.Itoa(int(r.c.RedirectLimit()))))
	}
	var hooks []emit.Node
	if hook, ok := r.beforeRedirect(); ok {
		hooks = append(hooks, emit.Named("beforeRedirect", ": ", emit.Group("", "[", []emit.Node{hook}, "]")))
	}
	if r.c.Digest != nil {
		hooks = append(hooks, emit.Named("afterResponse", ": ", emit.Group("", "[", []emit.Node{r.answerDigest()}, "]")))
	}
	r.object("hooks", hooks)
	if r.c.Follow() && r.c.Method == "POST" {
		r.add("methodRewriting", emit.Leaf("true")) // GET after 301 and 302, as curl does
	}
	if !r.c.Fail() && (r.p.Exact() || r.c.Retries() > 0) || r.c.ReadsErrors() {
		r.add("throwHttpErrors", emit.Leaf("false")) // curl does not fail either
	}
	again := []emit.Node{emit.Leaf("limit: " + emit.Itoa(int(r.c.Retries())))}
	usual := slices.Contains(gotRetries, r.c.Method)
	if !usual {
		again = append(again, emit.Leaf("methods: ["+String(r.c.Method)+"]"))
	}
	if r.c.Retries() > 0 {
		again = append(again, emit.Leaf("statusCodes: ["+plan.RetryStatuses+"]"))
	}
	again = append(again, r.gotDelay()...)
	if r.c.Retries() > 0 || usual && (r.p.Exact() || r.c.Caught()) { // it would try again by itself
		r.object("retry", again)
	}
	var limits []emit.Node
	if r.c.Timeout() > 0 {
		limits = append(limits, emit.Leaf("request: "+emit.Milliseconds(r.c.Timeout())))
	}
	if r.c.ConnectTimeout() > 0 {
		limits = append(limits, emit.Leaf("connect: "+emit.Milliseconds(r.c.ConnectTimeout())))
	}
	r.object("timeout", limits)
	r.object("https", r.tls("certificate", "key", "certificateAuthority"))
	for _, n := range r.lookup() {
		r.settings = append(r.settings, emit.Named("dnsL", "", emit.Leaf(n.Head[1:])))
	}
	if r.c.HTTPVersion() == "2" {
		r.add("http2", emit.Leaf("true"))
	}
}

// gotDelay returns the member that says how long got waits, which it does for errors of the
// connection, too: 0 ends the tries.
func (r *jsRequest) gotDelay() []emit.Node {
	if r.c.Options.On("retryAllErrors") {
		return nil // got knows no other errors
	}
	retry := r.c.Retry()
	wait, asks := "computedValue", "computedValue"
	if retry.Delay > 0 {
		wait = emit.Milliseconds(retry.Delay)
	}
	if retry.MaxTime > 0 {
		deadline := "deadline" + r.suffix
		r.p.Line("const ", deadline, " = Date.now() + ", emit.Milliseconds(retry.MaxTime), ";")
		asks += " && Date.now() < " + deadline
	}
	if retry.Delay == 0 && retry.MaxTime == 0 {
		return nil
	}
	return []emit.Node{emit.Leaf("calculateDelay: ({ computedValue }) => (" + asks + " ? " + wait + " : 0)")}
}

// answerDigest returns the call that makes what answers for Digest.
func (r *jsRequest) answerDigest() emit.Node {
	if sendsFormData(r.c) {
		r.p.Refuse("sends no form again, which Digest asks for")
	}
	r.p.KeepsDigest(r.c)
	var arguments []emit.Node
	for _, n := range r.digestSettings("got") {
		n.Name, n.Separator = "", ""
		arguments = append(arguments, n)
	}
	return emit.Group("gotDigest", "(", arguments, ")")
}
