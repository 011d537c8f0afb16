package rust

import (
	"cmp"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// What a program writes otherwise where it is a function: how it begins, what it returns, and
// that its parameters are lent.

// convention is what is customary in the language.
var convention = plan.Convention{Language: "rust", File: "main.rs", Manifest: plan.Manifest{File: "Cargo.toml", Line: `$n = { version = "$v", features = [$f] }`, Before: `"`, Comma: `", "`, After: `"`, Plain: `$n = "$v"`}, Naming: plan.Naming{Taken: strings.Fields(
	`abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl in let
	loop macro main match mod move mut override priv pub ref return self static struct super trait true try type typeof union
	json json_text json_value path_segment path_segments unsafe unsized use virtual where while yield agent attempt b base base64 body client content field fields file form form_encode fs
	io limit location multipart percent_encode pem redirects request reqwest response status thread transient ureq url
	value`)}}

// rustFunction writes the first line of the function that the program is, or else of main.
func rustFunction(p *plan.Program, async string) {
	name := "main"
	if p.IsFunction() {
		name = p.FunctionName()
	}
	if p.IsFunction() {
		p.NoteFunction(&plan.DocComment{Open: "/// ", Line: "/// "}, p.Says("Sends", "returns"), "")
	}
	head := emit.Group(async+"fn "+name, "(", p.DeclareParameters(func(one *plan.Parameter) string {
		if one.HasDefault {
			return one.Name + ": Option<&str>"
		}
		return one.Name + ": &str"
	}), ")")
	p.Node("", emit.InOne(head, head.Line()), " -> Result<"+cmp.Or(p.Result, "()")+", Box<dyn std::error::Error>> {")
}

// give writes the statement that prints an expression of a type, in a format, or returns it, with
// the status, which keepStatus keeps, where the function returns that.
func give(p *plan.Program, c *plan.Call, class, format, expr string) {
	switch {
	case !p.IsFunction():
		p.Line("println!(", format, ", ", expr, ");")
		return
	case c.ReturnsStatus(p.Options):
		class, expr = "("+class+", u16)", "("+expr+", status)"
	}
	p.Result = class
	p.Line("Ok(", expr, ")")
}

// keepStatus writes the statement that keeps the status of a response, which what reads the
// content takes, where the function returns it.
func keepStatus(p *plan.Program, c *plan.Call, expr string) {
	if c.ReturnsStatus(p.Options) && c.Destination(p.Options) != plan.Discarded {
		p.Line("let status = ", expr, ";")
	}
}

// giveStatus writes the statement that returns the status alone, where the function does that.
func giveStatus(p *plan.Program, c *plan.Call, expr string) {
	if !c.ReturnsOnlyStatus(p.Options) {
		return
	}
	if c.Destination(p.Options) != plan.Discarded {
		expr = "status"
	}
	p.Result = "u16"
	p.Line("Ok(", expr, ")")
}

// lent reports whether the expression for a text is of type &str although it is no literal.
func lent(p *plan.Program, t plan.Text) bool {
	return p.IsFunction() && len(t) == 1 && t[0].Variable != nil && !t[0].Encoded()
}

// ownedNode is node for what keeps the text: a literal, or a String.
func ownedNode(p *plan.Program, t plan.Text) emit.Node {
	if lent(p, t) {
		return node(p, t).Around("", ".to_string()")
	}
	return node(p, t)
}
