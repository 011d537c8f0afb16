package plan

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
)

// Head writes what stands above the requests of a whole program: its imports. A bare
// program has them beside it.
func (p *Program) Head(write func()) {
	if !p.beside {
		write()
		return
	}
	outer := p.Writer
	p.Dst, p.Level, p.Settled, p.Next = nil, 0, 0, emit.SettleOften
	write()
	p.Settle()
	p.Budget.Hold(len(p.Dst))
	p.imports = append(p.imports, p.Dst...)
	p.Writer = outer
}

// IsBeside reports whether the head stands beside the program.
func (p *Program) IsBeside() bool { return p.beside }

// Depth returns the level of the requests: that within a whole program, at least 1 within a
// function, and 0 for a bare program, which somebody puts into a function of their own.
func (p *Program) Depth(whole int) int {
	switch {
	case p.IsFunction() || p.Target.wraps && !p.Options.Bare:
		return max(whole, 1)
	case p.Options.Bare:
		return 0
	}
	return whole
}

// A Package is what the programs of a target need beside their language.
type Package struct {
	Name    string
	Version string // the oldest that the programs are written for; "" where any is
	// Import is a part of an import with which a program needs the package, and Asks
	// reports a call that needs it; without either all programs do.
	Import string
	Asks   func(*Call) bool
	// Features are parts of the package that are named where it is required.
	Features []Feature
}

// A Feature is a part of a package, which a program needs where a call asks for it.
type Feature struct {
	Name string
	Asks func(*Call) bool
}

// A Dependency is a package that one program needs.
type Dependency struct {
	File    string // in which projects name it: "requirements.txt"
	Line    string // what stands there: "requests>=2.28"
	Name    string
	Version string
}

// Dependencies returns the packages that the program needs, of which it was written.
func (p *Program) Dependencies() []Dependency {
	var list []Dependency
	for _, one := range p.Target.Packages {
		if (one.Import == "" || p.imported(one.Import)) && (one.Asks == nil || p.any(one.Asks)) {
			list = append(list, p.dependency(one))
		}
	}
	return list
}

// imported reports an import that has a part.
func (p *Program) imported(part string) bool {
	return slices.ContainsFunc(p.Imports, func(name string) bool { return strings.Contains(name, part) })
}

// dependency returns a package as the project's file names it.
func (p *Program) dependency(one Package) Dependency {
	m := &p.Target.Manifest
	features := ""
	for _, f := range one.Features {
		if f.Asks == nil || p.any(f.Asks) {
			if features != "" {
				features += m.Comma
			}
			features += f.Name
		}
	}
	line := m.Line
	switch {
	case features != "":
		features = m.Before + features + m.After
	case m.Plain != "":
		line = m.Plain
	}
	for _, part := range [][2]string{{"$n", one.Name}, {"$v", one.Version}, {"$f", features}} {
		line = strings.Replace(line, part[0], part[1], 1)
	}
	return Dependency{File: m.File, Line: line, Name: one.Name, Version: one.Version}
}

// any reports whether a call asks for something.
func (p *Program) any(asks func(*Call) bool) bool { return slices.ContainsFunc(p.Calls, asks) }

// OverSOCKS reports a call through a SOCKS proxy.
func OverSOCKS(c *Call) bool { return strings.HasPrefix(c.ProxyScheme(), "socks") }

// Encrypted reports a call by TLS.
func Encrypted(c *Call) bool { return c.Encrypts }
