package serve

import (
	"errors"
	"net"
	"os"
	"strconv"

	"uncoil/internal/httpserver"
)

// firstPassed is the first of the file descriptors that systemd passes.
const firstPassed = 3

// listen opens the address of the service. The address systemd stands for
// the one socket that systemd has opened and passes, which goes on taking
// connections while the service is started again.
func listen(addr string, env func(string) string) (net.Listener, error) {
	if addr != "systemd" {
		return httpserver.Listen(addr)
	}
	if env("LISTEN_PID") != strconv.Itoa(os.Getpid()) || env("LISTEN_FDS") != "1" {
		return nil, errors.New("-addr systemd: systemd passes no socket, or more than one; start the socket unit, and not the service")
	}
	file := os.NewFile(firstPassed, "socket")
	defer file.Close() // FileListener has a copy
	return net.FileListener(file)
}
