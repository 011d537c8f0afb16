// Package web holds the page where people try uncoil, with the engine that
// runs in their browser.
//
// What is written by hand is in page, and is always part of the program. The
// engine is built from this module by  go generate ./web  into engine, which
// takes nothing but Go; without it the page says so, and is of no use.
//
// go generate also joins the scripts of the page to one for the page and one for its
// worker. Without that, or after a change of them, the page has them one by one.
//
// All lie under a path that has the hash of their content, so that a browser
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
	"fmt"
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
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

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
	// Embed is the index for a frame within another page: without a way to share, and
	// without anything kept.
	Embed *File
	// Worker is the service worker offline.js, which lies beside the index
	// because it serves what lies below itself.
	Worker *File
	// Files are the others, by their path from the index, which never
	// changes its content.
	Files map[string]*File
	// HasEngine reports whether the program was built with the engine.
	HasEngine bool
}

// Options say where a Site is shown.
type Options struct {
	Service bool // by the service, which has other pages beside it; else as plain files
	Asks    bool // where the engine was not built, the page may ask the service
}

// New puts the page together.
func New(o Options) (*Site, error) {
	s := &Site{Files: make(map[string]*File), Pages: make(map[string]*File)}
	about, err := readBuilt()
	if err != nil {
		return nil, err
	}
	page, err := s.addPage(about.Page)
	if err != nil {
		return nil, err
	}
	engine, err := s.addEngine()
	if err != nil {
		return nil, err
	}
	s.HasEngine = engine != ""
	shown := indexData{Options: o, Policy: Policy, Page: page, Engine: engine, Size: about.Size, Modules: s.modules(page), Languages: Languages}
	index, err := shown.fill()
	if err != nil {
		return nil, err
	}
	s.Index = newFile("index.html", index)
	for _, shown.Language = range Languages {
		content, err := shown.fill()
		if err != nil {
			return nil, err
		}
		s.Pages[shown.Language.Path] = newFile("index.html", content)
	}
	shown.Language, shown.Embed = Language{}, true
	embed, err := shown.fill()
	if err != nil {
		return nil, err
	}
	s.Embed = newFile("index.html", embed)
	worker, err := s.worker(index, o)
	if err != nil {
		return nil, err
	}
	s.Worker = newFile("offline.js", worker)
	return s, nil
}

// worker completes offline.js, which names the version, its files and the pages of
// languages, in whose place it shows the index where there is no network.
func (s *Site) worker(index []byte, o Options) ([]byte, error) {
	source, err := embedded.ReadFile("offline/offline.js")
	if err != nil {
		return nil, err
	}
	files := slices.Sorted(maps.Keys(s.Files))
	var pages []string
	for _, language := range Languages {
		pages = append(pages, language.Path+o.suffix())
	}
	sum := sha256.Sum256(append(bytes.Clone(index), strings.Join(files, "\n")...))
	parts, err := json.Marshal(map[string]any{"version": hashName(sum[:]), "files": files, "pages": pages})
	if err != nil {
		return nil, err
	}
	return bytes.Replace(source, []byte("= {};"), append(append([]byte("= "), parts...), ';'), 1), nil
}

// suffix is how the names of pages end.
func (o Options) suffix() string {
	if o.Service {
		return ""
	}
	return ".html"
}

// indexData is what index.html is completed with.
type indexData struct {
	Options
	Policy       string
	Page, Engine string   // the folders; that of the engine is empty without one
	Size         int      // of the engine, in bytes
	Modules      []string // scripts to load ahead
	Language     Language // the one that the page is for
	Languages    []Language
	Embed        bool
}

// Suffix is how the names of pages end.
func (d *indexData) Suffix() string { return d.suffix() }

func (d *indexData) fill() ([]byte, error) {
	index, err := template.ParseFS(embedded, "page/index.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = index.Execute(&b, d)
	return b.Bytes(), err
}

// modules returns the scripts of the page's folder that it loads.
func (s *Site) modules(page string) (modules []string) {
	for name := range s.Files {
		if strings.HasPrefix(name, page) && path.Ext(name) == ".js" && !strings.HasSuffix(name, "/worker.js") && !strings.HasSuffix(name, "/app.js") {
			modules = append(modules, name)
		}
	}
	slices.Sort(modules)
	return modules
}

// MaxDownload is how many bytes the engine may have with brotli: what it has, and 3 %. A change
// that needs more raises it, and says by how much.
const MaxDownload = 2_545_000

// Built says what go generate built; web/build writes it.
type Built struct {
	Page string `json:"page"` // the hash of the sources from which it joined the scripts
	Size int    `json:"size"` // of the engine, in bytes, not compressed
}

// readBuilt returns what was built, or nothing.
func readBuilt() (b Built, err error) {
	content, err := embedded.ReadFile("engine/built.json")
	if err != nil {
		return b, nil // not built
	}
	err = json.Unmarshal(content, &b)
	return b, err
}

// SourcesHash is the hash of what is written by hand of the page.
func SourcesHash() (string, error) {
	all := sha256.New()
	entries, err := embedded.ReadDir("page")
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		content, err := embedded.ReadFile("page/" + entry.Name())
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s %d\n%s", entry.Name(), len(content), content)
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// addPage adds what is written by hand, and returns its folder. The scripts are joined
// where that was done for these sources.
func (s *Site) addPage(joinedFrom string) (folder string, err error) {
	sources, err := SourcesHash()
	if err != nil {
		return "", err
	}
	contents := make(map[string][]byte)
	if err := readAllFiles(contents, "page"); err != nil {
		return "", err
	}
	delete(contents, "index.html")
	if sources == joinedFrom {
		maps.DeleteFunc(contents, func(name string, _ []byte) bool { return path.Ext(name) == ".js" || path.Ext(name) == ".css" })
		if err := readAllFiles(contents, "engine/page"); err != nil {
			return "", err
		}
	}
	all := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		fmt.Fprintf(all, "%s %d\n%s", name, len(contents[name]), contents[name])
	}
	folder = "page/" + hashName(all.Sum(nil)) + "/"
	for name, content := range contents {
		s.Files[folder+name] = newFile(name, content)
	}
	return folder, nil
}

func readAllFiles(contents map[string][]byte, dir string) error {
	entries, err := embedded.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if contents[entry.Name()], err = embedded.ReadFile(dir + "/" + entry.Name()); err != nil {
			return err
		}
	}
	return nil
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
	case ".svg":
		return "image/svg+xml"
	case ".webmanifest":
		return "application/manifest+json"
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
