package code

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/request"
)

// What cohttp-lwt-unix 4 does by itself, measured on the wire: it adds
// User-Agent, which no program can leave out; writes names of fields in small
// letters and in order, and those of one name in reverse; sends content in chunks
// unless told not to, and that of GET without its length; decodes and encodes the
// URL anew, and reads no IPv6 address in it. It follows no redirects and asks no
// proxy.
var ocamlCohttp = Target{
	Name: "ocaml", Language: "ocaml", Client: "cohttp-lwt-unix", Version: "4.0", Kind: Code, Extension: "ml",
	Aliases: []string{"ocaml-cohttp", "cohttp", "ml"}, Proven: true, style: style{indent: "  ", comment: "(* ", commentEnd: " *)"}, write: writeOCaml,
	client: client{
		adds:      fieldNames{"User-Agent"},
		always:    fieldNames{"User-Agent"},
		codings:   eitherCoding,
		bodiless:  []string{"TRACE"},
		anyMethod: true,
		names:     anyName,
		emptyHost: true,
		says:      []string{"createDirs", "maxTime", "insecure", "cacert", "cert"},
	},
}

var ocamlLanguage = language{literal: ocamlString, variable: ocamlVariable, plus: " ^ "}

func writeOCaml(p *program) {
	level := 1
	if p.options.Bare {
		level = 0
	}
	sections := p.sections(level, func(c *call, suffix string) {
		r := ocamlRequest{p: p, c: c, suffix: suffix}
		r.write()
	})
	if p.options.Bare {
		p.join(sections)
		return
	}
	p.line("open Lwt.Syntax")
	p.line("open Cohttp_lwt_unix")
	p.line()
	for _, function := range p.helpers {
		for line := range strings.SplitSeq(function, "\n") {
			p.line(line)
		}
		p.line()
	}
	p.line("let main () =")
	p.join(sections)
	p.line(p.indent, "Lwt.return_unit")
	p.line()
	p.line("let () = Lwt_main.run (main ())")
}

// ocamlString returns a literal in double quotes, or a quoted string where it has
// double quotes of its own.
func ocamlString(s string) string {
	if strings.Contains(s, `"`) && unescaped(s) && !strings.Contains(s, "|}") && !strings.HasSuffix(s, "|") {
		return "{|" + s + "|}"
	}
	return doubleQuoted(s, "")
}

const ocamlEscape = `let escape s =
  let encode = function
    | ('A' .. 'Z' | 'a' .. 'z' | '0' .. '9' | '-' | '.' | '_' | '~') as c -> String.make 1 c
    | c -> Printf.sprintf "%%%02X" (Char.code c)
  in
  String.concat "" (List.map encode (List.of_seq (String.to_seq s)))`

// ocamlForm comes after ocamlEscape, which it needs.
const ocamlForm = `let escape_form s = String.concat "+" (List.map escape (String.split_on_char ' ' s))`

const ocamlJSON = `let escape_json s =
  let escape = function ('"' | '\\') as c -> Printf.sprintf "\\%c" c | c -> String.make 1 c in
  String.concat "" (List.map escape (List.of_seq (String.to_seq s)))`

const ocamlStrip = `let strip s = String.of_seq (Seq.filter (fun c -> c <> '\r' && c <> '\n' && c <> '\000') (String.to_seq s))`

func ocamlVariable(p *program, v *request.Variable) string {
	expr := "Sys.getenv " + ocamlString(v.Name)
	if v.HasDefault {
		expr = "Option.value (Sys.getenv_opt " + ocamlString(v.Name) + ") ~default:" + ocamlString(v.Default)
	}
	switch v.Encoding {
	case userPart:
		return "List.hd (String.split_on_char ':' (" + expr + "))"
	case passwordPart:
		return `String.concat ":" (List.tl (String.split_on_char ':' (` + expr + ")))"
	case lastSegment:
		return "Filename.basename (" + expr + ")"
	case request.Percent:
		p.help(ocamlEscape)
		return "escape (" + expr + ")"
	case request.FormEncode:
		p.help(ocamlEscape)
		p.help(ocamlForm)
		return "escape_form (" + expr + ")"
	case request.JSONEscape:
		p.help(ocamlJSON)
		return "escape_json (" + expr + ")"
	}
	return expr
}

// An ocamlRequest writes one call with cohttp.
type ocamlRequest struct {
	p      *program
	c      *call
	suffix string
	files  int
}

func (r *ocamlRequest) text(t text) string { return ocamlLanguage.text(r.p, t) }

// argument returns an expression that can be the argument of a function.
func (r *ocamlRequest) argument(t text) string {
	if _, ok := t.plain(); ok {
		return r.text(t)
	}
	return "(" + r.text(t) + ")"
}

// let binds a name.
func (r *ocamlRequest) let(name string, value node) { r.p.node("let "+name+" = ", value, " in") }

// ocamlMethods are those with a function of their own.
var ocamlMethods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}

func (r *ocamlRequest) write() {
	url := "(Uri.of_string " + r.argument(r.c.url) + ")"
	if strings.Contains(r.c.url.literals(), "://[") {
		r.p.refuse("reads no IPv6 address in a URL")
	}
	if r.c.guess {
		name := "url" + r.suffix
		r.let(name, leaf(r.text(r.c.url)))
		r.let(name, leaf("if String.starts_with ~prefix:\"http://\" "+name+" || String.starts_with ~prefix:\"https://\" "+name+
			" then "+name+" else \"http://\" ^ "+name))
		url = "(Uri.of_string " + name + ")"
	}
	path, _, _ := strings.Cut(strings.ToUpper(r.c.URL), "?")
	if slices.Contains(strings.Split(path, "/"), "%2F") {
		r.p.refuse("takes %2F between slashes for a slash")
	}
	r.tls()
	// With these, and with a field that cohttp takes for a length, only the fields of
	// the program say how long the content is.
	bodiless, sends := r.c.Method == "GET" || r.c.Method == "HEAD", r.c.body.kind != noBody
	measured := (bodiless || r.c.field("Content-Range") != nil) && sends && !r.c.chunked()
	call := "Client." + strings.ToLower(r.c.Method)
	if bodiless && sends || !slices.Contains(ocamlMethods, r.c.Method) {
		call = "Client.call"
	}
	if !bodiless {
		call += " ~chunked:" + strconv.FormatBool(r.c.streamed())
	}
	content := r.content()
	if measured {
		r.let("content"+r.suffix, content)
		content = leaf("content" + r.suffix)
	}
	if headers := r.headers(measured); len(headers) > 0 {
		r.let("headers"+r.suffix, ocamlList("Cohttp.Header.of_list ", headers))
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
	if !r.c.encrypts {
		return
	}
	for _, s := range []struct {
		asked   bool
		member  string
		option  phrase
		setting string
	}{
		{r.c.insecure, "insecure", "-k", "set_verify Conduit_lwt_unix_ssl.Client.default_ctx [] None"},
		{len(r.c.caFile) > 0 && !r.c.insecure, "cacert", "--cacert", "load_verify_locations Conduit_lwt_unix_ssl.Client.default_ctx " + r.argument(r.c.caFile) + ` ""`},
		{len(r.c.cert) > 0, "cert", "--cert", "use_certificate Conduit_lwt_unix_ssl.Client.default_ctx " + r.argument(r.c.cert) + " " + r.argument(r.c.certKey())},
	} {
		switch {
		case !s.asked:
		case len(r.p.calls) > 1:
			r.p.lossAt(r.c.place(s.member), s.option, "sets up TLS for all requests of a program only")
		default:
			if s.member == "cacert" {
				r.p.differs("trusts the certificates of the system as well")
			}
			r.p.line("Ssl.", s.setting, ";")
		}
	}
}

// body returns an expression for content that is a string.
func (r *ocamlRequest) body(content node) node {
	const head = "Cohttp_lwt.Body.of_string "
	if content.open == "" && (strings.IndexByte(content.head, ' ') < 0 || r.c.body.kind == rawBody && len(r.c.body.data) <= 1 && r.c.body.data[0].variable == nil) {
		return named(head, "", content)
	}
	return followed(named(head, "(", content), ")")
}

// labelled returns what follows a label whose variable has a suffix.
func (r *ocamlRequest) labelled(name string) string {
	if r.suffix == "" {
		return ""
	}
	return ":" + name + r.suffix
}

func ocamlMethod(method string) string {
	if method == "OPTIONS" || method == "TRACE" || method == "CONNECT" || slices.Contains(ocamlMethods, method) {
		return "`" + method
	}
	return "(`Other " + ocamlString(method) + ")"
}

// ocamlList returns a list.
func ocamlList(head string, items []node) node {
	for i := range items[:len(items)-1] {
		items[i] = followed(items[i], ";")
	}
	n := group(head, "[", items, "]")
	n.pad, n.glued, n.width = true, true, n.width+2
	return n
}

// headers returns the header fields, with the length of content where it was
// measured.
func (r *ocamlRequest) headers(measured bool) []node {
	var items []node
	add := func(name, value string) { items = append(items, leaf("("+ocamlString(name)+", "+value+")")) }
	for _, f := range r.c.joined() {
		switch {
		case f.derived && f.is("Authorization"):
			add("authorization", "Cohttp.Auth.string_of_credential (`Basic ("+r.text(r.c.basic.user)+", "+r.text(r.c.basic.password)+"))")
		case !f.derived:
			add(strings.ToLower(f.name), r.text(f.value))
		}
	}
	if measured {
		add("content-length", "string_of_int (String.length content"+r.suffix+")")
	}
	return items
}

// content returns the content as an expression for a string.
func (r *ocamlRequest) content() node {
	whole := func(t text) node { return leaf(r.text(t)) }
	return r.c.content(whole, r.text, r.file, func(items []node) node { return ocamlList(`String.concat "" `, items) })
}

// file writes the statement that reads a file, and returns an expression for its
// content, changed as curl changes it.
func (r *ocamlRequest) file(one piece) string {
	name := "file" + r.suffix
	if r.files++; r.files > 1 {
		name += "_" + itoa(r.files)
	}
	read := "Lwt_io.with_file ~mode:Lwt_io.Input " + r.argument(one.file) + " Lwt_io.read"
	if one.file.source() == "-" {
		read = "Lwt_io.read Lwt_io.stdin"
	}
	r.p.line("let* ", name, " = ", read, " in")
	if one.offset > 0 {
		offset := itoa(int(one.offset))
		name = "(String.sub " + name + " " + offset + " (String.length " + name + " - " + offset + "))"
	}
	if one.strip {
		r.p.help(ocamlStrip)
		name = "(strip " + name + ")"
	}
	if one.urlencode {
		r.p.help(ocamlEscape)
		r.p.help(ocamlForm)
		name = "(escape_form " + name + ")"
	}
	if len(one.name) > 0 {
		name = r.text(one.prefix()) + " ^ " + name
	}
	return name
}

// send writes the call.
func (r *ocamlRequest) send(call string) {
	response, body := "_", "body"+r.suffix
	to := r.c.destination(r.p.options)
	if r.c.fail || to == headersPrinted || r.p.options.Bare {
		response = "response" + r.suffix
	}
	pattern := response + ", " + body
	if strings.HasPrefix(call, "Client.head ") {
		pattern = response
	} else if to == headersPrinted {
		pattern = response + ", _"
	}
	if r.c.timeout > 0 {
		limit := seconds(r.c.timeout)
		if !strings.Contains(limit, ".") {
			limit += "."
		}
		call = "Lwt_unix.with_timeout " + limit + " (fun () -> " + call + ")"
	}
	if before := "let* " + pattern + " ="; r.p.fits(len(before) + len(call) + len("  in")) {
		r.p.line(before, " ", call, " in")
	} else {
		call, url, _ := strings.Cut(call, " (Uri.of_string ")
		r.p.block(before, func() { r.p.folded(call, "(Uri.of_string "+url) })
		r.p.line("in")
	}
}

// result writes what is done with the response.
func (r *ocamlRequest) result() {
	response, body, content := "response"+r.suffix, "body"+r.suffix, "content"+r.suffix
	if r.c.fail {
		status := "status" + r.suffix
		r.p.line("let ", status, " = Cohttp.Code.code_of_status (Cohttp.Response.status ", response, ") in")
		r.p.line("if ", status, ` >= 400 then failwith (Printf.sprintf "HTTP %d" `, status, ");")
	}
	switch to := r.c.destination(r.p.options); {
	case to == headersPrinted:
		r.p.line("print_string (Cohttp.Header.to_string (Cohttp.Response.headers ", response, "));")
	case to == discarded && (r.p.options.Bare || r.c.Method == "HEAD"):
	case to == discarded:
		r.p.line("let* () = Cohttp_lwt.Body.drain_body ", body, " in")
	case to == toFile:
		r.p.line("let* ", content, " = Cohttp_lwt.Body.to_string ", body, " in")
		if folder := r.c.folder(); folder != nil {
			r.p.line(`ignore (Sys.command ("mkdir -p -- " ^ Filename.quote `, r.argument(folder), "));")
		}
		r.p.line("let* () = Lwt_io.with_file ~mode:Lwt_io.Output ", r.argument(r.c.output), " (fun output -> Lwt_io.write output ", content, ") in")
	default:
		r.p.line("let* ", content, " = Cohttp_lwt.Body.to_string ", body, " in")
		r.p.line("let* () = Lwt_io.print ", content, " in")
	}
}
