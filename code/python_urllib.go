package code

// What urllib.request of Python 3.11 does by itself, measured on the wire: it
// adds "Accept-Encoding: identity", User-Agent and "Connection: close", and the
// type of a form to all content; writes names with one capital; sends a name
// once. A director without handlers for statuses follows no redirects and
// raises nothing.
var pythonUrllib = Target{
	Name: "python-urllib", Language: "python", Client: "urllib.request", Version: "Python 3.11", Kind: Code, Extension: "py",
	Aliases: []string{"urllib", "urllib.request"}, Proven: true, style: pythonStyle, write: writePythonUrllib,
	client: client{
		modernTLS: true,
		codings:   namesChunks,
		adds:      fieldNames{"User-Agent", "Accept-Encoding", "Connection"},
		always:    fieldNames{"Host", "Accept-Encoding", "Connection"},
		fixed:     fieldNames{"Connection"},
		passes:    map[string][]string{"Connection": {"close"}},
		anyMethod: true,
		methods:   pythonMethod,
		digest:    true,
		latin:     true,
		unasked:   []string{"basic", "sha-256"},
		eager:     true,
		after:     []string{"head"},
		names:     pythonName,
		emptyHost: true,
		says:      []string{"createDirs", "cookieEngine", "followRedirects", "maxTime", "connectTimeout", "retry", "insecure", "tlsMin", "tlsMax", "cacert", "cert", "cookieFiles", "cookieJar"},
		proxies:   []string{"http"},
		shares:    fieldNames{"Authorization", "Cookie"},
	},
}

func writePythonUrllib(p *program) {
	sections := p.writePython(0, pythonContent{data: "data", bytes: true, joins: true}, func(r *pythonRequest) {
		r.encodedQuery()
		content := r.content()
		switch {
		case !r.c.follow, r.c.Method == "GET", r.c.Method == "HEAD":
		case r.c.Method == "POST":
			r.p.differs("ends with an error where it is redirected with 307 or 308")
		default:
			r.p.differs("ends with an error where it is redirected")
		}
		if r.c.untyped() && !r.c.empty() {
			r.p.refuse("gives all content a type")
		}
		r.arguments = append(r.arguments, content...)
		r.headers(nil, (*field).skipped)
		implied := "GET"
		if r.c.body.kind != noBody {
			implied = "POST"
		}
		if r.c.Method != implied {
			r.add("method", leaf(p.pythonString(r.c.Method)))
		}
		if len(r.c.cookieFiles) > 0 && r.c.field("Cookie") != nil {
			r.p.refuse("cannot join these cookies to those of a file")
		}
		r.p.node("request = ", group("urllib.request.Request", "(", r.withFirst(r.urllibURL()), ")"), "")
		r.urllibOpener()
	})
	if !p.options.Bare {
		p.use("import urllib.request")
		p.pythonImports()
	}
	p.join(sections)
}

// urllibURL returns the URL in ASCII.
func (r *pythonRequest) urllibURL() node {
	if r.c.guess {
		return r.p.pythonURL(r.c)
	}
	return r.asciiText(r.c.url)
}

// urllibOpener writes the statements that send the request.
func (r *pythonRequest) urllibOpener() {
	handlers := r.urllibHandlers()
	open := "opener.open"
	switch {
	case r.c.follow && len(handlers) == 0 && !r.c.removes("User-Agent"):
		open = "urllib.request.urlopen"
	case r.c.follow:
		r.p.node("opener = ", group("urllib.request.build_opener", "(", handlers, ")"), "")
	default:
		r.p.line("opener = urllib.request.OpenerDirector()  # follows no redirects")
		for _, h := range handlers {
			r.p.node("opener.add_handler", group("", "(", []node{h}, ")"), "")
		}
	}
	if r.c.removes("User-Agent") {
		r.p.line("opener.addheaders = []")
	}
	arguments := []node{leaf("request")}
	if limit := r.limit(); limit > 0 {
		arguments = append(arguments, leaf("timeout="+seconds(limit)))
	}
	call := group(open, "(", arguments, ")")
	raises := (r.c.follow || r.c.digest != nil) && (!r.c.fail || r.c.retries > 0)
	if raises || r.c.retries > 0 {
		r.again("time.sleep", "response.status", func() {
			if !raises {
				r.p.node("response = ", call, "")
				return
			}
			r.p.use("import urllib.error")
			r.p.line("try:")
			r.p.node(r.p.indent+"response = ", call, "")
			r.p.line("except urllib.error.HTTPError as error:")
			r.p.line(r.p.indent, "response = error  # curl goes on")
		})
		call = leaf("response")
	}
	r.urllibResult(call)
	r.saveCookies("cookies")
}

func (r *pythonRequest) urllibResult(call node) {
	ends := r.c.fail && (!r.c.follow || r.c.retries > 0)
	if ends || r.c.destination(r.p.options) != discarded {
		if call.open == "" {
			r.p.line("with response:")
		} else {
			r.p.node("with ", call, " as response:")
		}
		r.p.level++
		if ends {
			r.failure()
		}
		r.result("response.read()", "response.headers", `response.read().decode(errors="replace")`)
		r.p.level--
	} else if call.open != "" {
		r.p.node("", call, ".close()")
	}
}

// urllibHandlers returns the handlers, after the statements that they need.
// Where redirects are followed it leaves out the usual ones.
func (r *pythonRequest) urllibHandlers() []node {
	var items []node
	if !r.c.follow && !r.c.secure() {
		items = append(items, leaf("urllib.request.HTTPHandler()"))
	}
	switch {
	case r.context():
		items = append(items, leaf("urllib.request.HTTPSHandler(context=context)"))
	case !r.c.follow && r.c.encrypts:
		items = append(items, leaf("urllib.request.HTTPSHandler()"))
	}
	if r.c.proxyScheme() != "" {
		if _, user, password := r.c.proxyParts(); user.source() != "" && password.source() == "" && !hasVariable(user) {
			r.p.refuse("gives a proxy no user name without a password")
		}
		url := r.p.pythonText(r.c.proxyURL())
		items = append(items, group("urllib.request.ProxyHandler(", "{", []node{named(`"http"`, ": ", url), named(`"https"`, ": ", url)}, "})"))
	}
	if r.c.follow && r.c.direct() { // an opener that follows nothing asks no proxy
		items = append(items, leaf("urllib.request.ProxyHandler({})"))
	}
	for _, s := range r.cookieFile("cookies") {
		r.p.line(s)
	}
	if len(r.c.cookieFiles) > 0 || len(r.c.cookieJar) > 0 {
		items = append(items, leaf("urllib.request.HTTPCookieProcessor(cookies)"))
	}
	if r.c.member("cookieEngine") != nil && r.c.follow {
		items = append(items, leaf("urllib.request.HTTPCookieProcessor()"))
	}
	if r.c.digest != nil {
		r.p.line("passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()")
		pair := []node{leaf("None"), leaf("request.full_url"), r.p.pythonText(r.c.digest.user), r.p.pythonText(r.c.digest.password)}
		r.p.node("", group("passwords.add_password", "(", pair, ")"), "")
		items = append(items, leaf("urllib.request.HTTPDigestAuthHandler(passwords)"))
		if !r.c.follow {
			items = append(items, leaf("urllib.request.HTTPErrorProcessor()"), leaf("urllib.request.HTTPDefaultErrorHandler()"))
		}
	}
	return items
}
