package httpapi

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Content that begins with { is the object, whatever its type; other content
// is the command where the type leaves that open.
func TestContentTypes(t *testing.T) {
	s := newService(t, New(Config{}))
	const object, command = `{"curl":"curl h"}`, "curl h"
	for _, test := range []struct {
		contentType, content string
		status               int
	}{
		{"", object, 200},
		{typeText, "\ufeff \r\n" + object, 200},
		{"application/x-www-form-urlencoded", object, 200},
		{"text/plain;charset=UTF-8", object, 200},
		{"application/octet-stream", object, 200},
		{"text/json", object, 200},
		{"application/vnd.example+json; charset=utf-8", object, 200},
		{"", command, 200},
		{"application/x-www-form-urlencoded", command, 200},
		{"text/plain; charset=utf-8", command, 200},
		{typeJSON, command, 400},
		{"application/problem+json", command, 400},
		{"application/octet-stream", command, 415},
		{"text/html", command, 415},
		{"multipart/form-data; boundary=x", command, 415},
		{"nonsense;;", command, 415},
		{"application/x-ndjson", command, 415},
	} {
		for _, path := range []string{"/api/convert", "/api/parse"} {
			if w := s.post(t, path, test.contentType, test.content); w.Code != test.status {
				t.Errorf("%s with %q as %q answers %d %s", path, test.content, test.contentType, w.Code, w.Body)
			}
		}
	}
	for contentType, status := range map[string]int{"": 200, typeNDJSON: 200, "application/jsonl": 200, "application/x-www-form-urlencoded": 200, "text/csv": 415} {
		if w := s.post(t, "/api/batch", contentType, object+"\n"); w.Code != status {
			t.Errorf("a batch as %q answers %d %s", contentType, w.Code, w.Body)
		}
	}
}

// A slash at the end makes no difference.
func TestTrailingSlash(t *testing.T) {
	h := New(Config{})
	for path, status := range map[string]int{"/api/convert/": 200, "/api/parse/": 200, "/api/batch/": 200, "/api/convert/x": 404, "/api/convert//": 307} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(`{"curl":"curl h"}`)))
		if w.Code != status {
			t.Errorf("%s answers %d %s", path, w.Code, w.Body)
		}
	}
}

// What a page of another origin makes a browser send is refused.
func TestCrossOrigin(t *testing.T) {
	const app = "https://app.example.com"
	for _, test := range []struct {
		origins      []string
		origin, site string
		status       int
	}{
		{nil, "", "", 200},
		{nil, "http://example.com", "", 200}, // the service's own, see Host
		{nil, app, "", 403},
		{nil, app, "cross-site", 403},
		{nil, "null", "", 403},
		{nil, "", "cross-site", 403},
		{nil, "http://example.com", "same-origin", 200},
		{nil, "", "none", 200},
		{[]string{app}, app, "cross-site", 200},
		{[]string{app}, "https://evil.example.com", "cross-site", 403},
		{[]string{"*"}, app, "cross-site", 200},
	} {
		s := newService(t, New(Config{Origins: test.origins}))
		r := httptest.NewRequest("POST", "/api/convert", strings.NewReader("curl h"))
		r.Header.Set("Content-Type", typeText)
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		if test.site != "" {
			r.Header.Set("Sec-Fetch-Site", test.site)
		}
		if w := s.do(t, r); w.Code != test.status {
			t.Errorf("%+v: %d %s", test, w.Code, w.Body)
		}
	}
}

// A request with both lengths could be read as two by a proxy, so nothing
// follows it on its connection.
func TestTwoLengths(t *testing.T) {
	url, stop, wait := start(t, Config{})
	defer func() { stop(); _ = wait() }()
	request := "POST /api/convert HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ncurl h\r\n0\r\n\r\n"
	c := dialRaw(t, url)
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprint(c, request+"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
	if statuses, _ := readAnswers(c); len(statuses) != 1 || statuses[0] != 200 {
		t.Errorf("answers %v, want one and the end", statuses)
	}
}
