package lsp_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// documented returns the lines for an editor that its documentation has: the block of
// code below a comment.
func documented(t *testing.T, editor string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("<!-- " + editor + " -->\n```\\w+\n((?s:.*?))```\n").FindSubmatch(text)
	if block == nil {
		t.Fatalf("docs/editors.md has no block for %s", editor)
	}
	return string(block[1])
}

// Neovim, with the lines of docs/editors.md, shows diagnostics, applies a fix, explains an
// option and opens a program.
func TestNeovim(t *testing.T) {
	if _, err := exec.LookPath("nvim"); err != nil {
		if os.Getenv("UNCOIL_REQUIRE_RUNTIMES") != "" {
			t.Fatal(err)
		}
		t.Skip("nvim is not installed")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "uncoil"), "uncoil/cmd/uncoil").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script, err := filepath.Abs("testdata/neovim.lua")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"init.lua":  documented(t, "neovim"),
		"README.md": "# Größe 😀\n\n```sh\ncurl --heder 'Accept: text/ä' https://h.test/\n```\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "nvim", "--headless", "-i", "NONE", "-n", "-u", "init.lua", "README.md", "-S", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "SEEN="+filepath.Join(dir, "seen"),
		"HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err := cmd.CombinedOutput()
	text, missing := os.ReadFile(filepath.Join(dir, "seen"))
	if err != nil || missing != nil {
		t.Fatalf("%v, %v: %s %s", err, missing, text, out)
	}
	var seen struct {
		Diagnostics, Typed, Actions      []string
		Mended, Hover, Program, Filetype string
		Problem                          string
	}
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if seen.Problem != "" {
		t.Fatalf("%s\n%+v\n%s", seen.Problem, seen, out)
	}
	if want := []string{"3:5-12 unknown-option"}; !slices.Equal(seen.Diagnostics, want) || !slices.Equal(seen.Typed, want) {
		t.Errorf("diagnostics %q and %q, want %q", seen.Diagnostics, seen.Typed, want)
	}
	if seen.Mended != "curl --header 'Accept: text/ä' https://h.test/" {
		t.Errorf("the fix leaves %q", seen.Mended)
	}
	if !strings.HasPrefix(seen.Hover, "`--header`\n\n") || !strings.Contains(seen.Hover, "`headers.Accept`") {
		t.Errorf("hover says %q", seen.Hover)
	}
	if want := []string{"Convert to Python", "Convert to Go", "Convert to JavaScript"}; !slices.Equal(seen.Actions, want) {
		t.Errorf("actions %q, want %q", seen.Actions, want)
	}
	if seen.Filetype != "python" || !strings.Contains(seen.Program, "requests.get(") || !strings.Contains(seen.Program, "text/ä") {
		t.Errorf("a program in %s:\n%s", seen.Filetype, seen.Program)
	}
	if len(out) > 0 {
		t.Logf("%s", out)
	}
}
