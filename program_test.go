package uncoil_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Packages that a build of cmd/uncoil once consisted of, or might again by way
// of a library. Each initialises itself in every run, or keeps the linker from
// leaving out what is not used: docs/architecture.md, "How soon it starts", has
// what they cost.
var (
	notInProgram = []string{
		"database/sql", "expvar", "html/template", "net/http/pprof", "runtime/metrics", "text/template",
		"github.com/prometheus", "google.golang.org/protobuf",
	}
	notInLight = []string{
		"compress", "crypto", "log", "net", "os/exec", "runtime/pprof",
		"github.com/andybalholm/brotli", "github.com/landlock-lsm/go-landlock",
		"uncoil/internal/httpapi", "uncoil/internal/service", "uncoil/web",
	}
)

// TestProgramImports holds what is in the program, and in its light build.
func TestProgramImports(t *testing.T) {
	for _, build := range []struct {
		tags     string
		has, not []string
	}{
		{"", []string{"uncoil/internal/httpapi"}, notInProgram},
		{"light", []string{"uncoil/internal/cli"}, append(notInLight, notInProgram...)},
	} {
		listed, err := exec.Command("go", "list", "-deps", "-tags", build.tags, "./cmd/uncoil").Output()
		if err != nil {
			t.Fatal(err)
		}
		packages := strings.Fields(string(listed))
		for _, name := range build.has {
			if !hasPackage(packages, name) {
				t.Errorf("-tags %q: %s is not there", build.tags, name)
			}
		}
		for _, name := range build.not {
			if hasPackage(packages, name) {
				t.Errorf("-tags %[1]q: cmd/uncoil has %[2]s in its closure; find out who imports it with  go list -deps -tags %[1]q -f '{{.ImportPath}}: {{.Imports}}' ./cmd/uncoil", build.tags, name)
			}
		}
	}
}

// hasPackage reports whether a package is listed, or one below its path.
// Those of net alone, which touch no network, do not count for net.
func hasPackage(packages []string, name string) bool {
	for _, p := range packages {
		if p == name || strings.HasPrefix(p, name+"/") && p != "net/netip" {
			return true
		}
	}
	return false
}
