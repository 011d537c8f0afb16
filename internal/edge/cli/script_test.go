package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"uncoil/internal/edge/cli"
	"uncoil/internal/edge/serve"
	"uncoil/internal/proof/need"
)

// In the scripts, and for tests that start a process, uncoil is a command.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uncoil": func() { os.Exit(cli.Main(serve.Serve)) }})
}

func TestScripts(t *testing.T) {
	if os.Getenv("UNCOIL_REQUIRE_CURL") == "1" {
		need.Program(t, "bash") // scripts leave out what it runs where it is missing
	}
	testscript.Run(t, testscript.Params{
		Dir:           "../../../testdata/script",
		UpdateScripts: os.Getenv("UNCOIL_UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// exits runs a command and wants an exit code, which exec cannot tell apart:
//
//	exits 2 uncoil nothing
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}
