package golang

import (
	"strconv"
	"uncoil/code/internal/plan"
)

// requires writes what ends the program where a variable of the environment is empty.
func requires(p *plan.Program, name string) {
	p.Use("log")
	p.Use("os")
	p.Line("if os.Getenv(", strconv.Quote(name), `) == "" {`)
	p.Line(p.Indent, "log.Fatal(", strconv.Quote(name+" is not set"), ")")
	p.Line("}")
}
