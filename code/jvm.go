package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"uncoil/request"
)

// A jvm is a language of the Java virtual machine: how it writes what the
// targets for the clients of Java say.
type jvm struct {
	language
	create, let, mutable, end string    // before a constructor and before names of variables; after a statement
	paths                     string    // the class that makes paths: calls of methods of interfaces do not compile everywhere
	stdin                     string    // the bytes of the standard input
	implied                   bool      // java.io, java.net and java.util need no import
	array                     [2]string // around the items of an array of %
	// format returns a text with variables as one literal; nil: the parts are added.
	format func(p *program, t text) string
	// block returns the lines of a literal of several lines, or nothing.
	block  func(p *program, t text) []string
	open   []string // the lines before the statements, a level deeper each
	print  [2]string
	bytes  [2]string // what makes bytes of a string: of UTF-8, of Latin-1
	erase  string    // removes line breaks and NUL from a string
	each   [2]string // begins a loop
	list   [2]string // makes a list
	shift  string    // the operator that moves bits to the left
	filter [2]string // a function of a name and a value

	differs  [2]string // the condition that the variable name is not a literal
	hundreds string    // after a number: its hundreds, without the rest
	trust    [4]string // a trust manager: its first line, a method, a further argument, the last method
}

var java = jvm{
	language: language{literal: jvmString, variable: javaVariable, plus: " + "},
	create:   "new ", let: "var ", mutable: "var ", end: ";", paths: "Path", stdin: "System.in.readAllBytes()",
	array: [2]string{"new %[] {", "}"},
	block: javaBlock,
	open:  []string{"public class Main {", "public static void main(String[] args) throws Exception {"},
	print: [2]string{"System.out.println(", ");"},
	bytes: [2]string{".getBytes(StandardCharsets.UTF_8)", ".getBytes(StandardCharsets.ISO_8859_1)"},
	erase: `.replaceAll("[\r\n\0]", "")`,
	each:  [2]string{"for (var certificate : ", ") {"},
	list:  [2]string{"List.of(", ")"}, shift: " << ", filter: [2]string{"(name, value) -> ", ""},
	differs: [2]string{"!name.equals(", ")"}, hundreds: " / 100",
	trust: [4]string{"() {", "public void check%Trusted(X509Certificate[] chain, String auth) {}", ", Socket socket",
		"public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }"},
}

// jvmString returns a literal in double quotes, as Java, Scala and Clojure have
// it. Bytes that are no text are characters of Latin-1.
func jvmString(s string) string { return jvmQuote(s, '"', "") }

// jvmQuote returns a literal in quotes. A backslash stands before the quote and
// the characters of also.
func jvmQuote(s string, quote rune, also string) string {
	return string(quote) + jvmEscape(s, string(quote)+also) + string(quote)
}

// jvmEscape returns the inside of a literal.
func jvmEscape(s, also string) string {
	if standsForItself(s, '\\', also) {
		return s
	}
	if !utf8.ValidString(s) {
		s = latin1Text(s)
	}
	b := make([]byte, 0, len(s)+2)
	for _, r := range s {
		switch {
		case r == '\\' || strings.ContainsRune(also, r):
			b = append(b, '\\', byte(r))
		case lineEscape(r) != 0:
			b = append(b, '\\', lineEscape(r))
		case strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendCodeUnit(appendCodeUnit(b, high), low)
		default:
			b = appendCodeUnit(b, r)
		}
	}
	return string(b)
}

// latin1Text returns the characters of Latin-1 that have these bytes.
func latin1Text(s string) string {
	var b []byte
	for i := range len(s) {
		b = utf8.AppendRune(b, rune(s[i]))
	}
	return string(b)
}

func javaVariable(p *program, v *request.Variable) string {
	name := jvmString(v.Name)
	if v.HasDefault {
		return jvmEncoded(p, "System.getenv().getOrDefault("+name+", "+jvmString(v.Default)+")", v, jvmString)
	}
	return jvmEncoded(p, "System.getenv("+name+")", v, jvmString)
}

// jvmEncoded returns the value of a variable with the encoding that its place
// asks for.
func jvmEncoded(p *program, value string, v *request.Variable, quote func(string) string) string {
	switch v.Encoding {
	case userPart:
		value += ".substring(0, " + value + ".indexOf(" + quote(":") + "))"
	case passwordPart:
		value += ".substring(" + value + ".indexOf(" + quote(":") + ") + 1)"
	case lastSegment:
		class, method := "Paths", ".get("
		if p.target.Language == "java" || p.target.Language == "groovy" {
			class, method = "Path", ".of("
		}
		p.use("java.nio.file." + class)
		value = class + method + value + ").getFileName().toString()"
	case request.Percent, request.FormEncode:
		p.use("java.net.URLEncoder")
		p.use("java.nio.charset.StandardCharsets")
		value = "URLEncoder.encode(" + value + ", StandardCharsets.UTF_8)"
		if v.Encoding == request.Percent {
			value += ".replace(" + quote("+") + ", " + quote("%20") + ")"
		}
	case request.JSONEscape:
		value += ".replace(" + quote(`\`) + ", " + quote(`\\`) + ").replace(" + quote(`"`) + ", " + quote(`\"`) + ")"
	}
	return value
}

// text returns an expression for a text on one line.
func (d *jvm) text(p *program, t text) string {
	if len(t) > 1 && d.format != nil {
		return d.format(p, t)
	}
	return d.language.text(p, t)
}

// inner returns the text as the receiver of a call.
func (d *jvm) inner(p *program, t text) string {
	if s := d.text(p, t); len(t) < 2 || d.format != nil {
		return s
	}
	return "(" + d.language.text(p, t) + ")"
}

// long returns an expression for a text, of several lines where it is long, has
// several lines, or has many quotes.
func (d *jvm) long(p *program, t text) node {
	source := t.literals()
	if t.isText() && (strings.Contains(source, "\n") || strings.Count(source, `"`) > 1) {
		if block := d.block(p, t); block != nil {
			return lines(block)
		}
	}
	if one := d.text(p, t); len(one) <= longLiteral {
		return leaf(one)
	}
	var out []string
	for _, part := range t {
		if part.variable != nil {
			out = append(out, d.variable(p, part.variable))
			continue
		}
		for _, s := range splitLines(part.literal) {
			if s != "" {
				out = append(out, d.literal(s))
			}
		}
	}
	for i := range len(out) - 1 {
		out[i] += " +"
	}
	return lines(joinShort(out))
}

// joinShort joins lines with the next ones as long as they are short.
func joinShort(in []string) []string {
	out := in[:1]
	for _, s := range in[1:] {
		if last := out[len(out)-1]; len(last)+len(s) < longLiteral && !strings.HasSuffix(last[:len(last)-len(`" +`)], `\n`) {
			out[len(out)-1] = last + " " + s
		} else {
			out = append(out, s)
		}
	}
	return out
}

// splitLines cuts a text into lines with their ends, and long lines into parts.
func splitLines(s string) []string {
	var out []string
	for _, line := range strings.SplitAfter(s, "\n") {
		out = append(out, splitLong(line)...)
	}
	return out
}

// javaBlock returns a text block. Variables are arguments of formatted.
func javaBlock(p *program, t text) []string {
	var b strings.Builder
	var arguments []string
	for _, part := range t {
		switch {
		case part.variable != nil:
			b.WriteString("%s")
			arguments = append(arguments, javaVariable(p, part.variable))
		case len(t) > 1:
			b.WriteString(strings.ReplaceAll(part.literal, "%", "%%"))
		default:
			b.WriteString(part.literal)
		}
	}
	parts := splitLines(b.String())
	out := []string{`"""`}
	for i, s := range parts {
		content, ended := strings.CutSuffix(s, "\n")
		line := strings.ReplaceAll(jvmEscape(content, ""), `"""`, `\"""`)
		last := i == len(parts)-1
		if (ended || last) && strings.HasSuffix(line, " ") {
			line = line[:len(line)-1] + `\s`
		}
		switch {
		case last && strings.HasPrefix(line, " "):
			line = `\s` + line[1:] // the other lines keep their blanks
		case !last && !ended:
			line += `\`
		}
		if last {
			if s, ok := strings.CutSuffix(line, `"`); ok {
				line = s + `\"`
			}
			line += `"""`
			if len(arguments) > 0 {
				line += ".formatted(" + strings.Join(arguments, ", ") + ")"
			}
		}
		out = append(out, line)
	}
	return out
}

// A jvmCall is a call that a language of the Java virtual machine writes.
type jvmCall struct {
	p *program
	c *call
	*jvm
	suffix   string            // of the names of variables
	clients  map[string]string // what is set, and the variable of the client that has it
	contents int               // how many files curl changes the content of
}

func (r *jvmCall) text(t text) string { return r.jvm.text(r.p, t) }

// set declares a variable and returns its name.
func (r *jvmCall) set(name string, value node) string {
	r.p.node(r.let+name+r.suffix+" = ", value, r.end)
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
		r.p.use("java.util.List")
	}
	return r.list[0] + items + r.list[1]
}

// arrayOf returns an array of items of a type.
func (r *jvmCall) arrayOf(class string, items ...string) string {
	return strings.Replace(r.array[0]+strings.Join(items, ", ")+r.array[1], "%", class, 1)
}

// do writes a statement.
func (r *jvmCall) do(parts ...string) { r.p.line(append(parts, r.end)...) }

// build writes a statement that declares a variable for what a chain of calls
// returns, and returns its name.
func (r *jvmCall) build(name string, calls ...node) string {
	return r.declare(r.let, name, calls...)
}

// declare is build with what stands before the name of the variable.
func (r *jvmCall) declare(let, name string, calls ...node) string {
	r.p.chain(let+name+r.suffix+" = ", calls, r.end)
	return name + r.suffix
}

// method returns a call with arguments.
func method(name string, arguments ...node) node { return group(name, "(", arguments, ")") }

// address returns the URL, after the statements that guess its scheme where a
// variable may bring none.
func (r *jvmCall) urlText(url text) string {
	if !r.c.guess {
		return r.text(url)
	}
	name := "url" + r.suffix
	r.do(r.mutable, name, " = ", r.text(url))
	r.p.line("if (!", name, ".contains(", r.literal("://"), ")) {")
	r.p.line(r.p.indent, name, " = ", r.literal("http://"), " + ", name, r.end, " // as curl does")
	r.p.line("}")
	return name
}

// path returns an expression for a path.
func (r *jvmCall) path(name text) string {
	r.p.use("java.nio.file." + r.paths)
	method := ".of("
	if r.paths == "Paths" {
		method = ".get("
	}
	return r.paths + method + r.text(name) + ")"
}

// bytesOf returns an expression for the bytes of a file or of the standard input.
func (r *jvmCall) bytesOf(name text) string {
	if name.source() == "-" {
		return r.stdin
	}
	r.p.use("java.nio.file.Files")
	return "Files.readAllBytes(" + r.path(name) + ")"
}

// changedContent returns a variable for the content of a file, changed as curl changes
// it: a string of Latin-1, so that it has the bytes.
func (r *jvmCall) changedContent(one *piece) string {
	r.p.use("java.nio.charset.StandardCharsets")
	var calls []node
	if one.file.source() == "-" {
		calls = append(calls, leaf(r.create+"String("+r.stdin+", StandardCharsets.ISO_8859_1)"))
	} else {
		r.p.use("java.nio.file.Files")
		calls = append(calls, leaf("Files.readString("+r.path(one.file)+", StandardCharsets.ISO_8859_1)"))
	}
	if one.offset > 0 {
		calls = append(calls, leaf(".substring("+strconv.FormatInt(one.offset, 10)+")"))
	}
	if one.strip {
		calls = append(calls, leaf(r.erase))
	}
	number := ""
	if r.contents++; r.contents > 1 {
		number = itoa(r.contents)
	}
	variable := r.build("data"+number, calls...)
	if one.urlencode {
		r.p.use("java.net.URLEncoder")
		variable = r.build("encoded"+number, leaf("URLEncoder.encode("+variable+", StandardCharsets.ISO_8859_1)"),
			leaf(".replace("+r.literal("*")+", "+r.literal("%2A")+")"), leaf(".replace("+r.literal("%7E")+", "+r.literal("~")+")"))
	}
	return variable
}

// namedPieces returns the pieces with the names before contents as texts.
func namedPieces(pieces []piece) []piece {
	var out []piece
	add := func(t text) {
		if n := len(out); n > 0 && out[n-1].isText {
			out[n-1].text = append(out[n-1].text, t...)
			return
		}
		out = append(out, piece{isText: true, text: slices.Clip(t)})
	}
	for _, one := range pieces {
		if len(one.name) > 0 {
			add(append(slices.Clone(one.name), part{literal: "="}))
		}
		if one.isText {
			add(one.text)
			continue
		}
		one.name = nil
		out = append(out, one)
	}
	for i := range out {
		if out[i].isText {
			out[i].text = mergeLiterals(out[i].text)
		}
	}
	return out
}

// basicValue returns the value of Authorization for the credentials, after the
// statement that encodes them.
func (r *jvmCall) basicValue(name string, user text) string {
	r.p.use("java.util.Base64")
	r.p.use("java.nio.charset.StandardCharsets")
	encoded := method("Base64.getEncoder().encodeToString", leaf(r.inner(r.p, user)+r.bytesLike(user)))
	return r.literal("Basic ") + " + " + r.set(name, encoded)
}

// fieldValue returns the value of a field, after the statement that encodes
// credentials where it has some.
func (r *jvmCall) fieldValue(f *field) string {
	if f.derived && f.is("Authorization") {
		return r.basicValue("credentials", r.c.basic.joined())
	}
	return r.text(f.value)
}

// save writes the statement that copies a stream into the file of -o.
func (r *jvmCall) save(stream string) {
	r.p.use("java.nio.file.Files")
	r.p.use("java.nio.file.StandardCopyOption")
	if folder := r.c.folder(); folder != nil {
		r.do("Files.createDirectories(", r.path(folder), ")")
	}
	r.p.node("", method("Files.copy", leaf(stream), leaf(r.path(r.c.output)), leaf("StandardCopyOption.REPLACE_EXISTING")), r.end)
}

// bytesLike returns what makes the bytes of a text of its literal.
func (r *jvmCall) bytesLike(t text) string {
	if t.isText() {
		return r.bytes[0]
	}
	return r.bytes[1]
}

// again writes what sends the request, in a loop that tries again, as curl does:
// curl 8.22 src/tool_operate.c. status is the call that returns the status of a
// response, and drop the one that lets go of it, if any.
func (r *jvmCall) again(response, send, status, drop string) {
	attempt := "attempt" + r.suffix
	r.do(r.variable(), response, " = ", send)
	r.do(r.variable(), attempt, " = 0")
	statuses := r.set("transientErrors", leaf(r.listOf(retryStatuses)))
	r.p.block("while ("+attempt+" < "+strconv.FormatInt(r.c.retries, 10)+" && "+statuses+".contains("+response+status+")) {", func() {
		if drop != "" {
			r.do(response, drop)
		}
		r.do("Thread.sleep(1000L", " * (1", r.shift, attempt, "))")
		r.do(attempt, " += 1")
		r.do(response, " = ", send)
	})
	r.p.line("}")
}

// checkStatus writes what makes an error of a status, with --fail.
func (r *jvmCall) checkStatus(status string) {
	if !r.c.fail {
		return
	}
	r.p.use("java.io.IOException")
	r.p.line("if (", status, " >= 400) {")
	r.do(r.p.indent, "throw ", r.create, "IOException(", r.literal("HTTP "), " + ", status, ")")
	r.p.line("}")
}

// show writes a statement that prints.
func (r *jvmCall) show(expr string) { r.p.line(r.print[0], expr, r.print[1]) }

// tls writes the statements that make an SSLContext where the default one will
// not do, and returns its variable and that of the trust manager. An extended
// one checks no host names either.
func (r *jvmCall) tls(extended bool) (context, manager string) {
	if !r.c.insecure && len(r.c.caFile) == 0 {
		return "", ""
	}
	r.p.use("javax.net.ssl.SSLContext")
	managers := ""
	if r.c.insecure {
		manager = r.trustAll(extended)
		r.p.use("javax.net.ssl.TrustManager")
		managers = r.arrayOf("TrustManager", manager)
	} else {
		managers = r.trustFile() + ".getTrustManagers()"
		if !extended {
			r.p.use("javax.net.ssl.X509TrustManager")
			manager = managers
		}
	}
	context = r.set("tls", leaf("SSLContext.getInstance("+r.literal("TLS")+")"))
	r.do(context, ".init(null, ", managers, ", null)")
	return context, manager
}

func (r *jvmCall) trustAll(extended bool) string {
	r.p.use("java.security.cert.X509Certificate")
	class := "X509TrustManager"
	further := []string{""}
	if extended {
		r.p.use("java.net.Socket")
		r.p.use("javax.net.ssl.SSLEngine")
		class = "X509ExtendedTrustManager"
		further = append(further, r.trust[2], strings.NewReplacer("Socket", "SSLEngine", "socket", "engine").Replace(r.trust[2]))
	}
	r.p.use("javax.net.ssl." + class)
	name := "trustAll" + r.suffix
	head, open := r.create, r.trust[0]
	if head == "" {
		head = "object : "
		if !extended { // an interface, which has no constructor
			open = " {"
		}
	}
	r.p.writer.block(r.let+name+" = "+head+class+open+" // as -k does", func() {
		for _, more := range further {
			for _, who := range []string{"Client", "Server"} {
				one := strings.Replace(r.trust[1], "%", who, 1)
				start, end := strings.IndexByte(one, '(')+1, strings.IndexByte(one, ')')
				if r.p.fits(columns(one) + columns(more)) {
					r.p.line(one[:end], more, one[end:])
					continue
				}
				r.p.block(one[:start], func() { r.p.line(one[start:end], more) })
				r.p.line(one[end:])
			}
		}
		r.p.line(r.trust[3])
	})
	r.do("}")
	return name
}

// trustFile writes the statements that read the certificates of --cacert, and
// returns the variable of what makes trust managers of them.
func (r *jvmCall) trustFile() string {
	for _, name := range []string{"java.nio.file.Files", "java.security.KeyStore", "java.security.cert.CertificateFactory", "javax.net.ssl.TrustManagerFactory"} {
		r.p.use(name)
	}
	trusted := r.set("trusted", leaf("KeyStore.getInstance(KeyStore.getDefaultType())"))
	r.do(trusted, ".load(null, null)")
	pem := r.set("pem", leaf("Files.newInputStream("+r.path(r.c.caFile)+")"))
	r.p.line(r.each[0], "CertificateFactory.getInstance(", r.literal("X.509"), ").generateCertificates(", pem, ")", r.each[1])
	r.do(r.p.indent, trusted, ".setCertificateEntry(", r.literal("ca"), " + ", trusted, ".size(), certificate)")
	r.p.line("}")
	r.do(pem, ".close()")
	managers := r.set("managers", leaf("TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())"))
	r.do(managers, ".init(", trusted, ")")
	return managers
}

// checkFields refuses fields that are not text, or have control characters.
func (r *jvmCall) checkFields() {
	for _, f := range r.c.fields {
		s := f.value.literals()
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(c rune) bool { return c != '\t' && unicode.IsControl(c) }) {
			r.p.refuseName(f.at, "sends only UTF-8 without controls in a field", f.name)
		}
	}
}

// shared returns the variable of a client, after the statements that make it,
// unless one before is the same. A client with nothing set is plain.
func (r *jvmCall) shared(plain, builder string, set []string, tls func() []string) string {
	key := strings.Join(set, "") + strings.Join(r.c.rangeTLS(), "")
	if r.c.insecure || len(r.c.caFile) > 0 {
		key += "\n" + r.c.caFile.source()
	}
	if variable, ok := r.clients[key]; ok {
		return variable
	}
	calls := []node{leaf(plain)}
	if set = append(set, tls()...); set != nil {
		calls[0] = leaf(builder)
		for _, s := range append(set, ".build()") {
			calls = append(calls, lines(strings.Split(s, "\n")))
		}
	}
	r.clients[key] = r.build("client", calls...)
	return r.clients[key]
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
	r.p.use("java.time.Duration")
	if whole := int64(seconds); float64(whole) == seconds {
		return "Duration.ofSeconds(" + strconv.FormatInt(whole, 10) + ")"
	}
	return "Duration.ofMillis(" + milliseconds(seconds) + ")"
}

// socketAddress returns the address of the proxy, after the statement that
// takes it from a variable.
func (r *jvmCall) socketAddress() string {
	r.p.use("java.net.InetSocketAddress")
	if proxy, known := r.c.proxyServer(); known {
		return r.create + "InetSocketAddress(" + r.literal(proxy.host) + ", " + proxy.portOr() + ")"
	}
	r.p.use("java.net.URI")
	address, _, _ := r.c.proxyParts()
	proxy := r.set("proxy", leaf("URI.create("+r.text(address)+")"))
	return r.create + "InetSocketAddress(" + proxy + ".getHost(), " + proxy + ".getPort())"
}

// frame writes the program around the statements.
func (d *jvm) frame(p *program, sections [][]byte, properties []string) {
	if p.options.Bare {
		p.join(sections)
		p.functions()
		return
	}
	for _, name := range p.imports {
		if !d.implied || !impliedImport(name) {
			p.line("import ", name, d.end)
		}
	}
	p.line()
	for _, line := range d.open {
		p.line(line)
		p.level++
	}
	for _, property := range properties {
		p.line("System.setProperty(", property, ")", d.end)
	}
	if len(properties) > 0 {
		p.line()
	}
	p.join(sections)
	for i := range d.open {
		p.level--
		p.line("}")
		if i == len(d.open)-2 { // within the class
			p.functions()
		}
	}
	if len(d.open) < 2 {
		p.functions()
	}
}

// impliedImport reports whether Groovy imports a class by itself.
func impliedImport(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return slices.Contains([]string{"java.io", "java.net", "java.util"}, name[:dot])
}

// depth returns how deep the statements are indented.
func (d *jvm) depth(p *program) int {
	if p.options.Bare {
		return 0
	}
	return len(d.open)
}
