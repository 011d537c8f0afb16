package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/edge/gitignore"
	"uncoil/internal/edge/lint"
	"uncoil/internal/edge/samples"
	"uncoil/internal/edge/snippets"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine"
)

// A snippeter keeps the programs in documents in step with their commands.
type snippeter struct {
	*Program
	options        snippets.Options
	check, quiet   bool
	openapi        string // a document that gets samples
	out            string // where it goes, unless it stays where it is
	want           switches.Want
	files, regions int
	stale, failed  int
	edited         bool // regions were left, because somebody has edited them
}

// snippets writes the programs below the markers of documents anew.
func (p *Program) snippets(args []string) error {
	s := snippeter{Program: p}
	fs := NewFlags("snippets")
	var excluded gitignore.Patterns
	s.flags(fs, &excluded)
	if err := p.ParseFlags(fs, args, &snippetsPage); err != nil {
		return err
	}
	s.options.Program = s.want.Options
	if s.openapi != "" {
		return s.samples(fs.Args())
	}
	if s.out != "" {
		return &UsageError{"-o is for -openapi", "uncoil snippets -h"}
	}
	if fs.NArg() == 0 || slices.Contains(fs.Args(), "-") {
		return &UsageError{"snippets needs the names of files and folders", "uncoil snippets -h"}
	}
	err := p.search(fs.Args(), excluded, nil, func(f *lint.File) error {
		format := snippets.FormatOf(f.Name)
		if format == snippets.None {
			if slices.Contains(fs.Args(), f.Name) {
				return errors.New(f.Name + " is no document in Markdown, MDX, AsciiDoc or reStructuredText")
			}
			return nil
		}
		return s.document(f.Name, f.Text, format)
	})
	if err != nil {
		// As with lint, trouble is told from what is stale.
		return &UsageError{err.Error(), ""}
	}
	verb := " written"
	if s.check {
		verb = " stale"
	}
	p.complain(fmt.Sprintf("%d of %s in %s%s", s.stale, count(s.regions, "region"), count(s.files, "file"), verb))
	if s.failed > 0 || s.edited || s.check && s.stale > 0 {
		return errReported
	}
	return nil
}

func (s *snippeter) flags(fs *flag.FlagSet, excluded *gitignore.Patterns) {
	fs.BoolVar(&s.check, "check", false, "write nothing; exit with 1 when something is stale")
	fs.BoolVar(&s.options.Force, "force", false, "write regions anew that somebody has edited, too")
	fs.StringVar(&s.openapi, "openapi", "", "`SPEC`: write x-codeSamples into the operations of an OpenAPI document, in YAML or JSON")
	fs.StringVar(&s.out, "o", "", "`FILE`: with -openapi, write the document there, or to standard output with -")
	fs.BoolVar(&s.quiet, "q", false, "no doubts on standard error")
	fs.Func("to", "`TARGETS`: for markers that name none, separated by commas", func(names string) (err error) {
		s.options.Targets, err = targetsOf(names)
		return err
	})
	s.options.Layout = "plain"
	fs.Func("tabs", "`T`: how several programs stand on a page, for markers that do not say it: plain (default), docusaurus, vitepress, mkdocs, hugo, sphinx-design or sphinx-tabs", func(name string) error {
		if s.options.Layout = name; !slices.Contains(snippets.Layouts(), name) {
			return errors.New("must be " + strings.Join(snippets.Layouts(), ", "))
		}
		return nil
	})
	for _, name := range []string{"bare", "style"} {
		switchFlag(fs, switches.Lookup(name), &s.want, new(engine.Input))
	}
	fs.Func("exclude", "`PATTERN`: leave out files and folders, as a line of .gitignore does; may be repeated", excluded.Add)
}

// targetsOf returns the targets with some names.
func targetsOf(names string) (targets []code.Target, err error) {
	for name := range strings.SplitSeq(names, ",") {
		if err := checkTarget(strings.TrimSpace(name)); err != nil {
			return nil, err
		}
		if target, ok := code.Lookup(strings.TrimSpace(name)); ok {
			targets = append(targets, target)
		}
	}
	return targets, nil
}

// document brings one document up to date.
func (s *snippeter) document(name, text string, format snippets.Format) error {
	updated, report := snippets.Update(text, format, s.options)
	if report.Regions > 0 {
		s.files++
		s.regions += report.Regions
	}
	s.say(s.Stderr, name, "error", report.Errors)
	if !s.quiet {
		s.say(s.Stderr, name, "warning", report.Doubts)
	}
	if len(report.Errors) > 0 {
		s.failed++ // the other files are written
		return nil
	}
	s.stale += len(report.Stale) + len(report.Edited)
	s.say(s.Stderr, name, "edited", report.Edited)
	if len(report.Edited) > 0 {
		s.edited = true
	}
	if s.check {
		s.say(s.Stdout, name, "stale", report.Stale)
		return nil
	}
	if updated == text {
		return nil
	}
	return replaceText(name, text, updated)
}

// samples writes the samples of an OpenAPI document anew.
func (s *snippeter) samples(others []string) error {
	switch {
	case len(others) > 0:
		return &UsageError{fmt.Sprintf("-openapi takes one document, and no argument such as %q", others[0]), "uncoil snippets -h"}
	case len(s.options.Targets) == 0:
		return &UsageError{"-openapi needs -to TARGETS", "uncoil snippets -h"}
	case s.check && s.out != "":
		return &UsageError{"-check writes nothing, and has no use for -o", "uncoil snippets -h"}
	}
	name := s.openapi
	text, err := readSpec(name)
	if err != nil {
		return &UsageError{err.Error(), ""}
	}
	folder, base := filepath.Split(name)
	root, err := os.OpenRoot(filepath.Clean(folder))
	if err != nil {
		return &UsageError{err.Error(), ""}
	}
	defer root.Close()
	reader := &fileReader{root: root, left: maxFiles}
	updated, report, err := samples.Update(base, text, reader.readBeside, s.options.Targets, s.options.Program)
	for _, note := range report.Notes {
		s.complain(note)
	}
	s.say(s.Stderr, name, "error", report.Errors)
	if !s.quiet {
		s.say(s.Stderr, name, "warning", report.Doubts)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s%w", folder, err)
	case len(report.Errors) > 0:
		return errReported
	case s.check:
		s.say(s.Stdout, name, "stale", report.Stale)
		s.complain(fmt.Sprintf("%d of %s stale", len(report.Stale), count(report.Operations, "operation")))
		if len(report.Stale) > 0 {
			return errReported
		}
		return nil
	case s.out == "-":
		_, err = io.WriteString(s.Stdout, updated)
	case s.out != "":
		err = writeFile(s.out, []byte(updated))
	case updated != text:
		err = replaceText(name, text, updated)
	}
	if err != nil {
		return &UsageError{err.Error(), ""}
	}
	s.complain(fmt.Sprintf("%d of %s written", len(report.Stale), count(report.Operations, "operation")))
	return nil
}

// readSpec reads an OpenAPI document, which may be larger than other texts.
func readSpec(name string) (string, error) {
	f, info, err := openRegular(os.OpenFile, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info.Size() > maxFile {
		return "", fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(text), err
}

// say writes notes about a file.
func (s *snippeter) say(w io.Writer, name, level string, notes []snippets.Note) {
	for _, n := range notes {
		line := fmt.Sprintf("%s:%d:%d: %s: %s", name, n.Line, n.Column, level, n.Message)
		fmt.Fprintf(w, "%s\n", diag.AppendPrintable(nil, line))
	}
}
