package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A Kind is the kind of a value of JSON.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Boolean
	Number
	Text
	Sequence
	Mapping
)

// A Node is a value of a file, with its place. All of it is as the file has it:
// references are not followed.
type Node struct {
	File         *File
	Line, Column int
	Offset       int // in a text of JSON, in bytes
	Kind         Kind
	Block        bool   // a literal block of YAML, whose lines are those of the file
	Text         string // of a scalar
	Items        []*Node
	Members      []Member
	index        map[string]int // of the members, where these are many
	size         int            // how many nodes it has, those of its aliases too
}

// A Member is a name and its value in a mapping.
type Member struct {
	Name         string
	Line, Column int
	Value        *Node
}

// A Place is where something stands in a file of the document. Columns count
// characters.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// String returns the place as FILE:LINE.
func (p Place) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// Place returns where the value begins.
func (n *Node) Place() Place { return Place{n.File.Name, n.Line, n.Column} }

// Place returns where the name begins.
func (m *Member) Place() Place { return Place{m.Value.File.Name, m.Line, m.Column} }

// PlaceOf returns where an offset in the text of a node stands in its file. Where YAML
// joins the lines of a text, or JSON escapes them, it is where the text begins.
func (n *Node) PlaceOf(offset int) Place {
	p := n.Place()
	if !n.Block {
		return p
	}
	before := n.Text[:min(max(offset, 0), len(n.Text))]
	p.Line += 1 + strings.Count(before, "\n")
	p.Column = n.File.indentation(n.Line) + 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	return p
}

// few is how many members are searched one by one.
const few = 8

// Get returns the value of the member of a mapping with that name, or nil.
func (n *Node) Get(name string) *Node {
	if m := n.Member(name); m != nil {
		return m.Value
	}
	return nil
}

// Member returns the member of a mapping with that name, or nil.
func (n *Node) Member(name string) *Member {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	if len(n.Members) <= few {
		for i := range n.Members {
			if n.Members[i].Name == name {
				return &n.Members[i]
			}
		}
		return nil
	}
	if n.index == nil {
		n.index = make(map[string]int, len(n.Members))
		for i := range n.Members {
			if _, twice := n.index[n.Members[i].Name]; !twice {
				n.index[n.Members[i].Name] = i
			}
		}
	}
	if i, ok := n.index[name]; ok {
		return &n.Members[i]
	}
	return nil
}

// TextOf returns the text of a member that is a string, or "".
func (n *Node) TextOf(name string) string {
	if v := n.Get(name); v != nil && v.Kind == Text {
		return v.Text
	}
	return ""
}

// ScalarOf returns the text of a member that is a scalar, or "".
func (n *Node) ScalarOf(name string) string {
	if v := n.Get(name); v != nil {
		return v.Text
	}
	return ""
}

// Is reports whether a member is true.
func (n *Node) Is(name string) bool {
	v := n.Get(name)
	return v != nil && v.Kind == Boolean && v.Text == "true"
}

// List returns the items of a member that is a sequence, or nil.
func (n *Node) List(name string) []*Node {
	if v := n.Get(name); v != nil {
		return v.Items
	}
	return nil
}

// Fields returns the members of a member that is a mapping, or nil.
func (n *Node) Fields(name string) []Member {
	if v := n.Get(name); v != nil {
		return v.Members
	}
	return nil
}

// At returns the value that a path of names and of indices leads to, or the last one
// on the way that is there.
func (n *Node) At(path []string) *Node {
	for _, token := range path {
		part := n.Get(token)
		if n.Kind == Sequence {
			part = n.Item(token)
		}
		if part == nil {
			break
		}
		n = part
	}
	return n
}

// Item returns the item of a sequence that a token of a JSON Pointer names, or nil.
func (n *Node) Item(token string) *Node {
	i := 0
	for _, c := range []byte(token) {
		if !ascii.IsDigit(c) || i > len(n.Items) {
			return nil
		}
		i = 10*i + int(c-'0')
	}
	if token == "" || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// First returns the value of the first member or the first item, or nil.
func (n *Node) First() *Node {
	switch {
	case n == nil:
	case len(n.Members) > 0:
		return n.Members[0].Value
	case len(n.Items) > 0:
		return n.Items[0]
	}
	return nil
}

// add puts the size of a part to that of the whole.
func (n *Node) add(part *Node) error {
	n.size += part.size
	if n.size > maxNodes {
		return fmt.Errorf("it has more than %d values, those of its aliases counted each time", maxNodes)
	}
	return nil
}
