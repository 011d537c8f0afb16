//go:build !linux

package httpapi

import "net"

// refuseConnections has no way to do so here.
func refuseConnections(net.Listener) {}
