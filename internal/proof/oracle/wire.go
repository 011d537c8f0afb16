package oracle

import (
	"bufio"
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// maxHead bounds a request head, maxBody a body, so that garbage ends.
const (
	maxHead = 16 << 20
	maxBody = 64 << 20
)

var errTooLong = errors.New("the request is too long")

// readHead reads a request up to the empty line. It returns nil when the
// stream is empty, and the bytes with an error when they are not a request.
func readHead(br *bufio.Reader) (*Request, error) {
	var head []byte
	for {
		chunk, err := br.ReadSlice('\n')
		head = append(head, chunk...)
		if err == bufio.ErrBufferFull {
			err = nil
		}
		if len(head) > maxHead {
			err = errTooLong
		}
		if err != nil {
			if len(head) == 0 {
				return nil, err
			}
			return &Request{Head: string(head)}, err
		}
		if bytes.HasSuffix(head, []byte("\r\n\r\n")) {
			return parseHead(string(head))
		}
	}
}

// parseHead cuts a head, empty line included, into its lines. Only CRLF ends
// a line: a bare LF is something that curl was made to put inside one.
func parseHead(head string) (*Request, error) {
	req := &Request{Head: head}
	line, rest, _ := strings.Cut(head, "\r\n")
	first, last := strings.IndexByte(line, ' '), strings.LastIndexByte(line, ' ')
	if first <= 0 || last == first || !strings.HasPrefix(line[last+1:], "HTTP/") {
		return req, errors.New("not an HTTP request")
	}
	req.Method, req.Target, req.Proto = line[:first], line[first+1:last], line[last+1:]
	for {
		line, rest, _ = strings.Cut(rest, "\r\n")
		if line == "" {
			return req, nil
		}
		req.Lines = append(req.Lines, line)
	}
}

// readBody reads the content as the header lines announce it. It calls more
// before each read, which moves the deadline.
func (r *Request) readBody(br *bufio.Reader, more func()) {
	if hasToken(r.Values("Transfer-Encoding"), "chunked") {
		r.Chunked = true
		r.Truncated = r.readChunks(br, more) != nil
		return
	}
	lengths := r.Values("Content-Length")
	if len(lengths) == 0 {
		return
	}
	n, err := strconv.ParseInt(lengths[0], 10, 64)
	if err != nil || n < 0 {
		return
	}
	r.Truncated = r.readContent(br, n, more) != nil
}

// readContent appends n bytes to the body, or as many as there are.
func (r *Request) readContent(br *bufio.Reader, n int64, more func()) error {
	if n > maxBody {
		return errTooLong
	}
	for n > 0 {
		more()
		buf := make([]byte, min(n, 1<<16))
		got, err := br.Read(buf)
		r.Body = append(r.Body, buf[:got]...)
		n -= int64(got)
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) readChunks(br *bufio.Reader, more func()) error {
	for {
		more()
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		size, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ";")
		n, err := strconv.ParseInt(size, 16, 64)
		if err != nil || n < 0 {
			return errors.New("bad chunk size")
		}
		if n == 0 {
			break
		}
		if err := r.readContent(br, n, more); err != nil {
			return err
		}
		if _, err := br.Discard(len("\r\n")); err != nil {
			return err
		}
	}
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		if line == "\r\n" {
			return nil
		}
	}
}

// cutProxyProtocol takes the line away that a load balancer would put before
// everything else, and returns what follows the word PROXY in it.
func cutProxyProtocol(br *bufio.Reader) (rest string, ok bool) {
	const prefix = "PROXY "
	for n := 1; n <= len(prefix); n++ {
		// Byte by byte: a client that says less must not be waited for.
		got, err := br.Peek(n)
		if err != nil || !strings.HasPrefix(prefix, string(got)) {
			return "", false
		}
	}
	line, _ := br.Peek(br.Buffered())
	if line, _, _ := bytes.Cut(line, []byte("\n")); bytes.Contains(line, []byte(" HTTP/")) {
		return "", false // a request with that method
	}
	text, err := br.ReadString('\n')
	if err != nil {
		return "", false
	}
	return strings.TrimRight(text[len(prefix):], "\r\n"), true
}
