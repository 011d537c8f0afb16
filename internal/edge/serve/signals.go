package serve

import (
	"os"
	"os/signal"
	"syscall"
)

// catchSignals keeps two signals from ending the process by accident: SIGHUP,
// which the channel receives, and SIGPIPE, which the kernel sends when the reader
// of the log has gone.
func catchSignals() (hangup <-chan os.Signal) {
	signal.Ignore(syscall.SIGPIPE)
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c
}
