package contract

import (
	"strings"

	"uncoil/extract"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
)

// An Own finding is one in the document itself.
type Own struct {
	Finding
	Place
	Begins int // the line on which the text or the example begins
	// From and To are where the fix is made, if the file spells the command as it is.
	From, To Place
}

// CheckOwn returns what contradicts the document in its own examples: the commands
// in the extensions of an operation (x-codeSamples and the like), and the examples of
// parameters and of content. Parse reads a command, and explains its uses.
func (d *Document) CheckOwn(parse func(text, shell string) (*engine.Result, error)) (found []Own, commands int, err error) {
	defer fault.Recover(&err)
	o := &own{Document: d, parse: parse, seen: make(map[schemaKey]bool)}
	for _, item := range d.paths {
		for _, op := range item.methods {
			o.operation(op)
		}
	}
	o.components()
	return o.found, o.commands, nil
}

// own checks the examples of a document.
type own struct {
	*Document
	parse    func(text, shell string) (*engine.Result, error)
	seen     map[schemaKey]bool // what was held against its schema
	found    []Own
	commands int
}

func (o *own) operation(op *operation) {
	for i := range op.node.members {
		if m := &op.node.members[i]; strings.HasPrefix(m.name, "x-") {
			o.samples(op, m.value, 0)
		}
	}
	for _, p := range op.parameters {
		o.parameter(p.node)
	}
	o.contents(op.body, toServer)
	responses := op.node.fields("responses")
	for i := range responses {
		o.response(o.resolve(responses[i].value))
	}
}

// samples checks the commands in an extension.
func (o *own) samples(op *operation, n *node, depth int) {
	const deepest = 10
	if n = o.resolve(n); n == nil || depth > deepest {
		return
	}
	for _, item := range n.items {
		o.samples(op, item, depth+1)
	}
	for i := range n.members {
		o.samples(op, n.members[i].value, depth+1)
	}
	if n.kind != text || !strings.Contains(n.text, "curl") {
		return
	}
	commands, _ := extract.Commands(n.text, extract.Script) // what it has found, if that is too much work
	o.commands += len(commands)
	o.sample(op, n, commands)
}

// sample holds the commands of a text against the operation that it stands at. Where one
// of them goes there, the others prepare it, or go on from it.
func (o *own) sample(op *operation, n *node, commands []extract.Command) {
	var own, others []Own
	there := false
	for i := range commands {
		c := &commands[i]
		r, err := o.parse(c.Text, c.Shell)
		if err != nil {
			continue // lint says so where the file is one of its arguments
		}
		found, goes := o.against(r, op)
		there = there || goes
		own = append(own, n.placed(c, found)...)
		if !goes {
			found, _ = o.against(r, nil)
		}
		others = append(others, n.placed(c, found)...)
	}
	if there {
		own = others
	}
	o.found = append(o.found, own...)
}

// against holds the requests of a command against an operation, or those that they go
// to, and reports whether one goes to that operation.
func (o *own) against(r *engine.Result, op *operation) (all []Finding, goes bool) {
	for i := range r.Requests {
		v := &visit{Document: o.Document, command: &command{r}, request: &r.Requests[i], found: &all}
		v.check(i, op)
		goes = goes || v.operation != nil && v.operation == op
	}
	return distinct(all), goes
}

// placed returns findings in a command with their places in the file.
func (n *node) placed(c *extract.Command, found []Finding) (all []Own) {
	for _, f := range found {
		one := Own{Finding: f, Place: n.placeOf(c.Offset(int(f.Span.Start))), Begins: n.line}
		if f.Fix != nil && n.block {
			one.From, one.To = n.placeOf(c.Offset(int(f.Fix.Span.Start))), n.placeOf(c.Offset(int(f.Fix.Span.End)))
		}
		all = append(all, one)
	}
	return all
}

// placeOf returns where an offset in the text of a node stands in its file. Where YAML
// joins the lines of a text, or JSON escapes them, it is where the text begins.
func (n *node) placeOf(offset int) Place {
	p := n.place()
	if !n.block {
		return p
	}
	before := n.text[:min(max(offset, 0), len(n.text))]
	p.Line += 1 + strings.Count(before, "\n")
	p.Column = n.file.indentation(n.line) + 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	return p
}

// components checks the examples of components that no operation has.
func (o *own) components() {
	all := o.root.get("components")
	for _, part := range []struct {
		name  string
		check func(n *node)
	}{
		{"parameters", o.parameter},
		{"headers", o.parameter},
		{"requestBodies", func(n *node) { o.contents(n, toServer) }},
		{"responses", o.response},
	} {
		members := all.fields(part.name)
		for i := range members {
			part.check(o.resolve(members[i].value))
		}
	}
}

func (o *own) response(n *node) {
	o.contents(n, fromServer)
	headers := n.fields("headers")
	for i := range headers {
		o.parameter(o.resolve(headers[i].value))
	}
}

// parameter checks the examples of a parameter or of a header.
func (o *own) parameter(n *node) {
	o.examples(n, toServer, "")
	o.contents(n, toServer)
}

// contents checks the examples of all types of content.
func (o *own) contents(n *node, to direction) {
	content := n.fields("content")
	for i := range content {
		o.examples(o.resolve(content[i].value), to, content[i].name)
	}
}

// examples holds the examples beside a schema against it; the type is that of a content,
// and empty for a parameter. Content that is no JSON is text, of which a schema says
// nothing, or the value that is written so.
func (o *own) examples(n *node, to direction, contentType string) {
	schema := o.resolve(n.get("schema"))
	if schema == nil || o.seen[schemaKey{n, to}] {
		return
	}
	o.seen[schemaKey{n, to}] = true
	var all []*node
	if one := o.resolve(n.get("example")); one != nil {
		all = append(all, one)
	}
	examples := n.fields("examples")
	for i := range examples {
		example := o.resolve(examples[i].value)
		for _, name := range []string{"value", "dataValue"} {
			if value := o.resolve(example.get(name)); value != nil {
				all = append(all, value)
			}
		}
	}
	for _, example := range all {
		switch {
		case example.kind != text || isJSON(contentType):
			o.example(example, schema, to)
		case contentType == "":
			o.report(o.textProblems(schema, []string{example.text}, n), example, schema)
		}
	}
}

// example holds an example against its schema. JSON may be written as text, where a
// schema takes something else.
func (o *own) example(example, schema *node, to direction) {
	c := o.schemas.of(schema, to)
	problems := o.schemas.problems(c, valueOf(example))
	if len(problems) == 0 {
		return
	}
	if example.kind == text {
		if inner := readValue(example.text); inner != nil {
			if problems = o.schemas.problems(c, valueOf(inner)); len(problems) == 0 {
				return
			}
		}
	}
	o.report(problems, example, schema)
}

// report adds the problems of an example.
func (o *own) report(problems []problem, example, schema *node) {
	for _, p := range problems[:min(len(problems), maxFound)] {
		message := "the example " + p.message
		if len(p.path) > 0 {
			message = "the example: " + named(p)
		}
		f := Finding{Code: InvalidExample, Message: message, Against: schema.place()}
		o.found = append(o.found, Own{Finding: f, Place: example.at(p.path).place(), Begins: example.line})
	}
}
