package ruby

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
)

// What HTTParty 0.21 of Ruby does by itself, measured on the wire: what
// Net::HTTP does, and it adds Connection, closes it, and follows redirects
// unless told not to.
var HTTParty = plan.Target{
	Name: "ruby-httparty", Convention: &convention, Client: "HTTParty", Version: "0.21", Kind: plan.Code, Extension: "rb",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "httparty", Version: "0.21"}},
	Aliases:  []string{"httparty"}, Proven: true, Style: NetHTTP.Style, Write: writeHTTParty, Takes: plan.AnyFrom, Heads: true, Tries: tries, Runs: true,
	Facts: plan.Client{
		Adds:   plan.FieldNames{"Accept-Encoding", "Accept", "User-Agent", "Connection"},
		Wire:   plan.Wire{Order: "* +Authorization +Content-Type", Case: plan.Titled, Path: "\"<>[]^`{|}", Query: "\"'<>^`{|}\\é", Lowers: true, Follows: true},
		Always: plan.FieldNames{"Accept", "User-Agent", "Connection"},
		Rules: plan.Rules{
			plan.SendsMethods(func(m string) bool { return slices.Contains(httpartyMethods, m) }),
			plan.TypesContent,
			plan.SendsCodings(plan.NoCoding),
			plan.OneEncoding,
			plan.ReadsURLs(percents),
		},
		Digest:    true,
		Unasked:   []string{"unqualified", "sha-256"},
		Eager:     true,
		Loose:     true,
		Names:     rubyName,
		After:     []string{"cookies"},
		EmptyHost: true,
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
		Guards:    true,
	},
}

// percents reports whether URI takes the percent signs of a URL: none in the
// path begins no percent-encoding, and in the query no two characters after one
// are no digits.
func percents(url string) bool {
	path, query, _ := strings.Cut(url, "?")
	for i := range len(query) - 2 {
		if query[i] == '%' && !ascii.IsHex(query[i+1]) && !ascii.IsHex(query[i+2]) {
			return false
		}
	}
	return plan.WellFormed(path)
}

var httpartyMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "MOVE", "COPY", "MKCOL", "LOCK", "UNLOCK"}

// encodeHTTParty is what HTTParty makes of a hash.
var encodeHTTParty = plan.FormEncoder{Safe: "_.-~", Plus: false}

func writeHTTParty(p *plan.Program) {
	writeRubyProgram(p, func(r *rubyRequest) {
		r.p.Use("httparty")
		h := httpartyRequest{rubyRequest: r}
		h.write()
	})
}

// An httpartyRequest writes one call with HTTParty.
type httpartyRequest struct {
	*rubyRequest
	arguments []emit.Node
}

func (r *httpartyRequest) add(name string, value emit.Node) {
	r.arguments = append(r.arguments, emit.Named(name, ": ", value))
}

func (r *httpartyRequest) write() {
	if r.c.Follow() && r.c.Content.Kind != plan.NoBody {
		r.p.Differs("sends the content again when it is redirected")
	}
	body := r.contentArguments()
	if query := r.c.TakeQuery(&encodeHTTParty, plainKeys); query != nil {
		r.add("query", emit.Braced(r.hashItems(query)))
	}
	if fields := r.fieldHash(); len(fields.Items) > 0 {
		r.add("headers", fields)
	}
	if c := r.c.Basic; c != nil {
		r.add("basic_auth", r.credentials(c))
	}
	if c := r.c.Digest; c != nil {
		r.add("digest_auth", r.credentials(c))
	}
	r.arguments = append(r.arguments, body...)
	r.exchange()
	get := emit.Group("HTTParty."+strings.ToLower(r.c.Method), "(", append([]emit.Node{emit.Leaf(r.asciiURL())}, r.arguments...), ")")
	r.retry("response.code", func() { r.p.Node("response = ", get, "") })
	r.printResult("response.code", "response.message", func() { r.p.Line(`raise "HTTP #{response.code}" if response.code >= 400`) })
}

func (r *httpartyRequest) credentials(c *plan.Credentials) emit.Node {
	return emit.Braced([]emit.Node{emit.Leaf("username: " + r.text(c.User)), emit.Leaf("password: " + r.text(c.Password))})
}

// asciiURL returns an expression for the URL as URI reads it.
func (r *rubyRequest) asciiURL() string {
	url := r.text(bracketsEncoded(plan.PercentEncoded(r.c.URLText, " \"<>\\^`{|}")))
	if !r.c.Guess {
		return url
	}
	r.p.Line("url = ", url)
	r.p.Line(`url = "http://#{url}" unless url.include?('://') # as curl does`)
	return "url"
}

// bracketsEncoded returns a URL without brackets in its path, where URI takes
// none.
func bracketsEncoded(url plan.Text) plan.Text {
	source := url.Source()
	parts := urlparts.Of(source)
	if !strings.ContainsAny(source[parts.Path:parts.Query], "[]") {
		return url
	}
	path := plan.PercentEncoded(url.Cut(parts.Path, parts.Query), "[]")
	return plan.MergeLiterals(slices.Concat(url.Cut(0, parts.Path), path, url.Cut(parts.Query, len(source))))
}

// fieldHash returns the header fields as a hash.
func (r *rubyRequest) fieldHash() emit.Node {
	var items []emit.Node
	for _, f := range r.c.Joined() {
		if !f.Derived() {
			items = append(items, emit.Leaf(String(f.Name)+" => "+r.text(f.Value)))
		}
	}
	for _, name := range r.c.Withheld {
		if f := (&plan.Field{Name: name}); f.Is("Accept-Encoding") {
			items = append(items, emit.Leaf("'Accept-Encoding' => nil"))
		}
	}
	return emit.Braced(items)
}

// printResult writes what is done with the response of HTTParty or Faraday: status and
// reason are expressions for the status and its text.
func (r *rubyRequest) printResult(status, reason string, fail func()) {
	r.c.Report(r.p.Options, fail, func() {
		r.p.Line(`puts "#{`, status, "} #{", reason, `}"`)
		r.p.Line("puts response.headers")
	}, func() { r.contentResult("response.headers", status) }, func() { r.writeOut(status) })
}

// contentArguments returns the arguments for the content.
func (r *httpartyRequest) contentArguments() []emit.Node {
	content, ok := r.formHash(&encodeHTTParty)
	if !ok {
		content, ok = r.wholeContent()
	}
	if !ok {
		return nil
	}
	return []emit.Node{emit.Named("body", ": ", content)}
}

// formHash returns the content as a hash where it is a form that the encoder
// prints.
func (r *rubyRequest) formHash(e *plan.FormEncoder) (emit.Node, bool) {
	if !plainKeys(plan.PairNames(r.c.Content.Form)) || !r.c.IsForm(e) {
		return emit.Node{}, false
	}
	r.c.Imply(r.c.Field("Content-Type"))
	return emit.Braced(r.hashItems(r.c.Content.Form)), true
}

// plainKeys reports whether names are keys of a hash that its encoder prints as they are.
func plainKeys(names []string) bool {
	return plan.PlainNames(names) && !slices.ContainsFunc(names, func(s string) bool { return strings.ContainsAny(s, "[]") })
}

// wholeContent returns an expression for the bytes of the content, if there is
// any.
func (r *rubyRequest) wholeContent() (emit.Node, bool) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		return r.rawContent(), true
	case plan.MultipartBody:
		return r.pieces(r.c.RawForm()), true
	case plan.FileBody:
		return r.pieces([]plan.Piece{{File: r.c.Content.File}}), true
	case plan.PieceBody:
		return r.pieces(r.c.Content.List), true
	}
	return emit.Node{}, false
}

// exchange adds the arguments that shape the exchange.
func (r *httpartyRequest) exchange() {
	switch {
	case r.c.Follow():
		r.add("limit", emit.Leaf(strconv.FormatInt(r.c.RedirectLimit()+1, 10))) // of requests
	case r.c.StopsOrGuards():
		r.add("follow_redirects", emit.Leaf("false"))
	}
	if r.c.Timeout() > 0 {
		r.add("timeout", emit.Leaf(emit.Seconds(r.c.Timeout())))
	}
	if r.c.ConnectTimeout() > 0 {
		r.add("open_timeout", emit.Leaf(emit.Seconds(r.c.ConnectTimeout())))
	}
	if r.c.Insecure() {
		r.add("verify", emit.Leaf("false"))
	}
	if len(r.c.CaFile()) > 0 {
		r.add("ssl_ca_file", emit.Leaf(r.text(r.c.CaFile())))
	}
	if len(r.c.Cert()) > 0 {
		name, read := "pem", "File.read("
		if r.c.Archive() {
			name, read = "p12", "File.binread("
		}
		content := read + r.text(r.c.Cert()) + ")"
		if len(r.c.Key()) > 0 && name == "pem" {
			content += " + File.read(" + r.text(r.c.Key()) + ")"
		}
		r.add(name, emit.Leaf(content))
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			r.add(name+"_password", emit.Leaf(r.text(phrase)))
		}
	}
	for i, argument := range r.proxyArguments() {
		r.add([]string{"http_proxyaddr", "http_proxyport", "http_proxyuser", "http_proxypass"}[i], argument)
	}
}
