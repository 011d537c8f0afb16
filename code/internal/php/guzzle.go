package php

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
)

// What Guzzle 8 of PHP does by itself, measured on the wire: it adds
// User-Agent; takes dot segments out of paths; percent-encodes some characters;
// gives a file a type by its name; follows redirects and throws at errors unless
// told not to. It sends with curl, and takes some of its options. Guzzle 7 runs
// these programs too, but writes methods in capitals, and gives each part of a
// form a length.
var Guzzle = plan.Target{
	Name: "php-guzzle", Convention: &convention, Client: "Guzzle", Version: "8.3", Kind: plan.Code, Extension: "php",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "guzzlehttp/guzzle", Version: "8.3"}},
	Aliases:  []string{"guzzle"}, Proven: true, Style: Curl.Style, Write: writeGuzzle, Takes: takes, Heads: true, Runs: true,
	Facts: plan.Client{
		Loopback: true,
		Rules:    plan.Rules{plan.SendsNoEmptyChunks, plan.RemovesDots},
		Adds:     plan.FieldNames{"User-Agent"},
		Digest:   true,
		Quotes:   true,
		Drops:    plan.FieldNames{"Referer"},
		Proxies:  libcurl.Libcurl.Proxies,
		Versions: libcurl.Libcurl.Versions,
	},
}

// guzzleCurl are the further options of curl that Guzzle takes:
// supportedCurlOptions in its Handler/CurlFactory.php.
var guzzleCurl = []string{"UNIX_SOCKET_PATH", "SSLCERTTYPE", "SSLKEYTYPE", "INTERFACE", "HTTPPROXYTUNNEL", "RESOLVE", "CONNECT_TO", "PROXYHEADER"}

// guzzleJSON is json_encode without flags.
var guzzleJSON = emit.Encoder{Item: ",", Name: ":", ASCIIOnly: true, Slash: true, Number: plan.PlainNumber, Keeps: plan.PlainNames}

func writeGuzzle(p *plan.Program) {
	composed(p, `GuzzleHttp\Client`, true, func(c *plan.Call) {
		r := guzzleRequest{composedRequest: composedRequest{phpRequest: phpOf(p, c), prints: guzzlePrints, pairing: "form_params"}}
		r.write()
	})
}

// A guzzleRequest writes one call with Guzzle.
type guzzleRequest struct {
	composedRequest
	address string // the URL
	made    bool   // the request is made before it is sent
}

func (r *guzzleRequest) write() {
	query := r.c.TakeQuery(&plan.EncodeData, plan.PlainNames)
	r.address = r.location()
	name, content := r.content()
	r.visibleBasic()
	spread := r.spread()
	if query != nil {
		r.add("query", r.pairs(query))
	}
	r.headers()
	if c := r.c.Basic; c != nil {
		r.addCredentials("auth", c)
	}
	if c := r.c.Digest; c != nil {
		r.addCredentials("auth", c, emit.Leaf("'digest'"))
	}
	if name != "" {
		r.add(name, content)
	}
	r.exchange()
	r.client(spread)
	if r.made {
		r.p.Node("$response = $client->send($request, ", r.array(), ");")
	} else {
		arguments := []emit.Node{emit.Leaf(String(r.c.Method)), emit.Leaf(r.address)}
		if len(r.entries) > 0 {
			arguments = append(arguments, r.array())
		}
		r.p.Statement("$response = $client->request", arguments)
	}
	r.result()
}

// result writes what is done with the response.
func (r *guzzleRequest) result() {
	const status = "$response->getStatusCode()"
	r.c.Report(r.p.Options, func() {
		if r.c.ReadsErrors() {
			r.p.Block("if ("+status+" >= 400) {", func() { r.p.Line("throw new RuntimeException('HTTP ' . ", status, ");") })
			r.p.Line("}")
		}
	}, func() {
		r.p.Line("echo ", status, `, ' ', $response->getReasonPhrase(), "\n";`)
		r.p.Line("print_r($response->getHeaders());")
	}, func() {
		switch r.c.Destination(r.p.Options) {
		case plan.ContentPrinted:
			switch streams := r.streams(); {
			case streams && r.p.IsFunction():
				r.p.Result, r.p.InPieces = "StreamInterface", true
				r.p.Use(`Psr\Http\Message\StreamInterface`)
				r.p.Line("return $response->getBody();")
			case !streams:
				r.give("$response->getBody()", "", status)
			}
		case plan.HeadersPrinted:
			if r.p.IsFunction() {
				r.giveArray("$response->getHeaders()", status)
			}
		case plan.ToFile:
			if r.c.NamedByResponse() {
				nameOutput(r.p, r.c, "$response->getHeaderLine('Content-Disposition')")
				r.makeFolder()
				r.p.Line("fwrite(fopen(", r.text(r.c.Output()), ", 'xb'), $response->getBody());")
			} else if r.c.KeepsFile(r.p.Options) { // sink opens its file for an error as well
				r.makeFolder()
				r.p.Line("file_put_contents(", r.text(r.c.Output()), ", $response->getBody()->detach());")
			}
		case plan.Captured:
			keepFields(r.p, r.c, func(name string) string { return "$response->getHeader(" + name + ")[0]" })
			captures(r.p, r.c, "$response->getBody()", "")
		}
	}, func() { r.lastly(status) })
}

// streams reports whether the content is printed as it comes, which is before the program
// knows the head.
func (r *guzzleRequest) streams() bool {
	return r.c.Streams(r.p.Options) && (r.p.IsFunction() || !r.c.Fail() && !r.c.PrintsHead(r.p.Options))
}

// client writes the statements that make the client; spread are calls for each request.
func (r *guzzleRequest) client(spread []string) {
	if r.c.Retries() == 0 && len(spread) == 0 {
		r.p.Line("$client = new Client();")
		return
	}
	r.p.Use(`GuzzleHttp\HandlerStack`)
	r.p.Use(`GuzzleHttp\Middleware`)
	r.p.Line("$stack = HandlerStack::create();")
	if r.c.Retries() > 0 {
		r.retry(r.c.Retry())
	}
	if len(spread) > 0 {
		r.p.Block("$stack->push(Middleware::mapRequest(fn ($request) => $request", func() {
			for _, call := range spread {
				r.p.Line(call)
			}
		})
		r.p.Line("));")
	}
	r.p.Line("$client = new Client(['handler' => $stack]);")
}

// retry writes the statements that have the client try again.
func (r *guzzleRequest) retry(retry plan.Retry) {
	if retry.MaxTime > 0 {
		r.p.Line("$deadline = microtime(true) + ", emit.Seconds(retry.MaxTime), ";")
	}
	arguments, fails, end := "$retries, $request, $response", "", ""
	switch {
	case retry.Errors:
		fails = "$exception"
	case retry.Refused:
		r.p.Use(`GuzzleHttp\Exception\ConnectException`)
		fails = "$exception instanceof ConnectException"
	}
	if fails != "" {
		arguments, end = arguments+", $exception", ")"
	}
	if retry.Delay > 0 {
		end += ","
	}
	r.p.Block("$stack->push(Middleware::retry(", func() {
		r.p.Line("fn (", arguments, ") => $retries < ", strconv.FormatInt(retry.Count, 10))
		if retry.MaxTime > 0 {
			r.p.Line(r.p.Indent, "&& microtime(true) <= $deadline")
		}
		before := r.p.Indent + "&& "
		if fails != "" {
			r.p.Line(before, "(", fails)
			before = r.p.Indent + r.p.Indent + "|| "
		}
		r.p.Line(before, "in_array($response?->getStatusCode(), [", plan.RetryStatuses, "])", end)
		if retry.Delay > 0 {
			r.p.Line("fn () => ", emit.Milliseconds(retry.Delay))
		}
	})
	r.p.Line("));")
}

// content returns an option for the content, and its value.
func (r *guzzleRequest) content() (string, emit.Node) {
	switch r.c.Content.Kind {
	case plan.MultipartBody:
		if n, ok := r.parts(); ok {
			return "multipart", n
		}
	case plan.FileBody:
		if r.c.Field("Content-Type") != nil && r.c.Content.File.Source() != "-" {
			return "body", emit.Leaf(r.open(r.c.Content.File))
		}
	}
	return r.composedRequest.content()
}

func (r *guzzleRequest) open(name plan.Text) string {
	r.p.Use(`GuzzleHttp\Psr7\Utils`)
	return "Utils::tryFopen(" + r.text(name) + ", 'r')"
}

// parts returns the array that makes a form.
func (r *guzzleRequest) parts() (emit.Node, bool) {
	if !r.guzzleForm() {
		return emit.Node{}, false
	}
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		item := []emit.Node{emit.Leaf("'name' => " + r.text(p.NameText)), emit.Leaf("'contents' => " + r.text(p.ValueText))}
		if p.IsFile() {
			item[1] = emit.Leaf("'contents' => " + r.open(p.FileText))
		}
		if name := p.SentName(); name != "" {
			item = append(item, emit.Leaf("'filename' => "+String(name)))
		}
		if p.TypeText != nil && !guzzleGuesses(p) {
			item = append(item, emit.Leaf("'headers' => ['Content-Type' => "+String(*p.TypeText)+"]"))
		}
		items[i] = emit.Group("", "[", item, "]")
	}
	return emit.Group("", "[", items, "]"), true
}

// guzzleForm reports whether Guzzle can make the form.
func (r *composedRequest) guzzleForm() bool {
	return !r.c.Body.FormEscape && r.c.Field("Content-Type") == nil && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool {
		const special = "\"\\\r\n"
		return !p.Helped() || strings.ContainsAny(p.Name, special) || p.FilenameText != nil && strings.ContainsAny(*p.FilenameText, special+"/") || // it sends basename() of it
			p.IsFile() && (p.TypeText == nil || p.FilenameText == nil || p.FileText.Source() == "-")
	})
}

// guzzleGuesses reports whether Guzzle gives a part its type by the name that is
// sent: it knows the types that curl knows, and more.
func guzzleGuesses(p *plan.FormPart) bool {
	return p.FilenameText != nil && curl.TypeByExtension(*p.FilenameText) == *p.TypeText
}

// headers adds the header fields.
func (r *guzzleRequest) headers() {
	items := r.fieldItems()
	for _, name := range r.c.Withheld {
		switch {
		case !ascii.EqualFold(name, "User-Agent"):
		case len(items) > 0:
			r.p.Use(`GuzzleHttp\Psr7\Request`)
			made := []emit.Node{emit.Leaf(String(r.c.Method)), emit.Leaf(r.address), emit.Group("", "[", items, "]")}
			r.p.Node("$request = ", emit.Group("new Request", "(", made, ")"), ";")
			r.made, items = true, nil
			r.add("headers", emit.Leaf("null")) // without the client's own
		default:
			r.add("headers", emit.Leaf("null"))
		}
	}
	if len(items) > 0 {
		r.add("headers", emit.Group("", "[", items, "]"))
	}
}

// exchange adds the options that shape the exchange.
func (r *guzzleRequest) exchange() {
	switch {
	case r.c.Stops():
		r.add("allow_redirects", emit.Leaf("false"))
	case r.c.LeavesRedirects():
	case r.c.Member("autoReferer") != nil:
		r.add("allow_redirects", emit.Leaf("['max' => "+r.redirects()+", 'referer' => true]"))
	default:
		r.add("allow_redirects", emit.Leaf("['max' => "+r.redirects()+"]"))
	}
	if !r.c.Fail() && r.p.Exact() || r.c.ReadsErrors() {
		r.add("http_errors", emit.Leaf("false"))
	}
	if r.c.Timeout() > 0 {
		r.add("timeout", emit.Leaf(emit.Seconds(r.c.Timeout())))
	}
	if r.c.ConnectTimeout() > 0 {
		r.add("connect_timeout", emit.Leaf(emit.Seconds(r.c.ConnectTimeout())))
	}
	if r.c.Insecure() {
		r.add("verify", emit.Leaf("false"))
	}
	r.transport()
	if r.streams() {
		if r.p.IsFunction() {
			r.add("stream", emit.Leaf("true"))
		} else {
			r.add("sink", emit.Leaf("fopen('php://output', 'w')"))
		}
	}
	if r.c.Destination(r.p.Options) == plan.ToFile && !r.c.KeepsFile(r.p.Options) && !r.c.NamedByResponse() {
		r.makeFolder()
		r.add("sink", emit.Leaf(r.text(r.c.Output())))
	}
}

// transport adds the options that shape how Guzzle connects.
func (r *composedRequest) transport() {
	if r.c.Compressed() && r.c.Field("Accept-Encoding") == nil { // which it would replace
		r.add("decode_content", emit.Leaf("'gzip, deflate'"))
	}
	r.certificates()
	if r.c.ProxyScheme() != "" {
		proxy := emit.Leaf(r.text(r.c.ProxyURL()))
		if r.c.NoProxy() != "" {
			names := []emit.Node{emit.Named("'http'", " => ", proxy), emit.Named("'https'", " => ", proxy), emit.Leaf("'no' => explode(',', " + String(r.c.NoProxy()) + ")")}
			proxy = emit.Group("", "[", names, "]")
		}
		r.add("proxy", proxy)
	} else if r.c.Direct() {
		r.c.Does("proxy", "noproxy")
		r.add("proxy", emit.Leaf("''")) // in place of a variable of the environment
	}
	switch r.c.HTTPVersion() {
	case "1.0", "2":
		r.add("version", emit.Leaf(r.c.HTTPVersion()))
	}
	if jar := r.c.Jar(); jar != nil {
		r.p.Use(`GuzzleHttp\Cookie\CookieJar`)
		name := "$" + jar.Named("jar")
		if r.c.Opens() {
			r.p.Line(name, " = new CookieJar();")
		}
		r.add("cookies", emit.Leaf(name))
	}
	r.SetConnection(func(option string) bool { return slices.Contains(guzzleCurl, option) })
	if len(r.Settings) > 0 {
		r.add("curl", emit.Group("", "[", r.nodes(r.Settings), "]"))
	}
}

// certificates adds the options of TLS.
func (r *composedRequest) certificates() {
	trusted, folder := r.c.CaFile(), r.c.TextOf("capath")
	switch {
	case r.c.Insecure():
		trusted = nil
	case len(trusted) == 0:
		trusted = folder
	case len(folder) > 0:
		r.p.Loss("--capath", "trusts a file or a folder")
	}
	if len(trusted) > 0 {
		r.add("verify", emit.Leaf(r.text(trusted)))
	}
	key, phrase := "ssl_key", r.c.KeyPassword()
	if len(r.c.Cert()) > 0 && len(r.c.Key()) == 0 {
		key = "cert" // which has the key
	}
	for _, o := range []namedText{{"cert", r.c.Cert()}, {"ssl_key", r.c.Key()}} {
		value := emit.Leaf(r.text(o.value))
		switch {
		case len(o.value) == 0:
			continue
		case len(phrase) > 0 && o.name == key:
			value = emit.Group("", "[", []emit.Node{value, emit.Leaf(r.text(phrase))}, "]")
		}
		r.add(o.name, value)
	}
	for _, o := range []struct{ name, member string }{{"crypto_method", "tlsMin"}, {"crypto_method_max", "tlsMax"}} {
		if version := r.c.TLSVersion(o.member); version != "" {
			r.add(o.name, emit.Leaf("STREAM_CRYPTO_METHOD_TLSv"+version+"_CLIENT"))
		}
	}
}

// guzzlePrints reports whether Guzzle prints the JSON content from a value.
func guzzlePrints(p *plan.Program, c *plan.Call) bool {
	return p.Encodes(&guzzleJSON, c)
}
