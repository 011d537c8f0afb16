package contract

import (
	"strings"

	"uncoil/extract"
	"uncoil/internal/edge/openapi"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/mime"
)

// An Own finding is one in the document itself.
type Own struct {
	Finding
	openapi.Place
	Begins int // the line on which the text or the example begins
	// From and To are where the fix is made, if the file spells the command as it is.
	From, To openapi.Place
}

// CheckOwn returns what contradicts the document in its own examples: the commands
// in the extensions of an operation (x-codeSamples and the like), and the examples of
// parameters and of content. Parse reads a command, and explains its uses.
func (d *Document) CheckOwn(parse func(text, shell string) (*engine.Result, error)) (found []Own, commands int, err error) {
	defer fault.Recover(&err)
	o := &own{Document: d, parse: parse, seen: make(map[way]bool)}
	for _, item := range d.paths {
		for _, op := range item.methods {
			o.operation(op)
		}
	}
	o.components()
	return o.found, o.commands, nil
}

// A way is a value, or what has values, and where it goes.
type way struct {
	node *openapi.Node
	to   direction
}

// own checks the examples of a document.
type own struct {
	*Document
	parse    func(text, shell string) (*engine.Result, error)
	seen     map[way]bool // what was held against its schema
	found    []Own
	commands int
}

func (o *own) operation(op *operation) {
	for i := range op.Node.Members {
		if m := &op.Node.Members[i]; strings.HasPrefix(m.Name, "x-") {
			o.samples(op, m.Value, 0)
		}
	}
	for _, p := range op.Parameters {
		o.parameter(p.Node)
	}
	o.contents(op.Body, toServer)
	responses := op.Node.Fields("responses")
	for i := range responses {
		o.response(o.Resolve(responses[i].Value))
	}
}

// samples checks the commands in an extension.
func (o *own) samples(op *operation, n *openapi.Node, depth int) {
	const deepest = 10
	if n = o.Resolve(n); n == nil || depth > deepest {
		return
	}
	for _, item := range n.Items {
		o.samples(op, item, depth+1)
	}
	for i := range n.Members {
		o.samples(op, n.Members[i].Value, depth+1)
	}
	if n.Kind != openapi.Text || !strings.Contains(n.Text, "curl") {
		return
	}
	commands, _ := extract.Commands(n.Text, extract.Script) // what it has found, if that is too much work
	o.commands += len(commands)
	o.sample(op, n, commands)
}

// sample holds the commands of a text against the operation that it stands at. Where one
// of them goes there, the others prepare it, or go on from it.
func (o *own) sample(op *operation, n *openapi.Node, commands []extract.Command) {
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
		own = append(own, placed(n, c, found)...)
		if !goes {
			found, _ = o.against(r, nil)
		}
		others = append(others, placed(n, c, found)...)
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
func placed(n *openapi.Node, c *extract.Command, found []Finding) (all []Own) {
	for _, f := range found {
		one := Own{Finding: f, Place: n.PlaceOf(c.Offset(int(f.Span.Start))), Begins: n.Line}
		if f.Fix != nil && n.Block {
			one.From, one.To = n.PlaceOf(c.Offset(int(f.Fix.Span.Start))), n.PlaceOf(c.Offset(int(f.Fix.Span.End)))
		}
		all = append(all, one)
	}
	return all
}

// components checks the examples of components that no operation has.
func (o *own) components() {
	all := o.Root.Get("components")
	for _, part := range []struct {
		name  string
		check func(n *openapi.Node)
	}{
		{"parameters", o.parameter},
		{"headers", o.parameter},
		{"requestBodies", func(n *openapi.Node) { o.contents(n, toServer) }},
		{"responses", o.response},
	} {
		members := all.Fields(part.name)
		for i := range members {
			part.check(o.Resolve(members[i].Value))
		}
	}
}

func (o *own) response(n *openapi.Node) {
	o.contents(n, fromServer)
	headers := n.Fields("headers")
	for i := range headers {
		o.parameter(o.Resolve(headers[i].Value))
	}
}

// parameter checks the examples of a parameter or of a header.
func (o *own) parameter(n *openapi.Node) {
	o.examples(n, toServer, "")
	o.contents(n, toServer)
}

// contents checks the examples of all types of content.
func (o *own) contents(n *openapi.Node, to direction) {
	content := n.Fields("content")
	for i := range content {
		o.examples(o.Resolve(content[i].Value), to, content[i].Name)
	}
}

// examples holds the examples beside a schema against it; the type is that of a content,
// and empty for a parameter. Content that is no JSON is text, of which a schema says
// nothing, or the value that is written so.
func (o *own) examples(n *openapi.Node, to direction, contentType string) {
	schema := o.Resolve(n.Get("schema"))
	if schema == nil || o.seen[way{n, to}] {
		return
	}
	o.seen[way{n, to}] = true
	var all []*openapi.Node
	if one := o.Resolve(n.Get("example")); one != nil {
		all = append(all, one)
	}
	examples := n.Fields("examples")
	for i := range examples {
		example := o.Resolve(examples[i].Value)
		for _, name := range []string{"value", "dataValue"} {
			if value := o.Resolve(example.Get(name)); value != nil {
				all = append(all, value)
			}
		}
	}
	for _, example := range all {
		switch {
		case example.Kind != openapi.Text || mime.IsJSON(contentType):
			o.example(example, schema, to)
		case contentType == "":
			o.report(o.textProblems(schema, []string{example.Text}, n), example, schema)
		}
	}
}

// example holds an example against its schema. JSON may be written as text, where a
// schema takes something else.
func (o *own) example(example, schema *openapi.Node, to direction) {
	problems := o.schemas.problems(schema, to, valueOf(example))
	if len(problems) == 0 {
		return
	}
	if example.Kind == openapi.Text {
		if inner := openapi.ReadValue(example.Text); inner != nil {
			if problems = o.schemas.problems(schema, to, valueOf(inner)); len(problems) == 0 {
				return
			}
		}
	}
	o.report(problems, example, schema)
}

// report adds the problems of an example.
func (o *own) report(problems []problem, example, schema *openapi.Node) {
	for _, p := range problems[:min(len(problems), maxFound)] {
		message := "the example " + p.message
		if len(p.path) > 0 {
			message = "the example: " + named(p)
		}
		f := Finding{Code: InvalidExample, Message: message, Against: schema.Place()}
		o.found = append(o.found, Own{Finding: f, Place: example.At(p.path).Place(), Begins: example.Line})
	}
}
