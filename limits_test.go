package uncoil_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"uncoil"
	"uncoil/diag"
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
		limits uncoil.Limits
		code   diag.Code // empty: an answer
		says   string
	}{
		{"requests", "curl http://h.test/[1-5]", uncoil.Limits{Requests: 5}, "", ""},
		{"a request too many", "curl http://h.test/[1-6]", uncoil.Limits{Requests: 5}, diag.CodeTooManyRequests, "6 requests or more; the limit is 5"},
		{"several commands", "curl http://h.test/[1-3]; curl http://h.test/[1-3]", uncoil.Limits{Requests: 5}, diag.CodeTooManyRequests, "is 5"},
		{"never more than 1,000", "curl http://h.test/[1-1001]", uncoil.Limits{Requests: 1_000_000}, diag.CodeTooManyRequests, "is 1000"},
		{"bytes", body, uncoil.Limits{Bytes: 50_000}, "", ""},
		{"too many bytes", body, uncoil.Limits{Bytes: 10_000}, diag.CodeTooLarge, "10000 bytes"},
		{"parts", nested(3), uncoil.Limits{PartDepth: 3}, "", ""},
		{"a part too deep", nested(4), uncoil.Limits{PartDepth: 3}, diag.CodeNestedTooDeep, "than the limit of 3"},
		{"parts by default", nested(64), uncoil.Limits{}, "", ""},
		{"deep by default", nested(65), uncoil.Limits{}, diag.CodeNestedTooDeep, "64"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := uncoil.Parse(test.src, uncoil.Input{Limits: test.limits})
			var e *uncoil.Error
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
			_, err := uncoil.Parse(src, uncoil.Input{Limits: uncoil.Limits{Bytes: 16 << 20}})
			if e, ok := errors.AsType[*uncoil.Error](err); !ok || e.Code != diag.CodeTooLarge {
				t.Errorf("got %v", err)
			}
		})
	}
}

// An answer that is too long is not written first and then thrown away.
func TestAnswerIsBounded(t *testing.T) {
	body := "curl http://h.test/ -d '" + strings.Repeat("\x01", 900_000) + "'"
	for _, want := range []uncoil.Want{{As: uncoil.AsConvert}, {As: uncoil.AsParse}, {As: uncoil.AsCode, Target: "python-requests"}} {
		in := uncoil.Input{Limits: uncoil.Limits{Answer: 1 << 20}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := uncoil.Append(nil, body, want, in)
		runtime.ReadMemStats(&after)
		if e, ok := errors.AsType[*uncoil.Error](err); !ok || e.Code != diag.CodeTooLarge {
			t.Errorf("%s: %v", want.As, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: %d bytes for an answer of at most 1 MiB", want.As, took)
		}
		in.Limits.Answer = 0
		if _, _, err := uncoil.Append(nil, body, want, in); err != nil {
			t.Errorf("%s: %v", want.As, err)
		}
	}
	many := "curl http://h.test/[1-1000] -d x"
	in := uncoil.Input{Limits: uncoil.Limits{Work: 400_000}}
	if _, _, err := uncoil.Append(nil, many, uncoil.Want{As: uncoil.AsParse}, in); err == nil {
		t.Error("the description costs no steps")
	}
}
