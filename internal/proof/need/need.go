// Package need has what tests do where a program that they run is not installed.
package need

import (
	"os"
	"os/exec"
	"testing"
)

// Program returns the path of a program. Where it is missing the test is skipped, or fails
// where UNCOIL_REQUIRE_CURL asks for every test.
func Program(t testing.TB, name string) string {
	t.Helper()
	found, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name)
	}
	return found
}

// Missing is Program for what is not a program, and is missing.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("UNCOIL_REQUIRE_CURL") == "1" || os.Getenv("UNCOIL_REQUIRE_RUNTIMES") == "1" {
		t.Fatalf("%s is not installed, and UNCOIL_REQUIRE_CURL or UNCOIL_REQUIRE_RUNTIMES asks for every test", what)
	}
	t.Skipf("%s is not installed", what)
}
