package serve

import (
	"bytes"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"testing"
)

// A control group that allows less than the bound is used and said.
func TestLimitMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for _, test := range []struct {
		group int64
		set   bool
		limit int64 // 0: as before
		says  string
	}{
		{math.MaxInt64, true, 900 << 20, "level=INFO msg=memory bound=1048576000"},
		{500 << 20, true, 450 << 20, "level=WARN"},
		{500 << 20, false, 0, "bound=1048576000 group=524288000"},
	} {
		var log bytes.Buffer
		debug.SetMemoryLimit(1 << 40)
		limitMemory(slog.New(slog.NewTextHandler(&log, nil)), 1000<<20, test.group, test.set)
		want := test.limit
		if want == 0 {
			want = 1 << 40
		}
		if got := debug.SetMemoryLimit(-1); got != want || !strings.Contains(log.String(), test.says) {
			t.Errorf("%+v: the limit is %d, and the log has %s", test, got, &log)
		}
	}
}

// Few open files leave fewer connections, and always some.
func TestFitFiles(t *testing.T) {
	for files, want := range map[uint64]int{0: 2000, 4096: 2000, 2064: 2000, 2063: 1999, 256: 192, 64: 32, 1: 1} {
		o := newOptions()
		o.config.Log = slog.New(slog.DiscardHandler)
		if o.fitFiles(files); o.config.MaxConnections != want {
			t.Errorf("%d files leave %d connections, want %d", files, o.config.MaxConnections, want)
		}
	}
}
