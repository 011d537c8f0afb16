package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"math/big"
	"regexp"
	"strings"
)

// A mutant is a file with one stretch replaced.
type mutant struct {
	file       string
	line       int
	column     int
	start, end int    // bytes of the file
	within     string // the line
	old, new   string
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s -> %s in %s", m.file, m.line, m.old, m.new, m.within)
}

// place orders mutants by a seed. It depends on what stands around a mutant, and on no other
// one, so that a seed draws the same after a change elsewhere.
func (m *mutant) place(seed uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s %s %d %s %s", seed, m.file, m.within, m.column, m.old, m.new)
	return h.Sum64()
}

// in returns the file with the mutation.
func (m *mutant) in(source []byte) []byte {
	return append(append(append([]byte{}, source[:m.start]...), m.new...), source[m.end:]...)
}

// A drawer finds what can be mutated in a file.
type drawer struct {
	set    *token.FileSet
	name   string
	source []byte
	all    []mutant
	skip   map[ast.Node]bool
}

// mutantsOf returns the mutants of a file, in the order of their places. What no test can
// see is left out: bounds of what is reserved or paid, and which of two equals is taken.
func mutantsOf(name string, source []byte) ([]mutant, error) {
	d := &drawer{set: token.NewFileSet(), name: name, source: source, skip: map[ast.Node]bool{}}
	file, err := parser.ParseFile(d.set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, declaration := range file.Decls {
		switch n := declaration.(type) {
		case *ast.GenDecl:
			if n.Tok == token.CONST {
				d.constants(n)
			}
		case *ast.FuncDecl:
			if n.Body != nil {
				ast.Inspect(n.Body, d.visit)
			}
		}
	}
	return d.all, nil
}

func (d *drawer) add(n ast.Node, text string) { d.replace(n.Pos(), n.End(), text) }

func (d *drawer) replace(from, to token.Pos, text string) {
	start, end := d.set.Position(from), d.set.Position(to)
	line, _, _ := strings.Cut(string(d.source[start.Offset-start.Column+1:]), "\n")
	d.all = append(d.all, mutant{file: d.name, line: start.Line, column: start.Column, start: start.Offset, end: end.Offset,
		within: strings.TrimSpace(line), old: string(d.source[start.Offset:end.Offset]), new: text})
}

// text returns a node as it stands in the file.
func (d *drawer) text(n ast.Node) string {
	return string(d.source[d.set.Position(n.Pos()).Offset:d.set.Position(n.End()).Offset])
}

// flips are the comparisons that are off by one, or the opposite.
var flips = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&",
}

// paid are functions whose numbers are about cost or room, and names of such numbers. Tests
// hold how cost grows, not what it is.
var (
	paid  = map[string]bool{"Work": true, "Hold": true, "Grow": true, "make": true, "Room": true, "List": true}
	costs = regexp.MustCompile("(?i)(steps|cost|room|capacity|size|work)$|^(steps|cost|size)Of")
)

func (d *drawer) visit(n ast.Node) bool {
	if d.skip[n] {
		return false
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		return !paid[calledName(n)] && !isBetter(n)
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			d.constants(n)
		}
	case *ast.IfStmt:
		if clamps(d, n) {
			d.skip[n.Cond] = true
		} else if _, is := n.Cond.(*ast.BinaryExpr); !is {
			d.add(n.Cond, "!("+d.text(n.Cond)+")")
		}
	case *ast.BinaryExpr:
		if other, ok := flips[n.Op]; ok && !isTyped(n) {
			d.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other)
		}
		if number, ok := n.Y.(*ast.BasicLit); ok && number.Kind == token.INT && isOrder(n.Op) {
			d.number(number, false)
		}
	}
	return true
}

// constants adds the mutants of constants that are numbers, but no enumerations, and nothing of
// which a comment says that it is about memory: that is an estimate.
func (d *drawer) constants(n *ast.GenDecl) {
	if strings.Contains(n.Doc.Text(), "memory") {
		return
	}
	for _, spec := range n.Specs {
		s := spec.(*ast.ValueSpec)
		if strings.Contains(s.Doc.Text()+s.Comment.Text(), "memory") {
			continue
		}
		for i, value := range s.Values {
			if !costs.MatchString(s.Names[i].Name) {
				d.number(value, true)
			}
		}
	}
}

// number adds the mutants of a bound: one more, one less, and ten times it.
func (d *drawer) number(value ast.Expr, tenfold bool) {
	text := d.text(value)
	switch n := value.(type) {
	case *ast.BasicLit:
		if n.Kind != token.INT || strings.HasPrefix(text, "0x") {
			return
		}
	case *ast.BinaryExpr:
		if n.Op != token.SHL && n.Op != token.MUL {
			return
		}
		for _, side := range []ast.Expr{n.X, n.Y} {
			if literal, ok := side.(*ast.BasicLit); !ok || literal.Kind != token.INT {
				return
			}
		}
		text = "(" + text + ")"
	default:
		return
	}
	d.add(value, text+" + 1")
	if v, ok := new(big.Int).SetString(text, 0); !ok || v.Sign() > 0 {
		d.add(value, text+" - 1")
	}
	if tenfold {
		d.add(value, text+" * 10")
	}
}

func isOrder(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// calledName returns the last name of what is called.
func calledName(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// isTyped reports a comparison with what has another type where it does not compile: nil and
// text with an order.
func isTyped(n *ast.BinaryExpr) bool {
	if id, ok := n.Y.(*ast.Ident); ok && id.Name == "nil" {
		return isOrder(n.Op)
	}
	return false
}

// isBetter reports a call of a function that sorts, whose comparison of equals is seen by
// nobody.
func isBetter(n *ast.CallExpr) bool {
	return strings.HasPrefix(calledName(n), "Sort") || calledName(n) == "Slice" || calledName(n) == "BinarySearchFunc"
}

// clamps reports a statement that takes the greater or the smaller of two values: of equals it
// takes either.
func clamps(d *drawer, n *ast.IfStmt) bool {
	cond, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || !isOrder(cond.Op) || len(n.Body.List) != 1 || n.Else != nil {
		return false
	}
	set, ok := n.Body.List[0].(*ast.AssignStmt)
	if !ok || len(set.Lhs) != 1 || set.Tok != token.ASSIGN {
		return false
	}
	left, right := d.text(set.Lhs[0]), d.text(set.Rhs[0])
	x, y := d.text(cond.X), d.text(cond.Y)
	return left == x && right == y || left == y && right == x
}
