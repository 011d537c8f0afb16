package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"uncoil/internal/edge/cli"
)

// faulty is a standard input whose reading panics.
type faulty struct{}

func (faulty) Read([]byte) (int, error) { panic("s3cr3t") }

// TestFault holds that a panic ends the command line as any other error does.
func TestFault(t *testing.T) {
	for _, args := range [][]string{{}, {"parse"}, {"code", "-to", "go"}, {"fmt"}, {"lint", "-"}, {"extract"}} {
		var stdout, stderr bytes.Buffer
		code := cli.Run(args, faulty{}, &stdout, &stderr, func(string) string { return "" }, nil)
		said := stderr.String()
		if code != 1 || stdout.Len() > 0 || strings.Count(said, "\n") != 1 || !strings.Contains(said, "please report it") || strings.Contains(said, "s3cr3t") {
			t.Errorf("%q exits with %d: %s%s", args, code, &stdout, said)
		}
	}
}
