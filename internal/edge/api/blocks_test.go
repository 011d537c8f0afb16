package api

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// blocksOf reads a stream to its end.
func blocksOf(t *testing.T, r io.Reader, maxLine int) []string {
	t.Helper()
	lines := NewBlockReader(r, maxLine)
	var all []string
	var buf []byte
	for {
		var err error
		if buf, err = lines.Next(buf); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(buf))
	}
}

func TestBlockReader(t *testing.T) {
	long := strings.Repeat("x", 3*blockSize)
	for _, src := range []string{
		"", "\n", "a", "a\n", "a\nb", "a\nb\n\nc\n", long, long + "\nb", "a\n" + long + "\nb\n",
	} {
		whole := blocksOf(t, strings.NewReader(src), len(src))
		single := blocksOf(t, iotest.OneByteReader(strings.NewReader(src)), len(src))
		withEOF := blocksOf(t, iotest.DataErrReader(strings.NewReader(src)), len(src))
		for _, blocks := range [][]string{whole, single, withEOF} {
			if got := strings.Join(blocks, ""); got != src {
				t.Errorf("%.20q: the blocks make %.40q", src, got)
			}
			for i, block := range blocks {
				if !strings.HasSuffix(block, "\n") && i < len(blocks)-1 {
					t.Errorf("%.20q: block %d ends within a line", src, i)
				}
			}
		}
		if want := slices.Collect(strings.Lines(src)); !slices.Equal(single, want) {
			t.Errorf("%.20q: a slow stream comes in blocks %.40q", src, single)
		}
	}
}

// A line that is too long is cut, so that it takes no memory but can be seen
// to be too long.
func TestBlockReaderCuts(t *testing.T) {
	const maxLine = 10
	exact := strings.Repeat("e", maxLine)
	for _, length := range []int{maxLine + 1, maxLine + 2, maxLine + 3, 5 * blockSize} {
		long := strings.Repeat("l", length)
		src := "a\n" + long + "\r\n" + exact + "\r\n" + long + "\nb\n" + long
		for _, r := range []io.Reader{strings.NewReader(src), iotest.OneByteReader(strings.NewReader(src))} {
			var got []string
			for line := range strings.Lines(strings.Join(blocksOf(t, r, maxLine), "")) {
				line = strings.TrimRight(line, "\r\n")
				if len(line) > maxLine {
					line = "too long"
				}
				got = append(got, line)
			}
			if want := []string{"a", "too long", exact, "too long", "b", "too long"}; !slices.Equal(got, want) {
				t.Errorf("length %d: %q", length, got)
			}
		}
	}
}

func TestBlockReaderKeepsBufferSmall(t *testing.T) {
	lines := NewBlockReader(io.LimitReader(endless{}, 64<<20), 1000)
	buf, err := lines.Next(nil)
	if err != nil || len(buf) != 1002 || cap(buf) > 4*blockSize {
		t.Errorf("%d bytes, capacity %d, error %v", len(buf), cap(buf), err)
	}
}

// endless is one long line.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestBlockReaderError(t *testing.T) {
	broken := errors.New("broken")
	lines := NewBlockReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	if buf, err := lines.Next(nil); string(buf) != "a\n" || err != nil {
		t.Errorf("got %q, %v", buf, err)
	}
	if buf, err := lines.Next(nil); buf != nil || err != broken {
		t.Errorf("got %q, %v", buf, err)
	}
}
