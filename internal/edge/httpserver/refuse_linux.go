package httpserver

import (
	"net"
	"syscall"
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
	filter := []syscall.SockFilter{
		*syscall.LsfStmt(syscall.BPF_LD|syscall.BPF_B|syscall.BPF_ABS, flags),
		*syscall.LsfJump(syscall.BPF_JMP|syscall.BPF_JSET|syscall.BPF_K, syn, 0, 1),
		*syscall.LsfStmt(syscall.BPF_RET|syscall.BPF_K, 0),
		*syscall.LsfStmt(syscall.BPF_RET|syscall.BPF_K, 1<<20),
	}
	// Without the filter, some clients get a reset.
	_ = raw.Control(func(fd uintptr) { _ = syscall.AttachLsf(int(fd), filter) })
}
