package python

import (
	"cmp"
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program writes otherwise where it is a function: how it begins, its types, and what it
// returns.

// pythonBody writes the functions that the program needs, and the requests, in the function
// that is asked for; async stands before def.
func pythonBody(p *plan.Program, async string, sections [][]byte) {
	functions(p)
	if p.IsFunction() {
		if len(p.Dst) > 0 && len(p.Helpers) == 0 {
			p.Line() // two before a function: PEP 8
		}
		items := p.DeclareParameters(func(one *plan.Parameter) string {
			switch {
			case one.HasDefault:
				return one.Name + ": str = " + String(p, one.Default)
			case p.TakesJSON(one):
				return one.Name + ": Any"
			}
			return one.Name + ": str"
		})
		p.Node(async+"def "+p.FunctionName(), emit.Group("", "(", items, ")"), " -> "+cmp.Or(p.Result, "None")+":")
		p.Level++
		p.NoteFunction(&plan.DocComment{Open: `"""`, Close: `"""`}, p.Says("Send", "yield"), "")
		p.Level--
	}
	p.Join(sections)
}

// useTypes imports the types of the function that the program is.
func useTypes(p *plan.Program) {
	if !p.IsFunction() {
		return
	}
	parameters := p.Parameters()
	if strings.Contains(p.Result, "Any") || slices.ContainsFunc(parameters, func(one plan.Parameter) bool { return p.TakesJSON(&one) }) ||
		slices.ContainsFunc(p.Helpers, func(function string) bool { return strings.Contains(function, ": Any") }) {
		p.Use("from typing import Any")
	}
	for _, class := range []string{"AsyncIterator", "Iterator", "Mapping"} {
		if strings.HasPrefix(strings.TrimPrefix(p.Result, "tuple["), class) {
			p.Use("from collections.abc import " + class)
		}
	}
}

// returns writes the statement that returns an expression of a type, or "", and the status of the
// response after it.
func (r *pythonRequest) returns(class, expr, status string) {
	switch {
	case !r.c.ReturnsStatus(r.p.Options):
	case class == "":
		class, expr = "int", status
	default:
		class, expr = "tuple["+class+", int]", expr+", "+status
	}
	r.p.Result = class
	r.p.Line("return ", expr)
}

// yield writes the statements that give the pieces of a loop one by one, as text.
func (r *pythonRequest) yield(loop string) {
	r.p.Result, r.p.InPieces = "Iterator[str]", true
	if strings.HasPrefix(loop, "async ") {
		r.p.Result = "AsyncIterator[str]"
	}
	r.p.Line(loop)
	if strings.Contains(loop, "for chunk in") {
		r.p.Line(r.p.Indent, "yield chunk")
	} else {
		r.p.Line(r.p.Indent, `yield line.decode(errors="replace")`)
	}
}
