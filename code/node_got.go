package code

import "slices"

// What got 14 does by itself, measured on the wire: it adds user-agent,
// accept-encoding and Connection; writes names of fields in small letters and
// methods in capitals; follows redirects, tries again, and throws for status
// 400 and more, unless told not to.
var nodeGot = Target{
	Name: "node-got", Language: "javascript", Client: "got", Version: "14", Kind: Code, Extension: "mjs",
	Aliases: []string{"got", "javascript-got"}, Proven: true, style: javascriptStyle, write: writeGot,
	client: client{
		modernTLS: true,
		codings:   namesChunks,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		always:    fieldNames{"Connection"},
		once:      sendsFormData,
		stuck:     sendsFormData,
		answers:   true,
		eager:     true,
		methods:   capitals,
		dots:      true,
		slashes:   true,
		numbers:   true,
		bodiless:  []string{"HEAD"},
		printable: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "resolve", "connectTo"},
		versions:  []string{"2"},
	},
}

func writeGot(p *program) {
	p.writeJavaScript(`import got from "got";`, func(r *jsRequest) {
		r.method()
		name, content := r.gotContent()
		items := r.headerMembers(true, (*field).skipped)
		r.object("headers", append(items, r.removedMembers("undefined", "User-Agent")...))
		if r.c.removes("Accept-Encoding") {
			r.add("decompress", leaf("false"))
		}
		if name != "" {
			r.add(name, content)
			if r.c.Method == "GET" {
				r.add("allowGetBody", leaf("true"))
			}
		}
		r.querySetting("searchParams")
		r.gotExchange()
		before := "const " + r.response() + " = await got"
		if r.c.destination(r.p.options) == discarded && r.p.options.Bare {
			before = "await got"
		}
		r.send(before, r.url())
		r.writeResult(r.response()+".rawBody", r.response()+".headers", r.response()+".body")
	})
}

// gotContent returns the name of the setting for the body, and its value.
func (r *jsRequest) gotContent() (name string, n node) {
	switch r.c.body.kind {
	case rawBody:
		if r.byteHead() { // Node writes a string and the head as one text, in the encoding of the string
			return "body", buffer(r.p.jsBytes(r.c.body.data))
		}
		if n, compact, ok := r.stringify(); ok {
			if compact && r.c.hasType("application/json") {
				r.c.field("Content-Type").derived = true
				return "json", r.p.jsValue(r.c.body.json)
			}
			return "body", n
		}
		if r.c.isForm(&encodeWHATWG) {
			if n := r.pairs(r.c.body.form); n.open == "{" {
				r.c.field("Content-Type").derived = true
				return "form", n
			}
			return "body", followed(r.search(r.c.body.form), ".toString()")
		}
		return "body", r.p.jsBytes(r.c.body.data)
	case multipartBody:
		n, _ := r.formData()
		return "body", n
	case fileBody:
		return "body", leaf(r.p.jsFile(piece{file: r.c.body.file}))
	case pieceBody:
		return "body", r.p.jsPieces(r.c.body.list)
	}
	return "", node{}
}

// gotRetries are the methods that got sends again by itself.
var gotRetries = []string{"GET", "PUT", "HEAD", "DELETE", "OPTIONS", "TRACE"}

func (r *jsRequest) gotExchange() {
	switch {
	case !r.c.follow:
		r.add("followRedirect", leaf("false"))
	case r.c.maxRedirects != curlRedirects:
		r.add("maxRedirects", leaf(itoa(int(r.c.redirectLimit()))))
	}
	var hooks []node
	if hook, ok := r.beforeRedirect(); ok {
		hooks = append(hooks, named("beforeRedirect", ": ", group("", "[", []node{hook}, "]")))
	}
	if r.c.digest != nil {
		hooks = append(hooks, named("afterResponse", ": ", group("", "[", []node{r.answerDigest()}, "]")))
	}
	r.object("hooks", hooks)
	if r.c.follow && r.c.Method == "POST" {
		r.add("methodRewriting", leaf("true")) // GET after 301 and 302, as curl does
	}
	if !r.c.fail {
		r.add("throwHttpErrors", leaf("false")) // curl does not fail either
	}
	again := []node{leaf("limit: " + itoa(int(r.c.retries)))}
	usual := slices.Contains(gotRetries, r.c.Method)
	if !usual {
		again = append(again, leaf("methods: ["+jsString(r.c.Method)+"]"))
	}
	if r.c.retries > 0 {
		again = append(again, leaf("statusCodes: ["+retryStatuses+"]"))
	}
	if r.c.retries > 0 || usual {
		r.object("retry", again)
	}
	var limits []node
	if r.c.timeout > 0 {
		limits = append(limits, leaf("request: "+milliseconds(r.c.timeout)))
	}
	if r.c.connectTimeout > 0 {
		limits = append(limits, leaf("connect: "+milliseconds(r.c.connectTimeout)))
	}
	r.object("timeout", limits)
	r.object("https", r.tls("certificate", "key", "certificateAuthority"))
	for _, n := range r.lookup() {
		r.settings = append(r.settings, named("dnsL", "", leaf(n.head[1:])))
	}
	if r.c.httpVersion == "2" {
		r.add("http2", leaf("true"))
	}
}

// answerDigest returns the call that makes what answers for Digest.
func (r *jsRequest) answerDigest() node {
	if sendsFormData(r.c) {
		r.p.refuse("sends no form again, which Digest asks for")
	}
	r.p.keepsDigest(r.c)
	var arguments []node
	for _, n := range r.digestSettings("got") {
		n.name, n.separator = "", ""
		arguments = append(arguments, n)
	}
	return group("gotDigest", "(", arguments, ")")
}
