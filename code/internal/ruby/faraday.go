package ruby

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What Faraday 2 of Ruby does by itself, measured on the wire with its adapter
// for Net::HTTP: what Net::HTTP does, and it adds User-Agent; knows eight
// methods; and reads a query into a hash, which it writes again in the order of
// the names. Redirects and retries are gems of their own.
var Faraday = plan.Target{
	Name: "ruby-faraday", Convention: &convention, Client: "Faraday", Version: "2.15", Kind: plan.Code, Extension: "rb",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "faraday", Version: "2.15"}, {Name: "faraday-follow_redirects", Version: "0.3", Import: "faraday/follow_redirects"}, {Name: "faraday-retry", Version: "2.0", Import: "faraday/retry"}},
	Aliases:  []string{"faraday"}, Proven: true, Style: NetHTTP.Style, Write: writeFaraday, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Facts: plan.Client{
		Undecoded: true,
		Adds:      NetHTTP.Facts.Adds,
		Always:    plan.FieldNames{"Accept", "User-Agent"},
		Rules: plan.Rules{
			plan.SendsMethods(func(m string) bool { return slices.Contains(classes, m) }),
			plan.TypesContent,
			plan.ReadsURLs(percents),
			plan.SendsCodings(plan.NoCoding),
			plan.CodesContentOnly,
		},
		Loose:   true,
		Names:   rubyName,
		Proxies: []string{"http"},
		Shares:  plan.FieldNames{"Cookie"},
	},
}

// encodeFaraday is what Faraday makes of a hash whose names are in order.
var encodeFaraday = plan.FormEncoder{Safe: "_.-~", Plus: true}

// faradayVerbatim keeps a query as it is.
const faradayVerbatim = `# Keeps a query as it is, which Faraday sorts.
module Verbatim
  def self.decode(query) = { query => nil }
  def self.encode(params) = params.keys.first
end
`

func writeFaraday(p *plan.Program) {
	writeRubyProgram(p, func(r *rubyRequest) {
		r.p.Use("faraday")
		f := faradayRequest{rubyRequest: r}
		f.write()
	})
}

// A faradayRequest writes one call with Faraday.
type faradayRequest struct {
	*rubyRequest
	settings   []emit.Node // of the connection
	middleware []string    // statements that set up the connection
}

func (r *faradayRequest) write() {
	if r.c.Follow() && !slices.Contains([]string{"GET", "HEAD", "OPTIONS", "POST"}, r.c.Method) {
		r.p.Differs("sends GET when it is redirected")
	}
	r.setUp()
	content, has := r.content()
	if !has {
		content = emit.Leaf("nil")
	}
	fields, address := r.fieldHash(), emit.Leaf(r.asciiURL())
	method, arguments := strings.ToLower(r.c.Method), []emit.Node{address}
	plain := r.c.Method != "OPTIONS" && (!has || slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method))
	switch {
	case !plain:
		arguments = []emit.Node{emit.Leaf(":" + method), address, content, fields}
		method = "run_request"
	case len(fields.Items) > 0:
		arguments = append(arguments, content, fields)
	case has:
		arguments = append(arguments, content)
	}
	r.p.Node("response = ", emit.Group(r.connection(plain)+"."+method, "(", arguments, ")"), "")
	fail := func() {}
	if r.c.ReadsErrors() {
		fail = func() { r.p.Line(`raise "HTTP #{response.status}" if response.status >= 400`) }
	}
	r.printResult("response.status", "response.reason_phrase", fail)
}

// content returns the content, as a hash where Faraday encodes it as curl does: with
// what encodes the query.
func (r *faradayRequest) content() (emit.Node, bool) {
	if !r.sortsQuery() && slices.IsSortedFunc(r.c.Content.Form, func(a, b plan.Pair) int { return strings.Compare(a.Name.Source(), b.Name.Source()) }) {
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
	made := emit.Leaf("Faraday.new")
	if len(r.settings) > 0 {
		made = emit.Group("Faraday.new", "(", r.settings, ")")
	}
	if len(r.middleware) == 0 {
		r.p.Node("connection = ", made, "")
		return "connection"
	}
	r.p.Node("connection = ", made, " do |f|")
	for _, statement := range r.middleware {
		r.p.Line(r.p.Indent, statement)
	}
	r.p.Line("end")
	return "connection"
}

// setUp adds what the connection is made with. What comes first in the stack
// sees the response last.
func (r *faradayRequest) setUp() {
	stack := func(statement string) { r.middleware = append(r.middleware, statement) }
	if r.c.Fail() && !r.c.ReadsErrors() {
		stack("f.response :raise_error")
	}
	if c := r.c.Basic; c != nil {
		stack("f.request :authorization, :basic, " + r.text(c.User) + ", " + r.text(c.Password))
	}
	if r.c.Follow() {
		r.p.Use("faraday/follow_redirects")
		limit := "Float::INFINITY"
		if r.c.MaxRedirects() >= 0 {
			limit = strconv.FormatInt(r.c.MaxRedirects(), 10)
		}
		if r.c.Trusted() {
			limit += ", clear_authorization_header: false"
		}
		stack("f.response :follow_redirects, limit: " + limit)
	}
	if r.c.Retries() > 0 {
		r.p.Use("faraday/retry")
		options := ""
		if r.c.Method == "POST" || r.c.Method == "PATCH" {
			options = ", methods: [:" + strings.ToLower(r.c.Method) + "]"
		}
		stack("f.request :retry, max: " + strconv.FormatInt(r.c.Retries(), 10) + ", interval: 1, backoff_factor: 2" + options + ",")
		stack("                  retry_statuses: [" + plan.RetryStatuses + "]")
	}
	if r.c.Direct() {
		r.p.Line("Faraday.ignore_env_proxy = true")
	}
	if r.c.ProxyScheme() != "" {
		r.settings = append(r.settings, emit.Leaf("proxy: "+r.text(r.c.ProxyURL())))
	}
	var request []emit.Node
	if r.c.Timeout() > 0 {
		request = append(request, emit.Leaf("timeout: "+emit.Seconds(r.c.Timeout())))
	}
	if r.c.ConnectTimeout() > 0 {
		request = append(request, emit.Leaf("open_timeout: "+emit.Seconds(r.c.ConnectTimeout())))
	}
	if r.sortsQuery() {
		r.p.Help(faradayVerbatim)
		request = append(request, emit.Leaf("params_encoder: Verbatim"))
	}
	r.set("request", request)
	r.set("ssl", r.tls())
}

func (r *faradayRequest) set(name string, items []emit.Node) {
	if len(items) > 0 {
		r.settings = append(r.settings, emit.Named(name, ": ", emit.Braced(items)))
	}
}

// tls returns the settings of TLS.
func (r *faradayRequest) tls() (items []emit.Node) {
	if r.c.Insecure() {
		items = append(items, emit.Leaf("verify: false"))
	}
	add := func(name string, value plan.Text, before, after string) {
		if len(value) > 0 {
			items = append(items, emit.Leaf(name+": "+before+r.text(value)+after))
		}
	}
	add("ca_file", r.c.CaFile(), "", "")
	add("ca_path", r.c.TextOf("capath"), "", "")
	if len(r.c.Cert()) > 0 {
		certificate, key := r.certificate()
		items = append(items, emit.Leaf("client_cert: "+certificate), emit.Leaf("client_key: "+key))
	}
	return append(items, rubyTLS(r.c)...)
}

// sortsQuery reports whether Faraday would write the query otherwise.
func (r *faradayRequest) sortsQuery() bool {
	url := r.c.URL
	start := strings.IndexByte(url, '?')
	if start < 0 {
		return r.c.URLText[0].Variable != nil && !strings.Contains(r.c.URLText.Literals(), "/") // a variable may hold the query
	}
	query, known := r.c.URLText.Cut(start+1, len(url)).Plain()
	if !known {
		return true
	}
	before := ""
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		decoded := ascii.Decoded(name, true)
		if decoded <= before || strings.ContainsAny(decoded, "[]") || !encodeFaraday.Keeps(name) || !encodeFaraday.Keeps(value) {
			return true
		}
		before = decoded
	}
	return false
}
