package files

import (
	"slices"
	"strings"
	"unicode/utf8"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// A request of a Bruno collection: the Bru markup language of
// docs.usebruno.com, by the grammar of @usebruno/lang (bruToJson.js), as Bruno 4
// sends it. Bruno, measured on the wire, adds User-Agent, Accept,
// Accept-Encoding, Connection and Request-Start-Time; writes methods in capitals;
// sends a name once; removes dot segments; gives all content a type; and follows
// redirects unless told not to. A file has one request. Variables are those of
// the process or of the file .env of the collection. What is lost stands in docs.
// Bare leaves out meta and docs; Indent has no effect.
var Bruno = plan.Target{
	Name: "bruno", Convention: plan.Format("bru"), Client: "Bruno", Version: "4", Kind: plan.File, Placeholders: true, Extension: "bru",
	Aliases: []string{"bru"}, Proven: true, Style: emit.Style{Indent: "  "}, Write: writeBruno,
	Facts: plan.Client{
		Settings:  true,
		ModernTLS: true,
		Adds:      plan.FieldNames{"User-Agent", "Accept", "Accept-Encoding", "Connection", "Request-Start-Time"},
		Always:    plan.FieldNames{"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection", "Request-Start-Time"},
		Rules:     plan.Rules{plan.SendsMethods(plan.Capitals), plan.RemovesDots, plan.TakesNumbers, plan.TypesContent, plan.VisibleFields},
		Slashes:   true,
		Digest:    true,
		Auths:     []string{"ntlm", "aws-sigv4"},
		Unasked:   []string{"basic", "unqualified", "sha-256"},
		Eager:     true,
		After:     []string{"cookies"},
		Shares:    plan.FieldNames{"Authorization", "Cookie"},
	},
}

func writeBruno(p *plan.Program) {
	p.Indent = p.Target.Style.Indent
	for i, c := range p.Calls {
		if i > 0 {
			p.Refuse("has one request in a file")
			return
		}
		r := brunoRequest{p: p, c: c}
		r.write()
	}
}

// A brunoRequest writes one call.
type brunoRequest struct {
	p *plan.Program
	c *plan.Call
}

// text returns the value of a pair, or content.
func (r *brunoRequest) text(t plan.Text) string {
	return mustache(r.p, t, func(v *request.Variable) string {
		if _, ok := fillIn(v); ok {
			return v.Name
		}
		return "process.env." + v.Name
	})
}

// pair writes a pair of a dictionary, whose value is a line without blanks
// around it.
func (r *brunoRequest) pair(name, value string) {
	if strings.TrimSpace(value) != value || strings.ContainsAny(value, "\r\n") || strings.HasPrefix(value, "'''") {
		r.p.Refuse("leaves out blanks around a value, and line breaks")
	}
	r.p.Line(strings.TrimSuffix(name+": "+value, " "))
}

// pairName returns the name of a pair.
func (r *brunoRequest) pairName(name string) string {
	if !isBruName(name) {
		r.p.RefuseName(plan.Nowhere, "has no field with such a name", name)
	}
	if strings.ContainsAny(name, ":\"{} ") {
		return `"` + strings.ReplaceAll(name, `"`, `\"`) + `"`
	}
	return name
}

// isBruName reports whether a pair can have a name.
func isBruName(name string) bool {
	return name != "" && !emit.Contains("~@", name[0]) && !strings.ContainsAny(name, "\r\n")
}

// dictionary writes a block of pairs.
func (r *brunoRequest) dictionary(name string, pairs func()) {
	if len(r.p.Dst) > 0 {
		r.p.Line()
	}
	r.p.Block(name+" {", pairs)
	r.p.Line("}")
}

func (r *brunoRequest) write() {
	needsScheme(r.p, r.c)
	mode, block := r.content()
	if !r.p.Options.Bare {
		r.dictionary("meta", func() {
			r.p.Line("name: Request")
			r.p.Line("type: http")
			r.p.Line("seq: 1")
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
		r.pair("url", r.text(r.c.URLText))
		r.pair("body", mode)
		r.pair("auth", auth)
	})
	r.query()
	r.headers()
	switch auth {
	case "basic":
		r.credentials(auth, r.c.Basic)
	case "digest":
		r.credentials(auth, r.c.Digest)
	case "awsv4":
		s, _ := r.c.Signature()
		r.dictionary("auth:awsv4", func() {
			r.pair("accessKeyId", r.text(s.Key))
			r.pair("secretAccessKey", r.text(s.Secret))
			r.pair("sessionToken", "")
			r.pair("service", r.text(s.Service))
			r.pair("region", r.text(s.Region))
			r.pair("profileName", "")
		})
	case "ntlm":
		domain, who := r.c.Ntlm()
		r.p.CannotAt(r.c.Auth.Span, "sends Authorization for NTLM once the server asks for it", "curl sends it at once")
		r.dictionary("auth:ntlm", func() {
			r.pair("username", r.text(who.User))
			r.pair("password", r.text(who.Password))
			r.pair("domain", r.text(domain))
		})
	}
	if block != nil {
		r.p.Line()
		block()
	}
	if r.c.Fail() {
		r.dictionary("assert", func() { r.pair("res.status", "lt 400") })
	}
	r.settings()
	r.p.ReportLosses(r.c)
	if len(r.p.Notes) > 0 && !r.p.Options.Bare {
		r.dictionary("docs", func() {
			for _, note := range r.p.Notes {
				r.p.Line("- ", string(note))
			}
		})
	}
}

// auth returns the way to authenticate.
func (r *brunoRequest) auth() string {
	r.p.RefuseSignature(r.c)
	_, signs := r.c.Signature()
	_, negotiates := r.c.Ntlm()
	switch {
	case signs:
		return "awsv4"
	case negotiates != nil:
		return "ntlm"
	case r.c.Digest != nil:
		return "digest"
	case r.c.Basic != nil && r.c.Field("Authorization") != nil && r.c.Field("Authorization").Derived():
		return "basic"
	}
	return "none"
}

func (r *brunoRequest) credentials(scheme string, c *plan.Credentials) {
	r.dictionary("auth:"+scheme, func() {
		r.pair("username", r.text(c.User))
		r.pair("password", r.text(c.Password))
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
	query := r.c.URLText.Cut(i+1, len(source))
	pairs := query.Split('&')
	for _, one := range pairs {
		if s := one.Source(); s == "" || emit.Contains("=~@", s[0]) || strings.ContainsAny(s, "\":{} ") {
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
	fields := slices.DeleteFunc(slices.Clone(r.c.Joined()), func(f plan.Field) bool {
		return f.Derived() && (f.Is("Authorization") || f.Is("Content-Type"))
	})
	if len(fields) == 0 {
		return
	}
	r.dictionary("headers", func() {
		for i := range fields {
			r.pair(r.pairName(fields[i].Name), r.text(fields[i].Value))
		}
	})
}

// settings writes what shapes the transfer.
func (r *brunoRequest) settings() {
	r.dictionary("settings", func() {
		r.p.Line("encodeUrl: false")
		if r.c.Stops() {
			r.p.Line("followRedirects: false")
		} else if r.c.Follow() {
			r.p.Line("followRedirects: true")
			r.p.Line("maxRedirects: ", emit.Itoa(int(max(r.c.MaxRedirects(), -1))))
		}
		if r.c.Timeout() > 0 {
			r.p.Line("timeout: ", emit.Milliseconds(r.c.Timeout()))
		}
	})
}

// content returns the kind of the content, and what writes it.
func (r *brunoRequest) content() (mode string, block func()) {
	switch r.c.Content.Kind {
	case plan.RawBody:
		return r.raw()
	case plan.MultipartBody:
		return "multipartForm", r.multipart()
	case plan.FileBody, plan.PieceBody:
		return r.file()
	}
	return "none", nil
}

// file returns what writes content that is a file. prepare-request.js of Bruno's command
// line 4.1 gives it the type that the file names, and takes it apart where that is a form.
func (r *brunoRequest) file() (mode string, block func()) {
	file, ok := wholeFile(r.p, r.c)
	if !ok {
		r.p.Refuse("joins no texts and files, and changes none")
		return "none", nil
	}
	name := r.text(file)
	if name == "-" || plan.HasVariable(file) || strings.ContainsAny(name, "\r\n)|") {
		r.p.Refuse("reads no content from a file with such a name, or from standard input")
		return "none", nil
	}
	f := r.c.Field("Content-Type")
	if f != nil && strings.HasPrefix(strings.ToLower(f.Value.Source()), plan.FormType) &&
		!retype(r.p, r.c, typeOfFile(name), "reads no file where the type is that of a form, which the file therefore does not name") {
		r.p.Refuse("reads no file where the type is that of a form")
	}
	contentType := "application/octet-stream"
	if f != nil {
		contentType = r.text(f.Value)
	}
	return "file", func() {
		r.p.Block("body:file {", func() { r.pair("file", "@file("+name+") @contentType("+contentType+")") })
		r.p.Line("}")
	}
}

// form returns what writes a form as fields, which Bruno encodes by URLSearchParams.
func (r *brunoRequest) form() (block func(), ok bool) {
	pairs, ok := formFields(r.p, r.c, &plan.EncodeWHATWG, func(one *plan.Pair) bool {
		s := one.Value.Source()
		return isBruName(one.Name.Source()) && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\r\n") && !strings.HasPrefix(s, "'''") && !looksLikeVariable(one.Value.Literals())
	})
	if !ok {
		return nil, false
	}
	r.c.Imply(r.c.Field("Content-Type"))
	return func() {
		r.p.Block("body:form-urlencoded {", func() {
			for i := range pairs {
				r.pair(r.pairName(pairs[i].Name.Source()), r.text(plan.Decoded(pairs[i].Value)))
			}
		})
		r.p.Line("}")
	}, true
}

// raw returns content that is known. Bruno escapes what a variable holds where
// the type is JSON, and reads no variables in a form that is text.
func (r *brunoRequest) raw() (mode string, block func()) {
	contentType := ""
	if f := r.c.Field("Content-Type"); f != nil {
		contentType = strings.ToLower(f.Value.Source())
	}
	data := r.c.Content.Data
	if block, ok := r.form(); ok {
		return "formUrlEncoded", block
	}
	if g, ok := graphQLOf(r.p, r.c); ok && g.fitsBruno() && !looksLikeVariable(data.Source()) {
		g.accept(r.p, r.c)
		return "graphql", func() { r.graphQL(&g) }
	}
	if plan.HasVariable(data) {
		kind := typeOf(data.Source())
		if contentType == plan.FormType && retype(r.p, r.c, kind, "reads no variables in a form, whose type the file therefore does not name") {
			contentType = kind
		}
		switch {
		case strings.Contains(contentType, "json"):
			if !insideStrings(data) {
				r.p.Refuse("escapes what a variable holds in JSON")
			}
			r.p.Cannot("escapes what a variable holds in JSON", "curl does not")
		case contentType == plan.FormType:
			r.p.Refuse("reads no variables in a form")
		}
	}
	if r.c.Content.JSON != nil && looksLikeVariable(data.Source()) {
		data = plan.Literal(strings.ReplaceAll(data.Source(), "{{", `{\u007b`)) // in strings only
	}
	s := data.Source()
	if plan.HasVariable(data) || !utf8.ValidString(s) || contentType != plan.FormType { // a form has no variables
		s = r.text(data)
	}
	if strings.Contains(s, "\r") {
		r.p.Refuse("ends lines without a carriage return")
	}
	if s == "" {
		if contentType != "" && r.c.Method != "POST" {
			r.p.Refuse("sends no empty content")
		}
		return "none", nil
	}
	if known, ok := data.Plain(); ok && strings.Contains(contentType, "application/json") {
		if v, valid := emit.ParseValue("[" + known + "]"); !valid || len(v.Items) != 1 {
			r.p.Refuse("quotes content that is no JSON where the type is JSON")
		}
	}
	mode = "text"
	switch {
	case strings.Contains(contentType, "json"):
		mode = "json"
	case strings.Contains(contentType, "xml"):
		mode = "xml"
	}
	return mode, func() { r.block("body:"+mode, s) }
}

// fitsBruno reports whether Bruno sends the same value. It adds variables where there are none,
// reads them, and has no name of an operation: prepare-request.js of its command line 4.1.
func (g *graphQL) fitsBruno() bool {
	doubles := emit.Encoder{Number: func(string) string { return "" }, Keeps: plan.PlainNames}
	return g.variables != nil && g.operation == nil && doubles.Holds(g.variables) && strings.TrimSpace(g.query) == g.query && !strings.Contains(g.query, "\r")
}

// graphQL writes the blocks of a GraphQL request.
func (r *brunoRequest) graphQL(g *graphQL) {
	r.block("body:graphql", g.query)
	r.p.Line()
	r.block("body:graphql:vars", g.text())
}

// block writes a block of text.
func (r *brunoRequest) block(name, text string) {
	r.p.Line(name, " {")
	r.p.Level++
	for line := range strings.SplitSeq(text, "\n") {
		r.p.Line(line)
	}
	r.p.Level--
	r.p.Line("}")
}

// insideStrings reports whether all variables stand between the quotes of JSON.
func insideStrings(t plan.Text) bool {
	quotes := 0
	for i := range t {
		if t[i].Variable != nil && quotes%2 == 0 {
			return false
		}
		s := strings.ReplaceAll(strings.ReplaceAll(t[i].Literal, `\\`, ""), `\"`, "")
		quotes += strings.Count(s, `"`)
	}
	return true
}

// multipart returns what writes a form whose parts Bruno writes as curl does.
func (r *brunoRequest) multipart() func() {
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		name := p.FileText.Source()
		switch {
		case r.c.Body.FormEscape, !p.Simple(), !ascii.Only(p.Name), strings.ContainsAny(p.Name, "\"\\\r\n"):
		case p.IsFile() && !plan.HasVariable(p.FileText) && p.FilenameText != nil && *p.FilenameText == name[strings.LastIndexByte(name, '/')+1:] && ascii.Only(name) && name != "-" &&
			!strings.ContainsAny(name, "\"\\\r\n)|") && p.TypeText != nil && !strings.Contains(*p.TypeText, ")"):
			continue
		case !p.IsFile() && p.FilenameText == nil && !strings.HasPrefix(p.ValueText.Source(), "@") && (p.TypeText == nil || !strings.Contains(*p.TypeText, ")")):
			continue
		}
		r.p.Refuse("sends no form with such a part")
		return nil
	}
	return func() {
		r.p.Block("body:multipart-form {", func() {
			for i := range r.c.Content.Part {
				p := &r.c.Content.Part[i]
				value := r.text(p.ValueText)
				if p.IsFile() {
					value = "@file(" + r.text(p.FileText) + ")"
				}
				if p.TypeText != nil {
					value += " @contentType(" + *p.TypeText + ")"
				}
				r.pair(r.pairName(p.Name), value)
			}
		})
		r.p.Line("}")
	}
}
