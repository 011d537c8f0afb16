package engine_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"uncoil/diag"
	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
	"uncoil/internal/engine/meter"
)

// A caller may draw the limits closer; what is just within them passes.
func TestLimits(t *testing.T) {
	nested := func(depth int) string {
		return "curl http://h.test" + strings.Repeat(" -F 'a=('", depth)
	}
	body := "curl http://h.test/[1-10] -d " + strings.Repeat("x", 1000)
	tests := []struct {
		name   string
		src    string
		limits engine.Limits
		code   diag.Code // empty: an answer
		says   string
	}{
		{"requests", "curl http://h.test/[1-5]", engine.Limits{Requests: 5}, "", ""},
		{"a request too many", "curl http://h.test/[1-6]", engine.Limits{Requests: 5}, diag.CodeTooManyRequests, "6 requests or more; the limit is 5"},
		{"several commands", "curl http://h.test/[1-3]; curl http://h.test/[1-3]", engine.Limits{Requests: 5}, diag.CodeTooManyRequests, "is 5"},
		{"1,000 by default", "curl http://h.test/[1-1001]", engine.Limits{}, diag.CodeTooManyRequests, "is 1000"},
		{"more than 1,000", "curl http://h.test/[1-1001]", engine.Limits{Requests: 1001}, "", ""},
		{"many more", "curl http://h.test/[1-1000000000]", engine.Limits{Requests: 1_000_000_000}, diag.CodeTooLarge, "16777744 bytes"},
		{"bytes", body, engine.Limits{Bytes: 50_000}, "", ""},
		{"too many bytes", body, engine.Limits{Bytes: 10_000}, diag.CodeTooLarge, "10000 bytes"},
		{"parts", nested(3), engine.Limits{PartDepth: 3}, "", ""},
		{"a part too deep", nested(4), engine.Limits{PartDepth: 3}, diag.CodeNestedTooDeep, "than the limit of 3"},
		{"parts by default", nested(64), engine.Limits{}, "", ""},
		{"deep by default", nested(65), engine.Limits{}, diag.CodeNestedTooDeep, "64"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := engine.Parse(test.src, engine.Input{Limits: test.limits})
			var e *engine.Error
			errors.As(err, &e)
			switch {
			case test.code == "" && err != nil:
				t.Error(err)
			case test.code != "" && (e == nil || e.Code != test.code || !strings.Contains(e.Message, test.says)):
				t.Errorf("got %v, want %s … %s", err, test.code, test.says)
			}
		})
	}
}

// What many small things take in memory counts, and not only their text.
func TestLimitsCountStructure(t *testing.T) {
	for name, src := range map[string]string{
		"parts":   "curl http://h.test/[1-1000]" + strings.Repeat(" -F a=", 10_000),
		"fields":  "curl http://h.test/[1-1000]" + strings.Repeat(" -H a:b", 10_000),
		"pairs":   "curl http://h.test/[1-1000] -d '" + strings.Repeat("a&", 10_000) + "'",
		"queries": "curl 'http://h.test/[1-1000]?" + strings.Repeat("a&", 10_000) + "'",
		"lists":   "curl http://h.test/[1-1000]" + strings.Repeat(" --connect-to ::a:", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engine.Parse(src, engine.Input{Limits: engine.Limits{Bytes: 16 << 20}})
			if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != diag.CodeTooLarge {
				t.Errorf("got %v", err)
			}
		})
	}
}

// An answer that is too long is not written first and then thrown away.
func TestAnswerIsBounded(t *testing.T) {
	body := "curl http://h.test/ -d '" + strings.Repeat("\x01", 900_000) + "'"
	for _, as := range []api.As{api.AsConvert, api.AsParse, api.AsCode} {
		r := api.Request{Curl: body, Want: api.Want{Target: "python-requests"}}
		r.Limits.Answer = 1 << 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := r.Answer(nil, as)
		runtime.ReadMemStats(&after)
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != diag.CodeTooLarge {
			t.Errorf("%s: %v", as, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: %d bytes for an answer of at most 1 MiB", as, took)
		}
		r.Limits.Answer = 0
		if _, _, err := r.Answer(nil, as); err != nil {
			t.Errorf("%s: %v", as, err)
		}
	}
	many := "curl http://h.test/[1-1000] -d x"
	in := engine.Input{Limits: engine.Limits{Work: 400_000}}
	if _, _, err := engine.Append(nil, many, engine.Want{As: engine.AsParse}, in); err == nil {
		t.Error("the description costs no steps")
	}
}

// What is made of a Result pays to the watch of its own conversion, whatever other
// conversions run meanwhile; the race detector sees most of it.
func TestOwnWatch(t *testing.T) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 2000 {
				watch := new(meter.Watch)
				result, err := engine.Parse("curl http://h.test/", engine.Input{Watch: watch})
				if err != nil {
					t.Error(err)
					return
				}
				m, e := result.Begin()
				if e != nil {
					t.Error(e)
					return
				}
				const looked = 4096 // steps between two looks at the watch
				if watch.Stop(); m.Work(2 * looked) {
					t.Error("the answer pays to the watch of another conversion")
					return
				}
			}
		})
	}
	group.Wait()
}

// A recording with the content of all answers, as the tools of browsers save it, is read, and
// one of its requests however many it has.
func TestLargeRecording(t *testing.T) {
	recording := func(entries, size int) string {
		entry := `{"request":{"method":"GET","url":"http://h.test/","headers":[]},"response":{"content":{"text":"` + strings.Repeat("x", size) + `"}}}`
		return `{"log":{"entries":[` + strings.Repeat(entry+",", entries-1) + entry + `]}}`
	}
	large, many := recording(200, 1<<20), recording(1200, 1)
	for _, c := range []struct {
		src      string
		entry    int
		requests int // 0: the error is that there are too many
	}{{large, 0, 200}, {large, 200, 1}, {many, 0, 0}, {many, 1200, 1}} {
		result, err := engine.Parse(c.src, engine.Input{Entry: c.entry})
		if c.requests == 0 {
			if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != diag.CodeTooManyRequests {
				t.Errorf("of %d bytes: %v", len(c.src), err)
			}
		} else if err != nil || len(result.Requests) != c.requests {
			t.Errorf("entry %d of %d bytes: %v", c.entry, len(c.src), err)
		}
	}
}
