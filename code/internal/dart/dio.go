package dart

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What Dio 5 does by itself, from its source, besides what dart:io does, over which it
// stands: it writes names of fields in small letters unless told not to; gives a string or a
// map without a type that of JSON, and bytes none; writes the texts of a form before its
// files, and names a type for each file; makes an error of each status but 2xx, and a value
// of JSON in a response, unless told not to; and makes the folders of a file that it writes.
var Dio = plan.Target{
	Name: "dart-dio", Convention: &convention, Client: "Dio", Version: "5", Kind: plan.Code, Extension: "dart", Tried: plan.Parsed,
	Why:      "Tree-sitter's grammar of Dart reads them; no SDK has run them",
	Packages: []plan.Package{{Name: "dio", Version: "5.5.0"}},
	Aliases:  []string{"dio", "flutter-dio"}, Style: HTTP.Style, Write: writeDio, Facts: dartIO,
}

func writeDio(p *plan.Program) {
	var contexts, proxies [][]string
	sections := p.Sections(p.Depth(1), func(c *plan.Call, suffix string) {
		r := dioRequest{dartRequest{p: p, c: c, request: "data" + suffix, response: "response" + suffix}}
		r.write()
		contexts, proxies = append(contexts, r.context()), append(proxies, r.proxy())
	})
	p.Use("import 'package:dio/dio.dart';")
	context := oneContext(p, contexts, proxies)
	if len(p.Helpers) > 0 || len(context) > 0 { // settings of dart:io's client
		p.Use("import 'dart:io';")
		p.Use("import 'package:dio/io.dart';")
	}
	imports(p)
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	p.Block("Future<void> main() async {", func() {
		for _, line := range context {
			p.Line(line)
		}
		p.Line("final dio = Dio();")
		if len(p.Helpers) > 0 || len(context) > 0 {
			p.Block("dio.httpClientAdapter = IOHttpClientAdapter(", func() {
				client := "createHttpClient: () => HttpClient(" + map[bool]string{true: "context: context"}[len(context) > 0] + ")"
				if len(p.Helpers) < 2 {
					p.Line(strings.Join(append([]string{client}, p.Helpers...), ".."), ",")
					return
				}
				p.Line(client)
				for i, setting := range p.Helpers {
					p.Line(p.Indent, "..", setting, map[bool]string{true: ","}[i == len(p.Helpers)-1])
				}
			})
			p.Line(");")
		}
		p.Join(sections)
		p.Line("dio.close();")
	})
	p.Line("}")
}

// A dioRequest writes one call with Dio.
type dioRequest struct{ dartRequest }

func (r *dioRequest) write() {
	url := r.text(r.c.URLText)
	if r.c.Guess {
		r.p.Node("var url = ", url, ";")
		r.p.Line("if (!url.contains('://')) url = 'http://$url'; // as curl does")
		url = emit.Leaf("url")
	}
	arguments := []emit.Node{url}
	function := strings.ToLower(r.c.Method)
	to := r.c.Destination(r.p.Options)
	known := slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}, r.c.Method)
	switch {
	case to == plan.ToFile:
		function, known = "download", r.c.Method == "GET"
		r.c.Folder() // which it makes
		arguments = append(arguments, r.text(r.c.Output()))
	case !known:
		function = "request<String>"
	default:
		function += "<String>"
	}
	if data := r.data(); data.Head != "" || data.Open != "" {
		arguments = append(arguments, emit.Named("data", ": ", data))
	}
	if options := r.options(known); len(options) > 0 {
		arguments = append(arguments, emit.Named("options", ": ", emit.Group("Options", "(", options, ")")))
	}
	r.settings()
	after := r.timeout() + ";"
	start := "final " + r.response + " = await "
	if to == plan.ToFile && !r.c.ReadsErrors() || r.c.Unread(r.p.Options) {
		start = "await "
	}
	r.p.Node(start, emit.Group("dio."+function, "(", arguments, ")"), after)
	r.finish()
}

// options returns the options of the request.
func (r *dioRequest) options(known bool) (items []emit.Node) {
	set := func(asked bool, name string, value emit.Node) {
		if asked {
			items = append(items, emit.Named(name, ": ", value))
		}
	}
	set(!known, "method", emit.Leaf(dartString(r.c.Method)))
	if f := r.c.Field("Content-Type"); f != nil && !f.Derived() && r.c.Content.Kind != plan.NoBody {
		value := r.text(f.Value)
		switch f.Value.Source() {
		case "application/json":
			value = emit.Leaf("Headers.jsonContentType")
		case plan.FormType:
			value = emit.Leaf("Headers.formUrlEncodedContentType")
		}
		set(true, "contentType", value)
		r.c.Imply(f)
	}
	fields := r.headers()
	set(len(fields) > 0, "headers", emit.Group("", "{", fields, "}"))
	set(r.p.Exact() && len(fields) > 0, "preserveHeaderCase", emit.Leaf("true"))
	if limit := r.c.ConnectTimeout(); limit > 0 {
		set(true, "connectTimeout", emit.Leaf(duration(limit)))
	}
	set(r.c.Stops(), "followRedirects", emit.Leaf("false"))
	if r.c.Follow() && r.c.LimitsRedirects() {
		set(true, "maxRedirects", emit.Leaf(emit.Itoa(int(r.c.RedirectLimit()))))
	}
	switch {
	case !r.c.Fail() || r.c.ReadsErrors():
		set(true, "validateStatus", emit.Leaf("(status) => true"))
	case r.p.Exact():
		set(true, "validateStatus", emit.Leaf("(status) => status! < 400"))
	}
	return items
}

// data returns an expression for the content.
func (r *dioRequest) data() emit.Node {
	data, kind := r.c.Content.Data, r.c.Content.Kind
	f := r.c.Field("Content-Type")
	switch {
	case kind == plan.NoBody:
		return emit.Node{}
	case kind == plan.MultipartBody && r.simpleForm():
		return r.form()
	case kind == plan.RawBody && r.c.HasType("application/json") && r.p.Encodes(&encoder, r.c) && r.c.Content.JSON.Kind == emit.ObjectValue && len(r.c.Content.JSON.Items) > 0:
		r.c.Imply(f) // which a map implies
		return r.value(r.c.Content.JSON)
	case kind == plan.RawBody && emit.Distinct(plan.PairNames(r.c.Content.Form)) && r.c.IsForm(&plan.EncodeQuotePlus):
		items := make([]emit.Node, len(r.c.Content.Form))
		for i, p := range r.c.Content.Form {
			items[i] = emit.Named(r.text(plan.Decoded(p.Name)).Line(), ": ", r.text(plan.Decoded(p.Value)))
		}
		return emit.Group("", "{", items, "}")
	case kind == plan.RawBody && data.IsText() && f != nil:
		return r.text(data)
	}
	content := r.content()
	if content.Open == "[" {
		r.p.Use("import 'dart:typed_data';")
		content = emit.Wrapped("Uint8List.fromList", content)
	}
	return content
}

// form returns an expression for a form.
func (r *dioRequest) form() emit.Node {
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		value := r.text(p.ValueText)
		if p.IsFile() {
			kind, sub, _ := strings.Cut(*p.TypeText, "/")
			arguments := []emit.Node{r.text(p.FileText)}
			if name := p.SentName(); name != "" {
				arguments = append(arguments, emit.Named("filename", ": ", emit.Leaf(dartString(name))))
			}
			arguments = append(arguments, emit.Named("contentType", ": ", emit.Leaf("DioMediaType("+dartString(kind)+", "+dartString(sub)+")")))
			value = emit.Group("await MultipartFile.fromFile", "(", arguments, ")")
		}
		items[i] = emit.Named(dartString(p.Name), ": ", value)
	}
	return emit.Group("FormData.fromMap(", "{", items, "})")
}

// finish writes what is done with the response.
func (r *dioRequest) finish() {
	to, status := r.c.Destination(r.p.Options), r.response+".statusCode"
	r.c.Report(r.p.Options, func() {
		if !r.c.ReadsErrors() {
			return // Dio makes the error
		}
		r.p.Line("if (", status, "! >= 400) {")
		r.p.Line(r.p.Indent, "throw Exception('HTTP ${", status, "}');")
		r.p.Line("}")
	}, func() {
		r.p.Line("print(", status, ");")
		r.p.Line("print(", r.response, ".headers);")
	}, func() {
		if to == plan.ContentPrinted {
			r.p.Line("print(", r.response, ".data);")
		}
	}, func() {
		if t := r.c.WriteOutLine(r.p.Options, status); len(t) > 0 {
			r.p.Line("print(", r.text(t).Line(), ");")
		}
	})
}
