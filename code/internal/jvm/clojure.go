package jvm

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// What clj-http 2.3 does by itself, measured on the wire: it adds User-Agent,
// Connection: close and Accept-Encoding, which replaces one in :headers unless
// the response stays as it is; writes values in Latin-1; gives a string without
// a type that of plain text, and a file a wrong one; knows seven methods;
// percent-encodes what java.net.URI does not take, and throws for a % that
// begins no escape; follows redirects of GET and HEAD unless told otherwise.
// The parts of its own forms have a charset and an encoding each, so that the
// bytes of a form are written here.
var Clojure = plan.Target{
	Name: "clojure", Convention: &clojureConvention, Client: "clj-http", Version: "2.3", Kind: plan.Code, Extension: "clj",
	Packages: []plan.Package{{Name: "clj-http/clj-http", Version: "2.3.0"}},
	Aliases:  []string{"clojure-clj-http", "clj-http"}, Proven: true,
	Style: emit.Style{Indent: "  ", Comment: ";; "}, Write: writeClojure,
	Facts: plan.Client{
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Connection", "Accept-Encoding"},
		Wire:      plan.Wire{Order: "?", Path: "\"<>[]^`{|}", Query: "\"<>[]^`{|}\\é", Follows: true, Text: true},
		Always:    plan.FieldNames{"User-Agent", "Host", "Connection"},
		Fixed:     plan.FieldNames{"Proxy-Connection"},
		Rules: plan.Rules{
			plan.SendsCodings(plan.NoCoding),
			plan.MergesSlashes,
			plan.SendsMethods(func(method string) bool {
				return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}, method)
			}),
			plan.SendsNoContent("HEAD", "OPTIONS"),
			plan.VisibleFields,
			plan.ASCIIPasswords,
		},
		Digest:    true,
		Quotes:    true,
		Eager:     true,
		Counts:    plan.Enclosing,
		Names:     ascii.Only,
		EmptyHost: true,
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
	},
}

func writeClojure(p *plan.Program) {
	sections := p.Sections(0, func(c *plan.Call, suffix string) {
		r := clojureCall{p: p, c: c, suffix: suffix}
		r.write()
	})
	p.Use("clj-http.client :as client")
	p.Head(func() {
		before := "(require '["
		for i, name := range p.Imports {
			after := "]"
			if i == len(p.Imports)-1 {
				after = "])"
			}
			p.Line(before, name, after)
			before = "         '["
		}
		p.Line()
	})
	p.Join(sections)
}

// A clojureCall writes one call with clj-http.
type clojureCall struct {
	p       *plan.Program
	c       *plan.Call
	suffix  string
	members [][]string // a member of the map of options: its lines
}

// with adds an option, whose value may have several lines.
func (r *clojureCall) with(name string, value ...string) {
	r.members = append(r.members, hang(":"+name+" ", value))
}

// hang returns lines with text before the first one, and blanks of the same
// width before the others.
func hang(before string, lines []string) []string {
	out := make([]string, len(lines))
	blanks := strings.Repeat(" ", len([]rune(before)))
	for i, line := range lines {
		if i > 0 {
			before = blanks
		}
		out[i] = before + line
	}
	return out
}

// brackets returns the lines of items in brackets.
func brackets(open string, items [][]string, end string) []string {
	var all []string
	for _, lines := range items {
		all = append(all, lines...)
	}
	out := hang(open, all)
	out[len(out)-1] += end
	return out
}

// text returns an expression for a text: the parts on lines of their own where
// it is long or has several lines.
func (r *clojureCall) text(t plan.Text) []string {
	var parts [][]string
	width := 0
	for _, part := range t {
		if part.Variable != nil {
			parts = append(parts, []string{clojureVariable(part.Variable)})
		} else {
			for _, s := range splitLines(r.p, part.Literal) {
				if s != "" || len(t) == 1 && len(parts) == 0 {
					parts = append(parts, []string{jvmString(s)})
				}
			}
		}
		width += len(parts[len(parts)-1][0]) + 1
	}
	switch {
	case len(parts) == 1:
		return parts[0]
	case len(parts) == len(t) && width < emit.LongLiteral:
		one := make([]string, len(parts))
		for i := range parts {
			one[i] = parts[i][0]
		}
		return []string{"(str " + strings.Join(one, " ") + ")"}
	}
	return brackets("(str ", parts, ")")
}

// line returns an expression for a text on one line.
func (r *clojureCall) one(t plan.Text) string {
	if s, ok := t.Plain(); ok {
		return jvmString(s)
	}
	lines := r.text(t)
	for i := range lines {
		lines[i] = strings.TrimLeft(lines[i], " ")
	}
	return strings.Join(lines, " ")
}

func clojureVariable(v *request.Variable) string {
	expr := "(System/getenv " + jvmString(v.Name) + ")"
	if v.HasDefault {
		expr = "(or " + expr + " " + jvmString(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return "(first (.split " + expr + ` ":" 2))`
	case plan.PasswordPart:
		return "(second (.split " + expr + ` ":" 2))`
	case plan.LastSegment:
		return "(.getName (java.io.File. " + expr + "))"
	case request.EncodingPercent:
		return "(.replace (java.net.URLEncoder/encode " + expr + ` "UTF-8") "+" "%20")`
	case request.EncodingForm:
		return "(java.net.URLEncoder/encode " + expr + ` "UTF-8")`
	case request.EncodingJSON:
		return "(.replace (.replace " + expr + ` "\\" "\\\\") "\"" "\\\"")`
	}
	return expr
}

func (r *clojureCall) write() {
	if !escapesWhole(r.c.URLText.Literals()) {
		r.p.Refuse("sends no % that begins no escape")
	}
	if query := r.c.TakeQuery(&plan.EncodeWHATWG, staysInOrder); query != nil {
		r.params("query-params", query)
	}
	body := r.c.Content.Kind != plan.NoBody
	if body {
		r.content()
	}
	r.headers()
	r.exchangeOptions()
	url := r.one(r.c.URLText)
	if r.c.Guess {
		r.p.Line("(def url", r.suffix)
		r.p.Line("  (let [url ", url, "]")
		r.p.Line(`    (if (.contains url "://") url (str "http://" url)))) ; as curl does`)
		url = "url" + r.suffix
	}
	response := "response" + r.suffix
	call := "(client/" + strings.ToLower(r.c.Method)
	if r.p.Options.Bare {
		r.p.Folded(call, url)
	} else {
		r.p.Block("(def "+response, func() { r.p.Folded(call, url) })
	}
	margin, end := "    ", "))"
	if r.p.Options.Bare {
		margin, end = "  ", ")"
	}
	members := brackets("{", r.members, "}")
	for i, line := range members {
		if i == len(members)-1 {
			line += end
		}
		r.p.Line(margin, line)
	}
	r.result(response)
}

func (r *clojureCall) headers() {
	var items [][]string
	for _, same := range r.c.ByName() {
		f := &same[0]
		switch {
		case f.Derived() && f.Is("Authorization") && r.c.Basic.User.IsText() && r.c.Basic.Password.IsText():
			r.with("basic-auth", "["+r.one(r.c.Basic.User)+" "+r.one(r.c.Basic.Password)+"]")
		case f.Derived() && !f.Is("Authorization"):
		case f.Is("Connection"):
			if value := f.Value.Source(); !ascii.EqualFold(value, "close") {
				r.p.Refuse("sets the field Connection itself")
			}
		default:
			var values []string
			for _, other := range same {
				values = append(values, r.one(other.Value))
			}
			value := values[0]
			if len(values) > 1 {
				value = "[" + strings.Join(values, " ") + "]"
			}
			items = append(items, []string{jvmString(f.Name) + " " + value})
		}
	}
	if hasProxyUser(r.c) && !r.c.Secure() {
		_, user, password := r.c.ProxyParts()
		r.p.Use("clj-http.util :as util")
		items = append(items, []string{`"Proxy-Authorization" (str "Basic " (util/base64-encode (.getBytes ` + r.one((&plan.Credentials{User: user, Password: password}).Joined()) + ` "UTF-8")))`})
	}
	if r.c.Digest != nil {
		r.with("digest-auth", "["+r.one(r.c.Digest.User)+" "+r.one(r.c.Digest.Password)+"]")
	}
	if items != nil {
		r.members = slices.Insert(r.members, 0, hang(":headers ", brackets("{", items, "}")))
	}
	if r.c.Field("Accept-Encoding") != nil || r.c.Removes("Accept-Encoding") {
		r.with("decompress-body", "false")
	}
}

// content adds the content.
func (r *clojureCall) content() {
	typed := r.c.Field("Content-Type") != nil
	pieces := namedPieces(r.c.Content.List)
	switch r.c.Content.Kind {
	case plan.RawBody:
		data := r.c.Content.Data
		form := staysInOrder(plan.PairNames(r.c.Content.Form)) && slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) && r.c.IsForm(&plan.EncodeWHATWG)
		switch {
		case form:
			r.c.Imply(r.c.Field("Content-Type"))
			r.params("form-params", r.c.Content.Form)
			return
		case data.IsText() && typed:
			r.with("body", r.text(data)...)
			return
		case data.IsText():
			r.with("body", brackets("(.getBytes ", [][]string{r.text(data)}, ` "UTF-8")`)...)
			return
		case len(data) == 1:
			r.with("body", "(.getBytes "+r.one(data)+` "ISO-8859-1")`)
			return
		}
		pieces = data.Pieces()
	case plan.MultipartBody:
		pieces = namedPieces(r.c.RawForm())
	case plan.FileBody:
		name := r.one(r.c.Content.File)
		switch {
		case r.c.Content.File.Source() == "-":
			r.with("body", "(.readAllBytes System/in)")
		case typed:
			r.p.Use("clojure.java.io :as io")
			r.with("body", "(io/file "+name+")")
		default:
			r.p.Use("clojure.java.io :as io")
			r.with("body", "(io/input-stream "+name+")")
			r.with("length", "(.length (io/file "+name+"))")
		}
		return
	}
	r.joined(pieces)
	r.with("body", "body"+r.suffix)
}

// staysInOrder reports whether a map of such keys keeps their order.
func staysInOrder(names []string) bool { return len(names) <= 8 && emit.Distinct(names) }

// params adds pairs as a map.
func (r *clojureCall) params(option string, pairs []plan.Pair) {
	var items [][]string
	for _, p := range pairs {
		name := p.Name.Source()
		key := jvmString(name)
		if emit.IsIdentifier(name) {
			key = ":" + name
		}
		items = append(items, hang(key+" ", r.text(plan.Decoded(p.Value))))
	}
	r.members = append(r.members, hang(":"+option+" ", brackets("{", items, "}")))
}

// joined writes the statement that joins the pieces.
func (r *clojureCall) joined(pieces []plan.Piece) {
	r.p.Use("clojure.java.io :as io")
	var items [][]string
	for i := range pieces {
		one := &pieces[i]
		switch {
		case one.IsText && one.Text.IsText():
			items = append(items, r.text(one.Text))
		case one.IsText:
			items = append(items, []string{"(.getBytes " + r.one(one.Text) + ` "ISO-8859-1")`})
		case one.Changed():
			items = append(items, r.changedContent(one))
		case one.File.Source() == "-":
			items = append(items, []string{"System/in"})
		default:
			items = append(items, []string{"(io/file " + r.one(one.File) + ")"})
		}
	}
	r.p.Line("(def body", r.suffix)
	r.p.Line("  (with-open [out (java.io.ByteArrayOutputStream.)]")
	for _, line := range brackets("    (doseq [part [", items, "]]") {
		r.p.Line(line)
	}
	r.p.Line("      (io/copy part out))")
	r.p.Line("    (.toByteArray out)))")
	r.p.Line()
}

// changedContent returns the lines of an expression for the content of a file,
// changed as curl changes it.
func (r *clojureCall) changedContent(one *plan.Piece) []string {
	source := r.one(one.File)
	if one.File.Source() == "-" {
		source = "System/in"
	}
	steps := [][]string{{"(slurp " + source + ` :encoding "ISO-8859-1")`}}
	if one.Offset > 0 {
		steps = append(steps, []string{"(subs " + strconv.FormatInt(one.Offset, 10) + ")"})
	}
	if one.Strip {
		steps = append(steps, []string{`(.replaceAll "[\r\n\u0000]" "")`})
	}
	if one.Urlencode {
		steps = append(steps, []string{`(java.net.URLEncoder/encode "ISO-8859-1")`}, []string{`(.replace "*" "%2A")`}, []string{`(.replace "%7E" "~")`})
	}
	return brackets("(-> ", append(steps, []string{`(.getBytes "ISO-8859-1")`}), ")")
}

// exchangeOptions adds what shapes the exchange.
func (r *clojureCall) exchangeOptions() {
	switch {
	case r.c.Stops():
		r.with("follow-redirects", "false")
	case r.c.LeavesRedirects():
	case r.c.Method != "GET" && r.c.Method != "HEAD":
		r.with("force-redirects", "true")
		if r.c.Content.Kind != plan.NoBody {
			r.p.Differs("sends the content also where a redirect makes it GET, and does not follow one with 308")
		}
	}
	if r.c.Follow() && r.c.MaxRedirects() != plan.CurlRedirects {
		r.with("max-redirects", strconv.FormatInt(r.c.RedirectLimit(), 10))
	}
	if r.c.Timeout() > 0 {
		r.with("socket-timeout", emit.Milliseconds(r.c.Timeout()))
	}
	if limit := r.c.ConnectTimeout(); limit > 0 || r.c.Timeout() > 0 {
		if limit == 0 {
			limit = r.c.Timeout()
		}
		r.with("conn-timeout", emit.Milliseconds(limit))
	}
	if r.c.Insecure() {
		r.with("insecure?", "true")
	}
	if r.c.ProxyScheme() != "" {
		proxy, known := r.c.ProxyServer()
		if !known {
			r.p.Refuse("takes no proxy from a variable")
		}
		r.with("proxy-host", jvmString(proxy.Host))
		r.with("proxy-port", proxy.PortOr())
		r.with("proxy-ignore-hosts", "#{}") // which has localhost
		if hasProxyUser(r.c) && r.c.Secure() {
			r.p.Loss("--proxy-user", "sends no credentials to a proxy for https")
		}
	}
	if r.c.Destination(r.p.Options) == plan.ToFile {
		r.with("as", ":stream")
	}
	if !r.c.Fail() {
		r.with("throw-exceptions", "false")
	}
	if len(r.members) == 0 {
		r.with("as", ":auto")
	}
}

// result writes what is done with the response.
func (r *clojureCall) result(response string) {
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.p.Use("clojure.java.io :as io")
		if r.c.Folder() != nil {
			r.p.Line("(io/make-parents ", r.one(r.c.Output()), ")")
		}
		r.p.Line("(with-open [in (:body ", response, ")]")
		r.p.Line("  (io/copy in (io/file ", r.one(r.c.Output()), ")))")
	case plan.HeadersPrinted:
		r.p.Line("(println (:headers ", response, "))")
	case plan.ContentPrinted:
		r.p.Line("(println (:body ", response, "))")
	}
}
