// Package gitignore leaves out files as the lines of a .gitignore do (gitignore(5)).
package gitignore

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Patterns leave out files; the last one that matches decides. The rules are few, and the
// libraries for them bring all of git.
type Patterns []pattern

type pattern struct {
	dir    string // below which it counts, absolute and with slashes; "." for everywhere
	match  *regexp.Regexp
	folder bool // matches folders only
	negate bool // takes back what others leave out
}

// Add adds a line that counts everywhere.
func (all *Patterns) Add(line string) error {
	p, ok := patternOf(line, ".")
	if !ok {
		return errors.New("must be a pattern such as vendor/ or *.min.md")
	}
	*all = append(*all, p)
	return nil
}

// patternOf reads a line of a .gitignore in a folder.
func patternOf(line, dir string) (p pattern, ok bool) {
	line = strings.TrimRight(strings.TrimSuffix(line, "\r"), " ")
	if line == "" || line[0] == '#' {
		return p, false
	}
	p.dir = dir
	if p.negate = line[0] == '!'; p.negate {
		line = line[1:]
	}
	line, p.folder = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	text := "^"
	if !anchored {
		text = "(?:^|/)"
	}
	line = strings.TrimPrefix(line, "/")
	for line != "" {
		switch {
		case strings.HasPrefix(line, "**/"):
			text, line = text+"(?:.*/)?", line[3:]
		case strings.HasPrefix(line, "**"):
			text, line = text+".*", line[2:]
		case line[0] == '*':
			text, line = text+"[^/]*", line[1:]
		case line[0] == '?':
			text, line = text+"[^/]", line[1:]
		case line[0] == '[' && strings.Contains(line[1:], "]"):
			end := strings.IndexByte(line[1:], ']') + 2
			class := line[1 : end-1]
			if rest, not := strings.CutPrefix(class, "!"); not {
				class = "^" + rest
			}
			text, line = text+"["+strings.ReplaceAll(class, `\`, `\\`)+"]", line[end:]
		case line[0] == '\\' && len(line) > 1:
			text, line = text+regexp.QuoteMeta(line[1:2]), line[2:]
		default:
			text, line = text+regexp.QuoteMeta(line[:1]), line[1:]
		}
	}
	var err error
	p.match, err = regexp.Compile(text + "$")
	return p, err == nil
}

// Has reports whether a file or a folder is left out: the last pattern that matches
// decides.
func (all Patterns) Has(name string, folder bool) bool {
	name = path.Clean(filepath.ToSlash(name))
	absolute := ""
	for i := len(all) - 1; i >= 0; i-- {
		p := &all[i]
		rest := name
		if p.dir != "." {
			if absolute == "" {
				absolute = absoluteOf(name)
			}
			var below bool
			if rest, below = strings.CutPrefix(absolute, strings.TrimSuffix(p.dir, "/")+"/"); !below {
				continue
			}
		}
		if (!p.folder || folder) && p.match.MatchString(rest) {
			return !p.negate
		}
	}
	return false
}

// absoluteOf returns the absolute form of a path, with slashes; the path itself where the
// working folder is not known.
func absoluteOf(name string) string {
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	return filepath.ToSlash(name)
}

// maxIgnoreFile is how long a .gitignore may be.
const maxIgnoreFile = 1 << 20

// ReadFolder adds the patterns of the .gitignore in a folder, if it has one.
func (all *Patterns) ReadFolder(dir string) {
	info, err := os.Stat(filepath.Join(dir, ".gitignore"))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreFile {
		return
	}
	text, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return
	}
	below := absoluteOf(dir)
	for line := range strings.Lines(string(text)) {
		if p, ok := patternOf(strings.TrimSuffix(line, "\n"), below); ok {
			*all = append(*all, p)
		}
	}
}

// ReadAbove adds the patterns of the folders above one, up to that of the repository,
// the outermost first. Outside of a repository there are none.
func (all *Patterns) ReadAbove(dir string) {
	var above []string
	for at := filepath.Clean(dir); ; {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if parent, err := filepath.Abs(at); err != nil || parent == filepath.Dir(parent) {
			return // no repository
		}
		at = filepath.Join(at, "..")
		above = append(above, at)
	}
	for i := len(above) - 1; i >= 0; i-- {
		all.ReadFolder(above[i])
	}
}
