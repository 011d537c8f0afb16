package code

import "strings"

// client writes the statements that make a client.
func (r *csharpRequest) client() {
	class := "HttpClientHandler"
	if r.sockets() {
		class = "SocketsHttpHandler"
	}
	dial, trust := r.dial(), r.trust()
	var items []node
	set := func(s string) { items = append(items, leaf(s)) }
	switch {
	case !r.c.follow || r.c.maxRedirects == 0 || csharpLoops(r.c):
		set("AllowAutoRedirect = false")
	case r.c.maxRedirects < 0:
		set("MaxAutomaticRedirections = int.MaxValue")
	case r.c.maxRedirects != curlRedirects:
		set("MaxAutomaticRedirections = " + itoa(int(r.c.maxRedirects)))
	}
	if !r.c.keepsCookies() || r.c.field("Cookie") != nil {
		set("UseCookies = false")
	}
	if methods := r.decompression(); methods != "" {
		set("AutomaticDecompression = " + methods)
	}
	if r.c.connectTimeout > 0 {
		set("ConnectTimeout = TimeSpan.FromSeconds(" + seconds(r.c.connectTimeout) + ")")
	}
	if dial != "" {
		set("ConnectCallback = " + dial)
	}
	if tls := r.tls(trust); !r.sockets() {
		items = append(items, tls...)
	} else if len(tls) > 0 {
		items = append(items, csharpObject("SslOptions =", tls))
	}
	if r.c.proxyScheme() != "" {
		set("Proxy = " + r.proxy(!r.c.encrypts))
	} else if r.c.direct() {
		set("UseProxy = false")
	}
	if r.c.digest != nil {
		set("Credentials = " + r.credentials())
	}
	if r.encoding != "" {
		r.p.use("System.Text")
		set("RequestHeaderEncodingSelector = (name, context) => " + r.encoding)
	}
	r.p.csharpObject("var "+r.name("handler")+" = ", "new "+class, items, ";")
	timeout := ""
	if r.c.timeout > 0 {
		timeout = " { Timeout = TimeSpan.FromSeconds(" + seconds(r.c.timeout) + ") }"
	}
	r.p.line("using var ", r.name("client"), " = new HttpClient(", r.name("handler"), ")", timeout, ";")
}

// sockets reports whether the request needs the handler below HttpClientHandler.
func (r *csharpRequest) sockets() bool {
	host, _ := r.c.connection()
	return r.encoding != "" || r.c.connectTimeout > 0 || len(r.c.unixSocket) > 0 || r.trusts() || host != "" && r.c.proxyScheme() == ""
}

// trusts reports whether the program names the certificates that it trusts.
func (r *csharpRequest) trusts() bool {
	return len(r.c.caFile) > 0 && !r.c.insecure
}

// trust writes the statements that trust the certificates of --cacert only, and
// returns their variable.
func (r *csharpRequest) trust() string {
	if !r.trusts() {
		return ""
	}
	r.p.use("System.Security.Cryptography.X509Certificates")
	policy := r.name("policy")
	r.p.csharpObject("var "+policy+" = ", "new X509ChainPolicy", []node{
		leaf("TrustMode = X509ChainTrustMode.CustomRootTrust"), leaf("RevocationMode = X509RevocationMode.NoCheck"),
	}, ";")
	r.p.line(policy, ".CustomTrustStore.ImportFromPemFile(", r.sure(r.c.caFile), ");")
	return policy
}

// tls returns the members of the handler that are about TLS, or those of its
// SslOptions.
func (r *csharpRequest) tls(trust string) (items []node) {
	if !r.c.encrypts {
		return nil
	}
	set := func(plain, sockets, value string) {
		if r.sockets() {
			plain = sockets
		}
		items = append(items, named(plain, " = ", leaf(value)))
	}
	switch {
	case r.c.insecure && r.sockets():
		set("", "RemoteCertificateValidationCallback", "delegate { return true; }")
	case r.c.insecure:
		set("ServerCertificateCustomValidationCallback", "", "HttpClientHandler.DangerousAcceptAnyServerCertificateValidator")
	}
	if trust != "" {
		set("", "CertificateChainPolicy", trust)
	}
	if len(r.c.cert) > 0 {
		value := "{ " + r.certificate() + " }"
		if r.sockets() {
			value = "new X509CertificateCollection " + value
		}
		set("ClientCertificates", "ClientCertificates", value)
	}
	if versions := r.tlsVersions(); versions != "" {
		r.p.use("System.Security.Authentication")
		set("SslProtocols", "EnabledSslProtocols", versions)
	}
	return items
}

// certificate returns an expression for the certificate of the client.
func (r *csharpRequest) certificate() string {
	r.p.use("System.Security.Cryptography.X509Certificates")
	cert, key, phrase := r.sure(r.c.cert), "", r.c.textOf("keyPassword")
	if len(r.c.key) > 0 {
		key = ", " + r.sure(r.c.key)
	}
	if len(phrase) > 0 {
		return "X509Certificate2.CreateFromEncryptedPemFile(" + cert + ", " + r.sure(phrase) + key + ")"
	}
	return "X509Certificate2.CreateFromPemFile(" + cert + key + ")"
}

// tlsVersions returns the versions of TLS that the command allows, where they are
// not those of the system.
func (r *csharpRequest) tlsVersions() string {
	names := []string{"SslProtocols.Tls", "SslProtocols.Tls11", "SslProtocols.Tls12", "SslProtocols.Tls13"}
	place := func(member string, missing int) int {
		if i := r.c.tlsPlace(member); i >= 0 {
			return i
		}
		return missing
	}
	end := place("tlsMax", 3)
	start := place("tlsMin", min(end, 2))
	if end == 3 && (start < 2 || r.c.member("tlsMin") == nil) || start > end {
		return ""
	}
	return strings.Join(names[start:end+1], " | ")
}

// dial writes the function that connects elsewhere than to the host of the URL,
// and returns its name.
func (r *csharpRequest) dial() string {
	host, port := r.c.connection()
	connect := ""
	socket := "new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }"
	switch {
	case len(r.c.unixSocket) > 0:
		socket = "new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)"
		connect = "new UnixDomainSocketEndPoint(" + r.sure(r.c.unixSocket) + ")"
	case host == "" || r.c.proxyScheme() != "":
		r.p.loseAddress(r.c)
		return ""
	case r.c.follow:
		a, _ := r.c.address()
		r.p.use("System.Net")
		connect = "context.DnsEndPoint.Host == " + csharpString(strings.ToLower(a.host.source())) + " ? new DnsEndPoint(" + csharpString(host) + ", " + port + ") : context.DnsEndPoint"
	default:
		connect = csharpString(host) + ", " + port
	}
	r.p.use("System.Net.Sockets")
	r.p.line("async ValueTask<Stream> ", r.name("Connect"), "(SocketsHttpConnectionContext context, CancellationToken cancellation)")
	r.p.line("{")
	r.p.line(r.p.indent, "var socket = ", socket, ";")
	r.p.line(r.p.indent, "await socket.ConnectAsync(", connect, ", cancellation);")
	r.p.line(r.p.indent, "return new NetworkStream(socket, ownsSocket: true);")
	r.p.line("}")
	r.p.line()
	return r.name("Connect")
}

// csharpEncoding returns the encoding of fields that are not ASCII, or nothing.
func csharpEncoding(c *call) string {
	encoding := ""
	for i := range c.fields {
		switch value := c.fields[i].value; {
		case value.isASCII():
		case !value.isText():
			return csharpLatin
		default:
			encoding = "Encoding.UTF8"
		}
	}
	return encoding
}

// field returns an expression for the value of a field.
func (r *csharpRequest) field(f *field) string {
	if r.encoding == csharpLatin {
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
		return "DecompressionMethods.GZip | DecompressionMethods.Deflate"
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
	if len(methods) > 0 {
		r.p.use("System.Net")
	}
	return strings.Join(methods, " | ")
}

// proxy returns the proxy, after the statement that gives it credentials, if any.
// .NET waits until a proxy asks for these; where a field can give them at once, that
// is left to it.
func (r *csharpRequest) proxy(field bool) string {
	r.p.use("System.Net")
	address, user, password := r.c.proxyParts()
	if scheme := r.c.proxyScheme(); scheme == "socks5h" {
		address = mergeLiterals(append(literal("socks5"), address.cut(len(scheme), len(address.source()))...))
	}
	proxy := "new WebProxy(" + r.argument(address, "proxyAddress") + ")"
	if len(user) == 0 {
		return proxy
	}
	if strings.HasPrefix(r.c.proxyScheme(), "http") {
		if scheme := r.c.member("proxyAuth"); field && (scheme == nil || scheme == "basic") && r.c.field("Proxy-Authorization") == nil {
			r.proxyUser = &credentials{user: user, password: password}
			return proxy
		}
		r.p.differs("sends the credentials of the proxy only when the proxy asks for them")
		r.p.diags[len(r.p.diags)-1].Option = "--proxy-user"
	}
	credential := named("Credentials", " = ", r.credential(user, password))
	r.p.csharpObject("var "+r.name("proxy")+" = ", proxy, []node{credential}, ";")
	return r.name("proxy")
}

func (r *csharpRequest) credential(user, password text) node {
	return group("new NetworkCredential", "(", []node{leaf(r.text(user)), leaf(r.text(password))}, ")")
}

// credentials writes the statements that make those that answer Digest only, and
// returns their variable.
func (r *csharpRequest) credentials() string {
	r.p.use("System.Net")
	variable := r.name("credentials")
	r.p.line("var ", variable, " = new CredentialCache();")
	arguments := []node{leaf("new Uri(" + r.sure(r.c.url) + ")"), leaf(`"Digest"`), r.credential(r.c.digest.user, r.c.digest.password)}
	r.p.node("", group(variable+".Add", "(", arguments, ")"), ";")
	return variable
}
