// Package sandbox lets a process give up rights that it does not need any more,
// so that an attacker who controls the process cannot open files, connect to
// other machines over TCP, or gain privileges.
//
// On Linux it uses Landlock, which needs no privileges and no configuration. On
// other systems Enter returns ErrUnsupported.
package sandbox

import "errors"

// A State describes the sandbox.
type State struct {
	// ABI is the version of Landlock that the kernel has.
	ABI int
	// Missing is what an older kernel cannot forbid, or "".
	Missing string
}

// ErrUnsupported means that the system has no sandbox.
var ErrUnsupported = errors.New("the system has no Landlock; Linux has it since 5.13, unless it is switched off")
