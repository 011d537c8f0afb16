package files

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/urlparts"
)

// A test plan of Apache JMeter 5.6, as its reader takes it
// (src/core/src/main/java/org/apache/jmeter/save). By its source (HTTPHC4Impl.java)
// JMeter sends with Apache HttpClient 4.5. It adds Connection and User-Agent;
// knows the methods of HTTP and WebDAV only; gives text a type where no field
// does; reads a path into segments and writes those again; sends all fields to
// hosts that it is redirected to; and trusts every certificate. In all strings
// ${ begins a variable or a function. Variables of the environment are
// properties here, set with -J. Bare leaves only the requests.
var JMeter = plan.Target{
	Name: "jmeter", Convention: plan.Format("xml"), Client: "JMeter", Version: "5.6", Kind: plan.File, Extension: "jmx",
	Why:     "they are read by the rules of its source; JMeter 5.6 has not sent them",
	Aliases: []string{"jmx"}, Style: emit.Style{Indent: "  "}, Write: writeJMeter,
	Facts: plan.Client{
		Settings:  true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"Connection", "User-Agent"},
		Always:    plan.FieldNames{"Connection", "Host", "User-Agent"},
		Fixed:     plan.FieldNames{"Content-Length", "Connection"},
		Rules: plan.Rules{
			plan.SendsCodings(plan.NoCoding),
			plan.CodesContentOnly,
			plan.SendsMethods(isJMeterMethod),
			plan.SendsNoContent("HEAD", "OPTIONS", "TRACE"),
			jmeterURLs,
			plan.VisibleFields,
		},
		Passes: map[string][]string{"Connection": {"keep-alive", "close"}},
		Digest: true, Eager: true,
		Counts:  plan.Enclosing,
		Proxies: []string{"http"},
		Shares:  plan.FieldNames{"Authorization", "Cookie"},
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

// jmeterURLs is the rule for paths that HttpClient decodes and encodes.
func jmeterURLs(p *plan.Program, c *plan.Call) {
	switch {
	case jmeterPercents(c.URL):
	case plan.WellFormed(c.URL) && utf8.ValidString(ascii.Decoded(c.URL, false)):
		p.Accept(c, "spells the percent-encoding of this path otherwise")
	default:
		p.Refuse("reads no URL with a malformed percent-encoding as it is")
	}
}

// jmeterPercents reports whether the percent-encoded characters of a path are
// the same after HttpClient has decoded and encoded it: rewriteURI() in
// URIUtils.java and formatSegments() in URLEncodedUtils.java of HttpClient 4.5.
func jmeterPercents(url string) bool {
	parts := urlparts.Of(url)
	path := url[parts.Path:parts.Query]
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
		if high < 0 || low < 0 || ascii.IsNameByte(c) || emit.Contains("!.~'()*;:@&=+$,", c) {
			return false
		}
		decoded = append(decoded, c)
		i += 2
	}
	return utf8.Valid(decoded)
}

// A JmeterPlan is a test plan that is being written.
type JmeterPlan struct {
	P         *plan.Program
	variables []jmeterVariable
	Defined   map[string]bool // their names
}

// A jmeterVariable is a variable of the test plan.
type jmeterVariable struct{ name, value string }

func writeJMeter(p *plan.Program) {
	f := JmeterPlan{P: p, Defined: make(map[string]bool)}
	level := 4
	if p.Options.Bare {
		level = 0
	}
	sections := p.Sections(level, func(c *plan.Call, _ string) {
		r := jmeterRequest{JmeterPlan: &f, c: c}
		r.write()
	})
	requests := func() {
		for _, s := range sections {
			p.Dst = append(p.Dst, s...)
		}
	}
	if p.Options.Bare {
		requests()
		return
	}
	p.Line(`<?xml version="1.0" encoding="UTF-8"?>`)
	p.Line(`<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">`)
	p.Level++
	f.tree(func() {
		f.component("TestPlan", "TestPlanGui", f.Evaluated(plan.Literal(fileName(p))), func() {
			if len(f.variables) > 0 {
				f.userVariables()
			}
		})
		f.tree(func() {
			f.component("ThreadGroup", "ThreadGroupGui", "Thread Group", func() {
				p.Line(`<intProp name="ThreadGroup.num_threads">1</intProp>`)
				p.Line(`<intProp name="ThreadGroup.ramp_time">1</intProp>`)
				f.string("ThreadGroup.on_sample_error", "continue")
				f.edited("ThreadGroup.main_controller", "LoopController", "LoopControlPanel", func() {
					f.string("LoopController.loops", "1")
					f.bool("LoopController.continue_forever", false)
				})
			})
			f.tree(requests)
			f.component("ResultCollector", "ViewResultsFullVisualizer", "View Results Tree", func() {})
			p.Line("<hashTree/>")
		})
	})
	p.Level--
	p.Line("</jmeterTestPlan>")
}

// userVariables writes the variables, whose values come from properties.
func (f *JmeterPlan) userVariables() {
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
func (f *JmeterPlan) tag(name, attributes string, body func()) {
	start := len(f.P.Dst)
	f.P.Line("<", name, attributes, ">")
	inside := len(f.P.Dst)
	f.P.Level++
	body()
	f.P.Level--
	if len(f.P.Dst) == inside {
		f.P.Dst = f.P.Dst[:start]
		f.P.Line("<", name, attributes, "/>")
		return
	}
	f.P.Line("</", name, ">")
}

// tree writes what is below the component that was written last.
func (f *JmeterPlan) tree(body func()) { f.tag("hashTree", "", body) }

// component writes a part of the plan that JMeter shows in its tree.
func (f *JmeterPlan) component(class, editor, name string, body func()) {
	f.tag(class, ` guiclass="`+editor+`" testclass="`+class+`" testname="`+xmlAttribute(name)+`"`, body)
}

// element writes a property that has properties itself.
func (f *JmeterPlan) element(name, class string, body func()) {
	f.tag("elementProp", ` name="`+xmlAttribute(name)+`" elementType="`+class+`"`, body)
}

// edited is element with the editor that shows it.
func (f *JmeterPlan) edited(name, class, editor string, body func()) {
	f.tag("elementProp", ` name="`+name+`" elementType="`+class+`" guiclass="`+editor+`" testclass="`+class+`"`, body)
}

func (f *JmeterPlan) list(name string, body func()) {
	f.tag("collectionProp", ` name="`+name+`"`, body)
}

func (f *JmeterPlan) string(name, s string) {
	f.P.Line(`<stringProp name="`, name, `">`, xmlText(s), "</stringProp>")
}

func (f *JmeterPlan) bool(name string, b bool) {
	value := "false"
	if b {
		value = "true"
	}
	f.P.Line(`<boolProp name="`, name, `">`, value, "</boolProp>")
}

// xmlText escapes a string for the content of an element:
// XML 1.0, section 2.4. A reader turns a carriage return that is not escaped into
// a line feed.
func xmlText(s string) string {
	s = xmlEscapes.Replace(s)
	return emit.EscapeTurns(s, func(b []byte, r rune) []byte { return append(strconv.AppendInt(append(b, "&#"...), int64(r), 10), ';') })
}

var (
	xmlEscapes       = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xd;")
	attributeEscapes = strings.NewReplacer(`"`, "&quot;", "\n", "&#xa;", "\t", "&#x9;")
)

func xmlAttribute(s string) string {
	return attributeEscapes.Replace(xmlText(s))
}

// Evaluated returns a string that JMeter evaluates to the text. Where it has a
// function or a variable, JMeter takes a backslash before a dollar sign, a comma
// or another backslash as an escape; elsewhere not: FunctionParser.java and
// ReplaceStringWithFunctions.java.
func (f *JmeterPlan) Evaluated(t plan.Text) string {
	if !t.IsText() {
		f.P.Refuse("has no place for bytes that are not UTF-8")
	}
	if s, ok := t.Plain(); ok && !slices.ContainsFunc([]rune(s), isNotXML) && !strings.Contains(s, "${") {
		return s
	}
	var b strings.Builder
	for i := range t {
		v := t[i].Variable
		if v == nil {
			b.WriteString(jmeterLiteral(t[i].Literal, false))
			continue
		}
		if t[i].Encoded() {
			unencoded(f.P, v)
		}
		f.define(v.Name, v.Default)
		b.WriteString("${" + v.Name + "}")
	}
	return b.String()
}

// define adds a variable, once.
func (f *JmeterPlan) define(name, value string) {
	if !f.Defined[name] {
		f.Defined[name] = true
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
			b.WriteString("${__char(" + emit.Itoa(int(r)) + ")}")
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
	*JmeterPlan
	c *plan.Call
}

func (r *jmeterRequest) write() {
	keepAlive := true
	if h := r.c.Field("Connection"); h != nil {
		r.c.Imply(h)
		keepAlive = ascii.EqualFold(h.Value.Source(), "keep-alive")
	}
	r.component("HTTPSamplerProxy", "HttpTestSampleGui", r.Evaluated(plan.Literal(r.c.Title())), func() {
		r.location()
		r.string("HTTPSampler.method", r.c.Method)
		r.bool("HTTPSampler.use_keepalive", keepAlive)
		r.bool("HTTPSampler.follow_redirects", r.c.Follow())
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
	base, path, _ := r.c.URLParts()
	if strings.Contains(path.Source(), "//") {
		r.P.Accept(r.c, "sends // in a path as one slash")
	}
	path = plan.PercentEncoded(r.c.URLText.Cut(len(base.Source()), len(r.c.URL)), notInURI)
	if len(path) == 0 || path[0].Variable == nil && path[0].Literal[0] != '/' {
		path = plan.Prefixed("/", path)
	}
	scheme := r.c.Scheme()
	if r.c.Guess || scheme == "" || base[0].Variable != nil {
		needsScheme(r.P, r.c)
		r.string("HTTPSampler.path", r.Evaluated(append(base, path...)))
		return
	}
	host, port := base.Cut(urlparts.Of(r.c.URL).Authority, len(base.Source())), plan.Text(nil)
	if i := strings.LastIndexByte(host.Source(), ':'); i >= 0 && !strings.HasSuffix(host.Source(), "]") {
		host, port = host.Cut(0, i), host.Cut(i+1, len(host.Source()))
		r.string("HTTPSampler.port", r.Evaluated(port))
	}
	if h := r.c.Field("Host"); h != nil && !r.keepsHost(h.Value.Source(), port.Source()) {
		r.P.Refuse("gives the field Host the port of the URL")
	}
	r.string("HTTPSampler.domain", r.Evaluated(host))
	r.string("HTTPSampler.protocol", scheme)
	r.string("HTTPSampler.path", r.Evaluated(path))
}

// keepsHost reports whether JMeter sends a field Host as it is: where it has no
// port it gets that of the URL, and it loses the usual one of the scheme:
// setConnectionHeaders() in HTTPHC4Impl.java.
func (r *jmeterRequest) keepsHost(value, port string) bool {
	usual := "80"
	if r.c.Secure() {
		usual = "443"
	}
	_, rest := urlparts.CutHost(value)
	if rest == "" {
		return port == "" || port == usual
	}
	return rest != usual
}

// content writes the body.
func (r *jmeterRequest) content() {
	switch r.c.Content.Kind {
	case plan.NoBody:
		if r.c.Method == "POST" && r.c.Field("Content-Type") == nil {
			r.P.Differs("gives a POST without content the type of a form")
		}
		r.arguments(nil)
	case plan.MultipartBody:
		if !r.form() {
			r.raw(plan.JoinedText(r.c.RawForm()))
		}
	case plan.FileBody, plan.PieceBody:
		file, ok := wholeFile(r.P, r.c)
		if !ok {
			r.raw(plan.JoinedText(r.c.Content.List))
			return
		}
		if name, known := file.Plain(); known && name == "-" {
			r.P.Refuse("reads no standard input")
		}
		r.arguments(nil)
		r.files(func() { r.file(file, "", "") })
	case plan.RawBody:
		if !r.c.IsForm(&plan.EncodeWHATWG) || r.c.Method == "GET" || r.c.Method == "DELETE" { // with which arguments are a query
			r.raw(r.c.Content.Data, true)
			return
		}
		r.string("HTTPSampler.contentEncoding", "UTF-8")
		r.arguments(func() {
			for _, one := range r.c.Content.Form {
				r.argument(one.Name, plan.Decoded(one.Value), true)
			}
		})
	}
}

// raw writes content as it is; a file cannot be part of it.
func (r *jmeterRequest) raw(data plan.Text, ok bool) {
	if !ok {
		r.P.Refuse("joins no text and files")
		return
	}
	if r.c.Field("Content-Type") == nil {
		r.P.Accept(r.c, "gives text a type")
	}
	if source := data.Source(); strings.Count(source, "\n") > strings.Count(source, "\r\n") {
		r.P.Differs("turns line feeds of content into CRLF once its editor has shown it")
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

func (r *jmeterRequest) argument(name, value plan.Text, encoded bool) {
	r.element(r.Evaluated(name), "HTTPArgument", func() {
		r.bool("HTTPArgument.always_encode", encoded)
		if len(name) > 0 {
			r.string("Argument.name", r.Evaluated(name))
			r.bool("HTTPArgument.use_equals", true)
		}
		r.string("Argument.value", r.Evaluated(value))
		r.string("Argument.metadata", "=")
	})
}

// form writes a form whose parts JMeter writes as curl does, fields before files.
// It reports false where it has no file, or where JMeter would write another one.
func (r *jmeterRequest) form() bool {
	files, reordered := false, false
	for i := range r.c.Content.Part {
		part := &r.c.Content.Part[i]
		switch {
		case !part.Simple(), strings.ContainsAny(part.Name, "\"\r\n"), !ascii.Only(part.Name):
			return false
		case part.IsFile():
			if part.FilenameText == nil || *part.FilenameText != emit.BaseName(part.File) || strings.ContainsAny(*part.FilenameText, "\"%\r\n") || !ascii.Only(*part.FilenameText) || part.TypeText == nil {
				return false
			}
			files = true
		case files && r.P.Exact(), part.FilenameText != nil, part.TypeText != nil && !dropsType(r.P, r.c, part):
			return false
		case files:
			reordered = true
		}
	}
	if !files || r.c.Method != "POST" {
		return false
	}
	if reordered {
		r.P.Accept(r.c, "sends the files of a form after its other fields")
	}
	r.bool("HTTPSampler.DO_MULTIPART_POST", true)
	r.bool("HTTPSampler.BROWSER_COMPATIBLE_MULTIPART", true)
	r.string("HTTPSampler.contentEncoding", "UTF-8")
	r.arguments(func() {
		for i := range r.c.Content.Part {
			if part := &r.c.Content.Part[i]; !part.IsFile() {
				r.argument(part.NameText, part.ValueText, false)
			}
		}
	})
	r.files(func() {
		for i := range r.c.Content.Part {
			if part := &r.c.Content.Part[i]; part.IsFile() {
				r.file(part.FileText, r.Evaluated(part.NameText), *part.TypeText)
			}
		}
	})
	return true
}

func (r *jmeterRequest) files(list func()) {
	r.element("HTTPsampler.Files", "HTTPFileArgs", func() { r.list("HTTPFileArgs.files", list) })
}

// file writes a file: content as it is where it has no name of a field.
func (r *jmeterRequest) file(name plan.Text, field, contentType string) {
	path := r.Evaluated(name)
	r.element(path, "HTTPFileArg", func() {
		r.string("File.path", path)
		r.string("File.paramname", field)
		r.string("File.mimetype", r.Evaluated(plan.Literal(contentType)))
	})
}

// headers writes the fields. JMeter sends no Accept-Encoding by itself.
func (r *jmeterRequest) headers() {
	fields := slices.DeleteFunc(slices.Clone(r.c.Headers()), func(h plan.Field) bool { return h.Skipped() || h.Is("Authorization") && r.managed() })
	if r.c.Compressed() && r.c.Field("Accept-Encoding") == nil {
		fields = append(fields, plan.Field{Name: "Accept-Encoding", Value: plan.Literal("gzip, deflate")})
	}
	if len(fields) == 0 {
		return
	}
	r.component("HeaderManager", "HeaderPanel", "HTTP Header Manager", func() {
		r.list("HeaderManager.headers", func() {
			for i := range fields {
				r.element("", "Header", func() {
					r.string("Header.name", r.Evaluated(plan.Literal(fields[i].Name)))
					r.string("Header.value", r.Evaluated(fields[i].Value))
				})
			}
		})
	})
	r.P.Line("<hashTree/>")
}

// managed reports credentials that JMeter makes a field of: those of Basic that
// have variables.
func (r *jmeterRequest) managed() bool {
	if r.c.Basic == nil {
		return false
	}
	_, user := r.c.Basic.User.Plain()
	_, password := r.c.Basic.Password.Plain()
	return !user || !password
}

// authorization writes credentials for the host.
func (r *jmeterRequest) authorization() {
	who, mechanism := r.c.Digest, "DIGEST"
	if who == nil {
		if who, mechanism = r.c.Basic, "BASIC"; !r.managed() {
			return
		}
	}
	base, _, _ := r.c.URLParts()
	r.component("AuthManager", "AuthPanel", "HTTP Authorization Manager", func() {
		r.list("AuthManager.auth_list", func() {
			r.element("", "Authorization", func() {
				r.string("Authorization.url", r.Evaluated(base))
				r.string("Authorization.username", r.Evaluated(who.User))
				r.string("Authorization.password", r.Evaluated(who.Password))
				r.string("Authorization.mechanism", mechanism)
			})
		})
	})
	r.P.Line("<hashTree/>")
}
