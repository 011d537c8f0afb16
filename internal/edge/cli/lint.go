package cli

import (
	"bufio"
	"errors"
	"strconv"
	"strings"

	"uncoil/internal/edge/lint"
)

// levels are the words for a severity: of the finding, of the text, of GitHub, of SARIF
// and of GitLab.
var levels = map[string]struct{ text, github, sarif, gitlab string }{
	"error":  {"error", "error", "error", "major"},
	"doubt":  {"warning", "warning", "warning", "minor"},
	"advice": {"advice", "notice", "note", "info"},
}

// lint checks the commands in files.
func (p *Program) lint(args []string) error {
	fs := NewFlags("lint")
	advice := fs.Bool("advice", false, "show advice too, not only errors and doubts")
	format := fs.String("format", "text", "`F`: text, json (a line for each), sarif, github (annotations) or gitlab (code quality)")
	fix := fs.Bool("fix", false, "mend what has one certain cure, in the files")
	var excluded patterns
	fs.Func("exclude", "`PATTERN`: leave out files and folders, as a line of .gitignore does; may be repeated", excluded.add)
	spec := addContractFlags(fs)
	if err := p.ParseFlags(fs, args, &lintPage); err != nil {
		return err
	}
	write, ok := lintFormats[*format]
	if !ok {
		return &UsageError{"-format must be text, json, sarif, github or gitlab", "uncoil lint -h"}
	}
	api, err := p.openContract(spec)
	if err != nil {
		return err
	}
	defer api.close()
	findings, commands := api.own()
	files, mended := 0, 0
	err = p.searchBeside(api, fs.Args(), excluded, func(f *lint.File) error {
		files++
		rule := lint.Rule{Advice: *advice}
		if !api.has(f.Name) { // which holds its own examples against itself
			commands += len(f.Commands)
			rule.Contract = api.rule()
		}
		own := f.Check(rule)
		if *fix {
			left, n, err := mend(f, own, rule)
			if err != nil {
				return err
			}
			own, mended = left, mended+n
		}
		findings = append(findings, own...)
		return nil
	})
	if err != nil {
		// Trouble is told from findings: the exit code of those is 1.
		return &UsageError{err.Error(), ""}
	}
	out := bufio.NewWriter(p.Stdout)
	if err := errors.Join(write(out, findings), out.Flush()); err != nil {
		return err
	}
	summary := count(len(findings), "finding") + " in " + count(commands, "command") + " of " + count(files, "file")
	if *fix {
		summary += "; " + count(mended, "fix") + " made"
	}
	p.complain(summary)
	if len(findings) > 0 {
		return errReported
	}
	return nil
}

// count returns a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "x"):
		noun += "e"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// mend makes the fixes of the findings in a file, and returns the findings that are left.
func mend(f *lint.File, findings []lint.Finding, rule lint.Rule) (left []lint.Finding, made int, err error) {
	if f.Name == "-" {
		return findings, 0, nil
	}
	mended, left, made := f.Mend(findings, rule)
	if made == 0 {
		return findings, 0, nil
	}
	return left, made, replaceText(f.Name, f.Text, mended.Text)
}
