package peer_test

import (
	"testing"

	"uncoil/internal/engine/peer"
)

// What curl 8.22 does with -x, --noproxy and the host in a URL.
func TestNoProxy(t *testing.T) {
	for _, c := range []struct {
		list, host string
		want       bool
	}{
		{"*", "h.test", true},
		{"*,x", "h.test", false},
		{"x *", "h.test", false},
		{"h.test", "h.test", true},
		{".h.test", "h.test", true},
		{"..h.test", "h.test", false},
		{"h.test.", "h.test", true},
		{"h.test..", "h.test", false},
		{"H.TEST", "h.test", true},
		{"test", "h.test", true},
		{"t.test", "h.test", false},
		{"h.test", "h.test.", true},
		{"x\th.test", "h.test", false},
		{"x h.test", "h.test", false},
		{"x , h.test", "h.test", true},
		{"  h.test y", "h.test", true},
		{"x,,\t,h.test", "h.test", true},
		{",h.test,", "h.test", true},
		{"127.0.0.1", "127.0.0.1", true},
		{"0.0.1", "127.0.0.1", false},
		{"127.0.0.0/8", "127.0.0.1", true},
		{"127.0.0.0/0", "127.0.0.1", false},
		{"127.0.0.1/32", "127.0.0.1", true},
		{"127.0.0.1/33", "127.0.0.1", false},
		{"127.0.0.1/", "127.0.0.1", false},
		{"127.0.0.1/8x", "127.0.0.1", false},
		{"[127.0.0.1]", "127.0.0.1", false},
		{".127.0.0.1", "127.0.0.1", false},
		{"127.0.0.1.", "127.0.0.1", false},
		{"127.1", "127.0.0.1", false},
		{"::1", "[::1]", true},
		{"[::1]", "[::1]", false},
		{"0:0::1", "[::1]", true},
		{"::/1", "[::1]", true},
		{"::/0", "[::1]", false},
		{"::1/128", "[::1]", true},
		{"::1/129", "[::1]", false},
		{"fe80::/10", "[fe80::1]", true},
		{"fe80::/010", "[fe80::1]", true},
		{"::ffff:127.0.0.1", "[::ffff:127.0.0.1]", true},
		{"127.0.0.1", "[::ffff:127.0.0.1]", false},
		{"::1%lo", "[::1]", false},
		{" ", "h.test", false},
		{".", "h.test", false},
	} {
		if got := peer.ParseNoProxy(c.list).Names(c.host); got != c.want {
			t.Errorf("--noproxy %q for %q: %t, want %t", c.list, c.host, got, c.want)
		}
	}
}
