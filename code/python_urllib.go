//go:build !nocode

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
		adds:    []string{"User-Agent", "Accept-Encoding", "Connection"},
		always:  []string{"Host", "Accept-Encoding", "Connection"},
		fixed:   []string{"Connection"},
		digest:  true,
		eager:   true,
		says:    []string{"followRedirects", "maxTime", "connectTimeout", "insecure", "cacert", "cert", "cookieFiles", "cookieJar"},
		proxies: []string{"http"},
		shares:  []string{"Authorization"},
	},
}

func writePythonUrllib(p *program) {
	sections := p.writePython(0, pythonContent{data: "data", bytes: true, joins: true}, func(r *pythonRequest) {
		content := r.content()
		if r.follow && r.body.kind != noBody {
			r.differs("ends with an error where it is redirected with 307 or 308")
		}
		if r.body.kind != noBody && r.field("Content-Type") == nil {
			r.refuse("gives all content a type")
		}
		r.arguments = append(r.arguments, content...)
		r.headers(nil, (*field).skipped)
		implied := "GET"
		if r.body.kind != noBody {
			implied = "POST"
		}
		if r.Method != implied {
			r.add("method", leaf(pythonString(r.Method)))
		}
		if len(r.cookieFiles) > 0 && r.field("Cookie") != nil {
			r.refuse("cannot join these cookies to those of a file")
		}
		r.node("request = ", group("urllib.request.Request", "(", append([]node{r.urllibURL()}, r.arguments...), ")"), "")
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
	if r.guess {
		return r.pythonURL(r.call)
	}
	return r.asciiText(r.url)
}

// urllibOpener writes the statements that send the request.
func (r *pythonRequest) urllibOpener() {
	handlers := r.urllibHandlers()
	open := "opener.open"
	switch {
	case r.follow && len(handlers) == 0 && !r.removes("User-Agent"):
		open = "urllib.request.urlopen"
	case r.follow:
		r.node("opener = ", group("urllib.request.build_opener", "(", handlers, ")"), "")
	default:
		r.line("opener = urllib.request.OpenerDirector()  # follows no redirects")
		for _, h := range handlers {
			r.node("opener.add_handler", group("", "(", []node{h}, ")"), "")
		}
	}
	if r.removes("User-Agent") {
		r.line("opener.addheaders = []")
	}
	arguments := []node{leaf("request")}
	if limit := r.limit(); limit > 0 {
		arguments = append(arguments, leaf("timeout="+seconds(limit)))
	}
	call := group(open, "(", arguments, ")")
	if (r.follow || r.digest != nil) && !r.fail {
		r.use("import urllib.error")
		r.line("try:")
		r.node(r.indent+"response = ", call, "")
		r.line("except urllib.error.HTTPError as error:")
		r.line(r.indent, "response = error  # curl goes on")
		call = leaf("response")
	}
	r.urllibResult(call)
	r.saveCookies("cookies")
}

func (r *pythonRequest) urllibResult(call node) {
	if r.fail && !r.follow || r.destination(r.options) != discarded {
		if call.open == "" {
			r.line("with response:")
		} else {
			r.node("with ", call, " as response:")
		}
		r.level++
		if !r.follow {
			r.failure()
		}
		r.result("response.read()", "response.headers", "response.read().decode()")
		r.level--
	} else if call.open != "" {
		r.node("", call, ".close()")
	}
}

// urllibHandlers returns the handlers, after the statements that they need.
// Where redirects are followed it leaves out the usual ones.
func (r *pythonRequest) urllibHandlers() []node {
	var items []node
	secure := r.context()
	switch {
	case secure:
		items = append(items, leaf("urllib.request.HTTPSHandler(context=context)"))
	case r.follow:
	case r.secure():
		items = append(items, leaf("urllib.request.HTTPSHandler()"))
	default:
		items = append(items, leaf("urllib.request.HTTPHandler()"))
		if r.guess {
			items = append(items, leaf("urllib.request.HTTPSHandler()"))
		}
	}
	if r.proxyScheme() != "" {
		url := r.pythonText(r.proxyURL())
		items = append(items, group("urllib.request.ProxyHandler(", "{", []node{named(`"http": `, url), named(`"https": `, url)}, "})"))
	}
	if r.follow && r.direct() { // an opener that follows nothing asks no proxy
		items = append(items, leaf("urllib.request.ProxyHandler({})"))
	}
	for _, s := range r.cookieFile("cookies") {
		r.line(s)
	}
	if len(r.cookieFiles) > 0 || len(r.cookieJar) > 0 {
		items = append(items, leaf("urllib.request.HTTPCookieProcessor(cookies)"))
	}
	if r.digest != nil {
		r.line("passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()")
		pair := []node{leaf("None"), leaf("request.full_url"), r.pythonText(r.digest.user), r.pythonText(r.digest.password)}
		r.node("", group("passwords.add_password", "(", pair, ")"), "")
		items = append(items, leaf("urllib.request.HTTPDigestAuthHandler(passwords)"))
		if !r.follow {
			items = append(items, leaf("urllib.request.HTTPErrorProcessor()"), leaf("urllib.request.HTTPDefaultErrorHandler()"))
		}
	}
	return items
}
