package php

import (
	"uncoil/code/internal/plan"
)

// requires writes what ends the program where a variable of the environment is empty.
func requires(p *plan.Program, name string) {
	p.Line("if ((string) getenv(", String(name), ") === '') {")
	p.Line(p.Indent, "throw new RuntimeException(", String(name+" is not set"), ");")
	p.Line("}")
}
