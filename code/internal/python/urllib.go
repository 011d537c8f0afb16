package python

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What urllib.request of Python 3.11 does by itself, measured on the wire: it
// adds "Accept-Encoding: identity", User-Agent and "Connection: close", and the
// type of a form to all content; writes names with one capital; sends a name
// once. A director without handlers for statuses follows no redirects and
// raises nothing.
var Urllib = plan.Target{
	Name: "python-urllib", Convention: &convention, Client: "urllib.request", Version: "Python 3.11", Kind: plan.Code, Extension: "py",
	Aliases: []string{"urllib", "urllib.request"}, Proven: true, Style: style, Write: writePythonUrllib, Takes: plan.AnyFrom, Heads: true, Runs: true,
	Functions: true, Decodes: true,
	Facts: plan.Client{
		Undecoded: true,
		Breaks:    true,
		ModernTLS: true,
		Rules:     plan.Rules{plan.SendsCodings(plan.NamesChunks), plan.SendsMethods(pythonMethod), plan.ASCIIPasswords},
		Adds:      plan.FieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		Wire:      plan.Wire{Case: plan.Titled, Query: "é", Follows: true, Text: true},
		Always:    plan.FieldNames{"Host", "Accept-Encoding", "Connection"},
		Fixed:     plan.FieldNames{"Connection"},
		Passes:    map[string][]string{"Connection": {"close"}},
		AnyMethod: true,
		Digest:    true,
		Unasked:   []string{"basic", "sha-256"},
		Eager:     true,
		After:     []string{"head"},
		Names:     plan.PythonName,
		EmptyHost: true,
		Proxies:   []string{"http"},
	},
}

// sameServer keeps credentials from the other servers of redirects.
const sameServer = `class SameServer(urllib.request.HTTPRedirectHandler):
    """Keep credentials from other servers."""

    def redirect_request(self, request, *arguments):
        redirected = super().redirect_request(request, *arguments)
        if redirected and (redirected.type, redirected.host) != (request.type, request.host):
            redirected.remove_header("Authorization")
            redirected.remove_header("Cookie")
        return redirected
`

func writePythonUrllib(p *plan.Program) {
	opener := ""
	sections := writePython(p, p.Depth(0), pythonContent{data: "data", bytes: true, joins: true}, func(r *pythonRequest) {
		r.opener = &opener
		r.encodedQuery()
		content := r.content()
		switch {
		case !r.c.Follow(), r.c.Method == "GET", r.c.Method == "HEAD":
		case r.c.Method == "POST":
			r.p.Differs("ends with an error where it is redirected with 307 or 308")
		default:
			r.p.Differs("ends with an error where it is redirected")
		}
		if r.c.Untyped() && !r.c.Empty() {
			r.p.Refuse("gives all content a type")
		}
		r.arguments = append(r.arguments, content...)
		once := r.c.Strips() && !r.c.Follow()
		if once {
			r.c.Lead("Authorization Cookie *")
		}
		r.headers(nil, func(f *plan.Field) bool { return f.Skipped() || once && f.Secret() })
		implied := "GET"
		if r.c.Content.Kind != plan.NoBody {
			implied = "POST"
		}
		if r.c.Method != implied {
			r.add("method", emit.Leaf(String(p, r.c.Method)))
		}
		if len(r.c.CookieFiles()) > 0 && r.c.Field("Cookie") != nil {
			r.p.Refuse("cannot join these cookies to those of a file")
		}
		r.p.Node("request = ", emit.Group("urllib.request.Request", "(", r.withFirst(r.urllibURL()), ")"), "")
		for _, f := range r.c.Joined() {
			if once && f.Secret() { // it is not sent where a redirect leads
				pair := []emit.Node{emit.Leaf(String(r.p, f.Name)), r.fieldValue(&f)}
				r.p.Node("", emit.Group("request.add_unredirected_header", "(", pair, ")"), "")
			}
		}
		r.urllibOpener()
	})
	p.Head(func() {
		p.Use("import urllib.request")
		imports(p)
	})
	pythonBody(p, "", sections)
}

// urllibURL returns the URL in ASCII.
func (r *pythonRequest) urllibURL() emit.Node {
	if r.c.Guess {
		return pythonURL(r.p, r.c)
	}
	return r.asciiText(r.c.URLText)
}

// urllibOpener writes the statements that send the request.
func (r *pythonRequest) urllibOpener() {
	handlers := r.urllibHandlers()
	open := "opener.open"
	switch {
	case !r.c.Stops() && len(handlers) == 0 && !r.c.Removes("User-Agent"):
		open = "urllib.request.urlopen"
	case !r.c.Stops():
		opener := emit.Group("urllib.request.build_opener", "(", handlers, ")")
		if line := opener.Line(); r.c.Jar() == nil || r.c.Opens() || *r.opener != line { // else it is the one before
			r.p.Node("opener = ", opener, "")
			*r.opener = line
		}
	default:
		*r.opener = ""
		r.p.Line("opener = urllib.request.OpenerDirector()  # follows no redirects")
		for _, h := range handlers {
			r.p.Node("opener.add_handler", emit.Group("", "(", []emit.Node{h}, ")"), "")
		}
	}
	if r.c.Removes("User-Agent") {
		r.p.Line("opener.addheaders = []")
		*r.opener = ""
	}
	arguments := []emit.Node{emit.Leaf("request")}
	if limit := r.limit(); limit > 0 {
		arguments = append(arguments, emit.Leaf("timeout="+emit.Seconds(limit)))
	}
	call := emit.Group(open, "(", arguments, ")")
	raises := (!r.c.Stops() || r.c.Digest != nil) && (!r.c.Fail() && r.p.Exact() || r.c.Retries() > 0 || r.c.ReadsErrors())
	r.catches = raises
	if raises || r.c.Retries() > 0 {
		if r.c.Retries() > 0 {
			r.p.Use("import urllib.error")
		}
		r.again(pythonRetry{"time.sleep", "response.status", "urllib.error.URLError", "OSError", raises}, func() {
			if !raises {
				r.p.Node("response = ", call, "")
				return
			}
			r.p.Use("import urllib.error")
			r.p.Line("try:")
			r.p.Node(r.p.Indent+"response = ", call, "")
			r.p.Line("except urllib.error.HTTPError as error:")
			r.p.Line(r.p.Indent, "response = error  # curl goes on")
		})
		call = emit.Leaf("response")
	}
	r.urllibResult(call)
	cookies := "cookies"
	if jar := r.c.Jar(); jar != nil {
		cookies = jar.Named(cookies)
	}
	r.saveCookies(cookies)
}

func (r *pythonRequest) urllibResult(call emit.Node) {
	ends := r.c.Fail() && (r.c.Stops() || r.catches)
	reads := ends || r.c.PrintsHead(r.p.Options) || r.c.ReadsStatus(r.p.Options)
	if reads || r.c.Destination(r.p.Options) != plan.Discarded {
		if call.Open == "" {
			r.p.Line("with response:")
		} else {
			r.p.Node("with ", call, " as response:")
		}
		r.p.Level++
		fail := func() {}
		if ends {
			fail = r.failure
		}
		r.result(reader, fail)
		r.p.Level--
	} else if call.Open != "" {
		r.p.Node("", call, ".close()")
	}
}

// urllibHandlers returns the handlers, after the statements that they need.
// Where redirects are followed it leaves out the usual ones.
func (r *pythonRequest) urllibHandlers() []emit.Node {
	var items []emit.Node
	if r.c.Stops() && !r.c.Secure() {
		items = append(items, emit.Leaf("urllib.request.HTTPHandler()"))
	}
	switch {
	case r.context():
		items = append(items, emit.Leaf("urllib.request.HTTPSHandler(context=context)"))
	case r.c.Stops() && r.c.Encrypts:
		items = append(items, emit.Leaf("urllib.request.HTTPSHandler()"))
	}
	if r.c.ProxyScheme() != "" {
		if _, user, password := r.c.ProxyParts(); user.Source() != "" && password.Source() == "" && !plan.HasVariable(user) {
			r.p.Refuse("gives a proxy no user name without a password")
		}
		url := pythonText(r.p, r.c.ProxyURL())
		items = append(items, emit.Group("urllib.request.ProxyHandler", "(", []emit.Node{emit.Group("", "{", []emit.Node{emit.Named(`"http"`, ": ", url), emit.Named(`"https"`, ": ", url)}, "}")}, ")"))
	}
	if r.c.Follow() && !r.c.Trusted() && r.c.Strips() && r.c.Digest == nil {
		r.p.Help(sameServer)
		items = append(items, emit.Leaf("SameServer()"))
	}
	if r.c.Follow() && r.c.Direct() { // an opener that follows nothing asks no proxy
		items = append(items, emit.Leaf("urllib.request.ProxyHandler({})"))
	}
	if jar := r.c.Jar(); jar != nil {
		if r.c.Opens() {
			r.newJar(jar.Named("cookies"), "CookieJar()")
		}
		items = append(items, emit.Leaf("urllib.request.HTTPCookieProcessor("+jar.Named("cookies")+")"))
	} else if statements := r.cookieFile("cookies"); len(statements) > 0 {
		for _, s := range statements {
			r.p.Line(s)
		}
		items = append(items, emit.Leaf("urllib.request.HTTPCookieProcessor(cookies)"))
	}
	if r.c.Jar() == nil && r.c.KeepsCookies() && r.c.Has("cookieEngine") && r.c.Follow() {
		items = append(items, emit.Leaf("urllib.request.HTTPCookieProcessor()"))
	}
	if r.c.Digest != nil {
		r.p.Line("passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()")
		pair := []emit.Node{emit.Leaf("None"), emit.Leaf("request.full_url"), pythonText(r.p, r.c.Digest.User), pythonText(r.p, r.c.Digest.Password)}
		r.p.Node("", emit.Group("passwords.add_password", "(", pair, ")"), "")
		items = append(items, emit.Leaf("urllib.request.HTTPDigestAuthHandler(passwords)"))
		if r.c.Stops() {
			items = append(items, emit.Leaf("urllib.request.HTTPErrorProcessor()"), emit.Leaf("urllib.request.HTTPDefaultErrorHandler()"))
		}
	}
	return items
}
