// Package har reads HAR files, version 1.2
// (http://www.softwareishard.com/blog/har-12-spec/), as browsers and proxies
// write them.
package har

import (
	"encoding/base64"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// Is reports whether a text is a HAR file, one of its entries, or the request
// of one: a JSON object with the member log or request that is an object, or
// with the members method and url that are strings. What follows in the text
// does not matter, so that a file which is cut off still is one. A whole object
// with the url, and nothing but members of a request, is one too.
func Is(src string) bool {
	src = strings.TrimPrefix(src, jsontext.ByteOrderMark)
	r := jsontext.NewReader(src, jsontext.MaxDepth)
	if r.Peek() != '{' {
		return false
	}
	method, url, found, foreign := false, false, false, false
	whole := r.Object(func(name string, _ int) bool {
		kind := r.Peek()
		switch name {
		case "log", "request":
			found = kind == '{'
		case "method":
			method = kind == '"'
			foreign = foreign || !method
		case "url":
			url = kind == '"'
		case "httpVersion", "headers", "cookies", "queryString", "postData", "headersSize", "bodySize", "comment":
		default:
			foreign = true
		}
		found = found || method && url
		return !found && r.Skip()
	})
	return found || whole && url && !foreign
}

// Read returns a command for each entry of a HAR file, in their order, or for
// one entry, counted from 1.
func Read(src string, entry int, m *meter.Meter) ([]word.Command, diag.List) {
	r := reader{entry: entry, src: src}
	r.Meter, r.Syntax = m, diag.CodeInvalidHAR
	// Each string without its escapes takes no more than the string and as much
	// again.
	if strings.IndexByte(src, '\\') >= 0 && !m.Hold(2*len(src)) {
		return nil, diag.List{m.Diagnostic(diag.At(0))}
	}
	r.json = jsontext.NewReader(src, jsontext.MaxDepth)
	if strings.HasPrefix(src, jsontext.ByteOrderMark) {
		r.json.Advance(len(jsontext.ByteOrderMark))
	}
	ok := r.file()
	switch {
	case m.Over():
		return nil, diag.List{m.Diagnostic(diag.At(r.json.Pos()))}
	case r.json.Err() != nil && r.Diags.Err() == nil:
		r.fault(r.json.Err())
	case ok && entry > r.count:
		entries := strconv.Itoa(r.count) + " entries"
		if r.count == 1 {
			entries = "one entry"
		}
		r.Fail(diag.CodeUnknownEntry, diag.Span{End: int32(len(src))}, "there is no entry "+strconv.Itoa(entry)+": the file has "+entries, "entries are counted from 1")
	case ok && r.skipped && len(r.Commands) == 0:
		r.Fail(r.Syntax, diag.Span{End: int32(len(src))}, "no entry is a request to a server", "record the requests again, and save the file then")
	case ok && r.count == 0:
		r.Fail(r.Syntax, diag.Span{End: int32(len(src))}, "the log has no entries", "record the requests again, and save the file then")
	}
	return r.Commands, r.Diags
}

// A reader reads one text.
type reader struct {
	message.Writer
	json  jsontext.Reader
	src   string
	entry int // the one that is asked for, or 0
	count int // of the entries so far

	skipped bool // an entry that is no request
}

// fault reports an error in the syntax of JSON.
func (r *reader) fault(e *jsontext.Error) {
	r.Fail(r.Syntax, diag.At(e.Offset), "the text is not JSON: "+e.Message, "the file may be cut off: save it again")
}

// file reads the whole text.
func (r *reader) file() bool {
	if !r.wants('{', "a HAR file is an object with the member log") {
		return false
	}
	start := r.json.Pos()
	var log, request bool
	var bare draft // of a request that stands alone
	ok := r.json.Object(func(name string, _ int) bool {
		switch name {
		case "log":
			log = true
			return r.log()
		case "request":
			request = true
			return r.request()
		}
		return r.member(name, &bare)
	})
	if !ok {
		return false
	}
	if r.json.Peek() != 0 || r.json.Pos() < len(r.src) {
		r.Fail(r.Syntax, diag.Span{Start: int32(r.json.Pos()), End: int32(len(r.src))}, "text follows the end of the file", "remove it")
		return false
	}
	if log || request {
		return true
	}
	bare.Span = diag.Span{Start: int32(start), End: int32(r.json.Pos())}
	if bare.Method.Span == (diag.Span{}) && bare.URL.Text != "" {
		bare.Method = word.Word{Text: "GET", Span: bare.URL.Span}
		r.Warn(diag.WarnMethodAssumed, bare.URL.Span, "the request has no method; GET is assumed", "add the member method")
	}
	return r.add(&bare)
}

// wants reports whether the next value begins with a byte, or what should
// stand there.
func (r *reader) wants(first byte, message string) bool {
	if r.json.Peek() == first {
		return true
	}
	start := r.json.Pos()
	if start >= len(r.src) || !r.json.Skip() {
		if r.json.Err() == nil {
			r.Fail(r.Syntax, diag.At(start), message, "")
		}
		return false
	}
	return r.Fail(r.Syntax, diag.Span{Start: int32(start), End: int32(r.json.Pos())}, message, "")
}

// log reads the value of log.
func (r *reader) log() bool {
	if !r.wants('{', "log must be an object") {
		return false
	}
	start := r.json.Pos()
	found := false
	ok := r.json.Object(func(name string, _ int) bool {
		if name != "entries" {
			return r.json.Skip()
		}
		found = true
		return r.wants('[', "entries must be an array") && r.json.Array(r.logEntry)
	})
	if ok && !found {
		r.Fail(r.Syntax, diag.Span{Start: int32(start), End: int32(r.json.Pos())}, "the log has no member entries", "")
		return false
	}
	return ok
}

// logEntry reads an entry of the log.
func (r *reader) logEntry() bool {
	if r.entry > 0 && r.count+1 != r.entry {
		r.count++
		return r.Meter.Work(1) && r.json.Skip()
	}
	if !r.wants('{', "an entry must be an object") {
		return false
	}
	start := r.json.Pos()
	found := false
	ok := r.json.Object(func(name string, _ int) bool {
		if name != "request" || found {
			return r.json.Skip()
		}
		found = true
		return r.request()
	})
	if ok && !found {
		return r.Fail(r.Syntax, diag.Span{Start: int32(start), End: int32(r.json.Pos())}, "the entry has no request", "remove the entry")
	}
	return ok
}

// request reads the value of request.
func (r *reader) request() bool {
	if !r.wants('{', "request must be an object") {
		return false
	}
	start := r.json.Pos()
	var d draft
	if !r.json.Object(func(name string, _ int) bool { return r.member(name, &d) }) {
		return false
	}
	d.Span = diag.Span{Start: int32(start), End: int32(r.json.Pos())}
	return r.add(&d)
}

// maxEntries is one more than the requests that one text may make, so that
// more are an error.
const maxEntries = 1001

// A draft is what a request object says.
type draft struct {
	message.Message
	cookies, query []pair
	params         []pair
	mimeType       word.Word // of the content
	object         word.Word // jsonObj
	post           diag.Span // postData
	size           word.Word // bodySize
}

// add adds the command for a request that was read.
func (r *reader) add(d *draft) bool {
	r.count++
	switch {
	case r.entry > 0 && r.count != r.entry, len(r.Commands) == maxEntries:
		return true
	case d.Method.Text == "":
		return r.Fail(r.Syntax, d.Span, "the request has no method", "")
	case d.URL.Text == "":
		return r.Fail(r.Syntax, d.Span, "the request has no url", "")
	case r.entry == 0 && isLocal(d.URL.Text):
		if !r.skipped {
			r.skipped = true
			r.Warn(diag.WarnPastedNoise, d.URL.Span, "a browser opens this URL without a request; such entries are left out", "")
		}
		return true
	}
	return r.complete(d) && r.Add(&d.Message)
}

// isLocal reports a URL that a browser opens without a server, and writes into its log.
func isLocal(url string) bool {
	for _, scheme := range [...]string{"data:", "blob:", "about:", "chrome-extension:", "moz-extension:", "safari-web-extension:"} {
		if ascii.HasPrefixFold(url, scheme) {
			return true
		}
	}
	return false
}

// member reads a member of a request.
func (r *reader) member(name string, d *draft) bool {
	switch name {
	case "method":
		return r.text("the method must be a string", &d.Method)
	case "url":
		if !r.text("the url must be a string", &d.URL) {
			return false
		}
		d.URL.Text, _, _ = strings.Cut(d.URL.Text, "#")
		return true
	case "httpVersion":
		var version word.Word
		if !r.optional(&version) {
			return false
		}
		if ascii.EqualFold(version.Text, "HTTP/1.0") {
			d.Options = []message.Option{{Name: "--http1.0", Span: version.Span}}
		}
		return true
	case "headers":
		d.Fields = nil
		return r.pairs(name, func(p *pair) bool {
			if !r.Meter.Hold(len(p.value.Text)) {
				return false
			}
			p.value.Text = message.Latin1(p.value.Text)
			return meter.Append(r.Meter, &d.Fields, message.Field{Name: p.name, Value: p.value})
		})
	case "cookies":
		return r.list(name, &d.cookies)
	case "queryString":
		return r.list(name, &d.query)
	case "postData":
		return r.postData(d)
	case "bodySize":
		return r.object(&d.size)
	}
	return r.json.Skip()
}

// text reads a string.
func (r *reader) text(otherwise string, into *word.Word) bool {
	if !r.wants('"', otherwise) {
		return false
	}
	start := r.json.Pos()
	text, ok := r.json.String()
	*into = word.Word{Text: text, Span: diag.Span{Start: int32(start), End: int32(r.json.Pos())}}
	return ok
}

// optional reads a string, or skips a value of another kind.
func (r *reader) optional(into *word.Word) bool {
	if r.json.Peek() != '"' {
		return r.json.Skip()
	}
	return r.text("", into)
}

// A pair is a header field, a cookie or a parameter.
type pair struct{ name, value, filename, mimeType word.Word }

// pairs reads an array of pairs.
func (r *reader) pairs(what string, add func(*pair) bool) bool {
	if r.json.Null() {
		return true
	}
	if !r.wants('[', what+" must be an array") {
		return false
	}
	return r.json.Array(func() bool {
		if !r.wants('{', "an element of "+what+" must be an object with name and value") {
			return false
		}
		start := r.json.Pos()
		var p pair
		named := false
		ok := r.Meter.Work(8) && r.json.Object(func(name string, _ int) bool {
			switch name {
			case "name":
				named = true
				return r.text("a name must be a string", &p.name)
			case "value":
				return r.json.Null() || r.text("a value must be a string", &p.value)
			case "fileName":
				return r.optional(&p.filename)
			case "contentType":
				return r.optional(&p.mimeType)
			}
			return r.json.Skip()
		})
		if ok && !named {
			return r.Fail(r.Syntax, diag.Span{Start: int32(start), End: int32(r.json.Pos())}, "an element of "+what+" has no name", "")
		}
		return ok && add(&p)
	})
}

// list reads an array of pairs into a list.
func (r *reader) list(what string, into *[]pair) bool {
	*into = nil
	return r.pairs(what, func(p *pair) bool { return meter.Append(r.Meter, into, *p) })
}

// postData reads the content of a request.
func (r *reader) postData(d *draft) bool {
	if r.json.Null() {
		return true
	}
	if !r.wants('{', "postData must be an object") {
		return false
	}
	start := r.json.Pos()
	var text, file, encoding word.Word
	ok := r.json.Object(func(name string, _ int) bool {
		switch name {
		case "mimeType":
			return r.optional(&d.mimeType)
		case "text":
			return r.json.Null() || r.text("the text of postData must be a string", &text)
		case "encoding":
			return r.optional(&encoding)
		case "jsonObj":
			return r.object(&d.object)
		case "_file":
			return r.optional(&file)
		case "params":
			return r.list(name, &d.params)
		}
		return r.json.Skip()
	})
	if !ok {
		return false
	}
	d.post = diag.Span{Start: int32(start), End: int32(r.json.Pos())}
	if encoding.Text == "base64" {
		if !r.Meter.Hold(len(text.Text)) {
			return false
		}
		content, err := base64.StdEncoding.DecodeString(text.Text)
		if err != nil {
			return r.Fail(r.Syntax, text.Span, "the text of postData is not base64", "")
		}
		text.Text = string(content)
	}
	switch {
	case text.Text != "":
		text.Text = withoutUpload(text.Text)
	case d.namesFile(file):
		return true
	case d.object.Text != "" && len(d.params) == 0:
		text = d.object
		if d.mimeType.Text == "" {
			d.mimeType = word.Word{Text: "application/json", Span: d.object.Span}
		}
	}
	d.HasContent, d.Content = text.Text != "", text
	return true
}

// namesFile takes the content from a file where a member names it: _file of Playwright,
// which stores content beside the log, or the file name of a parameter without a name.
func (d *draft) namesFile(file word.Word) bool {
	if len(d.params) == 1 && d.params[0].name.Text == "" && d.params[0].value.Text == "" {
		file = d.params[0].filename
	}
	if file.Text == "" || file.Text == "-" || strings.IndexByte(file.Text, 0) >= 0 {
		return false
	}
	d.HasContent, d.InFile, d.Content, d.params = true, true, file, nil
	return true
}

// withoutUpload returns a text without the header fields that Firefox keeps before the
// content of a form: one of them has the size of what follows.
func withoutUpload(text string) string {
	const end = "\r\n\r\n"
	head, content, found := strings.Cut(text, end)
	if !found || !ascii.HasPrefixFold(head, "content-") {
		return text
	}
	sized := false
	for line := range strings.SplitSeq(head, "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if !ascii.HasPrefixFold(name, "content-") {
			return text
		}
		sized = sized || ascii.EqualFold(name, "content-length") && strings.TrimSpace(value) == strconv.Itoa(len(content))
	}
	if !sized {
		return text
	}
	return content
}

// object reads the content as a JSON value. No content is null.
func (r *reader) object(into *word.Word) bool {
	if r.json.Null() {
		return true
	}
	r.json.Peek()
	start := r.json.Pos()
	if !r.json.Skip() || !r.Meter.Hold(r.json.Pos()-start) {
		return false
	}
	text := r.src[start:r.json.Pos()]
	if jsontext.StartsContainer(text) {
		compact, _ := jsontext.AppendCompact(nil, text)
		text = string(compact)
	}
	*into = word.Word{Text: text, Span: diag.Span{Start: int32(start), End: int32(r.json.Pos())}}
	return true
}
