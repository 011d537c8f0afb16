package gitignore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The patterns leave out what git does: git itself is the judge.
func TestPatternsAreGits(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	const rules = "# comment\n\n*.log\n!keep.log\n/root.md\nbuild/\n!build/kept.md\na/**/z.md\ndoc/*.md\n**/deep/x.md\nq?.md\n[ab].txt\n[!c]x.txt\n\\#hash.md\ntrail.md   \nall/**\n"
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(rules), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(git, "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git init: %s", out)
	}
	var all Patterns
	for line := range strings.Lines(rules) {
		if p, ok := patternOf(strings.TrimSuffix(line, "\n"), "."); ok {
			all = append(all, p)
		}
	}
	for _, name := range []string{"x.log", "keep.log", "sub/x.log", "sub/keep.log", "root.md", "sub/root.md", "build", "sub/build", "a/z.md", "a/b/c/z.md",
		"doc/a.md", "doc/sub/a.md", "x/doc/a.md", "deep/x.md", "y/deep/x.md", "qa.md", "q.md", "qab.md", "a.txt", "c.txt", "cx.txt", "dx.txt", "#hash.md",
		"trail.md", "all/b", "all", "axlog"} {
		folder := name == "build" || name == "sub/build" || name == "all"
		path := filepath.Join(dir, filepath.FromSlash(name))
		if folder {
			os.MkdirAll(path, 0o755)
		}
		err := exec.Command(git, "-C", dir, "check-ignore", "-q", "--no-index", name).Run()
		if got := all.Has(name, folder); got != (err == nil) {
			t.Errorf("%s: left out %v, by git %v", name, got, err == nil)
		}
	}
}
