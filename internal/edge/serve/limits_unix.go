//go:build unix

package serve

import "syscall"

// maxFiles returns the limit of open files, or 0 if it is unknown.
func maxFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
