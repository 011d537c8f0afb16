package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
)

// What Guzzle 8 of PHP does by itself, measured on the wire: it adds
// User-Agent; takes dot segments out of paths; percent-encodes some characters;
// gives a file a type by its name; follows redirects and throws at errors unless
// told not to. It sends with curl, and takes some of its options. Guzzle 7 runs
// these programs too, but writes methods in capitals, and gives each part of a
// form a length.
var phpGuzzle = Target{
	Name: "php-guzzle", Language: "php", Client: "Guzzle", Version: "8.3", Kind: Code, Extension: "php",
	Aliases: []string{"guzzle"}, Proven: true, style: phpCurl.style, write: writeGuzzle,
	client: client{
		loopback: true,
		unended:  true,
		adds:     fieldNames{"User-Agent"},
		dots:     true,
		digest:   true,
		quotes:   true,
		says: []string{"createDirs", "followRedirects", "maxRedirects", "autoReferer", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "capath", "cert", "keyPassword",
			"noproxy", "tlsMin", "tlsMax", "unixSocket", "interface", "proxyTunnel", "resolve", "connectTo", "proxyHeaders"},
		drops:    fieldNames{"Referer"},
		proxies:  libcurl.proxies,
		versions: libcurl.versions,
	},
}

// guzzleCurl are the further options of curl that Guzzle takes:
// supportedCurlOptions in its Handler/CurlFactory.php.
var guzzleCurl = []string{"UNIX_SOCKET_PATH", "INTERFACE", "HTTPPROXYTUNNEL", "RESOLVE", "CONNECT_TO", "PROXYHEADER"}

// guzzleJSON is json_encode without flags.
var guzzleJSON = encoder{item: ",", name: ":", asciiOnly: true, slash: true, number: plainNumber, keeps: plainNames}

func writeGuzzle(p *program) {
	p.composed(`GuzzleHttp\Client`, true, func(c *call) {
		r := guzzleRequest{composedRequest: composedRequest{phpRequest: phpOf(p, c), prints: guzzleJSON.prints, pairing: "form_params"}}
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
	query := r.c.takeQuery(&encodeData, plainNames)
	r.address = r.location()
	name, content := r.content()
	r.visibleBasic()
	spread := r.spread()
	if query != nil {
		r.add("query", r.pairs(query))
	}
	r.headers()
	if c := r.c.basic; c != nil {
		r.addCredentials("auth", c)
	}
	if c := r.c.digest; c != nil {
		r.addCredentials("auth", c, leaf("'digest'"))
	}
	if name != "" {
		r.add(name, content)
	}
	r.exchange()
	r.client(spread)
	if r.made {
		r.p.node("$response = $client->send($request, ", r.array(), ");")
	} else {
		r.p.statement("$response = $client->request", []node{leaf(phpString(r.c.Method)), leaf(r.address), r.array()})
	}
	switch r.c.destination(r.p.options) {
	case headersPrinted:
		r.p.line("print_r($response->getHeaders());")
	case contentPrinted:
		r.p.line("echo $response->getBody();")
	}
}

// client writes the statements that make the client; spread are calls for each request.
func (r *guzzleRequest) client(spread []string) {
	if r.c.retries == 0 && len(spread) == 0 {
		r.p.line("$client = new Client();")
		return
	}
	r.p.use(`GuzzleHttp\HandlerStack`)
	r.p.use(`GuzzleHttp\Middleware`)
	r.p.line("$stack = HandlerStack::create();")
	if r.c.retries > 0 {
		r.p.block("$stack->push(Middleware::retry(", func() {
			r.p.line("fn ($retries, $request, $response) => $retries < ", strconv.FormatInt(r.c.retries, 10))
			r.p.line(r.p.indent, "&& in_array($response?->getStatusCode(), [", retryStatuses, "])")
		})
		r.p.line("));")
	}
	if len(spread) > 0 {
		r.p.block("$stack->push(Middleware::mapRequest(fn ($request) => $request", func() {
			for _, call := range spread {
				r.p.line(call)
			}
		})
		r.p.line("));")
	}
	r.p.line("$client = new Client(['handler' => $stack]);")
}

// content returns an option for the content, and its value.
func (r *guzzleRequest) content() (string, node) {
	switch r.c.body.kind {
	case multipartBody:
		if n, ok := r.parts(); ok {
			return "multipart", n
		}
	case fileBody:
		if r.c.field("Content-Type") != nil && r.c.body.file.source() != "-" {
			return "body", leaf(r.open(r.c.body.file))
		}
	}
	return r.composedRequest.content()
}

func (r *guzzleRequest) open(name text) string {
	r.p.use(`GuzzleHttp\Psr7\Utils`)
	return "Utils::tryFopen(" + r.text(name) + ", 'r')"
}

// parts returns the array that makes a form.
func (r *guzzleRequest) parts() (node, bool) {
	if !r.guzzleForm() {
		return node{}, false
	}
	items := make([]node, len(r.c.body.part))
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		item := []node{leaf("'name' => " + r.text(p.name)), leaf("'contents' => " + r.text(p.value))}
		if p.isFile() {
			item[1] = leaf("'contents' => " + r.open(p.file))
		}
		if name := p.sentName(); name != "" {
			item = append(item, leaf("'filename' => "+phpString(name)))
		}
		if p.contentType != nil && !guzzleGuesses(p) {
			item = append(item, leaf("'headers' => ['Content-Type' => "+phpString(*p.contentType)+"]"))
		}
		items[i] = group("", "[", item, "]")
	}
	return group("", "[", items, "]"), true
}

// guzzleForm reports whether Guzzle can make the form.
func (r *composedRequest) guzzleForm() bool {
	return !r.c.Body.FormEscape && r.c.field("Content-Type") == nil && !slices.ContainsFunc(r.c.body.part, func(p formPart) bool {
		const special = "\"\\\r\n"
		return !p.helped() || strings.ContainsAny(p.Name, special) || p.filename != nil && strings.ContainsAny(*p.filename, special+"/") || // it sends basename() of it
			p.isFile() && (p.contentType == nil || p.filename == nil || p.file.source() == "-")
	})
}

// guzzleGuesses reports whether Guzzle gives a part its type by the name that is
// sent: it knows the types that curl knows, and more.
func guzzleGuesses(p *formPart) bool {
	return p.filename != nil && curl.TypeByExtension(*p.filename) == *p.contentType
}

// headers adds the header fields.
func (r *guzzleRequest) headers() {
	items := r.fieldItems()
	for _, name := range r.c.removed {
		switch {
		case !ascii.EqualFold(name, "User-Agent"):
		case len(items) > 0:
			r.p.use(`GuzzleHttp\Psr7\Request`)
			made := []node{leaf(phpString(r.c.Method)), leaf(r.address), group("", "[", items, "]")}
			r.p.node("$request = ", group("new Request", "(", made, ")"), ";")
			r.made, items = true, nil
			r.add("headers", leaf("null")) // without the client's own
		default:
			r.add("headers", leaf("null"))
		}
	}
	if len(items) > 0 {
		r.add("headers", group("", "[", items, "]"))
	}
}

// exchange adds the options that shape the exchange.
func (r *guzzleRequest) exchange() {
	switch {
	case !r.c.follow:
		r.add("allow_redirects", leaf("false"))
	case r.c.member("autoReferer") != nil:
		r.add("allow_redirects", leaf("['max' => "+r.redirects()+", 'referer' => true]"))
	default:
		r.add("allow_redirects", leaf("['max' => "+r.redirects()+"]"))
	}
	if !r.c.fail {
		r.add("http_errors", leaf("false"))
	}
	if r.c.timeout > 0 {
		r.add("timeout", leaf(seconds(r.c.timeout)))
	}
	if r.c.connectTimeout > 0 {
		r.add("connect_timeout", leaf(seconds(r.c.connectTimeout)))
	}
	if r.c.insecure {
		r.add("verify", leaf("false"))
	}
	r.transport()
	if r.c.destination(r.p.options) == toFile {
		r.makeFolder()
		r.add("sink", leaf(r.text(r.c.output)))
	}
}

// transport adds the options that shape how Guzzle connects.
func (r *composedRequest) transport() {
	if r.c.compressed && r.c.field("Accept-Encoding") == nil { // which it would replace
		r.add("decode_content", leaf("'gzip, deflate'"))
	}
	r.certificates()
	if r.c.proxyScheme() != "" {
		proxy := leaf(r.text(r.c.proxyURL()))
		if r.c.noProxy != "" {
			names := []node{named("'http'", " => ", proxy), named("'https'", " => ", proxy), leaf("'no' => explode(',', " + phpString(r.c.noProxy) + ")")}
			proxy = group("", "[", names, "]")
		}
		r.add("proxy", proxy)
	} else if r.c.replacesNoProxy() {
		r.p.lossAt(r.c.place("noproxy"), "--noproxy", onlyNoProxy)
	} else if r.c.direct() {
		r.add("proxy", leaf("''")) // in place of a variable of the environment
	}
	switch r.c.httpVersion {
	case "1.0", "2":
		r.add("version", leaf(r.c.httpVersion))
	}
	r.setFurther()
	r.settings = slices.DeleteFunc(r.settings, func(s curlSetting) bool { return !slices.Contains(guzzleCurl, s.option) })
	if len(r.settings) > 0 {
		r.add("curl", group("", "[", r.nodes(r.settings), "]"))
	}
}

// certificates adds the options of TLS.
func (r *composedRequest) certificates() {
	trusted, folder := r.c.caFile, r.c.textOf("capath")
	switch {
	case r.c.insecure:
		trusted = nil
	case len(trusted) == 0:
		trusted = folder
	case len(folder) > 0:
		r.p.loss("--capath", "trusts a file or a folder")
	}
	if len(trusted) > 0 {
		r.add("verify", leaf(r.text(trusted)))
	}
	key, phrase := "ssl_key", r.c.textOf("keyPassword")
	if len(r.c.cert) > 0 && len(r.c.key) == 0 {
		key = "cert" // which has the key
	}
	for _, o := range []struct {
		name  string
		value text
	}{{"cert", r.c.cert}, {"ssl_key", r.c.key}} {
		value := leaf(r.text(o.value))
		switch {
		case len(o.value) == 0:
			continue
		case len(phrase) > 0 && o.name == key:
			value = group("", "[", []node{value, leaf(r.text(phrase))}, "]")
		}
		r.add(o.name, value)
	}
	for _, o := range []struct{ name, member string }{{"crypto_method", "tlsMin"}, {"crypto_method_max", "tlsMax"}} {
		if version := r.c.tlsVersion(o.member); version != "" {
			r.add(o.name, leaf("STREAM_CRYPTO_METHOD_TLSv"+version+"_CLIENT"))
		}
	}
}
