package files

import (
	"cmp"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/request"
)

// path returns the path of a call. Paths that differ only in the names of their
// parameters are the same to OpenAPI.
func (d *apiDocument) path(path plan.Text) *apiPath {
	if !path.IsText() {
		d.p.Refuse("has no place for bytes that are not UTF-8")
	}
	var key, full strings.Builder
	var names []string
	taken := make(map[string]bool)
	next := make(map[string]int) // by the name of a variable: the first number that may be free
	parameter := func(wanted string) {
		name := wanted
		for taken[name] {
			next[wanted] = max(next[wanted], 1) + 1
			name = wanted + emit.Itoa(next[wanted])
		}
		taken[name] = true
		names = append(names, name)
		key.WriteString("{}")
		full.WriteString("{" + name + "}")
	}
	for i := range path {
		if v := path[i].Variable; v != nil {
			parameter(parameterName(v))
			continue
		}
		key.WriteString(braceless(path[i].Literal))
		full.WriteString(braceless(path[i].Literal))
	}
	if known := d.at[key.String()]; known != nil {
		return known
	}
	item := &apiPath{path: full.String(), names: names}
	d.at[key.String()] = item
	d.paths = append(d.paths, item)
	return item
}

// parameterName returns the name of the parameter for a variable: what a placeholder calls
// it, such as user-id, or the name of the variable.
func parameterName(v *request.Variable) string {
	called := strings.Trim(v.Expr, "{}<>:$ ")
	for i := range len(called) {
		if c := called[i]; !ascii.IsNameByte(c) && c != '-' && c != '.' {
			return v.Name
		}
	}
	return cmp.Or(called, v.Name)
}

// camel returns the letters and digits of a path, with capitals where others
// were left out.
func camel(path string) string {
	var b strings.Builder
	up := true
	for i := range len(path) {
		c := path[i]
		switch {
		case !ascii.IsLetter(c) && !ascii.IsDigit(c):
			up = true
			continue
		case up && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		up = false
		b.WriteByte(c)
	}
	return b.String()
}

// A sharedPath is one path for the paths of several calls, which differ in one segment that
// names a thing, as /users/1 and /users/2 do. The segment is a parameter.
type sharedPath struct {
	segment   int // of the path; 0 is what stands before its first slash
	parameter int // of the parameters of the path: which one the segment is
	variable  request.Variable
	values    []emit.Value
}

// mostSegments bounds the paths that are compared, so that this is linear.
const mostSegments = 16

// sharePaths returns the shared path of each call, or nil.
func sharePaths(calls []*plan.Call) []*sharedPath {
	shared := make([]*sharedPath, len(calls))
	if len(calls) < 2 {
		return shared
	}
	type other struct {
		path   *sharedPath
		first  int // the first call
		things map[string]bool
	}
	known := make(map[string]*other)
	for i, c := range calls {
		base, path, _ := c.URLParts()
		segments := path.Split('/')
		if len(segments) > mostSegments {
			continue
		}
		names := make([]string, len(segments))
		for j, s := range segments {
			names[j] = s.Source()
			if onlyVariable(s) != nil {
				names[j] = "{}"
			}
		}
		parameters := 0
		for j, s := range segments {
			before := parameters
			for _, part := range s {
				if part.Variable != nil {
					parameters++
				}
			}
			if shared[i] != nil || !namesThing(s) {
				continue
			}
			key := base.Source() + strings.Join(names[:j], "/") + "/\x00/" + strings.Join(names[j+1:], "/")
			o := known[key]
			if o == nil {
				o = &other{&sharedPath{segment: j, parameter: before}, i, make(map[string]bool)}
				known[key] = o
			}
			if o.path.add(s, o.things); len(o.things) > 1 && len(o.path.values) > 0 && shared[o.first] == nil {
				shared[o.first] = o.path
			}
			if shared[o.first] == o.path {
				shared[i] = o.path
				o.path.name(names)
			}
		}
	}
	return shared
}

// add adds a segment.
func (p *sharedPath) add(s plan.Text, things map[string]bool) {
	source := s.Source()
	if things[source] {
		return
	}
	things[source] = true
	if v := onlyVariable(s); v != nil {
		p.variable = *v
	} else {
		p.values = append(p.values, scalar(source))
	}
}

// name names the parameter after the segment before it: the user of /users/1 has a userId.
func (p *sharedPath) name(segments []string) {
	if p.variable.Name != "" {
		return
	}
	name := "id"
	if p.segment > 0 {
		word := strings.TrimSuffix(camel(segments[p.segment-1]), "s")
		if stem, ok := strings.CutSuffix(word, "ie"); ok {
			word = stem + "y"
		}
		if word != "" && ascii.IsLetter(word[0]) {
			name = strings.ToLower(word[:1]) + word[1:] + "Id"
		}
	}
	p.variable = request.Variable{Name: name, Expr: "{" + name + "}", Encoding: request.EncodingNone}
}

// in returns a path with the parameter.
func (p *sharedPath) in(path plan.Text) plan.Text {
	if p == nil {
		return path
	}
	var out plan.Text
	for i, s := range path.Split('/') {
		if i > 0 {
			out = append(out, plan.Literal("/")...)
		}
		if i == p.segment {
			s = plan.Text{{Variable: &p.variable}}
		}
		out = append(out, s...)
	}
	return plan.MergeLiterals(out)
}

// namesThing reports a segment that names one thing of many: a variable, or a word with a
// digit that is not a version.
func namesThing(s plan.Text) bool {
	if onlyVariable(s) != nil {
		return true
	}
	word, ok := s.Plain()
	if !ok || !strings.ContainsAny(word, "0123456789") {
		return false
	}
	return strings.Trim(strings.TrimLeft(word, "vV"), "0123456789.") != "" || ascii.IsDigit(word[0])
}
