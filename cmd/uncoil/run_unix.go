//go:build light && unix

package main

import (
	"fmt"
	"os"
	"syscall"
)

// run puts another program in the place of this one, with its process,
// streams and environment.
func run(path string, args []string) error {
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, args, os.Environ()))
}
