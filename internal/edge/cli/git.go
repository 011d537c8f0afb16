//go:build !js

package cli

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
)

// gitSays returns what git prints. No program that the repository names is run for it: the
// monitor of files would be one.
func gitSays(args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.Command("git", append([]string{"-c", "core.quotePath=false", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		if said == "" {
			said = err.Error()
		}
		return "", errors.New("git says: " + said)
	}
	return out.String(), nil
}

// trackedBelow returns the files below a folder, and the folders that these lie in, that a
// .gitignore names and git has all the same; none where git does not say so.
func trackedBelow(dir string) map[string]bool {
	names, err := gitSays("-C", dir, "ls-files", "--cached", "--ignored", "--exclude-standard", "-z")
	if err != nil {
		return nil
	}
	tracked := map[string]bool{}
	for name := range strings.SplitSeq(names, "\x00") {
		for name != "" && name != "." {
			tracked[filepath.Join(dir, filepath.FromSlash(name))] = true
			name = filepath.ToSlash(filepath.Dir(name))
		}
	}
	return tracked
}
