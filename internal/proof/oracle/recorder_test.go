package oracle

import (
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// send writes raw bytes to a new recorder, reads what it answers, and returns
// both that and what was recorded.
func send(t *testing.T, raw string) (answer string, requests []Request) {
	t.Helper()
	r, err := NewRecorder("")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.Port())))
	if err != nil {
		t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	conn.(*net.TCPConn).CloseWrite()
	read, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return string(read), r.Requests()
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

func TestRecorder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw, answer string
		want              []string
	}{
		{
			name:   "one after the other",
			raw:    "GET /1 HTTP/1.1\r\n\r\nHEAD /2 HTTP/1.0\r\nHost: h\r\n\r\n",
			answer: ok + ok,
			want:   []string{"GET /1 HTTP/1.1", "HEAD /2 HTTP/1.0 host=h"},
		},
		{
			name:   "chunks",
			raw:    "PUT / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\na\r\n\r\n2\r\nbc\r\n0\r\nT: u\r\n\r\nGET / HTTP/1.1\r\n\r\n",
			answer: ok + ok,
			want:   []string{`PUT / HTTP/1.1 chunked body="a\r\nbc"`, "GET / HTTP/1.1"},
		},
		{
			name:   "chunks without an end",
			raw:    "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
			answer: ok,
			want:   []string{`PUT / HTTP/1.1 chunked truncated body="abc"`},
		},
		{
			name:   "waits for 100",
			raw:    "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
			answer: "HTTP/1.1 100 Continue\r\n\r\n" + ok,
			want:   []string{`POST / HTTP/1.1 body="x"`},
		},
		{
			name:   "spaces in the request line",
			raw:    "A B /c d HTTP/1.1\r\n\r\n",
			answer: ok,
			want:   []string{"A B /c d HTTP/1.1"},
		},
		{
			name:   "tunnel in a tunnel",
			raw:    "CONNECT a:1 HTTP/1.1\r\n\r\nCONNECT b:2 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n",
			answer: strings.Repeat("HTTP/1.1 200 Connection established\r\n\r\n", 2) + ok,
			want:   []string{"CONNECT a:1 HTTP/1.1", "CONNECT b:2 HTTP/1.1 via=connect a:1", "GET / HTTP/1.1 via=connect a:1 via=connect b:2"},
		},
		{
			name:   "CONNECT as a method like any other",
			raw:    "CONNECT / HTTP/1.1\r\n\r\n",
			answer: ok,
			want:   []string{"CONNECT / HTTP/1.1"},
		},
		{
			name: "WebSocket",
			raw:  "GET / HTTP/1.1\r\nSec-WebSocket-Key: x\r\n\r\n",
			want: []string{"GET / HTTP/1.1"},
		},
		{
			name: "HTTP/2",
			raw:  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
			want: []string{"PRI * HTTP/2.0"},
		},
		{
			name: "garbage",
			raw:  "EHLO me\r\n",
			want: []string{"EHLO me"},
		},
		{name: "broken TLS", raw: "\x16\x03\x01\x00\x01x"},
		{name: "broken SOCKS", raw: "\x05\x01"},
		{name: "nothing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answer, requests := send(t, test.raw)
			if got := wire(requests); !slices.Equal(got, test.want) {
				t.Errorf("recorded %q, want %q", got, test.want)
			}
			if answer != test.answer {
				t.Errorf("answered %q, want %q", answer, test.answer)
			}
		})
	}
}

func TestRecorderKeepsLines(t *testing.T) {
	_, requests := send(t, "GET / HTTP/1.1\r\nA:  b \r\na: c\nd\r\nnone\r\nB\t: \xff\r\r\n\r\n")
	want := []string{"A:  b ", "a: c\nd", "none", "B\t: \xff\r"}
	if len(requests) != 1 || !slices.Equal(requests[0].Lines, want) {
		t.Fatalf("got %+v, want lines %q", requests, want)
	}
	if got, want := requests[0].Values("a"), []string{"b", "c\nd"}; !slices.Equal(got, want) {
		t.Errorf("values %q, want %q", got, want)
	}
}

// TestRecorderEndsSilence checks that a client that waits for the server, as
// FTP does, is not kept waiting.
func TestRecorderEndsSilence(t *testing.T) {
	t.Parallel()
	r, err := NewRecorder("")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(r.Port())))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * firstByteWait))
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("read %d bytes, %v; want the end", n, err)
	}
}
