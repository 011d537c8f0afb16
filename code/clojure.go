package code

import (
	"slices"
	"strconv"
	"strings"

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
var clojureHTTP = Target{
	Name: "clojure", Language: "clojure", Client: "clj-http", Version: "2.3", Kind: Code, Extension: "clj",
	Aliases: []string{"clojure-clj-http", "clj-http"}, Proven: true,
	style: style{indent: "  ", comment: ";; "}, write: writeClojure,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Connection", "Accept-Encoding"},
		always:    fieldNames{"User-Agent", "Host", "Connection"},
		fixed:     fieldNames{"Proxy-Connection"},
		codings:   noCoding,
		methods: func(method string) bool {
			return slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}, method)
		},
		bodiless:  []string{"HEAD", "OPTIONS"},
		visible:   true,
		digest:    true,
		latin:     true,
		quotes:    true,
		eager:     true,
		counts:    enclosing,
		names:     ascii.Only,
		emptyHost: true,
		says:      []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "insecure"},
		proxies:   []string{"http"},
		shares:    fieldNames{"Authorization", "Cookie"},
	},
}

func writeClojure(p *program) {
	sections := p.sections(0, func(c *call, suffix string) {
		r := clojureCall{p: p, c: c, suffix: suffix}
		r.write()
	})
	if !p.options.Bare {
		p.use("clj-http.client :as client")
		before := "(require '["
		for i, name := range p.imports {
			after := "]"
			if i == len(p.imports)-1 {
				after = "])"
			}
			p.line(before, name, after)
			before = "         '["
		}
		p.line()
	}
	p.join(sections)
}

// A clojureCall writes one call with clj-http.
type clojureCall struct {
	p       *program
	c       *call
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
func (r *clojureCall) text(t text) []string {
	var parts [][]string
	width := 0
	for _, part := range t {
		if part.variable != nil {
			parts = append(parts, []string{clojureVariable(part.variable)})
		} else {
			for _, s := range splitLines(part.literal) {
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
	case len(parts) == len(t) && width < longLiteral:
		one := make([]string, len(parts))
		for i := range parts {
			one[i] = parts[i][0]
		}
		return []string{"(str " + strings.Join(one, " ") + ")"}
	}
	return brackets("(str ", parts, ")")
}

// line returns an expression for a text on one line.
func (r *clojureCall) one(t text) string {
	if s, ok := t.plain(); ok {
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
	case userPart:
		return "(first (.split " + expr + ` ":" 2))`
	case passwordPart:
		return "(second (.split " + expr + ` ":" 2))`
	case lastSegment:
		return "(.getName (java.io.File. " + expr + "))"
	case request.Percent:
		return "(.replace (java.net.URLEncoder/encode " + expr + ` "UTF-8") "+" "%20")`
	case request.FormEncode:
		return "(java.net.URLEncoder/encode " + expr + ` "UTF-8")`
	case request.JSONEscape:
		return "(.replace (.replace " + expr + ` "\\" "\\\\") "\"" "\\\"")`
	}
	return expr
}

func (r *clojureCall) write() {
	if !escapesWhole(r.c.url.literals()) {
		r.p.refuse("sends no % that begins no escape")
	}
	if _, path, _ := strings.Cut(r.c.URL, "://"); strings.Contains(strings.SplitN(path, "?", 2)[0], "//") {
		r.p.refuse("makes one slash of two in a path")
	}
	if query := r.c.takeQuery(&encodeWHATWG, staysInOrder); query != nil {
		r.params("query-params", query)
	}
	body := r.c.body.kind != noBody
	if body {
		r.content()
	}
	r.headers()
	r.exchangeOptions()
	url := r.one(r.c.url)
	if r.c.guess {
		r.p.line("(def url", r.suffix)
		r.p.line("  (let [url ", url, "]")
		r.p.line(`    (if (.contains url "://") url (str "http://" url)))) ; as curl does`)
		url = "url" + r.suffix
	}
	response := "response" + r.suffix
	call := "(client/" + strings.ToLower(r.c.Method)
	if r.p.options.Bare {
		r.p.folded(call, url)
	} else {
		r.p.block("(def "+response, func() { r.p.folded(call, url) })
	}
	margin, end := "    ", "))"
	if r.p.options.Bare {
		margin, end = "  ", ")"
	}
	members := brackets("{", r.members, "}")
	for i, line := range members {
		if i == len(members)-1 {
			line += end
		}
		r.p.line(margin, line)
	}
	r.result(response)
}

func (r *clojureCall) headers() {
	var items [][]string
	for _, same := range r.c.byName() {
		f := &same[0]
		switch {
		case f.derived && f.is("Authorization") && r.c.basic.user.isText() && r.c.basic.password.isText():
			r.with("basic-auth", "["+r.one(r.c.basic.user)+" "+r.one(r.c.basic.password)+"]")
		case f.derived && !f.is("Authorization"):
		case f.is("Connection"):
			if value := f.value.source(); !ascii.EqualFold(value, "close") {
				r.p.refuse("sets the field Connection itself")
			}
		default:
			var values []string
			for _, other := range same {
				values = append(values, r.one(other.value))
			}
			value := values[0]
			if len(values) > 1 {
				value = "[" + strings.Join(values, " ") + "]"
			}
			items = append(items, []string{jvmString(f.name) + " " + value})
		}
	}
	if r.c.hasProxyUser() && !r.c.secure() {
		_, user, password := r.c.proxyParts()
		r.p.use("clj-http.util :as util")
		items = append(items, []string{`"Proxy-Authorization" (str "Basic " (util/base64-encode (.getBytes ` + r.one((&credentials{user: user, password: password}).joined()) + ` "UTF-8")))`})
	}
	if r.c.digest != nil {
		r.with("digest-auth", "["+r.one(r.c.digest.user)+" "+r.one(r.c.digest.password)+"]")
	}
	if items != nil {
		r.members = slices.Insert(r.members, 0, hang(":headers ", brackets("{", items, "}")))
	}
	if r.c.field("Accept-Encoding") != nil || r.c.removes("Accept-Encoding") {
		r.with("decompress-body", "false")
	}
}

// content adds the content.
func (r *clojureCall) content() {
	typed := r.c.field("Content-Type") != nil
	pieces := namedPieces(r.c.body.list)
	switch r.c.body.kind {
	case rawBody:
		data := r.c.body.data
		form := r.c.isForm(&encodeWHATWG) && staysInOrder(pairNames(r.c.body.form)) && slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method)
		switch {
		case form:
			r.c.field("Content-Type").derived = true
			r.params("form-params", r.c.body.form)
			return
		case data.isText() && typed:
			r.with("body", r.text(data)...)
			return
		case data.isText():
			r.with("body", brackets("(.getBytes ", [][]string{r.text(data)}, ` "UTF-8")`)...)
			return
		case len(data) == 1:
			r.with("body", "(.getBytes "+r.one(data)+` "ISO-8859-1")`)
			return
		}
		pieces = data.pieces()
	case multipartBody:
		pieces = namedPieces(r.c.rawForm())
	case fileBody:
		name := r.one(r.c.body.file)
		switch {
		case r.c.body.file.source() == "-":
			r.with("body", "(.readAllBytes System/in)")
		case typed:
			r.p.use("clojure.java.io :as io")
			r.with("body", "(io/file "+name+")")
		default:
			r.p.use("clojure.java.io :as io")
			r.with("body", "(io/input-stream "+name+")")
			r.with("length", "(.length (io/file "+name+"))")
		}
		return
	}
	r.joined(pieces)
	r.with("body", "body"+r.suffix)
}

// staysInOrder reports whether a map of such keys keeps their order.
func staysInOrder(names []string) bool { return len(names) <= 8 && distinct(names) }

// params adds pairs as a map.
func (r *clojureCall) params(option string, pairs []pair) {
	var items [][]string
	for _, p := range pairs {
		name := p.name.source()
		key := jvmString(name)
		if isIdentifier(name) {
			key = ":" + name
		}
		items = append(items, hang(key+" ", r.text(decoded(p.value))))
	}
	r.members = append(r.members, hang(":"+option+" ", brackets("{", items, "}")))
}

// joined writes the statement that joins the pieces.
func (r *clojureCall) joined(pieces []piece) {
	r.p.use("clojure.java.io :as io")
	var items [][]string
	for i := range pieces {
		one := &pieces[i]
		switch {
		case one.isText && one.text.isText():
			items = append(items, r.text(one.text))
		case one.isText:
			items = append(items, []string{"(.getBytes " + r.one(one.text) + ` "ISO-8859-1")`})
		case one.changed():
			items = append(items, r.changedContent(one))
		case one.file.source() == "-":
			items = append(items, []string{"System/in"})
		default:
			items = append(items, []string{"(io/file " + r.one(one.file) + ")"})
		}
	}
	r.p.line("(def body", r.suffix)
	r.p.line("  (with-open [out (java.io.ByteArrayOutputStream.)]")
	for _, line := range brackets("    (doseq [part [", items, "]]") {
		r.p.line(line)
	}
	r.p.line("      (io/copy part out))")
	r.p.line("    (.toByteArray out)))")
	r.p.line()
}

// changedContent returns the lines of an expression for the content of a file,
// changed as curl changes it.
func (r *clojureCall) changedContent(one *piece) []string {
	source := r.one(one.file)
	if one.file.source() == "-" {
		source = "System/in"
	}
	steps := [][]string{{"(slurp " + source + ` :encoding "ISO-8859-1")`}}
	if one.offset > 0 {
		steps = append(steps, []string{"(subs " + strconv.FormatInt(one.offset, 10) + ")"})
	}
	if one.strip {
		steps = append(steps, []string{`(.replaceAll "[\r\n\u0000]" "")`})
	}
	if one.urlencode {
		steps = append(steps, []string{`(java.net.URLEncoder/encode "ISO-8859-1")`}, []string{`(.replace "*" "%2A")`}, []string{`(.replace "%7E" "~")`})
	}
	return brackets("(-> ", append(steps, []string{`(.getBytes "ISO-8859-1")`}), ")")
}

// exchangeOptions adds what shapes the exchange.
func (r *clojureCall) exchangeOptions() {
	switch {
	case !r.c.follow:
		r.with("follow-redirects", "false")
	case r.c.Method != "GET" && r.c.Method != "HEAD":
		r.with("force-redirects", "true")
		if r.c.body.kind != noBody {
			r.p.differs("sends the content also where a redirect makes it GET, and does not follow one with 308")
		}
	}
	if r.c.follow && r.c.maxRedirects != curlRedirects {
		r.with("max-redirects", strconv.FormatInt(r.c.redirectLimit(), 10))
	}
	if r.c.timeout > 0 {
		r.with("socket-timeout", milliseconds(r.c.timeout))
	}
	if limit := r.c.connectTimeout; limit > 0 || r.c.timeout > 0 {
		if limit == 0 {
			limit = r.c.timeout
		}
		r.with("conn-timeout", milliseconds(limit))
	}
	if r.c.insecure {
		r.with("insecure?", "true")
	}
	if r.c.proxyScheme() != "" {
		proxy, known := r.c.proxyServer()
		if !known {
			r.p.refuse("takes no proxy from a variable")
		}
		r.with("proxy-host", jvmString(proxy.host))
		r.with("proxy-port", proxy.portOr())
		r.with("proxy-ignore-hosts", "#{}") // which has localhost
		if r.c.hasProxyUser() && r.c.secure() {
			r.p.loss("--proxy-user", "sends no credentials to a proxy for https")
		}
	}
	if r.c.destination(r.p.options) == toFile {
		r.with("as", ":stream")
	}
	if !r.c.fail {
		r.with("throw-exceptions", "false")
	}
	if len(r.members) == 0 {
		r.with("as", ":auto")
	}
}

// result writes what is done with the response.
func (r *clojureCall) result(response string) {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.use("clojure.java.io :as io")
		if r.c.folder() != nil {
			r.p.line("(io/make-parents ", r.one(r.c.output), ")")
		}
		r.p.line("(with-open [in (:body ", response, ")]")
		r.p.line("  (io/copy in (io/file ", r.one(r.c.output), ")))")
	case headersPrinted:
		r.p.line("(println (:headers ", response, "))")
	case contentPrinted:
		r.p.line("(println (:body ", response, "))")
	}
}
