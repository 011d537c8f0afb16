package serve

import (
	"os"
	"os/signal"
	"syscall"
)

// catchSignals takes away the two signals that would end the process by
// accident: SIGHUP, which is returned, and SIGPIPE, which a write to a log
// whose reader has gone sends.
func catchSignals() (hangup <-chan os.Signal) {
	signal.Ignore(syscall.SIGPIPE)
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c
}
