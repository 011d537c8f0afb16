package httpapi

import (
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"uncoil/internal/edge/api"
)

// A client is the cause itself when it has an eighth of what waits.
func TestCrowded(t *testing.T) {
	client := netip.MustParseAddr("192.0.2.1")
	for own, want := range map[int]string{0: string(api.CodeOverloaded), 7: string(api.CodeOverloaded), 8: string(api.CodeRateLimited)} {
		c := newConversions(1, 64)
		for range own {
			c.enqueue(client, &waiter{since: time.Now()})
		}
		if got := string(c.crowded(client).Code); got != want {
			t.Errorf("with %d of 64: %s, want %s", own, got, want)
		}
	}
}

// A traceparent has four parts of these lengths (Trace Context, 3.2.2), and names a trace.
func TestTraceID(t *testing.T) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	for field, want := range map[string]string{
		"00-" + trace + "-00f067aa0ba902b7-01":                    trace,
		"01-" + trace + "-00f067aa0ba902b7-01-more":               trace,
		"00-" + trace + "-00f067aa0ba902b7-01-more":               "",
		"ff-" + trace + "-00f067aa0ba902b7-01":                    "",
		"0-" + trace + "-00f067aa0ba902b7-01":                     "",
		"00-" + trace + "0-00f067aa0ba902b7-01":                   "",
		"00-" + trace + "-0f067aa0ba902b7-01":                     "",
		"00-" + trace + "-00f067aa0ba902b7-1":                     "",
		"00-" + trace + "-00f067aa0ba902b7":                       "",
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01": "",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Traceparent", field)
		if got := traceID(r); got != want {
			t.Errorf("%s is of trace %q, want %q", field, got, want)
		}
	}
}

// The weights of codings are from 0 to 1 (RFC 9110, 12.4.2); others count as none.
func TestWeightsOfCodings(t *testing.T) {
	for field, want := range map[string]string{"gzip": "gzip", "gzip;q=1": "gzip", "gzip;q=0.001": "gzip", "gzip;q=0": "", "gzip;q=1.1": "", "gzip;q=-1": "", "gzip;q=x": "", "br": ""} {
		if got := contentCoding([]string{field}, []string{"gzip"}); got != want {
			t.Errorf("%s chooses %q, want %q", field, got, want)
		}
	}
}

// All commands are refused for so long when the first and the last refusal are as far apart,
// to the nanosecond.
func TestRefusedLonger(t *testing.T) {
	now := time.Now()
	for apart, want := range map[time.Duration]bool{time.Minute: true, time.Minute - 1: false, time.Minute + 1: true} {
		var r refusing
		r.since.Store(now.Add(-apart).UnixNano())
		r.last.Store(now.UnixNano())
		if got := r.longer(time.Minute); got != want {
			t.Errorf("refusals that are %v apart last a minute: %t", apart, got)
		}
	}
}
