package serve

import (
	"flag"
	"io"
	"strings"
	"testing"
	"time"
)

// Sizes, times and rates have units, and an error says how they are written.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		flag, text string
		want       any
		problem    string
	}{
		{"max-body", "65536", 65536, ""},
		{"max-body", "1MiB", 1 << 20, ""},
		{"max-body", "1.5 kib", 1536, ""},
		{"max-body", "2MB", 2_000_000, ""},
		{"max-body", "64k", 64 << 10, ""},
		{"max-body", "much", nil, "64KiB"},
		{"max-body", "1e300MiB", nil, "64KiB"},
		{"max-body", "1.5", nil, "64KiB"},
		{"max-requests", "10", 10, ""},
		{"max-requests", "10k", nil, "whole number"},
		{"idle-timeout", "30", 30 * time.Second, ""},
		{"idle-timeout", "1m30s", 90 * time.Second, ""},
		{"idle-timeout", "soon", nil, "30s"},
		{"rate", "0.5", 0.5, ""},
		{"rate", "50/s", 50.0, ""},
		{"rate", "abc", nil, "in a second"},
		{"rate", "NaN", nil, "in a second"},
	} {
		fs := flag.NewFlagSet("serve", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		newOptions().register(fs)
		err := fs.Set(test.flag, test.text)
		if test.problem != "" {
			if err == nil || !strings.Contains(err.Error(), test.problem) {
				t.Errorf("-%s %s: %v, want %q", test.flag, test.text, err, test.problem)
			}
			continue
		}
		if got := fs.Lookup(test.flag).Value.(flag.Getter).Get(); err != nil || got != test.want {
			t.Errorf("-%s %s: %v, %v, want %v", test.flag, test.text, got, err, test.want)
		}
	}
}
