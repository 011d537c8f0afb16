package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/internal/engine/mime"
)

// What resty 2 does by itself over net/http, measured on the wire: it adds
// User-Agent and Accept-Encoding, and to JSON and XML an Accept like their
// type; joins fields of one name; gives content without a type one that it
// guesses; sends no content with HEAD and OPTIONS, nor with GET unless told to;
// keeps cookies unless told not to.
var goResty = Target{
	Name: "go-resty", Language: "go", Client: "resty", Version: "2.17", Kind: Code, Extension: "go",
	Aliases: []string{"resty"}, Proven: true,
	style: goNetHTTP.style,
	write: func(p *program) {
		writeGo(p, func(c *call) {
			r := restyRequest{goRequest{p: p, c: c}}
			r.write()
		})
	},
	client: client{
		http2:     true,
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Accept"},
		always:    fieldNames{"User-Agent", "Accept-Encoding"},
		zips:      true,
		once:      sendsForm,
		fixed:     fieldNames{"Content-Length"},
		codings:   noCoding,
		framed:    true,
		hosts:     goHost,
		percents:  goPercents,
		recodes:   true,
		ports:     true,
		bodiless:  []string{"HEAD", "OPTIONS"},
		digest:    true,
		unasked:   []string{"basic", "unqualified"},
		eager:     true,
		after:     []string{"referer"},
		counts:    enclosing,
		printable: true,
		says:      []string{"createDirs", "cookieEngine", "followRedirects", "maxRedirects", "locationTrusted", "maxTime", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "retry"},
		proxies:   []string{"http", "https", "socks5", "socks5h"},
		versions:  []string{"2"},
	},
}

// A restyRequest writes one call with resty.
type restyRequest struct{ goRequest }

func (r *restyRequest) write() {
	const resty = "github.com/go-resty/resty/v2"
	r.p.use(resty)
	r.p.use("log")
	r.client()
	if r.c.empties("Content-Type") && r.c.body.kind != noBody {
		r.p.refuse("gives content a type")
	}
	query := r.c.takeQuery(&encodeQuotePlus, areSorted)
	url := r.goURL()
	content := r.content()
	destination := r.c.destination(r.p.options)
	before, after := "resp, err := ", ""
	if !r.c.fail && (destination == discarded || destination == toFile) {
		before, after = "if _, err := ", "; err != nil {" // err may be there already
	}
	r.p.line(before, "client.R().")
	r.p.level++
	if query != nil {
		r.p.line("SetQueryParams(", r.stringMap(query), ").")
	}
	r.headers()
	for _, l := range content {
		r.p.line(l, ".")
	}
	if destination == toFile {
		r.p.line("SetOutput(", r.goText(r.c.output), ").")
	}
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.c.Method) {
		if !r.c.guess {
			url = r.goText(r.c.url) // the only argument, which gofmt spaces
		}
		r.p.line(r.c.Method[:1], strings.ToLower(r.c.Method[1:]), "(", url, ")", after)
	} else {
		r.p.line("Execute(", goString(r.c.Method), ", ", url, ")", after)
	}
	r.p.level--
	if after == "" {
		r.check()
	} else {
		r.p.line("\tlog.Fatal(err)")
		r.p.line("}")
	}
	if r.c.fail {
		r.p.line("if resp.IsError() {")
		r.p.line("\tlog.Fatal(resp.Status())")
		r.p.line("}")
	}
	switch destination {
	case headersPrinted:
		r.p.use("fmt")
		r.p.line("fmt.Println(resp.Header())")
	case contentPrinted:
		r.p.use("fmt")
		r.p.line("fmt.Println(resp)")
	}
}

// client writes the statements that make a client.
func (r *restyRequest) client() {
	r.p.line("client := resty.New()")
	policy := func(head string, lines ...string) {
		r.p.use("net/http")
		r.p.block("client.SetRedirectPolicy(resty.RedirectPolicyFunc("+head+" error {", func() {
			for _, line := range lines {
				r.p.line(line)
			}
		})
		r.p.line("}))")
	}
	switch {
	case !r.c.follow || r.c.maxRedirects == 0:
		policy("func(*http.Request, []*http.Request)", "return http.ErrUseLastResponse // curl had no -L")
	case r.c.spreads():
		head, lines := r.checkRedirect()
		policy(head, lines...)
	case r.c.maxRedirects < 0:
		r.p.use("math")
		r.p.line("client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(math.MaxInt))")
	case r.c.maxRedirects != curlRedirects:
		r.p.line("client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(", itoa(int(r.c.maxRedirects)+1), "))") // of requests
	}
	if r.c.follow && !r.c.keepsCookies() {
		r.p.line("client.SetCookieJar(nil)")
	}
	if r.c.Method == "GET" && r.c.body.kind != noBody {
		r.p.line("client.SetAllowGetMethodPayload(true)")
	}
	if r.c.timeout > 0 {
		r.p.use("time")
		r.p.line("client.SetTimeout(", goDuration(r.c.timeout), ")")
	}
	if config := r.tlsConfig(); len(config) > 0 {
		r.p.use("crypto/tls")
		r.p.line("client.SetTLSClientConfig(&tls.Config{", strings.Join(config, ", "), "})")
	}
	if len(r.c.cert) > 0 {
		r.p.use("crypto/tls")
		r.p.line("certificate, err := tls.LoadX509KeyPair(", r.goArgument(r.c.cert), ", ", r.goArgument(r.c.certKey()), ")")
		r.check()
		r.p.line("client.SetCertificates(certificate)")
	}
	if len(r.c.caFile) > 0 {
		r.p.line("client.SetRootCertificate(", r.goText(r.c.caFile), ")")
	}
	if r.c.proxyScheme() != "" {
		if r.c.field("Host") != nil && !r.c.secure() {
			r.p.refuse("asks the proxy for the host of the field Host")
		}
		r.p.line("client.SetProxy(", r.goText(r.c.proxyURL()), ")")
	}
	if r.c.direct() {
		r.p.line("client.RemoveProxy()")
	}
	if r.c.retries > 0 {
		r.p.use("slices")
		r.p.use("time")
		r.p.line("client.SetRetryCount(", strconv.FormatInt(r.c.retries, 10), ").SetRetryWaitTime(time.Second)")
		r.p.block("client.AddRetryCondition(func(resp *resty.Response, err error) bool {", func() {
			r.p.line("return err != nil || slices.Contains([]int{", retryStatuses, "}, resp.StatusCode())")
		})
		r.p.line("})")
	}
}

func (r *restyRequest) headers() {
	for _, f := range r.c.joined() {
		source := f.value.source()
		switch {
		case f.derived && f.is("Authorization"):
			r.p.line("SetBasicAuth(", r.goArgument(r.c.basic.user), ", ", r.goArgument(r.c.basic.password), ").")
		case f.derived:
		case f.is("User-Agent") && source == "":
			r.p.refuse("always sends User-Agent")
		case f.is("Authorization") && strings.HasPrefix(source, "Bearer ") && strings.TrimSpace(source) == source:
			r.p.line("SetAuthToken(", r.goText(f.value.cut(len("Bearer "), len(source))), ").")
		default:
			r.p.line("SetHeader(", goString(f.name), ", ", r.goArgument(f.value), ").")
		}
	}
	if r.c.digest != nil {
		r.p.line("SetDigestAuth(", r.goArgument(r.c.digest.user), ", ", r.goArgument(r.c.digest.password), ").")
	}
	if f := r.c.field("Content-Type"); f != nil && r.c.field("Accept") == nil {
		if s := strings.ToLower(f.value.source()); strings.Contains(s, "json") || strings.Contains(s, "xml") {
			if r.c.removes("Accept") {
				r.p.refuse("adds Accept to JSON and XML")
			}
			r.p.line(`SetHeader("Accept", "*/*"). // not the type of the content`)
		}
	}
}

// content writes the statements that make the content, and returns the calls
// that set it.
func (r *restyRequest) content() []string {
	f := r.c.field("Content-Type")
	if r.c.untyped() && !r.c.empty() {
		r.p.refuse("gives content a type")
	}
	switch r.c.body.kind {
	case noBody:
		if slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method) {
			return []string{"SetContentLength(true)"}
		}
		return nil
	case rawBody:
		if form, ok := r.form(); ok {
			f.derived = true
			return []string{form}
		}
		return []string{"SetBody(" + r.goText(r.c.body.data) + ")"}
	case multipartBody:
		return r.multipart()
	case fileBody:
		return []string{"SetBody(" + r.open(r.c.body.file, "file", false) + ")", "SetContentLength(true)"}
	}
	return []string{"SetBody(" + r.pieces(r.c.body.list) + ")"}
}

// form returns the call that sets a form, which resty sorts by name.
func (r *restyRequest) form() (string, bool) {
	if !r.c.isForm(&encodeQuotePlus) || !areSorted(pairNames(r.c.body.form)) {
		return "", false
	}
	return "SetFormData(" + r.stringMap(r.c.body.form) + ")", true
}

// stringMap returns pairs as a map.
func (r *restyRequest) stringMap(pairs []pair) string {
	members := make([]string, len(pairs))
	for i, p := range pairs {
		members[i] = goString(p.name.source()) + ": " + r.goText(decoded(p.value))
	}
	return "map[string]string{" + strings.Join(members, ", ") + "}"
}

// multipart writes the statements that open files, and returns the calls that
// set the parts.
func (r *restyRequest) multipart() []string {
	simple := !r.c.Body.FormEscape && enclosing(r.c.Method) // it refuses other methods
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		simple = simple && p.helped() && (p.filename == nil || *p.filename != "" && !strings.Contains(*p.filename, `\`)) && !hasVariable(p.name)
	}
	if !simple {
		return []string{"SetBody(" + r.pieces(r.c.rawForm()) + ")"}
	}
	calls, files := make([]string, len(r.c.body.part)), 0
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		filename, contentType, reader := `""`, "", ""
		switch {
		case p.implied:
			filename = r.goBase(p.file)
		case p.filename != nil:
			filename = goString(mime.EscapeName(*p.filename, false))
		}
		if p.contentType != nil {
			contentType = *p.contentType
		}
		if p.isFile() {
			reader = r.open(p.file, nth("file", "", &files), false)
		} else {
			r.p.use("strings")
			reader = "strings.NewReader(" + r.goArgument(p.value) + ")"
		}
		calls[i] = "SetMultipartField(" + goString(mime.EscapeName(p.Name, false)) + ", " + filename + ", " + goString(contentType) + ", " + reader + ")"
	}
	return calls
}
