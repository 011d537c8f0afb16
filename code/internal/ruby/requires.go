package ruby

import (
	"uncoil/code/internal/plan"
)

// requires writes what ends the program where a variable of the environment is empty.
func requires(p *plan.Program, name string) {
	p.Line("abort ", String(name+" is not set"), " if ENV[", String(name), "].to_s.empty?")
}
