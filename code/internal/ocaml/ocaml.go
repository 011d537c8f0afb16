package ocaml

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// What cohttp-lwt-unix 4 does by itself, measured on the wire: it adds
// User-Agent, which no program can leave out; writes names of fields in small
// letters and in order, and those of one name in reverse; sends content in chunks
// unless told not to, and that of GET without its length; decodes and encodes the
// URL anew, and reads no IPv6 address in it. It follows no redirects and asks no
// proxy.
var Cohttp = plan.Target{
	Name: "ocaml", Convention: &convention, Client: "cohttp-lwt-unix", Version: "4.0", Kind: plan.Code, Extension: "ml",
	Packages: []plan.Package{{Name: "cohttp-lwt-unix", Version: "4.0"}},
	Aliases:  []string{"ocaml-cohttp", "cohttp", "ml"}, Proven: true, Style: emit.Style{Indent: "  ", Comment: "(* ", CommentEnd: " *)"}, Write: writeOCaml,
	Facts: plan.Client{
		Follows:   plan.NoMethod,
		Adds:      plan.FieldNames{"User-Agent"},
		Always:    plan.FieldNames{"User-Agent"},
		Rules:     plan.Rules{plan.SendsCodings(plan.EitherCoding), plan.SendsNoContent("TRACE")},
		AnyMethod: true,
		Names:     plan.AnyName,
		EmptyHost: true,
	},
}

// convention is what is customary in the language.
var convention = plan.Convention{Language: "ocaml", Manifest: plan.Manifest{File: "*.opam", Line: `"$n" {>= "$v"}`}}

var language = plan.Language{Literal: String, Variable: variable, Plus: " ^ "}

func writeOCaml(p *plan.Program) {
	sections := p.Sections(p.Depth(1), func(c *plan.Call, suffix string) {
		r := ocamlRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	p.Head(func() {
		p.Line("open Lwt.Syntax")
		p.Line("open Cohttp_lwt_unix")
		p.Line()
	})
	for _, function := range p.Helpers {
		for line := range strings.SplitSeq(function, "\n") {
			p.Line(line)
		}
		p.Line()
	}
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	p.Line("let main () =")
	p.Join(sections)
	p.Line(p.Indent, "Lwt.return_unit")
	p.Line()
	p.Line("let () = Lwt_main.run (main ())")
}

// String returns a literal in double quotes, or a quoted string where it has
// double quotes of its own.
func String(s string) string {
	if strings.Contains(s, `"`) && emit.Unescaped(s) && !strings.Contains(s, "|}") && !strings.HasSuffix(s, "|") {
		return "{|" + s + "|}"
	}
	return emit.DoubleQuoted(s, "")
}

const escape = `let escape s =
  let encode = function
    | ('A' .. 'Z' | 'a' .. 'z' | '0' .. '9' | '-' | '.' | '_' | '~') as c -> String.make 1 c
    | c -> Printf.sprintf "%%%02X" (Char.code c)
  in
  String.concat "" (List.map encode (List.of_seq (String.to_seq s)))`

// form comes after escape, which it needs.
const form = `let escape_form s = String.concat "+" (List.map escape (String.split_on_char ' ' s))`

const ocamlJSON = `let escape_json s =
  let escape = function ('"' | '\\') as c -> Printf.sprintf "\\%c" c | c -> String.make 1 c in
  String.concat "" (List.map escape (List.of_seq (String.to_seq s)))`

const strip = `let strip s = String.of_seq (Seq.filter (fun c -> c <> '\r' && c <> '\n' && c <> '\000') (String.to_seq s))`

func variable(p *plan.Program, v *request.Variable) string {
	expr := "Sys.getenv " + String(v.Name)
	if v.HasDefault {
		expr = "Option.value (Sys.getenv_opt " + String(v.Name) + ") ~default:" + String(v.Default)
	}
	switch v.Encoding {
	case plan.UserPart:
		return "List.hd (String.split_on_char ':' (" + expr + "))"
	case plan.PasswordPart:
		return `String.concat ":" (List.tl (String.split_on_char ':' (` + expr + ")))"
	case plan.LastSegment:
		return "Filename.basename (" + expr + ")"
	case request.EncodingPercent:
		p.Help(escape)
		return "escape (" + expr + ")"
	case request.EncodingForm:
		p.Help(escape)
		p.Help(form)
		return "escape_form (" + expr + ")"
	case request.EncodingJSON:
		p.Help(ocamlJSON)
		return "escape_json (" + expr + ")"
	}
	return expr
}

// An ocamlRequest writes one call with cohttp.
type ocamlRequest struct {
	p      *plan.Program
	c      *plan.Call
	suffix string
	files  int
}

func (r *ocamlRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// argument returns an expression that can be the argument of a function.
func (r *ocamlRequest) argument(t plan.Text) string {
	if _, ok := t.Plain(); ok {
		return r.text(t)
	}
	return "(" + r.text(t) + ")"
}

// let binds a name.
func (r *ocamlRequest) let(name string, value emit.Node) { r.p.Node("let "+name+" = ", value, " in") }

// methods are those with a function of their own.
var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func (r *ocamlRequest) write() {
	url := "(Uri.of_string " + r.argument(r.c.URLText) + ")"
	if strings.Contains(r.c.URLText.Literals(), "://[") {
		r.p.Refuse("reads no IPv6 address in a URL")
	}
	if r.c.Guess {
		name := "url" + r.suffix
		r.let(name, emit.Leaf(r.text(r.c.URLText)))
		r.let(name, emit.Leaf("if String.starts_with ~prefix:\"http://\" "+name+" || String.starts_with ~prefix:\"https://\" "+name+
			" then "+name+" else \"http://\" ^ "+name))
		url = "(Uri.of_string " + name + ")"
	}
	path, _, _ := strings.Cut(strings.ToUpper(r.c.URL), "?")
	if slices.Contains(strings.Split(path, "/"), "%2F") {
		r.p.Refuse("takes %2F between slashes for a slash")
	}
	r.tls()
	// With these, and with a field that cohttp takes for a length, only the fields of
	// the program say how long the content is.
	bodiless, sends := r.c.Method == "GET" || r.c.Method == "HEAD", r.c.Content.Kind != plan.NoBody
	measured := (bodiless || r.c.Field("Content-Range") != nil) && sends && !r.c.Chunked()
	call := "Client." + strings.ToLower(r.c.Method)
	if bodiless && sends || !slices.Contains(methods, r.c.Method) {
		call = "Client.call"
	}
	if !bodiless {
		call += " ~chunked:" + strconv.FormatBool(r.c.Streamed())
	}
	content := r.content()
	if measured {
		r.let("content"+r.suffix, content)
		content = emit.Leaf("content" + r.suffix)
	}
	if headers := r.headers(measured); len(headers) > 0 {
		r.let("headers"+r.suffix, list("Cohttp.Header.of_list ", headers))
		call += " ~headers" + r.labelled("headers")
	}
	if sends {
		r.let("body"+r.suffix, r.body(content))
		call += " ~body" + r.labelled("body")
	}
	if strings.HasPrefix(call, "Client.call") {
		call += " " + ocamlMethod(r.c.Method)
	}
	r.send(call + " " + url)
	r.result()
}

// tls writes the statements that set up TLS, which hold for all requests of a
// program.
func (r *ocamlRequest) tls() {
	if !r.c.Encrypts {
		return
	}
	for _, s := range []struct {
		asked   bool
		member  string
		option  emit.Phrase
		setting string
	}{
		{r.c.Insecure(), "insecure", "-k", "set_verify Conduit_lwt_unix_ssl.Client.default_ctx [] None"},
		{len(r.c.CaFile()) > 0 && !r.c.Insecure(), "cacert", "--cacert", "load_verify_locations Conduit_lwt_unix_ssl.Client.default_ctx " + r.argument(r.c.CaFile()) + ` ""`},
		{len(r.c.Cert()) > 0, "cert", "--cert", "use_certificate Conduit_lwt_unix_ssl.Client.default_ctx " + r.argument(r.c.Cert()) + " " + r.argument(r.c.CertKey())},
	} {
		switch {
		case !s.asked:
		case len(r.p.Calls) > 1:
			r.p.LossAt(r.c.Place(s.member), s.option, "sets up TLS for all requests of a program only")
		default:
			if s.member == "cacert" {
				r.p.Differs("trusts the certificates of the system as well")
			}
			r.p.Line("Ssl.", s.setting, ";")
		}
	}
}

// body returns an expression for content that is a string.
func (r *ocamlRequest) body(content emit.Node) emit.Node {
	const head = "Cohttp_lwt.Body.of_string "
	if content.Open == "" && (strings.IndexByte(content.Head, ' ') < 0 || r.c.Content.Kind == plan.RawBody && len(r.c.Content.Data) <= 1 && r.c.Content.Data[0].Variable == nil) {
		return emit.Named(head, "", content)
	}
	return emit.Followed(emit.Named(head, "(", content), ")")
}

// labelled returns what follows a label whose variable has a suffix.
func (r *ocamlRequest) labelled(name string) string {
	if r.suffix == "" {
		return ""
	}
	return ":" + name + r.suffix
}

func ocamlMethod(method string) string {
	if method == "OPTIONS" || method == "TRACE" || method == "CONNECT" || slices.Contains(methods, method) {
		return "`" + method
	}
	return "(`Other " + String(method) + ")"
}

// list returns a list.
func list(head string, items []emit.Node) emit.Node {
	for i := range items[:len(items)-1] {
		items[i] = emit.Followed(items[i], ";")
	}
	n := emit.Group(head, "[", items, "]").Padded()
	n.Glued = true
	return n
}

// headers returns the header fields, with the length of content where it was
// measured.
func (r *ocamlRequest) headers(measured bool) []emit.Node {
	var items []emit.Node
	add := func(name, value string) { items = append(items, emit.Leaf("("+String(name)+", "+value+")")) }
	for _, f := range r.c.Joined() {
		switch {
		case f.Derived() && f.Is("Authorization"):
			add("authorization", "Cohttp.Auth.string_of_credential (`Basic ("+r.text(r.c.Basic.User)+", "+r.text(r.c.Basic.Password)+"))")
		case !f.Derived():
			add(strings.ToLower(f.Name), r.text(f.Value))
		}
	}
	if measured {
		add("content-length", "string_of_int (String.length content"+r.suffix+")")
	}
	return items
}

// content returns the content as an expression for a string.
func (r *ocamlRequest) content() emit.Node {
	whole := func(t plan.Text) emit.Node { return emit.Leaf(r.text(t)) }
	return r.c.ContentNode(whole, r.text, r.file, func(items []emit.Node) emit.Node { return list(`String.concat "" `, items) })
}

// file writes the statement that reads a file, and returns an expression for its
// content, changed as curl changes it.
func (r *ocamlRequest) file(one plan.Piece) string {
	name := "file" + r.suffix
	if r.files++; r.files > 1 {
		name += "_" + emit.Itoa(r.files)
	}
	read := "Lwt_io.with_file ~mode:Lwt_io.Input " + r.argument(one.File) + " Lwt_io.read"
	if one.File.Source() == "-" {
		read = "Lwt_io.read Lwt_io.stdin"
	}
	r.p.Line("let* ", name, " = ", read, " in")
	if one.Offset > 0 {
		offset := emit.Itoa(int(one.Offset))
		name = "(String.sub " + name + " " + offset + " (String.length " + name + " - " + offset + "))"
	}
	if one.Strip {
		r.p.Help(strip)
		name = "(strip " + name + ")"
	}
	if one.Urlencode {
		r.p.Help(escape)
		r.p.Help(form)
		name = "(escape_form " + name + ")"
	}
	if len(one.Name) > 0 {
		name = r.text(one.Prefix()) + " ^ " + name
	}
	return name
}

// send writes the call.
func (r *ocamlRequest) send(call string) {
	response, body := "_", "body"+r.suffix
	to := r.c.Destination(r.p.Options)
	if r.c.Fail() || to == plan.HeadersPrinted || r.p.Options.Bare {
		response = "response" + r.suffix
	}
	pattern := response + ", " + body
	if strings.HasPrefix(call, "Client.head ") {
		pattern = response
	} else if to == plan.HeadersPrinted {
		pattern = response + ", _"
	}
	if r.c.Timeout() > 0 {
		limit := emit.Seconds(r.c.Timeout())
		if !strings.Contains(limit, ".") {
			limit += "."
		}
		call = "Lwt_unix.with_timeout " + limit + " (fun () -> " + call + ")"
	}
	if before := "let* " + pattern + " ="; r.p.Fits(len(before) + len(call) + len("  in")) {
		r.p.Line(before, " ", call, " in")
	} else {
		call, url, _ := strings.Cut(call, " (Uri.of_string ")
		r.p.Block(before, func() { r.p.Folded(call, "(Uri.of_string "+url) })
		r.p.Line("in")
	}
}

// result writes what is done with the response.
func (r *ocamlRequest) result() {
	response, body, content := "response"+r.suffix, "body"+r.suffix, "content"+r.suffix
	if r.c.Fail() {
		status := "status" + r.suffix
		r.p.Line("let ", status, " = Cohttp.Code.code_of_status (Cohttp.Response.status ", response, ") in")
		r.p.Line("if ", status, ` >= 400 then failwith (Printf.sprintf "HTTP %d" `, status, ");")
	}
	switch to := r.c.Destination(r.p.Options); {
	case to == plan.HeadersPrinted:
		r.p.Line("print_string (Cohttp.Header.to_string (Cohttp.Response.headers ", response, "));")
	case to == plan.Discarded && (r.p.Options.Bare || r.c.Method == "HEAD"):
	case to == plan.Discarded:
		r.p.Line("let* () = Cohttp_lwt.Body.drain_body ", body, " in")
	case to == plan.ToFile:
		r.p.Line("let* ", content, " = Cohttp_lwt.Body.to_string ", body, " in")
		if folder := r.c.Folder(); folder != nil {
			r.p.Line(`ignore (Sys.command ("mkdir -p -- " ^ Filename.quote `, r.argument(folder), "));")
		}
		r.p.Line("let* () = Lwt_io.with_file ~mode:Lwt_io.Output ", r.argument(r.c.Output()), " (fun output -> Lwt_io.write output ", content, ") in")
	default:
		r.p.Line("let* ", content, " = Cohttp_lwt.Body.to_string ", body, " in")
		r.p.Line("let* () = Lwt_io.print ", content, " in")
	}
}
