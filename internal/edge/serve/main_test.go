package serve

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"uncoil/internal/edge/cli"
)

// commands are the programs that tests start.
var commands = map[string]func(){"uncoil": func() { os.Exit(cli.Main(Serve)) }}

func TestMain(m *testing.M) { testscript.Main(m, commands) }
