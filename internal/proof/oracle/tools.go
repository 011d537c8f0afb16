package oracle

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Require skips the test when curl, bash or a C compiler is missing, and says
// which. With UNCOIL_REQUIRE_CURL=1 it fails the test instead.
func Require(t testing.TB) {
	t.Helper()
	_, err := findTools()
	if err == nil {
		return
	}
	if os.Getenv("UNCOIL_REQUIRE_CURL") == "1" {
		t.Fatalf("the oracle is required, but %v", err)
	}
	t.Skipf("no oracle: %v", err)
}

// tools are the programs that a run needs, as absolute paths.
type tools struct {
	curl, bash string
	redirect   string // the preloaded library
}

var findTools = sync.OnceValues(func() (tools, error) {
	var t tools
	var err error
	if t.curl, err = Curl(); err != nil {
		return t, err
	}
	if t.bash, err = lookTool("bash"); err != nil {
		return t, err
	}
	t.redirect, err = buildRedirect()
	return t, err
})

func lookTool(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

//go:embed testdata/redirect.c
var redirectSource []byte

// buildRedirect compiles the preloaded library. The result is kept in the
// user's cache under the hash of its source, so that the test binaries of
// several packages share it and none leaves one behind.
func buildRedirect() (string, error) {
	cc, err := lookTool("cc")
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "uncoil-oracle")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	library := filepath.Join(dir, fmt.Sprintf("redirect-%x.so", sha256.Sum256(redirectSource)))
	if _, err := os.Stat(library); err == nil {
		return library, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	source, object := filepath.Join(work, "redirect.c"), filepath.Join(work, "redirect.so")
	if err := os.WriteFile(source, redirectSource, 0o600); err != nil {
		return "", err
	}
	cmd := exec.Command(cc, "-shared", "-fPIC", "-O1", "-o", object, source, "-ldl")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cc cannot build the preloaded library: %w\n%s", err, out)
	}
	// Renaming is atomic: a process that builds at the same time does no harm.
	return library, os.Rename(object, library)
}
