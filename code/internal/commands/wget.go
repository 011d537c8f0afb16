package commands

import (
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/code/internal/posix"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
)

// What GNU Wget 1.21 does by itself, measured on the wire: it adds User-Agent,
// Accept, Accept-Encoding and Connection; sends a name once; writes methods in
// capitals; gives content the type of a form; takes dot segments out of paths
// and percent-encodes some characters; follows redirects and tries again unless
// told not to; ends with status 8 where the response is an error. It answers a challenge
// with credentials of ~/.netrc, takes options from ~/.wgetrc, and asks hosts in
// ~/.wget-hsts by https.
var Wget = plan.Target{
	Name: "wget", Convention: plan.Format("shell"), Client: "Wget", Version: "1.21", Kind: plan.Command, Extension: "sh",
	Aliases: []string{"shell-wget"}, Proven: true, Style: posix.ShellStyle, Write: writeWget,
	Facts: plan.Client{
		Netrc:     true,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		Wire:      plan.Wire{Order: "Referer User-Agent Accept Accept-Encoding +Authorization Connection Content-Type *", Names: plan.FieldNames{"User-Agent", "Referer"}, Percents: true, Path: "\"<>^`{|}", Query: "\"<>^`{|}\\é", Lowers: true, Follows: true},
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesNoChunks), plan.SendsMethods(plan.Capitals), plan.TypesContent, plan.RemovesDots},
		Always:    plan.FieldNames{"Accept", "Accept-Encoding", "Connection"},
		Loose:     true,
		Digest:    true,
		Eager:     true,
		AnyAuth:   true,
		JarFiles:  true,
		After:     []string{"cookies", "fails"},
		EmptyHost: true,
		Proxies:   []string{"http"},
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
	},
}

func writeWget(p *plan.Program) {
	p.Join(p.Sections(0, func(c *plan.Call, suffix string) {
		r := wgetRequest{posix.ShellCommand{P: p, C: c}}
		r.write("body" + suffix)
	}))
}

// A wgetRequest writes one call with Wget.
type wgetRequest struct{ posix.ShellCommand }

func (r *wgetRequest) write(variable string) {
	r.Words = []string{"wget"}
	exact, fails := r.P.Exact(), r.C.Fail() // with 8
	r.Flag(exact, "--no-config")
	r.Flag(exact && r.C.Basic == nil && r.C.Digest == nil && !r.C.ReadsNetrc(), "--no-netrc")
	r.Flag(exact && (!r.C.Secure() || r.C.Follow()), "--no-hsts")
	for i := range r.C.Given() {
		if f := &r.C.Given()[i]; strings.ContainsAny(f.Name, " \t") {
			r.P.RefuseName(f.At, "sends no field with such a name", f.Name)
		}
	}
	r.destinationOptions()
	r.Flag(r.C.Stops(), "--max-redirect=0")
	if r.C.Follow() && r.C.LimitsRedirects() {
		r.Number("--max-redirect", float64(r.C.RedirectLimit()))
	}
	if exact || r.C.Retries() > 0 {
		r.Number("--tries", float64(r.C.Retries()+1))
	}
	r.Flag(r.C.Retries() > 0, "--retry-on-http-error="+strings.ReplaceAll(plan.RetryStatuses, " ", ""))
	if r.C.Retries() > 0 {
		r.Flag(r.C.On("retryConnrefused"), "--retry-connrefused")
		if delay, _ := r.C.Member("retryDelay").(float64); delay > 0 { // else one second, two, and so on up to ten
			r.Number("--wait", delay)
			r.Flag(true, "--waitretry=0")
		}
	}
	if r.C.Retries() > 0 && !r.C.Fail() {
		r.P.Differs("prints no answer that asks for another try, and fails when all have failed")
		r.P.Diags[len(r.P.Diags)-1].Option = "--retry"
	}
	r.exchange()
	made := r.content(variable)
	r.fieldOptions()
	r.Items = append(r.Items, posix.ShellWord(r.P, r.C.URLText))
	switch {
	case r.C.KeepsFile(r.P.Options) && !r.named(): // Wget empties the file of -O before it sends the request
		r.After = posix.MovePart(r.P, r.C)
	case exact && !fails && !r.P.Options.Bare && !strings.Contains(r.After, "|"):
		r.After += " || case $? in 6|8) ;; *) false ;; esac # 6: 401, 8: HTTP error"
	}
	r.Command(nil)
	if made {
		r.P.Line(`rm -- "$`, variable, `"`)
	}
}

// named reports whether Wget lets the response name the file, and else takes the name that -O
// does: with a query, it is another.
func (r *wgetRequest) named() bool {
	parts := urlparts.Of(r.C.URL)
	return r.C.NamedByResponse() && !r.C.Has("outputDir") && parts.Query == len(r.C.URL) && !strings.HasSuffix(r.C.URL, "/")
}

func (r *wgetRequest) destinationOptions() {
	switch r.C.Destination(r.P.Options) {
	case plan.ToFile:
		if r.named() {
			r.C.Output()
			r.C.Does("remoteHeaderName")
			r.Flag(true, "-q")
			r.Flag(true, "--content-disposition")
			break
		}
		posix.MakeShellFolder(r.P, r.C)
		r.Flag(r.C.Resumes(), "-c")
		output := r.C.Output()
		if r.C.KeepsFile(r.P.Options) {
			output = r.C.PartOutput()
		}
		r.Flag(true, "-qO", posix.ShellWord(r.P, output))
		r.Flag(r.C.Method != "HEAD" && r.C.SavesHead(r.P.Options), "--save-headers")
	case plan.HeadersPrinted:
		r.Flag(true, "-qSO-")
		r.After = " 2>&1"
	case plan.ContentPrinted:
		r.Flag(true, "-qO-")
		r.Flag(!r.C.Asked.Fail && r.C.PrintsHead(r.P.Options), "--save-headers")
	case plan.Discarded:
		switch {
		case r.C.PrintsStatusOnly(r.P.Options):
			r.Flag(true, "-qSO", "/dev/null")
			r.After = ` 2>&1 | awk '/^ *HTTP\// { status = $2 } END { print status }'`
		case r.C.PrintsHead(r.P.Options):
			r.Flag(true, "-qSO", "/dev/null")
			r.After = " 2>&1"
		default:
			r.Flag(true, "-qO", "/dev/null")
		}
	}
	file := r.C.Destination(r.P.Options) == plan.ToFile // which has the content of an error, too
	reads := (file || r.P.Exact()) && !r.C.Fail() || r.C.FailsLate() || !r.C.Fail() && r.C.LooksAtHead() && r.C.Destination(r.P.Options) == plan.ContentPrinted
	r.Flag(reads && r.C.Retries() == 0, "--content-on-error") // a second try would go on after the content of the first
}

// loadCookies adds the file of cookies that was not supplied: cookies.c in Wget 1.21.
// Wget takes the last of several, and a field Cookie in place of all.
func (r *wgetRequest) loadCookies() {
	switch {
	case len(r.C.CookieFiles()) > 1:
		r.P.RefuseAt(r.C.Place("cookieFiles"), "reads one file of cookies")
	case len(r.C.CookieFiles()) == 1 && r.C.Field("Cookie") != nil:
		r.P.RefuseAt(r.C.Place("cookieFiles"), "sends the field Cookie in place of cookies of a file")
	case len(r.C.CookieFiles()) == 1:
		if !r.C.ReadsOwn() {
			r.P.CannotAt(r.C.Place("cookieFiles"), "reads cookies in the format of Netscape only, and none that are marked HttpOnly", "curl reads these, and the fields of a response")
		}
		r.Option("--load-cookies", r.C.CookieFiles()[0])
	}
}

// exchange adds the options that shape the exchange.
func (r *wgetRequest) exchange() {
	if r.C.Timeout() > 0 {
		r.Number("--timeout", r.C.Timeout())
	}
	if r.C.ConnectTimeout() > 0 {
		r.Number("--connect-timeout", r.C.ConnectTimeout())
	}
	r.loadCookies()
	r.Flag(r.C.Insecure(), "--no-check-certificate")
	if version := r.C.TLSVersion("tlsMin"); version != "" && r.C.Encrypts {
		r.Flag(true, "--secure-protocol=TLSv"+strings.TrimSuffix(version, "_0")) // and later ones; TLSv1 is 1.0
	}
	r.Flag(r.C.Compressed(), "--compression=auto")
	for _, o := range []struct {
		name  string
		value plan.Text
	}{{"--ca-certificate", r.C.CaFile()}, {"--certificate", r.C.Cert()}, {"--private-key", r.C.Key()}, {"--save-cookies", r.C.CookieJar()}} {
		if len(o.value) > 0 {
			r.Option(o.name, o.value)
		}
	}
	if len(r.C.Cert()) > 0 { // of other forms it knows none
		r.Flag(r.C.CertType("PEM", "DER") == "DER", "--certificate-type=DER")
		r.Flag(len(r.C.Key()) > 0 && r.C.KeyType("PEM", "DER") == "DER", "--private-key-type=DER")
	}
	r.Flag(len(r.C.CookieJar()) > 0, "--keep-session-cookies")
	r.Flag(r.C.Direct(), "--no-proxy")
	if r.C.ProxyScheme() != "" {
		for _, setting := range []string{"http_proxy=", "https_proxy="} {
			r.Words = append(r.Words, "--execute "+posix.ShellWord(r.P, plan.Prefixed(setting, r.C.ProxyURL())))
		}
	}
	if r.C.NoProxy() != "" && !r.C.Direct() {
		r.Words = append(r.Words, "--execute "+posix.ShellLiteral("no_proxy="+r.C.NoProxy()))
	}
	if version, _ := r.C.Member("ipVersion").(int64); version > 0 {
		r.Flag(true, "-"+emit.Itoa(int(version)))
	}
	if rate, _ := r.C.Member("limitRate").(int64); rate > 0 {
		r.Flag(true, "--limit-rate="+strconv.FormatInt(rate, 10))
	}
	switch {
	case r.C.Basic != nil:
		r.Flag(true, "--auth-no-challenge")
		r.credentials(r.C.Basic)
	case r.C.ReadsNetrc(): // which it does by itself, but sends them when the server asks
		r.Flag(true, "--auth-no-challenge")
	}
	if r.C.Digest != nil {
		r.credentials(r.C.Digest)
	}
}

func (r *wgetRequest) credentials(c *plan.Credentials) {
	r.Option("--user", c.User)
	r.Option("--password", c.Password)
}

// content adds the options for the method and the content; it reports whether
// it wrote a temporary file, whose name is in a variable.
func (r *wgetRequest) content(variable string) (made bool) {
	post := r.C.Method == "POST"
	if r.C.Method != "GET" && !(post && r.C.Content.Kind != plan.NoBody) || r.C.Method == "GET" && r.C.Content.Kind != plan.NoBody {
		r.Option("--method", plan.Literal(r.C.Method))
		post = false
	}
	option := "--body-"
	if post {
		option = "--post-"
	}
	pieces := r.C.Content.List
	switch r.C.Content.Kind {
	case plan.NoBody:
		return false
	case plan.RawBody:
		if r.C.Content.Data.IsText() && !posix.HoldsNUL(r.C.Content.Data) {
			r.Items = append(r.Items, option+"data="+posix.ShellWord(r.P, r.C.Content.Data))
			return false
		}
		pieces = []plan.Piece{{IsText: true, Text: r.C.Content.Data}}
	case plan.FileBody:
		if r.C.Content.File.Source() != "-" {
			r.Items = append(r.Items, option+"file="+posix.ShellWord(r.P, r.C.Content.File))
			return false
		}
		pieces = []plan.Piece{{File: r.C.Content.File}}
	case plan.MultipartBody:
		pieces = r.C.RawForm()
	}
	name := `"$` + variable + `"`
	r.P.Line(variable, "=$(mktemp)")
	posix.Together(r.P, posix.ShellPieces(r.P, pieces), " > "+name)
	r.Items = append(r.Items, option+"file="+name)
	return true
}

func (r *wgetRequest) fieldOptions() {
	var items []string
	for _, f := range r.C.Joined() {
		switch {
		case f.Derived(), f.Is("Content-Type") && f.Value.Source() == plan.FormType && r.C.Content.Kind != plan.NoBody:
		case f.Is("User-Agent") && f.Value.Source() != "": // which an empty one leaves out
			items = append(items, "--user-agent="+posix.ShellWord(r.P, f.Value))
		case f.Is("Referer") && f.Value.Source() != "":
			items = append(items, "--referer="+posix.ShellWord(r.P, f.Value))
		default:
			items = append(items, "--header="+posix.ShellWord(r.P, plan.Prefixed(f.Name+": ", f.Value)))
		}
	}
	for _, name := range r.C.Withheld {
		if ascii.EqualFold(name, "User-Agent") {
			items = append(items, "--user-agent=")
		}
	}
	r.Items = append(items, r.Items...)
}
