package code

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/internal/engine/ascii"
)

// A request of a Bruno collection: the Bru markup language of
// docs.usebruno.com, by the grammar of @usebruno/lang (bruToJson.js), as Bruno 4
// sends it. Bruno, measured on the wire, adds User-Agent, Accept,
// Accept-Encoding, Connection and Request-Start-Time; writes methods in capitals;
// sends a name once; removes dot segments; gives all content a type; and follows
// redirects unless told not to. A file has one request. Variables are those of
// the process or of the file .env of the collection. What is lost stands in docs.
// Bare leaves out meta and docs; Indent has no effect.
var bruno = Target{
	Name: "bruno", Language: "bru", Client: "Bruno", Version: "4", Kind: File, Extension: "bru",
	Aliases: []string{"bru"}, Proven: true, style: style{indent: "  "}, write: writeBruno,
	client: client{
		modernTLS: true,
		adds:      fieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection", "Request-Start-Time"},
		always:    fieldNames{"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Request-Start-Time"},
		methods:   capitals,
		dots:      true,
		slashes:   true,
		numbers:   true,
		typed:     true,
		digest:    true,
		auths:     []string{"ntlm", "aws-sigv4"},
		unasked:   []string{"basic", "unqualified", "sha-256"},
		eager:     true,
		visible:   true,
		after:     []string{"cookies"},
		says:      []string{"followRedirects", "maxRedirects", "maxTime"},
		shares:    fieldNames{"Authorization", "Cookie"},
	},
}

func writeBruno(p *program) {
	p.indent = p.target.style.indent
	for i, c := range p.calls {
		if i > 0 {
			p.refuse("has one request in a file")
			return
		}
		lost := len(p.notes)
		p.fileLosses(c)
		r := brunoRequest{p: p, c: c}
		r.write(p.notes[lost:])
	}
}

// A brunoRequest writes one call.
type brunoRequest struct {
	p *program
	c *call
}

// text returns the value of a pair, or content.
func (r *brunoRequest) text(t text) string {
	return r.p.mustache(t, func(name string) string { return "process.env." + name })
}

// pair writes a pair of a dictionary, whose value is a line without blanks
// around it.
func (r *brunoRequest) pair(name, value string) {
	if strings.TrimSpace(value) != value || strings.ContainsAny(value, "\r\n") || strings.HasPrefix(value, "'''") {
		r.p.refuse("leaves out blanks around a value, and line breaks")
	}
	r.p.line(strings.TrimSuffix(name+": "+value, " "))
}

// pairName returns the name of a pair.
func (r *brunoRequest) pairName(name string) string {
	if name == "" || contains("~@", name[0]) || strings.ContainsAny(name, "\r\n") {
		r.p.refuseName(nowhere, "has no field with such a name", name)
	}
	if strings.ContainsAny(name, ":\"{} ") {
		return `"` + strings.ReplaceAll(name, `"`, `\"`) + `"`
	}
	return name
}

// dictionary writes a block of pairs.
func (r *brunoRequest) dictionary(name string, pairs func()) {
	if len(r.p.dst) > 0 {
		r.p.line()
	}
	r.p.block(name+" {", pairs)
	r.p.line("}")
}

func (r *brunoRequest) write(lost []phrase) {
	r.p.needsScheme(r.c)
	mode, block := r.content()
	if !r.p.options.Bare {
		r.dictionary("meta", func() {
			r.p.line("name: Request")
			r.p.line("type: http")
			r.p.line("seq: 1")
		})
	}
	auth := r.auth()
	method := strings.ToLower(r.c.Method)
	custom := !slices.Contains([]string{"get", "post", "put", "delete", "patch", "options", "head", "connect", "trace"}, method)
	if custom {
		method = "http"
	}
	r.dictionary(method, func() {
		if custom {
			r.pair("method", r.c.Method)
		}
		r.pair("url", r.text(r.c.url))
		r.pair("body", mode)
		r.pair("auth", auth)
	})
	r.query()
	r.headers()
	switch auth {
	case "basic":
		r.credentials(auth, r.c.basic)
	case "digest":
		r.credentials(auth, r.c.digest)
	case "awsv4":
		s, _ := r.c.signature()
		r.dictionary("auth:awsv4", func() {
			r.pair("accessKeyId", r.text(s.key))
			r.pair("secretAccessKey", r.text(s.secret))
			r.pair("sessionToken", "")
			r.pair("service", r.text(s.service))
			r.pair("region", r.text(s.region))
			r.pair("profileName", "")
		})
	case "ntlm":
		domain, who := r.c.ntlm()
		r.p.cannotAt(r.c.Auth.Span, "sends Authorization for NTLM once the server asks for it", "curl sends it at once")
		r.dictionary("auth:ntlm", func() {
			r.pair("username", r.text(who.user))
			r.pair("password", r.text(who.password))
			r.pair("domain", r.text(domain))
		})
	}
	if block != nil {
		r.p.line()
		block()
	}
	r.settings()
	if len(lost) > 0 && !r.p.options.Bare {
		r.dictionary("docs", func() {
			for i := range lost {
				r.p.line("- ", string(lost[i]))
			}
		})
	}
}

// auth returns the way to authenticate.
func (r *brunoRequest) auth() string {
	r.p.refuseSignature(r.c)
	_, signs := r.c.signature()
	_, negotiates := r.c.ntlm()
	switch {
	case signs:
		return "awsv4"
	case negotiates != nil:
		return "ntlm"
	case r.c.digest != nil:
		return "digest"
	case r.c.basic != nil && r.c.field("Authorization") != nil && r.c.field("Authorization").derived:
		return "basic"
	}
	return "none"
}

func (r *brunoRequest) credentials(scheme string, c *credentials) {
	r.dictionary("auth:"+scheme, func() {
		r.pair("username", r.text(c.user))
		r.pair("password", r.text(c.password))
	})
}

// query writes the query, which is a part of the URL already, for those who
// edit it as a table.
func (r *brunoRequest) query() {
	source := r.c.URL
	i := strings.IndexByte(source, '?')
	if i < 0 {
		return
	}
	query := r.c.url.cut(i+1, len(source))
	pairs := query.split('&')
	for _, one := range pairs {
		if s := one.source(); s == "" || contains("=~@", s[0]) || strings.ContainsAny(s, "\":{} ") {
			return
		}
	}
	if len(pairs) == 0 {
		return
	}
	r.dictionary("params:query", func() {
		for _, one := range pairs {
			name, value, _ := strings.Cut(r.text(one), "=")
			r.pair(name, value)
		}
	})
}

func (r *brunoRequest) headers() {
	fields := slices.DeleteFunc(slices.Clone(r.c.joined()), func(f field) bool {
		return f.derived && (f.is("Authorization") || f.is("Content-Type"))
	})
	if len(fields) == 0 {
		return
	}
	r.dictionary("headers", func() {
		for i := range fields {
			r.pair(r.pairName(fields[i].name), r.text(fields[i].value))
		}
	})
}

// settings writes what shapes the transfer.
func (r *brunoRequest) settings() {
	r.dictionary("settings", func() {
		r.p.line("encodeUrl: false")
		if !r.c.follow {
			r.p.line("followRedirects: false")
		} else {
			r.p.line("followRedirects: true")
			r.p.line("maxRedirects: ", itoa(int(max(r.c.maxRedirects, -1))))
		}
		if r.c.timeout > 0 {
			r.p.line("timeout: ", milliseconds(r.c.timeout))
		}
	})
}

// content returns the kind of the content, and what writes it.
func (r *brunoRequest) content() (mode string, block func()) {
	switch r.c.body.kind {
	case rawBody:
		return r.raw()
	case multipartBody:
		return "multipartForm", r.multipart()
	case fileBody:
		name := r.text(r.c.body.file)
		f := r.c.field("Content-Type")
		switch {
		case name == "-" || f == nil || hasVariable(r.c.body.file) || strings.ContainsAny(name, "\r\n)|"):
			r.p.refuse("reads no content from a file with such a name, of no type, or from standard input")
			return "none", nil
		case strings.HasPrefix(strings.ToLower(f.value.source()), formType):
			r.p.refuse("reads no file where the type is that of a form")
		}
		return "file", func() {
			r.p.block("body:file {", func() { r.pair("file", "@file("+name+") @contentType("+r.text(f.value)+")") })
			r.p.line("}")
		}
	case pieceBody:
		r.p.refuse("joins no texts and files, and changes none")
	}
	return "none", nil
}

// raw returns content that is known. Bruno escapes what a variable holds where
// the type is JSON, and reads no variables in a form that is text.
func (r *brunoRequest) raw() (mode string, block func()) {
	contentType := ""
	if f := r.c.field("Content-Type"); f != nil {
		contentType = strings.ToLower(f.value.source())
	}
	data := r.c.body.data
	if hasVariable(data) {
		switch {
		case strings.Contains(contentType, "json"):
			if !insideStrings(data) {
				r.p.refuse("escapes what a variable holds in JSON")
			}
			r.p.cannot("escapes what a variable holds in JSON", "curl does not")
		case contentType == formType:
			r.p.refuse("reads no variables in a form")
		}
	}
	if r.c.body.json != nil && looksLikeVariable(data.source()) {
		data = literal(strings.ReplaceAll(data.source(), "{{", `{\u007b`)) // in strings only
	}
	s := data.source()
	if hasVariable(data) || !utf8.ValidString(s) || contentType != formType { // a form has no variables
		s = r.text(data)
	}
	if strings.Contains(s, "\r") {
		r.p.refuse("ends lines without a carriage return")
	}
	if s == "" {
		if contentType != "" && r.c.Method != "POST" {
			r.p.refuse("sends no empty content")
		}
		return "none", nil
	}
	if known, ok := data.plain(); ok && strings.Contains(contentType, "application/json") {
		if v, valid := parseValue("[" + known + "]"); !valid || len(v.items) != 1 {
			r.p.refuse("quotes content that is no JSON where the type is JSON")
		}
	}
	mode = "text"
	switch {
	case strings.Contains(contentType, "json"):
		mode = "json"
	case strings.Contains(contentType, "xml"):
		mode = "xml"
	}
	return mode, func() {
		r.p.line("body:", mode, " {")
		r.p.level++
		for line := range strings.SplitSeq(s, "\n") {
			r.p.line(line)
		}
		r.p.level--
		r.p.line("}")
	}
}

// insideStrings reports whether all variables stand between the quotes of JSON.
func insideStrings(t text) bool {
	quotes := 0
	for i := range t {
		if t[i].variable != nil && quotes%2 == 0 {
			return false
		}
		s := strings.ReplaceAll(strings.ReplaceAll(t[i].literal, `\\`, ""), `\"`, "")
		quotes += strings.Count(s, `"`)
	}
	return true
}

// multipart returns what writes a form whose parts Bruno writes as curl does.
func (r *brunoRequest) multipart() func() {
	for i := range r.c.body.part {
		p := &r.c.body.part[i]
		name := p.file.source()
		switch {
		case r.c.Body.FormEscape, !p.simple(), !ascii.Only(p.Name), strings.ContainsAny(p.Name, "\"\\\r\n"):
		case p.isFile() && !hasVariable(p.file) && p.filename != nil && *p.filename == name[strings.LastIndexByte(name, '/')+1:] && ascii.Only(name) && name != "-" &&
			!strings.ContainsAny(name, "\"\\\r\n)|") && p.contentType != nil && !strings.Contains(*p.contentType, ")"):
			continue
		case !p.isFile() && p.filename == nil && !strings.HasPrefix(p.value.source(), "@") && (p.contentType == nil || !strings.Contains(*p.contentType, ")")):
			continue
		}
		r.p.refuse("sends no form with such a part")
		return nil
	}
	return func() {
		r.p.block("body:multipart-form {", func() {
			for i := range r.c.body.part {
				p := &r.c.body.part[i]
				value := r.text(p.value)
				if p.isFile() {
					value = "@file(" + r.text(p.file) + ")"
				}
				if p.contentType != nil {
					value += " @contentType(" + *p.contentType + ")"
				}
				r.pair(r.pairName(p.Name), value)
			}
		})
		r.p.line("}")
	}
}
