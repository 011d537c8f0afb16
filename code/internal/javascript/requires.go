package javascript

import (
	"strings"

	"uncoil/code/internal/plan"
	"uncoil/request"
)

// jsRequires writes what ends the program where a variable of the environment is empty. A page
// has none.
func jsRequires(p *plan.Program, name string) {
	if inBrowser(p) {
		return
	}
	variable := strings.TrimSuffix(jsVariable(p, &request.Variable{Name: name}), "!") // of TypeScript
	p.Line("if (!", variable, ") throw new Error(", String(name+" is not set"), ");")
}
