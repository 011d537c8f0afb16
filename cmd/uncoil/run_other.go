//go:build light && !unix

package main

import (
	"os"
	"os/signal"
)

// run runs another program with the streams and the environment of this one,
// and ends as that one does. What interrupts this one from the keyboard
// interrupts the other one too, which is waited for.
func run(path string, args []string) error {
	signal.Ignore(os.Interrupt)
	process, err := os.StartProcess(path, args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	state, err := process.Wait()
	if err != nil {
		return err
	}
	os.Exit(state.ExitCode())
	return nil
}
