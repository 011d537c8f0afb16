package lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// maxMessage is how many bytes a message may have: a document of the longest kind,
	// with the escapes of JSON.
	maxMessage = 3 * maxDocument
	// maxHead is how many lines stand before a message.
	maxHead = 16
)

// errFrame ends a session: where the next message begins is not known.
var errFrame = errors.New("lsp: the input is no message with a Content-Length")

// errCut ends a session too.
var errCut = errors.New("lsp: the input ends within a message, or is none")

// readContent reads a message that a head announces. What is too long is passed over, and
// its content is nil.
func readContent(r *bufio.Reader) ([]byte, error) {
	length, err := readHead(r)
	if err != nil {
		return nil, err
	}
	// The buffer grows with what arrives, not with what is announced.
	content := bytes.NewBuffer([]byte{})
	into := io.Writer(content)
	if length > maxMessage {
		content, into = new(bytes.Buffer), io.Discard
	}
	if _, err := io.CopyN(into, r, length); err == io.EOF {
		return nil, errCut
	} else if err != nil {
		return nil, err
	}
	return content.Bytes(), nil
}

// readHead reads the lines before a message, and returns its length.
func readHead(r *bufio.Reader) (int64, error) {
	length := int64(-1)
	for i := range maxHead {
		line, err := r.ReadSlice('\n')
		switch {
		case err == io.EOF && i == 0 && len(line) == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull):
			return 0, errFrame
		case err == io.EOF:
			return 0, errCut
		case err != nil:
			return 0, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" {
			if length < 0 {
				return 0, errFrame
			}
			return length, nil
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return 0, errFrame
		}
		if !strings.EqualFold(name, "Content-Length") {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 62)
		if err != nil || length >= 0 {
			return 0, errFrame
		}
		length = int64(n)
	}
	return 0, errFrame
}

// writeContent writes a message with its head.
func writeContent(w *bufio.Writer, message any) error {
	body, err := marshal(message)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n", len(body)); err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Flush()
}
