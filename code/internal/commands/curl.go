package commands

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// The request as a curl command again, in the shells that people use, and as a
// file of options (curl 8.22 docs/cmdline-opts/config.md). Each option is the
// one that the request came from where curl has several for a thing, because
// its fields then keep their order.
var (
	Curl           = curlTarget("curl", "sh", "sh", posixWords, "curl-sh", "curl-bash", "bash", "sh", "shell")
	CurlFish       = curlTarget("curl-fish", "fish", "fish", fishWords, "fish")
	CurlCmd        = curlTarget("curl-cmd", "cmd", "txt", cmdWords, "cmd") // a batch file would read % otherwise
	CurlBatch      = curlTarget("curl-batch", "batch", "bat", batchWords, "batch", "bat")
	CurlPowerShell = curlTarget("curl-powershell", "powershell", "ps1", powerShellWords)
	CurlConfig     = curlTarget("curl-config", "curlrc", "curlrc", configWords, "curlrc")
)

func curlTarget(name, language, extension string, w *words, aliases ...string) plan.Target {
	why := ""
	if w == cmdWords || w == batchWords || w == powerShellWords {
		why = "the project's own reader of the shell reads them; no Windows has run them"
	}
	return plan.Target{
		Name: name, Convention: plan.Format(language), Client: "curl", Version: "8.3", Kind: plan.Command, Extension: extension, Aliases: aliases,
		Proven: why == "", Why: why, // by the shells and curl, in internal/proof/oracle
		Style: emit.Style{Indent: "  ", Comment: w.comment}, Facts: plan.Client{Everything: true},
		Write: func(p *plan.Program) { writeCurl(p, w) }, Takes: w.takes, Heads: w.takes != nil, Catches: w.takes != nil, Runs: w.takes != nil,
	}
}

func writeCurl(p *plan.Program, w *words) {
	oldWay, warned := false, false // PowerShell passes arguments the old way, and a warning says that 5.1 has no new one
	sections := p.Sections(0, func(c *plan.Call, _ string) {
		assignments(p, c)
		from := len(p.Dst)
		r := curlCommand{p: p, c: c, words: w}
		r.read()
		r.keepsQuiet()
		quotes := w == powerShellWords && slices.ContainsFunc(r.options, func(o curlOption) bool { return o.argument != nil && differsByVersion(o.argument) })
		varies := quotes && slices.ContainsFunc(r.options, func(o curlOption) bool { return plan.HasVariable(o.argument) }) // with quotes, perhaps
		switch {
		case w.write != nil:
			w.write(p, r.options)
		case quotes && !varies:
			if !oldWay {
				p.Line(passesOldWay)
			}
			oldWay = true
			powerShellOldWords.command(p, r.input, r.options)
		default:
			if varies && oldWay {
				p.Line(passesNewWay)
				oldWay = false
			}
			if varies && !warned {
				warned = true
				p.Cannot("gets no double quotes and no empty arguments from Windows PowerShell 5.1", "the command is for PowerShell 7.3 and later")
				p.Comment("For PowerShell 7.3 and later: Windows PowerShell 5.1 passes these quotes otherwise.")
			}
			w.command(p, r.input, r.options)
		}
		captured(p, c, from)
		if w.takes != nil {
			turned(p, c, from)
		}
	})
	if w.batch && !p.Options.Bare {
		p.Line("@echo off")
		if slices.ContainsFunc(sections, func(s []byte) bool { return bytes.IndexFunc(s, isBeyondASCII) >= 0 }) {
			p.Line("chcp 65001 >nul") // it reads the file as UTF-8 from here on
		}
	}
	for i, s := range sections {
		if i > 0 {
			p.Line(w.between...)
		}
		p.Dst = append(p.Dst, s...)
	}
}

func isBeyondASCII(r rune) bool { return r > unicode.MaxASCII }

// A curlOption is an option as it is written: its long name without dashes,
// and its argument.
type curlOption struct {
	*curl.Option
	off      bool // --no-…
	argument plan.Text
}

// A curlCommand collects the options that make one request.
type curlCommand struct {
	p       *plan.Program
	c       *plan.Call
	words   *words
	options []curlOption
	input   string // what curl reads from standard input
	json    bool   // the content is that of --json
	// jsonFields are fields of -H that --json sends as well.
	jsonFields []*request.Field
}

// add adds an option by its long name.
func (r *curlCommand) add(long string, argument plan.Text) {
	o := curl.Lookup(long)
	if o == nil {
		panic("curl has no option " + long)
	}
	r.options = append(r.options, curlOption{Option: o, argument: argument})
}

func (r *curlCommand) set(long string) { r.add(long, nil) }

// read turns the request into options.
func (r *curlCommand) read() {
	r.json = r.jsoned()
	body := r.bodyOptions()
	r.urlOptions()
	r.methodOption(body)
	r.authOptions()
	r.fieldOptions()
	r.options = append(r.options, body...)
	for _, o := range r.c.Options {
		r.exchangeOption(o)
	}
}

// urlOptions adds the URL. What a variable holds goes into the query encoded
// where curl encoded it, and so does other text where that is shorter.
func (r *curlCommand) urlOptions() {
	url, pairs := r.c.URLText, []plan.Text(nil)
	if cut := r.queryCut(); cut >= 0 {
		url, pairs = r.c.URLText.Cut(0, cut), r.c.URLText.Cut(cut+1, len(r.c.URL)).Split('&')
	}
	r.add("url", url)
	if strings.ContainsAny(url.Literals(), "[]{}") {
		r.set("globoff")
	}
	if plan.DotSegments(url.Source()) {
		r.set("path-as-is")
	}
	if r.c.Target != "" {
		r.add("request-target", r.c.TargetText())
	}
	get := r.c.Content.Kind == plan.NoBody // then -G makes a query of data
	if get && len(pairs) > 0 {
		r.set("get")
	}
	for _, pair := range pairs {
		switch content, ok := r.encodedPair(pair); {
		case get && ok:
			r.add("data-urlencode", content)
		case get:
			r.dataOption(pair)
		case ok:
			r.add("url-query", content)
		default:
			r.add("url-query", plan.Prefixed("+", pair))
		}
	}
}

// queryCut returns where the part of the URL begins that is better said by
// options: at ? or &. It returns -1 without such a part.
func (r *curlCommand) queryCut() int {
	source := r.c.URL
	for i := range r.c.URLText {
		if r.c.URLText[i].Encoded() {
			cut := strings.LastIndexAny(source[:len(r.c.URLText[:i].Source())], "?&")
			if cut < 0 {
				r.p.Refuse("writes no encoded variable outside of a query")
			}
			return cut
		}
	}
	escape := strings.IndexByte(source, '%')
	start := strings.IndexByte(source, '?')
	if escape < 0 || start < 0 {
		return -1
	}
	cut := max(start, strings.LastIndexAny(source[:max(escape, start)], "?&"))
	width := len(" -G")
	for _, pair := range r.c.URLText.Cut(cut+1, len(source)).Split('&') {
		content, ok := r.encodedPair(pair)
		if !ok {
			content = pair
		}
		width += len(" --data-urlencode ''") + len(content.Source())
	}
	if width >= len(source)-cut {
		return -1
	}
	return cut
}

// encodedPair returns name=content for --data-urlencode, where that makes the
// pair, and the content holds what curl encodes.
func (r *curlCommand) encodedPair(pair plan.Text) (content plan.Text, ok bool) {
	if pair.Bare() {
		return plan.Decoded(pair), true
	}
	source := pair.Source()
	name, _, found := strings.Cut(source, "=")
	value := pair.Cut(len(name)+1, len(source))
	variable := slices.ContainsFunc(value, func(p plan.Part) bool { return p.Encoded() })
	if !found || !variable && !strings.Contains(value.Literals(), "%") || strings.Contains(name, "@") {
		return nil, false
	}
	plain := plan.FormDecoded(value)
	again, ok := plan.EncodeQuotePlus.Append(nil, plain)
	switch ok = ok && string(again) == value.Source(); {
	case !ok && variable:
		r.p.Refuse("encodes what stands beside a variable in another way")
	case !variable && strings.IndexFunc(plain.Source(), unicode.IsControl) >= 0:
		return nil, false
	}
	return plan.MergeLiterals(slices.Concat(pair.Cut(0, len(name)), plan.Literal("="), plan.Decoded(plain))), ok || variable
}

// methodOption adds the method, unless curl would use it anyway, also when it is
// redirected.
func (r *curlCommand) methodOption(body []curlOption) {
	implied := "GET"
	for i := range body {
		switch body[i].Long {
		case "upload-file":
			implied = "PUT"
		case "json", "data", "data-raw", "data-binary", "data-urlencode", "form", "form-string":
			implied = "POST"
		}
	}
	switch {
	case r.c.Method == implied && !r.c.KeepsMethod():
	case r.c.Method == "HEAD" && implied == "GET":
		r.set("head")
	default:
		r.add("request", r.c.Text(r.c.Method, reqtext.At(request.MemberMethod, 0)))
	}
}

// authOptions adds credentials. Those of Bearer and Basic are fields, too, but
// with options of their own curl keeps them from other hosts.
func (r *curlCommand) authOptions() {
	a := r.c.Auth
	if a == nil {
		return
	}
	switch a.Scheme {
	case "basic":
	case "bearer":
		r.add("oauth2-bearer", r.c.Text(a.Token, reqtext.At(request.MemberToken, 0)))
		return
	case "any":
		r.schemes(a.Schemes)
	case "aws-sigv4":
		r.add("aws-sigv4", r.c.AwsSigV4())
	case "http-signature":
		r.p.Refuse("writes no HTTP signatures")
	default:
		r.set(a.Scheme)
	}
	user := r.c.Text(a.Username, reqtext.At(request.MemberUsername, 0))
	if strings.Contains(user.Literals(), ":") && a.Scheme != "basic" { // Basic sends both as one
		r.p.Refuse("takes no user name with a colon")
	}
	if !a.Whole {
		user = slices.Concat(user, plan.Literal(":"), r.c.Text(a.Password, reqtext.At(request.MemberPassword, 0)))
	}
	r.add("user", plan.MergeLiterals(user))
}

// schemes adds the ways to authenticate among which the server chooses.
func (r *curlCommand) schemes(names []string) {
	for _, name := range names {
		if !slices.Contains(serverSchemes, name) {
			r.p.RefuseName(r.c.Auth.Span, "lacks what this way to authenticate needs when the server chooses", name)
			return
		}
	}
	if len(names) == len(serverSchemes) {
		names = []string{"anyauth"}
	}
	for _, name := range names {
		r.set(name)
	}
}

// serverSchemes are the ways that --anyauth stands for.
var serverSchemes = []string{"basic", "digest", "ntlm", "negotiate"}

// fieldOptions adds the header fields.
func (r *curlCommand) fieldOptions() {
	for i := range r.c.Fields {
		f := &r.c.Fields[i]
		if f.Origin != request.OriginDefault {
			r.fieldOption(f, i)
		}
	}
	for i := range r.c.Missing {
		name := r.c.Text(r.c.Missing[i].Name, reqtext.At(request.MemberMissing, i))
		switch r.c.Missing[i].Role {
		case "etag":
			r.add("etag-compare", name)
		case "headers":
			r.add("header", plan.Prefixed("@", name))
		}
	}
	for i, name := range r.c.Removed {
		r.add("header", plan.MergeLiterals(append(slices.Clone(r.c.Text(name, reqtext.At(request.MemberRemoved, i))), plan.Part{Literal: ":"})))
	}
	for _, name := range []string{"Host", "User-Agent", "Accept"} { // with -A '' and the like
		if r.sent(name) == nil && !r.c.Removes(name) {
			r.add("header", plan.Literal(name+":"))
		}
	}
}

// sent returns the field of a name, also one that curl adds.
func (r *curlCommand) sent(name string) *request.Field {
	for i := range r.c.Fields {
		if ascii.EqualFold(r.c.Fields[i].Name, name) {
			return &r.c.Fields[i]
		}
	}
	return nil
}

// autoReferer is the end of a value of -e with which curl names the URL before in
// Referer when it is redirected.
const autoReferer = ";auto"

// ownOptions are the options that set one field, and nothing else.
var ownOptions = []struct{ field, option string }{{"User-Agent", "user-agent"}, {"Referer", "referer"}, {"Cookie", "cookie"}}

func (r *curlCommand) fieldOption(f *request.Field, i int) {
	if r.json && f.From == "--json" || slices.Contains(r.jsonFields, f) {
		return
	}
	value := r.c.Text(f.Value, reqtext.At(request.MemberFieldValue, i))
	if f.Origin == request.OriginImplied {
		for _, own := range ownOptions {
			if ascii.EqualFold(f.Name, own.field) && (own.option != "cookie" || strings.Contains(value.Source(), "=") || plan.HasVariable(value)) {
				if own.option == "referer" && r.c.Member("autoReferer") != nil {
					value = append(value, plan.Part{Literal: autoReferer})
				}
				r.add(own.option, value)
				return
			}
		}
		switch {
		case f.Name == "Authorization" && r.c.Auth != nil, f.From == "--compressed", r.c.Member("continueAt") != nil && (f.From == "-C" || f.From == "--continue-at"),
			f.Name == "Content-Type" && r.impliedType(f):
			return
		case f.From == "--tr-encoding":
			r.set("tr-encoding")
			return
		case f.Name == "Range" && strings.HasPrefix(f.Value, "bytes="):
			r.add("range", value.Cut(len("bytes="), len(f.Value)))
			return
		case f.Name == "Content-Range" && strings.HasPrefix(f.Value, "bytes ") && (f.From == "-r" || f.From == "--range"):
			// The length of standard input is not known to curl, and that of data is.
			if spec, length, _ := strings.Cut(f.Value[len("bytes "):], "/"); r.c.Body == nil || !r.c.Body.Kind.Known() || length == strconv.Itoa(len(r.c.Body.Data)) {
				r.add("range", plan.Literal(spec))
				return
			}
		case f.Name == "If-Modified-Since":
			r.add("time-cond", value)
			return
		case f.Name == "If-Unmodified-Since":
			r.add("time-cond", plan.Prefixed("-", value))
			return
		}
	}
	name := r.c.Text(f.Name, reqtext.At(request.MemberFieldName, i))
	switch {
	case f.Value == "":
		r.add("header", plan.MergeLiterals(slices.Concat(name, plan.Literal(";"))))
	case f.Line == f.Name+":"+f.Value:
		r.add("header", plan.MergeLiterals(slices.Concat(name, plan.Literal(":"), value)))
	case f.Line != "":
		r.add("header", r.c.Text(f.Line, reqtext.At(request.MemberFieldLine, i)))
	default:
		r.add("header", plan.MergeLiterals(slices.Concat(name, plan.Literal(": "), value)))
	}
}

// impliedType reports whether the option for the content sets its type.
func (r *curlCommand) impliedType(f *request.Field) bool {
	return r.c.Content.Kind == plan.MultipartBody && f.Value == "multipart/form-data" || f.Value == plan.FormType
}

// exchangeOption adds the option that sets a member of options.
func (r *curlCommand) exchangeOption(o request.Option) {
	at := reqtext.Option(o.Name, 0)
	s, _ := o.Value.(string)
	switch o.Name {
	case "followRedirects":
		if o.Value != true || !r.c.Trusted() {
			r.options = append(r.options, curlOption{Option: curl.Lookup("location"), off: o.Value != true})
		}
	case "locationTrusted":
		r.options = append(r.options, curlOption{Option: curl.Lookup("location-trusted"), off: o.Value != true})
	case "keepMethod": // the option of the method does that
	case "autoReferer": // -e does that where it has a URL as well
		if f := r.c.Field("Referer"); f == nil || f.From != "-e" && f.From != "--referer" {
			r.add("referer", plan.Literal(autoReferer))
		}
	case "httpVersion":
		r.set("http" + s)
	case "ipVersion":
		n, _ := o.Value.(int64)
		r.set("ipv" + emit.Itoa(int(n)))
	case "tlsMin":
		r.set("tlsv" + s)
	case "proxyTlsMin":
		r.set("proxy-tlsv1")
	case "proxyAuth":
		r.set("proxy-" + s)
	case "proxyHeaders":
		r.list("proxy-header", o)
	case "proxyHttpVersion":
	case "proxy":
		long := "proxy"
		if slices.ContainsFunc(r.c.Options, func(o request.Option) bool { return o.Name == "proxyHttpVersion" }) {
			long = "proxy1.0"
		}
		r.add(long, r.c.Text(s, at))
	case "output":
		r.add("output", r.c.Text(s, at))
	case "stdout":
		if len(r.c.Output()) > 0 && !r.c.NamesOutput() {
			r.add("output", r.c.Text(s, at))
		}
	case "appendStdout", "piped", "repeat", "repeatTimes", "repeatDelay", "repeatPrints", "ifFails", "orElse", "orElseStatus", "orElsePrints", "orElseWarns":
	case "remoteName":
		r.set("remote-name")
	case "continueAt":
		r.add("continue-at", r.c.Text(s, at))
	case "crlf":
		r.set("crlf")
	case "junkSessionCookies":
		r.set("junk-session-cookies")
	case "discardOutput":
		r.set("out-null")
	case "cookieEngine":
		r.add("cookie", plan.Literal(""))
	case "cookieFiles": // what the others hold is a field
		for _, name := range r.c.CookieFiles() {
			r.add("cookie", name)
		}
	case "netrcFile": // what one holds that was supplied is a field
		if r.c.Misses("credentials") {
			r.add("netrc-file", r.c.Text(s, at))
		}
	case "netrc":
		r.set(map[string]string{"optional": "netrc-optional", "required": "netrc"}[s])
	default:
		r.tableOption(o)
	}
}

func (r *curlCommand) list(long string, o request.Option) {
	list, _ := o.Value.([]string)
	for i, s := range list {
		r.add(long, r.c.Text(s, reqtext.Option(o.Name, i)))
	}
}

// tableOption adds the option that the table of options has for a member.
func (r *curlCommand) tableOption(o request.Option) {
	all := curl.Options()
	i := slices.IndexFunc(all, func(row curl.Option) bool { return row.Member == o.Name && row.Flags&curl.FlagDeprecated == 0 })
	if i < 0 {
		return
	}
	long := all[i].Long
	switch value := o.Value.(type) {
	case bool:
		r.options = append(r.options, curlOption{Option: &all[i], off: !value})
	case int64:
		r.add(long, plan.Literal(strconv.FormatInt(value, 10)))
	case float64:
		r.add(long, plan.Literal(emit.Seconds(value)))
	case []string:
		r.list(long, o)
	case string:
		r.add(long, r.c.Text(value, reqtext.Option(o.Name, 0)))
	}
}
