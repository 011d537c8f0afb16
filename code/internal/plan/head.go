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
	case p.IsFunction() || p.Options.CommonJS && !p.Options.Bare:
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

// A manifest is the file in which the projects of a language name packages. In its lines, $n
// stands for the name of a package, $v for the version, and $f for the features, joined
// by the comma and between the text before and after them where there are any.
type manifest struct {
	file, line           string
	before, comma, after string
	plain                string // the line of a package without features, where it differs
}

var manifests = map[string]manifest{
	"clojure":    {file: "deps.edn", line: `$n {:mvn/version "$v"}`},
	"csharp":     {file: "*.csproj", line: `<PackageReference Include="$n" Version="$v" />`},
	"dart":       {file: "pubspec.yaml", line: "$n: ^$v"},
	"elixir":     {file: "mix.exs", line: `{:$n, "~> $v"}`},
	"go":         {file: "go.mod", line: "require $n v$v"},
	"groovy":     {file: "build.gradle", line: `implementation "$n:$v"`},
	"haskell":    {file: "package.yaml", line: "- $n >= $v"},
	"java":       {file: "build.gradle", line: `implementation "$n:$v"`},
	"javascript": {file: "package.json", line: `"$n": "^$v"`},
	"julia":      {file: "Project.toml", line: `$n = "$v"`},
	"kotlin":     {file: "build.gradle.kts", line: `implementation("$n:$v")`},
	"lua":        {file: "*.rockspec", line: `"$n >= $v"`},
	"ocaml":      {file: "*.opam", line: `"$n" {>= "$v"}`},
	"perl":       {file: "cpanfile", line: `requires "$n", "$v";`},
	"php":        {file: "composer.json", line: `"$n": "^$v"`},
	"python":     {file: "requirements.txt", line: "$n$f>=$v", before: "[", comma: ",", after: "]"},
	"r":          {file: "DESCRIPTION", line: "Imports: $n (>= $v)"},
	"ruby":       {file: "Gemfile", line: `gem "$n", "~> $v"`},
	"rust":       {file: "Cargo.toml", line: `$n = { version = "$v", features = [$f] }`, before: `"`, comma: `", "`, after: `"`, plain: `$n = "$v"`},
	"scala":      {file: "build.sbt", line: `libraryDependencies += "$n" % "$v"`},
	"typescript": {file: "package.json", line: `"$n": "^$v"`},
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
	m := manifests[p.Target.Language]
	features := ""
	for _, f := range one.Features {
		if f.Asks == nil || p.any(f.Asks) {
			if features != "" {
				features += m.comma
			}
			features += f.Name
		}
	}
	line := m.line
	switch {
	case features != "":
		features = m.before + features + m.after
	case m.plain != "":
		line = m.plain
	}
	for _, part := range [][2]string{{"$n", one.Name}, {"$v", one.Version}, {"$f", features}} {
		line = strings.Replace(line, part[0], part[1], 1)
	}
	return Dependency{File: m.file, Line: line, Name: one.Name, Version: one.Version}
}

// any reports whether a call asks for something.
func (p *Program) any(asks func(*Call) bool) bool { return slices.ContainsFunc(p.Calls, asks) }

// OverSOCKS reports a call through a SOCKS proxy.
func OverSOCKS(c *Call) bool { return strings.HasPrefix(c.ProxyScheme(), "socks") }

// Encrypted reports a call by TLS.
func Encrypted(c *Call) bool { return c.Encrypts }
