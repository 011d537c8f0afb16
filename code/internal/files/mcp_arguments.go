package files

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// toolOf returns the tool of a call.
func toolOf(p *plan.Program, c *plan.Call) *tool {
	t := &tool{p: p, c: c, properties: newObject(), secret: secretVariables(c)}
	if p.Options.KeepVariables {
		return t
	}
	seen := make(map[string]int)
	for i := range c.Variables {
		v := &c.Variables[i]
		if !v.Known() || seen[v.Name] > 0 || t.secret[v.Name] {
			continue
		}
		seen[v.Name]++
		one := newObject().text("type", "string").text("description", describedPlace(v))
		if v.HasDefault {
			one.text("default", v.Default)
		} else {
			t.required = append(t.required, textValue(v.Name))
		}
		t.properties.add(v.Name, one.Value)
	}
	t.members(seen)
	return t
}

// secretVariables returns the names of the variables that stand where a request has its
// secrets.
func secretVariables(c *plan.Call) map[string]bool {
	secret := make(map[string]bool)
	if len(c.Variables) == 0 {
		return secret
	}
	r := *c.Request
	reqtext.Rewrite(&r, func(s *reqtext.String) {
		if len(s.Variables) == 0 {
			return
		}
		whole := s.Member == request.MemberUsername || redact.Derived(c.Request, s)
		finds, next := redact.Finds(c.Request, s), 0
		for i := range s.Variables {
			v := &s.Variables[i]
			for next < len(finds) && finds[next].End <= v.Start {
				next++
			}
			if whole || next < len(finds) && finds[next].Start < v.End {
				secret[v.Name] = true
			}
		}
	})
	return secret
}

// describedPlace says where the value of a variable goes.
func describedPlace(v *request.Variable) string {
	member, name, named := strings.Cut(v.In, ".")
	switch {
	case named && member == "query":
		return "the query parameter " + name
	case named && member == "headers":
		return "part of the header field " + name
	case named && member == "body":
		return "part of the form field " + name
	case member == "url":
		return "part of the URL"
	case member == "body":
		return "part of the content"
	}
	return "part of " + v.In
}

// A jsonArgument is an argument for a value in JSON content: the bytes that it stands for.
type jsonArgument struct {
	start, end int
	name       string
}

// bytesPerMember is what the schema of a member takes, about.
const bytesPerMember = 2 << 10

// members makes arguments of the members of a JSON object that hold no variable. The example
// is the default.
func (t *tool) members(seen map[string]int) {
	if t.c.Content.Kind != plan.RawBody || !t.c.Content.Data.IsText() {
		return
	}
	source := t.c.Content.Data.Source()
	holes := t.holes()
	properties, body := newObject(), []jsonArgument(nil)
	r := jsontext.NewReader(source, jsontext.MaxDepth)
	if r.Peek() != '{' {
		return
	}
	whole := r.Object(func(name string, _ int) bool {
		r.Peek()
		start := r.Pos()
		if !r.Skip() {
			return false
		}
		for len(holes) > 0 && holes[0].end <= start {
			holes = holes[1:]
		}
		if len(holes) > 0 && holes[0].start < r.Pos() || !isArgumentName(name) || redact.Secret(name) {
			return true
		}
		list, ok := emit.ParseValue("[" + source[start:r.Pos()] + "]")
		if !ok || !distinctMembers(&list) {
			return true
		}
		t.p.Budget.Hold(bytesPerMember)
		one := schemaOf(list.Items)
		if typeName(&list.Items[0]) == "null" {
			one = newObject().Value // where another value is likely
		}
		one.Names, one.Items = append(one.Names, "default"), append(one.Items, list.Items[0])
		body = append(body, jsonArgument{start, r.Pos(), plan.Numbered(seen, name)})
		properties.add(body[len(body)-1].name, one)
		return true
	})
	if !whole || r.Peek() != 0 || !emit.Distinct(properties.Names) {
		return
	}
	t.body = body
	for i, name := range properties.Names {
		t.properties.add(name, properties.Items[i])
	}
}

// holes returns where the content has variables.
func (t *tool) holes() (list []jsonArgument) {
	at := 0
	for _, part := range t.c.Content.Data {
		n := len(part.Literal)
		if part.Variable != nil {
			n = len(part.Variable.Expr)
			list = append(list, jsonArgument{start: at, end: at + n})
		}
		at += n
	}
	return list
}

// isArgumentName reports a name that every client takes for an argument.
func isArgumentName(name string) bool {
	const longest = 64
	if name == "" || len(name) > longest {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !ascii.IsNameByte(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// jsonItems returns JSON content with its arguments, whose values are inserted as JSON.
func (t *tool) jsonItems(data plan.Text) []emit.Value {
	var items []emit.Value
	arguments, at := t.body, 0
	for i := range data {
		if v := data[i].Variable; v != nil {
			items = append(items, t.variable(v))
			at += len(v.Expr)
			continue
		}
		s := data[i].Literal
		for len(arguments) > 0 && arguments[0].start < at+len(s) {
			a := arguments[0]
			if a.start > at {
				items = append(items, textValue(s[:a.start-at]))
			}
			items = append(items, newObject().text("argument", a.name).text("encoding", "json-value").Value)
			s, at, arguments = s[a.end-at:], a.end, arguments[1:]
		}
		if s != "" {
			items = append(items, textValue(s))
		}
		at += len(s)
	}
	return items
}
