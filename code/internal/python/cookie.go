package python

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// cookieFile writes the statements that load the cookies of files that were not
// supplied into jar. curl goes on without a file that it cannot read, and takes
// an expiry of 0 for the end of the session.
func (r *pythonRequest) cookieFile(jar string) (statements []string) {
	if len(r.c.CookieFiles()) > 0 {
		r.p.Cannot("reads cookies in the format of Netscape only", "a file that does not begin as one of Netscape's does gives no cookies")
		r.p.Use("import contextlib")
	}
	all := "ignore_discard=True, ignore_expires=True"
	if r.c.On("junkSessionCookies") { // whose time is 0 in such a file
		all = ""
	}
	for i, name := range r.c.CookieFiles() {
		file := pythonText(r.p, name).Line() + ", "
		if i == 0 {
			r.p.Use("from http.cookiejar import MozillaCookieJar")
			statements = append(statements, jar+" = MozillaCookieJar("+pythonText(r.p, name).Line()+")")
			file = ""
		}
		statements = append(statements,
			"with contextlib.suppress(OSError):  # as curl does",
			r.p.Indent+jar+".load("+strings.TrimSuffix(file+all, ", ")+")")
	}
	switch {
	case len(r.c.CookieFiles()) > 0 && all == "":
	case len(r.c.CookieFiles()) > 0:
		statements = append(statements, "for cookie in "+jar+":",
			r.p.Indent+"cookie.expires = cookie.expires or None  # 0: until the session ends")
	case len(r.c.CookieJar()) > 0:
		r.p.Use("from http.cookiejar import MozillaCookieJar")
		statements = append(statements, jar+" = MozillaCookieJar("+pythonText(r.p, r.c.CookieJar()).Line()+")")
	}
	return statements
}

// saveCookies writes the statement that writes the cookies of jar.
func (r *pythonRequest) saveCookies(jar string) {
	if len(r.c.CookieJar()) > 0 {
		file := ""
		if len(r.c.CookieFiles()) > 0 || r.c.Jar() != nil {
			file = pythonText(r.p, r.c.CookieJar()).Line() + ", "
		}
		r.p.Line(jar, ".save(", file, "ignore_discard=True)")
	}
}

// cookieArgument adds the argument cookies where there are cookies of a file
// or of earlier responses too: the clients would leave them out for a field Cookie.
func (r *pythonRequest) cookieArgument() {
	f := r.c.Field("Cookie")
	if f == nil || len(r.c.CookieFiles()) == 0 && (r.c.Jar() == nil || r.c.Opens()) {
		return
	}
	r.c.JoinsCookies()
	r.c.Imply(f)
	pairs, ok := f.Cookies()
	if !ok || !uniqueNames(pairs) {
		r.p.Refuse("cannot join these cookies to those of a file")
		return
	}
	items := make([]emit.Node, len(pairs))
	for i, p := range pairs {
		items[i] = emit.Named(pythonText(r.p, p.Name).Line(), ": ", pythonText(r.p, p.Value))
	}
	r.add("cookies", emit.Group("", "{", items, "}"))
}

// newJar writes the statements that make the jar of several requests, at the first of them:
// of a class unless it loads or saves a file; "" stands for the jar that is there.
func (r *pythonRequest) newJar(jar, class string) {
	var statements []string
	if len(r.c.CookieFiles()) > 0 {
		statements = r.cookieFile(jar)
	} else if r.savesJar() {
		r.p.Use("from http.cookiejar import MozillaCookieJar")
		class = "MozillaCookieJar()"
	}
	switch {
	case len(statements) == 0 && class != "":
		if module, found := strings.CutSuffix(class, "()"); found && !strings.Contains(module, ".") {
			r.p.Use("from http.cookiejar import " + module)
		}
		r.p.Line(jar, " = ", class)
	default:
		for _, s := range statements {
			r.p.Line(s)
		}
	}
}

// savesJar reports whether a request of the jar writes its cookies to a file.
func (r *pythonRequest) savesJar() bool {
	return !r.c.Jar().Every(func(c *plan.Call) bool { return len(c.Asked.CookieJar) == 0 || c.PrintsCookies() })
}
