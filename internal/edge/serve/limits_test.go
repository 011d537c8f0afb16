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

// A control group that allows less than the bound lowers limits that the operator
// did not give, as far as that makes sense.
func TestFitMemory(t *testing.T) {
	for _, test := range []struct {
		group int64
		given string
		fits  bool
	}{
		{1 << 40, "", true},
		{512 << 20, "", true},
		{256 << 20, "", true},
		{200 << 20, "", true},
		{128 << 20, "", true},
		{512 << 20, "max-connections", true},
		{256 << 20, "max-connections", false},
		{64 << 20, "", false},
	} {
		o := newOptions()
		o.config.MaxConversions = 2
		var log bytes.Buffer
		o.config.Log = slog.New(slog.NewTextHandler(&log, nil))
		before := o.config.MemoryBound()
		o.fitMemory(test.group, map[string]bool{test.given: true})
		c, bound := o.config, o.config.MemoryBound()
		if fits := bound <= test.group; fits != test.fits || bound > before {
			t.Errorf("%+v: the bound is %d MiB", test, bound>>20)
		}
		if fits := bound <= test.group; fits && before > test.group && bound < test.group*8/10 {
			t.Errorf("%+v: the bound is only %d MiB", test, bound>>20)
		}
		if test.given != "" && c.MaxConnections != 2000 {
			t.Errorf("%+v: %d connections", test, c.MaxConnections)
		}
		if said := strings.Contains(log.String(), "level=WARN"); said != (before > test.group) {
			t.Errorf("%+v: the log has %s", test, &log)
		}
		t.Logf("%d MiB: %d MiB, %s", test.group>>20, bound>>20, &log)
	}
}
