package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"uncoil/extract"
	"uncoil/internal/edge/lint"
)

// skippedFolders hold what others have written.
var skippedFolders = map[string]bool{".git": true, ".hg": true, ".svn": true, "node_modules": true, "vendor": true}

// search calls found with the curl commands of each file that args name, and of
// the files below each folder. Without arguments it reads standard input. It
// follows no symbolic links below a folder, and leaves out large files there, and what
// a .gitignore or excluded leaves out.
func (p *Program) search(args []string, excluded patterns, found func(*lint.File) error) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	one := func(name string, text []byte) error {
		f, err := lint.Read(name, string(text), extract.KindOf(name))
		if err != nil && err != extract.ErrWork {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			p.complain(name + ": " + err.Error())
		}
		return found(f)
	}
	for _, arg := range args {
		if arg == "-" {
			p.tellWaiting()
			text, err := readText(p.Stdin, lint.MaxFile)
			if err != nil {
				return err
			}
			if err := one("-", []byte(text)); err != nil {
				return err
			}
			continue
		}
		ignored := slices.Clone(excluded)
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			ignored.readAbove(arg)
		}
		err := filepath.WalkDir(arg, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil && name == arg:
				return err
			case err != nil:
				p.complain(err.Error())
				return nil
			case entry.IsDir():
				if name != arg && (skippedFolders[entry.Name()] || ignored.has(name, true)) {
					return filepath.SkipDir
				}
				ignored.readIgnored(name)
				return nil
			case name != arg && ignored.has(name, false):
				return nil
			case name != arg && !entry.Type().IsRegular():
				return nil
			}
			text, err := readSearched(name)
			if err != nil {
				if name == arg {
					return err
				}
				p.complain(err.Error())
				return nil
			}
			return one(filepath.ToSlash(name), text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

var errLarge = errors.New("left out, because it is larger than 16 MiB")

// readSearched reads a regular file.
func readSearched(name string) ([]byte, error) {
	f, info, err := openRegular(os.OpenFile, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > lint.MaxFile {
		return nil, fmt.Errorf("%s: %w", name, errLarge)
	}
	return io.ReadAll(io.LimitReader(textReader(f), lint.MaxFile))
}
