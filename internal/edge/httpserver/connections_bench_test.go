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
	for _, proxy := range []bool{false, true} {
		b.Run(fmt.Sprintf("proxy=%v", proxy), func(b *testing.B) {
			cs := newConnections(&Server{MaxConnections: 2000, MaxClientConnections: 500, Exempt: func(netip.Addr) bool { return proxy }})
			var all []*Conn
			for i := range 500 {
				addr, _ := net.ResolveTCPAddr("tcp", fmt.Sprintf("10.%d.0.%d:1", i%100, i%250))
				c, _ := cs.admit(fakeConn{addr: addr})
				c.requester = c.home
				if proxy {
					c.requester = netip.AddrFrom4([4]byte{203, 0, byte(i), 1})
				}
				c.place()
				all = append(all, c)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c := all[i%len(all)]
				cs.noteState(c, http.StateActive)
				if proxy {
					c.place()
				}
				c.Hold()
				c.Release()
				cs.noteState(c, http.StateIdle)
			}
		})
	}
}

// A fakeConn only has an address.
type fakeConn struct {
	net.Conn
	addr net.Addr
}

func (c fakeConn) RemoteAddr() net.Addr { return c.addr }
