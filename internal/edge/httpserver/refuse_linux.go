package httpserver

import (
	"net"

	"golang.org/x/sys/unix"
)

// stopConnecting has the kernel drop the packets that begin a connection, so that
// the backlog becomes empty. Otherwise clients that connect while the listener is
// closed get a reset. A dropped packet is sent again after a second, and is then
// refused, or reaches another instance.
func stopConnecting(l *net.TCPListener) {
	raw, err := l.SyscallConn()
	if err != nil {
		return
	}
	const (
		flags = 13 // the offset of the flags in the header of TCP
		syn   = 2
	)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: syn, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: 1 << 20},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// Without the filter, some clients get a reset.
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &program)
	})
}
