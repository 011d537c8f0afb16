package repo

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// firstVersion is the newest heading of the changelog.
var firstVersion = regexp.MustCompile(`(?m)^## v(\d+\.\d+\.\d+) – (?:unreleased|\d{4}-\d{2}-\d{2})$`)

// pythonVersion is where the package for Python has its version.
var pythonVersion = regexp.MustCompile(`(?m)^__version__ = "(.*)"$`)

// TestVersionsAgree holds that the packages for npm and Python have the version that the
// changelog is about. The program has that of the tag in git.
func TestVersionsAgree(t *testing.T) {
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := firstVersion.FindSubmatch(changes)
	if heading == nil {
		t.Fatal("CHANGELOG.md has no heading with a version and its date")
	}
	for _, name := range []string{"npm/package.json", "npm/parse/package.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var npm struct{ Version string }
		if err := json.Unmarshal(text, &npm); err != nil {
			t.Fatal(err)
		}
		if npm.Version != string(heading[1]) {
			t.Errorf("%s has %s, and the changelog is about %s", name, npm.Version, heading[1])
		}
	}
	text, err := os.ReadFile("python/uncoil/__init__.py")
	if err != nil {
		t.Fatal(err)
	}
	if python := pythonVersion.FindSubmatch(text); python == nil || string(python[1]) != string(heading[1]) {
		t.Errorf("the package for Python is %q, and the changelog is about %s", python, heading[1])
	}
}
