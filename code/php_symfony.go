package code

import "strings"

// Symfony HttpClient 5.4, on the curl extension. By its source
// (HttpClientTrait.php and CurlHttpClient.php) it takes methods of capital
// letters only; takes dot segments out of paths; undoes content in chunks; adds
// Accept, User-Agent and Accept-Encoding, which no program can leave out; gives
// content the type of a form; and sends none with HEAD. It follows redirects and throws at errors
// unless told not to.
var phpSymfony = Target{
	Name: "php-symfony", Language: "php", Client: "Symfony HttpClient", Version: "5.4", Kind: Code, Extension: "php",
	Aliases: []string{"symfony"}, Proven: true, style: phpCurl.style, write: writeSymfony,
	client: client{
		loopback:  true,
		loose:     true,
		codings:   func(value string) bool { return !onlyChunks(value) },
		adds:      fieldNames{"Accept", "Accept-Encoding", "User-Agent"},
		always:    fieldNames{"Accept", "Accept-Encoding", "Host", "User-Agent"},
		methods:   isCapitalLetters,
		dots:      true,
		typed:     true,
		bodiless:  []string{"HEAD"},
		after:     []string{"cookies"},
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "insecure", "cacert", "capath", "cert", "keyPassword", "noproxy", "unixSocket"},
		proxies:   libcurl.proxies, versions: []string{"1.0", "1.1", "2"}, // libcurl, but HTTP/2 with https only
	},
}

// isCapitalLetters reports a method of the letters A to Z.
func isCapitalLetters(method string) bool {
	return method != "" && strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// symfonyJSON is json_encode with the flags that Symfony sets. They write some
// characters of strings as escapes, which symfonyPrints leaves to the text.
var symfonyJSON = encoder{item: ",", name: ":", asciiOnly: true, slash: true, number: plainNumber, keeps: plainNames}

func writeSymfony(p *program) {
	p.composed(`Symfony\Component\HttpClient\HttpClient`, true, func(c *call) {
		r := symfonyRequest{composedRequest{phpRequest: phpOf(p, c), prints: symfonyPrints, pairing: "body"}}
		r.write()
	})
}

// A symfonyRequest writes one call with Symfony HttpClient.
type symfonyRequest struct{ composedRequest }

func (r *symfonyRequest) write() {
	address := r.location()
	name, content := r.content()
	if items := r.fieldItems(); len(items) > 0 {
		r.add("headers", group("", "[", items, "]"))
	}
	if c := r.c.basic; c != nil {
		r.addCredentials("auth_basic", c)
	}
	if name != "" {
		r.add(name, content)
	}
	r.exchange()
	r.p.line("$client = HttpClient::create();")
	r.p.statement("$response = $client->request", []node{leaf(phpString(r.c.Method)), leaf(address), r.array()})
	if r.c.fail {
		r.p.block("if ($response->getStatusCode() >= 400) {", func() {
			r.p.line("throw new RuntimeException('HTTP ' . $response->getStatusCode());")
		})
		r.p.line("}")
	}
	switch r.c.destination(r.p.options) {
	case headersPrinted:
		r.p.line("print_r($response->getHeaders(false));")
	case contentPrinted:
		r.p.line("echo $response->getContent(false);")
	case toFile:
		r.makeFolder()
		r.p.line("file_put_contents(", r.text(r.c.output), ", $response->getContent(false));")
	case discarded:
		r.p.line("$response->getStatusCode(); // Symfony sends when it is asked for something")
	}
}

// symfonyPrints reports whether Symfony prints a value as the data.
func symfonyPrints(v *value, data string) bool {
	return !hasEscaped(v) && symfonyJSON.prints(v, data)
}

// hasEscaped reports a string with a character that JSON_HEX_TAG and its like
// write as an escape.
func hasEscaped(v *value) bool {
	const hex = `<>&'"`
	if v.kind == stringValue && strings.ContainsAny(v.text, hex) {
		return true
	}
	for i := range v.items {
		if v.kind == objectValue && strings.ContainsAny(v.names[i], hex) || hasEscaped(&v.items[i]) {
			return true
		}
	}
	return false
}

// exchange adds the options that shape the exchange.
func (r *symfonyRequest) exchange() {
	redirects := "0"
	if r.c.follow {
		redirects = r.redirects()
	}
	r.add("max_redirects", leaf(redirects))
	if r.c.timeout > 0 {
		r.add("max_duration", leaf(seconds(r.c.timeout)))
	}
	if r.c.insecure {
		r.add("verify_peer", leaf("false"))
		r.add("verify_host", leaf("false"))
	}
	for _, o := range []struct {
		name  string
		value text
	}{{"cafile", r.c.caFile}, {"capath", r.c.textOf("capath")}, {"local_cert", r.c.cert}, {"local_pk", r.c.key}, {"passphrase", r.c.textOf("keyPassword")},
		{"bindto", r.c.unixSocket}} {
		if len(o.value) > 0 {
			r.add(o.name, leaf(r.text(o.value)))
		}
	}
	if r.c.proxyScheme() != "" {
		r.add("proxy", leaf(r.text(r.c.proxyURL())))
	} else if r.c.member("proxy") == "" {
		r.add("proxy", leaf("''")) // in place of a variable of the environment
	}
	if list, ok := r.c.member("noproxy").(string); ok {
		r.add("no_proxy", leaf(phpString(list)))
	}
	switch r.c.httpVersion {
	case "1.0", "1.1", "2":
		r.add("http_version", leaf(phpString(r.c.httpVersion)))
	}
}
