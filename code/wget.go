package code

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// What GNU Wget 1.21 does by itself, measured on the wire: it adds User-Agent,
// Accept, Accept-Encoding and Connection; sends a name once; writes methods in
// capitals; gives content the type of a form; takes dot segments out of paths
// and percent-encodes some characters; follows redirects and tries again unless
// told not to; ends with status 8 where the response is an error. It answers a challenge
// with credentials of ~/.netrc, takes options from ~/.wgetrc, and asks hosts in
// ~/.wget-hsts by https.
var wget = Target{
	Name: "wget", Language: "shell", Client: "Wget", Version: "1.21", Kind: Command, Extension: "sh",
	Aliases: []string{"shell-wget"}, Proven: true, style: shellStyle, write: writeWget,
	client: client{
		netrc:     true,
		adds:      fieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		codings:   namesNoChunks,
		always:    fieldNames{"Accept", "Accept-Encoding", "Connection"},
		methods:   capitals,
		loose:     true,
		typed:     true,
		dots:      true,
		digest:    true,
		eager:     true,
		anyAuth:   true,
		after:     []string{"cookies", "fails"},
		emptyHost: true,
		says: []string{"createDirs", "followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert", "tlsMin",
			"cookieJar", "cookieFiles", "noproxy", "continueAt"},
		proxies: []string{"http"},
		shares:  fieldNames{"Authorization", "Cookie"},
	},
}

func writeWget(p *program) {
	p.join(p.sections(0, func(c *call, suffix string) {
		r := wgetRequest{shellCommand{p: p, c: c}}
		r.write("body" + suffix)
	}))
}

// A wgetRequest writes one call with Wget.
type wgetRequest struct{ shellCommand }

func (r *wgetRequest) write(variable string) {
	r.words = []string{"wget", "--no-config"}
	r.flag(r.c.basic == nil && r.c.digest == nil, "--no-netrc")
	r.flag(!r.c.secure() || r.c.follow, "--no-hsts")
	for i := range r.c.fields {
		if f := &r.c.fields[i]; strings.ContainsAny(f.name, " \t") {
			r.p.refuseName(f.at, "sends no field with such a name", f.name)
		}
	}
	r.destinationOptions()
	r.flag(!r.c.follow, "--max-redirect=0")
	if r.c.follow {
		r.number("--max-redirect", float64(r.c.redirectLimit()))
	}
	r.number("--tries", float64(r.c.retries+1))
	r.flag(r.c.retries > 0, "--retry-on-http-error="+strings.ReplaceAll(retryStatuses, " ", ""))
	if r.c.retries > 0 && !r.c.fail {
		r.p.differs("prints no answer that asks for another try, and fails when all have failed")
		r.p.diags[len(r.p.diags)-1].Option = "--retry"
	}
	r.exchange()
	made := r.content(variable)
	r.fieldOptions()
	r.items = append(r.items, r.p.shellWord(r.c.url))
	if !r.c.fail && !r.p.options.Bare {
		r.after = " || case $? in 6|8) ;; *) false ;; esac # 6: 401, 8: HTTP error"
	}
	r.command(nil)
	if made {
		r.p.line(`rm -- "$`, variable, `"`)
	}
}

func (r *wgetRequest) destinationOptions() {
	switch r.c.destination(r.p.options) {
	case toFile:
		r.p.makeShellFolder(r.c)
		r.flag(r.c.resumes(), "-c")
		r.flag(true, "-qO", r.p.shellWord(r.c.output))
	case headersPrinted:
		r.flag(true, "-qSO-")
	case contentPrinted:
		r.flag(true, "-qO-")
	case discarded:
		r.flag(true, "-qO", "/dev/null")
	}
	r.flag(!r.c.fail && r.c.retries == 0, "--content-on-error") // a second try would go on after the content of the first
}

// loadCookies adds the file of cookies that was not supplied: cookies.c in Wget 1.21.
// Wget takes the last of several, and a field Cookie in place of all.
func (r *wgetRequest) loadCookies() {
	switch {
	case len(r.c.cookieFiles) > 1:
		r.p.refuseAt(r.c.place("cookieFiles"), "reads one file of cookies")
	case len(r.c.cookieFiles) == 1 && r.c.field("Cookie") != nil:
		r.p.refuseAt(r.c.place("cookieFiles"), "sends the field Cookie in place of cookies of a file")
	case len(r.c.cookieFiles) == 1:
		r.p.cannotAt(r.c.place("cookieFiles"), "reads cookies in the format of Netscape only, and none that are marked HttpOnly", "curl reads these, and the fields of a response")
		r.option("--load-cookies", r.c.cookieFiles[0])
	}
}

// exchange adds the options that shape the exchange.
func (r *wgetRequest) exchange() {
	if r.c.timeout > 0 {
		r.number("--timeout", r.c.timeout)
	}
	if r.c.connectTimeout > 0 {
		r.number("--connect-timeout", r.c.connectTimeout)
	}
	r.loadCookies()
	r.flag(r.c.insecure, "--no-check-certificate")
	if version := r.c.tlsVersion("tlsMin"); version != "" && r.c.encrypts {
		r.flag(true, "--secure-protocol=TLSv"+strings.TrimSuffix(version, "_0")) // and later ones; TLSv1 is 1.0
	}
	r.flag(r.c.compressed, "--compression=auto")
	for _, o := range []struct {
		name  string
		value text
	}{{"--ca-certificate", r.c.caFile}, {"--certificate", r.c.cert}, {"--private-key", r.c.key}, {"--save-cookies", r.c.cookieJar}} {
		if len(o.value) > 0 {
			r.option(o.name, o.value)
		}
	}
	r.flag(len(r.c.cookieJar) > 0, "--keep-session-cookies")
	r.flag(r.c.direct(), "--no-proxy")
	if r.c.proxyScheme() != "" {
		for _, setting := range []string{"http_proxy=", "https_proxy="} {
			r.words = append(r.words, "--execute "+r.p.shellWord(prefixed(setting, r.c.proxyURL())))
		}
	}
	if r.c.noProxy != "" && !r.c.direct() {
		r.words = append(r.words, "--execute "+shellLiteral("no_proxy="+r.c.noProxy))
	}
	if r.c.basic != nil {
		r.flag(true, "--auth-no-challenge")
		r.credentials(r.c.basic)
	}
	if r.c.digest != nil {
		r.credentials(r.c.digest)
	}
}

func (r *wgetRequest) credentials(c *credentials) {
	r.option("--user", c.user)
	r.option("--password", c.password)
}

// content adds the options for the method and the content; it reports whether
// it wrote a temporary file, whose name is in a variable.
func (r *wgetRequest) content(variable string) (made bool) {
	post := r.c.Method == "POST"
	if r.c.Method != "GET" && !(post && r.c.body.kind != noBody) || r.c.Method == "GET" && r.c.body.kind != noBody {
		r.option("--method", literal(r.c.Method))
		post = false
	}
	option := "--body-"
	if post {
		option = "--post-"
	}
	pieces := r.c.body.list
	switch r.c.body.kind {
	case noBody:
		return false
	case rawBody:
		if r.c.body.data.isText() && !holdsNUL(r.c.body.data) {
			r.items = append(r.items, option+"data="+r.p.shellWord(r.c.body.data))
			return false
		}
		pieces = []piece{{isText: true, text: r.c.body.data}}
	case fileBody:
		if r.c.body.file.source() != "-" {
			r.items = append(r.items, option+"file="+r.p.shellWord(r.c.body.file))
			return false
		}
		pieces = []piece{{file: r.c.body.file}}
	case multipartBody:
		pieces = r.c.rawForm()
	}
	name := `"$` + variable + `"`
	r.p.line(variable, "=$(mktemp)")
	r.p.together(r.p.shellPieces(pieces), " > "+name)
	r.items = append(r.items, option+"file="+name)
	return true
}

func (r *wgetRequest) fieldOptions() {
	var items []string
	for _, f := range r.c.joined() {
		switch {
		case f.derived, f.is("Content-Type") && f.value.source() == formType && r.c.body.kind != noBody:
		case f.is("User-Agent") && f.value.source() != "": // which an empty one leaves out
			items = append(items, "--user-agent="+r.p.shellWord(f.value))
		case f.is("Referer") && f.value.source() != "":
			items = append(items, "--referer="+r.p.shellWord(f.value))
		default:
			items = append(items, "--header="+r.p.shellWord(prefixed(f.name+": ", f.value)))
		}
	}
	for _, name := range r.c.removed {
		if ascii.EqualFold(name, "User-Agent") {
			items = append(items, "--user-agent=")
		}
	}
	r.items = append(items, r.items...)
}
