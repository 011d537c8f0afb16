package serve

import (
	"io"
	"log/slog"
	"sync"
	"time"

	"uncoil/internal/cli"
)

// newLog returns the log of the service, and a function after which each line
// is written at once.
func newLog(w io.Writer, format string, level slog.Level) (log *slog.Logger, flush func()) {
	options := &slog.HandlerOptions{Level: level}
	terminal := cli.IsTerminal(w)
	if format == "text" || format == "auto" && terminal {
		if terminal {
			return slog.New(slog.NewTextHandler(w, options)), func() {}
		}
		lines := &lineWriter{w: w}
		return slog.New(slog.NewTextHandler(lines, options)), lines.unbuffer
	}
	lines := &lineWriter{w: w}
	return slog.New(slog.NewJSONHandler(lines, options)), lines.unbuffer
}

// A lineWriter gathers lines for a moment, so that a busy service does not
// make a system call for each. A line that comes after a while of silence is
// written at once.
type lineWriter struct {
	mu       sync.Mutex
	w        io.Writer
	buf      []byte
	last     time.Time // when something was written
	waiting  bool      // whether a timer will write the buffer
	straight bool
}

const (
	gatherTime = 100 * time.Millisecond
	gatherSize = 64 << 10
)

// Write writes a line, or keeps it for a moment.
func (l *lineWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, line...)
	switch {
	case l.straight || len(l.buf) >= gatherSize:
		return len(line), l.write()
	case l.waiting:
		return len(line), nil
	case time.Since(l.last) >= gatherTime:
		return len(line), l.write()
	}
	l.waiting = true
	time.AfterFunc(gatherTime, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.waiting = false
		_ = l.write() // nobody could be told
	})
	return len(line), nil
}

// write writes what has gathered.
func (l *lineWriter) write() error {
	if len(l.buf) == 0 {
		return nil
	}
	_, err := l.w.Write(l.buf)
	l.buf = l.buf[:0]
	l.last = time.Now()
	return err
}

// unbuffer writes what has gathered, and from now on each line at once.
func (l *lineWriter) unbuffer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.straight = true
	_ = l.write() // nobody could be told
}
