//go:build !linux

package httpserver

import "net"

// stopConnecting does nothing: clients that connect while the listener is closed
// may get a reset.
func stopConnecting(*net.TCPListener) {}
