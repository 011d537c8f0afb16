package php

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What HTTP_Request2 2.6 of PEAR does by itself, by its source and measured on the wire: it
// adds User-Agent and Accept-Encoding; joins fields of one name; gives content the type of a
// form, and takes the type away where there is no content; leaves out a query that PHP calls
// empty; gives up when a connection takes ten seconds; and throws at no status. Its sockets
// send every method with content, but keep credentials from no host that a redirect leads to,
// and Digest of theirs knows MD5 only. Its other adapter is libcurl, which does both as curl,
// but sends content with POST and PUT only, and reads a PUT once.
var Request2 = plan.Target{
	Name: "php-http-request2", Convention: &convention, Client: "HTTP_Request2", Version: "2.6", Kind: plan.Code, Extension: "php",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "pear/http_request2", Version: "2.6"}},
	Aliases:  []string{"php-http_request2", "http_request2", "httprequest2", "php-pear"}, Proven: true, Style: Curl.Style, Write: writeRequest2, Takes: takes, Heads: true, Runs: true,
	Facts: plan.Client{
		Breaks: true,
		Rules: plan.Rules{
			plan.SendsCodings(plan.NamesChunks),
			plan.SendsNoEmptyChunks,
			plan.SendsMethods(func(method string) bool { return method != "CONNECT" && method != "0" }),
			plan.SendsNoContent("TRACE"),
			plan.TypesContent,
			sendsQueries, answersByCurl,
		},
		Counts:    counts,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding"},
		Always:    plan.FieldNames{"Accept-Encoding"},
		Fixed:     plan.FieldNames{"Content-Length", "Expect"},
		EmptyHost: true,
		Digest:    true,
		Quotes:    true,
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
		Loops:     byCurl, // which follows redirects as curl does
		Proxies:   []string{"http", "socks5"},
		Versions:  []string{"1.0", "1.1"},
	},
}

// counts reports a method with which HTTP_Request2 counts content also where there is none.
func counts(method string) bool { return method == "POST" || method == "PUT" }

// sendsQueries makes an error of a query that PHP calls empty.
func sendsQueries(p *plan.Program, c *plan.Call) {
	if _, query, _ := strings.Cut(c.URL, "?"); query == "0" {
		p.Refuse("leaves out this query")
	}
}

// answersByCurl makes an error of Digest with content that only the sockets send.
func answersByCurl(p *plan.Program, c *plan.Call) {
	if c.Digest != nil && (!byCurl(c) || isEmpty(c.Digest.User)) {
		p.RefuseAt(c.Auth.Span, "answers no Digest as curl does with this request")
	}
}

// byCurl reports whether libcurl sends a request: where it has to answer or to follow, and
// can. It takes an empty field away, keeps credentials from other hosts, and asks the proxies
// that its environment names.
func byCurl(c *plan.Call) bool {
	switch {
	case !c.Asked.Follow && c.Digest == nil, c.Asked.Trusted, c.Direct(),
		slices.ContainsFunc(c.Given(), func(f plan.Field) bool { return f.Value.Source() == "" }):
		return false
	case c.Content.Kind == plan.NoBody:
		return c.Method != "PUT"
	}
	return c.Method == "POST"
}

func writeRequest2(p *plan.Program) {
	composed(p, "", true, func(c *plan.Call) {
		r := request2{composedRequest: composedRequest{phpRequest: phpOf(p, c)}, curl: byCurl(c)}
		r.write()
	})
}

// A request2 writes one call with HTTP_Request2.
type request2 struct {
	composedRequest
	curl bool // libcurl sends it
}

func (r *request2) write() {
	address := r.location()
	jar := r.c.Jar()
	if jar != nil && r.c.Opens() {
		r.p.Line("$", jar.Named("jar"), " = new HTTP_Request2_CookieJar(ignoreInvalidCookies: true);")
	}
	r.exchange()
	arguments := []emit.Node{emit.Leaf(address)}
	if r.c.Method != "GET" || len(r.entries) > 0 {
		arguments = append(arguments, emit.Leaf(request2Method(r.c.Method)))
	}
	if len(r.entries) > 0 {
		arguments = append(arguments, r.array())
	}
	r.p.Statement("$request = new HTTP_Request2", arguments)
	if jar != nil {
		r.set("setCookieJar", emit.Leaf("$"+jar.Named("jar")))
	}
	r.credentials()
	method, content := r.content()
	r.headers()
	if method != "" {
		r.set(method, content...)
	}
	r.p.Line("$response = $request->send();")
	r.result()
}

// set writes the statement that calls a method of the request.
func (r *request2) set(method string, arguments ...emit.Node) {
	r.p.Statement("$request->"+method, arguments)
}

// request2Method returns the constant of a method, or the text where there is none.
func request2Method(method string) string {
	if slices.Contains([]string{"OPTIONS", "GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"}, method) {
		return "HTTP_Request2::METHOD_" + method
	}
	return String(method)
}

// content returns the method that takes the content, and its arguments, but for a form, which
// it writes.
func (r *request2) content() (method string, arguments []emit.Node) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if r.c.Method == "POST" && plan.PlainNames(plan.PairNames(r.c.Content.Form)) && r.c.IsForm(&plan.EncodeQuotePlus) {
			r.c.Imply(r.c.Field("Content-Type"))
			return "addPostParameter", []emit.Node{r.pairs(r.c.Content.Form)}
		}
		return "setBody", []emit.Node{r.rawContent()}
	case plan.MultipartBody:
		if r.form() {
			return "", nil
		}
		return "setBody", []emit.Node{r.pieces(r.c.RawForm())}
	case plan.FileBody:
		if r.c.Content.File.Source() != "-" {
			return "setBody", []emit.Node{emit.Leaf(r.text(r.c.Content.File)), emit.Leaf("true")}
		}
		return "setBody", []emit.Node{emit.Leaf(r.file(plan.Piece{File: r.c.Content.File}))}
	case plan.PieceBody:
		return "setBody", []emit.Node{r.pieces(r.c.Content.List)}
	}
	return "", nil
}

// form writes the statements that make the form, where the client can: one of fields without
// a type, and files after them.
func (r *request2) form() bool {
	if r.c.Method != "POST" || !r.guzzleForm() || !plan.PlainNames(plan.PartNames(r.c.Content.Part)) {
		return false
	}
	var fields []emit.Node
	var files [][]emit.Node
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		name, isField := r.text(p.NameText), !p.IsFile()
		switch {
		case isField && (len(files) > 0 || p.TypeText != nil || p.FilenameText != nil):
			return false
		case isField:
			fields = append(fields, emit.Named(name, " => ", emit.Leaf(r.text(p.ValueText))))
		default:
			path := r.text(p.FileText)
			filename := "basename(" + path + ")"
			if !p.Implied {
				filename = String(*p.FilenameText)
			}
			files = append(files, []emit.Node{emit.Leaf(name), emit.Leaf(path), emit.Leaf(filename), emit.Leaf(String(*p.TypeText))})
		}
	}
	if len(files) == 0 {
		r.set("setHeader", emit.Leaf("'Content-Type'"), emit.Leaf("'multipart/form-data'"))
	}
	if len(fields) > 0 {
		r.set("addPostParameter", emit.Group("", "[", fields, "]"))
	}
	for _, file := range files {
		r.set("addUpload", file...)
	}
	return true
}

// isEmpty reports a user name that is none for PHP.
func isEmpty(user plan.Text) bool { return user.Source() == "" || user.Source() == "0" }

// credentials writes the statement that takes them.
func (r *request2) credentials() {
	if c := r.c.Basic; c != nil && isEmpty(c.User) {
		r.c.Spell("Authorization")
	} else if c != nil {
		r.set("setAuth", emit.Leaf(r.text(c.User)), emit.Leaf(r.text(c.Password)))
	}
	if c := r.c.Digest; c != nil {
		r.set("setAuth", emit.Leaf(r.text(c.User)), emit.Leaf(r.text(c.Password)), emit.Leaf("HTTP_Request2::AUTH_DIGEST"))
	}
}

// typesContent leaves out a Content-Type without content, which says nothing, with a warning.
func (r *request2) typesContent() {
	f := r.c.Field("Content-Type")
	if f == nil || r.c.Content.Kind != plan.NoBody && !r.c.Empty() || counts(r.c.Method) {
		return
	}
	const what = "sends no Content-Type without content"
	if r.p.Exact() {
		r.p.RefuseAt(f.At, what)
		return
	}
	r.c.Imply(f)
	r.p.LossAt(f.At, "Content-Type", what)
	r.p.Diags[len(r.p.Diags)-1].Option = f.From
}

// headers writes the statements that set the header fields, and take away those of the client.
func (r *request2) headers() {
	r.typesContent()
	var items [][]emit.Node
	numbers := false // which PHP takes for places of an array
	for _, f := range r.c.Joined() {
		if !f.Derived() {
			items = append(items, []emit.Node{emit.Leaf(String(f.Name)), emit.Leaf(r.text(f.Value))})
			numbers = numbers || strings.Trim(f.Name, "0123456789") == ""
		}
	}
	if len(items) > 1 && !numbers {
		fields := make([]emit.Node, len(items))
		for i, pair := range items {
			fields[i] = emit.Named(pair[0].Line(), " => ", pair[1])
		}
		r.set("setHeader", emit.Group("", "[", fields, "]"))
		items = nil
	}
	for _, pair := range items {
		r.set("setHeader", pair...)
	}
	for _, name := range r.c.Withheld {
		switch {
		case ascii.EqualFold(name, "User-Agent"):
			r.set("setHeader", emit.Leaf(String(name)))
		case ascii.EqualFold(name, "Expect"), ascii.EqualFold(name, "Accept") && r.curl:
			r.set("setHeader", emit.Leaf(String(name)), emit.Leaf("''"))
		}
	}
}

// exchange adds the settings that shape the exchange.
func (r *request2) exchange() {
	if r.curl {
		r.add("adapter", emit.Leaf("'curl'"))
	}
	if r.c.Follow() {
		r.add("follow_redirects", emit.Leaf("true"))
		if r.c.LimitsRedirects() {
			r.add("max_redirects", emit.Leaf(strconv.FormatInt(r.c.MaxRedirects(), 10)))
		}
		if !r.curl && r.c.Method != "GET" && r.c.Method != "POST" {
			r.add("strict_redirects", emit.Leaf("true")) // the method stays
		}
	}
	r.c.Trusted() // the sockets send credentials to every host
	r.limit("timeout", r.c.Timeout())
	switch limit := r.c.ConnectTimeout(); {
	case limit > 0:
		r.limit("connect_timeout", limit)
	case r.p.Exact():
		r.limit("connect_timeout", curlConnects)
	}
	if r.c.HTTPVersion() == "1.0" {
		r.add("protocol_version", emit.Leaf("'1.0'"))
	}
	if r.c.Insecure() {
		r.add("ssl_verify_peer", emit.Leaf("false"))
		r.add("ssl_verify_host", emit.Leaf("false"))
	}
	files := []namedText{{"ssl_cafile", r.c.CaFile()}, {"ssl_capath", r.c.TextOf("capath")}}
	if len(r.c.Asked.Key) == 0 { // it reads the key from the file of the certificate
		files = append(files, namedText{"ssl_local_cert", r.c.Cert()}, namedText{"ssl_passphrase", r.c.KeyPassword()})
	}
	for _, o := range files {
		if len(o.value) > 0 {
			r.add(o.name, emit.Leaf(r.text(o.value)))
		}
	}
	if r.c.ProxyScheme() != "" {
		r.add("proxy", emit.Leaf(r.text(r.c.ProxyURL())))
	} else if r.c.Direct() {
		r.c.Does("proxy", "noproxy") // the sockets ask none of their environment
	}
	r.c.Compressed() // it always asks for that
}

// curlConnects is how many seconds curl tries to connect: DEFAULT_CONNECT_TIMEOUT in curl
// 8.22 lib/connect.h.
const curlConnects = 300

// limit adds a time limit, which libcurl takes in whole seconds.
func (r *request2) limit(name string, seconds float64) {
	if r.curl {
		seconds = math.Ceil(seconds)
	}
	if seconds > 0 {
		r.add(name, emit.Leaf(emit.Seconds(seconds)))
	}
}

// result writes what is done with the response.
func (r *request2) result() {
	const status, content = "$response->getStatus()", "$response->getBody()"
	r.c.Report(r.p.Options, func() {
		r.p.Block("if ("+status+" >= 400) {", func() { r.p.Line("throw new RuntimeException('HTTP ' . ", status, ");") })
		r.p.Line("}")
	}, func() {
		r.p.Line("echo ", status, `, ' ', $response->getReasonPhrase(), "\n";`)
		r.p.Line("print_r($response->getHeader());")
	}, func() {
		switch r.c.Destination(r.p.Options) {
		case plan.ContentPrinted:
			r.give(content, "", status)
		case plan.HeadersPrinted:
			if r.p.IsFunction() {
				r.giveArray("$response->getHeader()", status)
			}
		case plan.ToFile:
			r.makeFolder()
			r.p.Line("file_put_contents(", r.text(r.c.Output()), ", ", content, ");")
		case plan.Captured:
			keepFields(r.p, r.c, func(name string) string { return "$response->getHeader(" + name + ")" })
			captures(r.p, r.c, content, "")
		}
	}, func() { r.lastly(status) })
}
