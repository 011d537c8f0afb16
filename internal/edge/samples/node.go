package samples

import (
	"strings"

	yaml "github.com/oasdiff/yaml3"
)

// maxHops is how many references and aliases may lead to a value.
const maxHops = 64

// A spec is an OpenAPI document.
type spec struct {
	root *yaml.Node
	work int // what may still be done for examples
	room int // how many values the present example may still have
	// within are the schemas that the present example is made from.
	within map[*yaml.Node]bool
}

// target follows aliases, and references within the document. A reference to elsewhere
// is nothing.
func (s *spec) target(n *yaml.Node) *yaml.Node {
	for range maxHops {
		if n = unaliased(n); n == nil {
			return nil
		}
		ref := own(n, "$ref")
		if ref == nil || ref.Kind != yaml.ScalarNode {
			return n
		}
		path, ok := strings.CutPrefix(ref.Value, "#/")
		if !ok {
			return nil
		}
		n = s.root
		for name := range strings.SplitSeq(path, "/") {
			// RFC 6901, 4.
			n = own(unaliased(n), strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
		}
	}
	return nil
}

// member returns the value of a member of an object, which a reference may lead to, or nil.
func (s *spec) member(n *yaml.Node, names ...string) *yaml.Node {
	for _, name := range names {
		n = s.target(own(s.target(n), name))
	}
	return n
}

// text returns the value of a member that is text, or nothing.
func (s *spec) text(n *yaml.Node, name string) string {
	if v := s.member(n, name); v != nil && v.Kind == yaml.ScalarNode {
		return v.Value
	}
	return ""
}

// is reports whether a member is true.
func (s *spec) is(n *yaml.Node, name string) bool { return s.text(n, name) == "true" }

func unaliased(n *yaml.Node) *yaml.Node {
	for range maxHops {
		if n == nil || n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return nil
}

// own returns the value of a member that an object has itself or by a merge, or nil.
func own(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
		if n.Content[i].Tag == "!!merge" {
			merged = unaliased(n.Content[i+1])
		}
	}
	if merged != nil && merged != n {
		for i := 0; merged.Kind == yaml.MappingNode && i+1 < len(merged.Content); i += 2 {
			if merged.Content[i].Value == name {
				return merged.Content[i+1]
			}
		}
	}
	return nil
}

// members calls use with the name and the value of each member of an object.
func (s *spec) members(n *yaml.Node, use func(name string, value *yaml.Node)) {
	if n = s.target(n); n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		use(n.Content[i].Value, n.Content[i+1])
	}
}

// first returns the value of the first member of an object or the first item of an array.
func (s *spec) first(n *yaml.Node) *yaml.Node {
	switch n = s.target(n); {
	case n == nil:
	case n.Kind == yaml.MappingNode && len(n.Content) > 1:
		return n.Content[1]
	case n.Kind == yaml.SequenceNode && len(n.Content) > 0:
		return n.Content[0]
	}
	return nil
}

// items returns the items of an array.
func (s *spec) items(n *yaml.Node) []*yaml.Node {
	if n = s.target(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}
