package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
)

// MaxDepth is how deep the values of a file nest; it bounds Go's stack.
const MaxDepth = 400

// How large a document may be. The nodes are those of a file, where each alias of
// YAML counts as what it stands for.
const (
	maxNodes = 4 << 20
	maxFiles = 20_000
)

// A File is one of those that a document consists of.
type File struct {
	Name   string
	source string
	root   *Node
	lines  []string // of YAML
}

// indentation returns how many blanks stand before the text of a literal block.
func (f *File) indentation(header int) int {
	for _, line := range f.lines[min(header, len(f.lines)):] {
		if text := strings.TrimLeft(line, " "); text != "" && text != "\r" {
			return len(line) - len(text)
		}
	}
	return 0
}

// readFile reads the text of a file as JSON or as YAML.
func readFile(name, source string) (*File, error) {
	f := &File{Name: name, source: source}
	var err error
	if jsontext.StartsContainer(source) && jsontext.Container(source) {
		f.root, err = f.readJSON(source)
	} else {
		f.root, err = f.readYAML(source)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// A jsonReader makes nodes of JSON.
type jsonReader struct {
	jsontext.Reader
	file   *File
	source string
	places *diag.Positions
	err    error
}

func (f *File) readJSON(source string) (*Node, error) {
	r := &jsonReader{Reader: jsontext.NewReader(source, MaxDepth), file: f, source: source, places: diag.NewPositions(source)}
	n := r.value()
	switch {
	case r.err != nil:
		return nil, r.err
	case r.Err() != nil:
		line, column := r.places.At(int32(r.Err().Offset))
		return nil, fmt.Errorf("line %d, column %d: %w", line, column, r.Err())
	case r.Peek() != 0 || r.Pos() < len(source):
		return nil, errors.New("something stands behind the value")
	}
	return n, nil
}

// ReadValue returns the value of a text that is JSON, or nil.
func ReadValue(source string) *Node {
	n, err := (&File{}).readJSON(source)
	if err != nil {
		return nil
	}
	return n
}

// value reads the next value; nil after an error.
func (r *jsonReader) value() *Node {
	c := r.Peek()
	start := r.Pos()
	n := &Node{File: r.file, size: 1, Offset: start}
	n.Line, n.Column = r.places.At(int32(start))
	ok := true
	switch c {
	case '{':
		n.Kind = Mapping
		ok = r.Object(func(name string, offset int) bool {
			m := Member{Name: name}
			m.Line, m.Column = r.places.At(int32(offset))
			m.Value = r.value()
			return r.part(n, m.Value, func() { n.Members = append(n.Members, m) })
		})
	case '[':
		n.Kind = Sequence
		ok = r.Array(func() bool {
			item := r.value()
			return r.part(n, item, func() { n.Items = append(n.Items, item) })
		})
	case '"':
		n.Kind = Text
		n.Text, ok = r.String()
	default:
		ok = r.Skip()
		n.Text = r.source[start:r.Pos()]
		n.Kind = literalKind(c)
	}
	if !ok {
		return nil
	}
	return n
}

// part keeps a part that was read.
func (r *jsonReader) part(n, part *Node, keep func()) bool {
	if part == nil {
		return false
	}
	keep()
	r.err = errors.Join(r.err, n.add(part))
	return r.err == nil
}

// literalKind returns the kind of a literal of JSON by its first byte.
func literalKind(c byte) Kind {
	switch c {
	case 'n':
		return Null
	case 't', 'f':
		return Boolean
	}
	return Number
}

// A yamlReader makes nodes of those of YAML.
type yamlReader struct {
	file   *File
	shared map[*yaml.Node]*Node // the anchors; nil while one is read
}

func (f *File) readYAML(source string) (n *Node, err error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(source), &document); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, errors.New("it is empty")
	}
	f.lines = strings.Split(source, "\n")
	r := &yamlReader{file: f, shared: make(map[*yaml.Node]*Node)}
	return r.value(document.Content[0], 0)
}

func (r *yamlReader) value(y *yaml.Node, depth int) (n *Node, err error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("line %d: it nests more than %d deep", y.Line, MaxDepth)
	}
	if y.Kind == yaml.AliasNode {
		y = y.Alias
	}
	if y.Anchor != "" {
		if known, ok := r.shared[y]; ok && known == nil {
			return nil, fmt.Errorf("line %d: an alias stands for a value that it is a part of", y.Line)
		} else if ok {
			return known, nil
		}
		r.shared[y] = nil
		defer func() { r.shared[y] = n }()
	}
	n = &Node{File: r.file, Line: y.Line, Column: y.Column, size: 1, Block: y.Style&yaml.LiteralStyle != 0}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Mapping
		return n, r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = Sequence
		for _, item := range y.Content {
			part, err := r.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, part)
			if err := n.add(part); err != nil {
				return nil, err
			}
		}
	default:
		n.scalar(y)
	}
	return n, nil
}

// mapping reads the members of a mapping. Those of a merge (<<) stand behind its own.
func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) error {
	var merged []*Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		value, err := r.value(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		if err := n.add(value); err != nil {
			return err
		}
		if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
			merged = append(append(merged, value), value.Items...)
			continue
		}
		n.Members = append(n.Members, Member{key.Value, key.Line, key.Column, value})
	}
	for _, from := range merged {
		n.Members = append(n.Members, from.Members...)
	}
	return nil
}

// scalar takes the value of a scalar of YAML. What JSON has no form for is text.
func (n *Node) scalar(y *yaml.Node) {
	n.Kind, n.Text = Text, y.Value
	switch y.ShortTag() {
	case "!!null":
		n.Kind = Null
	case "!!bool":
		n.Kind, n.Text = Boolean, strings.ToLower(y.Value)
	case "!!int", "!!float":
		var value any
		if isNumber(y.Value) {
			n.Kind = Number
		} else if y.Decode(&value) == nil {
			if text, err := json.Marshal(value); err == nil {
				n.Kind, n.Text = Number, string(text)
			}
		}
	}
}

// isNumber reports whether a scalar is a number of JSON.
func isNumber(s string) bool {
	r := jsontext.NewReader(s, 0)
	return r.Kind() == "a number" && r.Skip() && r.Pos() == len(s)
}
