package lazy_test

import (
	"testing"

	_ "uncoil/internal/edge/cli" // which imports all that has regular expressions
	"uncoil/internal/edge/lazy"
)

// TestMustCompile compiles what no start does.
func TestMustCompile(*testing.T) { lazy.MustCompile() }
