// Statements prints how many statements the functions of each room have outside of tests, and
// how many there are in all, so that growth is seen. Tables of data are no statements.
//
//	go run -C tools ./statements
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	root := flag.String("root", "..", "the folder of the module")
	flag.Parse()
	rooms, err := count(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "statements:", err)
		os.Exit(1)
	}
	total := 0
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		fmt.Printf("%7d  %s\n", rooms[room], room)
		total += rooms[room]
	}
	fmt.Printf("%7d  in all\n", total)
}

// without are folders of what is no part of the programs; proof has what tests share.
var without = []string{"node_modules", "testdata", "dist", "proof"}

// count returns the statements of each room.
func count(root string) (map[string]int, error) {
	rooms := map[string]int{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (slices.Contains(without, name) || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, path)
		if err == nil {
			rooms[roomOf(filepath.ToSlash(below))] += statements(file)
		}
		return err
	})
	return rooms, err
}

// roomOf returns the room of a file: the first folder, or two or three where these have rooms
// of their own.
func roomOf(path string) string {
	parts := strings.Split(path, "/")
	depth := 1
	switch parts[0] {
	case "internal":
		depth = 3
	case "code":
		depth = 3
	}
	if len(parts) == 1 {
		return "."
	}
	return strings.Join(parts[:min(depth, len(parts)-1)], "/")
}

// statements returns how many statements a file has: each counts once, a block or an empty
// statement is none of its own, and neither is a declaration without a function.
func statements(file *ast.File) (n int) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.BlockStmt, *ast.EmptyStmt, *ast.LabeledStmt:
		case *ast.CaseClause, *ast.CommClause: // a branch, as an if is
			n++
		case ast.Stmt:
			n++
		}
		return true
	})
	return n
}
