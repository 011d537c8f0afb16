// Package batch answers the lines of a batch: objects in JSON, a request in
// each, or commands as they stand.
package batch

import (
	"errors"
	"io"
	"sync"

	"uncoil/internal/edge/api"
)

// A task is a block of lines in a batch. A fixed number of tasks circulates: the
// reader fills them, one of the workers answers them, and the writer writes them
// in the order in which they were filled. So the memory of a batch is bounded.
type task struct {
	in, out []byte
	tally   api.Tally
	done    chan struct{} // receives when the block is answered
}

// Answer answers all lines of a stream, in their order. It calls count for each
// block that it has written.
func Answer(src io.Reader, dst io.Writer, limits api.Limits, as api.As, workers int, count func(api.Tally)) error {
	ring := 2 * workers
	free := make(chan *task, ring)
	filled := make(chan *task, ring)  // for the workers
	ordered := make(chan *task, ring) // for the writer
	stop := make(chan struct{})       // closed when nothing can be written
	for range ring {
		free <- &task{done: make(chan struct{}, 1)}
	}

	var readErr error
	var group sync.WaitGroup
	group.Go(func() {
		defer close(ordered)
		defer close(filled)
		readErr = fillTasks(api.NewBlockReader(src, maxLine), free, filled, ordered, stop)
	})
	for range workers {
		group.Go(func() {
			for t := range filled {
				t.out, t.tally = limits.AppendLines(t.out[:0], string(t.in), as)
				t.done <- struct{}{}
			}
		})
	}

	var writeErr error
	for t := range ordered {
		<-t.done
		if writeErr == nil {
			if _, writeErr = dst.Write(t.out); writeErr != nil {
				close(stop)
			} else {
				count(t.tally)
			}
		}
		free <- t
	}
	group.Wait()
	return errors.Join(readErr, writeErr)
}

// fillTasks reads blocks into free tasks and passes them on, until the stream ends
// or stop is closed.
func fillTasks(lines *api.BlockReader, free <-chan *task, filled, ordered chan<- *task, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		case t := <-free:
			var err error
			if t.in, err = lines.Next(t.in); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			ordered <- t
			filled <- t
		}
	}
}
