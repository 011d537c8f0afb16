package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// A test plan of Apache JMeter 5.6, as its reader takes it
// (src/core/src/main/java/org/apache/jmeter/save). By its source (HTTPHC4Impl.java)
// JMeter sends with Apache HttpClient 4.5. It adds Connection and User-Agent;
// knows the methods of HTTP and WebDAV only; gives text a type where no field
// does; reads a path into segments and writes those again; sends all fields to
// hosts that it is redirected to; and trusts every certificate. In all strings
// ${ begins a variable or a function. Variables of the environment are
// properties here, set with -J. Bare leaves only the requests.
var jmeter = Target{
	Name: "jmeter", Language: "xml", Client: "JMeter", Version: "5.6", Kind: File, Extension: "jmx",
	Aliases: []string{"jmx"}, style: style{indent: "  "}, write: writeJMeter,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"Connection", "User-Agent"},
		always:    fieldNames{"Connection", "Host", "User-Agent"},
		fixed:     fieldNames{"Content-Length", "Connection"},
		codings:   noCoding,
		framed:    true,
		passes:    map[string][]string{"Connection": {"keep-alive", "close"}},
		methods:   isJMeterMethod,
		bodiless:  []string{"HEAD", "OPTIONS", "TRACE"},
		percents:  jmeterPercents,
		digest:    true, eager: true,
		visible: true,
		counts:  enclosing,
		says:    []string{"followRedirects", "insecure", "maxTime", "connectTimeout", "fail", "cert", "interface", "dnsServers", "resolve", "connectTo"},
		proxies: []string{"http"},
		shares:  fieldNames{"Authorization", "Cookie"},
	},
}

// isJMeterMethod reports a method that JMeter knows: HTTPHC4Impl.java and
// HttpWebdav.java.
func isJMeterMethod(method string) bool {
	switch method {
	case "GET", "POST", "HEAD", "PUT", "OPTIONS", "TRACE", "DELETE", "PATCH", "PROPFIND", "PROPPATCH", "MKCOL",
		"COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "MKCALENDAR", "SEARCH":
		return true
	}
	return false
}

// jmeterPercents reports whether the percent-encoded characters of a path are
// the same after HttpClient has decoded and encoded it: rewriteURI() in
// URIUtils.java and formatSegments() in URLEncodedUtils.java of HttpClient 4.5.
func jmeterPercents(url string) bool {
	_, rest, _ := strings.Cut(url, "://")
	path, _, _ := strings.Cut(rest[strings.IndexByte(rest+"/", '/'):], "?")
	decoded := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			decoded = append(decoded, 'a')
			continue
		}
		if i+2 >= len(path) || path[i+1:i+3] != strings.ToUpper(path[i+1:i+3]) {
			return false
		}
		high, low := ascii.Hex(path[i+1]), ascii.Hex(path[i+2])
		c := byte(high<<4 | low)
		if high < 0 || low < 0 || ascii.IsNameByte(c) || contains("!.~'()*;:@&=+$,", c) {
			return false
		}
		decoded = append(decoded, c)
		i += 2
	}
	return utf8.Valid(decoded)
}

// A jmeterPlan is a test plan that is being written.
type jmeterPlan struct {
	p         *program
	variables []jmeterVariable
	defined   map[string]bool // their names
}

// A jmeterVariable is a variable of the test plan.
type jmeterVariable struct{ name, value string }

func writeJMeter(p *program) {
	f := jmeterPlan{p: p, defined: make(map[string]bool)}
	level := 4
	if p.options.Bare {
		level = 0
	}
	sections := p.sections(level, func(c *call, _ string) {
		r := jmeterRequest{jmeterPlan: &f, c: c}
		p.fileLosses(c)
		r.write()
	})
	requests := func() {
		for _, s := range sections {
			p.dst = append(p.dst, s...)
		}
	}
	if p.options.Bare {
		requests()
		return
	}
	p.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	p.line(`<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">`)
	p.level++
	f.tree(func() {
		f.component("TestPlan", "TestPlanGui", f.evaluated(literal(p.fileName())), func() {
			if len(f.variables) > 0 {
				f.userVariables()
			}
		})
		f.tree(func() {
			f.component("ThreadGroup", "ThreadGroupGui", "Thread Group", func() {
				p.line(`<intProp name="ThreadGroup.num_threads">1</intProp>`)
				p.line(`<intProp name="ThreadGroup.ramp_time">1</intProp>`)
				f.string("ThreadGroup.on_sample_error", "continue")
				f.edited("ThreadGroup.main_controller", "LoopController", "LoopControlPanel", func() {
					f.string("LoopController.loops", "1")
					f.bool("LoopController.continue_forever", false)
				})
			})
			f.tree(requests)
			f.component("ResultCollector", "ViewResultsFullVisualizer", "View Results Tree", func() {})
			p.line("<hashTree/>")
		})
	})
	p.level--
	p.line("</jmeterTestPlan>")
}

// userVariables writes the variables, whose values come from properties.
func (f *jmeterPlan) userVariables() {
	f.edited("TestPlan.user_defined_variables", "Arguments", "ArgumentsPanel", func() {
		f.list("Arguments.arguments", func() {
			for _, v := range f.variables {
				f.element(v.name, "Argument", func() {
					f.string("Argument.name", v.name)
					f.string("Argument.value", v.value)
					f.string("Argument.metadata", "=")
				})
			}
		})
	})
}

// tag writes an element with others inside.
func (f *jmeterPlan) tag(name, attributes string, body func()) {
	start := len(f.p.dst)
	f.p.line("<", name, attributes, ">")
	inside := len(f.p.dst)
	f.p.level++
	body()
	f.p.level--
	if len(f.p.dst) == inside {
		f.p.dst = f.p.dst[:start]
		f.p.line("<", name, attributes, "/>")
		return
	}
	f.p.line("</", name, ">")
}

// tree writes what is below the component that was written last.
func (f *jmeterPlan) tree(body func()) { f.tag("hashTree", "", body) }

// component writes a part of the plan that JMeter shows in its tree.
func (f *jmeterPlan) component(class, editor, name string, body func()) {
	f.tag(class, ` guiclass="`+editor+`" testclass="`+class+`" testname="`+xmlAttribute(name)+`"`, body)
}

// element writes a property that has properties itself.
func (f *jmeterPlan) element(name, class string, body func()) {
	f.tag("elementProp", ` name="`+xmlAttribute(name)+`" elementType="`+class+`"`, body)
}

// edited is element with the editor that shows it.
func (f *jmeterPlan) edited(name, class, editor string, body func()) {
	f.tag("elementProp", ` name="`+name+`" elementType="`+class+`" guiclass="`+editor+`" testclass="`+class+`"`, body)
}

func (f *jmeterPlan) list(name string, body func()) {
	f.tag("collectionProp", ` name="`+name+`"`, body)
}

func (f *jmeterPlan) string(name, s string) {
	f.p.line(`<stringProp name="`, name, `">`, xmlText(s), "</stringProp>")
}

func (f *jmeterPlan) bool(name string, b bool) {
	value := "false"
	if b {
		value = "true"
	}
	f.p.line(`<boolProp name="`, name, `">`, value, "</boolProp>")
}

// xmlText escapes a string for the content of an element:
// XML 1.0, section 2.4. A reader turns a carriage return that is not escaped into
// a line feed.
func xmlText(s string) string {
	s = xmlEscapes.Replace(s)
	return escapeTurns(s, func(b []byte, r rune) []byte { return append(strconv.AppendInt(append(b, "&#"...), int64(r), 10), ';') })
}

var (
	xmlEscapes       = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xd;")
	attributeEscapes = strings.NewReplacer(`"`, "&quot;", "\n", "&#xa;", "\t", "&#x9;")
)

func xmlAttribute(s string) string {
	return attributeEscapes.Replace(xmlText(s))
}

// evaluated returns a string that JMeter evaluates to the text. Where it has a
// function or a variable, JMeter takes a backslash before a dollar sign, a comma
// or another backslash as an escape; elsewhere not: FunctionParser.java and
// ReplaceStringWithFunctions.java.
func (f *jmeterPlan) evaluated(t text) string {
	if !t.isText() {
		f.p.refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := t.plain(); ok && !slices.ContainsFunc([]rune(s), isNotXML) && !strings.Contains(s, "${") {
		return s
	}
	var b strings.Builder
	for i := range t {
		v := t[i].variable
		if v == nil {
			b.WriteString(jmeterLiteral(t[i].literal, false))
			continue
		}
		if t[i].encoded() {
			f.p.unencoded(v)
		}
		f.define(v.Name, v.Default)
		b.WriteString("${" + v.Name + "}")
	}
	return b.String()
}

// define adds a variable, once.
func (f *jmeterPlan) define(name, value string) {
	if !f.defined[name] {
		f.defined[name] = true
		f.variables = append(f.variables, jmeterVariable{name, "${__P(" + name + "," + jmeterLiteral(value, true) + ")}"})
	}
}

// jmeterLiteral returns what JMeter evaluates to a string, where functions are,
// or as the argument of a function.
func jmeterLiteral(s string, argument bool) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case isNotXML(r), argument && strings.ContainsRune("(),{}", r), r == '$' && strings.HasPrefix(s[i+1:], "{"), r == '$' && i+1 == len(s):
			b.WriteString("${__char(" + itoa(int(r)) + ")}")
		case r == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isNotXML reports a character that no XML 1.0 document can hold: section 2.2.
func isNotXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}

// A jmeterRequest writes one call.
type jmeterRequest struct {
	*jmeterPlan
	c *call
}

func (r *jmeterRequest) write() {
	keepAlive := true
	if h := r.c.field("Connection"); h != nil {
		h.derived = true
		keepAlive = ascii.EqualFold(h.value.source(), "keep-alive")
	}
	r.component("HTTPSamplerProxy", "HttpTestSampleGui", r.evaluated(literal(r.c.title())), func() {
		r.location()
		r.string("HTTPSampler.method", r.c.Method)
		r.bool("HTTPSampler.use_keepalive", keepAlive)
		r.bool("HTTPSampler.follow_redirects", r.c.follow)
		r.content()
		r.exchange()
	})
	r.tree(func() {
		r.headers()
		r.authorization()
		r.resolver()
	})
}

// notInURI are characters that java.net.URI does not take.
const notInURI = "\"<>\\^`{|}[] "

// location writes the URL in its parts; one that begins with a variable stands in
// the path, where JMeter takes a whole URL too: getUrl() in HTTPSamplerBase.java.
func (r *jmeterRequest) location() {
	base, path, _ := r.c.urlParts()
	if strings.Contains(path.source(), "//") {
		r.p.refuse("sends // in a path as one slash")
	}
	path = percentEncoded(r.c.url.cut(len(base.source()), len(r.c.URL)), notInURI)
	if len(path) == 0 || path[0].variable == nil && path[0].literal[0] != '/' {
		path = prefixed("/", path)
	}
	scheme := r.c.scheme()
	if r.c.guess || scheme == "" || base[0].variable != nil {
		r.p.needsScheme(r.c)
		r.string("HTTPSampler.path", r.evaluated(append(base, path...)))
		return
	}
	host, port := base.cut(len(scheme)+len("://"), len(base.source())), text(nil)
	if i := strings.LastIndexByte(host.source(), ':'); i >= 0 && !strings.HasSuffix(host.source(), "]") {
		host, port = host.cut(0, i), host.cut(i+1, len(host.source()))
		r.string("HTTPSampler.port", r.evaluated(port))
	}
	if h := r.c.field("Host"); h != nil && !r.keepsHost(h.value.source(), port.source()) {
		r.p.refuse("gives the field Host the port of the URL")
	}
	r.string("HTTPSampler.domain", r.evaluated(host))
	r.string("HTTPSampler.protocol", scheme)
	r.string("HTTPSampler.path", r.evaluated(path))
}

// keepsHost reports whether JMeter sends a field Host as it is: where it has no
// port it gets that of the URL, and it loses the usual one of the scheme:
// setConnectionHeaders() in HTTPHC4Impl.java.
func (r *jmeterRequest) keepsHost(value, port string) bool {
	usual := "80"
	if r.c.secure() {
		usual = "443"
	}
	_, rest := cutHost(value)
	if rest == "" {
		return port == "" || port == usual
	}
	return rest != usual
}

// content writes the body.
func (r *jmeterRequest) content() {
	switch r.c.body.kind {
	case noBody:
		if r.c.Method == "POST" && r.c.field("Content-Type") == nil {
			r.p.differs("gives a POST without content the type of a form")
		}
		r.arguments(nil)
	case multipartBody:
		if !r.form() {
			r.raw(joinedText(r.c.rawForm()))
		}
	case fileBody:
		if name, ok := r.c.body.file.plain(); ok && name == "-" {
			r.p.refuse("reads no standard input")
		}
		r.arguments(nil)
		r.files(func() { r.file(r.c.body.file, "", "") })
	case rawBody:
		if !r.c.isForm(&encodeWHATWG) || r.c.Method == "GET" || r.c.Method == "DELETE" { // with which arguments are a query
			r.raw(r.c.body.data, true)
			return
		}
		r.string("HTTPSampler.contentEncoding", "UTF-8")
		r.arguments(func() {
			for _, one := range r.c.body.form {
				r.argument(one.name, decoded(one.value), true)
			}
		})
	default:
		r.raw(joinedText(r.c.body.list))
	}
}

// raw writes content as it is; a file cannot be part of it.
func (r *jmeterRequest) raw(data text, ok bool) {
	if !ok {
		r.p.refuse("joins no text and files")
		return
	}
	if r.c.field("Content-Type") == nil {
		r.p.refuse("gives text a type")
	}
	if source := data.source(); strings.Count(source, "\n") > strings.Count(source, "\r\n") {
		r.p.differs("turns line feeds of content into CRLF once its editor has shown it")
	}
	r.bool("HTTPSampler.postBodyRaw", true)
	r.string("HTTPSampler.contentEncoding", "UTF-8")
	r.arguments(func() { r.argument(nil, data, false) })
}

// arguments writes the list of arguments: the fields of a form, or one without a
// name.
func (r *jmeterRequest) arguments(list func()) {
	r.edited("HTTPsampler.Arguments", "Arguments", "HTTPArgumentsPanel", func() {
		r.list("Arguments.arguments", func() {
			if list != nil {
				list()
			}
		})
	})
}

func (r *jmeterRequest) argument(name, value text, encoded bool) {
	r.element(r.evaluated(name), "HTTPArgument", func() {
		r.bool("HTTPArgument.always_encode", encoded)
		if len(name) > 0 {
			r.string("Argument.name", r.evaluated(name))
			r.bool("HTTPArgument.use_equals", true)
		}
		r.string("Argument.value", r.evaluated(value))
		r.string("Argument.metadata", "=")
	})
}

// form writes a form whose parts JMeter writes as curl does, fields before files.
// It reports false where it has no file, or where JMeter would write another one.
func (r *jmeterRequest) form() bool {
	files := false
	for i := range r.c.body.part {
		part := &r.c.body.part[i]
		switch {
		case !part.simple(), strings.ContainsAny(part.Name, "\"\r\n"), !ascii.Only(part.Name):
			return false
		case part.isFile():
			if part.filename == nil || *part.filename != baseName(part.File) || strings.ContainsAny(*part.filename, "\"%\r\n") || !ascii.Only(*part.filename) || part.contentType == nil {
				return false
			}
			files = true
		case files, part.filename != nil, part.contentType != nil:
			return false
		}
	}
	if !files || r.c.Method != "POST" {
		return false
	}
	r.bool("HTTPSampler.DO_MULTIPART_POST", true)
	r.bool("HTTPSampler.BROWSER_COMPATIBLE_MULTIPART", true)
	r.string("HTTPSampler.contentEncoding", "UTF-8")
	r.arguments(func() {
		for i := range r.c.body.part {
			if part := &r.c.body.part[i]; !part.isFile() {
				r.argument(part.name, part.value, false)
			}
		}
	})
	r.files(func() {
		for i := range r.c.body.part {
			if part := &r.c.body.part[i]; part.isFile() {
				r.file(part.file, r.evaluated(part.name), *part.contentType)
			}
		}
	})
	return true
}

func (r *jmeterRequest) files(list func()) {
	r.element("HTTPsampler.Files", "HTTPFileArgs", func() { r.list("HTTPFileArgs.files", list) })
}

// file writes a file: content as it is where it has no name of a field.
func (r *jmeterRequest) file(name text, field, contentType string) {
	path := r.evaluated(name)
	r.element(path, "HTTPFileArg", func() {
		r.string("File.path", path)
		r.string("File.paramname", field)
		r.string("File.mimetype", r.evaluated(literal(contentType)))
	})
}

// headers writes the fields. JMeter sends no Accept-Encoding by itself.
func (r *jmeterRequest) headers() {
	fields := slices.DeleteFunc(slices.Clone(r.c.fields), func(h field) bool { return h.skipped() || h.is("Authorization") && r.managed() })
	if r.c.compressed && r.c.field("Accept-Encoding") == nil {
		fields = append(fields, field{name: "Accept-Encoding", value: literal("gzip, deflate")})
	}
	if len(fields) == 0 {
		return
	}
	r.component("HeaderManager", "HeaderPanel", "HTTP Header Manager", func() {
		r.list("HeaderManager.headers", func() {
			for i := range fields {
				r.element("", "Header", func() {
					r.string("Header.name", r.evaluated(literal(fields[i].name)))
					r.string("Header.value", r.evaluated(fields[i].value))
				})
			}
		})
	})
	r.p.line("<hashTree/>")
}

// managed reports credentials that JMeter makes a field of: those of Basic that
// have variables.
func (r *jmeterRequest) managed() bool {
	if r.c.basic == nil {
		return false
	}
	_, user := r.c.basic.user.plain()
	_, password := r.c.basic.password.plain()
	return !user || !password
}

// authorization writes credentials for the host.
func (r *jmeterRequest) authorization() {
	who, mechanism := r.c.digest, "DIGEST"
	if who == nil {
		if who, mechanism = r.c.basic, "BASIC"; !r.managed() {
			return
		}
	}
	base, _, _ := r.c.urlParts()
	r.component("AuthManager", "AuthPanel", "HTTP Authorization Manager", func() {
		r.list("AuthManager.auth_list", func() {
			r.element("", "Authorization", func() {
				r.string("Authorization.url", r.evaluated(base))
				r.string("Authorization.username", r.evaluated(who.user))
				r.string("Authorization.password", r.evaluated(who.password))
				r.string("Authorization.mechanism", mechanism)
			})
		})
	})
	r.p.line("<hashTree/>")
}
