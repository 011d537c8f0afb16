// Package sandbox lets a process give up what it does not need any more, so
// that whoever takes it over finds nothing: no file, no other machine, no way
// to more privileges.
//
// On Linux it is Landlock that takes these away, which needs no privilege and
// no configuration. Elsewhere Enter says that there is no sandbox.
package sandbox

import "errors"

// A State says what the sandbox holds off.
type State struct {
	// ABI is the version of Landlock that the kernel has.
	ABI int
	// Missing says what an older kernel cannot hold off; empty for nothing.
	Missing string
}

// ErrUnsupported is that there is no sandbox on this system.
var ErrUnsupported = errors.New("the system has no Landlock, which Linux has since 5.13 where it is switched on")
