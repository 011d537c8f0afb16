package jvm

import (
	"uncoil/code/internal/plan"
)

// javaRequires writes what ends the program where a variable of the environment is empty.
func javaRequires(p *plan.Program, name string) {
	p.Line("if (System.getenv().getOrDefault(", jvmString(name), `, "").isEmpty()) {`)
	p.Line(p.Indent, "throw new IllegalStateException(", jvmString(name+" is not set"), ");")
	p.Line("}")
}
