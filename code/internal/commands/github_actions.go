package commands

import (
	"slices"
	"strings"

	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine/ascii"
)

// A workflow of GitHub Actions that runs curl in a step for each request, in
// the workflow syntax of docs.github.com as of 2026. What a step runs is a
// script for bash. Expressions, ${{ … }}, are replaced in it before bash reads
// it, also between quotes, so that variables reach it in env, and two braces
// after a dollar sign are written as an expression themselves. Bare leaves only
// the steps; Indent has no effect.
var GitHubActions = plan.Target{
	Name: "github-actions", Convention: plan.Format("yaml"), Client: "curl", Version: "8.3", Kind: plan.File, Extension: "yml",
	Aliases: []string{"actions", "github", "gha"}, Proven: true, Style: emit.YamlStyle, Write: writeGitHubActions,
	Facts: plan.Client{Everything: true},
}

func writeGitHubActions(p *plan.Program) {
	p.Indent = emit.YamlStyle.Indent
	if !p.Options.Bare {
		p.Line("name: request")
		p.Line("on: workflow_dispatch")
		p.Line("jobs:")
		p.Level++
		p.Line("request:")
		p.Level++
		p.Line("runs-on: ubuntu-latest")
		p.Line("steps:")
		p.Level++
	}
	scripts := p.Sections(0, func(c *plan.Call, _ string) {
		if c.ReadsStdin() {
			p.Refuse("has no standard input in a step")
		}
		r := curlCommand{p: p, c: c, words: posixWords}
		r.read()
		r.words.command(p, r.input, r.options)
	})
	for i, c := range p.Calls {
		actionsStep(p, c, string(scripts[i]))
	}
}

// actionsStep writes a step.
func actionsStep(p *plan.Program, c *plan.Call, script string) {
	begin := "- "
	member := func(write func()) {
		start := len(p.Dst)
		p.Level++
		write()
		p.Level--
		copy(p.Dst[start+p.Level*len(p.Indent):], begin)
		begin = "  "
	}
	names := secrets(c)
	if i := slices.IndexFunc(names, func(name string) bool { return !emit.IsIdentifier(name) }); i >= 0 {
		p.RefuseName(plan.Nowhere, "has no secret with such a name", names[i])
	}
	if len(names) > 0 {
		member(func() {
			p.Block("env:", func() {
				for _, name := range names {
					p.Line(name, ": ${{ secrets.", name, " }}")
				}
			})
		})
	}
	member(func() { p.Yaml("run", strings.ReplaceAll(script, "${{", "${{ '${{' }}")) })
}

// secrets returns the names of the variables that a step must be given: not
// those that a runner has already.
func secrets(c *plan.Call) []string {
	var names []string
	if c.Keep {
		return nil
	}
	for i := range c.Variables {
		v := &c.Variables[i]
		names = append(names, v.Name)
		if !v.Known() {
			names = append(names, shellNames(v.Expr)...)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		return name == "" || strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "RUNNER_") ||
			slices.Contains([]string{"CI", "HOME", "PATH", "PWD"}, name)
	})
}

// shellNames returns the names of the variables in an expansion of bash: those of
// ${A:-$B} or $(date -d "$D"), but not what stands in single quotes of a command.
func shellNames(expr string) []string {
	var names []string
	command, quoted := strings.HasPrefix(expr, "$(") || strings.HasPrefix(expr, "`"), false
	for i := 0; i+1 < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '\'' && command && !quoted:
			if end := strings.IndexByte(expr[i+1:], '\''); end >= 0 {
				i += end + 1
			}
		case c == '$':
			start := i + 1
			if expr[start] == '{' {
				start++
			}
			end := start
			for end < len(expr) && ascii.IsNameByte(expr[end]) {
				end++
			}
			if name := expr[start:end]; emit.IsIdentifier(name) {
				names = append(names, name)
			}
		}
	}
	return names
}
