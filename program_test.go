package uncoil_test

import (
	"os/exec"
	"strings"
	"testing"
)

// notInProgram are packages that cmd/uncoil once consisted of, or might again
// by way of a library. Each initialises itself in every run, or keeps the
// linker from leaving out what is not used: docs/architecture.md, "How soon it
// starts", has what they cost.
var notInProgram = []string{
	"database/sql", "expvar", "html/template", "runtime/metrics", "text/template",
	"github.com/prometheus", "google.golang.org/protobuf",
}

func TestProgramImports(t *testing.T) {
	listed, err := exec.Command("go", "list", "-deps", "./cmd/uncoil").Output()
	if err != nil {
		t.Fatal(err)
	}
	there := false
	for name := range strings.FieldsSeq(string(listed)) {
		there = there || name == "uncoil/internal/httpapi"
		for _, not := range notInProgram {
			if name == not || strings.HasPrefix(name, not+"/") {
				t.Errorf("cmd/uncoil has %s in its closure; find out who imports it with  go list -deps -f '{{.ImportPath}}: {{.Imports}}' ./cmd/uncoil", name)
			}
		}
	}
	if !there {
		t.Errorf("the service is not there: %s", listed)
	}
}
