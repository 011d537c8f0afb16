package golang

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What net/http of Go 1.22 does by itself, measured on the wire: it adds
// User-Agent and Accept-Encoding: gzip, and writes names canonically and in
// their order of the alphabet; it takes Host from the request, not from its
// fields; it follows redirects unless told not to. Methods and paths go out as
// they are.
var NetHTTP = plan.Target{
	Name: "go", Convention: &convention, Client: "net/http", Version: "1.22", Kind: plan.Code, Extension: "go",
	Functions: true, Decodes: true,
	Aliases: []string{"golang", "go-http", "go-nethttp"}, Proven: true,
	Style: emit.Style{Indent: "\t", Comma: ",", Comment: "// ", Align: true, Wraps: "="},
	Write: func(p *plan.Program) {
		writeGo(p, func(c *plan.Call) (bool, []string) {
			r := goRequest{p: p, c: c}
			r.write()
			return r.shares, r.parameters
		})
	},
	Takes: takes, Heads: true, Catches: true, Runs: true,
	Facts: plan.Client{
		Undecoded: true,
		Http2:     true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding"},
		Wire:      plan.Wire{Order: "User-Agent <", Case: plan.Titled, Path: "\"<>\\^`{|}", Follows: true, Spares: sparesGzip},
		Answers:   true,
		Stuck:     func(c *plan.Call) bool { return c.Content.Kind == plan.FileBody && c.TakesInput() },
		Rules: plan.Rules{
			plan.SendsCodings(plan.OnlyChunks),
			plan.CodesContentOnly,
			plan.ReadsURLs(plan.GoPercents),
			plan.SendsOnce("User-Agent"),
			plan.SendsHosts(plan.GoHost),
			plan.PrintableFields,
		},
		Recodes:  true,
		Ports:    true,
		After:    []string{"referer"},
		Forgets:  "301 or 302",
		Fixed:    plan.FieldNames{"Content-Length"},
		Counts:   plan.Enclosing,
		Proxies:  []string{"http", "https", "socks5", "socks5h"},
		Versions: []string{"2"},
	},
}

// sparesGzip reports requests with which net/http asks for no compression: roundTrip in
// its transport.go.
func sparesGzip(c *plan.Call, name string) bool {
	return name == "Accept-Encoding" && (c.Method == "HEAD" || c.Field("Range") != nil)
}

// A goRequest writes one call with net/http.
type goRequest struct {
	p *plan.Program
	c *plan.Call

	parts, files int  // that have variables
	shares       bool // the client of its jar
	isResty      bool
	parameters   []string // of the program that the request has
	has          map[string]bool
	ends         *plan.Call // whose function an error ends; nil: that of the call
}

// bytesPerShare is what an entry of a map takes: of the requests that share a client, and of the
// parameters of a request.
const bytesPerShare = 48

// check writes the usual end of a statement that may fail.
func (r *goRequest) check() {
	r.p.Line("if err != nil {")
	r.fatal("err")
	r.p.Line("}")
}

func (r *goRequest) write() {
	r.p.Use("net/http")
	chunked := r.c.Streamed()
	url := r.goURL()
	content := r.content()
	const before = "req, err := "
	newRequest := func() emit.Node {
		function, arguments := "http.NewRequest", []emit.Node{emit.Leaf(goMethod(r.c.Method)), emit.Leaf(url), emit.Leaf(content)}
		if r.p.IsFunction() {
			function, arguments = "http.NewRequestWithContext", slices.Insert(arguments, 0, emit.Leaf("ctx"))
		}
		return emit.Group(function, "(", arguments, ")")
	}
	call := newRequest()
	if r.c.Content.Kind == plan.RawBody && content != "body" && !r.p.Fits(len(before)+call.Width) {
		r.p.Line("body := ", content)
		content = "body"
		call = newRequest()
	}
	r.p.Node(before, call, "")
	r.check()
	r.headers()
	if chunked {
		r.p.Line("req.ContentLength = -1 // send chunks")
	}
	r.p.Line()
	client := r.client()
	r.again(client)
	if !r.streams() {
		r.p.Line("defer resp.Body.Close()")
	}
	r.result()
}

// again writes the statements that send the request, in a loop where the program tries
// again, as curl does: curl 8.22 src/tool_operate.c.
func (r *goRequest) again(client string) {
	retry := r.c.Retry()
	if retry.Count > 0 && retry.MaxTime > 0 {
		r.p.Use("time")
		r.p.Line("deadline := time.Now().Add(", duration(retry.MaxTime), ")")
	}
	if retry.Refused {
		r.againOnErrors(client, retry)
		return
	}
	r.p.Line("resp, err := ", client, ".Do(req)")
	r.check()
	if retry.Count == 0 {
		return
	}
	r.p.Use("slices")
	loop, late := "for attempt := range ", ""
	if retry.Delay > 0 {
		loop = "for range "
	}
	if retry.MaxTime > 0 {
		late = " || time.Now().After(deadline)"
	}
	r.p.Block(loop+strconv.FormatInt(retry.Count, 10)+" {", func() {
		r.p.Line("if !slices.Contains([]int{", plan.RetryStatuses, "}, resp.StatusCode)", late, " {")
		r.p.Line("\tbreak")
		r.p.Line("}")
		r.p.Line("resp.Body.Close()")
		r.wait(retry)
		r.p.Line("resp, err = ", client, ".Do(req)")
		r.check()
	})
	r.p.Line("}")
}

// wait writes the statements between two tries.
func (r *goRequest) wait(retry plan.Retry) {
	r.p.Use("time")
	pause := "time.Second << attempt"
	if retry.Delay > 0 {
		pause = duration(retry.Delay)
	}
	if r.p.IsFunction() {
		r.p.Line("select {")
		r.p.Line("case <-ctx.Done():")
		r.fatal("ctx.Err()")
		r.p.Line("case <-time.After(", pause, "):")
		r.p.Line("}")
	} else {
		r.p.Line("time.Sleep(", pause, ")")
	}
	if r.c.Content.Kind != plan.NoBody {
		r.p.Line("req.Body, err = req.GetBody()")
		r.check()
	}
	r.resetCookies()
}

// resetCookies writes the statement that takes back the cookies of the jar, which the
// client has added to the fields of the request and adds again.
func (r *goRequest) resetCookies() {
	if r.c.Jar() == nil {
		return
	}
	if f := r.c.Field("Cookie"); f != nil {
		r.p.Line(`req.Header.Set("Cookie", `, r.goArgument(f.Value), ")")
		return
	}
	r.p.Line(`req.Header.Del("Cookie") // the client adds those of the jar again`)
}

// againOnErrors is again where errors of the connection ask for another try, too.
func (r *goRequest) againOnErrors(client string, retry plan.Retry) {
	last, lasts := "attempt == "+strconv.FormatInt(retry.Count, 10), "!slices.Contains([]int{"+plan.RetryStatuses+"}, resp.StatusCode)"
	if retry.MaxTime > 0 {
		last += " || time.Now().After(deadline)"
	}
	if r.c.AnyStatus(retry) {
		lasts = "resp.StatusCode < 400"
	} else {
		r.p.Use("slices")
	}
	fails := "err != nil && last"
	if !retry.Errors {
		r.p.Use("errors")
		r.p.Use("syscall")
		fails = "err != nil && (last || !errors.Is(err, syscall.ECONNREFUSED))"
	}
	r.p.Line("var resp *http.Response")
	r.p.Block("for attempt := 0; ; attempt++ {", func() {
		r.p.Line("resp, err = ", client, ".Do(req)")
		r.p.Line("last := ", last)
		r.p.Line("if ", fails, " {")
		r.fatal("err")
		r.p.Line("}")
		r.p.Block("if err == nil {", func() {
			r.p.Line("if last || ", lasts, " {")
			r.p.Line("\tbreak")
			r.p.Line("}")
			r.p.Line("resp.Body.Close()")
		})
		r.p.Line("}")
		r.wait(retry)
	})
	r.p.Line("}")
}

// goMethod returns the constant for a method, or its literal.
func goMethod(method string) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"}, method) {
		return "http.Method" + method[:1] + strings.ToLower(method[1:])
	}
	return strconv.Quote(method)
}

func (r *goRequest) headers() {
	seen := make(map[string]bool, len(r.c.Headers()))
	for _, f := range r.c.Headers() {
		lower := strings.ToLower(f.Name)
		switch {
		case lower == "host":
			r.p.Line("req.Host = ", r.goText(f.Value))
			if r.c.ProxyScheme() != "" && !r.c.Secure() {
				r.p.Line(`req.URL.Opaque = "//" + req.URL.Host + req.URL.EscapedPath() // what the proxy is asked for`)
			}
		case f.Derived() && f.Is("Authorization"):
			r.p.Line("req.SetBasicAuth(", r.goArgument(r.c.Basic.User), ", ", r.goArgument(r.c.Basic.Password), ")")
		case f.Derived():
		case lower == "user-agent" && f.Value.Source() == "":
			r.p.Line(`req.Header.Set("User-Agent", "") // not Go's own`)
			r.p.Line(`req.Header["user-agent"] = []string{""}`)
		case seen[lower]:
			r.p.Node("", emit.Group("req.Header.Add", "(", []emit.Node{emit.Leaf(goString(f.Name)), emit.Leaf(r.goArgument(f.Value))}, ")"), "")
		default:
			r.p.Node("", emit.Group("req.Header.Set", "(", []emit.Node{emit.Leaf(goString(f.Name)), emit.Leaf(r.goArgument(f.Value))}, ")"), "")
		}
		seen[lower] = true
	}
	if r.c.Removes("User-Agent") {
		r.p.Line(`req.Header.Set("User-Agent", "") // none, not even Go's own`)
	}
	if r.c.Content.Kind == plan.MultipartBody {
		r.p.Line(`req.Header.Set("Content-Type", form.FormDataContentType())`)
	}
	if r.c.Content.Kind == plan.FileBody && r.c.Content.File.Source() != "-" {
		if r.c.Follow() || r.c.Retries() > 0 {
			r.p.Use("io")
			r.p.Line("req.GetBody = func() (io.ReadCloser, error) { return os.Open(", r.goText(r.c.Content.File), ") }")
		}
		if !r.c.Chunked() {
			r.p.Line("req.ContentLength = info.Size()")
		}
	}
}

// client writes the statements that make a client and returns its variable.
func (r *goRequest) client() string {
	transport := r.transport()
	var items []emit.Node
	switch {
	case r.c.Digest != nil:
		r.digest(transport)
		items = append(items, emit.Leaf("Transport: digest"))
	case transport:
		items = append(items, emit.Leaf("Transport: transport"))
	}
	if jar := r.c.Jar(); jar != nil {
		items = append(items, emit.Leaf("Jar: "+jar.Named("jar")))
	}
	if r.c.Timeout() > 0 {
		r.p.Use("time")
		items = append(items, emit.Leaf("Timeout: "+duration(r.c.Timeout())))
	}
	if head, lines := r.checkRedirect(); len(lines) > 0 {
		r.p.Line("client := &http.Client{")
		for _, n := range items {
			r.p.Line("\t", alignKey(n.Head, items), ",")
		}
		r.p.Block("\tCheckRedirect: "+head+" error {", func() {
			for _, line := range lines {
				r.p.Line("\t", line)
			}
		})
		r.p.Line("\t},")
		r.p.Line("}")
		return "client"
	}
	jar := r.c.Jar()
	switch {
	case len(items) == 0:
		return "http.DefaultClient"
	case jar != nil && len(items) == 1 && !r.p.Options.Bare:
		r.shares = true
		return jar.Named("client")
	}
	r.p.Node("client := &", emit.Group("http.Client", "{", items, "}"), "")
	return "client"
}

// digest writes the statement that makes the transport which answers for Digest,
// around one of the program or the default.
func (r *goRequest) digest(own bool) {
	for _, name := range []string{"crypto/md5", "crypto/rand", "crypto/sha256", "fmt", "regexp", "strings"} {
		r.p.Use(name)
	}
	r.p.AnswerDigest("transport.go.txt")
	r.p.KeepsDigest(r.c)
	transport := "http.DefaultTransport"
	if own {
		transport = "transport"
	}
	arguments := []emit.Node{emit.Leaf(transport), emit.Leaf("req.URL.Host"), emit.Leaf(r.goText(r.c.Digest.User)), emit.Leaf(r.goText(r.c.Digest.Password))}
	r.p.Node("digest := ", emit.Group("digestTransport", "{", arguments, "}"), "")
}

// alignKey puts the value of a member of a client into the column of those of the others.
func alignKey(line string, members []emit.Node) string {
	name, value, _ := strings.Cut(line, ": ")
	longest := 0
	for _, m := range members {
		longest = max(longest, strings.IndexByte(m.Head, ':'))
	}
	return name + ": " + strings.Repeat(" ", longest-len(name)) + value
}

// duration writes a number of seconds.
func duration(seconds float64) string {
	if whole := int64(seconds); float64(whole) == seconds {
		if whole == 1 {
			return "time.Second"
		}
		return strconv.FormatInt(whole, 10) + " * time.Second"
	}
	return emit.Milliseconds(seconds) + " * time.Millisecond"
}

// transport writes the statements that make a transport where the default one
// will not do.
func (r *goRequest) transport() bool {
	var lines []string
	config := r.tlsConfig()
	if len(r.c.Cert()) > 0 {
		r.p.Use("crypto/tls")
		r.p.Line("certificate, err := tls.LoadX509KeyPair(", r.goArgument(r.c.Cert()), ", ", r.goArgument(r.c.CertKey()), ")")
		r.check()
		config = append(config, "Certificates: []tls.Certificate{certificate}")
	}
	if len(r.c.CaFile()) > 0 {
		r.p.Use("crypto/x509")
		r.p.Use("os")
		r.p.Line("pem, err := os.ReadFile(", r.goText(r.c.CaFile()), ")")
		r.check()
		r.p.Line("roots := x509.NewCertPool()")
		r.p.Line("roots.AppendCertsFromPEM(pem)")
		config = append(config, "RootCAs: roots")
	}
	if len(config) > 0 {
		r.p.Use("crypto/tls")
		lines = append(lines, "transport.TLSClientConfig = &tls.Config{"+strings.Join(config, ", ")+"}")
	}
	if r.c.ProxyScheme() != "" {
		r.p.Use("net/url")
		r.p.Line("proxy, err := url.Parse(", r.goText(r.c.ProxyURL()), ")")
		r.check()
		lines = append(lines, "transport.Proxy = http.ProxyURL(proxy)")
	}
	if r.c.Direct() {
		lines = append(lines, "transport.Proxy = nil")
	}
	if r.c.Removes("Accept-Encoding") || r.c.Empties("Accept-Encoding") {
		lines = append(lines, "transport.DisableCompression = true")
	}
	lines = append(lines, r.dial()...)
	if len(lines) == 0 {
		return false
	}
	r.p.Line("transport := http.DefaultTransport.(*http.Transport).Clone()")
	for _, l := range lines {
		r.p.Line(l)
	}
	return true
}

// tlsConfig returns the members of a configuration of TLS that need no file.
func (r *goRequest) tlsConfig() (config []string) {
	if r.c.Insecure() {
		config = append(config, "InsecureSkipVerify: true")
	}
	for _, o := range []struct{ name, member string }{{"MinVersion", "tlsMin"}, {"MaxVersion", "tlsMax"}} {
		if r.c.BoundsTLS(o.member) {
			config = append(config, o.name+": tls.VersionTLS1"+emit.Itoa(r.c.TLSPlace(o.member)))
		}
	}
	return config
}

// dial returns the statements that connect elsewhere than to the host of the URL,
// or with a time limit.
func (r *goRequest) dial() []string {
	dialer := "new(net.Dialer)"
	if r.c.ConnectTimeout() > 0 {
		r.p.Use("net")
		r.p.Use("time")
		dialer = "(&net.Dialer{Timeout: " + duration(r.c.ConnectTimeout()) + "})"
	}
	const function = "transport.DialContext = func(ctx context.Context, "
	host, port := r.c.Connection()
	switch {
	case len(r.c.UnixSocket()) > 0:
		r.p.Use("context")
		r.p.Use("net")
		return []string{function + "_, _ string) (net.Conn, error) {",
			"\treturn " + dialer + ".DialContext(ctx, \"unix\", " + r.goArgument(r.c.UnixSocket()) + ")", "}"}
	case host != "" && r.c.ProxyScheme() == "":
		r.c.Does("resolve", "connectTo")
		a, _ := r.c.Address()
		r.p.Use("context")
		r.p.Use("net")
		return []string{function + "network, address string) (net.Conn, error) {",
			"\tif address == " + goString(plan.JoinHostPort(strings.Trim(a.Host.Source(), "[]"), a.PortOr())) + " {",
			"\t\taddress = " + goString(plan.JoinHostPort(host, port)), "\t}",
			"\treturn " + dialer + ".DialContext(ctx, network, address)", "}"}
	}
	if r.c.ConnectTimeout() > 0 {
		return []string{"transport.DialContext = " + dialer + ".DialContext"}
	}
	return nil
}

// result writes what is done with the response.
func (r *goRequest) result() {
	r.c.Report(r.p.Options, func() {
		r.p.Line("if resp.StatusCode >= 400 {")
		if r.streams() {
			r.p.Line("\tresp.Body.Close()")
		}
		r.fails("resp.Status")
		r.p.Line("}")
	}, func() {
		r.p.Use("fmt")
		r.p.Use("os")
		r.p.Line("fmt.Println(resp.Proto, resp.Status)")
		r.p.Line("if err := resp.Header.Write(os.Stdout); err != nil {")
		r.fatal("err")
		r.p.Line("}")
	}, r.contentResult, r.writeOut)
}

// writeOut writes the statement that prints what -w asks for.
func (r *goRequest) writeOut() {
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.returns("")
		return
	}
	t := r.c.WriteOutLine(r.p.Options, "resp.StatusCode")
	if len(t) == 0 {
		return
	}
	r.p.Use("fmt")
	if len(t) == 1 {
		r.p.Line("fmt.Println(", r.goText(t), ")")
		return
	}
	format, arguments := t.Format("%d", emit.DoublePercent, r.goVariable)
	r.p.Line("fmt.Printf(", goString(format+"\n"), arguments, ")")
}

// contentResult writes what is done with the content of the response.
func (r *goRequest) contentResult() {
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.p.Use("io")
		r.p.Use("os")
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("if err := os.MkdirAll(", r.goArgument(folder), ", 0o750); err != nil {")
			r.fatal("err")
			r.p.Line("}")
		}
		if r.c.NamedByResponse() {
			r.nameOutput()
			r.p.Line("out, err := os.OpenFile(", r.goText(r.c.Output()), ", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)")
		} else {
			r.p.Line("out, err := os.Create(", r.goText(r.c.Output()), ")")
		}
		r.check()
		r.p.Line("defer out.Close()")
		r.copyTo("out")
	case plan.HeadersPrinted:
		r.returns("resp.Header")
		return
	case plan.ContentPrinted:
		r.give()
		return
	case plan.Captured:
		r.captures()
		return
	}
	if !r.c.ReturnsOnlyStatus(r.p.Options) {
		r.returns("")
	}
}

// status returns the expression for the status of the response.
func (r *goRequest) status() string {
	if r.isResty {
		return "resp.StatusCode()"
	}
	return "resp.StatusCode"
}

// nameOutput writes the statements that take the name of the file from the response.
func (r *goRequest) nameOutput() {
	r.p.Use("regexp")
	r.p.Line("outputName := ", r.goText(r.c.NameOutput("outputName")))
	r.p.Line("filename := regexp.MustCompile(`(?i)", plan.FilenamePattern, "`)")
	r.p.Line(`if match := filename.FindStringSubmatch(resp.Header.Get("Content-Disposition")); match != nil {`)
	r.p.Line(r.p.Indent, "outputName = match[1]")
	r.p.Line("}")
}

func (r *goRequest) copyTo(writer string) {
	r.p.Use("io")
	r.p.Line("if _, err := io.Copy(", writer, ", resp.Body); err != nil {")
	r.fatal("err")
	r.p.Line("}")
}

// goURL returns the URL, after the statements that guess its scheme where a
// variable may bring none.
func (r *goRequest) goURL() string {
	if pairs := r.c.TakeQuery(&plan.EncodeQuotePlus, areSorted); pairs != nil {
		r.values("query", pairs)
		r.c.ComputeQuery("query.Encode()")
	}
	if !r.c.Guess {
		return r.goArgument(r.c.URLText)
	}
	r.p.Use("strings")
	r.p.Line("endpoint := ", r.goText(r.c.URLText)) // url is a package
	r.p.Line(`if !strings.Contains(endpoint, "://") {`)
	r.p.Line("\tendpoint = \"http://\" + endpoint // as curl does")
	r.p.Line("}")
	return "endpoint"
}

// checkRedirect returns the head and the statements of the function that is asked
// at each redirect, where the client needs one.
func (r *goRequest) checkRedirect() (head string, lines []string) {
	const unnamed = "func(*http.Request, []*http.Request)"
	limit := r.c.MaxRedirects()
	switch {
	case r.c.Stops():
		return unnamed, []string{"return http.ErrUseLastResponse // curl had no -L"}
	case limit >= 0 && (limit != plan.CurlRedirects || r.c.Spreads()):
		r.p.Use("errors")
		lines = []string{"if len(via) > " + strconv.FormatInt(limit, 10) + " {", "\treturn errors.New(\"too many redirects\")", "}"}
	}
	next, note := "_", " // as --location-trusted does"
	for _, name := range []string{"Authorization", "Cookie"} {
		if r.c.Trusted() && r.c.Field(name) != nil {
			lines = append(lines, `next.Header["`+name+`"] = via[0].Header["`+name+`"]`+note)
			next, note = "next", ""
		}
	}
	switch {
	case len(lines) > 0:
		return "func(" + next + " *http.Request, via []*http.Request)", append(lines, "return nil")
	case limit < 0:
		return unnamed, []string{"return nil // as often as it takes"}
	}
	return "", nil
}
