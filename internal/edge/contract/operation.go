package contract

import (
	"slices"
	"strings"

	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine/ascii"
)

// A pathItem is a path of a document, as requests are matched with it.
type pathItem struct {
	*openapi.PathItem
	order    int
	segments []pattern
	queries  []string // the names that a query in the template has
	servers  []*server
	methods  []*operation
}

// An operation is a method of a path.
type operation struct {
	*openapi.Operation
	item *pathItem
}

// readPaths reads the operations.
func (d *Document) readPaths() {
	shared := d.servers
	for i, path := range d.Paths() {
		item := &pathItem{PathItem: path, order: i, segments: segments(path.Template), servers: d.serversOf(path.Node)}
		if item.servers == nil {
			item.servers = shared
		}
		if _, query, ok := strings.Cut(path.Template, "?"); ok {
			for pair := range strings.SplitSeq(query, "&") {
				name, _, _ := strings.Cut(pair, "=")
				item.queries = append(item.queries, name)
			}
		}
		for _, o := range path.Operations {
			// A server of an operation is one of its path too: who asks there means the path.
			item.servers = append(slices.Clip(item.servers), d.serversOf(o.Node)...)
			item.methods = append(item.methods, &operation{o, item})
		}
		d.paths = append(d.paths, item)
		d.tree.add(item)
	}
}

// method returns the operation of a method, or nil. A HEAD request asks what GET would
// answer (RFC 9110, section 9.3.2).
func (item *pathItem) method(name string) *operation {
	for _, o := range item.methods {
		if o.Method == name {
			return o
		}
	}
	if name == "HEAD" {
		return item.method("GET")
	}
	return nil
}

// A match is a path of the document that a request has.
type match struct {
	item   *pathItem
	values map[string]string // of its parameters, decoded
	score  int               // the more of it is literal, the higher
	vague  bool              // a placeholder stands where the template has a literal
}

// match returns how a path is one of the template.
func (item *pathItem) match(path []string) (match, bool) {
	m := match{item: item}
	if len(path) != len(item.segments) {
		return m, false
	}
	for i, segment := range path {
		m.score *= 3
		p := &item.segments[i]
		values, ok := p.match(segment)
		switch {
		case ok && p.isLiteral():
			m.score += 2
		case ok:
			m.score++
			for j, name := range p.names {
				if m.values == nil {
					m.values = make(map[string]string)
				}
				m.values[name] = values[j]
			}
		case !isPlaceholder(segment):
			return m, false
		default:
			m.vague = true
		}
	}
	return m, true
}

// better reports whether a match is closer than another one to a request with these
// names in its query.
func (m *match) better(than *match, names []string) bool {
	fits := func(m *match) bool {
		return !slices.ContainsFunc(m.item.queries, func(name string) bool { return !slices.Contains(names, name) })
	}
	if a, b := fits(m), fits(than); a != b {
		return a
	}
	if m.score != than.score {
		return m.score > than.score
	}
	if a, b := len(m.item.queries), len(than.item.queries); a != b {
		return a > b
	}
	return m.item.order < than.item.order
}

// nearest returns the one template that a path has but for a slip in one segment, the
// segment of the path and what it should be; nil where none or several are that near.
func (d *Document) nearest(a *address) (item *pathItem, segment, meant string) {
	found := 0
	for _, s := range d.servers {
		path, ok := s.below(a)
		if d.left -= len(d.paths); !ok || d.left < 0 {
			continue
		}
		for _, candidate := range d.paths {
			if len(path) != len(candidate.segments) || !slices.Contains(candidate.servers, s) {
				continue
			}
			wrong, right := candidate.slip(path)
			if right != "" && (wrong != segment || right != meant) {
				item, segment, meant = candidate, wrong, right
				found++
			}
		}
	}
	if found != 1 {
		return nil, "", ""
	}
	return item, segment, meant
}

// slip returns the one segment of a path that is not that of the template but nearly so.
func (item *pathItem) slip(path []string) (wrong, right string) {
	const longest = 64 // what is longer is no name
	for i, segment := range path {
		p := &item.segments[i]
		if _, ok := p.match(segment); ok {
			continue
		}
		if !p.isLiteral() || right != "" || max(len(segment), len(p.literals[0])) > longest {
			return "", ""
		}
		wrong, right = segment, p.literals[0]
		if ascii.Edits(wrong, right) > 1 {
			return "", ""
		}
	}
	return wrong, right
}
