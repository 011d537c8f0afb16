package powershell

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/source/word"
)

// A param is a parameter of Invoke-WebRequest and Invoke-RestMethod that has
// a counterpart in curl, or that changes nothing about the request.
type param uint8

const (
	paramNone   param = iota // takes a value that does not change the request
	paramSwitch              // takes none, and changes nothing
	paramLost                // takes a value that curl has no counterpart for
	paramURI
	paramMethod
	paramHeaders
	paramBody
	paramContentType
	paramUserAgent
	paramSession
	paramForm
	paramInFile
	paramOutFile
	paramCredential
	paramAuthentication
	paramToken
	paramTimeout
	paramMaxRedirection
	paramProxy
	paramProxyCredential
	paramTransferEncoding
	paramHTTPVersion
	paramInsecure    // the rest are switches
	paramNoProxy     //
	paramNoKeepAlive //
	paramCount
)

// invokeParams names the parameters. A name may be cut short, so what people
// write most stands before what begins alike.
var invokeParams = [...]struct {
	name string // in lower case
	id   param
}{
	{"uri", paramURI},
	{"method", paramMethod},
	{"custommethod", paramMethod},
	{"cm", paramMethod},
	{"headers", paramHeaders},
	{"body", paramBody},
	{"contenttype", paramContentType},
	{"useragent", paramUserAgent},
	{"usebasicparsing", paramSwitch},
	{"usedefaultcredentials", paramSwitch},
	{"websession", paramSession},
	{"sessionvariable", paramNone},
	{"sv", paramNone},
	{"form", paramForm},
	{"infile", paramInFile},
	{"outfile", paramOutFile},
	{"credential", paramCredential},
	{"authentication", paramAuthentication},
	{"token", paramToken},
	{"timeoutsec", paramTimeout},
	{"connectiontimeoutseconds", paramTimeout},
	{"operationtimeoutseconds", paramNone},
	{"maximumredirection", paramMaxRedirection},
	{"maximumretrycount", paramNone},
	{"retryintervalsec", paramNone},
	{"proxy", paramProxy},
	{"proxycredential", paramProxyCredential},
	{"proxyusedefaultcredentials", paramSwitch},
	{"noproxy", paramNoProxy},
	{"transferencoding", paramTransferEncoding},
	{"httpversion", paramHTTPVersion},
	{"skipcertificatecheck", paramInsecure},
	{"skipheadervalidation", paramSwitch},
	{"skiphttperrorcheck", paramSwitch},
	{"disablekeepalive", paramNoKeepAlive},
	{"allowunencryptedauthentication", paramSwitch},
	{"allowinsecureredirect", paramSwitch},
	{"preserveauthorizationonredirect", paramSwitch},
	{"preservehttpmethodonredirect", paramSwitch},
	{"passthru", paramSwitch},
	{"resume", paramSwitch},
	{"followrellink", paramSwitch},
	{"maximumfollowrellink", paramNone},
	{"responseheadersvariable", paramNone},
	{"rhv", paramNone},
	{"statuscodevariable", paramNone},
	{"sslprotocol", paramLost},
	{"certificate", paramLost},
	{"certificatethumbprint", paramLost},
	{"unixsocket", paramLost},
	{"verbose", paramSwitch},
	{"debug", paramSwitch},
	{"erroraction", paramNone},
	{"ea", paramNone},
	{"errorvariable", paramNone},
	{"ev", paramNone},
	{"warningaction", paramNone},
	{"wa", paramNone},
	{"warningvariable", paramNone},
	{"informationaction", paramNone},
	{"progressaction", paramNone},
	{"outvariable", paramNone},
	{"ov", paramNone},
	{"outbuffer", paramNone},
	{"pipelinevariable", paramNone},
}

// parameter returns the parameter that a word names, in full or cut short.
func parameter(name string) (id param, ok bool) {
	name = strings.ToLower(name)
	first := -1
	for i, p := range invokeParams {
		if p.name == name {
			return p.id, true
		}
		if first < 0 && len(name) > 0 && strings.HasPrefix(p.name, name) {
			first = i
		}
	}
	if first < 0 {
		return 0, false
	}
	return invokeParams[first].id, true
}

// takesValue reports whether a value follows the parameter.
func (p param) takesValue() bool { return p != paramSwitch && p < paramInsecure }

// isInvoke reports whether the command is one of PowerShell's own. In Windows
// PowerShell curl and wget are other names for Invoke-WebRequest, so one with
// a parameter of it is meant as such.
func isInvoke(args []argument) bool {
	switch strings.ToLower(args[0].word.Text) {
	case "invoke-webrequest", "invoke-restmethod", "iwr", "irm":
		return true
	case "curl", "wget":
		for _, a := range args[1:] {
			if a.bare && IsInvokeParameter(a.word.Text) {
				return true
			}
		}
	}
	return false
}

// IsInvokeParameter reports whether a word is a parameter that can hardly be
// a cluster of curl's short options.
func IsInvokeParameter(s string) bool {
	if len(s) < len("-Uri") || s[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(s[1:], ":")
	switch strings.ToLower(name) {
	case "uri", "method", "headers", "body", "contenttype", "useragent", "usebasicparsing", "websession", "sessionvariable",
		"infile", "outfile", "credential", "timeoutsec", "maximumredirection", "skipcertificatecheck":
		return true
	}
	return false
}

// A setting is a parameter as used once.
type setting struct {
	name  diag.Span
	word  word.Word
	value *value // nil for plain text
	set   bool
}

// kind returns what kind of value the setting has.
func (s *setting) kind() valueKind {
	if s.value == nil {
		return textValue
	}
	return s.value.kind
}

// content returns the text of the setting.
func (s *setting) content() word.Word {
	if s.value == nil || s.value.kind == tableValue || s.value.kind == sessionValue {
		return s.word
	}
	w := s.value.word
	w.Span = s.word.Span
	return w
}

// An invocation is the translation of one Invoke-WebRequest into curl.
type invocation struct {
	l        *lexer
	settings [paramCount]setting
	words    []word.Word
}

// invoke translates the arguments of Invoke-WebRequest or Invoke-RestMethod
// into those of the curl command that sends the same request. Each option of
// it points at the parameter it comes from.
//
// A request has a method of its own only where curl would choose another. The
// fields that Invoke-WebRequest adds of its own accord, such as its
// User-Agent, are not added; neither are the pseudo fields of HTTP/2 that
// browsers write among the headers.
func (l *lexer) invoke(args []argument) []word.Word {
	inv := invocation{l: l}
	l.hold(settingSize * int(paramCount))
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a.splat && a.value != nil:
			for _, p := range a.value.entries {
				inv.set(p.key.Text, p.key.Span, argument{word: p.value.word, value: &p.value})
			}
		case a.bare && len(a.word.Text) > 1 && dash(a.word.Text) > 0 && !ascii.IsDigit(a.word.Text[1]):
			i += inv.parameter(a.word, args[i+1:])
		case !inv.settings[paramURI].set:
			inv.settings[paramURI] = setting{a.word.Span, a.word, a.value, true}
		default:
			l.report(diag.Diagnostic{
				Code: diag.CodeInvalidArgument, Severity: diag.SeverityError, Span: a.word.Span,
				Message: "no parameter takes this argument", Hint: "quote the whole value, or name the parameter",
			})
		}
	}
	inv.words = append(inv.words, word.Word{Text: "curl", Span: args[0].word.Span})
	inv.url()
	inv.headers()
	inv.body()
	inv.connection()
	return inv.words
}

// dash returns the length of the dash at the start of s, or 0. PowerShell
// takes longer dashes for the plain one.
func dash(s string) int {
	switch {
	case strings.HasPrefix(s, "-"):
		return 1
	case strings.HasPrefix(s, "\u2013"), strings.HasPrefix(s, "\u2014"), strings.HasPrefix(s, "\u2015"):
		return 3
	}
	return 0
}

// parameter reads a parameter and, from rest, its value. It returns how many
// arguments of rest it has used.
func (inv *invocation) parameter(w word.Word, rest []argument) int {
	inv.l.pay(parameterSteps + len(w.Text))
	name, glued, colon := strings.Cut(w.Text[dash(w.Text):], ":")
	id, ok := parameter(name)
	switch {
	case !ok:
		inv.set(name, w.Span, argument{})
		return 0
	case colon && glued != "":
		value := word.Word{Text: glued, Span: w.Span}
		cut := int32(len(w.Text) - len(glued))
		value.Holes = word.AppendHoles(nil, -int(cut), w.Holes)
		value.Span.Start = min(value.Span.Start+cut, value.Span.End)
		arg := argument{word: value}
		if name, n := VariableName(inv.l.src[value.Span.Start:value.Span.End]); n == int(value.Span.End-value.Span.Start) {
			arg.value = inv.l.lookup(name)
		}
		inv.set(name, w.Span, arg)
		return 0
	case !id.takesValue():
		inv.set(name, w.Span, argument{word: word.Word{Text: "True", Span: w.Span}})
		return 0
	case len(rest) == 0:
		inv.l.report(diag.Diagnostic{
			Code: diag.CodeMissingArgument, Severity: diag.SeverityError, Span: w.Span,
			Message: "the parameter " + shorten(w.Text) + " needs a value",
		})
		return 0
	}
	inv.set(name, w.Span, rest[0])
	return 1
}

// parameterSteps is the cost of the search for a parameter.
const parameterSteps = 2 * len(invokeParams)

// set notes a parameter with its value.
func (inv *invocation) set(name string, span diag.Span, arg argument) {
	inv.l.pay(parameterSteps + len(name))
	id, ok := parameter(name)
	switch {
	case !ok:
		name = "-" + shorten(name)
		inv.l.report(diag.Diagnostic{
			Code: diag.CodeUnknownOption, Severity: diag.SeverityError, Span: span, Option: name,
			Message: "Invoke-WebRequest has no parameter " + name,
		})
	case id == paramLost:
		inv.l.warnAt(diag.WarnOtherCommand, span, "the parameter -"+shorten(name)+" was left out; it has no counterpart in curl", "")
	case id > paramLost && arg.word.Text != "False":
		inv.settings[id] = setting{span, arg.word, arg.value, true}
	}
}

// shorten returns a name as messages show it.
func shorten(name string) string {
	const longest = 40
	if len(name) > longest {
		name = name[:longest] + "…"
	}
	return strings.ToValidUTF8(name, "?")
}

// optionSteps is what an option takes, with the word that is put together for
// it.
const optionSteps = 20

// option adds an option, which stands in the source at span, and its argument
// if it has one.
func (inv *invocation) option(name string, span diag.Span, argument ...word.Word) {
	inv.l.pay(elementSteps)
	inv.l.pay(optionSteps)
	add(inv.l, &inv.words, word.Word{Text: name, Span: span})
	for _, w := range argument {
		add(inv.l, &inv.words, w)
	}
}

// url adds the URL and, where curl would not choose it, the method.
func (inv *invocation) url() {
	s := &inv.settings
	if u := &s[paramURI]; u.set {
		inv.option("--url", u.name, u.content())
		if strings.ContainsAny(u.content().Text, "[]{}") {
			inv.option("--globoff", u.name) // it knows no globs
		}
	}
	m := &s[paramMethod]
	method := inv.method()
	hasBody := s[paramBody].set || s[paramInFile].set || s[paramForm].set
	switch {
	case inv.queryBody(), method == "POST" && hasBody, method == "GET" && !hasBody:
	case method == "HEAD" && !hasBody:
		inv.option("--head", m.name)
	default:
		w := m.content()
		if len(w.Holes) == 0 {
			w.Text = method
		}
		if !m.set {
			w.Span = inv.words[0].Span
			m.name = w.Span
		}
		inv.option("--request", m.name, w)
	}
}

// method returns the method in capitals, as PowerShell sends it.
func (inv *invocation) method() string {
	text := strings.ToUpper(inv.settings[paramMethod].content().Text)
	if text == "" || text == "DEFAULT" {
		return "GET"
	}
	return text
}

// queryBody reports whether the body is a table that goes into the query.
func (inv *invocation) queryBody() bool {
	b := &inv.settings[paramBody]
	return b.set && b.kind() == tableValue && inv.method() == "GET"
}

// headers adds the header fields, those of the session first.
func (inv *invocation) headers() {
	s := &inv.settings
	session := s[paramSession]
	if session.set && session.kind() == sessionValue {
		for _, p := range session.value.entries {
			inv.field(p)
		}
	}
	if h := &s[paramHeaders]; h.set {
		if h.kind() != tableValue {
			inv.l.warnAt(diag.WarnVariableKept, h.word.Span, "the header fields are not known", "assign a table @{ name = 'value' } in the same text")
		} else {
			for _, p := range h.value.entries {
				inv.field(p)
			}
		}
	}
	if t := &s[paramContentType]; t.set {
		inv.option("--header", t.name, inv.header("Content-Type", t.content()))
	}
	if t := &s[paramTransferEncoding]; t.set {
		inv.option("--header", t.name, inv.header("Transfer-Encoding", t.content()))
	}
	if t := &s[paramNoKeepAlive]; t.set {
		inv.option("--header", t.name, word.Word{Text: "Connection: close", Span: t.name})
	}
	if a := &s[paramUserAgent]; a.set {
		inv.option("--user-agent", a.name, a.content())
	} else if session.set && session.kind() == sessionValue && session.value.agent != nil {
		inv.option("--user-agent", session.name, *session.value.agent)
	}
	if session.set && session.kind() == sessionValue && len(session.value.cookies) > 0 {
		all := session.value.cookies
		span := diag.Join(all[0].Span, all[len(all)-1].Span)
		inv.option("--cookie", session.name, inv.l.join(span, "; ", all...))
	}
}

// field adds one entry of a table of headers.
func (inv *invocation) field(p entry) {
	switch strings.TrimPrefix(p.key.Text, ":") {
	case "method", "path", "scheme", "authority":
		return // HTTP/2 sends them apart from the fields
	}
	if ascii.EqualFold(p.key.Text, "Content-Type") && inv.settings[paramContentType].set {
		return // the parameter wins
	}
	w := inv.header(p.key.Text, p.value.word)
	w.Span = diag.Join(p.key.Span, p.value.word.Span)
	inv.option("--header", p.key.Span, w)
}

// header returns a header field as curl takes it; one without a value ends in
// a semicolon.
func (inv *invocation) header(name string, value word.Word) word.Word {
	if value.Text == "" {
		return word.Word{Text: name + ";", Span: value.Span}
	}
	return inv.l.join(value.Span, ": ", word.Word{Text: name}, value)
}

// body adds what the request carries.
func (inv *invocation) body() {
	s := &inv.settings
	if f := &s[paramForm]; f.set && f.kind() == tableValue {
		for _, p := range f.value.entries {
			span := diag.Join(p.key.Span, p.value.word.Span)
			if p.value.kind == fileValue {
				inv.option("--form", p.key.Span, inv.l.join(span, "=@", p.key, p.value.word))
			} else {
				inv.option("--form-string", p.key.Span, inv.l.join(span, "=", p.key, p.value.word))
			}
		}
		return
	}
	b := &s[paramBody]
	switch in := &s[paramInFile]; {
	case in.set:
		inv.option("--data-binary", in.name, inv.l.join(in.word.Span, "@", word.Word{}, in.content()))
	case !b.set:
		return
	case b.kind() == fileValue:
		inv.option("--data-binary", b.name, inv.l.join(b.word.Span, "@", word.Word{}, b.content()))
	case b.kind() == tableValue:
		if inv.queryBody() {
			inv.option("--get", b.name)
		}
		inv.option("--data-raw", b.name, inv.l.formEncoded(b.word.Span, b.value.entries))
		return
	default:
		inv.option("--data-raw", b.name, b.content())
	}
	if inv.method() != "POST" && !inv.hasContentType() {
		inv.option("--header", inv.words[0].Span, word.Word{Text: "Content-Type:", Span: inv.words[0].Span})
	}
}

// hasContentType reports whether the command names a content type.
// Invoke-WebRequest adds one of its own, the same as curl's, only to a POST.
func (inv *invocation) hasContentType() bool {
	if inv.settings[paramContentType].set {
		return true
	}
	for _, id := range []param{paramHeaders, paramSession} {
		if v := inv.settings[id].value; v != nil && v.object != nil {
			for _, p := range v.entries {
				if ascii.EqualFold(p.key.Text, "Content-Type") {
					return true
				}
			}
		}
	}
	return false
}

// connection adds what does not change the request itself.
func (inv *invocation) connection() {
	s := &inv.settings
	redirections := &s[paramMaxRedirection]
	switch {
	case !redirections.set:
		inv.option("--location", inv.words[0].Span)
	case redirections.content().Text != "0":
		inv.option("--location", redirections.name)
		inv.option("--max-redirs", redirections.name, redirections.content())
	}
	if a := &s[paramAuthentication]; a.set && ascii.EqualFold(a.word.Text, "Basic") {
		inv.option("--basic", a.name)
	}
	for _, o := range [...]struct {
		id   param
		name string
	}{
		{paramCredential, "--user"},
		{paramToken, "--oauth2-bearer"},
		{paramProxy, "--proxy"},
		{paramProxyCredential, "--proxy-user"},
		{paramTimeout, "--max-time"},
		{paramOutFile, "--output"},
	} {
		if set := &s[o.id]; set.set {
			inv.option(o.name, set.name, set.content())
		}
	}
	if n := &s[paramNoProxy]; n.set {
		inv.option("--noproxy", n.name, word.Word{Text: "*", Span: n.name})
	}
	if k := &s[paramInsecure]; k.set {
		inv.option("--insecure", k.name)
	}
	if v := &s[paramHTTPVersion]; v.set {
		switch v.content().Text {
		case "1.0":
			inv.option("--http1.0", v.name)
		case "1.1":
			inv.option("--http1.1", v.name)
		case "2", "2.0":
			inv.option("--http2", v.name)
		case "3", "3.0":
			inv.option("--http3", v.name)
		}
	}
}

// formEncoded returns a table as application/x-www-form-urlencoded.
func (l *lexer) formEncoded(span diag.Span, entries []entry) word.Word {
	w := word.Word{Span: span}
	var buf []byte
	encode := func(part word.Word) {
		from := 0
		for _, h := range part.Holes {
			buf = appendFormEncoded(buf, part.Text[from:h.Start])
			w.Holes = word.AppendHoles(w.Holes, len(buf)-int(h.Start), []word.Hole{h})
			buf = append(buf, part.Text[h.Start:h.End]...)
			from = int(h.End)
		}
		buf = appendFormEncoded(buf, part.Text[from:])
	}
	for i, p := range entries {
		key, value := p.key, p.value.word
		size := len(key.Text) + len(value.Text)
		l.pay(size)
		l.hold(3*size + 3*word.HoleSize*(len(key.Holes)+len(value.Holes)))
		if i > 0 {
			buf = append(buf, '&')
		}
		encode(key)
		buf = append(buf, '=')
		encode(value)
	}
	w.Text = string(buf)
	return w
}

// appendFormEncoded appends s as .NET encodes it for a form.
func appendFormEncoded(dst []byte, s string) []byte {
	return ascii.AppendEncoded(dst, s, "_-.!*()", "+")
}
