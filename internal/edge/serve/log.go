package serve

import (
	"bytes"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"uncoil/internal/edge/cli"
)

// newLog returns the log of the service, which writes to a logWriter.
func newLog(w io.Writer, format string, level slog.Level) (*slog.Logger, *logWriter) {
	options := &slog.HandlerOptions{Level: level}
	lines := newLogWriter(w)
	if format == "text" || format == "auto" && cli.IsTerminal(w) {
		return slog.New(slog.NewTextHandler(lines, options)), lines
	}
	return slog.New(slog.NewJSONHandler(lines, options)), lines
}

// maxLogBuffer is the most bytes of lines that wait to be written.
const maxLogBuffer = 1 << 20

// A logWriter collects lines in a bounded buffer that one goroutine writes, so
// that no answer waits for a disk or for a reader that stalls. Lines that do not
// fit are dropped and counted.
type logWriter struct {
	w       io.Writer
	dropped atomic.Int64

	mu      sync.Mutex
	buf     []byte
	writing bool          // whether the goroutine is writing
	idle    *sync.Cond    // signalled when all is written
	more    chan struct{} // wakes the goroutine
}

func newLogWriter(w io.Writer) *logWriter {
	l := &logWriter{w: w, more: make(chan struct{}, 1)}
	l.idle = sync.NewCond(&l.mu)
	go l.run()
	return l
}

// Write adds a line to the buffer. It never fails.
func (l *logWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.buf)+len(line) > maxLogBuffer {
		l.dropped.Add(1)
		return len(line), nil
	}
	l.buf = append(l.buf, line...)
	select {
	case l.more <- struct{}{}:
	default:
	}
	return len(line), nil
}

// run writes the buffer whenever it has lines. Further lines collect in a second
// buffer meanwhile.
func (l *logWriter) run() {
	var own []byte
	torn := false // whether the last line was written in part
	for range l.more {
		l.mu.Lock()
		own, l.buf = l.buf, own[:0]
		l.writing = true
		l.mu.Unlock()
		if torn {
			own = slices.Insert(own, 0, '\n') // ends the part of a line
		}
		n, err := l.w.Write(own)
		if err != nil {
			n = min(max(n, 0), len(own))
			lost := bytes.Count(own[n:], []byte("\n"))
			if torn && n == 0 {
				lost--
			}
			l.dropped.Add(int64(lost))
			torn = n == 0 && torn || n > 0 && own[n-1] != '\n'
		} else {
			torn = false
		}
		l.mu.Lock()
		l.writing = false
		if len(l.buf) == 0 {
			l.idle.Broadcast()
		}
		l.mu.Unlock()
	}
}

// flush waits until all lines are written, for at most the longest time, because
// the reader may never return.
func (l *logWriter) flush(longest time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		l.mu.Lock()
		defer l.mu.Unlock()
		for len(l.buf) > 0 || l.writing {
			l.idle.Wait()
		}
	}()
	select {
	case <-done:
	case <-time.After(longest):
	}
}
