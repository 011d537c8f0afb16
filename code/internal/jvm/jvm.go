package jvm

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// A jvm is a language of the Java virtual machine: how it writes what the
// targets for the clients of Java say.
type jvm struct {
	plan.Language
	create, let, mutable, end string    // before a constructor and before names of variables; after a statement
	paths                     string    // the class that makes paths: calls of methods of interfaces do not compile everywhere
	stdin                     string    // the bytes of the standard input
	implied                   bool      // java.io, java.net and java.util need no import
	array                     [2]string // around the items of an array of %
	// format returns a text with variables as one literal; nil: the parts are added.
	format func(p *plan.Program, t plan.Text) string
	// block returns the lines of a literal of several lines, or nothing.
	block  func(p *plan.Program, t plan.Text) []string
	open   []string // the lines before the statements, a level deeper each
	print  [2]string
	bytes  [2]string // what makes bytes of a string: of UTF-8, of Latin-1
	erase  string    // removes line breaks and NUL from a string
	each   [2]string // begins a loop
	list   [2]string // makes a list
	shift  string    // the operator that moves bits to the left
	filter [2]string // a function of a name and a value

	differs  [2]string // the condition that the variable field is not a literal
	hundreds string    // after a number: its hundreds, without the rest
	trust    [4]string // a trust manager: its first line, a method, a further argument, the last method

	// function writes the line that stands in place of the last one of open where the program
	// is a function; nil: it is none.
	function func(p *plan.Program)
}

var java = jvm{
	Language: plan.Language{Literal: jvmString, Variable: javaVariable, Plus: " + "},
	create:   "new ", let: "var ", mutable: "var ", end: ";", paths: "Path", stdin: "System.in.readAllBytes()",
	array: [2]string{"new %[] {", "}"},
	block: javaBlock,
	open:  []string{"public class Main {", "public static void main(String[] args) throws Exception {"}, function: javaFunction,
	print: [2]string{"System.out.println(", ");"},
	bytes: [2]string{".getBytes(StandardCharsets.UTF_8)", ".getBytes(StandardCharsets.ISO_8859_1)"},
	erase: `.replaceAll("[\r\n\0]", "")`,
	each:  [2]string{"for (var certificate : ", ") {"},
	list:  [2]string{"List.of(", ")"}, shift: " << ", filter: [2]string{"(field, value) -> ", ""},
	differs: [2]string{"!field.equals(", ")"}, hundreds: " / 100",
	trust: [4]string{"() {", "public void check%Trusted(X509Certificate[] chain, String auth) {}", ", Socket socket",
		"public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }"},
}

// A jvmCall is a call that a language of the Java virtual machine writes.
type jvmCall struct {
	p *plan.Program
	c *plan.Call
	*jvm
	suffix   string            // of the names of variables
	clients  map[string]string // what is set, and the variable of the client that has it
	contents int               // how many files curl changes the content of
}

func (r *jvmCall) text(t plan.Text) string { return r.jvm.text(r.p, t) }

// set declares a variable and returns its name.
func (r *jvmCall) set(name string, value emit.Node) string {
	r.p.Node(r.let+name+r.suffix+" = ", value, r.end)
	return name + r.suffix
}

// variable returns what stands before the name of a variable that is set again.
func (r *jvmCall) variable() string {
	if r.let == "def " { // of Groovy
		return r.let
	}
	return r.mutable
}

// listOf returns a list of items, which are separated by commas.
func (r *jvmCall) listOf(items string) string {
	if r.list[0] == "List.of(" {
		r.p.Use("java.util.List")
	}
	return r.list[0] + items + r.list[1]
}

// arrayOf returns an array of items of a type.
func (r *jvmCall) arrayOf(class string, items ...string) string {
	return strings.Replace(r.array[0]+strings.Join(items, ", ")+r.array[1], "%", class, 1)
}

// do writes a statement.
func (r *jvmCall) do(parts ...string) { r.p.Line(append(parts, r.end)...) }

// build writes a statement that declares a variable for what a chain of calls
// returns, and returns its name.
func (r *jvmCall) build(name string, calls ...emit.Node) string {
	return r.declare(r.let, name, calls...)
}

// declare is build with what stands before the name of the variable.
func (r *jvmCall) declare(let, name string, calls ...emit.Node) string {
	r.p.Chain(let+name+r.suffix+" = ", calls, r.end)
	return name + r.suffix
}

// method returns a call with arguments.
func method(name string, arguments ...emit.Node) emit.Node {
	return emit.Group(name, "(", arguments, ")")
}

// address returns the URL, after the statements that guess its scheme where a
// variable may bring none.
func (r *jvmCall) urlText(url plan.Text) string {
	if !r.c.Guess {
		return r.text(url)
	}
	name := "url" + r.suffix
	r.do(r.mutable, name, " = ", r.text(url))
	r.p.Line("if (!", name, ".contains(", r.Literal("://"), ")) {")
	r.p.Line(r.p.Indent, name, " = ", r.Literal("http://"), " + ", name, r.end, " // as curl does")
	r.p.Line("}")
	return name
}

// path returns an expression for a path.
func (r *jvmCall) path(name plan.Text) string {
	r.p.Use("java.nio.file." + r.paths)
	method := ".of("
	if r.paths == "Paths" {
		method = ".get("
	}
	return r.paths + method + r.text(name) + ")"
}

// bytesOf returns an expression for the bytes of a file or of the standard input.
func (r *jvmCall) bytesOf(name plan.Text) string {
	if name.Source() == "-" {
		return r.stdin
	}
	r.p.Use("java.nio.file.Files")
	return "Files.readAllBytes(" + r.path(name) + ")"
}

// changedContent returns a variable for the content of a file, changed as curl changes
// it: a string of Latin-1, so that it has the bytes.
func (r *jvmCall) changedContent(one *plan.Piece) string {
	r.p.Use("java.nio.charset.StandardCharsets")
	var calls []emit.Node
	if one.File.Source() == "-" {
		calls = append(calls, emit.Leaf(r.create+"String("+r.stdin+", StandardCharsets.ISO_8859_1)"))
	} else {
		r.p.Use("java.nio.file.Files")
		calls = append(calls, emit.Leaf("Files.readString("+r.path(one.File)+", StandardCharsets.ISO_8859_1)"))
	}
	if one.Offset > 0 {
		calls = append(calls, emit.Leaf(".substring("+strconv.FormatInt(one.Offset, 10)+")"))
	}
	if one.Strip {
		calls = append(calls, emit.Leaf(r.erase))
	}
	number := ""
	if r.contents++; r.contents > 1 {
		number = emit.Itoa(r.contents)
	}
	variable := r.build("data"+number, calls...)
	if one.Urlencode {
		r.p.Use("java.net.URLEncoder")
		variable = r.build("encoded"+number, emit.Leaf("URLEncoder.encode("+variable+", StandardCharsets.ISO_8859_1)"),
			emit.Leaf(".replace("+r.Literal("*")+", "+r.Literal("%2A")+")"), emit.Leaf(".replace("+r.Literal("%7E")+", "+r.Literal("~")+")"))
	}
	return variable
}

// namedPieces returns the pieces with the names before contents as texts.
func namedPieces(pieces []plan.Piece) []plan.Piece {
	var out []plan.Piece
	add := func(t plan.Text) {
		if n := len(out); n > 0 && out[n-1].IsText {
			out[n-1].Text = append(out[n-1].Text, t...)
			return
		}
		out = append(out, plan.Piece{IsText: true, Text: slices.Clip(t)})
	}
	for _, one := range pieces {
		if len(one.Name) > 0 {
			add(append(slices.Clone(one.Name), plan.Part{Literal: "="}))
		}
		if one.IsText {
			add(one.Text)
			continue
		}
		one.Name = nil
		out = append(out, one)
	}
	for i := range out {
		if out[i].IsText {
			out[i].Text = plan.MergeLiterals(out[i].Text)
		}
	}
	return out
}

// inBytes returns the call that makes bytes of a string, as UTF-8 with 0 and as Latin-1
// with 1.
func (r *jvmCall) inBytes(encoding int) string {
	call := r.bytes[encoding]
	if strings.Contains(call, "StandardCharsets") {
		r.p.Use("java.nio.charset.StandardCharsets")
	}
	return call
}

// basicValue returns the value of Authorization for the credentials, after the
// statement that encodes them.
func (r *jvmCall) basicValue(name string, user plan.Text) string {
	r.p.Use("java.util.Base64")
	encoded := method("Base64.getEncoder().encodeToString", emit.Leaf(r.inner(r.p, user)+r.bytesLike(user)))
	return r.Literal("Basic ") + " + " + r.set(name, encoded)
}

// fieldValue returns the value of a field, after the statement that encodes
// credentials where it has some.
func (r *jvmCall) fieldValue(f *plan.Field) string {
	if f.Derived() && f.Is("Authorization") {
		return r.basicValue("credentials", r.c.Basic.Joined())
	}
	return r.text(f.Value)
}

// proxyAuthorization returns the value of Proxy-Authorization for a client that sends it as
// a field, after the statement that encodes it, or "". For https the field would go to the
// server.
func (r *jvmCall) proxyAuthorization() string {
	switch {
	case !hasProxyUser(r.c):
		return ""
	case r.c.Secure():
		r.p.Loss("--proxy-user", "sends no credentials to a proxy for https")
		return ""
	}
	_, user, password := r.c.ProxyParts()
	return r.basicValue("proxyCredentials", (&plan.Credentials{User: user, Password: password}).Joined())
}

// save writes the statement that copies a stream into the file of -o.
func (r *jvmCall) save(stream string) {
	r.p.Use("java.nio.file.Files")
	if folder := r.c.Folder(); folder != nil {
		r.do("Files.createDirectories(", r.path(folder), ")")
	}
	arguments := []emit.Node{emit.Leaf(stream), emit.Leaf(r.path(r.c.Output()))}
	if !r.c.NamedByResponse() || r.c.Asked.Output[len(r.c.Asked.Output)-1].Variable == nil {
		r.p.Use("java.nio.file.StandardCopyOption")
		arguments = append(arguments, emit.Leaf("StandardCopyOption.REPLACE_EXISTING"))
	}
	r.p.Node("", method("Files.copy", arguments...), r.end)
}

// bytesLike returns what makes the bytes of a text of its literal.
func (r *jvmCall) bytesLike(t plan.Text) string {
	if t.IsText() {
		return r.inBytes(0)
	}
	return r.inBytes(1)
}

// again writes what sends the request, in a loop that tries again, as curl does:
// curl 8.22 src/tool_operate.c. status is the call that returns the status of a
// response, and drop the one that lets go of it, if any.
func (r *jvmCall) again(response, send, status, drop string) {
	attempt := "attempt" + r.suffix
	retry := r.retry()
	late, inside := r.deadline(retry, ".isBefore("), ""
	if r.p.Target.Language != "scala" { // which has no break
		late, inside = "", strings.Replace(strings.TrimPrefix(late, " && "), ".isBefore(", ".isAfter(", 1)
	}
	r.do(r.variable(), response, " = ", send)
	r.do(r.variable(), attempt, " = 0")
	statuses := r.set("transientErrors", emit.Leaf(r.listOf(plan.RetryStatuses)))
	r.p.Block("while ("+attempt+" < "+strconv.FormatInt(retry.Count, 10)+" && "+statuses+".contains("+response+status+")"+late+") {", func() {
		if inside != "" {
			r.p.Block("if ("+inside+") {", func() { r.do("break") })
			r.p.Line("}")
		}
		if drop != "" {
			r.do(response, drop)
		}
		r.sleep(retry, attempt)
		r.do(attempt, " += 1")
		r.do(response, " = ", send)
	})
	r.p.Line("}")
}

// retry returns what the command asks for with --retry but for errors of the connection,
// which [httpClientCall] has for Java.
func (r *jvmCall) retry() plan.Retry {
	retry := plan.Retry{Count: r.c.Retries()}
	retry.Delay, _ = r.c.Member("retryDelay").(float64)
	retry.MaxTime, _ = r.c.Member("retryMaxTime").(float64)
	return retry
}

// deadline writes the statement that sets the end of all tries, and returns a condition
// that compares it, if there is one.
func (r *jvmCall) deadline(retry plan.Retry, compares string) string {
	if retry.MaxTime == 0 {
		return ""
	}
	r.p.Use("java.time.Instant")
	name := r.set("deadline", emit.Leaf("Instant.now().plusMillis("+emit.Milliseconds(retry.MaxTime)+")"))
	return " && Instant.now()" + compares + name + ")"
}

// sleep writes the statement that waits between two tries.
func (r *jvmCall) sleep(retry plan.Retry, attempt string) {
	if retry.Delay > 0 {
		r.do("Thread.sleep(", emit.Milliseconds(retry.Delay), ")")
	} else {
		r.do("Thread.sleep(1000L", " * (1", r.shift, attempt, "))")
	}
}

// checkStatus writes what makes an error of a status, with --fail.
func (r *jvmCall) checkStatus(status string) {
	if !r.c.Fail() {
		return
	}
	r.p.Use("java.io.IOException")
	r.p.Line("if (", status, " >= 400) {")
	r.do(r.p.Indent, "throw ", r.create, "IOException(", r.Literal("HTTP "), " + ", status, ")")
	r.p.Line("}")
}

// show writes a statement that prints.
func (r *jvmCall) show(expr string) { r.p.Line(r.print[0], expr, r.print[1]) }

// tls writes the statements that make an SSLContext where the default one will
// not do, and returns its variable and an expression for the trust manager. An
// extended one checks no host names either.
func (r *jvmCall) tls(extended bool) (context, manager string) {
	if !r.c.Insecure() && len(r.c.CaFile()) == 0 {
		return "", ""
	}
	r.p.Use("javax.net.ssl.SSLContext")
	throws(r.p, "java.security.GeneralSecurityException")
	managers := ""
	if r.c.Insecure() {
		manager = r.trustAll(extended)
		r.p.Use("javax.net.ssl.TrustManager")
		managers = r.arrayOf("TrustManager", manager)
	} else {
		managers = r.trustFile() + ".getTrustManagers()"
		manager = managers + "[0]"
	}
	context = r.set("tls", emit.Leaf("SSLContext.getInstance("+r.Literal("TLS")+")"))
	r.do(context, ".init(null, ", managers, ", null)")
	return context, manager
}

func (r *jvmCall) trustAll(extended bool) string {
	r.p.Use("java.security.cert.X509Certificate")
	class := "X509TrustManager"
	further := []string{""}
	if extended {
		r.p.Use("java.net.Socket")
		r.p.Use("javax.net.ssl.SSLEngine")
		class = "X509ExtendedTrustManager"
		further = append(further, r.trust[2], strings.NewReplacer("Socket", "SSLEngine", "socket", "engine").Replace(r.trust[2]))
	}
	r.p.Use("javax.net.ssl." + class)
	name := "trustAll" + r.suffix
	head, open := r.create, r.trust[0]
	if head == "" {
		head = "object : "
		if !extended { // an interface, which has no constructor
			open = " {"
		}
	}
	r.p.Writer.Block(r.let+name+" = "+head+class+open+" // as -k does", func() {
		for _, more := range further {
			for _, who := range []string{"Client", "Server"} {
				one := strings.Replace(r.trust[1], "%", who, 1)
				start, end := strings.IndexByte(one, '(')+1, strings.IndexByte(one, ')')
				if r.p.Fits(emit.Columns(one) + emit.Columns(more)) {
					r.p.Line(one[:end], more, one[end:])
					continue
				}
				r.p.Block(one[:start], func() { r.p.Line(one[start:end], more) })
				r.p.Line(one[end:])
			}
		}
		r.p.Line(r.trust[3])
	})
	r.do("}")
	return name
}

// trustFile writes the statements that read the certificates of --cacert, and
// returns the variable of what makes trust managers of them.
func (r *jvmCall) trustFile() string {
	for _, name := range []string{"java.nio.file.Files", "java.security.KeyStore", "java.security.cert.CertificateFactory", "javax.net.ssl.TrustManagerFactory"} {
		r.p.Use(name)
	}
	trusted := r.set("trusted", emit.Leaf("KeyStore.getInstance(KeyStore.getDefaultType())"))
	r.do(trusted, ".load(null, null)")
	pem := r.set("pem", emit.Leaf("Files.newInputStream("+r.path(r.c.CaFile())+")"))
	r.p.Line(r.each[0], "CertificateFactory.getInstance(", r.Literal("X.509"), ").generateCertificates(", pem, ")", r.each[1])
	r.do(r.p.Indent, trusted, ".setCertificateEntry(", r.Literal("ca"), " + ", trusted, ".size(), certificate)")
	r.p.Line("}")
	r.do(pem, ".close()")
	managers := r.set("managers", emit.Leaf("TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())"))
	r.do(managers, ".init(", trusted, ")")
	return managers
}

// checkFields refuses fields that are not text, or have control characters.
func (r *jvmCall) checkFields() {
	for _, f := range r.c.Given() {
		s := f.Value.Literals()
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(c rune) bool { return c != '\t' && unicode.IsControl(c) }) {
			r.p.RefuseName(f.At, "sends only UTF-8 without controls in a field", f.Name)
		}
	}
}

// shared returns the variable of a client, after the statements that make it,
// unless one before is the same. A client with nothing set is plain.
func (r *jvmCall) shared(plain, builder string, set []string, tls func() []string) string {
	key := r.key(set)
	if variable, ok := r.clients[key]; ok {
		return variable
	}
	calls := []emit.Node{emit.Leaf(plain)}
	if set = append(set, tls()...); set != nil {
		calls[0] = emit.Leaf(builder)
		for _, s := range append(set, ".build()") {
			calls = append(calls, emit.Lines(strings.Split(s, "\n")))
		}
	}
	r.clients[key] = r.build("client", calls...)
	return r.clients[key]
}

// key returns what tells clients apart that have other settings.
func (r *jvmCall) key(set []string) string {
	key := strings.Join(set, "") + strings.Join(r.c.RangeTLS(), "")
	if r.c.Insecure() || len(r.c.CaFile()) > 0 {
		key += "\n" + r.c.CaFile().Source()
	}
	return key
}

// cookies returns the variable of the jar of several requests, after the statement that
// makes it, or "".
func (r *jvmCall) cookies() string {
	jar := r.c.Jar()
	if jar == nil {
		return ""
	}
	name := jar.Named("cookies")
	if r.c.Opens() {
		r.p.Use("java.net.CookieManager")
		r.do(r.let, name, " = ", r.create, "CookieManager()")
	}
	return name
}

// plainCookies writes the statement that has the cookies of a jar go out as they came.
// HttpCookie takes one with Max-Age for one of RFC 2965, and puts quotes around its value.
func (r *jvmCall) plainCookies() {
	jar := r.c.Jar()
	if jar == nil || r.c.Closes() {
		return
	}
	call := jar.Named("cookies") + ".getCookieStore().getCookies().forEach"
	const body = "cookie.setVersion(0)"
	r.p.Comment("Else values of cookies with Max-Age go out in quotes.")
	switch r.p.Target.Language {
	case "java":
		r.do(call, "(cookie -> ", body, ")")
	case "scala":
		r.do(call, "(cookie => ", body, ")")
	default:
		r.do(call, " { cookie -> ", body, " }")
	}
}

// lambda returns a call with a function as its argument.
func (d *jvm) lambda(call, parameters, body string) string {
	if d.create == "" {
		return strings.Replace(call+" { "+parameters+" -> "+body+" }", " \n", "\n", 1)
	}
	if strings.Contains(parameters, ",") {
		parameters = "(" + parameters + ")"
	}
	return strings.Replace(call+"("+parameters+" -> "+body+")", " \n", "\n", 1)
}

// duration returns a Duration.
func (r *jvmCall) duration(seconds float64) string {
	r.p.Use("java.time.Duration")
	if whole := int64(seconds); float64(whole) == seconds {
		return "Duration.ofSeconds(" + strconv.FormatInt(whole, 10) + ")"
	}
	return "Duration.ofMillis(" + emit.Milliseconds(seconds) + ")"
}

// socketAddress returns the address of the proxy, after the statement that
// takes it from a variable.
func (r *jvmCall) socketAddress() string {
	r.p.Use("java.net.InetSocketAddress")
	if proxy, known := r.c.ProxyServer(); known {
		return r.create + "InetSocketAddress(" + r.Literal(proxy.Host) + ", " + proxy.PortOr() + ")"
	}
	r.p.Use("java.net.URI")
	address, _, _ := r.c.ProxyParts()
	proxy := r.set("proxyUri", emit.Leaf("URI.create("+r.text(address)+")"))
	return r.create + "InetSocketAddress(" + proxy + ".getHost(), " + proxy + ".getPort())"
}

// frame writes the program around the statements.
func (d *jvm) frame(p *plan.Program, sections [][]byte, properties []string) {
	throws(p, "java.io.IOException")
	p.Head(func() {
		noteJackson(p)
		for _, name := range p.Imports {
			if !d.implied || !impliedImport(name) {
				p.Line("import ", name, d.end)
			}
		}
		p.Line()
	})
	if p.Options.Bare {
		p.Join(sections)
		p.Functions()
		return
	}
	for i, line := range d.open {
		if p.IsFunction() && i == len(d.open)-1 {
			d.function(p)
		} else {
			p.Line(line)
		}
		p.Level++
	}
	if len(properties) > 0 && p.IsFunction() {
		p.Comment("Is read once, before the first request of the process.")
	}
	for _, property := range properties {
		p.Line("System.setProperty(", property, ")", d.end)
	}
	if len(properties) > 0 {
		p.Line()
	}
	p.Join(sections)
	for i := range d.open {
		p.Level--
		p.Line("}")
		if i == len(d.open)-2 { // within the class
			p.Functions()
		}
	}
	if len(d.open) < 2 {
		p.Functions()
	}
}

// impliedImport reports whether Groovy imports a class by itself.
func impliedImport(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return slices.Contains([]string{"java.io", "java.net", "java.util"}, name[:dot])
}

// depth returns how deep the statements are indented.
func (d *jvm) depth(p *plan.Program) int { return p.Depth(len(d.open)) }
