package repo

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// firstVersion is the newest heading of the changelog.
var firstVersion = regexp.MustCompile(`(?m)^## v(\d+\.\d+\.\d+) – (?:unreleased|\d{4}-\d{2}-\d{2})$`)

// TestVersionsAgree holds that the npm package has the version that the changelog is
// about. The program has that of the tag in git.
func TestVersionsAgree(t *testing.T) {
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := firstVersion.FindSubmatch(changes)
	if heading == nil {
		t.Fatal("CHANGELOG.md has no heading with a version and its date")
	}
	text, err := os.ReadFile("npm/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var npm struct{ Version string }
	if err := json.Unmarshal(text, &npm); err != nil {
		t.Fatal(err)
	}
	if npm.Version != string(heading[1]) {
		t.Errorf("the npm package is %s, and the changelog is about %s", npm.Version, heading[1])
	}
}
