package cli

import (
	"os"
	"testing"
)

// The null device is no terminal.
func TestNullDevice(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if IsTerminal(null) {
		t.Error("the null device is a terminal")
	}
}
