package serve

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"uncoil/internal/cli"
)

// For tests that start a process, uncoil is a command.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uncoil": func() { os.Exit(cli.Main(Serve)) }})
}
