package serve

import (
	"errors"
	"net"
	"os"
	"strconv"

	"uncoil/internal/edge/httpserver"
)

// firstPassed is the first file descriptor that systemd passes.
const firstPassed = 3

// listen opens the address of the service. The address systemd means the socket
// that systemd passes, which accepts connections while the service restarts.
func listen(addr string, env func(string) string) (net.Listener, error) {
	if addr != "systemd" {
		return httpserver.Listen(addr)
	}
	if env("LISTEN_PID") != strconv.Itoa(os.Getpid()) || env("LISTEN_FDS") != "1" {
		return nil, errors.New("-addr systemd: systemd passed no socket, or several; start the socket unit instead of the service")
	}
	file := os.NewFile(firstPassed, "socket")
	defer file.Close() // FileListener has a copy
	return net.FileListener(file)
}
