// Package race says whether a test runs under the race detector.
package race

import (
	"runtime/debug"
	"slices"
	"testing"
)

// Skip skips a test that measures memory where the race detector is on: that keeps
// several times the memory of a program beside it, and lets [sync.Pool] drop values at
// random.
func Skip(t *testing.T) {
	t.Helper()
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector takes memory of its own")
	}
}
