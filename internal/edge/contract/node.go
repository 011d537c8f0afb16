package contract

import (
	"fmt"
	"strconv"
)

// A shape is the kind of a value of JSON.
type shape uint8

const (
	null shape = iota
	boolean
	number
	text
	sequence
	mapping
)

// A node is a value of a file, with its place.
type node struct {
	file         *file
	line, column int
	offset       int // in a text of JSON
	kind         shape
	block        bool   // a literal block of YAML, whose lines are those of the file
	text         string // of a scalar
	items        []*node
	members      []member
	index        map[string]int // of the members, where these are many
	size         int            // how many nodes it has, those of its aliases too
}

// A member is a name and its value in a mapping.
type member struct {
	name         string
	line, column int
	value        *node
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

func (n *node) place() Place { return Place{n.file.name, n.line, n.column} }

// few is how many members are searched one by one.
const few = 8

// get returns the member of a mapping with that name, or nil.
func (n *node) get(name string) *node {
	if m := n.member(name); m != nil {
		return m.value
	}
	return nil
}

func (n *node) member(name string) *member {
	if n == nil || n.kind != mapping {
		return nil
	}
	if len(n.members) <= few {
		for i := range n.members {
			if n.members[i].name == name {
				return &n.members[i]
			}
		}
		return nil
	}
	if n.index == nil {
		n.index = make(map[string]int, len(n.members))
		for i := range n.members {
			if _, twice := n.index[n.members[i].name]; !twice {
				n.index[n.members[i].name] = i
			}
		}
	}
	if i, ok := n.index[name]; ok {
		return &n.members[i]
	}
	return nil
}

// string returns the text of a member that is a string, or "".
func (n *node) string(name string) string {
	if v := n.get(name); v != nil && v.kind == text {
		return v.text
	}
	return ""
}

// scalarOf returns the text of a member that is a scalar, or "".
func (n *node) scalarOf(name string) string {
	if v := n.get(name); v != nil {
		return v.text
	}
	return ""
}

// is reports whether a member is true.
func (n *node) is(name string) bool {
	v := n.get(name)
	return v != nil && v.kind == boolean && v.text == "true"
}

// list returns the items of a sequence, or nil.
func (n *node) list(name string) []*node {
	if v := n.get(name); v != nil {
		return v.items
	}
	return nil
}

// fields returns the members of a mapping, or nil.
func (n *node) fields(name string) []member {
	if v := n.get(name); v != nil {
		return v.members
	}
	return nil
}

// at returns the value that a path of names and of indices leads to, or the last one
// on the way that is there.
func (n *node) at(path []string) *node {
	for _, token := range path {
		part := n.get(token)
		if n.kind == sequence {
			part = n.item(token)
		}
		if part == nil {
			break
		}
		n = part
	}
	return n
}

// add puts the size of a part to that of the whole.
func (n *node) add(part *node) error {
	n.size += part.size
	if n.size > maxNodes {
		return fmt.Errorf("it has more than %d values, those of its aliases counted each time", maxNodes)
	}
	return nil
}
