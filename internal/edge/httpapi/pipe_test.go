package httpapi

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
)

// A pipeNet is a network in memory, for tests in a bubble of synctest, where
// time passes only while all goroutines wait. It is the listener of a service.
type pipeNet struct {
	conns  chan net.Conn
	closed chan struct{}
	client *http.Client
}

// startPiped serves on a pipeNet. The returned function waits for the end.
func startPiped(t *testing.T, c Config) (n *pipeNet, stop context.CancelFunc, wait func() error) {
	n = &pipeNet{conns: make(chan net.Conn), closed: make(chan struct{})}
	n.client = &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return n.dial(), nil },
	}}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, n, c) }()
	return n, stop, func() error {
		defer n.client.CloseIdleConnections()
		return <-ended
	}
}

// dial returns the client's end of a new connection.
func (n *pipeNet) dial() net.Conn {
	server, client := net.Pipe()
	select {
	case n.conns <- server:
	case <-n.closed:
		client.Close()
	}
	return client
}

// Accept returns the next connection.
func (n *pipeNet) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (n *pipeNet) Close() error {
	select {
	case <-n.closed:
	default:
		close(n.closed)
	}
	return nil
}

// Addr returns the address of the network.
func (n *pipeNet) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

// get returns the answer to GET and its status.
func (n *pipeNet) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	response, err := n.client.Get("http://pipe" + path)
	return readResponse(t, response, err)
}

// post returns the answer to a command and its status.
func (n *pipeNet) post(t *testing.T, path, contentType string, content io.Reader) (status int, body string) {
	t.Helper()
	response, err := n.client.Post("http://pipe"+path, contentType, content)
	return readResponse(t, response, err)
}

// readResponse returns what arrives of a response; the status is 0 if nothing
// does.
func readResponse(t *testing.T, response *http.Response, err error) (status int, body string) {
	t.Helper()
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		text = append(text, " (broken off)"...)
	}
	return response.StatusCode, string(text)
}
