// Package settings reads what a project says of its commands in a file .uncoil.yaml, which
// docs/lint.md describes. Who writes it writes by hand, so whatever is not understood is an
// error with its line, and nothing is left out in silence.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/gitignore"
	"uncoil/internal/edge/lint"
)

// Name is that of the file.
const Name = ".uncoil.yaml"

// maxSize is how many bytes it may have.
const maxSize = 1 << 20

// Settings are what a project says of its commands. Paths count from the folder of the
// file, and have slashes.
type Settings struct {
	Levels   lint.Levels
	Exclude  gitignore.Patterns
	OpenAPI  string
	Servers  []string
	Baseline string

	paths []pathSettings
}

// pathSettings are those of some files.
type pathSettings struct {
	match  gitignore.Patterns
	levels lint.Levels
	shell  string
}

// For returns what is set for the commands of a file: the levels of rules and the shell,
// empty where it is to be detected. Of paths that match, the last one that says something
// decides.
func (s *Settings) For(file string) (levels lint.Levels, shell string) {
	levels = lint.Levels{}
	add := func(more lint.Levels) {
		for code, level := range more {
			levels[code] = level
		}
	}
	add(s.Levels)
	for i := range s.paths {
		p := &s.paths[i]
		if !matches(p.match, file) {
			continue
		}
		add(p.levels)
		if p.shell != "" {
			shell = p.shell
		}
	}
	return levels, shell
}

// matches reports whether a pattern has a file, or a folder that it lies in.
func matches(all gitignore.Patterns, file string) bool {
	for i := range len(file) {
		if file[i] == '/' && all.Has(file[:i], true) {
			return true
		}
	}
	return all.Has(file, false)
}

// Excludes reports whether a file or a folder is left out.
func (s *Settings) Excludes(name string, folder bool) bool {
	return s.Exclude.Has(name, folder) || matches(s.Exclude, name)
}

// Find returns the path of the file in a folder or in one above it, up to the folder of the
// repository or else of the system; empty where there is none.
func Find(folder string) (string, error) {
	at, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for {
		name := filepath.Join(at, Name)
		if _, err := os.Stat(name); err == nil {
			return name, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		_, err := os.Stat(filepath.Join(at, ".git"))
		if parent := filepath.Dir(at); err != nil && parent != at {
			at = parent
			continue
		}
		return "", nil
	}
}

// Read reads a file of settings.
func Read(name string) (*Settings, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, fmt.Errorf("%s is no file of at most %d bytes", name, maxSize)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Parse reads the text of a file of settings.
func Parse(text []byte) (*Settings, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	s := new(Settings)
	if document.Kind == 0 {
		return s, nil // an empty file
	}
	return s, members(document.Content[0], map[string]reader{
		"lint": func(n *yaml.Node) error {
			return members(n, map[string]reader{
				"rules":    levelsInto(&s.Levels),
				"paths":    s.readPaths,
				"exclude":  patternsInto(&s.Exclude),
				"openapi":  textInto(&s.OpenAPI),
				"servers":  textsInto(&s.Servers),
				"baseline": textInto(&s.Baseline),
			})
		},
	})
}

// A reader takes the value of a member.
type reader func(*yaml.Node) error

// wrong is an error in the line of a node.
func wrong(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", n.Line, fmt.Sprintf(format, args...))
}

// members reads an object, whose members are known.
func members(n *yaml.Node, known map[string]reader) error {
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	return pairs(n, func(key, value *yaml.Node) error {
		if read, ok := known[key.Value]; ok {
			return read(value)
		}
		return wrong(key, "there is no %q here%s", key.Value, meant(key.Value, names))
	})
}

// meant is the end of a message about a name that is none of some.
func meant(name string, names []string) string {
	if near := api.Near(name, names); near != "" {
		return api.Meant(near)
	}
	return "; docs/lint.md has the names"
}

// pairs calls read with the members of an object. An empty one may stand as nothing.
func pairs(n *yaml.Node, read func(key, value *yaml.Node) error) error {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return wrong(n, "names with their values are wanted")
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if seen[key.Value] {
			return wrong(key, "%q stands twice", key.Value)
		}
		seen[key.Value] = true
		if err := read(key, value); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the items of a list of texts, or a single text.
func texts(n *yaml.Node) ([]*yaml.Node, error) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	for _, item := range items {
		if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
			return nil, wrong(item, "a text is wanted")
		}
	}
	return items, nil
}

func textInto(to *string) reader {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return wrong(n, "a text is wanted")
		}
		*to = n.Value
		return nil
	}
}

func textsInto(to *[]string) reader {
	return func(n *yaml.Node) error {
		items, err := texts(n)
		for _, item := range items {
			*to = append(*to, item.Value)
		}
		return err
	}
}

func patternsInto(to *gitignore.Patterns) reader {
	return func(n *yaml.Node) error {
		items, err := texts(n)
		for _, item := range items {
			if err := to.Add(item.Value); err != nil {
				return wrong(item, "%s", err)
			}
		}
		return err
	}
}

// levelsInto reads the levels of rules.
func levelsInto(to *lint.Levels) reader {
	return func(n *yaml.Node) error {
		*to = lint.Levels{}
		return pairs(n, func(key, value *yaml.Node) error {
			if err := to.Set(key.Value, value.Value); err != nil {
				return wrong(key, "%s", err)
			}
			return nil
		})
	}
}

// readPaths reads the settings of some files.
func (s *Settings) readPaths(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return wrong(n, "a list is wanted, of objects with path and rules")
	}
	for _, item := range n.Content {
		var p pathSettings
		err := members(item, map[string]reader{
			"path":  patternsInto(&p.match),
			"rules": levelsInto(&p.levels),
			"shell": func(n *yaml.Node) error {
				for _, shell := range shells {
					if n.Value == shell {
						p.shell = shell
						return nil
					}
				}
				return wrong(n, "the shell is one of %s", strings.Join(shells, ", "))
			},
		})
		if err != nil {
			return err
		}
		if p.match == nil {
			return wrong(item, "it has no path")
		}
		s.paths = append(s.paths, p)
	}
	return nil
}

// shells are those that the commands of a file may be for.
var shells = []string{"posix", "cmd", "powershell"}
