package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What HTTParty 0.21 of Ruby does by itself, measured on the wire: what
// Net::HTTP does, and it adds Connection, closes it, and follows redirects
// unless told not to.
var rubyHTTParty = Target{
	Name: "ruby-httparty", Language: "ruby", Client: "HTTParty", Version: "0.21", Kind: Code, Extension: "rb",
	Aliases: []string{"httparty"}, Proven: true, style: rubyNetHTTP.style, write: writeHTTParty,
	client: client{
		adds:      fieldNames{"Accept-Encoding", "Accept", "User-Agent", "Connection"},
		always:    fieldNames{"Accept", "User-Agent", "Connection"},
		methods:   func(m string) bool { return slices.Contains(httpartyMethods, m) },
		typed:     true,
		codings:   noCoding,
		digest:    true,
		unasked:   []string{"unqualified", "sha-256"},
		eager:     true,
		loose:     true,
		names:     rubyName,
		encoding:  true,
		percents:  rubyPercents,
		after:     []string{"cookies"},
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert"},
		proxies:   []string{"http"},
		shares:    fieldNames{"Authorization", "Cookie"},
		guards:    true,
	},
}

// rubyPercents reports whether URI takes the percent signs of a URL: none in the
// path begins no percent-encoding, and in the query no two characters after one
// are no digits.
func rubyPercents(url string) bool {
	path, query, _ := strings.Cut(url, "?")
	for i := range len(query) - 2 {
		if query[i] == '%' && !ascii.IsHex(query[i+1]) && !ascii.IsHex(query[i+2]) {
			return false
		}
	}
	return wellFormed(path)
}

var httpartyMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "MOVE", "COPY", "MKCOL", "LOCK", "UNLOCK"}

// encodeHTTParty is what HTTParty makes of a hash.
var encodeHTTParty = formEncoder{"_.-~", false}

func writeHTTParty(p *program) {
	p.writeRubyProgram(func(r *rubyRequest) {
		r.p.use("httparty")
		h := httpartyRequest{rubyRequest: r}
		h.write()
	})
}

// An httpartyRequest writes one call with HTTParty.
type httpartyRequest struct {
	*rubyRequest
	arguments []node
}

func (r *httpartyRequest) add(name string, value node) {
	r.arguments = append(r.arguments, named(name, ": ", value))
}

func (r *httpartyRequest) write() {
	if r.c.follow && r.c.body.kind != noBody {
		r.p.differs("sends the content again when it is redirected")
	}
	body := r.contentArguments()
	if query := r.c.takeQuery(&encodeHTTParty, plainKeys); query != nil {
		r.add("query", rubyHash(r.hashItems(query)))
	}
	if fields := r.fieldHash(); len(fields.items) > 0 {
		r.add("headers", fields)
	}
	if c := r.c.basic; c != nil {
		r.add("basic_auth", r.credentials(c))
	}
	if c := r.c.digest; c != nil {
		r.add("digest_auth", r.credentials(c))
	}
	r.arguments = append(r.arguments, body...)
	r.exchange()
	get := group("HTTParty."+strings.ToLower(r.c.Method), "(", append([]node{leaf(r.asciiURL())}, r.arguments...), ")")
	r.retry("response.code", func() { r.p.node("response = ", get, "") })
	if r.c.fail {
		r.p.line(`raise "HTTP #{response.code}" if response.code >= 400`)
	}
	r.printResult()
}

func (r *httpartyRequest) credentials(c *credentials) node {
	return rubyHash([]node{leaf("username: " + r.text(c.user)), leaf("password: " + r.text(c.password))})
}

// rubyHash returns a hash.
func rubyHash(items []node) node {
	n := group("", "{", items, "}")
	n.pad = true
	return n
}

// asciiURL returns an expression for the URL as URI reads it.
func (r *rubyRequest) asciiURL() string {
	url := r.text(bracketsEncoded(percentEncoded(r.c.url, " \"<>\\^`{|}")))
	if !r.c.guess {
		return url
	}
	r.p.line("url = ", url)
	r.p.line(`url = "http://#{url}" unless url.include?('://') # as curl does`)
	return "url"
}

// bracketsEncoded returns a URL without brackets in its path, where URI takes
// none.
func bracketsEncoded(url text) text {
	source := url.source()
	start := strings.Index(source, "://") + len("://")
	if slash := strings.IndexByte(source[start:], '/'); slash >= 0 {
		start += slash
		path, _, _ := strings.Cut(source[start:], "?")
		end := start + len(path)
		if strings.ContainsAny(path, "[]") {
			return mergeLiterals(slices.Concat(url.cut(0, start), percentEncoded(url.cut(start, end), "[]"), url.cut(end, len(source))))
		}
	}
	return url
}

// fieldHash returns the header fields as a hash.
func (r *rubyRequest) fieldHash() node {
	var items []node
	for _, f := range r.c.joined() {
		if !f.derived {
			items = append(items, leaf(rubyString(f.name)+" => "+r.text(f.value)))
		}
	}
	for _, name := range r.c.removed {
		if f := (&field{name: name}); f.is("Accept-Encoding") {
			items = append(items, leaf("'Accept-Encoding' => nil"))
		}
	}
	return rubyHash(items)
}

// printResult writes what is done with the response of HTTParty or Faraday.
func (r *rubyRequest) printResult() {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.saveResponse()
	case headersPrinted:
		r.p.line("puts response.headers")
	case contentPrinted:
		r.p.line("puts response.body")
	}
}

// contentArguments returns the arguments for the content.
func (r *httpartyRequest) contentArguments() []node {
	content, ok := r.formHash(&encodeHTTParty)
	if !ok {
		content, ok = r.wholeContent()
	}
	if !ok {
		return nil
	}
	return []node{named("body", ": ", content)}
}

// formHash returns the content as a hash where it is a form that the encoder
// prints.
func (r *rubyRequest) formHash(e *formEncoder) (node, bool) {
	if !r.c.isForm(e) || !plainKeys(pairNames(r.c.body.form)) {
		return node{}, false
	}
	r.c.field("Content-Type").derived = true
	return rubyHash(r.hashItems(r.c.body.form)), true
}

// plainKeys reports whether names are keys of a hash that its encoder prints as they are.
func plainKeys(names []string) bool {
	return plainNames(names) && !slices.ContainsFunc(names, func(s string) bool { return strings.ContainsAny(s, "[]") })
}

// wholeContent returns an expression for the bytes of the content, if there is
// any.
func (r *rubyRequest) wholeContent() (node, bool) {
	switch r.c.body.kind {
	case rawBody:
		return r.rawContent(), true
	case multipartBody:
		return r.pieces(r.c.rawForm()), true
	case fileBody:
		return r.pieces([]piece{{file: r.c.body.file}}), true
	case pieceBody:
		return r.pieces(r.c.body.list), true
	}
	return node{}, false
}

// exchange adds the arguments that shape the exchange.
func (r *httpartyRequest) exchange() {
	if r.c.follow {
		r.add("limit", leaf(strconv.FormatInt(r.c.redirectLimit()+1, 10))) // of requests
	} else {
		r.add("follow_redirects", leaf("false"))
	}
	if r.c.timeout > 0 {
		r.add("timeout", leaf(seconds(r.c.timeout)))
	}
	if r.c.connectTimeout > 0 {
		r.add("open_timeout", leaf(seconds(r.c.connectTimeout)))
	}
	if r.c.insecure {
		r.add("verify", leaf("false"))
	}
	if len(r.c.caFile) > 0 {
		r.add("ssl_ca_file", leaf(r.text(r.c.caFile)))
	}
	if len(r.c.cert) > 0 {
		pem := "File.read(" + r.text(r.c.cert) + ")"
		if len(r.c.key) > 0 {
			pem += " + File.read(" + r.text(r.c.key) + ")"
		}
		r.add("pem", leaf(pem))
	}
	for i, argument := range r.proxyArguments() {
		r.add([]string{"http_proxyaddr", "http_proxyport", "http_proxyuser", "http_proxypass"}[i], argument)
	}
}
