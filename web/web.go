// Package web holds the page where people try uncoil, with the engine that
// runs in their browser.
//
// What is written by hand is in page, and is always part of the program. The
// engine is built from this module by  go generate ./web  into engine, which
// takes nothing but Go; without it the page says so, and is of no use.
//
// Both lie under a path that has the hash of their content, so that a browser
// may keep them for good.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:generate go run ./build

//go:embed page all:engine
var embedded embed.FS

// Policy is the Content-Security-Policy of the page, its scripts and its
// worker: everything comes from where the page comes from, and nothing but
// the engine is compiled.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// A File is a part of the page. Its content is there at least once: plain, or
// compressed.
type File struct {
	Type   string // the media type
	Hash   string // of the plain content
	Gzip   []byte
	Brotli []byte // may be nil

	plain func() []byte
}

// Plain returns the content.
func (f *File) Plain() []byte { return f.plain() }

// A Site is the whole page.
type Site struct {
	Index *File
	// Files are the others, by their path from the index, which never
	// changes its content.
	Files map[string]*File
	// HasEngine tells whether the program was built with the engine.
	HasEngine bool
}

// index.html is a template for these.
type indexData struct {
	Policy  string
	Page    string   // the folder of the page's files
	Engine  string   // the folder of the engine; empty without
	Modules []string // scripts to load ahead
	Service bool     // the page is part of the service, not of a plain host
}

// New puts the page together, as the service has it, or for plain files.
func New(service bool) (*Site, error) {
	s := &Site{Files: make(map[string]*File)}
	data := indexData{Policy: Policy, Service: service}
	var err error
	if data.Page, err = s.addPage(); err != nil {
		return nil, err
	}
	if data.Engine, err = s.addEngine(); err != nil {
		return nil, err
	}
	s.HasEngine = data.Engine != ""
	for name := range s.Files {
		if strings.HasPrefix(name, data.Page) && path.Ext(name) == ".js" && !strings.HasSuffix(name, "/worker.js") {
			data.Modules = append(data.Modules, name)
		}
	}
	slices.Sort(data.Modules)
	t, err := template.ParseFS(embedded, "page/index.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	s.Index, err = newFile("index.html", b.Bytes())
	return s, err
}

// addPage adds what is written by hand, and returns its folder.
func (s *Site) addPage() (folder string, err error) {
	entries, err := embedded.ReadDir("page")
	if err != nil {
		return "", err
	}
	all := sha256.New()
	contents := make(map[string][]byte)
	for _, entry := range entries {
		if entry.Name() == "index.html" {
			continue
		}
		content, err := embedded.ReadFile("page/" + entry.Name())
		if err != nil {
			return "", err
		}
		contents[entry.Name()] = content
		all.Write(content)
	}
	folder = "page/" + hashName(all.Sum(nil)) + "/"
	for name, content := range contents {
		if s.Files[folder+name], err = newFile(name, content); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// addEngine adds the engine, if it was built, and returns its folder.
func (s *Site) addEngine() (folder string, err error) {
	contents := make(map[string][]byte)
	all := sha256.New()
	for _, name := range []string{"wasm_exec.js", "LICENSES.txt", "uncoil.wasm.gz", "uncoil.wasm.br"} {
		content, err := embedded.ReadFile("engine/" + name)
		if err != nil {
			return "", nil // not built
		}
		contents[name] = content
		all.Write(content)
	}
	folder = "engine/" + hashName(all.Sum(nil)) + "/"
	for _, name := range []string{"wasm_exec.js", "LICENSES.txt"} {
		if s.Files[folder+name], err = newFile(name, contents[name]); err != nil {
			return "", err
		}
	}
	zipped := contents["uncoil.wasm.gz"]
	sum := sha256.Sum256(zipped)
	s.Files[folder+"uncoil.wasm"] = &File{
		Type:   mediaType("uncoil.wasm"),
		Hash:   hashName(sum[:]),
		Gzip:   zipped,
		Brotli: contents["uncoil.wasm.br"],
		plain:  sync.OnceValue(func() []byte { return unzip(zipped) }),
	}
	return folder, nil
}

// hashName returns enough of a hash to tell contents apart.
func hashName(sum []byte) string { return hex.EncodeToString(sum[:8]) }

func newFile(name string, content []byte) (*File, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	return &File{
		Type:  mediaType(name),
		Hash:  hashName(sum[:]),
		Gzip:  b.Bytes(),
		plain: func() []byte { return content },
	}, nil
}

func unzip(zipped []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		panic(err) // the file is part of the program
	}
	content, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return content
}

func mediaType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	}
	return "text/plain; charset=utf-8"
}

// Sources returns the files as they are written by hand.
func Sources() fs.FS {
	sub, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // the name is valid
	}
	return sub
}
