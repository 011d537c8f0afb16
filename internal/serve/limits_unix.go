//go:build unix

package serve

import "syscall"

// maxFiles returns how many files the process may have open, or 0 if that is
// not known.
func maxFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
