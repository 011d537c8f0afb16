package ruby

import (
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// rubyBody writes the requests, in the method that is asked for.
func rubyBody(p *plan.Program, sections [][]byte) {
	if !p.IsFunction() {
		p.Join(sections)
		return
	}
	items := p.DeclareParameters(func(one *plan.Parameter) string {
		if one.HasDefault {
			return one.Name + " = " + String(one.Default)
		}
		return one.Name
	})
	parameters := emit.Node{}
	if len(items) > 0 {
		parameters = emit.Group("", "(", items, ")")
	}
	p.NoteFunction(&plan.DocComment{Open: "# ", Line: "# "}, p.Says("Sends", "yields"), "")
	p.Node("def "+p.FunctionName(), parameters, "")
	p.Join(sections)
	p.Line("end")
}

// convention is what is customary in the language.
var convention = plan.Convention{Yields: true, Requires: requires, Language: "ruby", Manifest: plan.Manifest{File: "Gemfile", Line: `gem "$n", "~> $v"`}, Naming: plan.Naming{Taken: strings.Fields(
	`json_value path_segment path_segments alias and attempt begin body boundary break case chunk class connection content cookie cookies credentials data deadline def
	defined digest do else elsif end ensure f false file for form http if in input jar key module name_ next nil not or origin output
	p path print proxy puts query raise redirects redo request request_digest rescue response retry return self server status super
	then true undef unless until uri url value when while yield`)}}

// give writes the statement that prints an expression, or is what the method returns, with the
// status where it returns that.
func (r *rubyRequest) give(content, status string) {
	if r.p.Options.DecodeJSON {
		r.p.Use("json")
		content = "JSON.parse(" + content + ")"
	}
	if r.c.PrintsBytes(r.p.Options) {
		r.p.Line("$stdout.binmode")
		r.p.Line("$stdout.write(", content, ")")
		return
	}
	if !r.p.IsFunction() {
		r.p.Line("puts ", content)
		return
	}
	r.returns(content, status)
}

// returns writes what the method returns, with the status where it returns that.
func (r *rubyRequest) returns(content, status string) {
	if r.c.ReturnsStatus(r.p.Options) {
		content = "[" + content + ", " + status + "]"
	}
	r.p.Line(content)
}
