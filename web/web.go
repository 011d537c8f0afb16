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
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

//go:generate go run ./build

//go:embed page all:engine offline
var embedded embed.FS

// Policy is the Content-Security-Policy of the page, its scripts and its
// worker: everything comes from where the page comes from, and nothing but
// the engine is compiled.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src data:; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// A File is a part of the page.
type File struct {
	Type   string // the media type
	Hash   string // of the content
	Brotli []byte // the content, compressed; may be nil

	plain, gzip func() []byte
}

// Plain returns the content.
func (f *File) Plain() []byte { return f.plain() }

// Gzip returns the content compressed with gzip. The first call may take as
// long as that takes.
func (f *File) Gzip() []byte { return f.gzip() }

// A Site is the whole page.
type Site struct {
	Index *File
	// Pages are the index for each of Languages, by its path.
	Pages map[string]*File
	// Worker is the service worker offline.js, which lies beside the index
	// because it serves what lies below itself.
	Worker *File
	// Files are the others, by their path from the index, which never
	// changes its content.
	Files map[string]*File
	// HasEngine reports whether the program was built with the engine.
	HasEngine bool
}

// New puts the page together, as the service has it, or for plain files.
func New(service bool) (*Site, error) {
	s := &Site{Files: make(map[string]*File)}
	page, err := s.addPage()
	if err != nil {
		return nil, err
	}
	engine, err := s.addEngine()
	if err != nil {
		return nil, err
	}
	s.HasEngine = engine != ""
	index, err := s.fill(page, engine, service, Language{})
	if err != nil {
		return nil, err
	}
	s.Index = newFile("index.html", index)
	s.Pages = make(map[string]*File)
	for _, language := range Languages {
		content, err := s.fill(page, engine, service, language)
		if err != nil {
			return nil, err
		}
		s.Pages[language.Path] = newFile("index.html", content)
	}
	worker, err := s.worker(index)
	if err != nil {
		return nil, err
	}
	s.Worker = newFile("offline.js", worker)
	return s, nil
}

// worker completes offline.js, which names the version and its files.
func (s *Site) worker(index []byte) ([]byte, error) {
	source, err := embedded.ReadFile("offline/offline.js")
	if err != nil {
		return nil, err
	}
	files := slices.Sorted(maps.Keys(s.Files))
	sum := sha256.Sum256(append(bytes.Clone(index), strings.Join(files, "\n")...))
	parts, err := json.Marshal(map[string]any{"version": hashName(sum[:]), "files": files})
	if err != nil {
		return nil, err
	}
	return bytes.Replace(source, []byte("= {};"), append(append([]byte("= "), parts...), ';'), 1), nil
}

// fill completes index.html, which names the folders of the page and of the
// engine, the latter empty without one, and the language of its own that it has.
func (s *Site) fill(page, engine string, service bool, language Language) ([]byte, error) {
	var modules []string // scripts to load ahead
	for name := range s.Files {
		if strings.HasPrefix(name, page) && path.Ext(name) == ".js" && !strings.HasSuffix(name, "/worker.js") {
			modules = append(modules, name)
		}
	}
	slices.Sort(modules)
	index, err := template.ParseFS(embedded, "page/index.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = index.Execute(&b, struct {
		Policy, Page, Engine string
		Modules              []string
		Service              bool
		Language             Language
		Languages            []Language
	}{Policy, page, engine, modules, service, language, Languages})
	return b.Bytes(), err
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
		s.Files[folder+name] = newFile(name, content)
	}
	return folder, nil
}

// engine is the name of the engine: see web/build.
const engine = "uncoil.wasm"

// addEngine adds the engine, if it was built, and returns its folder.
func (s *Site) addEngine() (folder string, err error) {
	contents := make(map[string][]byte)
	all := sha256.New()
	for _, name := range []string{"wasm_exec.js", "LICENSES.txt", engine + ".br"} {
		content, err := embedded.ReadFile("engine/" + name)
		if err != nil {
			return "", nil // not built
		}
		contents[name] = content
		all.Write(content)
	}
	folder = "engine/" + hashName(all.Sum(nil)) + "/"
	for _, name := range []string{"wasm_exec.js", "LICENSES.txt"} {
		s.Files[folder+name] = newFile(name, contents[name])
	}
	s.Files[folder+engine] = compressedFile(engine, contents[engine+".br"])
	return folder, nil
}

// compressedFile returns a file that is part of the program in the form that
// browsers ask for. The others are made of it for the first client that wants
// them: gzip would be another 1.4 MB of program, and the code that takes its
// place is a sixth of that.
func compressedFile(name string, squeezed []byte) *File {
	sum := sha256.Sum256(squeezed)
	content := func() io.Reader { return brotli.NewReader(bytes.NewReader(squeezed)) }
	return &File{
		Type:   mediaType(name),
		Hash:   hashName(sum[:]),
		Brotli: squeezed,
		plain:  sync.OnceValue(func() []byte { return readAll(content()) }),
		gzip:   sync.OnceValue(func() []byte { return zip(content()) }),
	}
}

// hashName returns a prefix of the hash that is long enough to be unique.
func hashName(sum []byte) string { return hex.EncodeToString(sum[:8]) }

func newFile(name string, content []byte) *File {
	sum := sha256.Sum256(content)
	zipped := zip(bytes.NewReader(content))
	return &File{
		Type:  mediaType(name),
		Hash:  hashName(sum[:]),
		plain: func() []byte { return content },
		gzip:  func() []byte { return zipped },
	}
}

// zip compresses a part of the program.
func zip(content io.Reader) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.Copy(w, content)
	if err := errors.Join(err, w.Close()); err != nil {
		panic(err) // memory takes all, and what is read is part of the program
	}
	return b.Bytes()
}

func readAll(part io.Reader) []byte {
	content, err := io.ReadAll(part)
	if err != nil {
		panic(err) // it is part of the program
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
