package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	const old, fresh = "0123456789abcdef", "fedcba9876543210/+="
	var tokens Tokens
	if err := tokens.Load([]byte("# comment\n\n" + old + "\r\n  " + fresh + "  \n")); err != nil {
		t.Fatal(err)
	}
	s := newService(t, New(Config{Tokens: &tokens}))
	try := func(method, path, authorization string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader("curl h"))
		r.Header.Set("Content-Type", typeText)
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		return s.do(t, r)
	}
	for _, path := range []string{"/api/convert", "/api/parse"} {
		for authorization, status := range map[string]int{
			"Bearer " + old: 200, "bearer  " + fresh: 200, "": 401, "Bearer": 401, "Bearer ": 401, "Bearer " + old + "0": 401,
			"Bearer " + old[:15]: 401, "Basic " + old: 401, "Bearer # comment": 401, old: 401,
		} {
			w := try("POST", path, authorization)
			if w.Code != status {
				t.Errorf("%s with %q answers %d %s", path, authorization, w.Code, w.Body)
			}
			if status == 401 && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), `Bearer realm="uncoil"`) {
				t.Errorf("%q: WWW-Authenticate is %q", authorization, w.Header().Get("WWW-Authenticate"))
			}
		}
	}
	for path, status := range map[string]int{"/metrics": 401, "/": 200, "/healthz": 200, "/readyz": 200, "/openapi.yaml": 200, "/problems/unauthorized": 200} {
		if w := try("GET", path, ""); w.Code != status {
			t.Errorf("GET %s without a token answers %d", path, w.Code)
		}
	}
	if w := try("GET", "/metrics", "Bearer "+fresh); w.Code != 200 {
		t.Errorf("GET /metrics with a token answers %d", w.Code)
	}

	// What cannot be read changes nothing, and says no token.
	for text, want := range map[string]string{
		"":                           "no token",
		"# only a comment":           "no token",
		fresh + "\nshort":            "line 2 has fewer than 16",
		"a token with spaces in it":  "line 1 has a character",
		strings.Repeat("x", 100_000): "token too long",
	} {
		err := tokens.Load([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "short") {
			t.Errorf("loading %.30q says %v", text, err)
		}
	}
	if w := try("POST", "/api/convert", "Bearer "+old); w.Code != 200 || tokens.Len() != 2 {
		t.Errorf("after that, %d, %d tokens", w.Code, tokens.Len())
	}
	if err := tokens.Load([]byte(fresh)); err != nil {
		t.Fatal(err)
	}
	if w := try("POST", "/api/convert", "Bearer "+old); w.Code != 401 {
		t.Errorf("a token that is gone gets %d", w.Code)
	}
}

func TestCORS(t *testing.T) {
	const app = "https://app.example.com"
	tests := []struct {
		origins              []string
		method, path, origin string
		allowed, vary        string
	}{
		{nil, "POST", "/api/convert", app, "", ""},
		{[]string{app}, "POST", "/api/convert", app, app, "Origin"},
		{[]string{app}, "POST", "/api/convert", "https://evil.example.com", "", "Origin"},
		{[]string{app}, "POST", "/api/convert", "https://app.example.com.evil.test", "", "Origin"},
		{[]string{app}, "POST", "/api/convert", "null", "", "Origin"},
		{[]string{app}, "POST", "/api/convert", "", "", "Origin"},
		{[]string{app}, "OPTIONS", "/api/convert", app, app, "Origin"},
		{[]string{app}, "GET", "/openapi.json", app, app, "Origin"},
		{[]string{app}, "GET", "/metrics", app, "", "Origin"},
		{[]string{"*"}, "POST", "/api/parse", app, "*", ""},
		{[]string{"*"}, "GET", "/healthz", app, "", ""},
	}
	for _, test := range tests {
		s := newService(t, New(Config{Origins: test.origins}))
		r := httptest.NewRequest(test.method, test.path, strings.NewReader("curl h"))
		r.Header.Set("Content-Type", typeText)
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		if test.method == "OPTIONS" {
			r.Header.Set("Access-Control-Request-Method", "POST")
		}
		w := s.do(t, r)
		h := w.Header()
		if h.Get("Access-Control-Allow-Origin") != test.allowed || h.Get("Vary") != test.vary || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%+v answers %d %v", test, w.Code, h)
		}
		if preflight := test.method == "OPTIONS"; preflight != (h.Get("Access-Control-Allow-Methods") != "") || preflight && (w.Code != 204 || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Content-Type")) {
			t.Errorf("%+v answers %d %v", test, w.Code, h)
		}
	}
}

// fromPage returns a request of a page of another origin.
func fromPage() *http.Request {
	r := httptest.NewRequest("POST", "/api/convert", nil)
	r.Header.Set("Origin", "https://app.example.com")
	return r
}

// A page asks beforehand without a token, and may read the answer that says
// that one is wanted.
func TestCORSWithTokens(t *testing.T) {
	var tokens Tokens
	if err := tokens.Load([]byte("0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	s := newService(t, New(Config{Tokens: &tokens, Origins: []string{"*"}}))
	if h := s.do(t, fromPage()).Header().Get("Access-Control-Expose-Headers"); !strings.Contains(h, "Uncoil-Doubts") {
		t.Errorf("a page may read %s", h)
	}
	for method, status := range map[string]int{"OPTIONS": 204, "POST": 401} {
		r := httptest.NewRequest(method, "/api/convert", nil)
		r.Header.Set("Origin", "https://app.example.com")
		r.Header.Set("Access-Control-Request-Method", "POST")
		if w := s.do(t, r); w.Code != status || w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s answers %d %v", method, w.Code, w.Header())
		}
	}
}

func TestClientAddr(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	tests := []struct{ remote, forwarded, want string }{
		{"192.0.2.1:1234", "", "192.0.2.1"},
		{"192.0.2.1:1234", "203.0.113.9", "192.0.2.1"}, // no proxy of ours: not believed
		{"10.0.0.1:1234", "203.0.113.9", "203.0.113.9"},
		{"[::1]:1234", "203.0.113.9", "203.0.113.9"},
		{"[::ffff:10.0.0.1]:1234", "203.0.113.9", "203.0.113.9"},
		{"10.0.0.1:1234", "1.1.1.1, 203.0.113.9", "203.0.113.9"}, // the client invents the first
		{"10.0.0.1:1234", "203.0.113.9,10.0.0.2 , 10.0.0.3", "203.0.113.9"},
		{"10.0.0.1:1234", "10.0.0.2", "10.0.0.2"},
		{"10.0.0.1:1234", "", "10.0.0.1"},
		{"10.0.0.1:1234", "203.0.113.9, nonsense", "10.0.0.1"},
		{"10.0.0.1:1234", ",,,", "10.0.0.1"},
		{"10.0.0.1:1234", "203.0.113.9:5678", "203.0.113.9"},
		{"10.0.0.1:1234", "[2001:db8:1:2:3::4]:5678", "2001:db8:1:2::"},
		{"[2001:db8:1:2:3::4]:1234", "", "2001:db8:1:2::"},
		{"[fe80::1%eth0]:1234", "", "fe80::"},
		{"@", "203.0.113.9", "invalid IP"},
	}
	for _, test := range tests {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-For", test.forwarded)
		}
		if got := clientAddr(r, proxies).String(); got != test.want {
			t.Errorf("from %s for %q: %s, want %s", test.remote, test.forwarded, got, test.want)
		}
	}
}

func TestRateLimit(t *testing.T) {
	s := newService(t, New(Config{Rate: 0.01, Burst: 2, Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}))
	try := func(remote, forwarded string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/api/convert", strings.NewReader("curl h"))
		r.Header.Set("Content-Type", typeText)
		r.Header.Set("X-Forwarded-For", forwarded)
		r.RemoteAddr = remote
		return s.do(t, r)
	}
	for i, want := range []int{200, 200, 429, 429} {
		w := try("192.0.2.1:1000", strconv.Itoa(i)+".1.1.1") // what it says of itself does not help
		if w.Code != want {
			t.Errorf("request %d: %d %s", i, w.Code, w.Body)
		}
		if seconds, _ := strconv.Atoi(w.Header().Get("Retry-After")); want == 429 && (seconds < 90 || seconds > 100) {
			t.Errorf("Retry-After: %s", w.Header().Get("Retry-After"))
		}
	}
	if w := try("192.0.2.2:1000", ""); w.Code != 200 {
		t.Errorf("another client gets %d", w.Code)
	}
	for i, want := range []int{200, 200, 429} {
		if w := try("10.0.0.1:1000", "198.51.100.7"); w.Code != want {
			t.Errorf("request %d by a proxy: %d", i, w.Code)
		}
	}
	if w := try("10.0.0.1:1000", "198.51.100.8"); w.Code != 200 {
		t.Errorf("another client by the proxy gets %d", w.Code)
	}
	r := httptest.NewRequest("GET", "/healthz", nil)
	r.RemoteAddr = "192.0.2.1:1000"
	if w := s.do(t, r); w.Code != 200 {
		t.Errorf("/healthz answers %d", w.Code)
	}
}

// However many clients there are, only so many are remembered.
func TestClientsAreForgotten(t *testing.T) {
	c := newClients(1, 1, nil)
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "192.0.2.1:1"
	first := c.of(r)
	other := httptest.NewRequest("GET", "/", nil)
	for i := range 3 * maxClients {
		other.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1).String()
		c.of(other)
		if i%1000 == 0 && c.of(r) != first {
			t.Fatalf("who comes all the time is forgotten after %d others", i)
		}
	}
	if n := len(c.recent) + len(c.older); n > 2*maxClients {
		t.Errorf("%d clients are remembered", n)
	}
}
