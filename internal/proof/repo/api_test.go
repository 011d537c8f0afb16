package repo

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// screen is how many lines of declarations a package may export.
const screen = 60

// TestAPI holds the exported surface of the public packages against
// testdata/api, so that a change of it is seen as one.
func TestAPI(t *testing.T) {
	for _, pkg := range []struct{ name, dir string }{
		{"uncoil", "."}, {"code", "code"}, {"diag", "diag"}, {"request", "request"}, {"httprequest", "httprequest"}, {"extract", "extract"},
	} {
		t.Run(pkg.name, func(t *testing.T) {
			got := strings.Join(exported(t, pkg.dir, true), "\n") + "\n"
			golden := filepath.Join("testdata", "api", pkg.name+".golden")
			if *update {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the exported surface of %s changed (-was +is); if that is meant:  go test ./internal/proof/repo -run API -update\n%s", pkg.name, diff)
			}
		})
	}
}

// TestAPIFitsOnAScreen checks that the short form of a package's exported
// surface, as go doc shows it, can be taken in at a glance. Constants of one
// group count as one declaration, as they do there.
func TestAPIFitsOnAScreen(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join("internal", "*"))
	if err != nil {
		t.Fatal(err)
	}
	nested, err := filepath.Glob(filepath.Join("internal", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	dirs = append(append(dirs, nested...), ".", "diag", "request", "httprequest")
	for _, dir := range dirs {
		sources, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		if len(sources) == 0 || filepath.Base(dir) == "testdata" {
			continue
		}
		if lines := exported(t, dir, false); len(lines) > screen {
			t.Errorf("%s exports %d declarations, more than the %d that fit on a screen: keep to itself what nobody else needs\n%s",
				dir, len(lines), screen, strings.Join(lines, "\n"))
		}
	}
}

// exported returns the exported declarations of a package. In full they have
// the fields of structs and every constant; else one line each.
func exported(t *testing.T, dir string, full bool) []string {
	t.Helper()
	fset := token.NewFileSet()
	sources, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0) // no comments: the surface alone
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil
	}
	p, err := doc.NewFromFiles(fset, files, "uncoil/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	s := surface{fset: fset, full: full}
	s.values(p.Consts)
	s.values(p.Vars)
	for _, f := range p.Funcs {
		s.node(f.Decl)
	}
	for _, typ := range p.Types {
		s.node(typ.Decl)
		s.values(typ.Consts)
		s.values(typ.Vars)
		for _, f := range append(typ.Funcs, typ.Methods...) {
			s.node(f.Decl)
		}
	}
	return s.lines
}

type surface struct {
	fset  *token.FileSet
	full  bool
	lines []string
}

func (s *surface) values(groups []*doc.Value) {
	for _, g := range groups {
		s.node(g.Decl)
	}
}

// node adds a declaration, which has no body.
func (s *surface) node(n ast.Node) {
	if f, ok := n.(*ast.FuncDecl); ok {
		f.Body = nil
	}
	var b bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}
	if err := config.Fprint(&b, s.fset, n); err != nil {
		panic(err)
	}
	text := b.String()
	if !s.full {
		text, _, _ = strings.Cut(text, "\n")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			s.lines = append(s.lines, line)
		}
	}
}
