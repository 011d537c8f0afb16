package php

import (
	"strconv"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/libcurl"
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// Curl is for the curl extension of PHP 8, which is libcurl.
var Curl = plan.Target{
	Name: "php", Convention: &convention, Client: "curl", Version: "8.1", Kind: plan.Code, Extension: "php",
	Functions: true, Decodes: true,
	Aliases: []string{"php-curl"}, Proven: true,
	Style: emit.Style{Indent: "    ", Comma: ",", Comment: "// ", Wraps: "=>"}, Write: writePHP, Takes: takes, Heads: true, Tries: tries, Runs: true,
	Facts: phpLibcurl(),
}

// phpLibcurl is libcurl, but that its programs share cookies in memory, that PHP cannot go back to the beginning of a file that
// it sends, and has no encoders of parts. What tries again is a loop, as in curl.
func phpLibcurl() plan.Client {
	c := libcurl.Libcurl
	c.Mime, c.JarFiles = false, false
	c.Stuck = libcurl.Streams
	return c
}

var language = plan.Language{Literal: String, Variable: variable, Plus: " . "}

// encode is json_encode with the flags that keep slashes and letters.
var encode = []struct {
	emit.Encoder
	flags string
}{
	{emit.Encoder{Item: ",", Name: ":", Number: plan.PlainNumber, Keeps: plan.PlainNames}, "JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE"},
	{emit.Encoder{Item: ",", Name: ": ", Indent: "    ", Number: plan.PlainNumber, Keeps: plan.PlainNames}, "JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE"},
}

// encodePHP is http_build_query.
var encodePHP = plan.FormEncoder{Safe: "_.-", Plus: true}

func writePHP(p *plan.Program) {
	if !p.IsBeside() {
		p.Line("<?php")
		p.Line()
	}
	body(p, p.Sections(p.Depth(0), func(c *plan.Call, _ string) {
		computes(p, c)
		r := phpOf(p, c)
		r.write()
	}))
}

// convention is what is customary in the language.
var convention = plan.Convention{Yields: true, Requires: requires, Language: "php", Manifest: plan.Manifest{File: "composer.json", Line: `"$n": "^$v"`}, Naming: plan.Naming{Camel: true, Taken: strings.Fields(
	`jsonValue fieldText pathSegment pathSegments this abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare
	endfor endforeach endif endswitch endwhile enum eval exit extends final finally fn for foreach function global goto if implements include
	instanceof insteadof interface isset list match namespace new or print private protected public readonly require return static switch
	throw trait try unset use var while xor yield attempt boundary ch chunk client content cookies credentials data deadline exception file
	handler headers jar line options output printHead proxy query refused request response retry share stack status stream url value write`)}}

// String returns a literal in single quotes, or in double quotes where it
// has characters that need an escape.
func String(s string) string {
	if single, ok := emit.SingleQuoted(s); ok {
		return single
	}
	return emit.DoubleQuoted(s, "$")
}

func variable(p *plan.Program, v *request.Variable) string {
	if v.Encoding == plan.Computed {
		return v.Name
	}
	expr := "getenv(" + String(v.Name) + ")"
	switch {
	case plan.IsLocal(v):
		expr = "$" + v.Name
	case p.IsFunction():
		expr = "$" + p.Parameter(v)
	}
	if v.HasDefault && !p.IsFunction() {
		expr = "(" + expr + " ?: " + String(v.Default) + ")"
	}
	switch v.Encoding {
	case plan.UserPart:
		return "explode(':', " + expr + ", 2)[0]"
	case plan.PasswordPart:
		return "explode(':', " + expr + ", 2)[1]"
	case plan.LastSegment:
		return "basename(" + expr + ")"
	case request.EncodingPercent:
		return "rawurlencode(" + expr + ")"
	case request.EncodingForm:
		return "urlencode(" + expr + ")"
	case request.EncodingJSON:
		if p.IsFunction() { // what is no text is an error there, and the content would lack it
			return "substr(json_encode(" + expr + ", JSON_THROW_ON_ERROR), 1, -1)"
		}
		return "substr(json_encode(" + expr + "), 1, -1)"
	case plan.Segment, plan.Segments, plan.JSONValue, plan.JSONElements, plan.FieldText:
		return helped(p, v.Encoding, expr)
	}
	return expr
}

// value returns a JSON value of the content as a literal.
func (r *phpRequest) value(v *emit.Value) emit.Node {
	if v.Kind == emit.StringValue {
		t := r.c.StringOf(v)
		if _, isDate := fromOf(t).(*request.Date); isDate && plan.MayBeNumber(t[0].Variable) {
			return emit.Leaf("(string) " + r.text(t))
		}
		return emit.Leaf(r.text(t))
	}
	items := make([]emit.Node, len(v.Items))
	for i := range v.Items {
		items[i] = r.value(&v.Items[i])
		if v.Kind == emit.ObjectValue {
			items[i] = emit.Named(String(v.Names[i]), " => ", items[i])
		}
	}
	switch {
	case v.Kind == emit.ObjectValue && len(items) == 0:
		return emit.Leaf("new stdClass()")
	case v.Kind == emit.ObjectValue || v.Kind == emit.ArrayValue:
		return emit.Group("", "[", items, "]")
	}
	return emit.Leaf(v.Text)
}

// fromOf returns where the value of a text of one variable comes from.
func fromOf(t plan.Text) request.From {
	if len(t) != 1 || t[0].Variable == nil {
		return nil
	}
	return t[0].Variable.From
}

// A phpRequest writes one call with the curl extension.
type phpRequest struct {
	p *plan.Program
	c *plan.Call
	libcurl.CurlOptions
	streams []string // statements that open files, before the request is sent
}

func phpOf(p *plan.Program, c *plan.Call) phpRequest {
	return phpRequest{p: p, c: c, CurlOptions: libcurl.CurlOptions{C: c}}
}

func (r *phpRequest) text(t plan.Text) string { return language.Text(r.p, t) }

// makeFolder writes the statement that makes the folder of the file of -o, where the
// command asks for it.
func (r *phpRequest) makeFolder() {
	if folder := r.c.Folder(); folder != nil {
		name := r.text(folder)
		r.p.Line("is_dir(", name, ") || mkdir(", name, ", recursive: true);")
	}
}

func (r *phpRequest) write() {
	content := r.content()
	r.SetMethod()
	r.SetFields()
	before := len(r.Settings)
	r.share()
	r.SetExchange()
	items := append(r.nodes(r.Settings[:before]), content...)
	items = append(items, r.nodes(r.Settings[before:])...)
	if r.namedByResponse() {
		items = append(items, r.readName()...)
	} else if r.c.Destination(r.p.Options) != plan.Captured && len(r.c.Output()) > 0 && r.c.Output().Source() != "-" {
		r.makeFolder()
		name, mode := r.text(r.c.Output()), "wb"
		switch {
		case r.c.Resumes() && r.c.Retries() > 0:
			r.p.LossAt(r.c.Place("continueAt"), "-C", "tries again from the beginning of the file")
		case r.c.Resumes():
			mode = "ab"
			items = append(items, emit.Leaf("CURLOPT_RESUME_FROM => is_file("+name+") ? filesize("+name+") : 0"))
		}
		if r.c.KeepsFile(r.p.Options) {
			items = append(items, r.temporary()...)
		} else {
			items = append(items, r.stream("CURLOPT_FILE", "fopen("+name+", '"+mode+"')")...)
		}
	} else if r.c.Streams(r.p.Options) {
		r.p.InPieces = true
		items = append(items, r.prints("CURLOPT_WRITEFUNCTION", "$print", "$data"))
	} else {
		items = append(items, emit.Leaf("CURLOPT_RETURNTRANSFER => true"))
	}
	items = append(items, r.head()...)
	if pairs := r.c.TakeQuery(&encodePHP, plan.PlainNames); pairs != nil {
		r.p.Node("$query = ", emit.Hug(emit.Group("http_build_query", "(", []emit.Node{r.pairs(pairs)}, ")")), ";")
		r.c.ComputeQuery("$query")
	}
	url := language.Sum(r.p, r.c.URLText)
	if url.Open != "" {
		r.p.Node("$ch = ", emit.Wrapped("curl_init", url), ";")
	} else {
		r.p.Node("$ch = ", emit.Group("curl_init", "(", []emit.Node{url}, ")"), ";")
	}
	all := emit.Group("", "[", items, "]")
	all.Broken, all.Width = true, emit.TooWide
	r.p.Node("curl_setopt_array($ch, ", all, ");")
	r.result()
}

// head returns the item that has the head of the response printed.
func (r *phpRequest) head() []emit.Node {
	switch {
	case len(r.c.HeaderValues()) > 0:
		return r.keepHead()
	case r.c.SavesHead(r.p.Options):
		return []emit.Node{emit.Leaf("CURLOPT_HEADER => true")}
	case !r.c.PrintsHead(r.p.Options):
		return nil
	case r.p.IsFunction(), // which returns none of an error
		r.c.PrintsBoth(r.p.Options) && !(r.c.Fail() && !r.c.FailsLate()): // which gives nothing of an error
		return []emit.Node{emit.Leaf("CURLOPT_HEADER => true")}
	}
	return []emit.Node{r.prints("CURLOPT_HEADERFUNCTION", "$printHead", "$line")}
}

// prints writes the statement that makes a function which prints what it is given, and
// returns the item that sets it.
func (r *phpRequest) prints(option, function, text string) emit.Node {
	r.p.Block(function+" = function ($ch, "+text+") {", func() {
		r.p.Line("echo ", text, ";")
		r.p.Line("flush();")
		r.p.Line("return strlen(", text, ");")
	})
	r.p.Line("};")
	return emit.Leaf(option + " => " + function)
}

// share adds the jar of several requests, after the statements that make it.
func (r *phpRequest) share() {
	jar := r.c.Jar()
	if jar == nil {
		return
	}
	cookies := "$" + jar.Named("cookies")
	if r.c.Opens() {
		r.p.Line(cookies, " = curl_share_init();")
		r.p.Line("curl_share_setopt(", cookies, ", CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);")
	}
	r.Flag("SHARE", cookies)
	if len(r.c.CookieFiles()) == 0 {
		r.Flag("COOKIEFILE", "''") // which has the handle keep cookies
	}
	r.c.JoinsCookies() // as curl does
}

// nodes returns the members of the array of options.
func (r *phpRequest) nodes(settings []libcurl.CurlSetting) []emit.Node {
	nodes := make([]emit.Node, len(settings))
	for i, s := range settings {
		value := emit.Leaf(s.Word)
		switch s.Kind {
		case libcurl.CurlText:
			value = emit.Leaf(r.text(s.Value))
		case libcurl.CurlList:
			items := make([]emit.Node, len(s.List))
			for i, t := range s.List {
				items[i] = emit.Leaf(r.text(t))
			}
			value = emit.Group("", "[", items, "]")
		}
		nodes[i] = emit.Named("CURLOPT_"+s.Option, " => ", value)
	}
	return nodes
}

func (r *phpRequest) content() []emit.Node {
	value := emit.Node{}
	switch r.c.Content.Kind {
	case plan.NoBody:
		return nil
	case plan.RawBody:
		r.Untyped()
		value = r.rawContent()
	case plan.MultipartBody:
		value = r.multipart()
	case plan.FileBody:
		if r.Uploads() {
			if r.c.Auth != nil && r.c.Auth.Scheme == "any" {
				r.p.Refuse("cannot send a file again after the server has chosen the authentication")
			}
			name := r.text(r.c.Content.File)
			items := append([]emit.Node{emit.Leaf("CURLOPT_UPLOAD => true")}, r.stream("CURLOPT_INFILE", "fopen("+name+", 'rb')")...)
			return append(items, emit.Leaf("CURLOPT_INFILESIZE => filesize("+name+")"))
		}
		r.Untyped()
		value = emit.Leaf(r.file(plan.Piece{File: r.c.Content.File}))
	case plan.PieceBody:
		r.Untyped()
		value = r.pieces(r.c.Content.List)
	}
	return []emit.Node{emit.Named("CURLOPT_POSTFIELDS", " => ", value)}
}

func (r *phpRequest) rawContent() emit.Node {
	if n, ok := r.encodedJSON(); ok {
		return n
	}
	if pairs, ok := r.form(); ok {
		return emit.Group("http_build_query", "(", []emit.Node{pairs}, ")")
	}
	return language.Content(r.p, r.c.Content.Data)
}

// encodedJSON returns a call of json_encode where it prints the content, unless
// that is empty.
func (r *phpRequest) encodedJSON() (emit.Node, bool) {
	if r.c.Content.JSON != nil && len(r.c.Content.JSON.Items) > 0 && !(r.p.Exact() && strings.ContainsAny(r.c.Content.Data.Source(), "\u2028\u2029")) {
		if !r.p.Exact() && r.p.Encodes(&guzzleJSON, r.c) {
			return emit.Hug(emit.Group("json_encode", "(", []emit.Node{r.value(r.c.Content.JSON)}, ")")), true
		}
		for _, e := range encode {
			if r.p.Encodes(&e.Encoder, r.c) {
				return emit.Hug(emit.Group("json_encode", "(", []emit.Node{r.value(r.c.Content.JSON), emit.Leaf(e.flags)}, ")")), true
			}
		}
	}
	return emit.Node{}, false
}

// form returns the content as an array where it is a form that http_build_query
// prints.
func (r *phpRequest) form() (emit.Node, bool) {
	if !plan.PlainNames(plan.PairNames(r.c.Content.Form)) || !r.c.IsForm(&encodePHP) {
		return emit.Node{}, false
	}
	return r.pairs(r.c.Content.Form), true
}

// pairs returns pairs as an array.
func (r *phpRequest) pairs(pairs []plan.Pair) emit.Node {
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		items[i] = emit.Named(String(p.Name.Source()), " => ", emit.Leaf(r.text(plan.Decoded(p.Value))))
	}
	return emit.Group("", "[", items, "]")
}

// multipart returns the array that makes a form, or the bytes of the form where
// an array cannot say it.
func (r *phpRequest) multipart() emit.Node {
	r.p.ReportTypes(r.c) // CURLFile has a type of its own
	simple := !r.c.Body.FormEscape
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		if p.IsFile() {
			simple = simple && p.Helped() && p.FilenameText != nil && p.TypeText != nil && p.FileText.Source() != "-"
		} else {
			simple = simple && p.Simple() && p.FilenameText == nil && p.TypeText == nil
		}
	}
	if !simple || !plan.PlainNames(plan.PartNames(r.c.Content.Part)) {
		return r.pieces(r.c.RawForm())
	}
	items := make([]emit.Node, len(r.c.Content.Part))
	for i := range r.c.Content.Part {
		p := &r.c.Content.Part[i]
		content := emit.Leaf(r.text(p.ValueText))
		if p.IsFile() {
			filename := String(*p.FilenameText)
			if p.Implied {
				filename = "basename(" + r.text(p.FileText) + ")"
			}
			content = emit.Leaf("new CURLFile(" + r.text(p.FileText) + ", " + String(*p.TypeText) + ", " + filename + ")")
		}
		items[i] = emit.Named(r.text(p.NameText), " => ", content)
	}
	return emit.Group("", "[", items, "]")
}

// file returns an expression for the content of a file, changed as curl
// changes it.
func (r *phpRequest) file(one plan.Piece) string {
	name := r.text(one.File)
	if one.File.Source() == "-" {
		name = "'php://stdin'"
	}
	read := "file_get_contents(" + name + ")"
	if one.Offset > 0 {
		read = "substr(" + read + ", " + strconv.FormatInt(one.Offset, 10) + ")"
	}
	if one.Strip {
		read = `str_replace(["\r", "\n", "\0"], '', ` + read + ")"
	}
	if one.Urlencode {
		read = "str_replace('%7E', '~', urlencode(" + read + "))"
	}
	if len(one.Name) > 0 {
		read = r.text(one.Prefix()) + " . " + read
	}
	return read
}

func (r *phpRequest) pieces(pieces []plan.Piece) emit.Node {
	return plan.JoinPieces(pieces, r.text, r.file, func(items []emit.Node) emit.Node {
		return emit.Group("implode", "(", []emit.Node{emit.Group("", "[", items, "]")}, ")")
	})
}

// temporary returns the item for a file that takes the response until it is known to be
// no error.
func (r *phpRequest) temporary() []emit.Node {
	if r.c.Retries() > 0 {
		r.streams = append(r.streams, "$file = tmpfile();")
	} else {
		r.p.Line("$file = tmpfile(); // an error leaves the other file as it was")
	}
	return r.stream("CURLOPT_FILE", "$file")
}

// stream returns the item that sets an option to a file. What is sent again reads or
// writes its file from the beginning, so the option is set in the loop.
func (r *phpRequest) stream(option, file string) []emit.Node {
	if r.c.Retries() == 0 {
		return []emit.Node{emit.Leaf(option + " => " + file)}
	}
	r.streams = append(r.streams, "curl_setopt($ch, "+option+", "+file+");")
	return nil
}

// exchange writes the call that sends the request, in a loop where it tries again.
func (r *phpRequest) exchange() {
	retry := r.c.Retry()
	if retry.Count == 0 {
		r.p.Line("$response = curl_exec($ch);")
		return
	}
	wait, lasts := "sleep(2 ** ($attempt - 1));", "!in_array($status, ["+plan.RetryStatuses+"])"
	switch {
	case retry.Errors:
		lasts = "$response !== false && " + lasts
	case retry.Refused:
		lasts = "!$refused && " + lasts
	}
	if whole := int64(retry.Delay); float64(whole) != retry.Delay {
		wait = "usleep(" + emit.Milliseconds(retry.Delay*1000) + ");"
	} else if whole > 0 {
		wait = "sleep(" + strconv.FormatInt(whole, 10) + ");"
	}
	if retry.MaxTime > 0 {
		r.p.Line("$deadline = microtime(true) + ", emit.Seconds(retry.MaxTime), ";")
	}
	r.p.Block("for ($attempt = 0; $attempt <= "+strconv.FormatInt(retry.Count, 10)+"; $attempt++) {", func() {
		r.p.Block("if ($attempt > 0) {", func() { r.p.Line(wait) })
		r.p.Line("}")
		for _, stream := range r.streams {
			r.p.Line(stream)
		}
		r.p.Line("$response = curl_exec($ch);")
		r.p.Line("$status = curl_getinfo($ch, CURLINFO_RESPONSE_CODE);")
		if retry.Refused && !retry.Errors {
			r.p.Line("$refused = curl_errno($ch) === CURLE_COULDNT_CONNECT;")
		}
		r.p.Block("if ("+lasts+") {", func() { r.p.Line("break;") })
		r.p.Line("}")
		if retry.MaxTime > 0 {
			r.p.Block("if (microtime(true) > $deadline) {", func() { r.p.Line("break;") })
			r.p.Line("}")
		}
	})
	r.p.Line("}")
}

// result writes what is done with the response.
func (r *phpRequest) result() {
	r.exchange()
	returned := false
	captured, keeps := r.c.Destination(r.p.Options) == plan.Captured, r.c.KeepsFile(r.p.Options)
	const status = "curl_getinfo($ch, CURLINFO_RESPONSE_CODE)"
	early := r.c.Destination(r.p.Options) == plan.Discarded // also where -f makes an error of the status
	if early {
		r.writeOut(status)
	}
	if !r.p.Options.Bare || captured || keeps || r.namedByResponse() {
		r.p.Line("if ($response === false) {")
		r.p.Line(r.p.Indent, "throw new RuntimeException(curl_error($ch));")
		r.p.Line("}")
		switch {
		case captured:
			keepFields(r.p, r.c, func(name string) string { return "$headers[" + strings.ToLower(name) + "]" })
			captures(r.p, r.c, "$response", "")
		case r.namedByResponse():
			nameOutput(r.p, r.c, "$disposition")
			r.makeFolder()
			r.p.Line("rewind($file);")
			r.p.Line("stream_copy_to_stream($file, fopen(", r.text(r.c.Output()), ", 'xb'));")
		case keeps:
			r.p.Line("rewind($file);")
			r.p.Line("file_put_contents(", r.text(r.c.Output()), ", $file);")
		case !early && r.c.Destination(r.p.Options) != plan.ToFile && !r.c.Streams(r.p.Options):
			if r.c.FailsLate() && r.p.IsFunction() { // nothing comes after return
				r.failsLate(status)
			}
			if r.c.Destination(r.p.Options) == plan.HeadersPrinted && r.p.IsFunction() {
				r.returns("$response", status)
			} else {
				r.give("$response", "", status)
			}
			returned = r.p.IsFunction()
		}
		if !early {
			r.writeOut(status)
		}
		if r.c.FailsLate() && !returned {
			r.failsLate(status)
		}
	}
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.p.Line("return ", status, ";")
	}
}

// failsLate writes what throws for a status of 400 and more.
func (r *phpRequest) failsLate(status string) {
	r.p.Block("if ("+status+" >= 400) {", func() { r.p.Line("throw new RuntimeException('HTTP ' . ", status, ");") })
	r.p.Line("}")
}

// writeOut writes the statement that prints what -w asks for.
func (r *phpRequest) writeOut(status string) {
	if t := r.c.WriteOut(r.p.Options, status); len(t) > 0 {
		r.p.Line("echo ", r.text(t), ";")
	}
}
