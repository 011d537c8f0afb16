package cli

import (
	"strings"
	"testing"
)

// TestColumns holds that an excerpt is as wide as the terminal says, and that a fix is whole
// there, secrets and all, because somebody copies it.
func TestColumns(t *testing.T) {
	var out strings.Builder
	p := &Program{Stdin: strings.NewReader(""), Stdout: &strings.Builder{}, Stderr: &terminal{&out}, Env: func(name string) string {
		return map[string]string{"COLUMNS": "40"}[name]
	}}
	command := "curl -H 'X: " + strings.Repeat("名", 60) + "' --hedaer 'Authorization: Bearer s3cr3tt' https://h.test"
	_ = p.convert([]string{command})
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 6 || lines[4] != "fix: "+strings.Replace(command, "hedaer", "header", 1) {
		t.Fatalf("wrote %q", lines)
	}
	before, _, _ := strings.Cut(lines[1], "--hedaer")
	wide := strings.Count(before, "名")
	if n := len([]rune(lines[1])) + strings.Count(lines[1], "名"); n > 40 || wide == 0 {
		t.Errorf("an excerpt of %d columns: %q", n, lines[1])
	}
	if at := len(lines[2]) - len(strings.TrimLeft(lines[2], " ")); at != len([]rune(before))+wide {
		t.Errorf("the carets stand at %d:\n%s\n%s", at, lines[1], lines[2])
	}
}
