package sandbox

import (
	"errors"
	"fmt"
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// abiVersion asks the kernel; a test answers for it.
var abiVersion = ll.LandlockGetABIVersion

// networkABI is the first version of Landlock that knows about TCP.
const networkABI = 4

// Enter takes from all threads of the process, for good, the right to open,
// run or change any file, except to read the files, and those in the folders,
// that paths names; to listen
// on and connect to TCP addresses; and to gain privileges. What is open stays
// open. Landlock does not know of Multipath TCP, nor, before version 10, of
// UDP: a firewall is still worth having. No new privileges is set even where
// the error is ErrUnsupported.
func Enter(paths ...string) (State, error) {
	if err := ll.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return State{}, fmt.Errorf("no new privileges: %w", err)
	}
	// No core file, and no other process of this user may read the memory.
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
