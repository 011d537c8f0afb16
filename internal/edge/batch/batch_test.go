package batch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"uncoil/internal/edge/api"
)

func ignore(api.Tally) {}

// Order is kept however many workers there are.
func TestAnswerKeepsOrder(t *testing.T) {
	const count = 30_000
	lines, send := io.Pipe()
	go func() {
		w := bufio.NewWriter(send)
		for i := range count {
			fmt.Fprintf(w, `{"id":%d,"curl":"curl https://example.com/%s"}`+"\n", i, strings.Repeat("x", i%100))
		}
		w.Flush()
		send.Close()
	}()
	receive, answers := io.Pipe()
	tally := api.Tally{}
	go func() {
		answers.CloseWithError(Answer(lines, answers, Limits, api.AsConvert, 8, func(t api.Tally) {
			tally.Lines += t.Lines
		}))
	}()
	scan := bufio.NewScanner(receive)
	i := 0
	for ; scan.Scan(); i++ {
		if want := fmt.Sprintf(`{"id":%d,"result":`, i); !strings.HasPrefix(scan.Text(), want) {
			t.Fatalf("line %d: %s", i, scan.Text())
		}
	}
	if i != count || tally.Lines != count || scan.Err() != nil {
		t.Errorf("%d answers, %d counted, %v", i, tally.Lines, scan.Err())
	}
}

// A program that talks to a batch gets each answer before the next line.
func TestAnswerAtOnce(t *testing.T) {
	lines, send := io.Pipe()
	receive, answers := io.Pipe()
	go func() {
		answers.CloseWithError(Answer(lines, answers, Limits, api.AsConvert, 2, ignore))
	}()
	scan := bufio.NewScanner(receive)
	for i := range 20 {
		fmt.Fprintf(send, `{"id":%d,"curl":"curl https://example.com"}`+"\n", i)
		if !scan.Scan() {
			t.Fatalf("no answer %d: %v", i, scan.Err())
		}
	}
	send.Close()
	if scan.Scan() || scan.Err() != nil {
		t.Errorf("%q, %v", scan.Text(), scan.Err())
	}
}

func TestAnswerErrors(t *testing.T) {
	broken := errors.New("broken")
	line := `{"curl":"curl https://example.com"}` + "\n"
	err := Answer(io.MultiReader(strings.NewReader(line), errorReader{broken}), io.Discard, Limits, api.AsConvert, 2, ignore)
	if !errors.Is(err, broken) {
		t.Errorf("a broken input gives %v", err)
	}
	endless := &repeat{text: line, left: 1 << 40}
	if err := Answer(endless, errorWriter{broken}, Limits, api.AsConvert, 2, ignore); !errors.Is(err, broken) {
		t.Errorf("a broken output gives %v", err)
	}
}

// The memory that a batch takes does not depend on its length.
func TestAnswerMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a moment")
	}
	line := `{"curl":"curl https://example.com"}` + "\n"
	var most uint64
	blocks := 0
	err := Answer(&repeat{text: line, left: 32 << 20}, io.Discard, Limits, api.AsConvert, 4, func(api.Tally) {
		if blocks++; blocks%50 == 0 {
			// What the collector found alive, rather than the heap as it
			// stands: the workers allocate while this looks.
			runtime.GC()
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(live)
			most = max(most, live[0].Value.Uint64())
		}
	})
	if err != nil || most > 16<<20 {
		t.Errorf("%d bytes in use, error %v", most, err)
	}
}

func BenchmarkBatch(b *testing.B) {
	line := `{"id":1,"curl":"curl -X POST 'https://api.example.com/users' -H 'Content-Type: application/json' -d '{\"name\":\"Ann\"}'"}` + "\n"
	start := time.Now()
	lines := 0
	for b.Loop() {
		lines += 10_000
		src := &repeat{text: line, left: 10_000 * len(line)}
		if err := Answer(src, io.Discard, Limits, api.AsConvert, runtime.GOMAXPROCS(0), ignore); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(lines)/time.Since(start).Seconds(), "lines/s")
}

// A repeat is a stream of the same text again and again.
type repeat struct {
	text string
	pos  int
	left int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && n < r.left {
		copied := copy(p[n:min(len(p), r.left)], r.text[r.pos:])
		n += copied
		r.pos = (r.pos + copied) % len(r.text)
	}
	r.left -= n
	return n, nil
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

type errorWriter struct{ err error }

func (w errorWriter) Write([]byte) (int, error) { return 0, w.err }
