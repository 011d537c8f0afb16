package oracle

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long a recorder waits for bytes. A client that has nothing to say when
// it connects speaks another protocol, in which the server goes first; a
// client that stops within a body has announced more than it has; one that is
// idle may have been told to ignore the length of the answer.
const (
	firstByteWait = 1 * time.Second
	headWait      = 1 * time.Second
	bodyWait      = 1 * time.Second
	idleWait      = 300 * time.Millisecond
	closeWait     = 200 * time.Millisecond
)

// A Recorder is a server on the loopback interface that answers every HTTP/1
// request, with an empty 200 unless told otherwise, and keeps it. It takes plain and TLS connections
// on one port, and plays the HTTP and SOCKS proxies that a client may ask for
// on the way, itself being the end of every tunnel.
type Recorder struct {
	listeners []net.Listener
	wait      sync.WaitGroup

	mu       sync.Mutex
	conns    map[net.Conn]bool
	accepted int
	requests []Request
	answer   func(*Request) string
	patience time.Duration
	closed   bool
}

// NewRecorder starts a recorder on a free TCP port. It also listens on the
// Unix socket if the path is not empty.
func NewRecorder(socket string) (*Recorder, error) {
	r := &Recorder{conns: map[net.Conn]bool{}}
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r.listeners = append(r.listeners, tcp)
	if socket != "" {
		unix, err := net.Listen("unix", socket)
		if err != nil {
			tcp.Close()
			return nil, err
		}
		r.listeners = append(r.listeners, unix)
	}
	for _, l := range r.listeners {
		r.wait.Go(func() { r.accept(l) })
	}
	return r, nil
}

// Port returns the TCP port.
func (r *Recorder) Port() int { return r.listeners[0].Addr().(*net.TCPAddr).Port }

// Requests returns what has arrived so far, in order of arrival.
func (r *Recorder) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

// Answer sets what the recorder answers from now on: all the bytes of a
// response. With "" it ends the connection instead; nil stands for an empty 200.
func (r *Recorder) Answer(answer func(*Request) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// Wait has the recorder wait that long for bytes, instead of as long as curl
// may need: some programs are slow to start.
func (r *Recorder) Wait(patience time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.patience = patience
}

// Close stops the recorder. What is on its way is still recorded, if it
// arrives at once.
func (r *Recorder) Close() error {
	var err error
	for _, l := range r.listeners {
		err = errors.Join(err, l.Close())
	}
	r.mu.Lock()
	r.closed = true
	for conn := range r.conns {
		conn.SetDeadline(time.Now().Add(closeWait))
	}
	r.mu.Unlock()
	r.wait.Wait()
	return err
}

func (r *Recorder) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		r.accepted++
		s := &session{recorder: r, raw: conn, number: r.accepted}
		closed := r.closed
		r.conns[conn] = true
		r.mu.Unlock()
		if closed {
			conn.Close()
			return
		}
		if l.Addr().Network() == "unix" {
			s.via = []string{"unix"}
		}
		r.wait.Go(func() {
			defer func() {
				conn.Close()
				r.mu.Lock()
				delete(r.conns, conn)
				r.mu.Unlock()
			}()
			s.serve(conn, bufio.NewReader(conn))
		})
	}
}

// A session is one connection, through all the layers that the client puts
// on it.
type session struct {
	recorder *Recorder
	raw      net.Conn // what deadlines are set on
	number   int
	via      []string
	tls      bool
	name     string // what the client called the server
}

// deadline bounds the next read and write, unless the recorder is closing:
// that has set its own.
func (s *session) deadline(d time.Duration) {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	if !s.recorder.closed {
		s.raw.SetDeadline(time.Now().Add(max(d, s.recorder.patience)))
	}
}

// serve finds out by the first byte which protocol the client speaks.
func (s *session) serve(conn net.Conn, br *bufio.Reader) {
	s.deadline(firstByteWait)
	first, err := br.Peek(1)
	if err != nil {
		return
	}
	s.deadline(headWait)
	switch first[0] {
	case 0x16:
		s.serveTLS(conn, br)
	case 4, 5:
		if hop, err := acceptSOCKS(conn, br); err == nil {
			s.via = append(s.via, hop)
			s.serve(conn, br)
		}
	default:
		s.serveHTTP(conn, br)
	}
}

// serveTLS answers a TLS handshake, then starts anew inside it.
func (s *session) serveTLS(conn net.Conn, br *bufio.Reader) {
	config, err := tlsConfig()
	if err != nil {
		return
	}
	secure := tls.Server(bufferedConn{conn, br}, config)
	if secure.Handshake() != nil {
		return
	}
	// The name of the innermost server is the one that counts: the outer
	// handshake of two is that of a proxy.
	s.tls, s.name = true, secure.ConnectionState().ServerName
	s.serve(secure, bufio.NewReader(secure))
	secure.Close()
}

// serveHTTP reads requests until the client has no more.
func (s *session) serveHTTP(conn net.Conn, br *bufio.Reader) {
	for wait := headWait; ; wait = idleWait {
		s.deadline(wait)
		if rest, ok := cutProxyProtocol(br); ok {
			s.via = append(s.via, "proxy-protocol "+rest)
			s.serve(conn, br)
			return
		}
		req, err := readHead(br)
		if req == nil {
			return
		}
		req.TLS, req.ServerName, req.Via, req.Conn = s.tls, s.name, slices.Clone(s.via), s.number
		if err != nil || req.Method == "PRI" {
			s.record(req)
			return
		}
		if req.IsTunnel() {
			s.record(req)
			s.via = append(s.via, "connect "+req.Target)
			s.tls, s.name = false, ""
			io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n")
			s.serve(conn, br)
			return
		}
		upgrade := len(req.Values("Sec-WebSocket-Key")) > 0
		if !upgrade {
			if hasToken(req.Values("Expect"), "100-continue") {
				io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
			}
			req.readBody(br, func() { s.deadline(bodyWait) })
		}
		answer := s.record(req)
		if upgrade {
			return
		}
		response := "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
		if answer != nil {
			response = answer(req)
		}
		if response == "" {
			return
		}
		s.deadline(headWait)
		io.WriteString(conn, response)
	}
}

// record keeps a request, and returns what answers it.
func (s *session) record(req *Request) (answer func(*Request) string) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, *req)
	return r.answer
}

// A bufferedConn is a connection of which some bytes have been read already.
type bufferedConn struct {
	net.Conn
	br *bufio.Reader
}

func (c bufferedConn) Read(p []byte) (int, error) { return c.br.Read(p) }

// hasToken says whether a comma-separated list in a header has the token.
func hasToken(values []string, token string) bool {
	for _, value := range values {
		for v := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.Trim(v, " \t"), token) {
				return true
			}
		}
	}
	return false
}
