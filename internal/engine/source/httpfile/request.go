package httpfile

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/word"
)

// methods are those that the clients know, in any case of letters.
var methods = strings.Fields(`GET POST PUT DELETE PATCH HEAD OPTIONS CONNECT TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK
	CHECKOUT CHECKIN REPORT MERGE MKACTIVITY MKWORKSPACE VERSION-CONTROL BASELINE-CONTROL MKCALENDAR ACL SEARCH QUERY PURGE LINK UNLINK GRAPHQL`)

// foreign are words in the place of a method that stand for other protocols.
var foreign = []string{"WS", "WSS", "WEBSOCKET", "GRPC", "SSE", "EVENT", "MQTT", "MQTTS", "AMQP", "AMQPS", "RSOCKET"}

// requestLine takes a line apart. Without a method the whole is the target.
func requestLine(line string) (method, target, version string) {
	target = line
	if i := strings.LastIndexAny(target, " \t"); i > 0 && ascii.HasPrefixFold(target[i+1:], "HTTP/") {
		target, version = strings.TrimRight(target[:i], " \t"), target[i+1:]
	}
	if i := strings.IndexAny(target, " \t"); i > 0 && isMethod(target[:i], strings.TrimLeft(target[i:], " \t")) {
		return target[:i], strings.TrimLeft(target[i:], " \t"), version
	}
	return "", target, version
}

// isMethod reports whether a word before a target is a method: one that the clients
// know, or one in capitals before what begins as a target does.
func isMethod(word, target string) bool {
	known := slices.ContainsFunc(methods, func(m string) bool { return ascii.EqualFold(m, word) })
	if known || slices.Contains(foreign, word) {
		return true
	}
	begins := strings.HasPrefix(target, "/") || strings.HasPrefix(target, "{{") || strings.Contains(target, "://")
	return begins && ascii.IsToken(word) && word == strings.ToUpper(word)
}

// request reads a request, and keeps the command that sends it where it is wanted.
func (r *reader) request(wanted bool) bool {
	start := r.pos
	if !r.requestLine() || !r.fields() {
		return false
	}
	r.msg.Partial = true
	r.msg.Span = r.trimmed(start, r.pos)
	if !r.url() || !r.content() {
		return false
	}
	r.msg.Span = r.trimmed(start, r.pos)
	if r.disabled {
		r.Warn(diag.WarnOtherCommand, r.msg.Span, "the request is disabled, and is left out", "")
		return true
	}
	return !wanted || r.authorization() && r.options() && r.Add(&r.msg)
}

// trimmed returns the span of a part of the text without blank lines around it.
func (r *reader) trimmed(start, end int) diag.Span {
	part := r.src[start:end]
	end -= len(part) - len(strings.TrimRight(part, blanks+"\n"))
	start += len(part) - len(strings.TrimLeft(part, blanks+"\n"))
	return span(min(start, end), end)
}

// requestLine reads the first line, and those on which the target goes on.
func (r *reader) requestLine() bool {
	text, at, _ := r.line()
	method, target, version := requestLine(text)
	if method != "" {
		upper := strings.ToUpper(method)
		r.msg.Method = word.Word{Text: upper, Span: span(at, at+len(method))}
		switch {
		case slices.Contains(foreign, method):
			return r.Fail(diag.CodeUnsupportedScheme, r.msg.Method.Span, "this is a request of another protocol than HTTP", "paste the requests of HTTP alone")
		case upper == "GRAPHQL":
			r.graphQL, r.msg.Method.Text = true, "POST"
		}
	}
	begin := at + strings.LastIndex(text[:len(text)-len(version)], target)
	if version == "HTTP/1.0" {
		r.option("--http1.0", span(at+len(text)-len(version), at+len(text)))
	} else if strings.HasPrefix(version, "HTTP/2") {
		r.option("--http2", span(at+len(text)-len(version), at+len(text)))
	}
	if strings.HasPrefix(target, "curl ") {
		return r.Fail(r.Syntax, span(begin, begin+len(target)), "a curl command stands here", "paste it alone")
	}
	var joined meter.Text
	end := begin + len(target)
	for {
		next, nextAt, ok := r.peek()
		if !ok || version != "" || !r.continues(next, nextAt) {
			break
		}
		if joined.Len() == 0 && !joined.Add(r.Meter, target) {
			return false
		}
		if rest, _, v := requestLine(next); v != "" && rest == "" {
			next, version = strings.TrimRight(next[:len(next)-len(v)], " \t"), v
		}
		r.line()
		end = nextAt + len(next)
		if !joined.Add(r.Meter, next) {
			return false
		}
	}
	if joined.Len() > 0 {
		target = joined.String()
	}
	w, ok := r.expandWord(word.Word{Text: target, Span: span(begin, end)})
	r.target = w
	return ok
}

// continues reports whether a line after the request line goes on with the target.
func (r *reader) continues(text string, at int) bool {
	if text == "" || isComment(text) {
		return false
	}
	if text[0] == '?' || text[0] == '&' {
		return !strings.HasPrefix(text, "??")
	}
	indented := at > 0 && ascii.IsBlank(r.src[at-1])
	return indented && (text[0] == '/' || strings.IndexByte(text, ':') < 0)
}

// option adds an option of curl's that takes no argument.
func (r *reader) option(name string, at diag.Span) {
	r.msg.Options = append(r.msg.Options, message.Option{Name: name, Span: at})
}

// optionsSize is what the options of a request take.
const optionsSize = 8 * 64

// options adds what the request says about the exchange.
func (r *reader) options() bool {
	if !r.redirect {
		r.option("--location", r.target.Span)
	}
	if r.insecure {
		r.option("--insecure", r.target.Span)
	}
	if r.proxy.Text != "" {
		r.msg.Options = append(r.msg.Options, message.Option{Name: "--proxy", Span: r.proxy.Span, Argument: &r.proxy})
	}
	return r.Meter.Hold(optionsSize)
}

// fields reads header fields up to an empty line, or what can be none.
func (r *reader) fields() bool {
	for {
		text, at, ok := r.peek()
		if !ok || text == "" || r.endsRequest(text) {
			return !r.Meter.Over()
		}
		r.line()
		if r.comment(text, at) {
			continue
		}
		last := len(r.msg.Fields) - 1
		colon := strings.IndexByte(text, ':')
		if last >= 0 && ascii.IsBlank(r.src[max(at-1, 0)]) && (colon <= 0 || !ascii.IsToken(text[:colon])) {
			if !r.fold(&r.msg.Fields[last].Value, text, at) {
				return false
			}
			continue
		}
		if colon <= 0 || !ascii.IsToken(strings.TrimRight(text[:colon], " \t")) {
			return r.Fail(r.Syntax, span(at, at+len(text)), "this is not a header field",
				"a field is a name, a colon and a value; an empty line stands before the content, and ### between two requests")
		}
		r.folded = nil
		f := message.Field{Name: word.Word{Text: strings.TrimRight(text[:colon], " \t"), Span: span(at, at+colon)}}
		value := strings.TrimLeft(text[colon+1:], " \t")
		if f.Value, ok = r.expand(value, at+len(text)-len(value)); !ok {
			return false
		}
		switch {
		case ascii.EqualFold(f.Name.Text, "Content-Length"): // which the clients count
		case ascii.EqualFold(f.Name.Text, "X-Request-Type") && ascii.EqualFold(value, "GraphQL"):
			r.graphQL = true
		case !meter.Append(r.Meter, &r.msg.Fields, f):
			return false
		}
	}
}

// fold appends a line to a value that goes on.
func (r *reader) fold(value *word.Word, text string, at int) bool {
	w, ok := r.expand(text, at)
	if r.folded == nil {
		r.folded = new(message.Text)
		ok = ok && r.folded.AddWord(r.Meter, *value)
	}
	if !ok || !r.folded.Add(r.Meter, " ") || !r.folded.AddWord(r.Meter, w) {
		return false
	}
	*value = r.folded.Word(diag.Join(value.Span, w.Span))
	return true
}

// endsRequest reports whether a line among the fields begins what comes after a
// request: a script, an answer, or another request.
func (r *reader) endsRequest(text string) bool {
	if isHandler(text) || isAnswer(text) {
		return true
	}
	method, target, _ := requestLine(text)
	return method != "" && (isWhole(target) || strings.HasPrefix(target, "/"))
}

// url makes the URL of the target, and of the field Host where that is a path only.
func (r *reader) url() bool {
	target := r.target
	if i := message.IndexByte(target, '#'); i >= 0 {
		target = message.Cut(target, 0, i)
	}
	if r.msg.Method.Text == "CONNECT" {
		return r.Fail(r.Syntax, r.msg.Method.Span, "CONNECT asks a proxy for a tunnel, and is no request of its own", "paste the request that goes through the tunnel")
	}
	var url message.Text
	if strings.HasPrefix(target.Text, "/") || target.Text == "*" {
		i := slices.IndexFunc(r.msg.Fields, func(f message.Field) bool { return ascii.EqualFold(f.Name.Text, "Host") })
		if i < 0 {
			return r.Fail(diag.CodeNoURL, target.Span, "the request has no host", "write the whole URL, or add the field Host")
		}
		host := r.msg.Fields[i].Value
		scheme := "http://"
		if strings.HasSuffix(host.Text, ":443") || strings.HasSuffix(host.Text, ":8443") {
			scheme = "https://" // REST Client src/utils/httpRequestParser.ts, httpYac hostVariableReplacer.ts
		}
		if target.Text == "*" {
			r.msg.Target, target.Text = target, "/"
		}
		if !url.Add(r.Meter, scheme) || !url.AddWord(r.Meter, host) {
			return false
		}
	}
	if !url.AddURL(r.Meter, target) {
		return false
	}
	r.msg.URL = url.Word(target.Span)
	return true
}

// authorization makes credentials of the field Authorization where a user name and a
// password stand in it as they are.
func (r *reader) authorization() bool {
	for i := range r.msg.Fields {
		f := &r.msg.Fields[i]
		if !ascii.EqualFold(f.Name.Text, "Authorization") {
			continue
		}
		blank := message.IndexByte(f.Value, ' ')
		if blank < 0 {
			continue
		}
		scheme := f.Value.Text[:blank]
		basic, digest := ascii.EqualFold(scheme, "Basic"), ascii.EqualFold(scheme, "Digest")
		if !message.HoldCuts(r.Meter, f.Value, 6) {
			return false
		}
		both := message.Cut(f.Value, blank, len(f.Value.Text))
		user, password, ok := split(both)
		if !basic && !digest || !ok {
			continue
		}
		var who message.Text
		if !who.AddWord(r.Meter, user) || !who.Add(r.Meter, ":") || !who.AddWord(r.Meter, password) {
			return false
		}
		if digest {
			r.option("--digest", f.Value.Span)
		}
		w := who.Word(f.Value.Span)
		r.msg.Options = append(r.msg.Options, message.Option{Name: "--user", Span: f.Name.Span, Argument: &w})
		r.msg.Fields = slices.Delete(r.msg.Fields, i, i+1)
		return true
	}
	return true
}

// split takes credentials apart at a blank, or else at a colon. Those in Base64 have
// neither.
func split(both word.Word) (user, password word.Word, ok bool) {
	both = trim(both)
	for _, separator := range []byte{' ', '\t', ':'} {
		if i := message.IndexByte(both, separator); i > 0 {
			return message.Cut(both, 0, i), trim(message.Cut(both, i+1, len(both.Text))), true
		}
	}
	return user, password, false
}

// trim returns a word without blanks around it.
func trim(w word.Word) word.Word {
	start, end := 0, len(w.Text)
	for start < end && ascii.IsBlank(w.Text[start]) {
		start++
	}
	for end > start && ascii.IsBlank(w.Text[end-1]) {
		end--
	}
	return message.Cut(w, start, end)
}
