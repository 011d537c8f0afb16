package dotnet

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What RestSharp 112 and later do by themselves, from their source: they add
// Accept, which no program can take out, User-Agent and Accept-Encoding unless
// told not to; know the methods of an enumeration; take the query apart unless
// it is in the base URL; give all content a type, with a charset unless told not
// to; write the files of a form before its other parts; follow redirects, without
// Authorization, unless told not to. System.Net.Http does the rest, as it does
// for HttpClient.
var RestSharp = plan.Target{
	Name: "csharp-restsharp", Convention: &csharpConvention, Client: "RestSharp", Version: "112", Kind: plan.Code, Extension: "cs", Tried: plan.Compiled,
	Why:      "mono compiles them with what they use of its API",
	Packages: restPackages,
	Variants: []plan.Variant{{Switch: CSharp7, Facts: csharp7(restFacts), Packages: append(slices.Clip(restPackages), csharp7Packages...)}},
	Aliases:  []string{"restsharp"}, Style: emit.Style{Indent: "    ", Comment: "// ", Wraps: "="},
	Write: func(p *plan.Program) {
		writeCSharpCalls(p, func(c *csharpRequest) {
			r := restRequest{csharpRequest: c}
			r.write()
		})
	},
	Facts: restFacts,
}

var restPackages = []plan.Package{{Name: "RestSharp", Version: "112.0.0"}}

var restFacts = plan.Client{
	Specified: plan.ByURL,
	Adds:      plan.FieldNames{"Accept"},
	Always:    plan.FieldNames{"Accept"},
	Environs:  true,
	Rules: plan.Rules{
		plan.SendsCodings(plan.OnlyChunks),
		plan.CodesContentOnly,
		plan.TypesContent,
		plan.RemovesDots,
		plan.VisibleFields,
		plan.SendsHosts(csharpHost),
		plan.SendsMethods(func(m string) bool { return slices.Contains(restMethods, m) }),
		plan.SendsOnce("User-Agent"),
	},
	Slashes:  true,
	Digest:   true,
	Auths:    []string{"ntlm", "negotiate"},
	Quotes:   true,
	Eager:    true,
	Fixed:    plan.FieldNames{"Content-Length"},
	Counts:   plan.Enclosing,
	Proxies:  csharpProxies,
	Versions: []string{"1.0", "1.1", "2"},
	Shares:   plan.FieldNames{"Cookie", "Host"},
	Drops:    plan.FieldNames{"Authorization"},
}

var restMethods = []string{"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "MERGE", "COPY", "SEARCH"}

// A restRequest writes one call with RestSharp.
type restRequest struct {
	*csharpRequest
	typed bool // the content brings its type
}

func (r *restRequest) write() {
	r.p.Use("RestSharp")
	url := r.url()
	method := "()"
	if r.c.Method != "GET" && r.c.Method != "" {
		method = " { Method = Method." + r.c.Method[:1] + strings.ToLower(r.c.Method[1:]) + " }"
	}
	if !r.p.Fits(len("var options = new RestClientOptions()") + emit.Columns(url)) {
		r.p.Folded("var "+r.name("address")+" =", url+";")
		url = r.name("address")
	}
	csharpObjectOf(r.p, "var "+r.name("options")+" = ", "new RestClientOptions("+url+")", r.options(), ";")
	r.using(r.name("client"), emit.Leaf("new RestClient("+r.name("options")+")"))
	r.gap()
	request := r.name("request")
	r.p.Line("var ", request, " = new RestRequest", method, ";")
	r.version()
	r.body()
	r.headers()
	r.p.Line()
	binding := "var " + r.name("response") + " = "
	if r.c.Unread(r.p.Options) {
		binding = ""
	}
	r.p.Line(binding, "await ", r.name("client"), ".ExecuteAsync(", request, ");")
	r.result()
}

// options returns the members of the options of the client.
func (r *restRequest) options() []emit.Node {
	var items []emit.Node
	set := func(asked bool, parts ...string) {
		if asked {
			items = append(items, emit.Leaf(strings.Join(parts, "")))
		}
	}
	if c := r.c.Basic; c != nil && c.IsText() && !r.c.Repeated() {
		r.p.Use("RestSharp.Authenticators")
		set(true, "Authenticator = new HttpBasicAuthenticator(", r.text(c.User), ", ", r.text(c.Password), ")")
	}
	for i := range r.c.Given() {
		switch f := &r.c.Given()[i]; {
		case f.Is("User-Agent"):
			r.c.Imply(f)
			set(true, "UserAgent = ", r.text(f.Value))
		case r.bearer(f):
			r.c.Imply(f)
			r.p.Use("RestSharp.Authenticators")
			set(true, "Authenticator = new JwtAuthenticator(", r.text(f.Value.Cut(len("Bearer "), len(f.Value.Source()))), ")")
		}
	}
	set(r.c.Removes("User-Agent"), "UserAgent = null")
	set(!r.c.Compressed(), "AutomaticDecompression = DecompressionMethods.None")
	set(r.isForm() || r.isText(), "DisableCharset = true")
	set(r.c.Stops() || r.c.MaxRedirects() == 0, "FollowRedirects = false")
	set(r.c.Follow() && r.c.MaxRedirects() < 0, "MaxRedirects = int.MaxValue")
	set(r.c.Follow() && r.c.MaxRedirects() > 0, "MaxRedirects = ", emit.Itoa(int(r.c.MaxRedirects())))
	set(r.c.Timeout() > 0, "Timeout = TimeSpan.FromSeconds(", emit.Seconds(r.c.Timeout()), ")")
	set(r.c.Insecure(), "RemoteCertificateValidationCallback = (sender, certificate, chain, errors) => true")
	if r.c.ProxyScheme() != "" {
		set(true, "Proxy = ", r.proxy(false))
	}
	if credentials := r.credentials(); credentials != "" {
		set(true, "Credentials = ", credentials)
	}
	if !r.c.Compressed() {
		r.p.Use("System.Net")
	}
	return items
}

// bearer reports whether an authenticator sends the field.
func (r *restRequest) bearer(f *plan.Field) bool {
	return f.Is("Authorization") && f.Value[0].Variable == nil && strings.HasPrefix(f.Value[0].Literal, "Bearer ") && !r.c.Repeated()
}

func (r *restRequest) headers() {
	for _, f := range r.c.Joined() {
		basic := f.Derived() && f.Is("Authorization") && r.c.Basic != nil
		switch {
		case basic && r.c.Basic.IsText() && !r.c.Repeated(), f.Derived() && !basic, r.typed && f.Is("Content-Type"):
		case csharpOfContent(f.Name) && r.c.Content.Kind == plan.NoBody && r.c.Field("Content-Type") == nil:
			r.p.RefuseName(f.At, "gives empty content with such a field a type", f.Name)
		default:
			r.p.Line(r.name("request"), ".AddHeader(", CsharpString(f.Name), ", ", r.text(f.Value), ");")
		}
	}
}

// body writes the statements that set the content.
func (r *restRequest) body() {
	content := ""
	switch r.c.Content.Kind {
	case plan.NoBody:
		return
	case plan.RawBody:
		switch {
		case r.isForm():
			r.form()
			return
		case r.isText():
			r.literal()
			return
		}
		content = r.bytes(r.c.Content.Data)
	case plan.MultipartBody:
		if r.files() {
			return
		}
		content = r.pieces(r.c.RawForm())
	case plan.FileBody:
		r.p.Use("System.IO")
		content = "File.ReadAllBytes(" + r.text(r.c.Content.File) + ")"
		if r.c.Content.File.Source() == "-" {
			content = r.pieces([]plan.Piece{{File: r.c.Content.File}})
		}
	case plan.PieceBody:
		content = r.pieces(r.c.Content.List)
	}
	contentType := "ContentType.Binary"
	if f := r.c.Field("Content-Type"); f != nil {
		if _, _, ok := csharpType(f); ok {
			contentType, r.typed = CsharpString(f.Value.Source()), true
		}
	}
	r.p.Line(r.name("request"), ".AddBody(", content, ", ", contentType, ");")
}

// isForm reports whether RestSharp encodes the form as it is.
func (r *restRequest) isForm() bool {
	named := !slices.ContainsFunc(r.c.Content.Form, func(p plan.Pair) bool { return p.Name.Source() == "" })
	return named && slices.Contains([]string{"POST", "PUT", "PATCH"}, r.c.Method) && r.c.IsForm(&plan.EncodeData)
}

func (r *restRequest) form() {
	r.typed = true
	for _, p := range r.c.Content.Form {
		r.p.Line(r.name("request"), ".AddParameter(", r.text(plan.Decoded(p.Name)), ", ", r.text(plan.Decoded(p.Value)), ");")
	}
}

// isText reports whether the content is text, and its type has no parameters.
func (r *restRequest) isText() bool {
	f := r.c.Field("Content-Type")
	_, parameter, ok := csharpType(f)
	return ok && parameter == "" && r.c.Content.Kind == plan.RawBody && r.c.Content.Data.IsText()
}

func (r *restRequest) literal() {
	r.typed = true
	contentType := "DataFormat.Json"
	if !r.c.HasType("application/json") {
		contentType = CsharpString(r.c.Field("Content-Type").Value.Source())
	}
	r.p.Line(r.name("request"), ".AddStringBody(", r.argument(r.c.Content.Data, "body"), ", ", contentType, ");")
}

// files writes a form that has nothing but files.
func (r *restRequest) files() bool {
	if r.c.Body.FormEscape {
		return false
	}
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		file := p.FileText.Source()
		if !p.Simple() || !p.IsFile() || file == "-" || p.FilenameText == nil || p.TypeText == nil || *p.FilenameText != file[strings.LastIndexByte(file, '/')+1:] ||
			!plan.IsVisible(p.Name+*p.FilenameText) || strings.ContainsAny(p.Name+*p.FilenameText, "\t\"\\") {
			return false
		}
		if _, _, ok := csharpType(&plan.Field{Value: plan.Literal(*p.TypeText)}); !ok {
			return false
		}
	}
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		r.p.Line(r.name("request"), ".AddFile(", CsharpString(p.Name), ", ", r.text(p.FileText), ", ", CsharpString(*p.TypeText), ");")
	}
	return true
}

// result writes what is done with the response.
func (r *restRequest) result() {
	response := r.name("response")
	if r.c.Fail() {
		r.p.Use("System.Net.Http")
		r.p.Line("if ((int)", response, ".StatusCode >= 400)")
		r.p.Line("{")
		r.p.Line(r.p.Indent, "throw new HttpRequestException(", response, ".StatusDescription);")
		r.p.Line("}")
	}
	switch r.c.Destination(r.p.Options) {
	case plan.ToFile:
		r.p.Use("System.IO")
		if folder := r.c.Folder(); folder != nil {
			r.p.Line("Directory.CreateDirectory(", r.text(folder), ");")
		}
		r.p.Line("File.WriteAllBytes(", r.text(r.c.Output()), ", ", response, ".RawBytes ?? Array.Empty<byte>());")
	case plan.HeadersPrinted:
		r.p.Line("foreach (var header in ", response, ".Headers ?? Array.Empty<HeaderParameter>())")
		r.p.Line("{")
		r.p.Line(r.p.Indent, "Console.WriteLine(header.Name + \": \" + header.Value);")
		r.p.Line("}")
	case plan.ContentPrinted:
		r.p.Line("Console.WriteLine(", response, ".Content ?? ", response, ".ErrorMessage);")
	}
}
