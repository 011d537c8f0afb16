package php

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program writes otherwise where it is a function: how it begins, and what it returns.

// body writes the requests, in the function that is asked for.
func body(p *plan.Program, sections [][]byte) {
	defer p.Functions()
	if !p.IsFunction() {
		p.Join(sections)
		return
	}
	items := p.DeclareParameters(func(one *plan.Parameter) string {
		if one.HasDefault {
			return "string $" + one.Name + " = " + String(one.Default)
		}
		if p.TakesJSON(one) {
			return "mixed $" + one.Name
		}
		return "string $" + one.Name
	})
	p.NoteFunction(&plan.DocComment{Open: "/** ", Line: " * ", Close: " */", Apart: true}, p.Says("Sends", map[bool]string{true: "returns", false: "writes"}[p.Result != ""]), "")
	p.Node("function "+p.FunctionName(), emit.Group("", "(", items, ")"), ": "+phpResult(p))
	p.Line("{")
	p.Join(sections)
	p.Line("}")
}

// phpResult returns the type of what the function returns.
func phpResult(p *plan.Program) string {
	c := p.Calls[len(p.Calls)-1]
	switch to := c.Destination(p.Options); {
	case p.Result != "":
		return p.Result
	case c.ReturnsOnlyStatus(p.Options):
		return "int"
	case c.ReturnsStatus(p.Options):
		return "array"
	case to == plan.HeadersPrinted && p.Target.Name != "php":
		return "array"
	case p.InPieces && to == plan.ContentPrinted:
		return "void"
	case to == plan.HeadersPrinted, to == plan.ContentPrinted && !p.Options.DecodeJSON:
		return "string"
	case to == plan.ContentPrinted:
		return "mixed"
	}
	return "void"
}

// give writes the statement that prints the content, or returns it: text and array are
// expressions for it as a string and decoded; array may be "", and text a stream.
func (r *phpRequest) give(text, array, status string) {
	switch content := text; {
	case r.p.Options.DecodeJSON && array != "":
		r.giveArray(array, status)
	case r.p.Options.DecodeJSON:
		r.giveArray("json_decode("+content+", true, flags: JSON_THROW_ON_ERROR)", status)
	case r.p.IsFunction():
		if strings.HasSuffix(content, "->getBody()") {
			content = "(string) " + content
		}
		r.returns(content, status)
	default:
		r.p.Line("echo ", content, ";")
	}
}

// giveArray writes the statement that prints an array, or returns it.
func (r *phpRequest) giveArray(array, status string) {
	if r.p.IsFunction() {
		r.returns(array, status)
	} else {
		r.p.Line("print_r(", array, ");")
	}
}

// returns writes the statement that returns an expression, with the status where the function
// returns that.
func (r *phpRequest) returns(expr, status string) {
	if r.c.ReturnsStatus(r.p.Options) {
		expr = "[" + expr + ", " + status + "]"
	}
	r.p.Line("return ", expr, ";")
}

// lastly is writeOut, or writes the statement that returns the status alone.
func (r *phpRequest) lastly(status string) {
	if r.c.ReturnsOnlyStatus(r.p.Options) {
		r.p.Line("return ", status, ";")
		return
	}
	r.writeOut(status)
}
