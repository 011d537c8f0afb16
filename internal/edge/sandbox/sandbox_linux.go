package sandbox

import (
	"errors"
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// abiVersion asks the kernel for its version of Landlock. Tests replace it.
var abiVersion = ll.LandlockGetABIVersion

// networkABI is the first version of Landlock that restricts TCP.
const networkABI = 4

// Enter permanently forbids all threads of the process to open, execute or change
// files, except for reading the files and folders in paths; to listen on TCP
// addresses or connect to them; and to gain privileges. What is open stays open.
// Landlock does not restrict Multipath TCP, or UDP before version 10, so a
// firewall is still useful. If the error is ErrUnsupported, the process still
// cannot gain privileges.
func Enter(paths ...string) (State, error) {
	if err := ll.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return State{}, fmt.Errorf("no new privileges: %w", err)
	}
	// The process writes no core file, and other processes of the user cannot
	// read its memory.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return State{}, fmt.Errorf("not dumpable: %w", err)
	}
	abi, err := abiVersion()
	if errors.Is(err, unix.EPERM) {
		return State{}, errors.New("a filter of system calls forbids Landlock")
	}
	if err != nil || abi < 1 {
		return State{}, ErrUnsupported
	}
	var rules []landlock.Rule
	for _, name := range paths {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return State{}, err
		case info.IsDir():
			rules = append(rules, landlock.RODirs(name))
		default:
			rules = append(rules, landlock.ROFiles(name))
		}
	}
	if err := landlock.V11.BestEffort().Restrict(rules...); err != nil {
		return State{}, err
	}
	state := State{ABI: abi}
	if abi < networkABI {
		state.Missing = "the kernel is too old to forbid network connections"
	}
	return state, nil
}
