package transfer

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/curlurl"
	"uncoil/internal/engine/meter"
	"uncoil/request"
)

// transfer is one URL of an operation on its way to become a request.
type transfer struct {
	b      *builder
	c      *config
	n      *node
	upload string // the file to upload; "" for none
	urls   *urlList

	url     *curlurl.URL
	kind    kind
	request request.Request

	obscure       bool             // the tool does not know the scheme of the URL
	foreign       bool             // the URL is one that curl takes, but not of HTTP
	exhausted     *diag.Diagnostic // why the content cannot be read: an earlier transfer has consumed stdin
	unsized       bool             // the length of the form is not known beforehand
	hostSent      bool             // a Host field was sent
	basic         int              // the index of the field with Basic credentials, or -1
	length        int64            // of the content, where it is known
	sendsTE       bool
	upgrades      bool
	upgradesHTTP2 bool
}

// add appends a header field.
func (t *transfer) add(f request.Field) {
	if f.Origin != request.OriginDefault || t.b.reads(Defaults) {
		t.request.Fields = append(t.request.Fields, f)
	}
}

// fail records why this transfer makes no request.
func (t *transfer) fail(code diag.Code, message, hint string) {
	t.b.fail(diag.Diagnostic{Code: code, Span: t.n.url.span(), Message: message, Hint: hint})
}

// transfer adds the request of one URL. It reports whether curl would stop
// there: an error in setting a transfer up ends the command, a URL that
// cannot be requested does not.
func (b *builder) transfer(c *config, n *node, urls *urlList, text, upload string) (stop bool) {
	if !b.in.Meter.Work(stepsOfTransfer) {
		b.tooLarge(n.url.span())
		return true
	}
	t := &b.memory.transfer
	*t = transfer{b: b, c: c, n: n, urls: urls, upload: upload, basic: -1}
	if upload != "" && !c.want(b, kindPut, n.upload) {
		return true
	}
	c.resumeOutput(t)
	t.kind = c.kind
	if t.kind == kindPut && upload == "" {
		t.kind = kindUnset
	}
	t.addEtag()
	if !t.checkSetup() {
		return true
	}
	proceed, stop := t.resolveURL(text)
	if !proceed {
		return stop || b.failEarly && !t.foreign
	}
	if !c.resolves && !t.checkResolve() {
		return b.failEarly
	}
	c.resolves = true // the next transfers need not look
	if t.url.Scheme == "ws" || t.url.Scheme == "wss" {
		t.kind = kindGet
		if t.upload != "" && !isStdin(t.upload) {
			t.uploadBody() // curl opens the file, and sends nothing of it
		}
	}
	// A URL that curl rejects costs none of this, and a text may have many.
	if !b.in.Meter.Work(stepsOfSetting*len(c.settings) + stepsOfHeader*len(c.headers)) {
		b.tooLarge(n.url.span())
		return true
	}
	cr, ok := t.credentials(t.url)
	if !ok {
		return b.failEarly
	}
	t.request.Method = t.method()
	t.request.Body = t.body()
	if sendable, stop := t.checkContent(); !sendable {
		return stop
	}
	t.fields(cr)
	t.request.Target, t.request.Span = c.target.Text, n.url.span()
	t.request.URL = urls.masked.Restore(t.url.String())
	if b.reads(Views) && !t.views() {
		b.tooLarge(n.url.span())
		return true
	}
	b.warnTransfer(t)
	if !t.restore() || !b.in.Meter.Hold(size(&t.request)) {
		b.tooLarge(n.url.span())
		return true
	}
	b.warnLength(t)
	if !meter.Append(b.in.Meter, &b.requests, t.request) {
		b.tooLarge(n.url.span())
		return true
	}
	return false
}

// checkContent reports whether curl sends the content, and where not, whether it stops
// there.
// views adds what is decoded and the options. It reports false when the meter refuses.
func (t *transfer) views() bool {
	t.request.Query = parsePairs(t.urls.masked.Restore(t.url.Query))
	most := sizeOfOption * len(t.c.settings) // while they replace one another
	if !t.b.in.Meter.Hold(most) {
		return false
	}
	t.options()
	t.b.in.Meter.Free(most)
	return true
}

// checkContent reports whether curl sends the content, and if not, whether it stops.
func (t *transfer) checkContent() (sendable, stop bool) {
	if t.exhausted != nil {
		t.fail(t.exhausted.Code, t.exhausted.Message, t.exhausted.Hint)
		return false, t.b.failEarly
	}
	if t.kind == kindForm && t.c.form.encodes && needsEightBits(t.request.Body.Parts, t.b.in.Marks) {
		t.fail(diag.CodeInvalidArgument, "a form field has bytes outside ASCII, which its encoder 7bit refuses", "use encoder=8bit")
		return false, t.b.failEarly
	}
	if t.kind == kindForm && t.c.formEscape && breaksLine(t.c.form.parts) {
		t.b.fail(diag.Diagnostic{Code: diag.CodeInvalidArgument, Span: t.c.form.last.span(), Option: t.c.form.last.from(),
			Message: "--form-escape cannot escape a line break in the name of a form field or file"})
		return false, true // a bad argument is fatal
	}
	if t.c.httpVersion == "1.0" && t.c.find("Transfer-Encoding") == nil && t.chunked() {
		t.fail(diag.CodeConflictingOptions, "HTTP/1.0 has no way to send content whose length is not known beforehand", "remove --http1.0")
		return false, t.b.failEarly
	}
	return true, false
}

// What the values of the model take in memory beside their text, roughly.
const (
	sizeOfField = 80
	sizeOfPart  = 32 // which requests share
	sizeOfOther = 32 // a pair, an option, an element of a list

	sizeOfOption = 48 // with its value

	sizeOfWarning = 256
)

// What a transfer costs in steps beside what it makes: it looks through all
// settings of its operation, and several times through the -H lines.
const (
	stepsOfTransfer = 200
	stepsOfSetting  = 8
	stepsOfHeader   = 20
)

// size returns about how many bytes a request takes to describe.
func size(r *request.Request) int {
	n := 2*len(r.URL) + meter.SizeOf[request.Option]()*len(r.Options) + len(r.Method) + sizeOfOther*(len(r.Query)+len(r.Removed)+len(r.Ignored)+len(r.Missing))
	for i := range r.Options {
		switch v := r.Options[i].Value.(type) {
		case string:
			n += len(v)
		case []string:
			n += sizeOfOther * len(v)
		}
	}
	for i := range r.Fields {
		n += len(r.Fields[i].Name) + len(r.Fields[i].Value)
	}
	if r.Body != nil {
		n += len(r.Body.Data) + sizeOfOther*len(r.Body.Fields) + sizeOfField*len(r.Body.Pieces) + sizeOfParts(r.Body.Parts)
		for i := range r.Body.Pieces {
			n += len(r.Body.Pieces[i].Text)
		}
	}
	return n
}

func sizeOfParts(parts []request.Part) int {
	n := sizeOfPart * len(parts)
	for i := range parts {
		n += len(parts[i].Value) + sizeOfParts(parts[i].Parts)
		if parts[i].Content != nil {
			n += len(*parts[i].Content)
		}
		for _, h := range parts[i].Headers {
			n += sizeOfOther + len(h)
		}
	}
	return n
}

// checkSetup makes the checks of src/config2setopts.c in curl 8.22 that end
// the command.
func (t *transfer) checkSetup() bool {
	c := t.c
	if c.resume != 0 && (t.kind == kindPost || t.kind == kindForm) {
		t.b.fail(diag.Diagnostic{Code: diag.CodeConflictingOptions, Span: c.rangeSpec.setting.Span, Option: c.rangeSpec.from(),
			Message: "curl cannot mix --continue-at with --data or --form", Hint: "remove one of the two"})
		return false
	}
	if len(c.httpsig) > 0 && !t.checkHTTPSig() {
		return false
	}
	if t.kind == kindForm && !c.form.check(t) {
		return false
	}
	return t.checkCookies()
}

// checkHTTPSig follows httpsig_setopts().
func (t *transfer) checkHTTPSig() bool {
	have := make(map[string]string)
	for _, p := range t.c.httpsig {
		have[p.Name] = p.Value
	}
	for _, name := range []string{"key", "keyid"} {
		if have[name] == "" {
			t.fail(diag.CodeConflictingOptions, "--httpsig-"+name+" is required with the other --httpsig options", "add --httpsig-"+name)
			return false
		}
	}
	if algo := strings.ToLower(have["algo"]); algo != "" && algo != "ed25519" && algo != "hmac-sha256" {
		t.fail(diag.CodeInvalidArgument, "--httpsig-algo takes ed25519 or hmac-sha256", "")
		return false
	}
	return true
}

// method returns what -X gives, or else what the kind of request implies:
// Curl_http_method() in curl 8.22 lib/http.c.
func (t *transfer) method() string {
	switch {
	case t.c.method.set():
		return t.c.method.Text
	case t.kind == kindPut:
		return "PUT"
	case t.c.head:
		return "HEAD"
	case t.kind == kindPost || t.kind == kindForm:
		return "POST"
	}
	return "GET"
}

// fields appends the header fields in the order in which curl writes them:
// http_add_hd() in curl 8.22 lib/http.c.
func (t *transfer) fields(cr credentials) {
	c := t.c
	t.request.Fields = t.b.newFields(len(c.headers) + 6)
	t.hostField()
	t.authFields(cr)
	t.rangeField()
	t.userAgentField()
	t.defaultField("Accept", curl.Accept)
	if c.trEncoding && c.find("TE") == nil {
		t.sendsTE = true
		t.add(request.Field{Name: "TE", Value: "gzip", From: "--tr-encoding", Origin: request.OriginImplied, Span: c.trEncodingAt})
	}
	if c.compressed {
		t.defaultField("Accept-Encoding", curl.AcceptEncoding)
	}
	if c.referer.set() && c.find("Referer") == nil {
		t.add(request.Field{Name: "Referer", Value: c.referer.Text, From: c.referer.from(), Origin: request.OriginImplied, Span: c.referer.at()})
	}
	chunked := t.chunked()
	if chunked {
		t.defaultField("Transfer-Encoding", "chunked")
	}
	t.upgradeFields()
	t.cookieField()
	t.timeCondField()
	t.customFields()
	t.contentFields(chunked)
	t.connectionFields()
}

// defaultField appends a field that curl adds by default, unless -H
// names it.
func (t *transfer) defaultField(name, value string) {
	if t.b.reads(Defaults) && t.c.find(name) == nil {
		t.add(request.Field{Name: name, Value: value, Origin: request.OriginDefault})
	}
}

func (t *transfer) hostField() {
	h := t.c.find("Host")
	if h == nil {
		t.hostSent = true
		if !t.b.reads(Defaults) {
			return
		}
		t.add(request.Field{Name: "Host", Value: t.urls.masked.Restore(t.url.HostField()), Origin: request.OriginDefault})
		return
	}
	if ascii.EqualFold(h.line, "Host:") {
		return
	}
	t.hostSent = true
	value := h.line[len("Host:"):]
	f := request.Field{Name: h.line[:len("Host")], Value: trimBlanks(value), From: h.from(), Origin: request.OriginUser, Span: h.setting.Span}
	if line := "Host:" + value; line != f.Name+": "+f.Value {
		f.Line = line
	}
	t.add(f)
}

// userAgentField appends User-Agent; -A "" leaves it out.
func (t *transfer) userAgentField() {
	ua := t.c.userAgent
	switch {
	case t.c.find("User-Agent") != nil:
	case ua.set() && ua.Text == "":
		t.request.Removed = append(t.request.Removed, "User-Agent")
	case ua.set():
		t.add(request.Field{Name: "User-Agent", Value: ua.Text, From: ua.from(), Origin: request.OriginImplied, Span: ua.at()})
	default:
		t.add(request.Field{Name: "User-Agent", Value: curl.UserAgent, Origin: request.OriginDefault})
	}
}

// upgradeFields appends what asks for WebSocket, or for HTTP/2 over plain
// HTTP.
func (t *transfer) upgradeFields() {
	switch {
	case t.url.Scheme == "ws" || t.url.Scheme == "wss":
		t.upgrades = true
		t.defaultField("Upgrade", "websocket")
		t.defaultField("Sec-WebSocket-Version", "13")
		t.defaultField("Sec-WebSocket-Key", "")
	case t.c.httpVersion == "2" && !t.tls():
		t.upgrades, t.upgradesHTTP2 = true, true
		t.add(request.Field{Name: "Upgrade", Value: "h2c", Origin: request.OriginDefault})
		t.add(request.Field{Name: "HTTP2-Settings", Value: "", Origin: request.OriginDefault})
	}
}

// timeCondField appends what -z asks for: Curl_add_timecondition() in curl
// 8.22 lib/http.c.
func (t *transfer) timeCondField() {
	z := t.c.timeCond
	if !z.set() {
		return
	}
	text, name := z.Text, "If-Modified-Since"
	switch {
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	case strings.HasPrefix(text, "-"):
		text, name = text[1:], "If-Unmodified-Since"
	case strings.HasPrefix(text, "="):
		text, name = text[1:], "Last-Modified"
	}
	value := text
	if len(z.holes()) == 0 {
		at, ok := parseDate(text)
		if !ok {
			t.b.warn(diag.WarnInvalidDate, z.span(), "this is not a date that curl reads; unless it names a file, curl sends no condition", "write a date such as 24 Dec 2024 00:00:00 GMT")
			return
		}
		value = httpDate(at)
	}
	if t.c.find(name) == nil {
		t.add(request.Field{Name: name, Value: value, From: z.from(), Origin: request.OriginImplied, Span: z.at()})
	}
}

// addEtag adds what --etag-compare asks for to the -H lines, as curl does.
func (t *transfer) addEtag() {
	f := t.c.etagFile
	if !f.set() {
		return
	}
	content, ok := t.b.in.Read(f.Text)
	if !ok {
		t.c.lack(f.Text, "etag")
		t.b.needFile(f.span(), "the ETag to compare with is in a file that was not supplied", f.Text)
	}
	etag := (&request.Piece{Strip: true}).Apply(content)
	if etag == "" {
		etag = `""`
	}
	if ok {
		t.c.headers = append(t.c.headers, header{line: "If-None-Match: " + etag, setting: f.setting, implied: true})
	}
}

// contentFields appends what describes the content: http_add_content_hds()
// in curl 8.22 lib/http.c.
func (t *transfer) contentFields(chunked bool) {
	if t.kind != kindPost && t.kind != kindForm && t.kind != kindPut {
		return
	}
	c := t.c
	length, known := t.contentLength()
	if !chunked && !t.unmeasured() {
		text := ""
		if known {
			text = strconv.FormatInt(length, 10)
		}
		t.defaultField("Content-Length", text)
	}
	switch t.kind {
	case kindForm:
		t.formContentType()
	case kindPost:
		if c.find("Content-Type") == nil {
			t.add(request.Field{Name: "Content-Type", Value: "application/x-www-form-urlencoded", From: c.data.first.from(), Origin: request.OriginImplied, Span: c.data.first.at()})
		}
	}
	const expectThreshold = 1 << 20
	if c.httpVersion != "1.0" && !t.upgrades && (length > expectThreshold || t.unknownLength()) {
		t.defaultField("Expect", "100-continue")
	}
}

// chunked reports whether the content is sent in chunks: when -H asks for
// it, or when its length is not known beforehand.
func (t *transfer) chunked() bool {
	if h := t.c.find("Transfer-Encoding"); h != nil {
		return strings.Contains(strings.ToLower(h.line), "chunked")
	}
	return t.unmeasured()
}

// unmeasured reports whether curl does not know how many bytes it will send:
// total_length() of its readers in curl 8.22 lib/sendf.c is negative. Without
// chunks there is then no Content-Length.
func (t *transfer) unmeasured() bool {
	if t.unknownLength() {
		return true
	}
	length, known := t.contentLength()
	return t.convertsLines() && t.request.Body != nil && (!known || length > 0)
}

// unknownLength reports content whose source has no known length:
// standard input, and an encoder whose output depends on what it reads.
func (t *transfer) unknownLength() bool {
	return t.kind == kindPut && isStdin(t.upload) || t.kind == kindForm && t.unsized
}

// convertsLines reports whether the content goes out with CRLF for LF, which
// makes its length unknown beforehand (do_init_reader_stack() in curl 8.22
// lib/sendf.c).
func (t *transfer) convertsLines() bool { return t.c.crlf || t.c.ascii }

// contentLength returns the length of the content where it is known.
func (t *transfer) contentLength() (length int64, known bool) {
	b := t.request.Body
	switch {
	case b == nil:
		return 0, true
	case b.Kind.Known():
		return t.length, true
	}
	return 0, false
}
