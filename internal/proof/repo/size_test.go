package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The longest file and the longest function.
const (
	mostLines     = 600
	mostStatement = 70
)

// TestSizes holds that files and functions stay short. The lines of a table of data do not
// count for the function that it stands in, nor do those of a function whose body is one
// switch over a grammar.
func TestSizes(t *testing.T) {
	measured := 0
	for _, path := range goFiles(t) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if lines := set.File(file.Pos()).LineCount(); lines > mostLines {
			t.Errorf("%s has %d lines; a file has at most %d: split it by what its parts are about", path, lines, mostLines)
		}
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Body != nil {
				measured++
				if lines := statementLines(set, f); lines > mostStatement {
					t.Errorf("%s: %s has %d lines beside data; a function has at most %d: give a part of it a name", set.Position(f.Pos()), f.Name.Name, lines, mostStatement)
				}
			}
		}
	}
	if measured < 3000 {
		t.Errorf("only %d functions were measured", measured)
	}
}

// goFiles returns the Go files of the module and of those below it.
func goFiles(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist" || strings.HasPrefix(entry.Name(), ".") && name != "."):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go"):
			paths = append(paths, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// statementLines returns how many lines a function has beside tables of data and the one
// switch that it may be.
func statementLines(set *token.FileSet, f *ast.FuncDecl) int {
	lines := func(n ast.Node) int { return set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1 }
	all := lines(f)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if isTable(n) {
				all -= lines(n) - 1
			}
			return !isTable(n)
		case *ast.SwitchStmt:
			if isGrammar(n, lines(n), lines(f)) {
				all -= lines(n) - 1
				return false
			}
		}
		return true
	})
	return all
}

// isTable reports whether a literal is a list of data.
func isTable(literal *ast.CompositeLit) bool {
	switch literal.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// isGrammar reports whether a switch over many cases is nearly all of a function.
func isGrammar(s *ast.SwitchStmt, lines, all int) bool {
	const cases, beside = 8, 30
	return len(s.Body.List) >= cases && all-lines <= beside
}

// TestStatementLines holds what counts.
func TestStatementLines(t *testing.T) {
	row := strings.Repeat("\t\t1,\n", 20)
	many := strings.Repeat("\tcase 1:\n\t\tg()\n", 10)
	for source, want := range map[string]int{
		"func f() {\n\tg()\n}":                                                         3,
		"func f() {\n\tx := []int{\n" + row + "\t}\n}":                                 3,
		"func f() {\n\tx := T{\n" + row + "\t}\n}":                                     24,
		"func f() {\n\tswitch x {\n" + many + "\t}\n}":                                 3,
		"func f() {\n\tfor {\n\t\tswitch x {\n" + many + "\t}\n\t}\n}":                 5,
		"func f() {\n" + strings.Repeat("g()\n", 40) + "switch x {\n" + many + "}\n}":  64,
		"func f() {\n\tswitch x {\n\tcase 1:\n" + strings.Repeat("g()\n", 40) + "}\n}": 45,
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "f.go", "package p\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := statementLines(set, file.Decls[0].(*ast.FuncDecl)); got != want {
			t.Errorf("%d lines, want %d:\n%s", got, want, source)
		}
	}
}
