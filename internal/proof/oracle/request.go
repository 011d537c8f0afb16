package oracle

import (
	"strings"

	"uncoil/internal/engine/ascii"
)

// A Request is a request exactly as it arrived on the wire.
type Request struct {
	// Method, Target and Proto are the request line, cut at its first and
	// its last space. Bytes that are no HTTP request at all have an empty
	// Method; they are kept in Head.
	Method, Target, Proto string
	// Lines are the header lines in order, verbatim, without the CRLF. A
	// line may hold a bare CR or LF where curl was made to send one.
	Lines []string
	// Body is the content, decoded where it was Chunked.
	Body []byte
	// Chunked says that the content came in chunks.
	Chunked bool
	// Truncated reports that less content arrived than Content-Length announced.
	Truncated bool
	// Head is the request line and header lines, CRLFs and all.
	Head string
	// TLS reports that the request came over TLS. ServerName is the name that
	// the client asked for, empty for an IP address.
	TLS        bool
	ServerName string
	// Via is the route of the connection, outermost hop first:
	// "connect host:port" for an HTTP proxy tunnel, "socks4 host:port",
	// "socks5 user:password@host:port", "unix" for a Unix socket, and
	// "proxy-protocol ..." with the rest of the line.
	Via []string
	// Conn numbers the connections of one recorder from 1.
	Conn int
}

// Line returns the request line.
func (r *Request) Line() string {
	line, _, _ := strings.Cut(r.Head, "\r\n")
	return line
}

// Values returns the values of all header lines with the name, in order and
// without the blanks around them. Case does not matter in names.
func (r *Request) Values(name string) []string {
	var values []string
	for _, line := range r.Lines {
		n, value, ok := strings.Cut(line, ":")
		if ok && ascii.EqualFold(n, name) {
			values = append(values, strings.Trim(value, " \t"))
		}
	}
	return values
}

// IsTunnel says whether the request asks an HTTP proxy for a tunnel.
func (r *Request) IsTunnel() bool {
	return r.Method == "CONNECT" && !strings.HasPrefix(r.Target, "/") && strings.Contains(r.Target, ":") && !strings.Contains(r.Target, "://")
}
