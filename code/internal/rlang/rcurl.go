package rlang

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
)

// RCurl 1.98 of R is libcurl, but for the options of newer versions (its listCurlOptions), and
// gives an option once. Its handles end, and write their cookies, when R collects them.
var RCurl = plan.Target{
	Name: "r-rcurl", Convention: &convention, Client: "RCurl", Version: "1.98", Kind: plan.Code, Extension: "R",
	Packages: []plan.Package{{Name: "RCurl", Version: "1.98"}},
	Aliases:  []string{"rcurl"}, Proven: true, Style: HTTR2.Style, Write: writeRCurl, Facts: rcurlFacts(),
}

func rcurlFacts() plan.Client {
	c := libcurl.Libcurl
	c.Mime, c.Target = false, false
	c.Auths = []string{"ntlm", "negotiate", "any"}
	c.Rules = plan.Rules{plan.RemovesDots}
	return c
}

// rcurlLacks are options of libcurl that it has no names for.
var rcurlLacks = strings.Fields(`ABSTRACT_UNIX_SOCKET CONNECT_TO DNS_INTERFACE DNS_LOCAL_IP4 DNS_LOCAL_IP6 HAPROXYPROTOCOL HTTP09_ALLOWED IPRESOLVE NETRC PINNEDPUBLICKEY PRE_PROXY PROXYHEADER PROXY_CAINFO PROXY_CAPATH
	PROXY_CRLFILE PROXY_KEYPASSWD PROXY_PINNEDPUBLICKEY PROXY_SSLCERT PROXY_SSLCERTTYPE PROXY_SSLKEY PROXY_SSLKEYTYPE PROXY_SSL_CIPHER_LIST
	PROXY_SSL_VERIFYPEER PROXY_TLS13_CIPHERS RESOLVE SSL_VERIFYSTATUS TLS13_CIPHERS UNIX_SOCKET_PATH`)

// rcurlWords are constants of libcurl as RCurl has them.
var rcurlWords = strings.NewReplacer("CURL_HTTP_VERSION_2", "3", "CURL_HTTP", "HTTP", "CURLAUTH_NEGOTIATE", "AUTH_GSSNEGOTIATE", "CURLAUTH", "AUTH", "true", "TRUE", "false", "FALSE")

func writeRCurl(p *plan.Program) { writeLibrary(p, rcurl, (*rRequest).writeRCurl) }

func (r *rRequest) writeRCurl() {
	o := libcurl.CurlOptions{C: r.c, Lacks: rcurlLacks}
	to := r.c.Destination(r.p.Options)
	form := r.rcurlForm()
	content := r.rcurlContent(&o, form)
	o.SetMethod()
	o.SetFields()
	before := len(o.Settings)
	if r.c.Basic != nil { // else it asks the server first
		r.option("httpauth", emit.Leaf("AUTH_BASIC"))
	}
	if len(r.c.CookieFiles()) > 1 {
		r.p.RefuseAt(r.c.Place("cookieFiles"), "reads one file of cookies")
	}
	if r.c.SavesHead(r.p.Options) || r.c.PrintsBoth(r.p.Options) && r.c.PrintsHead(r.p.Options) {
		o.Flag("HEADER", "true")
	}
	o.SetExchange()
	r.rcurlOptions(o.Settings[:before])
	r.options = append(r.options, content...)
	r.rcurlOptions(o.Settings[before:])
	handle := ""
	if r.c.FailsLate() || len(r.c.CookieOutput()) > 0 {
		handle = "curl" + r.suffix
		r.p.Line(handle, " <- getCurlHandle()")
	}
	function, url, response := "getURL", emit.Leaf(r.text(r.c.URLText)), "response"+r.suffix+" <- "
	switch {
	case form != nil:
		function = "postForm"
		if len(r.options) > 0 {
			r.options = []emit.Node{emit.Named(".opts", " = ", emit.Group("list", "(", r.options, ")"))}
		}
		r.options = append(append(form, r.options...), emit.Leaf("binary = FALSE"))
	case to == plan.ToFile:
		r.p.Line("file <- CFILE(", r.output(), `, mode = "wb")`)
		function, url, response = "curlPerform", emit.Leaf("url = "+url.Head), "status"+r.suffix+" <- "
		r.option("writedata", emit.Leaf("file@ref"))
	case r.p.Exact():
		r.options = append(r.options, emit.Leaf(".mapUnicode = FALSE"))
	}
	if handle != "" {
		r.options = append(r.options, emit.Leaf("curl = "+handle))
	}
	r.p.Node(response, emit.Group(function, "(", append([]emit.Node{url}, r.options...), ")"), "")
	r.rcurlResult(to, handle)
}

// rcurlForm returns the arguments of postForm, or nothing: it makes an error of a status, also
// of that of a challenge, and encodes no names.
func (r *rRequest) rcurlForm() []emit.Node {
	if r.p.Exact() && !r.c.Fail() || r.c.Digest != nil || r.c.Negotiated != nil {
		return nil
	}
	switch names := plan.PairNames(r.c.Content.Form); {
	case r.c.Content.Kind == plan.RawBody && plan.PlainNames(names) && encodeR.Keeps(strings.Join(names, "")) && r.c.IsForm(&encodeR):
		return []emit.Node{emit.Named(".params", " = ", r.pairs(r.c.Content.Form)), emit.Leaf(`style = "POST"`)}
	case r.c.Content.Kind == plan.MultipartBody && !slices.ContainsFunc(r.c.Content.Part, func(p plan.FormPart) bool { return !p.IsFile() && p.TypeText != nil }):
		if _, items, ok := r.parts(); ok {
			return []emit.Node{emit.Named(".params", " = ", emit.Group("list", "(", items, ")"))}
		}
	}
	return nil
}

// rcurlContent returns the options that give the content, after statements that they need.
func (r *rRequest) rcurlContent(o *libcurl.CurlOptions, form []emit.Node) []emit.Node {
	kind := r.c.Content.Kind
	if kind == plan.NoBody || form != nil && kind == plan.MultipartBody {
		return nil
	}
	if o.Uploads() {
		path := r.text(r.c.Content.File)
		r.p.Line("upload <- CFILE(", path, ")")
		return []emit.Node{emit.Leaf("upload = TRUE"), emit.Leaf("infile = upload@ref"), emit.Leaf("infilesize = file.size(" + path + ")")}
	}
	var content emit.Node
	switch kind {
	case plan.RawBody:
		content = r.bytes(r.c.Content.Data)
	case plan.MultipartBody:
		r.p.ReportTypes(r.c)
		content = r.pieces(r.c.RawForm())
	case plan.FileBody:
		content = emit.Leaf(r.file(plan.Piece{File: r.c.Content.File}))
	default:
		content = r.pieces(r.c.Content.List)
	}
	if o.Untyped(); form != nil {
		return nil
	}
	if kind == plan.RawBody && !strings.HasPrefix(content.Head, "as.raw") {
		return []emit.Node{emit.Named("postfields", " = ", content)}
	}
	body := "body" + r.suffix
	r.p.Node(body+" <- ", content, "")
	return []emit.Node{emit.Leaf("postfields = " + body), emit.Leaf("postfieldsize = length(" + body + ")")}
}

// rcurlOptions adds options of libcurl.
func (r *rRequest) rcurlOptions(settings []libcurl.CurlSetting) {
	for _, s := range settings {
		value := emit.Leaf(rcurlWords.Replace(s.Word))
		if first, rest, several := strings.Cut(value.Head, " | "); several && s.Option == "HTTPAUTH" {
			value = emit.Leaf("Reduce(bitwOr, list(" + first + ", " + strings.ReplaceAll(rest, " | ", ", ") + "))")
		}
		switch {
		case s.Option == "POSTREDIR":
			value = emit.Leaf(emit.Itoa(libcurl.Reposts(r.c, false)))
		case s.Option == "SSLVERSION":
			value = emit.Leaf(emit.Itoa(r.sslVersion()))
		case s.Kind == libcurl.CurlText:
			value = emit.Leaf(r.text(s.Value))
		case s.Kind == libcurl.CurlList:
			items := make([]emit.Node, len(s.List))
			for i, t := range s.List {
				items[i] = emit.Leaf(r.text(t))
			}
			value = emit.Group("c", "(", items, ")")
		}
		name := strings.ReplaceAll(strings.ToLower(s.Option), "_", ".")
		if name == "accept.encoding" {
			name = "encoding"
		}
		r.option(name, value)
	}
}

// rcurlResult writes what is done with the response.
func (r *rRequest) rcurlResult(to plan.Destination, handle string) {
	switch to {
	case plan.ToFile:
		r.p.Line("close(file)")
		r.keepOutput()
	case plan.ContentPrinted, plan.HeadersPrinted:
		r.p.Line("cat(response", r.suffix, ")")
	}
	if r.c.FailsLate() {
		r.p.Line(`stopifnot(getCurlInfo(`, handle, `)$response.code < 400)`)
	}
	if len(r.c.CookieOutput()) > 0 {
		r.p.Line("rm(", handle, ")")
		r.p.Line("invisible(gc()) # writes the cookies")
	}
}
