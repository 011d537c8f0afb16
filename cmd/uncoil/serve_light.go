//go:build light

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"uncoil/internal/cli"
)

// serve runs the subcommand in the program that has the service in it. It is
// looked for in one place only, so that nothing on the PATH takes its place.
func serve(_ *cli.Program, args []string) error {
	name := "uncoil-full"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		return fmt.Errorf("serve is in %s, beside this program, which cannot be found: %w", name, err)
	}
	full := filepath.Join(filepath.Dir(own), name)
	if _, err := os.Stat(full); err != nil {
		return fmt.Errorf("serve is in %s, which comes with this program and has to lie beside it: %w", name, err)
	}
	return run(full, append([]string{full, "serve"}, args...))
}
