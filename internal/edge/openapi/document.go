package openapi

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"uncoil/internal/engine/ascii"
)

// A Document is an OpenAPI document, read.
type Document struct {
	// Notes say what of it could not be read, each once, and no more than 20.
	Notes []string
	Root  *Node
	// Old reports version 3.0, whose schemas are not yet those of JSON Schema 2020-12.
	Old bool
	// Upgraded reports version 2.0, which was given the form of 3.0.
	Upgraded bool

	read    func(name string) ([]byte, error)
	files   map[string]*File // nil: not to be read
	noted   map[string]bool
	targets map[*Node]*Node // what references lead to; nil: nowhere

	parameters int // how many were read
}

// Open reads a document. Read returns the content of a file that is named relative to
// the folder of the document, and of none that lies outside of it. What is no document of
// version 3 or 2.0 is an error; one of 2.0 is given the form that it has in 3.0.
func Open(name string, read func(name string) ([]byte, error)) (*Document, error) {
	d := &Document{read: read, files: make(map[string]*File), noted: make(map[string]bool), targets: make(map[*Node]*Node)}
	source, err := read(name)
	if err != nil {
		return nil, err
	}
	f, err := readFile(name, string(source))
	if err != nil {
		return nil, fmt.Errorf("this is no OpenAPI document: %w", err)
	}
	d.files[name], d.Root = f, f.root
	version := d.Root.ScalarOf("openapi")
	switch {
	case strings.HasPrefix(d.Root.ScalarOf("swagger"), "2."):
		d.Old, d.Upgraded = true, true
		d.upgrade()
		return d, nil
	case !strings.HasPrefix(version, "3."):
		return nil, fmt.Errorf("%s is no OpenAPI document of version 3 or 2.0: it lacks openapi: 3.… and swagger: 2.0", name)
	}
	d.Old = strings.HasPrefix(version, "3.0")
	return d, nil
}

// Source returns the text of a file of the document, and whether it is one.
func (d *Document) Source(name string) (string, bool) {
	f := d.files[name]
	if f == nil {
		return "", false
	}
	return f.source, true
}

// Note keeps what could not be read.
func (d *Document) Note(format string, args ...any) {
	const most = 20
	if message := fmt.Sprintf(format, args...); !d.noted[message] && len(d.noted) < most {
		d.noted[message] = true
		d.Notes = append(d.Notes, message)
	}
}

// entered stands for the target of a reference that is being followed.
var entered = new(Node)

// Resolve returns what a reference leads to, and any other node as it is; nil for a
// reference that leads nowhere, of which there is a note. References may follow each
// other as far as they lead; each is followed once.
func (d *Document) Resolve(n *Node) *Node {
	var way []*Node
	for {
		to := n.Get("$ref")
		if to == nil || to.Kind != Text {
			break
		}
		target, known := d.targets[n]
		if target == entered {
			d.Note("%s: references lead in a circle", n.Place())
			target = nil
		}
		if known {
			n = target
			break
		}
		d.targets[n] = entered
		way = append(way, n)
		n = d.follow(to)
	}
	for _, reference := range way {
		d.targets[reference] = n
	}
	return n
}

// Next returns what a reference itself leads to, which may be another one, and any other node as
// it is; nil for a reference that leads nowhere.
func (d *Document) Next(n *Node) *Node {
	if to := n.Get("$ref"); to != nil && to.Kind == Text {
		return d.follow(to)
	}
	return n
}

// Find returns the value that a path of names leads to, with the references on the way
// and at its end, or nil.
func (d *Document) Find(n *Node, names ...string) *Node {
	n = d.Resolve(n)
	for _, name := range names {
		n = d.Resolve(n.Get(name))
	}
	return n
}

// unescape puts back what a JSON Pointer escapes (RFC 6901, 4).
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// follow returns the node that a reference names, or nil.
func (d *Document) follow(to *Node) *Node {
	name, fragment, _ := strings.Cut(to.Text, "#")
	n, err := to.File.root, error(nil)
	if name != "" {
		n, err = d.open(to.File.Name, name)
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(fragment, "/"), "/") {
		if fragment == "" || n == nil {
			break
		}
		token = unescape.Replace(ascii.Decoded(token, false))
		if n.Kind == Sequence {
			n = n.Item(token)
		} else {
			n = n.Get(token)
		}
	}
	if n == nil && err == nil {
		err = errors.New("there is nothing")
	}
	if err != nil {
		d.Note("%s: the reference leads nowhere: %v", to.Place(), err)
		return nil
	}
	return n
}

var errOutside = errors.New("only files below the folder of the document are read")

// open returns the root of the file that a reference in another file names.
func (d *Document) open(from, name string) (*Node, error) {
	if strings.Contains(name, ":") || strings.HasPrefix(name, "/") || strings.Contains(name, `\`) {
		return nil, errOutside
	}
	name = path.Join(path.Dir(from), ascii.Decoded(name, false))
	if !fs.ValidPath(name) {
		return nil, errOutside
	}
	f, known := d.files[name]
	if !known {
		if len(d.files) >= maxFiles {
			return nil, fmt.Errorf("the document has more than %d files", maxFiles)
		}
		source, err := d.read(name)
		if err == nil {
			f, err = readFile(name, string(source))
		}
		d.files[name] = f
		if err != nil {
			return nil, err
		}
	}
	if f == nil {
		return nil, errors.New("the file is not read")
	}
	return f.root, nil
}
