package contract

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
)

// How large a document may be. The nodes are those of a file, where each alias of
// YAML counts as what it stands for, and maxDepth bounds Go's stack.
const (
	maxNodes = 4 << 20
	maxDepth = 400
	maxFiles = 20_000
)

// A file is one of those that a document consists of.
type file struct {
	name   string
	source string
	root   *node
	lines  []string // of YAML
}

// indentation returns how many blanks stand before the text of a literal block.
func (f *file) indentation(header int) int {
	for _, line := range f.lines[min(header, len(f.lines)):] {
		if text := strings.TrimLeft(line, " "); text != "" && text != "\r" {
			return len(line) - len(text)
		}
	}
	return 0
}

// readFile reads the text of a file as JSON or as YAML.
func readFile(name, source string) (*file, error) {
	f := &file{name: name, source: source}
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
	file   *file
	source string
	places *diag.Positions
	err    error
}

func (f *file) readJSON(source string) (*node, error) {
	r := &jsonReader{Reader: jsontext.NewReader(source, maxDepth), file: f, source: source, places: diag.NewPositions(source)}
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

// readValue returns the value of a text that is JSON, or nil.
func readValue(source string) *node {
	n, err := (&file{}).readJSON(source)
	if err != nil {
		return nil
	}
	return n
}

// value reads the next value; nil after an error.
func (r *jsonReader) value() *node {
	c := r.Peek()
	start := r.Pos()
	n := &node{file: r.file, size: 1, offset: start}
	n.line, n.column = r.places.At(int32(start))
	ok := true
	switch c {
	case '{':
		n.kind = mapping
		ok = r.Object(func(name string, offset int) bool {
			m := member{name: name}
			m.line, m.column = r.places.At(int32(offset))
			m.value = r.value()
			return r.part(n, m.value, func() { n.members = append(n.members, m) })
		})
	case '[':
		n.kind = sequence
		ok = r.Array(func() bool {
			item := r.value()
			return r.part(n, item, func() { n.items = append(n.items, item) })
		})
	case '"':
		n.kind = text
		n.text, ok = r.String()
	default:
		ok = r.Skip()
		n.text = r.source[start:r.Pos()]
		n.kind = literalKind(c)
	}
	if !ok {
		return nil
	}
	return n
}

// part keeps a part that was read.
func (r *jsonReader) part(n, part *node, keep func()) bool {
	if part == nil {
		return false
	}
	keep()
	r.err = errors.Join(r.err, n.add(part))
	return r.err == nil
}

// literalKind returns the kind of a literal of JSON by its first byte.
func literalKind(c byte) shape {
	switch c {
	case 'n':
		return null
	case 't', 'f':
		return boolean
	}
	return number
}

// A yamlReader makes nodes of those of YAML.
type yamlReader struct {
	file   *file
	shared map[*yaml.Node]*node // the anchors; nil while one is read
}

func (f *file) readYAML(source string) (n *node, err error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(source), &document); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) == 0 {
		return nil, errors.New("it is empty")
	}
	f.lines = strings.Split(source, "\n")
	r := &yamlReader{file: f, shared: make(map[*yaml.Node]*node)}
	return r.value(document.Content[0], 0)
}

func (r *yamlReader) value(y *yaml.Node, depth int) (n *node, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("line %d: it nests more than %d deep", y.Line, maxDepth)
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
	n = &node{file: r.file, line: y.Line, column: y.Column, size: 1, block: y.Style&yaml.LiteralStyle != 0}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mapping
		return n, r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.kind = sequence
		for _, item := range y.Content {
			part, err := r.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, part)
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
func (r *yamlReader) mapping(n *node, y *yaml.Node, depth int) error {
	var merged []*node
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
			merged = append(append(merged, value), value.items...)
			continue
		}
		n.members = append(n.members, member{key.Value, key.Line, key.Column, value})
	}
	for _, from := range merged {
		n.members = append(n.members, from.members...)
	}
	return nil
}

// scalar takes the value of a scalar of YAML. What JSON has no form for is text.
func (n *node) scalar(y *yaml.Node) {
	n.kind, n.text = text, y.Value
	switch y.ShortTag() {
	case "!!null":
		n.kind = null
	case "!!bool":
		n.kind, n.text = boolean, strings.ToLower(y.Value)
	case "!!int", "!!float":
		if f, err := strconv.ParseFloat(y.Value, 64); err == nil && isNumber(y.Value) {
			n.kind = number
		} else if i, err := strconv.ParseInt(y.Value, 0, 64); err == nil {
			n.kind, n.text = number, strconv.FormatInt(i, 10)
		} else if f != 0 && f-f == 0 {
			n.kind, n.text = number, strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
}

// isNumber reports whether a scalar is a number of JSON.
func isNumber(s string) bool {
	r := jsontext.NewReader(s, 0)
	return r.Kind() == "a number" && r.Skip() && r.Pos() == len(s)
}
