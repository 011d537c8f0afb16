//go:build !nocode

package code

import (
	"strings"

	"uncoil/internal/ascii"
)

// What GNU Wget 1.21 does by itself, measured on the wire: it adds User-Agent,
// Accept, Accept-Encoding and Connection; sends a name once; writes methods in
// capitals; gives content the type of a form; takes dot segments out of paths
// and percent-encodes some characters; follows redirects and tries again unless
// told not to; ends with status 8 where the response is an error.
var wget = Target{
	Name: "wget", Language: "shell", Client: "Wget", Version: "1.21", Kind: Command, Extension: "sh",
	Aliases: []string{"shell-wget"}, Proven: true, style: shellStyle, write: writeWget,
	client: client{
		adds:    []string{"User-Agent", "Accept", "Accept-Encoding", "Connection"},
		fixed:   []string{"Transfer-Encoding"},
		always:  []string{"Accept", "Accept-Encoding", "Connection"},
		methods: capitals,
		loose:   true,
		typed:   true,
		dots:    true,
		digest:  true,
		eager:   true,
		anyAuth: true,
		says: []string{"followRedirects", "maxRedirects", "maxTime", "connectTimeout", "retry", "insecure", "cacert", "cert",
			"cookieJar", "noproxy"},
		proxies: []string{"http"},
		shares:  []string{"Authorization", "Cookie"},
	},
}

func writeWget(p *program) {
	p.join(p.sections(0, func(c *call, suffix string) {
		r := wgetRequest{shellCommand{program: p, call: c}}
		r.write("body" + suffix)
	}))
}

// A wgetRequest writes one call with Wget.
type wgetRequest struct{ shellCommand }

func (r *wgetRequest) write(variable string) {
	r.words = []string{"wget"}
	for i := range r.fields {
		if name := r.fields[i].name; strings.ContainsAny(name, " \t") {
			r.refuse("sends no field with a name such as " + name)
		}
	}
	r.destinationOptions()
	r.flag(!r.follow, "--max-redirect=0")
	if r.follow && r.maxRedirects >= 0 {
		r.number("--max-redirect", float64(r.maxRedirects))
	}
	r.number("--tries", float64(r.retries+1))
	r.flag(r.retries > 0, "--retry-on-http-error=408,429,500,502,503,504")
	r.exchange()
	made := r.content(variable)
	r.fieldOptions()
	r.items = append(r.items, r.shellWord(r.url))
	if !r.fail && !r.program.options.Bare {
		r.after = " || [ $? -eq 8 ] # 8: HTTP error"
	}
	r.command(nil)
	if made {
		r.line(`rm -- "$`, variable, `"`)
	}
}

func (r *wgetRequest) destinationOptions() {
	switch r.destination(r.program.options) {
	case toFile:
		r.flag(true, "-qO", r.shellWord(r.output))
	case headersPrinted:
		r.flag(true, "-qSO-")
	case contentPrinted:
		r.flag(true, "-qO-")
	case discarded:
		r.flag(true, "-qO", "/dev/null")
	}
	r.flag(!r.fail, "--content-on-error")
}

// exchange adds the options that shape the exchange.
func (r *wgetRequest) exchange() {
	if r.timeout > 0 {
		r.number("--timeout", r.timeout)
	}
	if r.connectTimeout > 0 {
		r.number("--connect-timeout", r.connectTimeout)
	}
	r.flag(r.insecure, "--no-check-certificate")
	r.flag(r.compressed, "--compression=auto")
	for _, o := range []struct {
		name  string
		value text
	}{{"--ca-certificate", r.caFile}, {"--certificate", r.cert}, {"--private-key", r.key}, {"--save-cookies", r.cookieJar}} {
		if len(o.value) > 0 {
			r.option(o.name, o.value)
		}
	}
	r.flag(len(r.cookieJar) > 0, "--keep-session-cookies")
	r.flag(r.direct(), "--no-proxy")
	if r.proxyScheme() != "" {
		for _, setting := range []string{"http_proxy=", "https_proxy="} {
			r.words = append(r.words, "--execute "+r.shellWord(prefixed(setting, r.proxyURL())))
		}
		if r.noProxy != "" {
			r.words = append(r.words, "--execute "+shellLiteral("no_proxy="+r.noProxy))
		}
	}
	if r.basic != nil {
		r.flag(true, "--auth-no-challenge")
		r.credentials(r.basic)
	}
	if r.digest != nil {
		r.credentials(r.digest)
	}
}

func (r *wgetRequest) credentials(c *credentials) {
	r.option("--user", c.user)
	r.option("--password", c.password)
}

// content adds the options for the method and the content; it reports whether
// it wrote a temporary file, whose name is in a variable.
func (r *wgetRequest) content(variable string) (made bool) {
	post := r.Method == "POST"
	if r.Method != "GET" && !(post && r.body.kind != noBody) || r.Method == "GET" && r.body.kind != noBody {
		r.option("--method", literal(r.Method))
		post = false
	}
	option := "--body-"
	if post {
		option = "--post-"
	}
	pieces := r.body.list
	switch r.body.kind {
	case noBody:
		return false
	case rawBody:
		if r.body.data.isText() && !holdsNUL(r.body.data) {
			r.items = append(r.items, option+"data="+r.shellWord(r.body.data))
			return false
		}
		pieces = []piece{{isText: true, text: r.body.data}}
	case fileBody:
		if r.body.file.source() != "-" {
			r.items = append(r.items, option+"file="+r.shellWord(r.body.file))
			return false
		}
		pieces = []piece{{file: r.body.file}}
	case multipartBody:
		var contentType string
		pieces, contentType = r.multipartPieces()
		r.fields = append(r.fields, field{name: "Content-Type", value: literal(contentType)})
	}
	name := `"$` + variable + `"`
	r.line(variable, "=$(mktemp)")
	r.together(r.shellPieces(pieces), " > "+name)
	r.items = append(r.items, option+"file="+name)
	return true
}

func (r *wgetRequest) fieldOptions() {
	var items []string
	for _, f := range r.joined() {
		switch {
		case f.derived, f.is("Content-Type") && f.value.source() == formType && r.body.kind != noBody:
		case f.is("User-Agent"):
			items = append(items, "--user-agent="+r.shellWord(f.value))
		case f.is("Referer") && f.value.source() != "":
			items = append(items, "--referer="+r.shellWord(f.value))
		default:
			items = append(items, "--header="+r.shellWord(prefixed(f.name+": ", f.value)))
		}
	}
	for _, name := range r.removed {
		if ascii.EqualFold(name, "User-Agent") {
			items = append(items, "--user-agent=")
		}
	}
	r.items = append(items, r.items...)
}
