//go:build !unix

package cli

import "os"

// columnsOf returns how wide a terminal is, or 0 where that is not known.
func columnsOf(*os.File) int { return 0 }
