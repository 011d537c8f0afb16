package repo

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers lists the imports that the packages of the module may have. It is a
// policy: discuss a change, and do not make one to let a test pass.
//
// In "a, b < c" the packages on the right may import those on the left, and
// all that those may. "c + m" lets c, and no one else, import the packages of
// another module at or below the path m. The package at the module's root is
// called uncoil.
const layers = `
	diag < internal/fault < request, extract, internal/format;
	internal/ascii < internal/mime < request;
	diag, internal/ascii < request < internal/jsontext < internal/shell;
	diag, internal/ascii < internal/meter < internal/shell/word < internal/shell/cmd < internal/shell/powershell;
	internal/shell/powershell < internal/shell;
	internal/shell/powershell < internal/shell/quote < uncoil;
	internal/shell/word < internal/shell/paste < internal/shell/posix < internal/shell;
	internal/shell/word < internal/shell/paste < internal/shell;
	internal/shell/word < internal/shell/message < internal/shell/fetch, internal/shell/har, internal/shell/rawhttp < internal/shell;
	internal/jsontext < internal/shell/har;
	internal/ascii < internal/repeat < internal/render;

	internal/shell < internal/curl, internal/curlurl < internal/transfer < internal/render;

	internal/shell/quote, internal/curl < internal/check < uncoil;
	internal/render < uncoil;
	request, internal/ascii, internal/jsontext < internal/redact;
	internal/curl, internal/shell/quote < internal/format < internal/cli;
	diag, request, internal/ascii, internal/curl, internal/redact, internal/shell/quote < code < uncoil;

	request < httprequest;
	uncoil < internal/api < internal/cli < cmd/uncoil;
	internal/shell, internal/jsontext < extract < internal/cli;
	internal/api, internal/suffix, extract < internal/batch < internal/cli;
	internal/api < internal/mcp < internal/cli, internal/httpapi;
	internal/api, internal/metrics, internal/httpserver < internal/httpapi;
	internal/cli, internal/httpapi, internal/sandbox < internal/serve < cmd/uncoil;
	internal/curl < internal/edit;
	internal/redact, internal/edit < internal/api < cmd/uncoil-wasm;
	internal/suffix < internal/cli, internal/httpapi;
	web < internal/httpapi;
	internal/httpapi < bench/constant;
	bench/pace;
	web < web/site;
	internal/wasm < web/build;

	internal/cli + github.com/rogpeppe/go-internal/diff;
	internal/curlurl + golang.org/x/net/idna;
	internal/suffix + golang.org/x/net/publicsuffix;
	web + github.com/andybalholm/brotli;
	web/build + github.com/andybalholm/brotli;
	internal/mcp + github.com/modelcontextprotocol/go-sdk;
	internal/httpapi + golang.org/x/time/rate;
	internal/metrics + github.com/prometheus/client_golang/prometheus;
	internal/sandbox + github.com/landlock-lsm/go-landlock;
	internal/sandbox + golang.org/x/sys/unix;
`

// pureImports is what the facade and the packages below it may import of the
// standard library: nothing there touches files, network, environment, clock
// or logs; embed does so when the program is built only.
var pureImports = strings.Fields(`
	bytes cmp embed encoding/base64 encoding/hex errors iter maps math math/bits net/netip path reflect runtime
	slices sort strconv strings sync sync/atomic time unicode unicode/utf16 unicode/utf8
`)

// impureCalls are the functions of those packages that do all the same.
var impureCalls = strings.Fields(`
	time.After time.AfterFunc time.LoadLocation time.NewTicker time.NewTimer time.Now time.Since
	time.Sleep time.Tick time.Until
`)

// testOnly are packages that only tests import.
var testOnly = []string{"internal/codeproof", "internal/corpus", "internal/oracle", "internal/shell/shelltest"}

// A policy is the text of layers, read.
type policy struct {
	allowed map[string]map[string]bool // package → what it may import
	modules map[string][]string        // package → paths outside the module
}

func readPolicy(t *testing.T) policy {
	t.Helper()
	p := policy{make(map[string]map[string]bool), make(map[string][]string)}
	for rule := range strings.SplitSeq(layers, ";") {
		rule = strings.TrimSpace(rule)
		if name, module, ok := strings.Cut(rule, "+"); ok {
			name = strings.TrimSpace(name)
			p.modules[name] = append(p.modules[name], strings.TrimSpace(module))
			continue
		}
		var below []string
		for level := range strings.SplitSeq(rule, "<") {
			var names []string
			for name := range strings.SplitSeq(level, ",") {
				if name = strings.TrimSpace(name); name == "" {
					continue
				}
				names = append(names, name)
				if p.allowed[name] == nil {
					p.allowed[name] = make(map[string]bool)
				}
				for _, b := range below {
					p.allowed[name][b] = true
					for c := range p.allowed[b] {
						p.allowed[name][c] = true
					}
				}
			}
			below = names
		}
	}
	for name, allowed := range p.allowed {
		if allowed[name] {
			t.Fatalf("layers lets %s import itself", name)
		}
	}
	return p
}

// A layerFile is a Go file that is not a test.
type layerFile struct {
	pkg string // as layers calls it
	*ast.File
}

func TestLayers(t *testing.T) {
	p := readPolicy(t)
	fset := token.NewFileSet()
	files := moduleFiles(t, fset)
	seen := make(map[string]bool)
	for _, f := range files {
		seen[f.pkg] = true
		if slices.Contains(testOnly, f.pkg) {
			continue
		}
		allowed, ok := p.allowed[f.pkg]
		if !ok {
			t.Errorf("%s: the package %s has no place in layers (layers_test.go): agree on one, and add it there", position(fset, f.Pos()), f.pkg)
			continue
		}
		pure := f.pkg == "uncoil" || p.allowed["uncoil"][f.pkg]
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if problem := checkImport(p, f.pkg, name, allowed, pure); problem != "" {
				t.Errorf("%s: %s imports %s: %s", position(fset, spec.Pos()), f.pkg, name, problem)
			}
		}
		if pure {
			checkPure(t, fset, f)
		}
	}
	for name := range p.allowed {
		if !seen[name] {
			t.Errorf("layers (layers_test.go) has a place for %s, which is not there: take it out", name)
		}
	}
}

// checkImport returns what is wrong with an import and what to do, or "".
func checkImport(p policy, pkg, name string, allowed map[string]bool, pure bool) string {
	own, isOwn := strings.CutPrefix(name, "uncoil/")
	if name == "uncoil" {
		own, isOwn = name, true
	}
	first, _, _ := strings.Cut(name, "/")
	switch {
	case isOwn && slices.Contains(testOnly, own):
		return "only tests may; move what is needed into a package of its own"
	case isOwn && !allowed[own]:
		return "it stands on the same layer or above; move what is shared into a lower package, or pass it in"
	case isOwn:
		return ""
	case strings.Contains(first, "."):
		if slices.ContainsFunc(p.modules[pkg], func(m string) bool { return name == m || strings.HasPrefix(name, m+"/") }) {
			return ""
		}
		return "this package may not use that module; use the package that wraps it, or discuss a line in layers (layers_test.go)"
	case pure && !slices.Contains(pureImports, name):
		return "at and below the facade nothing touches files, network, environment, clock or logs; let the caller pass in what is needed"
	}
	return ""
}

// checkPure finds goroutines, and the functions that read the clock.
func checkPure(t *testing.T, fset *token.FileSet, f layerFile) {
	t.Helper()
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: a goroutine at or below the facade; a conversion is a pure function of its arguments, so leave concurrency to the caller", position(fset, n.Pos()))
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && slices.Contains(impureCalls, x.Name+"."+n.Sel.Name) {
				t.Errorf("%s: %s.%s reads the clock; let the caller pass the time in", position(fset, n.Pos()), x.Name, n.Sel.Name)
			}
		}
		return true
	})
}

// TestClosure checks that the library imports nothing that opens
// connections, by way of another module either.
func TestClosure(t *testing.T) {
	listed, err := exec.Command("go", "list", "-deps", ".", "./code").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(listed)) {
		if slices.Contains([]string{"net", "net/http", "net/url", "crypto/tls", "log", "os/exec"}, name) {
			t.Errorf("a program that imports uncoil gets %s; find the import with  go mod why, or go list -deps", name)
		}
	}
}

func position(fset *token.FileSet, pos token.Pos) string {
	p := fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.ToSlash(p.Filename), p.Line)
}

// moduleFiles parses the Go files of the module, tests left out.
func moduleFiles(t *testing.T, fset *token.FileSet) []layerFile {
	t.Helper()
	var files []layerFile
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			nested := name != "." && isModule(name)
			if nested || base == "testdata" || name != "." && strings.HasPrefix(base, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(name))
		if pkg == "." {
			pkg = "uncoil"
		}
		files = append(files, layerFile{pkg, file})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// isModule reports whether a directory is the root of another module.
func isModule(dir string) bool {
	matches, _ := filepath.Glob(filepath.Join(dir, "go.mod"))
	return len(matches) > 0
}

// TestLayersCatch checks that the policy reports violations.
func TestLayersCatch(t *testing.T) {
	p := readPolicy(t)
	tests := []struct {
		pkg, imports string
		ok           bool
	}{
		{"diag", "strings", true},
		{"diag", "uncoil/request", false},
		{"request", "uncoil/diag", true},
		{"request", "uncoil/internal/curl", false},
		{"internal/shell", "os", false},
		{"internal/shell", "mvdan.cc/sh/v3/syntax", false},
		{"internal/shell/posix", "uncoil/internal/shell", false},
		{"internal/curlurl", "golang.org/x/net/idna", true},
		{"internal/curlurl", "golang.org/x/net/idnabeta", false},
		{"internal/curl", "uncoil/internal/curlurl", false},
		{"internal/curlurl", "uncoil/internal/curl", false},
		{"internal/curlurl", "net/url", false},
		{"internal/curlurl", "golang.org/x/net/idna", true},
		{"internal/transfer", "net/netip", true},
		{"internal/transfer", "golang.org/x/net/idna", false},
		{"internal/transfer", "uncoil/internal/suffix", false},
		{"cmd/uncoil-wasm", "uncoil/internal/suffix", false},
		{"internal/suffix", "golang.org/x/net/publicsuffix", true},
		{"internal/transfer", "uncoil/internal/render", false},
		{"uncoil", "log", false},
		{"uncoil", "uncoil/internal/oracle", false},
		{"uncoil", "uncoil/internal/api", false},
		{"internal/httpapi", "net/http", true},
		{"internal/httpapi", "uncoil/internal/cli", false},
		{"internal/cli", "uncoil/internal/httpapi", false},
		{"internal/serve", "uncoil/internal/httpapi", true},
		{"internal/serve", "uncoil/internal/cli", true},
		{"cmd/uncoil", "uncoil/internal/cli", true},
		{"cmd/uncoil", "uncoil/internal/serve", true},
		{"cmd/uncoil-wasm", "uncoil/internal/api", true},
		{"cmd/uncoil-wasm", "uncoil/internal/httpapi", false},
		{"internal/api", "uncoil/internal/httpapi", false},
		{"internal/httpapi", "uncoil/web", true},
		{"internal/httpapi", "uncoil/internal/wasm", false},
		{"web", "github.com/andybalholm/brotli", true},
		{"internal/redact", "uncoil/internal/render", false},
	}
	for _, test := range tests {
		pure := test.pkg == "uncoil" || p.allowed["uncoil"][test.pkg]
		problem := checkImport(p, test.pkg, test.imports, p.allowed[test.pkg], pure)
		if (problem == "") != test.ok {
			t.Errorf("%s imports %s: %q", test.pkg, test.imports, problem)
		}
	}
}
