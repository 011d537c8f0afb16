package httpapi

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHosts holds which hosts a service answers for, and that it refuses others
// before it reads the content.
func TestHosts(t *testing.T) {
	parsed := func(list string) Hosts {
		t.Helper()
		hosts, err := ParseHosts(list)
		if err != nil {
			t.Fatal(err)
		}
		return hosts
	}
	const convert, probe = "/api/convert", "/readyz"
	for _, test := range []struct {
		hosts  Hosts
		path   string
		host   string
		status int
	}{
		{nil, convert, "evil.test", 200},
		{parsed("*"), convert, "evil.test", 200},
		{LoopbackHosts, convert, "localhost", 200},
		{LoopbackHosts, convert, "LocalHost.:8080", 200},
		{LoopbackHosts, convert, "uncoil.localhost:1", 200},
		{LoopbackHosts, convert, "127.0.0.1:8080", 200},
		{LoopbackHosts, convert, "127.255.0.9", 200},
		{LoopbackHosts, convert, "[::1]", 200},
		{LoopbackHosts, convert, "[::1]:8080", 200},
		{LoopbackHosts, convert, "[::ffff:127.0.0.1]:8080", 200},
		{LoopbackHosts, convert, "", 200},
		{LoopbackHosts, convert, "evil.test", 421},
		{LoopbackHosts, convert, "evil.test:8080", 421},
		{LoopbackHosts, convert, "localhost.evil.test", 421},
		{LoopbackHosts, convert, "evillocalhost", 421},
		{LoopbackHosts, convert, ".localhost.evil", 421},
		{LoopbackHosts, convert, "127.0.0.1.evil.test", 421},
		{LoopbackHosts, convert, "127.1", 421}, // a name to a browser's DNS, not an address in this form
		{LoopbackHosts, convert, "10.0.0.1", 421},
		{LoopbackHosts, convert, "[::2]:8080", 421},
		{LoopbackHosts, "/mcp", "evil.test", 421},
		{LoopbackHosts, "/api/batch", "evil.test", 421},
		{LoopbackHosts, "/", "evil.test", 421},
		{LoopbackHosts, probe, "evil.test", 421},
		{LoopbackHosts, "/metrics", "evil.test", 421},
		{LoopbackHosts, probe, "10.0.0.1:8080", 200},
		{LoopbackHosts, "/metrics", "10.0.0.1:8080", 200},
		{parsed("uncoil.example.com"), convert, "UNCOIL.example.com:8443", 200},
		{parsed("uncoil.example.com"), convert, "example.com", 421},
		{parsed("uncoil.example.com"), convert, "a.uncoil.example.com", 421},
		{parsed("uncoil.example.com"), convert, "localhost:8080", 421},
		{parsed("uncoil.example.com"), probe, "localhost:8080", 200},
		{parsed("uncoil.example.com"), "/healthz", "10.0.0.1", 200},
		{parsed("a.test, Uncoil.Test:8443"), convert, "uncoil.test:8443", 200},
		{parsed("a.test, Uncoil.Test:8443"), convert, "uncoil.test:8080", 421},
		{parsed("*.example.com"), convert, "a.b.example.com", 200},
		{parsed("*.example.com"), convert, "example.com", 421},
		{parsed("[::1]:8080, 10.0.0.0/8"), convert, "[::1]:8080", 200},
		{parsed("[::1]:8080, 10.0.0.0/8"), convert, "[::1]:8081", 421},
		{parsed("[::1]:8080, 10.0.0.0/8"), convert, "10.1.2.3:5", 200},
	} {
		s := newService(t, New(Config{Hosts: test.hosts}))
		r := httptest.NewRequest("GET", test.path, nil)
		var content *countingReader
		if strings.HasPrefix(test.path, "/api/") || test.path == "/mcp" {
			content = &countingReader{Reader: strings.NewReader("curl h")}
			r = httptest.NewRequest("POST", test.path, content)
			r.Header.Set("Content-Type", typeText)
		}
		r.Host = test.host
		r.Header.Set("Origin", "http://"+test.host) // as of a page whose name resolves to this machine
		w := s.do(t, r)
		refused := test.status == 421
		if w.Code != test.status || strings.Contains(w.Body.String(), `"code":"misdirected-request"`) != refused || strings.Contains(w.Body.String(), "-hosts") != refused {
			t.Errorf("%s for %q: %d %s", test.path, test.host, w.Code, w.Body)
		}
		if refused && content != nil && content.read > 0 {
			t.Errorf("%s for %q: %d bytes of the content are read", test.path, test.host, content.read)
		}
	}
	for _, list := range []string{"", "a.test,", "http://a.test", "a.*.test", "a b", "a:b:c", "user@a.test"} {
		if hosts, err := ParseHosts(list); err == nil {
			t.Errorf("%q is read as %v", list, hosts)
		}
	}
}

// A countingReader counts the bytes that are read.
type countingReader struct {
	io.Reader
	read int
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.read += n
	return n, err
}
