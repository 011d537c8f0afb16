package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"uncoil/internal/edge/api"
)

// A progress shows the progress of a batch on a terminal. The zero value shows
// nothing.
type progress struct {
	w     io.Writer
	began time.Time
	quit  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	total api.Tally
}

// progressInterval is the time between two updates.
const progressInterval = 200 * time.Millisecond

func (p *progress) start(w io.Writer) {
	if t, ok := w.(*terminal); ok {
		w = t.raw // the line returns to its start
	}
	p.w, p.began, p.quit = w, time.Now(), make(chan struct{})
	p.ended.Go(func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show()
			case <-p.quit:
				p.show()
				fmt.Fprintln(p.w)
				return
			}
		}
	})
}

// stop shows the last figures and leaves the line.
func (p *progress) stop() {
	close(p.quit)
	p.ended.Wait()
}

// add counts a block of lines.
func (p *progress) add(t api.Tally) {
	p.mu.Lock()
	p.total.Lines += t.Lines
	p.total.Errors += t.Errors
	p.mu.Unlock()
}

func (p *progress) show() {
	p.mu.Lock()
	total := p.total
	p.mu.Unlock()
	rate := float64(total.Lines) / max(time.Since(p.began).Seconds(), 1e-3)
	fmt.Fprintf(p.w, "\r%d lines, %d with errors, %.0f lines/s  ", total.Lines, total.Errors, rate)
}
