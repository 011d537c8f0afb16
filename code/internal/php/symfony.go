package php

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
)

// Symfony HttpClient 5.4, on the curl extension. By its source
// (HttpClientTrait.php and CurlHttpClient.php) it takes methods of capital
// letters only; takes dot segments out of paths; undoes content in chunks; adds
// Accept, User-Agent and Accept-Encoding, which no program can leave out; gives
// content the type of a form; and sends none with HEAD. It follows redirects and throws at errors
// unless told not to.
var Symfony = plan.Target{
	Name: "php-symfony", Convention: &convention, Client: "Symfony HttpClient", Version: "5.4", Kind: plan.Code, Extension: "php",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "symfony/http-client", Version: "5.4"}},
	Aliases:  []string{"symfony"}, Proven: true, Style: Curl.Style, Write: writeSymfony, Takes: takes, Heads: true, Runs: true,
	Facts: plan.Client{
		Loopback: true,
		Loose:    true,
		Rules: plan.Rules{
			plan.SendsCodings(func(value string) bool { return !plan.OnlyChunks(value) }),
			plan.SendsMethods(isCapitalLetters),
			plan.RemovesDots,
			plan.TypesContent,
			plan.SendsNoContent("HEAD"),
		},
		Adds:      plan.FieldNames{"Accept", "Accept-Encoding", "User-Agent"},
		Wire:      plan.Wire{Order: "* +Authorization +Content-Type", Path: "\"<>^`|%?", Query: "\"<>^`|?\\é%", Lowers: true, Follows: true},
		Always:    plan.FieldNames{"Accept", "Accept-Encoding", "Host", "User-Agent"},
		After:     []string{"cookies"},
		EmptyHost: true,
		Proxies:   libcurl.Libcurl.Proxies, Versions: []string{"1.0", "1.1", "2"}, // libcurl, but HTTP/2 with https only
	},
}

// isCapitalLetters reports a method of the letters A to Z.
func isCapitalLetters(method string) bool {
	return method != "" && strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// symfonyJSON is json_encode with the flags that Symfony sets. They write some
// characters of strings as escapes, which symfonyPrints leaves to the text.
var symfonyJSON = emit.Encoder{Item: ",", Name: ":", ASCIIOnly: true, Slash: true, Number: plan.PlainNumber, Keeps: plan.PlainNames}

func writeSymfony(p *plan.Program) {
	composed(p, `Symfony\Component\HttpClient\HttpClient`, true, func(c *plan.Call) {
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
		r.add("headers", emit.Group("", "[", items, "]"))
	}
	if c := r.c.Basic; c != nil {
		r.addCredentials("auth_basic", c)
	}
	if name != "" {
		r.add(name, content)
	}
	r.exchange()
	r.p.Line("$client = HttpClient::create();")
	arguments := []emit.Node{emit.Leaf(String(r.c.Method)), emit.Leaf(address)}
	if len(r.entries) > 0 {
		arguments = append(arguments, r.array())
	}
	r.p.Statement("$response = $client->request", arguments)
	const status = "$response->getStatusCode()"
	if r.c.Fail() {
		r.p.Block("if ($response->getStatusCode() >= 400) {", func() {
			r.p.Line("throw new RuntimeException('HTTP ' . $response->getStatusCode());")
		})
		r.p.Line("}")
	}
	switch r.c.Destination(r.p.Options) {
	case plan.HeadersPrinted:
		r.giveArray("$response->getHeaders(false)", status)
	case plan.ContentPrinted:
		r.give("$response->getContent(false)", "$response->toArray(false)", status)
	case plan.Captured:
		keepFields(r.p, r.c, func(name string) string { return "$response->getHeaders(false)[" + strings.ToLower(name) + "][0]" })
		captures(r.p, r.c, "$response->getContent(false)", "$response->toArray(false)")
	case plan.ToFile:
		r.makeFolder()
		r.p.Line("file_put_contents(", r.text(r.c.Output()), ", $response->getContent(false));")
	case plan.Discarded:
		if !r.c.ReturnsStatus(r.p.Options) {
			r.p.Line("$response->getStatusCode(); // Symfony sends when it is asked for something")
		}
	}
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.p.Line("return ", status, ";")
	}
}

// symfonyPrints reports whether Symfony prints the JSON content from a value.
func symfonyPrints(p *plan.Program, c *plan.Call) bool {
	escaped := hasEscaped(c.Content.JSON)
	prints := !(p.Exact() && escaped) && p.Encodes(&symfonyJSON, c)
	if prints && escaped {
		c.Respells()
	}
	return prints
}

// hasEscaped reports a string with a character that JSON_HEX_TAG and its like
// write as an escape.
func hasEscaped(v *emit.Value) bool {
	const hex = `<>&'"`
	if v.Kind == emit.StringValue && strings.ContainsAny(v.Text, hex) {
		return true
	}
	for i := range v.Items {
		if v.Kind == emit.ObjectValue && strings.ContainsAny(v.Names[i], hex) || hasEscaped(&v.Items[i]) {
			return true
		}
	}
	return false
}

// exchange adds the options that shape the exchange.
func (r *symfonyRequest) exchange() {
	switch {
	case r.c.Follow():
		r.add("max_redirects", emit.Leaf(r.redirects()))
	case r.c.Stops():
		r.add("max_redirects", emit.Leaf("0"))
	}
	if r.c.Timeout() > 0 {
		r.add("max_duration", emit.Leaf(emit.Seconds(r.c.Timeout())))
	}
	if r.c.Insecure() {
		r.add("verify_peer", emit.Leaf("false"))
		r.add("verify_host", emit.Leaf("false"))
	}
	for _, o := range []namedText{{"cafile", r.c.CaFile()}, {"capath", r.c.TextOf("capath")}, {"local_cert", r.c.Cert()}, {"local_pk", r.c.Key()}, {"passphrase", r.c.KeyPassword()},
		{"bindto", r.c.UnixSocket()}} {
		if len(o.value) > 0 {
			r.add(o.name, emit.Leaf(r.text(o.value)))
		}
	}
	if r.c.ProxyScheme() != "" {
		r.add("proxy", emit.Leaf(r.text(r.c.ProxyURL())))
	} else if r.c.Member("proxy") == "" {
		r.add("proxy", emit.Leaf("''")) // in place of a variable of the environment
	}
	if list, ok := r.c.Member("noproxy").(string); ok {
		r.add("no_proxy", emit.Leaf(String(list)))
	}
	switch r.c.HTTPVersion() {
	case "1.0", "1.1", "2":
		r.add("http_version", emit.Leaf(String(r.c.HTTPVersion())))
	}
}
