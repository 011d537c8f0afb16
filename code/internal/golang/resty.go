package golang

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/mime"
)

// What resty 2 does by itself over net/http, measured on the wire: it adds
// User-Agent and Accept-Encoding, and to JSON and XML an Accept like their
// type; joins fields of one name; gives content without a type one that it
// guesses; sends no content with HEAD and OPTIONS, nor with GET unless told to;
// keeps cookies unless told not to.
var Resty = plan.Target{
	Name: "go-resty", Convention: &convention, Client: "resty", Version: "2.17", Kind: plan.Code, Extension: "go",
	Functions: true, Decodes: true,
	Packages: []plan.Package{{Name: "github.com/go-resty/resty/v2", Version: "2.17.0"}},
	Aliases:  []string{"resty"}, Proven: true,
	Style: NetHTTP.Style,
	Write: func(p *plan.Program) {
		writeGo(p, func(c *plan.Call) (bool, []string) {
			r := restyRequest{goRequest{p: p, c: c, isResty: true}}
			r.write()
			return false, r.parameters
		})
	},
	Facts: plan.Client{
		Http2:     true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Accept"},
		Wire:      plan.Wire{Order: "User-Agent <", Case: plan.Titled, Path: "\"<>\\^`{|}", Follows: true, Spares: sparesGzip},
		Always:    plan.FieldNames{"User-Agent", "Accept-Encoding"},
		Rules: plan.Rules{
			plan.AsksForGzip,
			plan.SendsCodings(plan.NoCoding),
			plan.CodesContentOnly,
			plan.SendsHosts(plan.GoHost),
			plan.ReadsURLs(plan.GoPercents),
			plan.SendsNoContent("HEAD", "OPTIONS"),
			plan.PrintableFields,
		},
		Once:     plan.SendsForm,
		Fixed:    plan.FieldNames{"Content-Length"},
		Recodes:  true,
		Ports:    true,
		Digest:   true,
		Unasked:  []string{"basic", "unqualified"},
		Eager:    true,
		After:    []string{"referer"},
		Counts:   plan.Enclosing,
		Proxies:  []string{"http", "https", "socks5", "socks5h"},
		Versions: []string{"2"},
	},
}

// A restyRequest writes one call with resty.
type restyRequest struct{ goRequest }

func (r *restyRequest) write() {
	const resty = "github.com/go-resty/resty/v2"
	r.p.Use(resty)
	r.client()
	if r.c.Empties("Content-Type") && r.c.Content.Kind != plan.NoBody {
		r.p.Refuse("gives content a type")
	}
	query := r.c.TakeQuery(&plan.EncodeQuotePlus, areSorted)
	url := r.goURL()
	content := r.content()
	destination := r.c.Destination(r.p.Options)
	before, after := "resp, err := ", ""
	returnsStatus := r.c.ReturnsStatus(r.p.Options)
	if !r.c.Fail() && !returnsStatus && (destination == plan.Discarded || destination == plan.ToFile) {
		before, after = "if _, err := ", "; err != nil {" // err may be there already
	}
	r.p.Line(before, "client.R().")
	r.p.Level++
	if r.p.IsFunction() {
		r.p.Line("SetContext(ctx).")
	}
	if r.reads() {
		r.p.Line("SetDoNotParseResponse(true).")
	}
	if query != nil {
		r.p.Line("SetQueryParams(", r.stringMap(query), ").")
	}
	r.headers()
	for _, l := range content {
		r.p.Line(l, ".")
	}
	if destination == plan.ToFile {
		output := r.c.Output()
		if r.c.KeepsFile(r.p.Options) {
			output = r.c.PartOutput()
		}
		r.p.Line("SetOutput(", r.goText(output), ").")
	}
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, r.c.Method) {
		if !r.c.Guess {
			url = r.goText(r.c.URLText) // the only argument, which gofmt spaces
		}
		r.p.Line(r.c.Method[:1], strings.ToLower(r.c.Method[1:]), "(", url, ")", after)
	} else {
		r.p.Line("Execute(", goString(r.c.Method), ", ", url, ")", after)
	}
	r.p.Level--
	if after == "" {
		r.check()
	} else {
		r.fatal("err")
		r.p.Line("}")
	}
	r.result(destination)
}

// result writes what is done with the response.
func (r *restyRequest) result(destination plan.Destination) {
	if r.c.Fail() {
		r.p.Line("if resp.IsError() {")
		if r.reads() {
			r.p.Line("\tresp.RawBody().Close()")
		}
		if r.c.KeepsFile(r.p.Options) {
			r.p.Line("\tos.Remove(", r.goArgument(r.c.PartOutput()), ")")
		}
		r.fails("resp.Status()")
		r.p.Line("}")
	}
	if r.c.KeepsFile(r.p.Options) {
		r.p.Use("os")
		r.p.Line("if err := os.Rename(", r.goArgument(r.c.PartOutput()), ", ", r.goArgument(r.c.Output()), "); err != nil {")
		r.fatal("err")
		r.p.Line("}")
	}
	switch destination {
	case plan.HeadersPrinted:
		if r.p.IsFunction() {
			r.p.Use("net/http") // for the type of the fields
			r.returns("resp.Header()")
			return
		}
		r.p.Use("fmt")
		r.p.Line("fmt.Println(resp.Header())")
	case plan.ContentPrinted:
		if r.p.Options.DecodeJSON {
			r.giveDecoded("json.Unmarshal(resp.Body(), &data)")
			return
		}
		if r.streams() {
			r.p.Use("io") // for the type of the content
			r.returns("resp.RawBody()")
			return
		}
		if r.p.IsFunction() {
			r.returns("resp.Body()")
			return
		}
		if r.reads() {
			r.p.Use("io")
			r.p.Use("os")
			r.p.Line("defer resp.RawBody().Close()")
			r.p.Line("if _, err := io.Copy(os.Stdout, resp.RawBody()); err != nil {")
			r.fatal("err")
			r.p.Line("}")
			return
		}
		r.p.Use("fmt")
		r.p.Line("fmt.Println(resp)")
	default:
		r.returns("")
	}
}

// reads reports whether the program reads the content as it comes, which resty leaves alone then.
func (r *restyRequest) reads() bool { return r.streams() || r.c.Streams(r.p.Options) }

// client writes the statements that make a client.
func (r *restyRequest) client() {
	r.p.Line("client := resty.New()")
	policy := func(head string, lines ...string) {
		r.p.Use("net/http")
		r.p.Block("client.SetRedirectPolicy(resty.RedirectPolicyFunc("+head+" error {", func() {
			for _, line := range lines {
				r.p.Line(line)
			}
		})
		r.p.Line("}))")
	}
	switch {
	case r.c.Stops() || r.c.MaxRedirects() == 0:
		policy("func(*http.Request, []*http.Request)", "return http.ErrUseLastResponse // curl had no -L")
	case r.c.Spreads():
		head, lines := r.checkRedirect()
		policy(head, lines...)
	case r.c.MaxRedirects() < 0:
		r.p.Use("math")
		r.p.Line("client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(math.MaxInt))")
	case r.c.MaxRedirects() != plan.CurlRedirects:
		r.p.Line("client.SetRedirectPolicy(resty.FlexibleRedirectPolicy(", emit.Itoa(int(r.c.MaxRedirects())+1), "))") // of requests
	}
	if jar := r.c.Jar(); jar != nil {
		r.p.Use("net/http")
		r.p.Line("client.SetCookieJar(", jar.Named("jar"), ")")
	} else if r.c.Follow() && !r.c.KeepsCookies() {
		r.p.Line("client.SetCookieJar(nil)")
	}
	if r.c.Method == "GET" && r.c.Content.Kind != plan.NoBody {
		r.p.Line("client.SetAllowGetMethodPayload(true)")
	}
	if r.c.Timeout() > 0 {
		r.p.Use("time")
		r.p.Line("client.SetTimeout(", duration(r.c.Timeout()), ")")
	}
	if config := r.tlsConfig(); len(config) > 0 {
		r.p.Use("crypto/tls")
		r.p.Line("client.SetTLSClientConfig(&tls.Config{", strings.Join(config, ", "), "})")
	}
	if len(r.c.Cert()) > 0 {
		r.p.Use("crypto/tls")
		r.p.Line("certificate, err := tls.LoadX509KeyPair(", r.goArgument(r.c.Cert()), ", ", r.goArgument(r.c.CertKey()), ")")
		r.check()
		r.p.Line("client.SetCertificates(certificate)")
	}
	if len(r.c.CaFile()) > 0 {
		r.p.Line("client.SetRootCertificate(", r.goText(r.c.CaFile()), ")")
	}
	if r.c.ProxyScheme() != "" {
		if r.c.Field("Host") != nil && !r.c.Secure() {
			r.p.Refuse("asks the proxy for the host of the field Host")
		}
		r.p.Line("client.SetProxy(", r.goText(r.c.ProxyURL()), ")")
	}
	if r.c.Direct() {
		r.p.Line("client.RemoveProxy()")
	}
	if r.c.Retries() > 0 {
		r.p.Use("slices")
		r.p.Use("time")
		r.p.Line("client.SetRetryCount(", strconv.FormatInt(r.c.Retries(), 10), ").SetRetryWaitTime(time.Second)")
		r.p.Block("client.AddRetryCondition(func(resp *resty.Response, err error) bool {", func() {
			r.p.Line("return err != nil || slices.Contains([]int{", plan.RetryStatuses, "}, resp.StatusCode())")
		})
		r.p.Line("})")
	}
}

func (r *restyRequest) headers() {
	for _, f := range r.c.Joined() {
		source := f.Value.Source()
		switch {
		case f.Derived() && f.Is("Authorization"):
			r.p.Line("SetBasicAuth(", r.goArgument(r.c.Basic.User), ", ", r.goArgument(r.c.Basic.Password), ").")
		case f.Derived():
		case f.Is("User-Agent") && source == "":
			r.p.Refuse("always sends User-Agent")
		case f.Is("Authorization") && strings.HasPrefix(source, "Bearer ") && strings.TrimSpace(source) == source:
			r.p.Line("SetAuthToken(", r.goText(f.Value.Cut(len("Bearer "), len(source))), ").")
		default:
			r.p.Line("SetHeader(", goString(f.Name), ", ", r.goArgument(f.Value), ").")
		}
	}
	if r.c.Digest != nil {
		r.p.Line("SetDigestAuth(", r.goArgument(r.c.Digest.User), ", ", r.goArgument(r.c.Digest.Password), ").")
	}
	if f := r.c.Field("Content-Type"); f != nil && r.c.Field("Accept") == nil {
		if s := strings.ToLower(f.Value.Source()); strings.Contains(s, "json") || strings.Contains(s, "xml") {
			if r.c.Removes("Accept") {
				r.p.Refuse("adds Accept to JSON and XML")
			}
			r.p.Line(`SetHeader("Accept", "*/*"). // not the type of the content`)
		}
	}
}

// content writes the statements that make the content, and returns the calls
// that set it.
func (r *restyRequest) content() []string {
	f := r.c.Field("Content-Type")
	if r.c.Untyped() && !r.c.Empty() {
		r.p.Refuse("gives content a type")
	}
	switch r.c.Content.Kind {
	case plan.NoBody:
		if slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.c.Method) {
			return []string{"SetContentLength(true)"}
		}
		return nil
	case plan.RawBody:
		if form, ok := r.form(); ok {
			r.c.Imply(f)
			return []string{form}
		}
		return []string{"SetBody(" + r.goText(r.c.Content.Data) + ")"}
	case plan.MultipartBody:
		return r.multipart()
	case plan.FileBody:
		return []string{"SetBody(" + r.open(r.c.Content.File, "file", false) + ")", "SetContentLength(true)"}
	}
	return []string{"SetBody(" + r.pieces(r.c.Content.List) + ")"}
}

// form returns the call that sets a form, which resty sorts by name.
func (r *restyRequest) form() (string, bool) {
	if !areSorted(plan.PairNames(r.c.Content.Form)) || !r.c.IsForm(&plan.EncodeQuotePlus) {
		return "", false
	}
	return "SetFormData(" + r.stringMap(r.c.Content.Form) + ")", true
}

// stringMap returns pairs as a map.
func (r *restyRequest) stringMap(pairs []plan.Pair) string {
	members := make([]string, len(pairs))
	for i, p := range pairs {
		members[i] = goString(p.Name.Source()) + ": " + r.goText(plan.Decoded(p.Value))
	}
	return "map[string]string{" + strings.Join(members, ", ") + "}"
}

// multipart writes the statements that open files, and returns the calls that
// set the parts.
func (r *restyRequest) multipart() []string {
	simple := !r.c.Body.FormEscape && plan.Enclosing(r.c.Method) // it refuses other methods
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		simple = simple && p.Helped() && (p.FilenameText == nil || *p.FilenameText != "" && !strings.Contains(*p.FilenameText, `\`)) && !plan.HasVariable(p.NameText)
	}
	if !simple {
		return []string{"SetBody(" + r.pieces(r.c.RawForm()) + ")"}
	}
	calls, files := make([]string, len(r.c.Content.Part)), 0
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		filename, contentType, reader := `""`, "", ""
		switch {
		case p.Implied:
			filename = r.goBase(p.FileText)
		case p.FilenameText != nil:
			filename = goString(mime.EscapeName(*p.FilenameText, false))
		}
		if p.TypeText != nil {
			contentType = *p.TypeText
		}
		if p.IsFile() {
			reader = r.open(p.FileText, plan.Nth("file", "", &files), false)
		} else {
			r.p.Use("strings")
			reader = "strings.NewReader(" + r.goArgument(p.ValueText) + ")"
		}
		calls[i] = "SetMultipartField(" + goString(mime.EscapeName(p.Name, false)) + ", " + filename + ", " + goString(contentType) + ", " + reader + ")"
	}
	return calls
}
