package javascript

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// nameOutput writes the statements that take the name of the file from the response, where
// the command asks for that, and returns the argument that keeps a file which is there.
func (r *jsRequest) nameOutput(a jsResponse) string {
	field := r.disposition(a)
	if field == "" || !r.c.NamedByResponse() {
		return ""
	}
	disposition, name := "disposition"+r.suffix, "outputName"+r.suffix
	r.p.Node("const "+disposition+" = ", emit.Group("/"+plan.FilenamePattern+"/i.exec", "(", []emit.Node{emit.Leaf(field + ` ?? ""`)}, ")"), ";")
	r.p.Line("const ", name, " = ", disposition, "?.[1] ?? ", Text(r.p, r.c.NameOutput(name)).Line(), ";")
	return `, { flag: "wx" }`
}

// disposition returns the expression for the field Content-Disposition of the response, of the
// clients whose way to it is known.
func (r *jsRequest) disposition(a jsResponse) string {
	headers := r.response() + a.headers
	switch r.p.Target.Name {
	case "javascript-fetch", "typescript", "node-ky", "node-ofetch":
		return headers + `.get("content-disposition")`
	case "node-axios", "node-got", "node-http", "node-superagent":
		return headers + `["content-disposition"]`
	}
	return ""
}
