package cli

import (
	"io"
	"os"
	"strconv"

	"uncoil/diag"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	if _, ok := stream.(*terminal); ok {
		return true
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	// The null device is the only other character device that is common as a
	// standard stream.
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// A terminal is an output that a person reads. All text to it is filtered, because
// commands and names of files may contain control sequences.
type terminal struct{ raw io.Writer }

// columns returns how wide an excerpt may be on standard error.
func (p *Program) columns() int {
	t, ok := p.Stderr.(*terminal)
	if !ok {
		return diag.ExcerptWidth
	}
	if f, ok := t.raw.(*os.File); ok {
		if n := columnsOf(f); n > 0 {
			return n
		}
	}
	if n, err := strconv.Atoi(p.Env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return diag.ExcerptWidth
}

// filtered returns the stream, wrapped in a terminal if it is one.
func filtered(stream io.Writer) io.Writer {
	if IsTerminal(stream) {
		return &terminal{stream}
	}
	return stream
}

// Write writes text without control characters. The text must consist of whole
// characters.
func (t *terminal) Write(text []byte) (int, error) {
	if _, err := t.raw.Write(diag.AppendPrintableLines(nil, string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// tellWaiting says that uncoil waits for somebody to type.
func (p *Program) tellWaiting() {
	if IsTerminal(p.Stdin) && IsTerminal(p.Stderr) {
		p.complain("reading standard input, which ends with Ctrl-D (Ctrl-Z and Enter on Windows)")
	}
}
