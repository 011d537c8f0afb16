package httpapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

// An id and a trace that a client or a proxy gives a request stay with it.
func TestRequestIDIsKept(t *testing.T) {
	const trace = "0af7651916cd43dd8448eb211c80319c"
	var log bytes.Buffer
	s := newService(t, New(Config{LogRequests: LogAll, Log: slog.New(slog.NewJSONHandler(&log, nil))}))
	for _, test := range []struct {
		id, parent, wantTrace string
		kept                  bool
	}{
		{"req-1.a_B", "00-" + trace + "-b7ad6b7169203331-01", trace, true},
		{strings.Repeat("x", 64), "01-" + trace + "-b7ad6b7169203331-01-more", trace, true},
		{strings.Repeat("x", 65), "00-" + trace + "-b7ad6b7169203331-01-more", "", false},
		{"a b", "00-" + strings.Repeat("0", 32) + "-b7ad6b7169203331-01", "", false},
		{"<script>", "00-" + strings.ToUpper(trace) + "-b7ad6b7169203331-01", "", false},
		{"", "ff-" + trace + "-b7ad6b7169203331-01", "", false},
		{"", "", "", false},
	} {
		log.Reset()
		r := httptest.NewRequest("GET", "/version", nil)
		if test.id != "" {
			r.Header.Set("X-Request-Id", test.id)
		}
		r.Header.Set("Traceparent", test.parent)
		got := s.do(t, r).Header().Get("X-Request-Id")
		var line struct{ ID, Trace string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if (got == test.id) != test.kept || len(got) == 0 || line.ID != got || line.Trace != test.wantTrace {
			t.Errorf("%q, %q: id %q, line %+v", test.id, test.parent, got, line)
		}
	}
}

// The log and the metrics have the name of a token, and never the token.
func TestTokenNames(t *testing.T) {
	const ann, other = "0123456789abcdef", "fedcba9876543210"
	var log bytes.Buffer
	var tokens Tokens
	if err := tokens.Load([]byte("ann " + ann + "\n" + other + "\n")); err != nil {
		t.Fatal(err)
	}
	s := newService(t, New(Config{Tokens: &tokens, LogRequests: LogAll, Log: slog.New(slog.NewJSONHandler(&log, nil))}))
	for secret, name := range map[string]string{ann: "ann", other: "unnamed", "wrongwrongwrongwrong": ""} {
		log.Reset()
		r := httptest.NewRequest("POST", "/api/convert", strings.NewReader("curl h"))
		r.Header.Set("Authorization", "Bearer "+secret)
		s.do(t, r)
		var line struct{ Token string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil || line.Token != name || strings.Contains(log.String(), secret) {
			t.Errorf("%s: %s", name, &log)
		}
	}
	r := httptest.NewRequest("GET", "/metrics", nil)
	r.Header.Set("Authorization", "Bearer "+ann)
	if w := s.do(t, r); !strings.Contains(w.Body.String(), `uncoil_token_requests_total{token="ann"} 1`) {
		t.Errorf("metrics:\n%s", w.Body)
	}
	for _, text := range []string{"an/n " + ann, strings.Repeat("n", 41) + " " + ann, "ann short"} {
		if err := tokens.Load([]byte(text)); err == nil || strings.Contains(err.Error(), ann) || strings.Contains(err.Error(), "short") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Documents have a tag, and are compressed for those who take it.
func TestDocumentsAreCached(t *testing.T) {
	s := newService(t, New(Config{Version: "v1.2.3"}))
	for _, path := range []string{"/api/targets", "/openapi.yaml", "/openapi.json", "/docs", "/version", "/problems", "/problems/no-url"} {
		plain := s.do(t, httptest.NewRequest("GET", path, nil))
		tag := plain.Header().Get("ETag")
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("If-None-Match", tag)
		if again := s.do(t, r); tag == "" || again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%s: tag %q, then %d with %d bytes", path, tag, again.Code, again.Body.Len())
		}
		if plain.Header().Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("%s: %q", path, plain.Header().Get("Cache-Control"))
		}
		if plain.Body.Len() <= 1<<10 {
			continue
		}
		r = httptest.NewRequest("GET", path, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		unpacked, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(path, err)
		}
		text, err := io.ReadAll(unpacked)
		if err != nil || string(text) != plain.Body.String() || w.Header().Get("ETag") == tag || !strings.Contains(w.Header().Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %v, %d bytes, %v", path, err, len(text), w.Header())
		}
	}
	if w := s.do(t, httptest.NewRequest("GET", "/version", nil)); w.Body.String() != `{"version":"v1.2.3","curl":"8.22.0"}` {
		t.Error(w.Body)
	}
}

// The page of the description names every path, and loads nothing from elsewhere.
func TestDocsPage(t *testing.T) {
	w := newService(t, New(Config{})).do(t, httptest.NewRequest("GET", "/docs", nil))
	for path := range loadOpenAPI(t).Paths.Map() {
		if !strings.Contains(w.Body.String(), path+"</code>") {
			t.Errorf("no %s", path)
		}
	}
	for _, elsewhere := range []string{"src=", "<script", "<link", "url(", "@import"} {
		if strings.Contains(w.Body.String(), elsewhere) {
			t.Errorf("the page has %s", elsewhere)
		}
	}
}

// Where there is a rate, each answer says what is left of it.
func TestRateLimitFields(t *testing.T) {
	// The clock stands still between the requests.
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, New(Config{Rate: 5, Burst: 2}))
		for i, want := range []string{`"client";r=1;t=1`, `"client";r=0;t=1`, `"client";r=0;t=1`} {
			w := s.post(t, "/api/convert", typeText, "curl https://example.com")
			if (w.Code == 429) != (i == 2) || w.Header().Get("RateLimit") != want || w.Header().Get("RateLimit-Policy") != `"client";q=2;w=1` {
				t.Errorf("%d: %d %q %q", i, w.Code, w.Header().Get("RateLimit"), w.Header().Get("RateLimit-Policy"))
			}
		}
	})
	if w := newService(t, New(Config{})).post(t, "/api/convert", typeText, "curl h"); w.Header().Get("RateLimit") != "" {
		t.Error("a service without a rate says", w.Header().Get("RateLimit"))
	}
}
