package cli

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/codes"
	"uncoil/internal/edge/gitignore"
	"uncoil/internal/edge/lint"
)

// levels are the words for a severity: of the finding, of the text, of GitHub, of SARIF
// and of GitLab.
var levels = map[string]struct{ text, github, sarif, gitlab string }{
	"error":  {"error", "error", "error", "major"},
	"doubt":  {"warning", "warning", "warning", "minor"},
	"advice": {"advice", "notice", "note", "info"},
}

// A linter is a run of uncoil lint.
type linter struct {
	*Program
	advice, fix bool
	rules       lint.Levels // of the command line, which beats the settings
	since       string
	changed     changedLines
	baseline    baselineFlags
	args        []string // the paths that were named
	project     *project
	api         *apiContract

	findings        []lint.Finding
	files, commands int
	mended          int
	tests           int // sources of tests that have commands
}

// lint checks the commands in files.
func (p *Program) lint(args []string) error {
	l := &linter{Program: p, rules: lint.Levels{}}
	fs := NewFlags("lint")
	fs.BoolVar(&l.advice, "advice", false, "show advice too, not only errors and doubts")
	format := fs.String("format", "text", "`F`: text, json (a line for each), sarif, github (annotations) or gitlab (code quality)")
	fs.BoolVar(&l.fix, "fix", false, "mend what has one certain cure, in the files")
	fs.Func("rule", "`NAME=LEVEL`: off, advice, doubt or error for a rule; repeatable", func(text string) error {
		name, level, _ := strings.Cut(text, "=")
		return l.rules.Set(name, level)
	})
	fs.StringVar(&l.since, "since", "", "`REV`: only commands on lines that changed since git's REV")
	l.baseline.add(fs)
	var excluded gitignore.Patterns
	fs.Func("exclude", "`PATTERN`: leave out files and folders, as a line of .gitignore does; may be repeated", excluded.Add)
	spec := addContractFlags(fs)
	config := addConfigFlag(fs)
	explain := fs.String("explain", "", "`RULE`: say what a rule means, and nothing else")
	if err := p.ParseFlags(fs, args, &lintPage); err != nil {
		return err
	}
	if *explain != "" {
		return p.explainRule(*explain)
	}
	write, ok := lintFormats[*format]
	if !ok {
		return &UsageError{"-format must be text, json, sarif, github or gitlab", "uncoil lint -h"}
	}
	if err := l.open(*config, spec); err != nil {
		return &UsageError{err.Error(), "uncoil lint -h"}
	}
	defer l.api.close()
	// Trouble is told from findings: the exit code of those is 1.
	unread := l.search(fs, excluded)
	if unread != nil && (unread != errUnread || l.baseline.write) {
		return &UsageError{unread.Error(), ""}
	}
	if l.baseline.write {
		return l.writeBaseline()
	}
	l.findings = l.baseline.fresh(l.findings)
	out := bufio.NewWriter(p.Stdout)
	if err := errors.Join(write(out, l.findings), out.Flush()); err != nil {
		return err
	}
	p.complain(l.summary())
	if unread != nil {
		return &UsageError{unread.Error(), ""}
	}
	if len(l.findings) > 0 {
		return errReported
	}
	return nil
}

// explainRule says what a rule means.
func (p *Program) explainRule(name string) error {
	if err := lint.IsRule(name); err != nil {
		return &UsageError{err.Error(), "uncoil lint -h"}
	}
	_, err := io.WriteString(p.Stdout, codes.Explain(diag.Code(name)))
	return err
}

// open reads what the run is held against.
func (l *linter) open(config string, spec *contractFlags) (err error) {
	if l.project, err = openProject(config); err != nil {
		return err
	}
	l.project.fill(spec, &l.baseline)
	if err = l.baseline.open(l.fix, l.since != ""); err != nil {
		return err
	}
	if l.since != "" {
		if l.changed, err = linesSince(l.since); err != nil {
			return err
		}
	}
	l.api, err = l.openContract(spec)
	return err
}

// search checks the examples of the document, and the files.
func (l *linter) search(fs *flag.FlagSet, excluded gitignore.Patterns) error {
	l.args = fs.Args()
	own, commands := l.api.own()
	l.commands = commands
	for _, f := range own {
		levels, _ := l.settingsFor(f.File)
		if lines := l.linesOf(f.File); lines == nil || lines(f.Line, f.Line) {
			l.findings = append(l.findings, levels.Shown([]lint.Finding{f}, l.advice)...)
		}
	}
	return l.searchBeside(l.api, fs.Args(), excluded, l.project.excludes, l.file)
}

// settingsFor returns the levels of rules and the shell for a file.
func (l *linter) settingsFor(name string) (lint.Levels, string) {
	levels, shell := l.project.settingsFor(name)
	for code, level := range l.rules {
		levels[code] = level
	}
	return levels, shell
}

// linesOf returns the lines of a file that are of interest; nil for all of them.
func (l *linter) linesOf(name string) func(first, last int) bool {
	if l.since == "" || name == "-" {
		return nil
	}
	return l.changed.of(name)
}

// file checks the commands of a file. The strings of tests are what programs are tried with,
// mistakes among them, so their sources and data are left out unless they are named.
func (l *linter) file(f *lint.File) error {
	if (f.Kind == extract.Text || f.Kind == extract.JSON) && isTest(f.Name, l.args) {
		if len(f.Commands) > 0 {
			l.tests++
		}
		return nil
	}
	l.files++
	rule := lint.Rule{Advice: l.advice, Lines: l.linesOf(f.Name)}
	rule.Levels, rule.Shell = l.settingsFor(f.Name)
	if rule.Lines == nil && l.baseline.known != nil {
		l.baseline.seen[l.baseline.named(f.Name)] = true
	}
	if !l.api.has(f.Name) { // which holds its own examples against itself
		l.commands += len(f.Commands)
		rule.Contract = l.api.rule()
	}
	own := f.Check(rule)
	if l.fix {
		left, n, err := mend(f, own, rule)
		if err != nil {
			return err
		}
		own, l.mended = left, l.mended+n
	}
	l.findings = append(l.findings, own...)
	return nil
}

// summary says what was found, in how much.
func (l *linter) summary() string {
	text := count(len(l.findings), "finding") + " in " + count(l.commands, "command") + " of " + count(l.files, "file")
	if l.fix {
		text += "; " + count(l.mended, "fix") + " made"
	}
	if l.tests > 0 {
		text += "; " + count(l.tests, "source") + " of tests left out, which lint reads where they are named"
	}
	return text + l.baseline.summary()
}

// writeBaseline makes what was found the baseline.
func (l *linter) writeBaseline() error {
	if err := writeFile(l.baseline.name, lint.WriteBaseline(l.findings, l.baseline.named)); err != nil {
		return &UsageError{err.Error(), ""}
	}
	l.complain(l.summary() + "; they are the baseline " + l.baseline.name)
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
