package api

import (
	"bytes"
	"io"
)

// A BlockReader splits a stream into blocks of whole lines. It never waits for
// more than one line: Next returns as soon as a line is complete, with all the
// lines that arrived together with it. A client that waits for each answer gets
// it at once, and one that sends many lines has them read by the hundred.
type BlockReader struct {
	src     io.Reader
	maxLine int
	rest    []byte // the beginning of a line, left from the last read
	err     error  // what ended the stream
	cutting bool   // within the part of a long line that is dropped
}

// blockSize is how much a block reader asks for at once.
const blockSize = 64 << 10

// NewBlockReader returns a reader that keeps at most maxLine bytes of a line
// and a little more, by which AppendLines can see that the line is too long.
func NewBlockReader(src io.Reader, maxLine int) *BlockReader {
	return &BlockReader{src: src, maxLine: maxLine}
}

// Next reads the next block into buf, whatever buf held before. Every line
// in a block ends in a newline, except that the last line of the stream may
// lack it. An error, io.EOF at the end of the stream, comes without a block.
func (b *BlockReader) Next(buf []byte) ([]byte, error) {
	buf = append(buf[:0], b.rest...)
	b.rest = b.rest[:0]
	for b.err == nil {
		fresh := len(buf)
		if cap(buf)-fresh < blockSize/2 {
			buf = append(buf, make([]byte, blockSize)...)
		}
		var n int
		n, b.err = b.src.Read(buf[fresh:cap(buf)])
		buf = buf[:fresh+n]

		if b.cutting {
			newline := bytes.IndexByte(buf[fresh:], '\n')
			if newline < 0 {
				buf = buf[:fresh]
				continue
			}
			b.cutting = false
			buf = append(buf[:fresh], buf[fresh+newline:]...)
		}
		if end := fresh + 1 + bytes.LastIndexByte(buf[fresh:], '\n'); end > fresh {
			b.rest = append(b.rest, buf[end:]...)
			return buf[:end], nil
		}
		// Room for a carriage return, and for a byte too much.
		if keep := b.maxLine + 2; len(buf) > keep {
			buf = buf[:keep]
			b.cutting = true
		}
	}
	if b.err == io.EOF && len(buf) > 0 {
		return buf, nil
	}
	return nil, b.err
}
