package javascript

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What superagent 10 does by itself in Node (lib/node/index.js, and measured on the wire): it
// adds Accept-Encoding, and Connection by node:http; gives a string the type of a form, and an
// object that of JSON; makes the text of an object as the type says; asks with GET after 301
// and 302 whatever the method was; follows five redirects, and none for HEAD, and throws for
// each status but 2xx, unless told otherwise.
var Superagent = plan.Target{
	Name: "node-superagent", Convention: &jsConvention, Client: "superagent", Version: "10", Kind: plan.Code, Extension: "mjs",
	Packages: []plan.Package{{Name: "superagent", Version: "10.0.0"}},
	Aliases:  []string{"superagent", "javascript-superagent"}, Proven: true, Style: style, Write: writeSuperagent, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true, Variants: commonJS,
	Fallbacks: []*plan.Target{&Undici, &HTTP, &Got},
	Facts: plan.Client{
		ModernTLS: true,
		Rules: plan.Rules{
			plan.SendsMethods(plan.Capitals),
			plan.SendsOneType,
			plan.RemovesDots,
			plan.TakesNumbers,
			plan.SendsNoContent("HEAD"),
			plan.PrintableFields,
		},
		Adds:    plan.FieldNames{"Accept-Encoding", "Connection"},
		Wire:    plan.Wire{Order: "* +Authorization +Content-Type &content-type", Follows: true, Text: true, Path: "\"<>`{}?", Query: "\"'<>é", Lowers: true},
		Always:  plan.FieldNames{"Connection"},
		Fixed:   plan.FieldNames{"Expect"},
		Stuck:   func(c *plan.Call) bool { return c.Content.Kind == plan.MultipartBody && attaches(c) },
		Slashes: true,
		Tells:   true,
		After:   []string{"head"},
	},
}

// encodeQS is the encoder of the package qs, in which superagent writes queries and forms.
var encodeQS = plan.FormEncoder{Safe: "-._~"}

func writeSuperagent(p *plan.Program) {
	writeJavaScript(p, `import superagent from "superagent";`, func(r *jsRequest) {
		var query []emit.Node
		if pairs := r.c.TakeQuery(&encodeQS, keeps); pairs != nil {
			query = append(query, r.pairs(pairs))
		}
		function, arguments := "superagent", []emit.Node{r.url()}
		switch {
		case !slices.Contains(usualMethods, r.c.Method) && r.c.Method != "OPTIONS":
			arguments = append([]emit.Node{emit.Leaf(String(r.c.Method))}, arguments...)
		default:
			function += "." + strings.ToLower(r.c.Method)
		}
		content := r.superagentContent()
		r.superagentHeaders()
		r.call("query", query...)
		r.settings = append(r.settings, content...)
		r.superagentExchange()
		response := r.response()
		r.again(".status", "", ".code", func(before string) { r.sendCalls(before, function, arguments) })
		text, json := response+".text", response+".body"
		if r.keepsBytes() {
			text = "String(" + response + ".body)"
			json = "JSON.parse(" + text + ")"
		}
		r.result(jsResponse{".status", "", ".headers", response + ".body", "", json, text}, func() {
			if r.acceptsAll() {
				r.failure(response + ".status")
			}
		})
	})
}

// call adds a call of a method of the request, where it has arguments.
func (r *jsRequest) call(method string, arguments ...emit.Node) {
	if len(arguments) > 0 {
		r.settings = append(r.settings, hugged("."+method, arguments...))
	}
}

// hugged returns a call, which an object that is its only argument shares its lines with.
func hugged(function string, arguments ...emit.Node) emit.Node {
	call := emit.Group(function, "(", arguments, ")")
	if arguments[0].Open != "{" || arguments[0].Head != "" {
		return call
	}
	return emit.Hug(call)
}

// sendCalls writes the statement that sends a request: the function with its arguments, and
// the calls. Prettier has two on one line where the last takes an object (printMemberChain in
// src/language-js/print/member-chain.js of Prettier 3).
func (r *jsRequest) sendCalls(before, function string, arguments []emit.Node) {
	name, method, dotted := strings.Cut(function, ".")
	if dotted {
		method = "." + method
	}
	calls := append([]emit.Node{hugged(method, arguments...)}, r.settings...)
	if !dotted {
		calls[0].Head, name = name, ""
	}
	switch last := &calls[len(calls)-1]; {
	case len(calls) == 1:
		r.p.Node(before+name, *last, ";")
		return
	case len(calls) == 2 && last.Open == "{":
		r.p.Node(before+name+calls[0].Line(), *last, ";")
		return
	}
	if name != "" {
		calls = append([]emit.Node{emit.Leaf(name)}, calls...)
	}
	width := emit.Columns(before) + len(";")
	for i := range calls {
		width += calls[i].Width
	}
	if r.p.Fits(width) {
		line := before
		for i := range calls {
			line += calls[i].Line()
		}
		if !strings.Contains(line, " => ") && !strings.Contains(line, "(await ") {
			r.p.Line(line, ";")
			return
		}
	}
	r.p.Chain(before, calls, ";")
}

// superagentHeaders adds the call that sets the fields.
func (r *jsRequest) superagentHeaders() {
	items := r.headerMembers(true, func(f *plan.Field) bool { return f.Derived() && (!f.Is("Authorization") || r.basicSetting()) })
	switch {
	case len(items) == 1:
		name := `"` + strings.Trim(items[0].Name, `"`) + `"`
		items[0].Name, items[0].Separator = "", ""
		r.call("set", emit.Leaf(name), items[0])
	case len(items) > 0:
		r.call("set", emit.Braced(items))
	}
	if r.c.Removes("Accept-Encoding") {
		r.call("unset", emit.Leaf(`"Accept-Encoding"`))
	}
	if r.c.Basic != nil && r.basicSetting() {
		r.call("auth", Text(r.p, r.c.Basic.User), Text(r.p, r.c.Basic.Password))
	}
}

// superagentContent returns the calls that give the content.
func (r *jsRequest) superagentContent() []emit.Node {
	send := func(n emit.Node) []emit.Node {
		return []emit.Node{hugged(".send", n)}
	}
	c, contentType := r.c, r.c.Field("Content-Type")
	switch c.Content.Kind {
	case plan.RawBody:
		if r.byteHead() { // Node writes a string and the head as one text, in the encoding of the string
			return r.asBytes(send(buffer(Bytes(r.p, c.Content.Data))))
		}
		n, compact, ok := r.stringify()
		switch {
		case ok && compact && c.HasType("application/json"):
			if value := jsValue(r.p, c, c.Content.JSON); value.Open != "" {
				r.c.Imply(contentType)
				return send(value)
			}
			return send(n)
		case ok && contentType != nil:
			return send(n)
		case ok:
			return send(buffer(n))
		case c.IsForm(&encodeQS) && c.LeavesType() && keeps(plan.PairNames(c.Content.Form)):
			return append([]emit.Node{emit.Leaf(`.type("form")`)}, send(r.pairs(c.Content.Form))...)
		case c.IsForm(&plan.EncodeWHATWG):
			c.LeavesType()
			return send(emit.Followed(r.search(c.Content.Form), ".toString()"))
		case contentType == nil:
			return send(buffer(Bytes(r.p, c.Content.Data)))
		case c.Content.Data.IsText():
			if contentType.Value.Source() == "application/x-www-form-urlencoded" {
				r.c.Imply(contentType)
			}
			return send(Text(r.p, c.Content.Data))
		}
		return r.asBytes(send(Bytes(r.p, c.Content.Data)))
	case plan.MultipartBody:
		if !attaches(c) {
			return r.asBytes(send(buffer(r.multipartBytes())))
		}
		return r.attached()
	case plan.FileBody:
		return r.asBytes(send(emit.Leaf(jsFile(r.p, plan.Piece{File: c.Content.File}))))
	case plan.PieceBody:
		return r.asBytes(send(buffer(jsPieces(r.p, c.Content.List))))
	}
	return nil
}

// asBytes adds the call that keeps superagent from making text of bytes, which it does where
// it knows the type.
func (r *jsRequest) asBytes(send []emit.Node) []emit.Node {
	if f := r.c.Field("Content-Type"); f != nil {
		if s, known := f.Value.Plain(); !known || strings.Contains(s, "json") || strings.Contains(s, "form") {
			return append(send, emit.Leaf(".serialize((data) => data)"))
		}
	}
	return send
}

// attaches reports whether the package form-data writes the form as curl does: names without
// quotes and breaks, files by their names.
func attaches(c *plan.Call) bool {
	return !c.Chunked() && callWritesFormData(c) && !slices.ContainsFunc(c.Content.Part, func(p plan.FormPart) bool {
		return strings.ContainsAny(p.Name, "\"\\%") || p.IsFile() && (strings.ContainsAny(*p.FilenameText, "\"\\%/") || *p.FilenameText == "") ||
			!p.IsFile() && p.ValueText.Source() == ""
	})
}

// attached returns the calls that add the parts of a form.
func (r *jsRequest) attached() []emit.Node {
	var calls []emit.Node
	for i := range r.c.Content.Part {
		part := &r.c.Content.Part[i]
		if !part.IsFile() {
			calls = append(calls, hugged(".field", Text(r.p, part.NameText), Text(r.p, part.ValueText)))
			continue
		}
		options := []emit.Node{emit.Leaf("contentType: " + String(*part.TypeText))}
		if name := part.SentName(); name != "" {
			options = append([]emit.Node{emit.Leaf("filename: " + String(name))}, options...)
		}
		calls = append(calls, hugged(".attach", Text(r.p, part.NameText), Text(r.p, part.FileText), emit.Braced(options)))
	}
	return calls
}

// acceptsAll reports whether the program keeps superagent from throwing for a status.
func (r *jsRequest) acceptsAll() bool {
	return r.p.Exact() && !r.c.Fail() || r.c.Retries() > 0 || r.c.ReadsErrors()
}

// keepsBytes reports whether the program reads the response as bytes, whatever its type.
func (r *jsRequest) keepsBytes() bool {
	to := r.c.Destination(r.p.Options)
	return to == plan.ToFile || r.p.Exact() && to == plan.ContentPrinted || r.keepsWhole()
}

func (r *jsRequest) superagentExchange() {
	switch {
	case r.c.Stops():
		if r.c.Method != "HEAD" {
			r.call("redirects", emit.Leaf("0"))
		}
	case r.c.MaxRedirects() != plan.CurlRedirects:
		r.call("redirects", emit.Leaf(emit.Itoa(int(r.c.RedirectLimit()))))
	case r.p.Exact() || r.c.Method == "HEAD":
		r.call("redirects", emit.Leaf("50"))
	}
	if r.c.Follow() && !slices.Contains([]string{"GET", "HEAD", "POST"}, r.c.Method) {
		r.p.Differs("asks with GET where it is redirected with 301 or 302")
	}
	switch {
	case r.acceptsAll():
		r.call("ok", emit.Leaf("() => true"))
	case r.c.Stops():
		r.call("ok", emit.Leaf("({ status }) => status < 400"))
	}
	if limit := r.c.Timeout(); limit > 0 {
		r.call("timeout", emit.Leaf("{ deadline: "+emit.Milliseconds(limit)+" }"))
	}
	if r.keepsBytes() {
		r.call("responseType", emit.Leaf(`"blob"`))
	}
	r.superagentAgent()
	for _, n := range r.lookup() {
		_, function, _ := strings.Cut(n.Head, ": ")
		r.call("lookup", emit.Leaf(function))
	}
}

// superagentAgent adds the calls for TLS: an agent only for what has none.
func (r *jsRequest) superagentAgent() {
	var rest []emit.Node
	for _, n := range r.tls(tlsNames...) {
		name, value, _ := strings.Cut(n.Head, ": ")
		switch {
		case name == "rejectUnauthorized":
			r.settings = append(r.settings, emit.Leaf(".disableTLSCerts()"))
		case name == "passphrase" && r.c.Archive():
		case name == "pfx" && len(r.c.KeyPassword()) > 0:
			r.call(name, emit.Braced([]emit.Node{n, emit.Named("passphrase", ": ", Text(r.p, r.c.KeyPassword()))}))
		case name == "pfx", slices.Contains(tlsNames, name):
			r.call(name, emit.Leaf(value))
		default:
			rest = append(rest, n)
		}
	}
	switch {
	case len(rest) == 0:
	case !r.c.Secure(): // its agent is that of all hosts
		r.p.Loss("--tlsv1 and --tls-max", "bounds the version of TLS after no redirect")
	default:
		r.p.Use(`import { Agent } from "node:https";`)
		r.call("agent", emit.Hug(emit.Group("new Agent", "(", []emit.Node{emit.Braced(rest)}, ")")))
	}
}
