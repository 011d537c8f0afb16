package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"uncoil/internal/edge/lint"
	"uncoil/internal/edge/settings"
)

// A project is the settings of a file .uncoil.yaml, with the folder from which its paths
// count.
type project struct {
	*settings.Settings
	folder string // absolute
}

func addConfigFlag(fs *flag.FlagSet) *string {
	return fs.String("config", "", "`FILE`: settings in place of those of "+settings.Name+"; or none")
}

// openProject reads the settings of the file that is named, or of the one that is found.
func openProject(name string) (*project, error) {
	if name == "" {
		var err error
		if name, err = settings.Find("."); err != nil {
			return nil, err
		}
	}
	if name == "" || name == "none" {
		folder, err := os.Getwd()
		return &project{new(settings.Settings), folder}, err
	}
	s, err := settings.Read(name)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(name))
	return &project{s, folder}, err
}

// relative returns the name of a file as a folder has it, with slashes; as it is where it
// lies elsewhere.
func relative(folder, name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	below, err := filepath.Rel(folder, absolute)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(below)
}

// settingsFor returns the levels of rules and the shell for a file; standard input has
// those of all files.
func (p *project) settingsFor(name string) (lint.Levels, string) {
	if name == "-" {
		return p.For("")
	}
	return p.For(relative(p.folder, name))
}

// excludes reports whether the settings leave out a file or a folder.
func (p *project) excludes(name string, folder bool) bool {
	return len(p.Exclude) > 0 && p.Excludes(relative(p.folder, name), folder)
}

// fill sets the flags that nobody gave as the settings have them.
func (p *project) fill(spec *contractFlags, baseline *baselineFlags) {
	if spec.name == "" && p.OpenAPI != "" {
		spec.name = filepath.Join(p.folder, filepath.FromSlash(p.OpenAPI))
		if spec.servers == nil {
			spec.servers = p.Servers
		}
	}
	if baseline.name == "" && p.Baseline != "" {
		baseline.name = filepath.Join(p.folder, filepath.FromSlash(p.Baseline))
	}
}

// baselineFlags name the file of a baseline.
type baselineFlags struct {
	name  string
	write bool
	known *lint.Baseline  // nil where there is none
	seen  map[string]bool // the files that were checked whole, as it names them
}

func (b *baselineFlags) add(fs *flag.FlagSet) {
	fs.StringVar(&b.name, "baseline", "", "`FILE`: leave out the findings that this file lists")
	fs.BoolVar(&b.write, "write-baseline", false, "write the findings to the file of -baseline, and end well")
}

// open reads the baseline, unless it is to be written.
func (b *baselineFlags) open(fix, since bool) error {
	switch {
	case b.write && b.name == "":
		return errors.New("-write-baseline needs -baseline FILE")
	case b.write && since:
		return errors.New("-write-baseline lists all findings, and -since leaves some out")
	case b.write && fix:
		return errors.New("-write-baseline lists what is found, and -fix changes it: run one after the other")
	case b.write || b.name == "":
		return nil
	}
	text, err := os.ReadFile(b.name)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no baseline %s; -write-baseline makes it", b.name)
	}
	if err != nil {
		return err
	}
	b.seen = make(map[string]bool)
	if b.known, err = lint.ReadBaseline(text); err != nil {
		return fmt.Errorf("%s %w", b.name, err)
	}
	return nil
}

// named returns how the baseline names a file: from its own folder, wherever it is run.
func (b *baselineFlags) named(file string) string {
	if file == "-" {
		return file
	}
	folder, err := filepath.Abs(filepath.Dir(b.name))
	if err != nil {
		return file
	}
	return relative(folder, file)
}

// fresh returns the findings that the baseline does not have.
func (b *baselineFlags) fresh(findings []lint.Finding) []lint.Finding {
	if b.known == nil {
		return findings
	}
	return b.known.New(findings, b.named)
}

// summary says how much of the baseline is not found any more.
func (b *baselineFlags) summary() string {
	if b.known == nil {
		return ""
	}
	if gone := b.known.Gone(b.seen); gone > 0 {
		return fmt.Sprintf("; %d of the baseline not found any more, -write-baseline takes them out", gone)
	}
	return ""
}
