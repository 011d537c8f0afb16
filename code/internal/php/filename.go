package php

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// namedByResponse reports whether the response names the file, where nothing else reads the
// head of it.
func (r *phpRequest) namedByResponse() bool {
	return !r.c.LooksAtHead() && r.c.NamedByResponse()
}

// readName writes the function that keeps the field with the name, and returns the options
// for it and for a file that has the content until the name is known.
func (r *phpRequest) readName() []emit.Node {
	r.p.Line("$disposition = '';")
	r.p.Block("$readHead = function ($ch, $line) use (&$disposition) {", func() {
		r.p.Line("if (stripos($line, 'Content-Disposition:') === 0) {")
		r.p.Line(r.p.Indent, "$disposition = trim($line);")
		r.p.Line("}")
		r.p.Line("return strlen($line);")
	})
	r.p.Line("};")
	return append(r.temporary(), emit.Leaf("CURLOPT_HEADERFUNCTION => $readHead"))
}

// keepHead writes the function that keeps the fields of the response, by their names in small
// letters, and returns the option for it.
func (r *phpRequest) keepHead() []emit.Node {
	r.p.Line("$headers = [];")
	r.p.Block("$readHead = function ($ch, $line) use (&$headers) {", func() {
		r.p.Line("if (str_contains($line, ':')) {")
		r.p.Line(r.p.Indent, "[$name, $value] = explode(':', $line, 2);")
		r.p.Line(r.p.Indent, "$headers[strtolower($name)] = trim($value);")
		r.p.Line("}")
		r.p.Line("return strlen($line);")
	})
	r.p.Line("};")
	return []emit.Node{emit.Leaf("CURLOPT_HEADERFUNCTION => $readHead")}
}

// nameOutput writes the statements that take the name of the file from the response.
func nameOutput(p *plan.Program, c *plan.Call, field string) {
	arguments := []emit.Node{emit.Leaf(String("~" + plan.FilenamePattern + "~i")), emit.Leaf(field), emit.Leaf("$match")}
	p.Node("", emit.Group("preg_match", "(", arguments, ")"), ";")
	p.Line("$outputName = $match[1] ?? ", language.Text(p, c.NameOutput("$outputName")), ";")
}
