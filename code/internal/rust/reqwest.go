package rust

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/mime"
)

// What the blocking client of reqwest 0.11 and 0.12 does by itself, measured on
// the wire: it adds Accept, which no program can take out; writes names in small
// letters; takes dot segments out of paths; follows redirects unless told not
// to; ends a request after 30 seconds unless told not to.
var Reqwest = plan.Target{
	Name: "rust", Convention: &convention, Client: "reqwest", Version: "0.11", Kind: plan.Code, Extension: "rs",
	Packages: []plan.Package{{Name: "reqwest", Version: "0.12", Features: append([]plan.Feature{{Name: "blocking"}}, reqwestFeatures...)}, serdeJSON},
	Aliases:  []string{"rust-reqwest", "reqwest", "rs"}, Proven: true,
	Style: style, Functions: true, Decodes: true,
	Write: func(p *plan.Program) { writeReqwest(p, false) },
	Facts: plan.Client{
		Http2: true,
		Wire:  plan.Wire{Order: "* +Content-Type", Case: plan.Lower, Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true, Follows: true, Text: true},
		Stuck: reqwestStuck,
		Rules: plan.Rules{
			plan.CodesContentOnly,
			plan.SendsCodings(plan.EndsInChunks),
			plan.SendsNoEmptyChunks,
			plan.RemovesDots,
			plan.TakesNumbers,
			plan.PrintableFields,
		},
		Adds:      plan.FieldNames{"Accept"},
		Always:    plan.FieldNames{"Accept"},
		Slashes:   true,
		After:     []string{"referer"},
		EmptyHost: true,
		Loops:     func(c *plan.Call) bool { return c.Spreads() && c.Retries() == 0 && c.Timeout() == 0 && !c.TakesInput() },
		Proxies:   []string{"http", "https", "socks5", "socks5h"},
		Versions:  []string{"1.0"},
	},
}

// ReqwestAsync is the same client with async functions, which tokio runs. It has no limit of
// time by itself, and takes files as bytes only, without a feature for streams.
var ReqwestAsync = plan.Target{
	Name: "rust-reqwest-async", Convention: &convention, Client: "reqwest (async)", Version: "0.11", Kind: plan.Code, Extension: "rs",
	Packages: []plan.Package{
		{Name: "reqwest", Version: "0.12", Features: reqwestFeatures},
		serdeJSON,
		{Name: "tokio", Version: "1", Features: []plan.Feature{{Name: "macros"}, {Name: "rt-multi-thread"}, {Name: "time", Asks: func(c *plan.Call) bool { return c.Asked.Retries > 0 }}}},
	},
	Aliases: []string{"reqwest-async"}, Proven: true, Style: style, Functions: true, Decodes: true,
	Write: func(p *plan.Program) { writeReqwest(p, true) },
	Facts: asyncFacts(),
}

func asyncFacts() plan.Client {
	c := Reqwest.Facts
	c.Stuck = func(c *plan.Call) bool { return c.Content.Kind == plan.MultipartBody && reqwestWrites(c) }
	return c
}

var reqwestFeatures = []plan.Feature{
	{Name: "gzip", Asks: (*plan.Call).Compressed},
	takesJSON,
	{Name: "multipart", Asks: func(c *plan.Call) bool { return c.Content.Kind == plan.MultipartBody }},
	{Name: "socks", Asks: plan.OverSOCKS},
}

func writeReqwest(p *plan.Program, async bool) {
	gzip := slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.Asked.Compressed })
	writeRust(p, async, func(c *plan.Call) {
		r := reqwestRequest{p: p, c: c, async: async, gzip: gzip}
		r.write()
	})
}

// A reqwestRequest writes one call with reqwest.
type reqwestRequest struct {
	async   bool
	gzip    bool // the client has the feature, for a request of the program
	p       *plan.Program
	c       *plan.Call
	query   []plan.Pair // of the URL, where a call sets it
	content []emit.Node // the calls that set the content
	formed  bool        // the content brings its type
}

// module returns the path of the client and of forms.
func (r *reqwestRequest) module() string {
	if r.async {
		return "reqwest::"
	}
	return "reqwest::blocking::"
}

// wait returns what takes the result of an async function.
func (r *reqwestRequest) wait() string {
	if r.async {
		return ".await"
	}
	return ""
}

var reqwestMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func (r *reqwestRequest) write() {
	r.client()
	if !r.loops() {
		r.query = r.c.TakeQuery(&plan.EncodeWHATWG, nil)
	}
	url := rustURL(r.p, r.c, node)
	binding := "let response = "
	switch to := r.c.Destination(r.p.Options); {
	case to == plan.ToFile && !r.async, r.prints():
		binding = "let mut response = "
	case to == plan.Discarded && r.p.Options.Bare:
		binding = "let _response = "
	case to == plan.Discarded && r.p.IsFunction() && !r.c.ReturnsStatus(r.p.Options):
		binding = ""
	}
	all := func(*plan.Field) bool { return true }
	switch {
	case r.loops():
		r.follow(binding, url.Line())
	case r.c.Retries() > 0:
		r.again(binding, func() {
			r.body()
			r.send("let response = client", r.method(url), all)
		})
	default:
		r.body()
		r.send(binding+"client", r.method(url), all)
	}
	r.result()
}

// prints reports whether a plain program prints the content as it comes.
func (r *reqwestRequest) prints() bool { return r.c.Streams(r.p.Options) && !r.p.IsFunction() }

// loops reports whether the program follows the redirects itself.
func (r *reqwestRequest) loops() bool { return r.p.Target.Facts.LoopsFor(r.c) }

// method returns the call that begins a request.
func (r *reqwestRequest) method(url emit.Node) emit.Node {
	switch {
	case slices.Contains(reqwestMethods, r.c.Method):
		return call("."+strings.ToLower(r.c.Method), url)
	case r.c.Method == "OPTIONS":
		return call(".request", emit.Leaf("reqwest::Method::OPTIONS"), url)
	}
	return call(".request", emit.Leaf(String(r.c.Method)+".parse()?"), url)
}

// send writes the statement of a request with the fields that wanted takes.
func (r *reqwestRequest) send(before string, method emit.Node, wanted func(*plan.Field) bool) {
	start := len(r.p.Dst)
	defer func() { joinChain(r.p, start) }()
	r.p.Line(before)
	r.p.Level++
	r.p.Node("", method, "")
	r.request(wanted)
	r.setContent()
	if r.c.Fail() && r.c.Retries() == 0 && !r.loops() {
		r.sent("")
		r.p.Line(".error_for_status()?;")
	} else {
		r.sent(";")
	}
	r.p.Level--
}

// sent writes the calls that send the request and take its response, which rustfmt has on
// lines of their own.
func (r *reqwestRequest) sent(end string) {
	if r.async {
		r.p.Line(".send()")
		r.p.Line(".await?", end)
	} else {
		r.p.Line(".send()?", end)
	}
}

// request writes the calls that set the version and the fields that wanted takes.
func (r *reqwestRequest) request(wanted func(*plan.Field) bool) {
	if r.c.HTTPVersion() == "1.0" {
		r.p.Line(".version(reqwest::Version::HTTP_10)")
	}
	if r.query != nil {
		r.p.Node("", form(r.p, r.query, ".query"), "")
	}
	r.headers(wanted)
}

func (r *reqwestRequest) setContent() {
	for _, n := range r.content {
		r.p.Node("", n, "")
	}
}

// again writes a loop, in which exchange makes a response, and which tries again as
// curl does: curl 8.22 src/tool_operate.c.
func (r *reqwestRequest) again(binding string, exchange func()) {
	sleep := "tokio::time::sleep"
	if !r.async {
		r.p.Use("std::thread")
		sleep = "thread::sleep"
	}
	r.p.Use("std::time::Duration")
	r.p.Line("let mut attempt = 0;")
	r.p.Block(binding+"loop {", func() {
		exchange()
		r.p.Line("let status = response.status().as_u16();")
		r.p.Line("let transient = [", plan.RetryStatuses, "].contains(&status);")
		r.p.Block("if !transient || attempt == "+strconv.FormatInt(r.c.Retries(), 10)+" {", func() { r.p.Line("break ", r.checked(), ";") })
		r.p.Line("}")
		r.p.Line(sleep, "(Duration::from_secs(1 << attempt))", r.wait(), ";")
		r.p.Line("attempt += 1;")
	})
	r.p.Line("};")
}

// checked returns the response that a loop ends with; of a status of 400 and more it
// makes an error, where curl does.
func (r *reqwestRequest) checked() string {
	if r.c.Fail() {
		return "response.error_for_status()?"
	}
	return "response"
}

// follow writes a loop that ends with a response that is no redirect: reqwest takes
// credentials away from another host.
func (r *reqwestRequest) follow(binding, first string) {
	r.c.Does("locationTrusted") // each host gets all fields
	url := "next"
	if !r.c.Guess {
		url, first = "url", borrowed(r.p, r.c.URLText)
	}
	r.p.Line("let mut ", url, " = reqwest::Url::parse(", first, ")?;")
	statuses := r.c.Emptying()
	if len(statuses) > 0 {
		r.p.Line("let mut content = true;")
	}
	limited := r.c.MaxRedirects() >= 0
	if limited {
		r.p.Line("let mut redirects = 0;")
	}
	goes := func(f *plan.Field) bool {
		return len(statuses) > 0 && (f.TypesContent() || r.formed && f.Is("Content-Type"))
	}
	stays := func(f *plan.Field) bool { return !goes(f) }
	r.p.Block(binding+"loop {", func() {
		if len(statuses) == 0 {
			r.body()
			r.send("let response = client", r.method(emit.Leaf(url+".clone()")), stays)
		} else {
			r.emptied(url, stays, goes)
		}
		r.p.Block(`let location = match response.headers().get("location") {`, func() {
			r.p.Line("Some(location) if response.status().is_redirection() => location.to_str()?,")
			r.p.Line("_ => break ", r.checked(), ",")
		})
		r.p.Line("};")
		if limited {
			r.p.Block("if redirects == "+strconv.FormatInt(r.c.MaxRedirects(), 10)+" {", func() { r.p.Line(`return Err("too many redirects".into());`) })
			r.p.Line("}")
			r.p.Line("redirects += 1;")
		}
		r.p.Line(url, " = ", url, ".join(location)?;")
		if len(statuses) > 0 {
			moved := "[" + strings.Join(statuses, ", ") + "].contains(&response.status().as_u16())"
			if len(statuses) == 1 {
				moved = "response.status() == " + statuses[0]
			}
			r.p.Block("if "+moved+" {", func() { r.p.Line("content = false;") })
			r.p.Line("}")
		}
	})
	r.p.Line("};")
}

// emptied writes the request of a loop whose content a redirect may take away.
func (r *reqwestRequest) emptied(url string, stays, goes func(*plan.Field) bool) {
	method := r.method(emit.Leaf(url + ".clone()"))
	r.p.Block("let request = if content {", func() {
		r.body()
		r.p.Line("client")
		r.p.Level++
		r.p.Node("", method, "")
		r.headers(goes)
		r.setContent()
		r.p.Level--
	})
	if !r.c.KeepsMethod() {
		method = call(".get", emit.Leaf(url+".clone()"))
	}
	r.p.Block("} else {", func() { r.p.Line("client", method.Line()) })
	r.p.Line("};")
	start := len(r.p.Dst)
	r.p.Line("let response = request")
	r.p.Level++
	r.request(stays)
	r.sent(";")
	r.p.Level--
	joinChain(r.p, start)
}

// client writes the statements that make a client.
func (r *reqwestRequest) client() {
	var lines []string
	set := func(parts ...string) { lines = append(lines, "."+strings.Join(parts, "")) }
	r.redirects(set)
	if r.c.Timeout() > 0 {
		set("timeout(", duration(r.p, r.c.Timeout()), ")")
	} else if !r.async && r.p.Exact() {
		set("timeout(None)")
	}
	if r.c.ConnectTimeout() > 0 {
		set("connect_timeout(", duration(r.p, r.c.ConnectTimeout()), ")")
	}
	if r.c.Insecure() {
		set("danger_accept_invalid_certs(true)")
	}
	if r.gzip && !r.c.Compressed() {
		set("gzip(false)") // for which another request needs the feature
	}
	for _, o := range []struct{ method, member string }{{"min_tls_version", "tlsMin"}, {"max_tls_version", "tlsMax"}} {
		switch version := r.c.TLSVersion(o.member); {
		case version == "" || !r.c.Encrypts:
		case version != "1_3": // a limit that its usual TLS does not know
			set(o.method, "(reqwest::tls::Version::TLS_", version, ")")
		case o.member == "tlsMin":
			r.p.LossAt(r.c.Place(o.member), "--tlsv1.3", "asks for TLS 1.3 only with features that choose its TLS")
		}
	}
	if len(r.c.CaFile()) > 0 {
		r.p.Use("std::fs")
		r.p.Line("let pem = fs::read(", text(r.p, r.c.CaFile()), ")?;")
		set("add_root_certificate(reqwest::Certificate::from_pem(&pem)?)")
		set("tls_built_in_root_certs(false)")
	}
	if len(r.c.Cert()) > 0 {
		r.p.LossAt(r.c.Place("cert"), "--cert", "takes client certificates only with features that choose its TLS")
		r.c.LeavesCert()
	}
	if r.c.ProxyScheme() != "" {
		address, user, password := r.c.ProxyParts()
		proxy := "proxy(reqwest::Proxy::all(" + text(r.p, address) + ")?"
		if len(user) > 0 {
			proxy += ".basic_auth(" + borrowed(r.p, user) + ", " + borrowed(r.p, password) + ")"
		}
		if r.c.NoProxy() != "" {
			proxy += ".no_proxy(reqwest::NoProxy::from_string(" + String(r.c.NoProxy()) + "))"
		}
		set(proxy, ")")
	}
	if r.c.Direct() {
		r.c.Does("proxy", "noproxy")
		set("no_proxy()")
	}
	start := len(r.p.Dst)
	defer func() { joinChain(r.p, start) }()
	if len(lines) == 0 {
		r.p.Line("let client = ", r.module(), "Client::new();")
		return
	}
	r.p.Line("let client = ", r.module(), "Client::builder()")
	r.p.Level++
	for _, l := range lines {
		r.p.Line(l)
	}
	r.p.Line(".build()?;")
	r.p.Level--
}

// redirects sets how the client follows redirects.
func (r *reqwestRequest) redirects(set func(parts ...string)) {
	switch {
	case r.c.Stops() || r.c.MaxRedirects() == 0 || r.loops():
		set("redirect(reqwest::redirect::Policy::none())")
	case r.c.MaxRedirects() < 0:
		set("redirect(reqwest::redirect::Policy::custom(|attempt| attempt.follow()))")
	case r.c.MaxRedirects() != plan.CurlRedirects:
		r.p.Block("let limit = reqwest::redirect::Policy::custom(|attempt| {", func() { // limited counts the first request in reqwest 0.11
			r.p.Block("if attempt.previous().len() > "+emit.Itoa(int(r.c.MaxRedirects()))+" {", func() { r.p.Line(`attempt.error("too many redirects")`) })
			r.p.Block("} else {", func() { r.p.Line("attempt.follow()") })
			r.p.Line("}")
		})
		r.p.Line("});")
		set("redirect(limit)")
	}
}

func (r *reqwestRequest) headers(wanted func(*plan.Field) bool) {
	for _, f := range r.c.Headers() {
		if !wanted(&f) {
			continue
		}
		value := f.Value
		source := value.Source()
		switch {
		case f.Derived() && r.c.Basic.User.IsText() && r.c.Basic.Password.IsText():
			r.p.Node("", call(".basic_auth", node(r.p, r.c.Basic.User), node(r.p, r.c.Basic.Password).Around("Some(", ")")), "")
		case f.Is("Content-Type") && r.formed:
		case f.Is("Authorization") && strings.HasPrefix(source, "Bearer "):
			r.p.Node("", call(".bearer_auth", node(r.p, value.Cut(len("Bearer "), len(source)))), "")
		case value.IsASCII():
			r.p.Node("", call(".header", emit.Leaf(String(f.Name)), node(r.p, value)), "")
		case value.IsText():
			r.p.Node("", call(".header", emit.Leaf(String(f.Name)), node(r.p, value).Around("", ".as_bytes()")), "")
		default:
			s, ok := value.Plain()
			if !ok {
				r.p.Refuse("sends only UTF-8 there")
			}
			r.p.Node("", call(".header", emit.Leaf(String(f.Name)), emit.Leaf(Bytes(s)+".as_slice()")), "")
		}
	}
}

// body writes the statements that make the content, and keeps the calls that
// set it.
func (r *reqwestRequest) body() {
	set := func(n emit.Node) {
		if n.Open == "[" {
			n = emit.Group(".body", "(", []emit.Node{n}, ")")
		} else {
			n = call(".body", n)
		}
		r.content = append(r.content, n)
	}
	b := &r.c.Content
	switch b.Kind {
	case plan.RawBody:
		_, plain := b.Data.Plain()
		switch {
		case r.c.IsForm(&plan.EncodeWHATWG):
			r.formed = true
			r.content = append(r.content, form(r.p, r.c.Content.Form, ".form"))
		case holdsJSON(r.p, r.c):
			r.formed = true
			r.content = append(r.content, jsonMacro(r.p, r.c, ".json(&", ")"))
		case plain && !b.Data.IsText():
			set(emit.Leaf(vector(r.p, b.Data)))
		default:
			set(long(r.p, b.Data))
		}
	case plan.MultipartBody:
		r.multipart(set)
	case plan.FileBody:
		switch {
		case r.async:
			set(rustPieces(r.p, []plan.Piece{{File: b.File}}))
			return
		case b.File.Source() == "-":
			r.p.Use("std::io")
			set(emit.Leaf("reqwest::blocking::Body::new(io::stdin())"))
			return
		case r.c.Follow() && !r.c.Chunked(): // to send it again
			r.p.Use("std::fs")
			set(emit.Leaf("fs::read(" + text(r.p, b.File) + ")?"))
			return
		}
		r.p.Use("std::fs::File")
		set(emit.Leaf("File::open(" + text(r.p, b.File) + ")?"))
	case plan.PieceBody:
		set(rustPieces(r.p, b.List))
	}
}

// reqwestWrites reports whether a form of reqwest has the bytes of the form.
func reqwestWrites(c *plan.Call) bool {
	return !c.Body.FormEscape && !slices.ContainsFunc(c.Content.Part, func(p plan.FormPart) bool {
		return !p.Helped() || strings.Contains(p.Name, `\`) || !p.ValueText.IsText() || p.FileText.Source() == "-" ||
			p.FilenameText != nil && strings.Contains(*p.FilenameText, `\`) || plan.HasVariable(p.NameText) ||
			p.TypeText != nil && !plan.IsMediaType(*p.TypeText)
	})
}

// reqwestStuck reports content that reqwest reads only once: a form, and a stream.
func reqwestStuck(c *plan.Call) bool {
	return c.Content.Kind == plan.MultipartBody && reqwestWrites(c) || c.Content.Kind == plan.FileBody && (c.Chunked() || c.TakesInput())
}

// multipart writes the statement that makes a form.
func (r *reqwestRequest) multipart(set func(emit.Node)) {
	implied := func(p plan.FormPart) bool { return p.Implied }
	if !reqwestWrites(r.c) || r.async && slices.ContainsFunc(r.c.Content.Part, implied) {
		set(rustPieces(r.p, r.c.RawForm()))
		return
	}
	parts := r.c.Content.Part
	r.p.Use(r.module() + "multipart")
	calls := make([]emit.Node, 0, len(parts)+1)
	if !plainNames(parts) {
		calls = append(calls, emit.Leaf(".percent_encode_noop()"))
	}
	for i := range parts {
		calls = append(calls, r.part(&parts[i]))
	}
	rustChain(r.p, "let form = ", "multipart::Form::new()", calls)
	r.content = append(r.content, emit.Leaf(".multipart(form)"))
}

// part returns the call that adds a part.
func (r *reqwestRequest) part(p *plan.FormPart) emit.Node {
	name := String(mime.EscapeName(p.Name, false))
	if !p.IsFile() && p.FilenameText == nil && p.TypeText == nil {
		return call(".text", emit.Leaf(name), ownedNode(r.p, p.ValueText))
	}
	calls := []string{"multipart::Part::text(" + ownedNode(r.p, p.ValueText).Line() + ")"}
	switch {
	case p.IsFile() && (p.FilenameText == nil || r.async):
		r.p.Use("std::fs")
		calls[0] = "multipart::Part::bytes(fs::read(" + text(r.p, p.FileText) + ")?)"
	case p.IsFile():
		calls[0] = "multipart::Part::file(" + text(r.p, p.FileText) + ")?"
	}
	if p.FilenameText != nil && !p.Implied { // file has the name of the path
		calls = append(calls, ".file_name("+String(mime.EscapeName(*p.FilenameText, false))+")")
	}
	if p.TypeText != nil {
		calls = append(calls, ".mime_str("+String(*p.TypeText)+")?")
	}
	content := emit.Leaf(strings.Join(calls, ""))
	if len(calls) > 2 && content.Width > widestChain || !r.p.Fits(2*len(r.p.Indent)+content.Width+len(",")) {
		content = emit.Lines(calls)
	}
	return call(".part", emit.Leaf(name), content)
}

// result writes what is done with the response.
func (r *reqwestRequest) result() {
	const status = "response.status().as_u16()"
	keepStatus(r.p, r.c, status)
	defer giveStatus(r.p, r.c, status)
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		makeRustFolder(r.p, r.c)
		if r.async {
			file := emit.Leaf(text(r.p, r.c.Output()))
			r.p.Node("", emit.Group("std::fs::write", "(", []emit.Node{file, emit.Leaf("response.bytes().await?")}, ")?"), ";")
			return
		}
		r.p.Use("std::fs::File")
		file := []emit.Node{emit.Leaf(text(r.p, r.c.Output()))}
		r.p.Node("", emit.Group("response.copy_to(&mut File::create", "(", file, ")?)?"), ";")
	case plan.HeadersPrinted:
		headers := "response.headers()"
		if r.p.IsFunction() {
			headers += ".clone()"
		}
		give(r.p, r.c, "reqwest::header::HeaderMap", `"{:#?}"`, headers)
	case plan.ContentPrinted:
		switch {
		case r.p.Options.DecodeJSON:
			give(r.p, r.c, "serde_json::Value", `"{}"`, "response.json::<serde_json::Value>()"+r.wait()+"?")
		case r.p.IsFunction() && r.c.Streams(r.p.Options):
			r.p.InPieces = true
			give(r.p, r.c, r.module()+"Response", "", "response")
		case r.prints() && r.async:
			r.p.Use("std::io::Write")
			r.p.Block("while let Some(chunk) = response.chunk().await? {", func() {
				r.p.Line("std::io::stdout().write_all(&chunk)?;")
				r.p.Line("std::io::stdout().flush()?;")
			})
			r.p.Line("}")
		case r.prints():
			r.p.Line("response.copy_to(&mut std::io::stdout())?;")
		default:
			give(r.p, r.c, "String", `"{}"`, "response.text()"+r.wait()+"?")
		}
	case plan.Discarded:
		if !r.p.Options.Bare && !r.p.IsFunction() {
			r.p.Line(`println!("{}", response.status());`)
		}
	}
}
