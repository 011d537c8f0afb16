package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkConvert measures the handler without a connection; what remains
// beside the conversion is the cost of the edge.
func BenchmarkConvert(b *testing.B) {
	for _, bench := range []struct{ name, content string }{
		{"get", `{"curl":"curl https://api.example.com/users?page=2"}`},
		{"post", `{"curl":"curl -X POST 'https://api.example.com/users' -H 'Content-Type: application/json' -d '{\"name\":\"Ann\",\"id\":12345678901234567890}'"}`},
		{"body64k", `{"curl":"curl https://example.com -d 'a=` + strings.Repeat("0123456789abcdef", 64<<10/16) + `'"}`},
	} {
		b.Run("case="+bench.name, func(b *testing.B) {
			h := New(Config{})
			b.SetBytes(int64(len(bench.content)))
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("POST", "/api/convert", strings.NewReader(bench.content))
				r.Header.Set("Content-Type", typeJSON)
				w := discard{header: make(http.Header)}
				h.ServeHTTP(&w, r)
				if w.status != http.StatusOK {
					b.Fatal(w.status)
				}
			}
		})
	}
}

// BenchmarkCores measures the handler on as many cores as -cpu says. A connection
// would bring a client, which takes as much of the processor as the service.
func BenchmarkCores(b *testing.B) {
	h := New(Config{})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r := httptest.NewRequest("POST", "/api/convert", strings.NewReader(`{"curl":"curl -X POST 'https://api.example.com/users' -H 'Content-Type: application/json' -d '{\"name\":\"Ann\"}'"}`))
			r.Header.Set("Content-Type", typeJSON)
			w := discard{header: make(http.Header)}
			h.ServeHTTP(&w, r)
			if w.status != http.StatusOK {
				b.Error(w.status)
			}
		}
	})
}

// discard is a response that nobody reads.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header    { return d.header }
func (d *discard) WriteHeader(status int) { d.status = status }
func (d *discard) Write(p []byte) (int, error) {
	if d.status == 0 {
		d.status = http.StatusOK
	}
	return len(p), nil
}
