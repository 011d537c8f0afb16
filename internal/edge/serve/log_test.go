package serve

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A stalled is a reader of the log that takes nothing until it is released.
type stalled struct {
	release chan struct{}
	mu      sync.Mutex
	got     bytes.Buffer
}

func (s *stalled) Write(p []byte) (int, error) {
	<-s.release
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(p)
}

// Whatever becomes of the reader, writing a line takes no time, and the lines
// that are lost are counted.
func TestLogReaderStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := &stalled{release: make(chan struct{})}
		l := newLogWriter(reader)
		defer close(l.more)
		line := []byte(strings.Repeat("x", 999) + "\n")
		const lines = 5000
		began := time.Now()
		for range lines {
			_, _ = l.Write(line)
			synctest.Wait()
		}
		l.flush(time.Second) // which gives up
		if took := time.Since(began); took != time.Second {
			t.Errorf("it takes %v", took)
		}
		dropped := l.dropped.Load()
		if dropped == 0 {
			t.Error("nothing is dropped")
		}
		close(reader.release)
		l.flush(time.Second)
		_, _ = l.Write([]byte("after\n"))
		l.flush(time.Second)
		text := reader.got.String()
		if n := int64(strings.Count(text, "\n")); n+dropped != lines+1 || !strings.HasSuffix(text, "\nafter\n") {
			t.Errorf("%d lines are written, %d dropped", n, dropped)
		}
	})
}

// A full disk and a reader that is dead cost lines, and nothing else.
func TestLogCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLogWriter(failing{})
		defer close(l.more)
		for range 10 {
			_, _ = l.Write([]byte("line\n"))
			synctest.Wait()
		}
		if n := l.dropped.Load(); n != 10 {
			t.Errorf("%d lines are counted", n)
		}
	})
}

// A full disk takes a part of a line. What is written once there is room again
// begins with a line of its own.
func TestLogLineIsTorn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &fullDisk{room: 15}
		l := newLogWriter(disk)
		defer close(l.more)
		write := func(lines string) {
			_, _ = l.Write([]byte(lines))
			synctest.Wait()
		}
		write("line 1\nline 2\nline 3\n")
		write("line 4\n")
		disk.room = 1000
		write("line 5\n")
		write("line 6\n")
		if text := disk.got.String(); text != "line 1\nline 2\nl\nline 5\nline 6\n" {
			t.Errorf("the log is %q", text)
		}
		if n := l.dropped.Load(); n != 2 {
			t.Errorf("%d lines are counted", n)
		}
	})
}

// A fullDisk has room for some bytes.
type fullDisk struct {
	room int
	got  bytes.Buffer
}

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	d.got.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

var _ io.Writer = failing{}
