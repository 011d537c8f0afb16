package contract

import (
	"slices"
	"strings"

	"uncoil/diag"
	"uncoil/internal/edge/lazy"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/placeholder"
	"uncoil/request"
)

// Check returns what contradicts the document in the requests of a command that go to
// one of its servers. The result must have its uses explained.
func (d *Document) Check(r *engine.Result) (found []Finding, err error) {
	defer fault.Recover(&err)
	for i := range r.Requests {
		v := &visit{Document: d, command: &command{r}, request: &r.Requests[i], found: &found}
		v.check(i, nil)
	}
	return distinct(found), nil
}

// distinct leaves out what several requests of a glob have in common.
func distinct(found []Finding) (all []Finding) {
	type key struct {
		code    diag.Code
		span    diag.Span
		message string
	}
	seen := make(map[key]bool)
	for _, f := range found {
		if k := (key{f.Code, f.Span, f.Message}); !seen[k] {
			seen[k] = true
			all = append(all, f)
		}
	}
	return all
}

// check holds a request against the operation that it asks for. With own the request is
// an example of that operation.
func (v *visit) check(i int, own *operation) {
	a := newAddress(v.request.URL)
	if v.request.Target != "" || placeholder.Elides(v.request.URL) || v.command.rejected(v.request.Span) || isExpansion().MatchString(v.command.text(v.request.Span)) {
		return
	}
	best, served := v.find(&a, own)
	v.presumed = !served
	switch {
	case best.item == nil && served:
		v.unknownPath(&a, own)
		return
	case best.item == nil:
		v.otherBase(&a)
		return
	case own == nil && best.vague:
		return // a placeholder may be the name of a path that nobody knows
	}
	o := best.item.method(v.request.Method)
	if own != nil && best.item == own.item && own.Method != v.request.Method {
		o = nil
	}
	if o == nil {
		v.unknownMethod(i, best.item, own)
		return
	}
	if own != nil && o != own {
		f := v.add(OtherOperation, v.request.Span, own.At, "the request is "+o.Name()+", and stands at "+own.Name())
		f.Hint = "correct the request, or move it"
		return
	}
	v.operation, v.match = o, best
	if own == nil && o.Node.Is("deprecated") {
		v.add(DeprecatedOperation, v.request.Span, o.At, o.Name()+" is deprecated")
	}
	v.pathParameters()
	v.queryParameters()
	v.headerParameters()
	v.cookieParameters()
	v.body(i)
	v.security()
}

// isExpansion is an argument of which nothing is known: a variable may hold options, or a URL
// with its path.
var isExpansion = lazy.Regexp(`^["']?\$(?:\w+|\{[^{}]*\}|\([^()]*\))["']?$`)

// otherBase says that a URL has a path of the document, but below another one than its
// server: an old version, or without the base path.
func (v *visit) otherBase(a *address) {
	const deepest = 2 // segments of a base path
	for _, s := range v.servers {
		if s.any || len(s.base) == 0 || !s.named(a) {
			continue
		}
		for n := range min(deepest+1, len(a.path)) {
			var best match
			for _, item := range v.lookup(a.path[n:]) {
				if m, ok := item.match(a.path[n:]); ok && !m.vague && m.score > 0 && item.isNamed() && slices.Contains(item.servers, s) && v.better(&m, &best, nil) {
					best = m
				}
			}
			if best.item == nil || isPlaceholder(strings.Join(a.path[:n], "/")) {
				continue
			}
			has, wants := "/"+strings.Join(a.path[:n], "/"), "/"+baseOf(s)
			f := v.add(UnknownPath, v.request.Span, best.item.Member.Place(), "no server of the document has "+has+": "+best.item.Template+" stands below "+wants)
			if n == 0 {
				f.Message = "the URL lacks the base path of the server: " + best.item.Template + " stands below " + wants
			}
			f.Hint = "write " + wants + " before " + best.item.Template
			return
		}
	}
}

// isNamed reports whether a path has a name of its own: /{id} is any path.
func (item *pathItem) isNamed() bool {
	return slices.ContainsFunc(item.segments, func(p pattern) bool { return p.isLiteral() })
}

// baseOf returns the base path of a server.
func baseOf(s *server) string {
	var all []string
	for i := range s.base {
		text := s.base[i].literals[0]
		for j, name := range s.base[i].names {
			text += "{" + name + "}" + s.base[i].literals[j+1]
		}
		all = append(all, text)
	}
	return strings.Join(all, "/")
}

// find returns the path of the document that a request asks for, and whether it
// goes to a server of the document at all.
func (v *visit) find(a *address, own *operation) (best match, served bool) {
	if own != nil {
		// The host of an example says nothing: that it stands at an operation does.
		elsewhere := address{host: a.host, path: a.path, open: true}
		for _, s := range own.item.servers {
			path, _ := s.below(&elsewhere)
			m, ok := own.item.match(path)
			if ok && own.Method == v.request.Method {
				return m, true
			}
			if ok {
				best = m
			}
		}
	}
	var queries []string
	for _, p := range v.request.Query {
		queries = append(queries, p.Name)
	}
	for _, s := range v.servers {
		path, ok := s.below(a)
		if !ok {
			continue
		}
		served = served || s.named(a)
		for _, item := range v.lookup(path) {
			m, ok := item.match(path)
			if ok && slices.Contains(item.servers, s) && v.better(&m, &best, queries) {
				best = m
			}
		}
	}
	return best, served || own != nil
}

// better reports whether a match is closer to the request than another one: one with its
// method, and then the more literal one (OpenAPI 3.1.1, Paths Object).
func (v *visit) better(m, than *match, queries []string) bool {
	if than.item == nil {
		return true
	}
	a, b := m.item.method(v.request.Method) != nil, than.item.method(v.request.Method) != nil
	if a != b {
		return a
	}
	return m.better(than, queries)
}

func (v *visit) unknownPath(a *address, own *operation) {
	if own != nil && isPlaceholder(own.item.Template[1:]) && !strings.Contains(own.item.Template, "{") {
		return // the path is one that somebody is to put in
	}
	at := openapi.Place{File: v.Root.File.Name, Line: 1, Column: 1}
	if m := v.Root.Member("paths"); m != nil {
		at = m.Place()
	}
	if own != nil {
		at = own.At
	}
	f := v.add(UnknownPath, v.request.Span, at, "the OpenAPI document has no path like that of the URL")
	item, wrong, right := v.nearest(a)
	switch {
	case item != nil:
		f.Hint = "did you mean " + item.Template + "?"
		if span, ok := v.command.within(v.request.Span, "/"+wrong); ok {
			f.Fix = &diag.Fix{Span: span, Text: "/" + right}
		}
	case own != nil:
		f.Hint = "it stands at " + own.Name()
	}
}

// unknownMethod says that a path has no such method, or not the one of its example.
func (v *visit) unknownMethod(i int, item *pathItem, own *operation) {
	at := item.Member.Place()
	var all []string
	for _, o := range item.methods {
		all = append(all, o.Method)
	}
	if v.request.Method == "OPTIONS" || len(all) == 0 {
		return // a server answers OPTIONS by itself
	}
	f := v.add(UnknownMethod, v.request.Span, at, item.Template+" has no "+printed(v.request.Method)+", only "+strings.Join(all, ", "))
	meant := all
	switch {
	case own != nil && own.item != item:
		f.Message += "; it stands at " + own.Name()
		return
	case own != nil:
		f.Against, meant = own.At, []string{own.Method}
		f.Message = "the request has the method " + printed(v.request.Method) + ", and stands at " + own.Name()
	}
	uses := v.command.uses(i, "request")
	if len(uses) > 0 {
		f.Span = whole(uses[len(uses)-1])
	}
	if len(meant) != 1 || !slices.Contains([]string{"GET", "PUT", "POST", "DELETE", "PATCH", "QUERY"}, meant[0]) {
		return
	}
	f.Hint = "use -X " + meant[0]
	switch b := v.request.Body; {
	case b != nil && meant[0] == "GET" && len(uses) == 0:
		f.Hint = "use -G, which puts the data into the query"
		if b.Kind == request.KindForm {
			f.Fix = v.command.withOption("-G")
		}
	case own == nil && (len(uses) > 0 || meant[0] == "DELETE"):
		// What was typed may be meant for another path, and DELETE must not be a guess.
	case len(uses) == 0 && len(v.command.uses(i, "get", "head")) == 0:
		f.Fix = v.command.withOption("-X " + meant[0])
	case len(uses) == 1:
		if span, ok := v.command.within(f.Span, v.request.Method); ok {
			f.Fix = &diag.Fix{Span: span, Text: meant[0]}
		}
	}
}

// printed returns a method for a message. One that is long is none, and may be anything.
func printed(method string) string {
	const longest = 20
	if len(method) > longest {
		return "such method"
	}
	return method
}

// field returns the header field with that name, or nil.
func (v *visit) field(name string) *request.Field {
	for i := range v.request.Fields {
		if strings.EqualFold(v.request.Fields[i].Name, name) {
			return &v.request.Fields[i]
		}
	}
	return nil
}
