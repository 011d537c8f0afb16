package python

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// Locust 2 sends with a session of requests, and puts the host of the user before a path
// (locust/clients.py); it counts a status of 400 and more as a failure, and drops the content.
var Locust = plan.Target{
	Name: "python-locust", Convention: &convention, Client: "Locust", Version: "2", Kind: plan.Code, Extension: "py",
	Packages: []plan.Package{{Name: "locust", Version: "2.0"}},
	Aliases:  []string{"locust"}, Proven: true, SavedAs: "locustfile.py", Style: style, Write: writeLocust,
	Facts: Requests.Facts,
}

func writeLocust(p *plan.Program) {
	host := locustHost(p)
	sections := writePython(p, p.Depth(2), requestsContent, func(r *pythonRequest) {
		if preparedFirst(r.c) && (r.p.Exact() || r.c.Method != strings.ToUpper(r.c.Method) || plan.DotSegments(r.c.URL)) {
			r.p.Refuse("changes this method or URL")
		}
		switch {
		case r.c == p.Calls[0]:
		case r.p.Exact():
			r.p.Line("self.client.cookies.clear()")
		default:
			r.p.Differs("sends the cookies that earlier responses set")
		}
		if len(r.c.Asked.CookieFiles) > 0 {
			r.p.Refuse("reads no cookie files")
		}
		content := r.streamedContent()
		r.requestsFields()
		r.requestsAuth()
		r.arguments = append(r.arguments, content...)
		r.requestsOptions()
		whole := r.c.URLText
		if len(host) > 0 {
			if r.c.URLText = r.c.URLText.Cut(len(host), len(r.c.URLText.Source())); len(r.c.URLText) == 0 {
				r.c.URLText = plan.Literal("/")
			}
		}
		defer func() { r.c.URLText = whole }() // for what is said of the host
		r.inside(r.opened, func() {
			url, after := pythonURL(r.p, r.c), ""
			if r.c.Fail() {
				after = ".raise_for_status()"
			}
			if helper, ok := requestsHelpers[r.c.Method]; ok {
				r.p.Node("", emit.Group("self.client."+helper, "(", r.withFirst(url), ")"), after)
			} else {
				r.p.Node("", emit.Group("self.client.request", "(", r.withFirst(emit.Leaf(String(p, r.c.Method)), url), ")"), after)
			}
		})
	})
	ignores := p.Exact() && slices.ContainsFunc(p.Calls, func(c *plan.Call) bool { return c.IgnoresNetrc(&p.Target.Facts) })
	if ignores {
		p.Use("import os")
	}
	p.Use("from locust import HttpUser, task")
	p.Head(func() { imports(p) })
	if p.Options.Bare {
		p.Join(sections)
		return
	}
	if ignores {
		p.Line(`os.environ["NETRC"] = ""  # no credentials from ~/.netrc, as with curl`)
		p.Line()
	}
	p.Line()
	p.Line("class User(HttpUser):")
	if len(host) > 0 {
		p.Line(p.Indent, "host = ", String(p, host))
	}
	names := make(map[string]int, len(sections))
	for i, c := range p.Calls {
		if i > 0 || len(host) > 0 {
			p.Line()
		}
		p.Line(p.Indent, "@task")
		p.Line(p.Indent, "def ", plan.Numbered(names, convention.Naming.OfCall(c)), "(self):")
		p.Dst = append(p.Dst, sections[i]...)
	}
}

// locustHost returns what all URLs begin with, up to the path; "" where that differs or has
// a variable.
func locustHost(p *plan.Program) (host string) {
	for i, c := range p.Calls {
		base, _, _ := c.URLParts()
		s, known := base.Plain()
		if !known || i > 0 && s != host {
			return ""
		}
		host = s
	}
	return host
}
