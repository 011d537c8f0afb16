package transfer

import (
	"slices"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// options fills in what shapes the exchange without being in the request,
// and names the options that have no bearing on it.
func (t *transfer) options() {
	settled := t.c.settledOptions(t.b.reads(KeptMethods))
	o := optionList{list: slices.Clip(settled.list)} // so that what is added makes a copy
	t.outputOption(&o)
	t.cookieFileOption(&o)
	t.netrcOption(&o)
	t.crlfOption(&o)
	t.resumeOption(&o)
	t.request.Options = o.list
	t.request.Ignored = settled.ignored
	t.request.Missing = t.c.missing
}

// crlfOption notes that the line feeds of a file become CRLF, where the file was
// not supplied.
func (t *transfer) crlfOption(o *optionList) {
	b := t.request.Body
	if b == nil || !t.convertsLines() {
		return
	}
	unknown := b.Kind == request.KindFile || b.Kind == request.KindStdin || b.Kind == request.KindConcat
	if unknown || slices.ContainsFunc(b.Parts, func(p request.Part) bool { return p.File != "" && p.Content == nil }) {
		o.set("crlf", true)
	}
}

// resumeOption notes what -C does beside its field: a download goes on at the end of
// the file of the output, and an upload begins inside of a file, which was not
// supplied.
func (t *transfer) resumeOption(o *optionList) {
	if !t.c.hasResume {
		return
	}
	toFile := t.n.output != "" && t.n.output != "-" || t.namesOutput() || t.c.resumesFile
	if b := t.request.Body; b == nil && toFile || b != nil && !b.Kind.Known() {
		o.at = t.c.rangeSpec.setting.Span
		o.set("continueAt", t.c.rangeSpec.setting.Value.Text)
	}
}

// settledOptions are the options that are the same for all requests of an
// operation, which share them.
type settledOptions struct {
	known   bool // the others are filled in
	list    []request.Option
	ignored []string
}

// settledOptions returns them. methods asks whether a redirect keeps a method.
func (c *config) settledOptions(methods bool) *settledOptions {
	if c.settled.known {
		return &c.settled
	}
	var o optionList
	var ignored optionNames
	for i := range c.settings {
		s := &c.settings[i]
		o.at = s.Span
		switch s.Section {
		case curl.InRequest:
		case curl.Ignored:
			ignored.add(s.Option)
		case curl.InBoolOption:
			o.set(s.Member, s.On)
		case curl.InListOption:
			o.append(s.Member, s.Value.Text)
		case curl.InDerivedOption:
			if s.Member == "httpVersion" && c.httpVersion == "" {
				ignored.add(s.Option) // see settleProtocol
				continue
			}
			o.derive(s)
		default:
			o.set(s.Member, argumentValue(s))
		}
	}
	if methods && c.keepsMethod() {
		o.at = c.method.setting.Span
		o.set("keepMethod", true)
	}
	if c.autoReferer != nil && c.find("Referer") == nil {
		o.at = c.autoReferer.Span
		o.set("autoReferer", true)
	}
	c.settled = settledOptions{known: true, list: o.list, ignored: slices.Clip(ignored.names)}
	return &c.settled
}

// keepsMethod reports whether the method of -X goes with every redirect. With -L
// it does, and with --follow as the status says: curl 8.22 lib/http.c,
// http_switch_to_get.
func (c *config) keepsMethod() bool {
	if !c.method.set() || c.method.Text == "GET" {
		return false
	}
	for i := len(c.settings) - 1; i >= 0; i-- {
		switch s := &c.settings[i]; s.ID {
		case curl.OptLocation, curl.OptLocationTrusted:
			return s.On
		case curl.OptFollow:
			return false
		}
	}
	return false
}

// optionList is the options in the order in which they first appeared. There
// are never more than the table has members, so that a list is search enough.
type optionList struct {
	list []request.Option
	at   diag.Span // of the option that is being read
}

func (o *optionList) index(name string) int {
	return slices.IndexFunc(o.list, func(option request.Option) bool { return option.Name == name })
}

func (o *optionList) set(name string, value any) {
	if i := o.index(name); i >= 0 {
		o.list[i].Value, o.list[i].Span = value, o.at
		return
	}
	o.list = append(o.list, request.Option{Name: name, Value: value, Span: o.at})
}

func (o *optionList) append(name, value string) {
	if i := o.index(name); i >= 0 {
		o.list[i].Value = append(o.list[i].Value.([]string), value)
		return
	}
	o.set(name, []string{value})
}

// argumentValue returns the argument as the type of its member; one with
// unknown parts stays text.
func argumentValue(s *curl.Setting) any {
	text := s.Value.Text
	switch s.Section {
	case curl.InIntOption:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case curl.InSecondsOption:
		if seconds, problem := curl.ParseSeconds(text); problem == "" {
			return seconds
		}
	case curl.InSizeOption:
		if n, problem := curl.ParseSize(text); problem == "" {
			return n
		}
	}
	return text
}

// derive sets the members that several options share.
func (o *optionList) derive(s *curl.Setting) {
	text := s.Value.Text
	switch s.ID {
	case curl.OptHttp1_0, curl.OptHttp1_1, curl.OptHttp2, curl.OptHttp2PriorKnowledge, curl.OptHttp3, curl.OptHttp3Only:
		o.set(s.Member, strings.TrimPrefix(s.Long, "http"))
	case curl.OptIpv4:
		o.set(s.Member, int64(4))
	case curl.OptIpv6:
		o.set(s.Member, int64(6))
	case curl.OptTlsv1, curl.OptTlsv1_0, curl.OptProxyTlsv1:
		o.set(s.Member, "1.0")
	case curl.OptTlsv1_1, curl.OptTlsv1_2, curl.OptTlsv1_3:
		o.set(s.Member, strings.TrimPrefix(s.Long, "tlsv"))
	case curl.OptLocation:
		o.set(s.Member, s.On)
	case curl.OptLocationTrusted:
		o.set(s.Member, s.On)
		o.set("locationTrusted", s.On)
	case curl.OptProxy:
		o.set(s.Member, text)
	case curl.OptSocks4, curl.OptSocks4a, curl.OptSocks5, curl.OptSocks5Hostname:
		o.set(s.Member, socksProxy(s))
	case curl.OptProxy1_0:
		o.set(s.Member, text)
		o.set("proxyHttpVersion", "1.0")
	case curl.OptProxyAnyauth, curl.OptProxyBasic, curl.OptProxyDigest, curl.OptProxyNegotiate, curl.OptProxyNtlm:
		if s.On {
			o.set(s.Member, strings.TrimPrefix(s.Long, "proxy-"))
		}
	case curl.OptProxyHeader:
		o.append(s.Member, text)
	}
}

// socksProxy returns a SOCKS proxy as a URL.
func socksProxy(s *curl.Setting) string {
	if strings.Contains(s.Value.Text, "://") {
		return s.Value.Text
	}
	scheme := s.Long
	if s.ID == curl.OptSocks5Hostname {
		scheme = "socks5h"
	}
	return scheme + "://" + s.Value.Text
}

// outputOption sets where the response goes: to a file, or to one that is
// named after the URL.
func (t *transfer) outputOption(o *optionList) {
	o.at = t.n.outputAt
	switch {
	case t.n.discard:
		o.set("discardOutput", true)
	case t.n.output != "":
		name := t.n.output
		if t.urls.glob != nil {
			if referred, ok := t.urls.glob.Refer(name); ok {
				name = referred
			}
		}
		o.set("output", t.urls.masked.Restore(name))
	case t.n.remote:
		o.set("remoteName", true)
	}
	t.stdoutOption(o)
}

// stdoutOption sets the file to which the shell leads what curl prints. It is the shell that opens
// it, once for all requests of the command.
func (t *transfer) stdoutOption(o *optionList) {
	if name, appends, ok := t.b.in.Stdout(); ok {
		o.at = name.Span
		o.set("stdout", name.Text)
		if appends || len(t.b.requests) > 0 {
			o.set("appendStdout", true)
		}
	} else if t.b.in.Piped {
		o.set("piped", true)
	}
}

func (t *transfer) cookieFileOption(o *optionList) {
	for _, f := range t.c.cookieFiles {
		o.at = f.setting.Span
		if f.Text == "" {
			o.set("cookieEngine", true)
		} else {
			o.append("cookieFiles", f.Text)
		}
	}
	if t.c.newSession && slices.ContainsFunc(t.c.missing, func(f request.MissingFile) bool { return f.Role == "cookies" }) {
		o.set("junkSessionCookies", true)
	}
}

func (t *transfer) netrcOption(o *optionList) {
	file := t.c.netrcFile.set()
	switch {
	case t.c.netrcOptional:
		o.set("netrc", "optional")
	case t.c.netrc && !file:
		o.set("netrc", "required")
	}
	if file { // which is required, unless another option says otherwise
		o.at = t.c.netrcFile.setting.Span
		o.set("netrcFile", t.c.netrcFile.Text)
	}
}

// optionNames lists options in the order in which they first appeared.
type optionNames struct {
	names []string
	seen  [8]uint64 // bit i: the option with the identifier i
}

func (n *optionNames) add(o *curl.Option) {
	word, bit := &n.seen[o.ID/64], uint64(1)<<(o.ID%64)
	if *word&bit == 0 {
		*word |= bit
		n.names = append(n.names, "--"+o.Long)
	}
}
