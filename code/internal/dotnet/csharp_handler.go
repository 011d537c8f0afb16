package dotnet

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// client writes the statements that make a client.
func (r *csharpRequest) client() {
	class := "HttpClientHandler"
	if r.sockets() {
		class = "SocketsHttpHandler"
	}
	dial, trust := r.dial(), r.trust()
	var items []emit.Node
	set := func(s string) { items = append(items, emit.Leaf(s)) }
	switch {
	case r.c.Stops() || r.c.MaxRedirects() == 0 || csharpLoops(r.c):
		set("AllowAutoRedirect = false")
	case r.c.MaxRedirects() < 0:
		set("MaxAutomaticRedirections = int.MaxValue")
	case r.c.MaxRedirects() != plan.CurlRedirects:
		set("MaxAutomaticRedirections = " + emit.Itoa(int(r.c.MaxRedirects())))
	}
	jar := r.c.Jar()
	switch {
	case jar != nil:
		r.openJar(jar)
		set("CookieContainer = " + jar.Named("cookies"))
	case r.c.Field("Cookie") != nil, r.p.Exact() && !r.c.KeepsCookies():
		r.c.LeavesCookies()
		set("UseCookies = false")
	}
	if methods := r.decompression(); methods != "" {
		set("AutomaticDecompression = " + methods)
	}
	if !isOld(r.p) && r.c.ConnectTimeout() > 0 {
		set("ConnectTimeout = TimeSpan.FromSeconds(" + emit.Seconds(r.c.ConnectTimeout()) + ")")
	}
	if dial != "" {
		set("ConnectCallback = " + dial)
	}
	if tls := r.tls(trust); !r.sockets() {
		items = append(items, tls...)
	} else if len(tls) > 0 {
		items = append(items, csharpObject("SslOptions =", tls))
	}
	if r.c.ProxyScheme() != "" {
		set("Proxy = " + r.proxy(!r.c.Encrypts))
	} else if r.c.Direct() {
		set("UseProxy = false")
	}
	if credentials := r.credentials(); credentials != "" {
		set("Credentials = " + credentials)
	}
	if r.encoding != "" && isOld(r.p) {
		r.p.Refuse("sends ASCII in header fields only")
	} else if r.encoding != "" {
		r.p.Use("System.Text")
		set("RequestHeaderEncodingSelector = (_, _) => " + r.encoding)
	}
	if jar != nil && r.c.Timeout() == 0 && len(items) <= 2 && dial == "" && trust == "" && r.isMade(class, items) {
		return
	}
	handler := ""
	if len(items) > 0 || r.p.Exact() {
		handler = r.name("handler")
		csharpObjectOf(r.p, "var "+handler+" = ", "new "+class, items, ";")
	}
	timeout := ""
	if r.c.Timeout() > 0 {
		timeout = " { Timeout = TimeSpan.FromSeconds(" + emit.Seconds(r.c.Timeout()) + ") }"
	}
	r.using(r.http, emit.Leaf("new HttpClient("+handler+")"+timeout))
}

// isMade reports whether an earlier request has made the client for a handler, and takes
// that one.
func (r *csharpRequest) isMade(class string, items []emit.Node) bool {
	key := class
	for _, n := range items {
		key += "\n" + n.Line()
	}
	earlier, ok := r.clients[key]
	if ok {
		r.http = earlier
	}
	r.clients[key] = r.http
	return ok
}

// openJar writes the statement that makes the jar of several requests, at the first.
func (r *csharpRequest) openJar(jar *plan.Jar) {
	if r.c.Field("Cookie") != nil {
		r.p.Refuse("sends no field Cookie beside a jar")
	}
	if r.c.Opens() {
		r.p.Use("System.Net")
		r.p.Line("var ", jar.Named("cookies"), " = new CookieContainer();")
	}
}

// sockets reports whether the request needs the handler below HttpClientHandler.
func (r *csharpRequest) sockets() bool {
	if isOld(r.p) { // which has none
		return false
	}
	host, _ := r.c.Connection()
	return r.encoding != "" || r.c.ConnectTimeout() > 0 || len(r.c.UnixSocket()) > 0 || r.trusts() || host != "" && r.c.ProxyScheme() == ""
}

// trusts reports whether the program names the certificates that it trusts.
func (r *csharpRequest) trusts() bool {
	return !isOld(r.p) && len(r.c.CaFile()) > 0 && !r.c.Insecure()
}

// trust writes the statements that trust the certificates of --cacert only, and
// returns their variable.
func (r *csharpRequest) trust() string {
	if !r.trusts() {
		return ""
	}
	r.p.Use("System.Security.Cryptography.X509Certificates")
	policy := r.name("policy")
	csharpObjectOf(r.p, "var "+policy+" = ", "new X509ChainPolicy", []emit.Node{
		emit.Leaf("TrustMode = X509ChainTrustMode.CustomRootTrust"), emit.Leaf("RevocationMode = X509RevocationMode.NoCheck"),
	}, ";")
	r.p.Line(policy, ".CustomTrustStore.ImportFromPemFile(", r.sure(r.c.CaFile()), ");")
	return policy
}

// tls returns the members of the handler that are about TLS, or those of its
// SslOptions.
func (r *csharpRequest) tls(trust string) (items []emit.Node) {
	if !r.c.Encrypts {
		return nil
	}
	set := func(plain, sockets, value string) {
		if r.sockets() {
			plain = sockets
		}
		items = append(items, emit.Named(plain, " = ", emit.Leaf(value)))
	}
	switch {
	case r.c.Insecure() && r.sockets():
		set("", "RemoteCertificateValidationCallback", "delegate { return true; }")
	case r.c.Insecure() && isOld(r.p):
		set("ServerCertificateCustomValidationCallback", "", "(message, certificate, chain, errors) => true")
	case r.c.Insecure():
		set("ServerCertificateCustomValidationCallback", "", "HttpClientHandler.DangerousAcceptAnyServerCertificateValidator")
	}
	if trust != "" {
		set("", "CertificateChainPolicy", trust)
	}
	if !isOld(r.p) && len(r.c.Cert()) > 0 {
		value := "{ " + r.certificate() + " }"
		if r.sockets() {
			value = "new X509CertificateCollection " + value
		}
		set("ClientCertificates", "ClientCertificates", value)
	}
	if versions := r.tlsVersions(); versions != "" {
		r.p.Use("System.Security.Authentication")
		set("SslProtocols", "EnabledSslProtocols", versions)
	}
	return items
}

// certificate returns an expression for the certificate of the client.
func (r *csharpRequest) certificate() string {
	r.p.Use("System.Security.Cryptography.X509Certificates")
	cert, key, phrase := r.sure(r.c.Cert()), "", r.c.KeyPassword()
	if r.c.Archive() {
		if len(phrase) > 0 {
			cert += ", " + r.sure(phrase)
		}
		return "new X509Certificate2(" + cert + ")"
	}
	if len(r.c.Key()) > 0 {
		key = ", " + r.sure(r.c.Key())
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
		if i := r.c.TLSPlace(member); i >= 0 {
			return i
		}
		return missing
	}
	end := place("tlsMax", 3)
	start := place("tlsMin", min(end, 2))
	if end == 3 && (start < 2 || r.c.Member("tlsMin") == nil) || start > end {
		return ""
	}
	return strings.Join(names[start:end+1], " | ")
}

// dial writes the function that connects elsewhere than to the host of the URL,
// and returns its name.
func (r *csharpRequest) dial() string {
	if isOld(r.p) {
		return ""
	}
	host, port := r.c.Connection()
	connect := ""
	socket := "new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }"
	switch {
	case len(r.c.UnixSocket()) > 0:
		socket = "new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)"
		connect = "new UnixDomainSocketEndPoint(" + r.sure(r.c.UnixSocket()) + ")"
	case host == "" || r.c.ProxyScheme() != "":
		return ""
	case r.c.Asked.Follow:
		r.c.Does("resolve", "connectTo")
		a, _ := r.c.Address()
		r.p.Use("System.Net")
		connect = "context.DnsEndPoint.Host == " + CsharpString(strings.ToLower(a.Host.Source())) + " ? new DnsEndPoint(" + CsharpString(host) + ", " + port + ") : context.DnsEndPoint"
	default:
		r.c.Does("resolve", "connectTo")
		connect = CsharpString(host) + ", " + port
	}
	r.p.Use("System.Net.Sockets")
	r.p.Line("async ValueTask<Stream> ", r.name("Connect"), "(SocketsHttpConnectionContext context, CancellationToken cancellation)")
	r.p.Line("{")
	r.p.Line(r.p.Indent, "var socket = ", socket, ";")
	r.p.Line(r.p.Indent, "await socket.ConnectAsync(", connect, ", cancellation);")
	r.p.Line(r.p.Indent, "return new NetworkStream(socket, ownsSocket: true);")
	r.p.Line("}")
	r.p.Line()
	return r.name("Connect")
}

// csharpEncoding returns the encoding of fields that are not ASCII, or nothing.
func csharpEncoding(c *plan.Call) string {
	encoding := ""
	for i := range c.Given() {
		switch value := c.Given()[i].Value; {
		case value.IsASCII():
		case !value.IsText():
			return csharpLatin
		default:
			encoding = "Encoding.UTF8"
		}
	}
	return encoding
}

// field returns an expression for the value of a field.
func (r *csharpRequest) field(f *plan.Field) string {
	if r.encoding == csharpLatin {
		return r.text(csharpLatin1(f.Value))
	}
	return r.text(f.Value)
}

// decompression returns the compressions that the class undoes. It adds those
// to a field Accept-Encoding that are not there.
func (r *csharpRequest) decompression() string {
	if !r.c.Compressed() {
		return ""
	}
	f := r.c.Field("Accept-Encoding")
	if f == nil {
		r.p.Use("System.Net")
		return "DecompressionMethods.GZip | DecompressionMethods.Deflate"
	}
	if isOld(r.p) && !r.impliesCodings(f.Value.Source()) { // which would be there beside it
		r.p.Differs("decompresses nothing beside such a field Accept-Encoding")
		return ""
	}
	var methods []string
	for item := range strings.SplitSeq(f.Value.Source(), ",") {
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
		r.p.Use("System.Net")
	}
	return strings.Join(methods, " | ")
}

// proxy returns the proxy, after the statement that gives it credentials, if any.
// .NET waits until a proxy asks for these; where a field can give them at once, that
// is left to it.
func (r *csharpRequest) proxy(field bool) string {
	r.p.Use("System.Net")
	if a, ok := r.c.Address(); isOld(r.p) && ok && isLoopback(a.Host.Source()) {
		r.p.Refuse("asks no proxy for this machine")
	}
	address, user, password := r.c.ProxyParts()
	if scheme := r.c.ProxyScheme(); scheme == "socks5h" {
		address = plan.MergeLiterals(append(plan.Literal("socks5"), address.Cut(len(scheme), len(address.Source()))...))
	}
	proxy := "new WebProxy(" + r.argument(address, "proxyAddress") + ")"
	if len(user) == 0 {
		return proxy
	}
	if strings.HasPrefix(r.c.ProxyScheme(), "http") {
		if scheme := r.c.Option("proxyAuth"); field && (scheme == nil || scheme == "basic") && r.c.Field("Proxy-Authorization") == nil {
			r.proxyUser = &plan.Credentials{User: user, Password: password}
			return proxy
		}
		r.p.Differs("sends the credentials of the proxy only when the proxy asks for them")
		r.p.Diags[len(r.p.Diags)-1].Option = "--proxy-user"
	}
	credential := emit.Named("Credentials", " = ", r.credential(user, password))
	csharpObjectOf(r.p, "var "+r.name("proxy")+" = ", proxy, []emit.Node{credential}, ";")
	return r.name("proxy")
}

// credential returns an expression for a user name, a password and, if there is one, a domain.
func (r *csharpRequest) credential(parts ...plan.Text) emit.Node {
	arguments := make([]emit.Node, len(parts))
	for i := range parts {
		arguments[i] = emit.Leaf(r.text(parts[i]))
	}
	return emit.Group("new NetworkCredential", "(", arguments, ")")
}

// credentials writes the statements that make those that answer one scheme only, and
// returns their variable; "": none.
func (r *csharpRequest) credentials() string {
	scheme, credential := "Digest", emit.Node{}
	switch {
	case r.c.Digest != nil:
		credential = r.credential(r.c.Digest.User, r.c.Digest.Password)
	case r.c.Negotiated != nil:
		s, domain, who := r.p.OnDemand(r.c)
		switch scheme = s; {
		case who.Joined().Source() == ":": // those of whoever runs the program
			credential = emit.Leaf("CredentialCache.DefaultNetworkCredentials")
		case len(domain) > 0:
			credential = r.credential(who.User, who.Password, domain)
		default:
			credential = r.credential(who.User, who.Password)
		}
	default:
		return ""
	}
	r.p.Use("System.Net")
	variable := r.name("credentials")
	r.p.Line("var ", variable, " = new CredentialCache();")
	arguments := []emit.Node{emit.Leaf("new Uri(" + r.sure(r.c.URLText) + ")"), emit.Leaf(`"` + scheme + `"`), credential}
	r.p.Node("", emit.Group(variable+".Add", "(", arguments, ")"), ";")
	return variable
}
