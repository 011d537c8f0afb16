package javascript

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// What k6 1.0 does by itself, measured on the wire: it adds User-Agent; sends a
// name once, with capitals; opens files before the test begins, from the folder
// of the script; ends after a minute, and follows redirects, unless told not to.
var K6 = plan.Target{
	Name: "k6", Convention: &jsConvention, Client: "k6", Version: "1.0", Kind: plan.Code, Extension: "js",
	Aliases: []string{"javascript-k6", "grafana-k6"}, Proven: true, Style: style, Write: writeK6,
	Facts: plan.Client{
		Http2:     true,
		ModernTLS: true,
		Rules:     plan.Rules{plan.ReadsURLs(plan.GoPercents), plan.SendsHosts(plan.GoHost), plan.PrintableFields, plan.UnicodeFields},
		Recodes:   true,
		Environs:  true,
		Adds:      plan.FieldNames{"User-Agent"},
		Always:    plan.FieldNames{"Host"},
		Digest:    true,
		Session:   true,
		After:     []string{"cookies", "referer"},
		Fixed:     plan.FieldNames{"Content-Length"},
		Counts:    plan.Enclosing,
		Drops:     plan.FieldNames{"Cookie"},
		Forgets:   "301 or 302",
	},
}

// A k6Test is the parts of a script beside the calls. All but the files are
// settings that k6 has for all requests of a test at once.
type k6Test struct {
	insecure bool
	cert     []emit.Node       // the object with the client certificate, or nothing
	hosts    []emit.Node       // members: where names lead to
	led      map[string]string // by name and port, also those that lead nowhere else
	opened   []string          // statements that open files
}

// k6Concat is a function of the script: k6 has none that joins buffers.
const k6Concat = `
// concat returns the bytes of texts and files as one ArrayBuffer.
function concat(parts) {
  const bytes = parts.map((part) =>
    typeof part === "string"
      ? Uint8Array.from([...unescape(encodeURIComponent(part))], (c) => c.charCodeAt(0))
      : new Uint8Array(part),
  );
  const joined = new Uint8Array(bytes.reduce((length, b) => length + b.length, 0));
  let end = 0;
  for (const b of bytes) {
    joined.set(b, end);
    end += b.length;
  }
  return joined.buffer;
}
`

func writeK6(p *plan.Program) {
	var t k6Test
	sections := p.Sections(p.Depth(1), func(c *plan.Call, suffix string) {
		r := &jsRequest{p: p, c: c, suffix: suffix}
		r.k6Call(&t)
	})
	p.Use(`import http from "k6/http";`)
	p.Head(func() {
		imports(p)
		if options := t.options(); len(options) > 0 {
			p.Node("export const options = ", emit.Braced(options), ";")
			p.Line()
		}
		for _, s := range t.opened {
			p.Line(s)
		}
		if len(t.opened) > 0 {
			p.Line()
		}
	})
	if !p.Options.Bare {
		p.Line("export default function () {")
	}
	p.Join(sections)
	if !p.Options.Bare {
		p.Line("}")
	}
	for _, h := range p.Helpers {
		p.Dst = append(p.Dst, h...)
	}
}

func (r *jsRequest) k6Call(t *k6Test) {
	if r.c.Field("Transfer-Encoding") != nil && !r.c.Empty() {
		r.p.Refuse("sets the field Transfer-Encoding itself")
	}
	if r.c.Empties("User-Agent") {
		r.p.Refuse("leaves out an empty User-Agent")
	}
	body := r.k6Content(t)
	items := r.headerMembers(false, func(f *plan.Field) bool { return f.Derived() })
	if f := r.c.Field("Authorization"); f != nil && f.Derived() {
		items = append(items, emit.Named("Authorization", ": ", r.k6Basic()))
	}
	r.object("headers", append(items, r.removedMembers(`""`, "User-Agent")...))
	switch {
	case r.c.Stops():
		r.add("redirects", emit.Leaf("0"))
	case r.c.LeavesRedirects():
	default:
		r.add("redirects", emit.Leaf(emit.Itoa(int(r.c.RedirectLimit()))))
	}
	if r.suffix != "" && !r.c.KeepsCookies() {
		r.add("jar", emit.Leaf("new http.CookieJar()")) // else the requests of a test share one
	}
	if r.c.Timeout() > 0 {
		r.add("timeout", emit.Leaf(String(emit.Seconds(r.c.Timeout())+"s")))
	}
	url := r.url()
	if r.c.Digest != nil {
		r.p.Refuse("sends the password as Basic before it is asked for Digest")
	}
	r.k6Options(t)
	r.k6Send(url, body)
}

func (r *jsRequest) k6Send(url, body emit.Node) {
	response := r.response()
	arguments := []emit.Node{emit.Leaf(String(r.c.Method)), url}
	switch {
	case r.c.Content.Kind != plan.NoBody:
		arguments = append(arguments, body)
	case len(r.settings) > 0:
		arguments = append(arguments, emit.Leaf("null"))
	}
	function := "http.request"
	if helper, ok := k6Helpers[r.c.Method]; ok && (r.c.Method != "GET" && r.c.Method != "HEAD" || r.c.Content.Kind == plan.NoBody) {
		function, arguments = "http."+helper, arguments[1:]
		if r.c.Method == "GET" || r.c.Method == "HEAD" {
			arguments = arguments[:1]
		}
	}
	if len(r.settings) > 0 {
		o := emit.Braced(r.settings)
		o.Broken = len(r.settings) > 1
		if o.Broken {
			o.Width = emit.TooWide
		}
		arguments = append(arguments, o)
	}
	before := "const " + response + " = " + function
	r.p.Statement(before, arguments)
	r.c.Report(r.p.Options, func() {
		r.p.Use(`import exec from "k6/execution";`)
		r.p.Line("if (", response, ".status >= 400) exec.test.abort(`HTTP ${", response, ".status}`);")
	}, func() {
		r.p.Line("console.log(", response, ".status_text);")
		r.p.Line("console.log(JSON.stringify(", response, ".headers, null, 2));")
	}, func() {
		switch r.c.Destination(r.p.Options) {
		case plan.ToFile:
			r.p.Line("console.log(", response, ".body);")
		case plan.ContentPrinted:
			r.p.Line("console.log(", response, ".body);")
		}
	}, func() {
		if t := r.c.WriteOutLine(r.p.Options, response+".status"); len(t) > 0 {
			r.p.Line("console.log(", Text(r.p, t).Line(), ");")
		}
	})
}

// k6Helpers are the functions for methods.
var k6Helpers = map[string]string{"GET": "get", "HEAD": "head", "POST": "post", "PUT": "put", "PATCH": "patch", "DELETE": "del", "OPTIONS": "options"}

// k6Basic returns the value of Authorization for the credentials.
func (r *jsRequest) k6Basic() emit.Node {
	both := r.c.Basic.Joined()
	if !both.IsText() {
		return Text(r.p, r.c.Field("Authorization").Value)
	}
	r.p.Use(`import encoding from "k6/encoding";`)
	return emit.Leaf("`Basic ${encoding.b64encode(" + Text(r.p, both).Line() + ")}`")
}

// k6Content returns the body: a string, or an ArrayBuffer.
func (r *jsRequest) k6Content(t *k6Test) emit.Node {
	switch r.c.Content.Kind {
	case plan.RawBody:
		if n, _, ok := r.stringify(); ok {
			return n
		}
		return r.k6Bytes(r.c.Content.Data)
	case plan.MultipartBody:
		if n, ok := r.k6Form(t); ok {
			return n
		}
		return r.k6Pieces(t, r.c.RawForm())
	case plan.FileBody:
		return emit.Leaf(r.k6Open(t, r.c.Content.File, `, "b"`))
	case plan.PieceBody:
		return r.k6Pieces(t, r.c.Content.List)
	}
	return emit.Node{}
}

// k6Bytes returns an expression for bytes.
func (r *jsRequest) k6Bytes(t plan.Text) emit.Node {
	if t.IsText() {
		return Text(r.p, t)
	}
	s, ok := t.Plain()
	if !ok {
		r.p.Refuse("joins no bytes and variables")
	}
	return emit.Leaf("Uint8Array.from([..." + Quote(emit.Latin1(s), '"') + "], (c) => c.charCodeAt(0)).buffer")
}

// k6Open opens a file for the test, and returns its variable.
func (r *jsRequest) k6Open(t *k6Test, name plan.Text, mode string) string {
	if s, ok := name.Plain(); ok && s == "-" {
		r.p.Refuse("reads no standard input")
	}
	variable := "file"
	if n := len(t.opened); n > 0 {
		variable += emit.Itoa(n + 1)
	}
	t.opened = append(t.opened, "const "+variable+" = open("+Text(r.p, name).Line()+mode+");")
	return variable
}

// k6FormEncode encodes the bytes of a file for a form.
const k6FormEncode = `function formEncode(file) {
  const latin1 = Array.from(new Uint8Array(file), (b) => String.fromCharCode(b)).join("");
  return latin1.replace(/[^\w.~-]/g, (c) =>
    c === " " ? "+" : "%" + c.charCodeAt().toString(16).toUpperCase().padStart(2, "0"),
  );
}`

// k6Pieces returns texts and files, joined. A file that is changed is read as
// text.
func (r *jsRequest) k6Pieces(t *k6Test, pieces []plan.Piece) emit.Node {
	items := make([]emit.Node, len(pieces))
	bytes := false
	for i, one := range pieces {
		switch {
		case one.IsText:
			if !one.Text.IsText() {
				r.p.Refuse("joins no bytes and files")
			}
			items[i] = Text(r.p, one.Text)
			continue
		case !one.Strip && !one.Urlencode && len(one.Name) == 0:
			bytes = true
			items[i] = emit.Leaf(r.k6Open(t, one.File, `, "b"`))
			if one.Offset > 0 {
				items[i].Head += ".slice(" + emit.Itoa(int(one.Offset)) + ")"
			}
			continue
		}
		if one.Offset > 0 {
			r.p.Refuse("begins no text in the middle")
		}
		var read string
		switch {
		case one.Urlencode:
			r.p.Help(k6FormEncode)
			read = "formEncode(" + r.k6Open(t, one.File, `, "b"`) + ")"
		case one.Strip:
			read = r.k6Open(t, one.File, "") + `.replace(/[\r\n\0]/g, "")`
		default:
			read = r.k6Open(t, one.File, "")
		}
		if len(one.Name) > 0 {
			read = String(one.Name.Source()+"=") + " + " + read
		}
		items[i] = emit.Leaf(read)
	}
	switch {
	case len(items) == 1:
		return items[0]
	case bytes:
		r.p.Help(k6Concat)
		return emit.Group("concat(", "[", items, "])")
	}
	return emit.Group("", "[", items, `].join("")`)
}

// k6Form returns an object for a form of one file, whose parts k6 writes as
// curl does; the order of several is not kept.
func (r *jsRequest) k6Form(t *k6Test) (emit.Node, bool) {
	if len(r.c.Content.Part) != 1 {
		return emit.Node{}, false
	}
	p := &r.c.Content.Part[0]
	if !p.Simple() || plan.HasVariable(p.NameText) || !p.IsFile() || p.FilenameText == nil || p.TypeText == nil || !ascii.Only(p.Name) || !ascii.Only(*p.FilenameText) {
		return emit.Node{}, false
	}
	file := r.k6Open(t, p.FileText, `, "b"`)
	n := emit.Leaf(jsName(p.Name) + ": http.file(" + file + ", " + String(*p.FilenameText) + ", " + String(*p.TypeText) + ")")
	return emit.Braced([]emit.Node{n}), true
}

// k6Options adds what all requests of a test share.
func (r *jsRequest) k6Options(t *k6Test) {
	if r.c.Insecure() {
		t.insecure = true
		if r.p.AnyCall("checks certificates", func(c *plan.Call) bool { return c.Encrypts && !c.Insecure() }) {
			r.p.Differs("checks the certificates of no request then")
		}
	}
	if len(r.c.Cert()) > 0 {
		items := []emit.Node{emit.Leaf("cert: open(" + Text(r.p, r.c.Cert()).Line() + ")"), emit.Leaf("key: open(" + Text(r.p, r.c.CertKey()).Line() + ")")}
		if phrase := r.c.KeyPassword(); len(phrase) > 0 {
			items = append(items, emit.Named("password", ": ", Text(r.p, phrase)))
		}
		pair := emit.Braced(items)
		if len(t.cert) > 0 && t.cert[0].Line() != pair.Line() {
			r.p.Refuse("has one client certificate for all requests")
		}
		if r.p.AnyCall("shows no certificate", func(c *plan.Call) bool { return c.Encrypts && len(c.Asked.Cert) == 0 }) {
			r.p.Differs("shows the certificate with every request then")
		}
		t.cert = []emit.Node{pair}
	}
	r.lead(t)
}

// lead adds where the host of the URL leads to, which is the same for all
// requests.
func (r *jsRequest) lead(t *k6Test) {
	a, ok := r.c.Address()
	if !ok {
		return
	}
	name, address := a.Host.Source()+":"+a.PortOr(), ""
	if host, port := r.c.Connection(); host != "" {
		if strings.Trim(host, "0123456789.abcdef:") != "" {
			r.p.Loss("--connect-to", "leads a name to an address only")
			return
		}
		r.c.Does("resolve", "connectTo")
		address = plan.JoinHostPort(host, port)
	}
	key := strings.ToLower(name) // k6 does not tell capitals apart
	before, known := t.led[key]
	switch {
	case known && before != address:
		r.p.Refuse("leads a name to one address for all requests")
	case known:
	default:
		if t.led == nil {
			t.led = map[string]string{}
		}
		t.led[key] = address
		if address != "" {
			t.hosts = append(t.hosts, emit.Leaf(String(name)+": "+String(address)))
		}
	}
}

// options returns the members of the object options.
func (t *k6Test) options() (members []emit.Node) {
	if t.insecure {
		members = append(members, emit.Leaf("insecureSkipTLSVerify: true"))
	}
	if len(t.cert) > 0 {
		members = append(members, emit.Named("tlsAuth", ": ", emit.Group("", "[", t.cert, "]")))
	}
	if len(t.hosts) > 0 {
		members = append(members, emit.Named("hosts", ": ", emit.Braced(t.hosts)))
	}
	return members
}
