//go:build !nocode

package code

import (
	"slices"
	"strconv"
	"strings"
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
			r := restyRequest{goRequest{program: p, call: c}}
			r.write()
		})
	},
	client: client{
		adds:     []string{"User-Agent", "Accept-Encoding", "Accept"},
		always:   []string{"User-Agent"},
		fixed:    []string{"Transfer-Encoding"},
		percents: goPercents,
		bodiless: []string{"HEAD", "OPTIONS"},
		digest:   true,
		says:     []string{"followRedirects", "maxRedirects", "maxTime", "insecure", "cacert", "cert", "retry"},
		proxies:  []string{"http", "https", "socks5", "socks5h"},
		versions: []string{"1.1", "2"},
	},
}

// A restyRequest writes one call with resty.
type restyRequest struct{ goRequest }

func (r *restyRequest) write() {
	const resty = "github.com/go-resty/resty/v2"
	r.use(resty)
	r.use("log")
	r.client()
	url := r.goURL()
	content := r.content()
	response := "resp"
	destination := r.destination(r.options)
	if !r.fail && (destination == discarded || destination == toFile) {
		response = "_"
	}
	r.line(response, ", err := client.R().")
	r.level++
	r.headers()
	for _, l := range content {
		r.line(l, ".")
	}
	if destination == toFile {
		r.line("SetOutput(", r.goArgument(r.output), ").")
	}
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.Method) {
		r.line(r.Method[:1], strings.ToLower(r.Method[1:]), "(", url, ")")
	} else {
		r.line("Execute(", goString(r.Method), ", ", url, ")")
	}
	r.level--
	r.check()
	if r.fail {
		r.line("if resp.IsError() {")
		r.line("\tlog.Fatal(resp.Status())")
		r.line("}")
	}
	switch destination {
	case headersPrinted:
		r.use("fmt")
		r.line("fmt.Println(resp.Header())")
	case contentPrinted:
		r.use("fmt")
		r.line("fmt.Println(resp)")
	}
}

// client writes the statements that make a client.
func (r *restyRequest) client() {
	r.line("client := resty.New()")
	switch {
	case !r.follow || r.maxRedirects == 0:
		r.use("net/http")
		r.block("client.SetRedirectPolicy(resty.RedirectPolicyFunc(func(*http.Request, []*http.Request) error {", func() {
			r.line("return http.ErrUseLastResponse // curl had no -L")
		})
		r.line("}))")
	case r.maxRedirects < 0:
		r.use("math")
		r.line("client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(math.MaxInt))")
	case r.maxRedirects != curlRedirects:
		r.line("client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(", itoa(int(r.maxRedirects)), "))")
	}
	if r.follow && len(r.cookieJar) == 0 {
		r.line("client.SetCookieJar(nil)")
	}
	if r.Method == "GET" && r.body.kind != noBody {
		r.line("client.SetAllowGetMethodPayload(true)")
	}
	if r.timeout > 0 {
		r.use("time")
		r.line("client.SetTimeout(", goDuration(r.timeout), ")")
	}
	if r.insecure && r.secure() {
		r.use("crypto/tls")
		r.line("client.SetTLSClientConfig(&tls.Config{InsecureSkipVerify: true})")
	}
	if len(r.cert) > 0 && r.secure() {
		r.use("crypto/tls")
		r.line("certificate, err := tls.LoadX509KeyPair(", r.goArgument(r.cert), ", ", r.goArgument(r.certKey()), ")")
		r.check()
		r.line("client.SetCertificates(certificate)")
	}
	if len(r.caFile) > 0 && r.secure() {
		r.line("client.SetRootCertificate(", r.goArgument(r.caFile), ")")
	}
	if r.proxyScheme() != "" {
		r.line("client.SetProxy(", r.goArgument(r.proxyURL()), ")")
	}
	if r.direct() {
		r.line("client.RemoveProxy()")
	}
	if r.retries > 0 {
		r.use("slices")
		r.use("time")
		r.line("client.SetRetryCount(", strconv.FormatInt(r.retries, 10), ").SetRetryWaitTime(time.Second)")
		r.block("client.AddRetryCondition(func(resp *resty.Response, err error) bool {", func() {
			r.line("return err != nil || slices.Contains([]int{408, 429, 500, 502, 503, 504, 522, 524}, resp.StatusCode())")
		})
		r.line("})")
	}
}

func (r *restyRequest) headers() {
	for _, f := range r.joined() {
		source := f.value.source()
		switch {
		case f.derived && f.is("Authorization"):
			r.line("SetBasicAuth(", r.goArgument(r.basic.user), ", ", r.goArgument(r.basic.password), ").")
		case f.derived:
		case f.is("Authorization") && strings.HasPrefix(source, "Bearer ") && strings.TrimSpace(source) == source:
			r.line("SetAuthToken(", r.goArgument(f.value.cut(len("Bearer "), len(source))), ").")
		default:
			r.line("SetHeader(", goString(f.name), ", ", r.goArgument(f.value), ").")
		}
	}
	if r.digest != nil {
		r.line("SetDigestAuth(", r.goArgument(r.digest.user), ", ", r.goArgument(r.digest.password), ").")
	}
	if f := r.field("Content-Type"); f != nil && r.field("Accept") == nil {
		if s := strings.ToLower(f.value.source()); strings.Contains(s, "json") || strings.Contains(s, "xml") {
			if r.removes("Accept") {
				r.refuse("adds Accept to JSON and XML")
			}
			r.line(`SetHeader("Accept", "*/*"). // not the type of the content`)
		}
	}
}

// content writes the statements that make the content, and returns the calls
// that set it.
func (r *restyRequest) content() []string {
	f := r.field("Content-Type")
	if f == nil && r.body.kind != noBody && r.body.kind != multipartBody {
		r.refuse("gives content a type")
	}
	switch r.body.kind {
	case noBody:
		if slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.Method) {
			return []string{"SetContentLength(true)"}
		}
		return nil
	case rawBody:
		if form, ok := r.form(); ok {
			f.derived = true
			return []string{form}
		}
		return []string{"SetBody(" + r.goArgument(r.body.data) + ")"}
	case multipartBody:
		return r.multipart()
	case fileBody:
		return []string{"SetBody(" + r.open(r.body.file, "file", false) + ")", "SetContentLength(true)"}
	}
	return []string{"SetBody(" + r.pieces(r.body.list) + ")"}
}

// form returns the call that sets a form, which resty sorts by name.
func (r *restyRequest) form() (string, bool) {
	names := make([]string, len(r.body.form))
	members := make([]string, len(r.body.form))
	for i, p := range r.body.form {
		names[i] = p.name.source()
		members[i] = goString(names[i]) + ": " + r.goText(decoded(p.value))
	}
	if !r.isForm(&encodeQuotePlus) || !slices.IsSorted(names) || !distinct(names) {
		return "", false
	}
	return "SetFormData(map[string]string{" + strings.Join(members, ", ") + "})", true
}

// multipart writes the statements that open files, and returns the calls that
// set the parts.
func (r *restyRequest) multipart() []string {
	simple := !r.Body.FormEscape && r.field("Content-Type") == nil
	for i := range r.body.part {
		p := &r.body.part[i]
		simple = simple && p.Name != "" && len(p.Headers) == 0 && (p.filename == nil || !strings.Contains(*p.filename, `\`))
	}
	if !simple {
		return []string{"SetBody(" + r.pieces(r.rawForm()) + ")"}
	}
	calls := make([]string, len(r.body.part))
	for i := range r.body.part {
		p := &r.body.part[i]
		filename, contentType, reader := "", "", ""
		if p.filename != nil {
			filename = escapeName(*p.filename, false)
		}
		if p.contentType != nil {
			contentType = *p.contentType
		}
		if p.isFile() {
			variable := "file"
			if i > 0 {
				variable += itoa(i + 1)
			}
			reader = r.open(p.file, variable, false)
		} else {
			r.use("strings")
			reader = "strings.NewReader(" + r.goArgument(p.value) + ")"
		}
		calls[i] = "SetMultipartField(" + goString(escapeName(p.Name, false)) + ", " + goString(filename) + ", " + goString(contentType) + ", " + reader + ")"
	}
	return calls
}
