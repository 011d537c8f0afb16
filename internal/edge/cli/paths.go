package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"uncoil/extract"
	"uncoil/internal/edge/gitignore"
	"uncoil/internal/edge/lint"
)

// skippedFolders hold what others have written.
var skippedFolders = map[string]bool{".git": true, ".hg": true, ".svn": true, "node_modules": true, "vendor": true}

// search calls found with the curl commands of each file that args name, and of
// the files below each folder. Without arguments it reads standard input. It
// follows no symbolic links below a folder, and leaves out large files there, and what
// a .gitignore leaves out there unless git has it, or excluded does. What left does, unless it is nil, is left out
// even where args name it, as tools do that name each file. The error errUnread comes after
// all others were searched, for a path that is not there.
func (p *Program) search(args []string, excluded gitignore.Patterns, left func(name string, folder bool) bool, found func(*lint.File) error) error {
	if len(args) == 0 {
		args = []string{"-"}
	}
	var unread error
	for _, arg := range args {
		var err error
		if arg == "-" {
			err = p.searchStdin(found)
		} else if _, missing := os.Stat(arg); missing != nil { // the others are searched
			p.complain(missing.Error())
			unread = errUnread
		} else {
			err = p.searchBelow(arg, excluded, left, found)
		}
		if err != nil {
			return err
		}
	}
	return unread
}

// searchText calls found with the commands of a text.
func (p *Program) searchText(name string, text []byte, found func(*lint.File) error) error {
	f, err := lint.Read(name, string(text), extract.KindOf(name))
	if err != nil && err != extract.ErrWork {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		p.complain(name + ": " + err.Error())
	}
	return found(f)
}

// searchStdin calls found with the commands of standard input.
func (p *Program) searchStdin(found func(*lint.File) error) error {
	p.tellWaiting()
	text, err := readText(p.Stdin, lint.MaxFile)
	if err != nil {
		return err
	}
	return p.searchText("-", []byte(text), found)
}

// searchBelow calls found with the commands of a file, or of the files below a folder.
func (p *Program) searchBelow(arg string, excluded gitignore.Patterns, left func(name string, folder bool) bool, found func(*lint.File) error) error {
	var ignored gitignore.Patterns
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		ignored.ReadAbove(arg)
	}
	tracked := sync.OnceValue(func() map[string]bool { return trackedBelow(arg) })
	partly := map[string]bool{} // folders that are ignored, but for files that git has
	isLeft := func(name string, folder bool) bool {
		if name != arg && excluded.Has(name, folder) || left != nil && left(name, folder) {
			return true
		}
		if name == arg || !partly[filepath.Dir(name)] && !ignored.Has(name, folder) {
			return false
		}
		if folder && tracked()[name] {
			partly[name] = true
		}
		return !tracked()[name]
	}
	return filepath.WalkDir(arg, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == arg:
			return err
		case err != nil:
			p.complain(err.Error())
			return nil
		case entry.IsDir():
			if name != arg && skippedFolders[entry.Name()] || isLeft(name, true) {
				return filepath.SkipDir
			}
			ignored.ReadFolder(name)
			return nil
		case isLeft(name, false):
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
		return p.searchText(filepath.ToSlash(name), text, found)
	})
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

// isTest reports whether a file that was found below one of some paths is a test by its name,
// or lies in a folder of tests there.
func isTest(name string, args []string) bool {
	for _, arg := range args {
		below := name
		if arg = path.Clean(filepath.ToSlash(arg)); arg != "." {
			var found bool
			if below, found = strings.CutPrefix(name, strings.TrimSuffix(arg, "/")+"/"); !found {
				continue
			}
		}
		folder, file := path.Split(below)
		for part := range strings.SplitSeq(folder, "/") {
			switch part {
			case "test", "spec", "specs", "__tests__", "testdata", "fixtures", "e2e":
				return true
			}
			if strings.HasSuffix(part, "tests") { // unittests
				return true
			}
		}
		stem := strings.TrimSuffix(file, path.Ext(file))
		return strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") || strings.HasPrefix(stem, "test_")
	}
	return false
}
