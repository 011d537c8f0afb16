//go:build !js

package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"uncoil/internal/edge/lazy"
)

// changedLines are the lines of files that changed since a revision, as git has it, by the
// absolute path of the file. A file that git does not know yet is new as a whole.
type changedLines map[string][]lineRange

// lineRange is from the first to the last of some lines, which count from 1.
type lineRange struct{ first, last int }

// everyLine is after the last line of any file.
const everyLine = 1 << 30

// linesSince asks git what changed between a revision and the files that are here. No
// program that the repository names is run for it.
func linesSince(revision string) (changedLines, error) {
	if revision == "" || revision[0] == '-' {
		return nil, errors.New("-since wants a revision of git, such as main or HEAD~1")
	}
	top, err := gitSays("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	top = strings.TrimSuffix(top, "\n")
	patch, err := gitSays("-C", top, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=0", "--src-prefix=a/", "--dst-prefix=b/", revision, "--")
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	others, err := gitSays("-C", top, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	changed, err := changedIn(patch, top)
	for name := range strings.SplitSeq(others, "\x00") {
		if name != "" {
			changed[filepath.Join(top, filepath.FromSlash(name))] = []lineRange{{1, everyLine}}
		}
	}
	return changed, err
}

// hunk is the head of a stretch of a patch: how many lines are gone, and which are new.
var hunk = lazy.Regexp(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// changedIn reads a patch without context.
func changedIn(patch, top string) (changedLines, error) {
	changed, name := changedLines{}, ""
	old, added := 0, 0 // lines of a hunk that are still to come
	for line := range strings.Lines(patch) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case old > 0 && strings.HasPrefix(line, "-"):
			old--
		case added > 0 && strings.HasPrefix(line, "+"):
			added--
		case strings.HasPrefix(line, "+++ "):
			quoted := strings.TrimSuffix(line[len("+++ "):], "\t") // behind a name with blanks
			if quoted == "/dev/null" {
				name = ""
				continue
			}
			if strings.HasPrefix(quoted, `"`) {
				var err error
				if quoted, err = strconv.Unquote(quoted); err != nil {
					return changed, fmt.Errorf("-since: the patch of git has the name %s", line)
				}
			}
			name = filepath.Join(top, filepath.FromSlash(strings.TrimPrefix(quoted, "b/")))
		default:
			m := hunk().FindStringSubmatch(line)
			if m == nil {
				continue
			}
			number := func(text string) int { // one, where git leaves it out
				if n, err := strconv.Atoi(text); err == nil {
					return n
				}
				return 1
			}
			first := number(m[2])
			old, added = number(m[1]), number(m[3])
			last := first + added - 1
			if added == 0 { // what is gone touches the line before it and the one behind
				last = first + 1
			}
			if name != "" {
				changed[name] = append(changed[name], lineRange{first, last})
			}
		}
	}
	return changed, nil
}

// of returns a function that reports whether one of some lines of a file changed.
func (c changedLines) of(name string) func(first, last int) bool {
	absolute, err := filepath.Abs(name)
	if err == nil {
		// Git names what symbolic links lead to.
		if real, err := filepath.EvalSymlinks(absolute); err == nil {
			absolute = real
		}
	}
	ranges := c[absolute]
	return func(first, last int) bool {
		for _, r := range ranges {
			if r.first <= last && first <= r.last {
				return true
			}
		}
		return false
	}
}
