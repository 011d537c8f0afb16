//go:build light

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"uncoil/internal/cli"
)

// serve runs the subcommand in the program that has the service in it. It is
// looked for in one place only, so that nothing on the PATH takes its place.
func serve(_ *cli.Program, args []string) error {
	own, err := os.Executable()
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err != nil {
		return fmt.Errorf("serve is in another program beside this one, which cannot be found: %w", err)
	}
	name := fullName(filepath.Base(own))
	full := filepath.Join(filepath.Dir(own), name)
	if _, err := os.Stat(full); err != nil {
		return fmt.Errorf("serve is in %s, which comes with this program and has to lie beside it: %w", name, err)
	}
	return run(full, append([]string{full, "serve"}, args...))
}

// fullName returns what uncoil-full is called beside a program of this name: as
// a release names both, uncoil-full-linux-amd64 beside uncoil-linux-amd64.
func fullName(own string) string {
	rest, ok := strings.CutPrefix(own, "uncoil")
	if !ok {
		rest = filepath.Ext(own) // of a program that was given another name, .exe stays
	}
	return "uncoil-full" + rest
}
