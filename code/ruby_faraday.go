package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// What Faraday 2 of Ruby does by itself, measured on the wire with its adapter
// for Net::HTTP: what Net::HTTP does, and it adds User-Agent; knows eight
// methods; and reads a query into a hash, which it writes again in the order of
// the names. Redirects and retries are gems of their own.
var rubyFaraday = Target{
	Name: "ruby-faraday", Language: "ruby", Client: "Faraday", Version: "2.15", Kind: Code, Extension: "rb",
	Aliases: []string{"faraday"}, Proven: true, style: rubyNetHTTP.style, write: writeFaraday,
	client: client{
		adds:     rubyNetHTTP.client.adds,
		always:   fieldNames{"Accept", "User-Agent"},
		methods:  func(m string) bool { return slices.Contains(rubyClasses, m) },
		typed:    true,
		loose:    true,
		names:    rubyName,
		percents: rubyPercents,
		codings:  noCoding,
		framed:   true,
		says: []string{"createDirs", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "capath", "cert",
			"keyPassword", "tlsMin", "tlsMax"},
		proxies: []string{"http"},
		shares:  fieldNames{"Cookie"},
	},
}

// encodeFaraday is what Faraday makes of a hash whose names are in order.
var encodeFaraday = formEncoder{"_.-~", true}

// faradayVerbatim keeps a query as it is.
const faradayVerbatim = `# Keeps a query as it is, which Faraday sorts.
module Verbatim
  def self.decode(query) = { query => nil }
  def self.encode(params) = params.keys.first
end
`

func writeFaraday(p *program) {
	p.writeRubyProgram(func(r *rubyRequest) {
		r.p.use("faraday")
		f := faradayRequest{rubyRequest: r}
		f.write()
	})
}

// A faradayRequest writes one call with Faraday.
type faradayRequest struct {
	*rubyRequest
	settings   []node   // of the connection
	middleware []string // statements that set up the connection
}

func (r *faradayRequest) write() {
	if r.c.follow && !slices.Contains([]string{"GET", "HEAD", "OPTIONS", "POST"}, r.c.Method) {
		r.p.differs("sends GET when it is redirected")
	}
	r.setUp()
	content, has := r.content()
	if !has {
		content = leaf("nil")
	}
	fields, address := r.fieldHash(), leaf(r.asciiURL())
	method, arguments := strings.ToLower(r.c.Method), []node{address}
	plain := r.c.Method != "OPTIONS" && (!has || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method))
	switch {
	case !plain:
		arguments = []node{leaf(":" + method), address, content, fields}
		method = "run_request"
	case len(fields.items) > 0:
		arguments = append(arguments, content, fields)
	case has:
		arguments = append(arguments, content)
	}
	r.p.node("response = ", group(r.connection(plain)+"."+method, "(", arguments, ")"), "")
	r.printResult()
}

// content returns the content, as a hash where Faraday encodes it as curl does: with
// what encodes the query.
func (r *faradayRequest) content() (node, bool) {
	if !r.sortsQuery() && slices.IsSortedFunc(r.c.body.form, func(a, b pair) int { return strings.Compare(a.name.source(), b.name.source()) }) {
		if form, ok := r.formHash(&encodeFaraday); ok {
			if len(r.middleware) > 0 {
				r.middleware = append(r.middleware, "f.request :url_encoded")
			}
			return form, true
		}
	}
	return r.wholeContent()
}

// connection returns what sends: a connection with settings, where there are
// any.
func (r *faradayRequest) connection(plain bool) string {
	switch {
	case len(r.settings) == 0 && len(r.middleware) == 0 && plain:
		return "Faraday"
	case len(r.settings) == 0 && len(r.middleware) == 0:
		return "Faraday.default_connection"
	}
	made := leaf("Faraday.new")
	if len(r.settings) > 0 {
		made = group("Faraday.new", "(", r.settings, ")")
	}
	if len(r.middleware) == 0 {
		r.p.node("connection = ", made, "")
		return "connection"
	}
	r.p.node("connection = ", made, " do |f|")
	for _, statement := range r.middleware {
		r.p.line(r.p.indent, statement)
	}
	r.p.line("end")
	return "connection"
}

// setUp adds what the connection is made with. What comes first in the stack
// sees the response last.
func (r *faradayRequest) setUp() {
	stack := func(statement string) { r.middleware = append(r.middleware, statement) }
	if r.c.fail {
		stack("f.response :raise_error")
	}
	if c := r.c.basic; c != nil {
		stack("f.request :authorization, :basic, " + r.text(c.user) + ", " + r.text(c.password))
	}
	if r.c.follow {
		r.p.use("faraday/follow_redirects")
		limit := "Float::INFINITY"
		if r.c.maxRedirects >= 0 {
			limit = strconv.FormatInt(r.c.maxRedirects, 10)
		}
		if r.c.trusted {
			limit += ", clear_authorization_header: false"
		}
		stack("f.response :follow_redirects, limit: " + limit)
	}
	if r.c.retries > 0 {
		r.p.use("faraday/retry")
		options := ""
		if r.c.Method == "POST" || r.c.Method == "PATCH" {
			options = ", methods: [:" + strings.ToLower(r.c.Method) + "]"
		}
		stack("f.request :retry, max: " + strconv.FormatInt(r.c.retries, 10) + ", interval: 1, backoff_factor: 2" + options + ",")
		stack("                  retry_statuses: [" + retryStatuses + "]")
	}
	if r.c.direct() {
		r.p.line("Faraday.ignore_env_proxy = true")
	}
	if r.c.proxyScheme() != "" {
		r.settings = append(r.settings, leaf("proxy: "+r.text(r.c.proxyURL())))
	}
	var request []node
	if r.c.timeout > 0 {
		request = append(request, leaf("timeout: "+seconds(r.c.timeout)))
	}
	if r.c.connectTimeout > 0 {
		request = append(request, leaf("open_timeout: "+seconds(r.c.connectTimeout)))
	}
	if r.sortsQuery() {
		r.p.help(faradayVerbatim)
		request = append(request, leaf("params_encoder: Verbatim"))
	}
	r.set("request", request)
	r.set("ssl", r.tls())
}

func (r *faradayRequest) set(name string, items []node) {
	if len(items) > 0 {
		r.settings = append(r.settings, named(name, ": ", rubyHash(items)))
	}
}

// tls returns the settings of TLS.
func (r *faradayRequest) tls() (items []node) {
	if r.c.insecure {
		items = append(items, leaf("verify: false"))
	}
	add := func(name string, value text, before, after string) {
		if len(value) > 0 {
			items = append(items, leaf(name+": "+before+r.text(value)+after))
		}
	}
	add("ca_file", r.c.caFile, "", "")
	add("ca_path", r.c.textOf("capath"), "", "")
	if len(r.c.cert) > 0 {
		add("client_cert", r.c.cert, "OpenSSL::X509::Certificate.new(File.read(", "))")
		end := "))"
		if phrase := r.c.textOf("keyPassword"); len(phrase) > 0 {
			end = "), " + r.text(phrase) + ")"
		}
		add("client_key", r.c.certKey(), "OpenSSL::PKey.read(File.read(", end)
	}
	return append(items, r.c.rubyTLS()...)
}

// sortsQuery reports whether Faraday would write the query otherwise.
func (r *faradayRequest) sortsQuery() bool {
	url := r.c.URL
	start := strings.IndexByte(url, '?')
	if start < 0 {
		return r.c.url[0].variable != nil && !strings.Contains(r.c.url.literals(), "/") // a variable may hold the query
	}
	query, known := r.c.url.cut(start+1, len(url)).plain()
	if !known {
		return true
	}
	before := ""
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		decoded := ascii.Decoded(name, true)
		if decoded <= before || strings.ContainsAny(decoded, "[]") || !encodeFaraday.keeps(name) || !encodeFaraday.keeps(value) {
			return true
		}
		before = decoded
	}
	return false
}
