package cli

import (
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"uncoil/code"
	"uncoil/internal/edge/snippets"
	"uncoil/internal/edge/switches"
)

// completeCommand is the hidden subcommand that the scripts of uncoil completion
// call with the words up to the cursor. It prints what the last one may be.
const completeCommand = "__complete"

// completionScripts are what the shells read, by their names.
var completionScripts = map[string]string{
	"bash": `_uncoil() {
	local IFS=$'\n'
	COMPREPLY=($(uncoil __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _uncoil uncoil
`,
	"zsh": `#compdef uncoil
_uncoil() {
	local -a found
	found=("${(@f)$(uncoil __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n $found ]]; then compadd -- $found; else _files; fi
}
compdef _uncoil uncoil
`,
	"fish": `complete -c uncoil -a '(uncoil __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName uncoil -ScriptBlock {
	param($word, $tree, $cursor)
	$words = @($tree.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
	if ($word -eq '') { $words += '""' }
	uncoil __complete @words 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}

// completion prints the script of a shell.
func (p *Program) completion(args []string) error {
	if len(args) == 1 {
		if script, ok := completionScripts[strings.ToLower(args[0])]; ok {
			_, err := io.WriteString(p.Stdout, script)
			return err
		}
	}
	if len(args) == 0 {
		// The shell that runs is the one of the environment, as far as that shows.
		name := filepath.Base(p.Env("SHELL"))
		if script, ok := completionScripts[name]; ok {
			p.complain("this is the completion for " + name + ", the shell of SHELL; bash, zsh, fish and powershell may be named")
			_, err := io.WriteString(p.Stdout, script)
			return err
		}
	}
	return &UsageError{"completion takes one of bash, zsh, fish and powershell", "uncoil help completion"}
}

// complete prints what the last word may be, a line for each. It prints nothing
// where that is a file or a command.
func (p *Program) complete(words []string) error {
	if len(words) == 0 {
		return nil
	}
	last := strings.Trim(words[len(words)-1], `"`)
	var found []string
	if len(words) == 1 {
		for _, s := range p.subcommands() {
			found = append(found, s.name)
		}
	} else {
		found = p.completeArgument(words[0], words[len(words)-2], last)
	}
	for _, s := range found {
		if strings.HasPrefix(s, last) {
			if _, err := fmt.Fprintln(p.Stdout, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// completeArgument returns what may stand after a word in the arguments of a
// subcommand.
func (p *Program) completeArgument(name, before, last string) []string {
	var found []string
	if flag, _, ok := strings.Cut(last, "="); ok && strings.HasPrefix(flag, "-") {
		for _, value := range p.completeArgument(name, flag, "") {
			found = append(found, flag+"="+value)
		}
		return found
	}
	switch strings.TrimLeft(before, "-") {
	case "format":
		return []string{"text", "json", "sarif", "github", "gitlab"}
	case "log-format":
		return []string{"auto", "text", "json"}
	case "log-level":
		return []string{"debug", "info", "warn", "error"}
	case "log-requests":
		return []string{"failed", "all", "none"}
	case "fail-on":
		return []string{"doubt"}
	case "to", "o":
		for _, t := range code.Targets() {
			found = append(append(found, t.Name), t.Aliases...)
		}
		return found
	case "tabs":
		return snippets.Layouts()
	case "as":
		return []string{"convert", "parse", "code", "explain"}
	}
	for _, s := range switches.All() {
		if s.Flag == strings.TrimLeft(before, "-") && s.Argument != "" && len(s.Words) > 0 {
			return s.Words
		}
	}
	s := p.find(name)
	switch {
	case s == nil:
	case name == "completion":
		return []string{"bash", "zsh", "fish", "powershell"}
	case name == "help":
		for _, s := range p.subcommands() {
			found = append(found, s.name)
		}
	case strings.HasPrefix(last, "-"):
		_, flags := p.describe(s)
		dashes := last[:min(2, len(last)-len(strings.TrimLeft(last, "-")))]
		flags.VisitAll(func(f *flag.Flag) { found = append(found, dashes+f.Name) })
	}
	return found
}
