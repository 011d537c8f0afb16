package httpserver

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"testing"
)

// BenchmarkStates measures what the limits of connections add to a request: it
// makes its connection active, holds it for the conversion and leaves it idle.
func BenchmarkStates(b *testing.B) {
	cs := newConnections(&Server{MaxConnections: 2000, MaxClientConnections: 500, Exempt: func(netip.Addr) bool { return false }})
	var all []*Conn
	for i := range 500 {
		addr, _ := net.ResolveTCPAddr("tcp", fmt.Sprintf("10.%d.0.%d:1", i%100, i%250))
		c, _ := cs.admit(fakeConn{addr: addr})
		all = append(all, c)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c := all[i%len(all)]
		cs.noteState(c, http.StateActive)
		c.Hold()
		c.Release()
		cs.noteState(c, http.StateIdle)
	}
}

// A fakeConn only has an address.
type fakeConn struct {
	net.Conn
	addr net.Addr
}

func (c fakeConn) RemoteAddr() net.Addr { return c.addr }
