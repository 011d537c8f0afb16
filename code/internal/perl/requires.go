package perl

import (
	"uncoil/code/internal/plan"
	"uncoil/request"
)

// requires writes what ends the program where a variable of the environment is empty.
func requires(p *plan.Program, name string) {
	p.Line("die ", quote(name+" is not set\n"), " unless length ", variable(p, &request.Variable{Name: name}), ";")
}
