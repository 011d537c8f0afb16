package engine_test

import (
	"runtime"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
)

// FuzzCost looks for texts that cost more than they may: more steps or bytes
// than the limits say, or memory that nobody paid for. The shell, a file,
// standard input and a variable come from the same bytes.
func FuzzCost(f *testing.F) {
	for _, h := range bombs {
		if h.file == "" {
			f.Add(h.text(300), uint16(0), h.in.Shell)
		}
	}
	for i, s := range costSyntaxes {
		for j, frame := range s.frames {
			f.Add(frame[0]+strings.Join(s.pieces[j*3%len(s.pieces):], "")+frame[1], uint16(i*64+j), s.shell)
		}
	}
	f.Fuzz(func(t *testing.T, text string, extent uint16, shell string) {
		if len(text) > 1<<16 {
			return
		}
		file := text[min(int(extent), len(text)):]
		in := engine.Input{
			Shell: shell,
			Files: map[string][]byte{"f": []byte(file), "a": []byte(file)},
			Stdin: []byte(file),
			Env:   map[string]string{"V": file, "E": ""},
			Watch: new(meter.Watch),
		}
		limits := meter.LimitsFor(len(text)+4*len(file), meter.Limits{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out, err := appendParse(nil, text, in)
		runtime.ReadMemStats(&after)
		checkNoFault(t, err)
		work, bytes, paid := in.Watch.Work(), in.Watch.Bytes(), in.Watch.Paid()
		if work > limits.Work+limits.Work/8 || bytes > limits.Bytes {
			t.Fatalf("%d steps and %d bytes for %d bytes of text", work, bytes, len(text))
		}
		// An answer repeats what requests have, which takes no more than a few
		// times what it has itself.
		size := int64(len(text) + 4*len(file))
		if took := int64(after.TotalAlloc - before.TotalAlloc); took > 2*paid+80*size+5*int64(len(out))+256<<10 {
			t.Fatalf("allocates %d bytes, and paid for %d: %d bytes of text, %d of an answer, %v", took, paid, len(text), len(out), err)
		}
	})
}
