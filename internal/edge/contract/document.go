package contract

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"uncoil/internal/engine/ascii"
	"uncoil/internal/engine/fault"
)

// A Document is an OpenAPI document, read.
type Document struct {
	// Notes say what of it could not be read, each once.
	Notes []string

	root    *node
	read    func(name string) ([]byte, error)
	files   map[string]*file // nil: not to be read
	noted   map[string]bool
	old     bool      // 3.0, whose schemas are not yet those of JSON Schema 2020-12
	servers []*server // all that are named
	paths   []*pathItem
	tree    branch
	left    int // steps that may still be taken to find paths
	schemas *schemas
}

// Open reads a document. Read returns the content of a file that is named relative
// to the folder of the document, and of none that lies outside of it. A server in
// place of those that the document names may be given.
func Open(name string, servers []string, read func(name string) ([]byte, error)) (d *Document, err error) {
	defer fault.Recover(&err)
	d = &Document{read: read, files: make(map[string]*file), noted: make(map[string]bool)}
	source, err := read(name)
	if err != nil {
		return nil, err
	}
	f, err := readFile(name, string(source))
	if err != nil {
		return nil, err
	}
	d.files[name], d.root = f, f.root
	version := d.root.get("openapi")
	switch {
	case d.root.get("swagger") != nil:
		return nil, fmt.Errorf("%s is Swagger 2.0, which is not read: convert it to OpenAPI 3", name)
	case version == nil || !strings.HasPrefix(version.text, "3."):
		return nil, fmt.Errorf("%s is no OpenAPI document of version 3: it lacks openapi: 3.…", name)
	}
	d.old = strings.HasPrefix(version.text, "3.0")
	d.schemas = newSchemas(d)
	d.left = maxLookups
	if d.serversOf(d.root); len(servers) > 0 {
		d.servers = nil
		for _, url := range servers {
			d.servers = append(d.servers, newServer(url, nil))
		}
	}
	d.readPaths()
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

// note keeps what could not be read.
func (d *Document) note(format string, args ...any) {
	const most = 20
	if message := fmt.Sprintf(format, args...); !d.noted[message] && len(d.noted) < most {
		d.noted[message] = true
		d.Notes = append(d.Notes, message)
	}
}

// maxReferences is how many references may follow each other.
const maxReferences = 50

// resolve returns what a reference leads to, and any other node as it is; nil for a
// reference that leads nowhere.
func (d *Document) resolve(n *node) *node {
	for range maxReferences {
		to := n.get("$ref")
		if to == nil || to.kind != text {
			return n
		}
		if n = d.follow(to); n == nil {
			return nil
		}
	}
	d.note("%s: references lead in a circle", n.place())
	return nil
}

// follow returns the node that a reference names, or nil.
func (d *Document) follow(to *node) *node {
	name, fragment, _ := strings.Cut(to.text, "#")
	n, err := to.file.root, error(nil)
	if name != "" {
		n, err = d.open(to.file.name, name)
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(fragment, "/"), "/") {
		if fragment == "" || n == nil {
			break
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(ascii.Decoded(token, false))
		if n.kind == sequence {
			n = n.item(token)
		} else {
			n = n.get(token)
		}
	}
	if n == nil && err == nil {
		err = errors.New("there is nothing")
	}
	if err != nil {
		d.note("%s: the reference leads nowhere: %v", to.place(), err)
		return nil
	}
	return n
}

// item returns the item of a sequence that a token of a JSON Pointer names, or nil.
func (n *node) item(token string) *node {
	i := 0
	for _, c := range []byte(token) {
		if !ascii.IsDigit(c) || i > len(n.items) {
			return nil
		}
		i = 10*i + int(c-'0')
	}
	if token == "" || i >= len(n.items) {
		return nil
	}
	return n.items[i]
}

var errOutside = errors.New("only files below the folder of the document are read")

// open returns the root of the file that a reference in another file names.
func (d *Document) open(from, name string) (*node, error) {
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
