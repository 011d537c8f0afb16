//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// columnsOf returns how wide a terminal is, or 0 where that is not known.
func columnsOf(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
