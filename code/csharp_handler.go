//go:build !nocode

package code

import (
	"strings"
)

// client writes the statements that make a client.
func (r *csharpRequest) client() {
	var items []node
	set := func(s string) { items = append(items, leaf(s)) }
	switch {
	case !r.c.follow || r.c.maxRedirects == 0:
		set("AllowAutoRedirect = false")
	case r.c.maxRedirects < 0:
		set("MaxAutomaticRedirections = int.MaxValue")
	case r.c.maxRedirects != curlRedirects:
		set("MaxAutomaticRedirections = " + itoa(int(r.c.maxRedirects)))
	}
	if len(r.c.cookieJar) == 0 || r.c.field("Cookie") != nil {
		set("UseCookies = false")
	}
	if methods := r.decompression(); methods != "" {
		set("AutomaticDecompression = " + methods)
	}
	if r.c.insecure && r.c.encrypts {
		set(r.handlerOption("ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator",
			"SslOptions = { RemoteCertificateValidationCallback = (_, _, _, _) => true }"))
	}
	if r.c.proxyScheme() != "" {
		set("Proxy = " + r.proxy())
	} else if r.c.direct() {
		set("UseProxy = false")
	}
	if r.c.digest != nil {
		set("Credentials = " + r.credentials())
	}
	if encoding := r.encoding(); encoding != "" {
		r.p.use("System.Text")
		set("RequestHeaderEncodingSelector = (_, _) => Encoding." + encoding)
	}
	r.p.node("var "+r.name("handler")+" = ", csharpObject("new "+r.handlerOption("HttpClientHandler", "SocketsHttpHandler"), items), ";")
	timeout := ""
	if r.c.timeout > 0 {
		timeout = " { Timeout = TimeSpan.FromSeconds(" + seconds(r.c.timeout) + ") }"
	}
	r.p.line("using var ", r.name("client"), " = new HttpClient(", r.name("handler"), ")", timeout, ";")
}

// handlerOption returns what stands for a HttpClientHandler, or for the handler
// below it where that one lacks what the request needs.
func (r *csharpRequest) handlerOption(plain, sockets string) string {
	if r.encoding() != "" {
		return sockets
	}
	return plain
}

// encoding returns the encoding of fields that are not ASCII, or nothing.
func (r *csharpRequest) encoding() string {
	encoding := ""
	for i := range r.c.fields {
		switch value := r.c.fields[i].value; {
		case value.isASCII():
		case !value.isText():
			return "Latin1"
		default:
			encoding = "UTF8"
		}
	}
	return encoding
}

// field returns an expression for the value of a field.
func (r *csharpRequest) field(f *field) string {
	if r.encoding() == "Latin1" {
		return r.text(csharpLatin1(f.value))
	}
	return r.text(f.value)
}

// decompression returns the compressions that the class undoes. It adds those
// to a field Accept-Encoding that are not there.
func (r *csharpRequest) decompression() string {
	if !r.c.compressed {
		return ""
	}
	f := r.c.field("Accept-Encoding")
	if f == nil {
		r.p.use("System.Net")
		return "DecompressionMethods.All"
	}
	var methods []string
	for item := range strings.SplitSeq(f.value.source(), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(item), ";")
		switch strings.ToLower(name) {
		case "gzip":
			methods = append(methods, "DecompressionMethods.GZip")
		case "deflate":
			methods = append(methods, "DecompressionMethods.Deflate")
		case "br":
			methods = append(methods, "DecompressionMethods.Brotli")
		}
	}
	if len(methods) == 3 {
		methods = []string{"DecompressionMethods.All"}
	}
	if len(methods) > 0 {
		r.p.use("System.Net")
	}
	return strings.Join(methods, " | ")
}

// proxy returns the proxy, with its credentials.
func (r *csharpRequest) proxy() string {
	r.p.use("System.Net")
	address, user, password := r.c.proxyParts()
	if scheme := r.c.proxyScheme(); scheme == "socks5h" {
		address = mergeLiterals(append(literal("socks5"), address.cut(len(scheme), len(address.source()))...))
	}
	proxy := "new WebProxy(" + r.argument(address, "proxy") + ")"
	if len(user) == 0 {
		return proxy
	}
	if strings.HasPrefix(r.c.proxyScheme(), "http") {
		r.p.differs("sends the credentials of the proxy only when the proxy asks for them")
	}
	return proxy + " { Credentials = new NetworkCredential(" + r.text(user) + ", " + r.text(password) + ") }"
}

// credentials returns those that answer Digest only.
func (r *csharpRequest) credentials() string {
	r.p.use("System.Net")
	url := r.argument(r.c.url, "url")
	credential := "new NetworkCredential(" + r.text(r.c.digest.user) + ", " + r.text(r.c.digest.password) + ")"
	return "new CredentialCache { { new Uri(" + url + `), "Digest", ` + credential + " } }"
}
