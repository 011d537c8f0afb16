package httpapi

import (
	"net"

	"golang.org/x/sys/unix"
)

// refuseConnections lets the kernel drop whoever wants to connect from now
// on: a filter on the listening socket lets no packet through that opens a
// connection. Those that are connected and wait to be accepted stay. Without this,
// a connection that arrives between the last Accept and Close is reset after
// its client believes that it is connected.
func refuseConnections(l net.Listener) {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	const flagsOffset, syn, synAck, all = 13, 0x02, 0x12, 1<<32 - 1
	drop := [...]unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flagsOffset},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: synAck},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: syn},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: all},
	}
	_ = raw.Control(func(fd uintptr) {
		// Where it fails, the connections are as on other systems.
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(drop)), Filter: &drop[0]})
	})
}
