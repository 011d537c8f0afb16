//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// hasOtherLinks reports whether a file has several names.
func hasOtherLinks(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}

// keepOwner gives a new file the owner and the group of another one, and reports
// whether it has both.
func keepOwner(f *os.File, info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	if f.Chown(int(stat.Uid), int(stat.Gid)) == nil {
		return true
	}
	_ = f.Chown(-1, int(stat.Gid)) // an owner may choose among the groups of its own
	return false
}

// ignoreFileSizeSignal makes a file that grows beyond the limit of the process an
// error of the write. Otherwise it ends the process, and leaves a file behind.
func ignoreFileSizeSignal() { signal.Ignore(syscall.SIGXFSZ) }

// endings are the signals that end a process while it works.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// end ends the process by a signal, as if nobody had waited for it.
func end(s os.Signal) {
	signal.Reset(s)
	if err := syscall.Kill(os.Getpid(), s.(syscall.Signal)); err != nil {
		os.Exit(1)
	}
}

// syncFolder makes a renaming outlast a loss of power. Where that fails, the file
// is whole all the same.
func syncFolder(name string) {
	if dir, err := os.Open(name); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}
