package httpapi

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"uncoil/internal/edge/httpserver"
)

// FuzzConnection sends bytes as they are over a connection. Whatever they
// are, the service answers or hangs up, soon, without a fault of its own.
func FuzzConnection(f *testing.F) {
	l, err := httpserver.Listen("127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	f.Cleanup(stop)
	c := quick()
	c.MaxBody, c.MaxHeader, c.MaxURL = 1<<12, 1<<10, 1<<8
	go func() { _ = Serve(ctx, l, c) }()
	const head = "POST /api/batch HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-ndjson\r\n"
	f.Add([]byte("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\nGET /metrics HTTP/1.0\r\n\r\n"))
	f.Add([]byte(head + "Content-Length: 18\r\n\r\n{\"curl\":\"curl h\"}\n"))
	f.Add([]byte(head + "Transfer-Encoding: chunked\r\n\r\n12\r\n{\"curl\":\"curl h\"}\n\r\n0\r\nX: y\r\n\r\n"))
	f.Add([]byte("POST /api/convert?shell=cmd HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\ncurl h"))
	f.Add([]byte("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"))
	f.Add([]byte("\x16\x03\x01\x00"))
	f.Fuzz(func(t *testing.T, request []byte) {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		_, _ = conn.Write(request)
		_ = conn.(*net.TCPConn).CloseWrite()
		var answer bytes.Buffer
		if _, err := io.Copy(&answer, conn); err != nil && err.(net.Error).Timeout() {
			t.Errorf("the connection stays open after %q", request)
		}
		if bytes.Contains(answer.Bytes(), []byte(`"code":"internal"`)) || bytes.HasPrefix(answer.Bytes(), []byte("HTTP/1.1 500")) {
			t.Errorf("%q gets %s", request, &answer)
		}
	})
}
