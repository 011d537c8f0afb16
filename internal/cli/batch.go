package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"uncoil/internal/api"
	"uncoil/internal/jsontext"
	"uncoil/internal/suffix"
)

// batch answers NDJSON on standard input with NDJSON on standard output.
func (p *Program) batch(args []string) error {
	as := api.AsConvert
	fs := NewFlags("batch")
	fs.Func("as", "`A`: convert (default), parse or code, for lines without a member as", func(s string) error {
		var ok bool
		if as, ok = api.ParseAs(s); !ok {
			return errors.New("must be convert, parse or code")
		}
		return nil
	})
	fail := fs.Bool("fail", false, "exit with 1 when a line has an error")
	workers := fs.Int("j", runtime.GOMAXPROCS(0), "`N`: convert so many blocks of lines at the same time")
	if err := p.ParseFlags(fs, args, &batchPage); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return &UsageError{fmt.Sprintf("batch reads standard input; it takes no argument such as %q", fs.Arg(0)), "uncoil batch -h"}
	}
	if *workers < 1 {
		return &UsageError{"-j must be at least 1", "uncoil batch -h"}
	}
	failed := 0
	var progress progress
	if IsTerminal(p.Stderr) && !IsTerminal(p.Stdin) {
		progress.start(p.Stderr)
		defer progress.stop()
	}
	if p.Env("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(batchGCPercent))
	}
	err := answerLines(textReader(p.Stdin), p.Stdout, as, *workers, func(t api.Tally) {
		failed += t.Errors
		progress.add(t)
	})
	if err == nil && *fail && failed > 0 {
		err = fmt.Errorf("%d lines have an error", failed)
	}
	return err
}

// batchGCPercent delays garbage collection. A batch keeps almost nothing alive, so
// with the default the collector would do most of the work. The memory still stays
// small.
const batchGCPercent = 400

// maxLine limits the size of a line.
const maxLine = 64 << 20

var lineLimits = api.Limits{Line: maxLine, PublicSuffix: suffix.Public}

// A task is a block of lines in a batch. A fixed number of tasks circulates: the
// reader fills them, one of the workers answers them, and the writer writes them
// in the order in which they were filled. So the memory of a batch is bounded.
type task struct {
	in, out []byte
	tally   api.Tally
	done    chan struct{} // receives when the block is answered
}

// answerLines answers all lines. It calls count for each block that it has
// written.
func answerLines(src io.Reader, dst io.Writer, as api.As, workers int, count func(api.Tally)) error {
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
				t.out, t.tally = lineLimits.AppendLines(t.out[:0], requestLines(string(t.in)), as)
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

// requestLines returns lines with those that are a curl command as it stands
// made request objects.
func requestLines(block string) string {
	if !strings.HasPrefix(block, plainLine) && !strings.Contains(block, "\n"+plainLine) {
		return block
	}
	var b []byte
	for line := range strings.Lines(block) {
		if strings.HasPrefix(line, plainLine) {
			b = append(jsontext.AppendString(append(b, `{"curl":`...), strings.TrimRight(line, "\r\n")), "}\n"...)
		} else {
			b = append(b, line...)
		}
	}
	return string(b)
}

// plainLine begins a line that is a command as it stands.
const plainLine = "curl "

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
