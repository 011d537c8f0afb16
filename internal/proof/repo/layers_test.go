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
// called uncoil; internal/ is left out of the names.
const layers = `
	diag < engine/fault < request;
	engine/ascii < engine/mime < request;
	engine/urlparts < request;
	engine/ascii < engine/jsontext < diag < request < engine/source;
	request < engine/source/word;
	diag, engine/ascii < engine/meter < engine/source/word < engine/source/cmd < engine/source/powershell < engine/source;
	engine/ascii < engine/placeholder < engine/source/posix;
	engine/source/word < engine/source/paste < engine/source/posix, engine/source/powershell < engine/source;
	engine/source/word < engine/source/message < engine/source/fetch, engine/source/har, engine/source/rawhttp < engine/source;
	engine/source/message < engine/source;
	engine/jsontext, engine/source/message < engine/source/httpfile, engine/source/httpie, engine/source/postman;
	engine/source, engine/source/httpfile, engine/source/httpie, engine/source/postman < readers < edge/api;
	engine/jsontext < engine/source/har;
	engine/source/powershell < engine/source/quote;

	engine/source < engine/curl, engine/curlurl < engine/transfer < engine/render;
	engine/source/quote, engine/curl < engine/check;
	engine/jsontext, engine/meter, engine/urlparts, engine/reqtext, request < engine/compare < engine;
	engine/check, engine/render < engine < uncoil;
	engine/fault, engine/source/posix, engine/curl, engine/markup, engine/revise < engine/format;
	engine/revise < edge/lint;
	request < engine/reqtext < engine/transfer, engine/redact, engine/edit, code/plan;
	engine/ascii, engine/jsontext < engine/redact;
	engine/curl < engine/edit < code/rewrite;
	engine/ascii < engine/envname < code/plan, code/rewrite, edge/samples;

	engine/fault, engine/redact, engine/curl, engine/source/quote, engine/mime < code/emit < code/plan < code/posix, code/libcurl, code/rewrite;
	code/plan < code/apple, code/crystal, code/dart, code/dotnet, code/elixir, code/golang, code/haskell, code/javascript, code/julia,
		code/jvm, code/ocaml, code/perl, code/python, code/ruby, code/rust < code;
	code/libcurl < code/cfamily, code/php, code/python, code/rlang < code;
	code/posix < code/lua, code/commands < code;
	code/javascript < code/files < code;
	code/rewrite < code;
	engine/source/paste < engine/markup < extract, edge/snippets;
	engine/fault, engine/source, engine/source/quote, engine/curl < extract;
	engine/ascii, engine/urlparts, request < engine/peer < engine/transfer, engine/render, code/plan, httprequest;

	engine, engine/curl, code < edge/switches < edge/api;
	engine, engine/redact, engine/edit, code < edge/api < edge/exports < cmd/uncoil-wasm;
	engine < edge/explain < edge/api;
	edge/api, edge/suffix, extract < edge/batch < edge/clib < clib;
	edge/batch, edge/exports < cmd/uncoil-wasi;
	edge/api < edge/mcp;
	engine/fault, engine/jsontext < edge/openapi < edge/contract, edge/samples;
	engine, extract < edge/contract;
	edge/lazy < edge/contract, edge/lint, edge/snippets;
	edge/contract, edge/suffix, edge/api < edge/lint;
	edge/lint, edge/gitignore < edge/settings < edge/cli;
	edge/api < edge/codes < edge/cli, edge/httpapi;
	edge/settings + github.com/oasdiff/yaml3;
	edge/api, extract < edge/snippets < edge/samples;
	edge/lint, edge/snippets < edge/lsp;
	edge/openapi + github.com/oasdiff/yaml3;
	edge/samples + github.com/oasdiff/yaml3;
	edge/batch, edge/lsp, edge/mcp, edge/samples, engine/format < edge/cli < cmd/uncoil;
	edge/mcp, edge/metrics, edge/httpserver, edge/suffix, web < edge/httpapi;
	edge/cli, edge/httpapi, edge/sandbox < edge/serve < cmd/uncoil;
	bench/json/line < bench/json;
	edge/httpapi, bench/json/line < bench/constant;
	bench/pace;
	web < web/site;
	edge/snippets, edge/wasm, web < web/build;

	edge/cli + github.com/rogpeppe/go-internal/diff;
	edge/cli + golang.org/x/sys/unix;
	edge/httpapi + github.com/oasdiff/yaml3;
	engine/curlurl + golang.org/x/net/idna;
	edge/suffix + golang.org/x/net/publicsuffix;
	web + github.com/andybalholm/brotli;
	web/build + github.com/andybalholm/brotli;
	web/build + github.com/evanw/esbuild/pkg/api;
	edge/mcp + github.com/modelcontextprotocol/go-sdk;
	edge/httpapi + golang.org/x/time/rate;
	edge/metrics + github.com/prometheus/client_golang/prometheus;
	edge/sandbox + github.com/landlock-lsm/go-landlock;
	edge/sandbox + golang.org/x/sys/unix;
	edge/httpserver + golang.org/x/sys/unix;
`

// pureImports is what the library and the packages below it may import of the
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
var testOnly = []string{"proof/codeproof", "proof/corpus", "proof/doors", "proof/need", "proof/oracle", "proof/race", "proof/shelltest", "proof/throughc"}

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

// pure reports whether a package is one of the library.
func (p policy) pure(pkg string) bool {
	return slices.ContainsFunc([]string{"uncoil", "code", "extract", "readers"}, func(root string) bool { return pkg == root || p.allowed[root][pkg] })
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
		pure := p.pure(f.pkg)
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
	own = strings.Replace(own, "internal/", "", 1)
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
		return "the library touches no files, network, environment, clock or logs; let the caller pass in what is needed"
	}
	return ""
}

// checkPure finds goroutines, and the functions that read the clock.
func checkPure(t *testing.T, fset *token.FileSet, f layerFile) {
	t.Helper()
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: a goroutine in the library; a conversion is a pure function of its arguments, so leave concurrency to the caller", position(fset, n.Pos()))
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
		pkg = strings.Replace(pkg, "internal/", "", 1)
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
		{"request", "uncoil/internal/engine/curl", false},
		{"engine/source", "os", false},
		{"engine/source", "mvdan.cc/sh/v3/syntax", false},
		{"engine/source/posix", "uncoil/internal/engine/source", false},
		{"engine/curlurl", "golang.org/x/net/idna", true},
		{"engine/curlurl", "golang.org/x/net/idnabeta", false},
		{"engine/curl", "uncoil/internal/engine/curlurl", false},
		{"engine/curlurl", "uncoil/internal/engine/curl", false},
		{"engine/curlurl", "net/url", false},
		{"engine/curlurl", "golang.org/x/net/idna", true},
		{"engine/transfer", "net/netip", true},
		{"engine/transfer", "golang.org/x/net/idna", false},
		{"engine/transfer", "uncoil/internal/edge/suffix", false},
		{"cmd/uncoil-wasm", "uncoil/internal/edge/suffix", false},
		{"cmd/uncoil-wasm", "uncoil/internal/edge/batch", false},
		{"cmd/uncoil-wasi", "uncoil/internal/edge/batch", true},
		{"edge/suffix", "golang.org/x/net/publicsuffix", true},
		{"engine/transfer", "uncoil/internal/engine/render", false},
		{"uncoil", "log", false},
		{"uncoil", "uncoil/code", false},
		{"code", "uncoil", false},
		{"code", "os", false},
		{"uncoil", "uncoil/internal/proof/oracle", false},
		{"uncoil", "uncoil/internal/edge/api", false},
		{"edge/httpapi", "net/http", true},
		{"edge/httpapi", "uncoil/internal/edge/cli", false},
		{"edge/cli", "uncoil/internal/edge/httpapi", false},
		{"edge/serve", "uncoil/internal/edge/httpapi", true},
		{"edge/serve", "uncoil/internal/edge/cli", true},
		{"cmd/uncoil", "uncoil/internal/edge/cli", true},
		{"cmd/uncoil", "uncoil/internal/edge/serve", true},
		{"cmd/uncoil-wasm", "uncoil/internal/edge/api", true},
		{"cmd/uncoil-wasm", "uncoil/internal/edge/httpapi", false},
		{"edge/api", "uncoil/internal/edge/httpapi", false},
		{"edge/httpapi", "uncoil/web", true},
		{"edge/httpapi", "uncoil/internal/edge/wasm", false},
		{"web", "github.com/andybalholm/brotli", true},
		{"engine/redact", "uncoil/internal/engine/render", false},
	}
	for _, test := range tests {
		problem := checkImport(p, test.pkg, test.imports, p.allowed[test.pkg], p.pure(test.pkg))
		if (problem == "") != test.ok {
			t.Errorf("%s imports %s: %q", test.pkg, test.imports, problem)
		}
	}
}
