// Package repo tests the tree itself: which package imports which, what the
// public packages export, what the documents say of the code.
package repo

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite what the tests expect")

// The tests name files from the root of the module.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
