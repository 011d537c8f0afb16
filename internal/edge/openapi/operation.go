package openapi

import "strings"

// A PathItem is a path of a document.
type PathItem struct {
	Template   string
	Member     *Member // of paths
	Node       *Node   // its value
	Operations []*Operation
}

// An Operation is a method of a path.
type Operation struct {
	Item   *PathItem
	Method string // in capitals
	Node   *Node
	// At is where the path names the method.
	At Place
	// Parameters are those of the operation, and those of the path that it does not
	// describe itself.
	Parameters []*Parameter
	Body       *Node // requestBody; nil: none
}

// Name returns how messages call an operation.
func (o *Operation) Name() string { return o.Method + " " + o.Item.Template }

// A Parameter is one of an operation.
type Parameter struct {
	Name, In string
	Node     *Node
}

// methods are the members of a path that are operations. QUERY is of OpenAPI 3.2.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// maxParameters is how many parameters all operations have: many paths may refer to one
// that has very many.
const maxParameters = 1 << 22

// Paths returns the paths of a document with their operations, in its order. References
// are followed in all that they have.
func (d *Document) Paths() (all []*PathItem) {
	paths := d.Find(d.Root, "paths")
	if paths == nil {
		return nil
	}
	for i := range paths.Members {
		m := &paths.Members[i]
		n := d.Resolve(m.Value)
		if n == nil || !strings.HasPrefix(m.Name, "/") {
			continue
		}
		item := &PathItem{Template: m.Name, Member: m, Node: n}
		for _, method := range methods {
			if at := n.Member(method); at != nil {
				d.operation(item, at)
			}
		}
		all = append(all, item)
	}
	return all
}

// operation adds a method to its path.
func (d *Document) operation(item *PathItem, at *Member) {
	n := d.Resolve(at.Value)
	if n == nil || n.Kind != Mapping {
		return
	}
	o := &Operation{Item: item, Method: strings.ToUpper(at.Name), Node: n, At: at.Place()}
	o.Body = d.Find(n, "requestBody")

	type key struct{ name, in string }
	seen := make(map[key]bool)
	for _, of := range []*Node{n, item.Node} {
		list := d.Find(of, "parameters")
		if list == nil {
			continue
		}
		for _, p := range list.Items {
			if d.parameters++; d.parameters > maxParameters {
				d.Note("the operations have more than %d parameters: not all are read", maxParameters)
				break
			}
			p = d.Resolve(p)
			one := &Parameter{p.ScalarOf("name"), p.ScalarOf("in"), p}
			if k := (key{one.Name, one.In}); one.Name != "" && !seen[k] {
				seen[k] = true
				o.Parameters = append(o.Parameters, one)
			}
		}
	}
	item.Operations = append(item.Operations, o)
}

// Servers returns the servers that a document, a path or an operation names.
func (d *Document) Servers(n *Node) (all []*Node) {
	for _, s := range n.List("servers") {
		if s = d.Resolve(s); s != nil {
			all = append(all, s)
		}
	}
	return all
}
