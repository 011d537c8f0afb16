package rawhttp_test

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/rawhttp"
	"uncoil/internal/proof/shelltest"
)

// TestIs holds which texts are requests.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		"GET / HTTP/1.1": true, "\n M-SEARCH * HTTP/1.1\r\n": true, "POST /a b HTTP/2\n": true, ":method: GET": true, ":authority\nh": true, ":path:\n/": true,
		"GET /": false, "get / HTTP/1.1": false, "curl -X GET / HTTP/1.1": false, "GET / HTTP/x": false, "HTTP/1.1 200 OK": false, ": curl h": false, ":methods": false, ":path": false, "": false,
		"> GET / HTTP/1.1": false, "GET HTTP/1.1": false,
	} {
		if got := rawhttp.Is(src); got != want {
			t.Errorf("Is(%q) is %t", src, got)
		}
	}
}

// FuzzRead checks that any text is read within its limits, and that an error
// leaves a place.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		"POST /a?b#c HTTP/1.1\r\nHost: h.test:80\r\nContent-Length: 3\r\nX: a\r\n b\r\n\r\na\nb\r\nGET / HTTP/1.0\nHost: h\n\nHTTP/1.1 200 OK",
		"PUT http://h/ HTTP/1.1\nTransfer-Encoding: chunked\n\n3;a=b\r\nabc\r\n0\r\n\r\n", ":authority\nh\n:path\n/\n:method\nGET\n", ":authority: h\n:path: /\ncookie: a\n\nx",
		"POST / HTTP/1.1\nHost: [::1]:443\nContent-Type: multipart/form-data\n\na\nb", "OPTIONS * HTTP/2\nHost: h\nContent-Length: 0\n\n", "CONNECT h:1 HTTP/1.1",
		"GET a#b:// HTTP/1.1\nHost: h\n\n", "POST x?a#b://c HTTP/1.0",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		m := meter.New(len(src), meter.Limits{}, nil)
		commands, diags := rawhttp.Read(src, m)
		shelltest.CheckBounds(t, src, commands, diags)
		d := diags.Err()
		if d == nil && len(commands) == 0 {
			t.Error("no command, and no error")
		}
		if d != nil && d.Code != diag.CodeInvalidHTTP && d.Code != diag.CodeNoURL {
			t.Errorf("the error is %v", d)
		}
	})
}
