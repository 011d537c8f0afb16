package httpapi

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// dialRaw opens a connection for bytes that no HTTP client would send.
func dialRaw(t *testing.T, url string) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return c.(*net.TCPConn)
}

// exchangeRaw sends bytes and returns the statuses of the answers, until the
// service closes the connection.
func exchangeRaw(t *testing.T, url, request string) (statuses []int, rest string) {
	t.Helper()
	c := dialRaw(t, url)
	_, _ = io.WriteString(c, request)
	_ = c.CloseWrite()
	return readAnswers(c)
}

func readAnswers(c io.Reader) (statuses []int, last string) {
	in := bufio.NewReader(c)
	for {
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			return statuses, last
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		statuses, last = append(statuses, response.StatusCode), string(body)
	}
}

// quick returns short timeouts.
func quick() Config {
	return Config{ReadHeaderTimeout: 200 * time.Millisecond, ReadTimeout: 400 * time.Millisecond, WriteTimeout: time.Second,
		IdleTimeout: 200 * time.Millisecond, BatchTimeout: 300 * time.Millisecond}
}

// A client that sends a byte now and then is dropped, wherever it is.
func TestSlowClients(t *testing.T) {
	const head = "POST /api/convert HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n"
	batch := strings.NewReplacer("convert", "batch", typeText, typeNDJSON).Replace(head) + "\r\n" + `{"curl":"`
	for name, test := range map[string]struct {
		first  string
		status int // of the answer; 0: none, or that it is no request
	}{
		"nothing":      {"", 0},
		"header":       {head + "X-Slow: ", 0},
		"body":         {head + "\r\ncurl ", 408},
		"chunks":       {strings.Replace(head, "Content-Length: 100", "Transfer-Encoding: chunked", 1) + "\r\nff\r\ncurl ", 408},
		"batch":        {batch, 0},
		"between":      {"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n", 200},
		"second":       {"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\nGET /he", 200},
		"request line": {"PO", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, stop, wait := startPiped(t, quick())
				c := n.dial()
				defer c.Close()
				started := time.Now()
				var writer sync.WaitGroup
				writer.Go(func() { // beside the reader, because the pipe has no buffer
					_, _ = io.WriteString(c, test.first)
					for name != "between" && name != "nothing" {
						time.Sleep(50 * time.Millisecond)
						if _, err := io.WriteString(c, "x"); err != nil {
							return
						}
					}
				})
				statuses, _ := readAnswers(c)
				if test.status == 0 && len(statuses) > 0 && statuses[0] != 400 || test.status != 0 && (len(statuses) == 0 || statuses[0] != test.status) {
					t.Errorf("answers %v", statuses)
				}
				if took := time.Since(started); took > 2*time.Second {
					t.Errorf("it is kept for %v", took)
				}
				c.Close()
				writer.Wait()
				stop()
				if err := wait(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A client that takes its answer slowly is dropped too.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, stop, wait := startPiped(t, quick())
		c := n.dial()
		defer c.Close()
		command := "curl 'https://h/[1-500]' -d " + strings.Repeat("x", 10_000)
		fmt.Fprintf(c, "POST /api/parse HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(command), command)
		synctest.Wait()
		if _, metrics := n.get(t, "/metrics"); strings.Contains(metrics, "\nuncoil_held_bytes 0\n") {
			t.Error("the answer is not held")
		}
		time.Sleep(quick().WriteTimeout + time.Second)
		if _, metrics := n.get(t, "/metrics"); !strings.Contains(metrics, "\nuncoil_held_bytes 0\n") || !strings.Contains(metrics, `uncoil_http_requests_total{route="/api/parse"`) {
			t.Error("the answer is still held")
		}
		stop()
		if err := wait(); err != nil {
			t.Error(err)
		}
	})
}

// A client that closes its side after the request still gets the answer.
func TestHalfClosed(t *testing.T) {
	url, stop, wait := start(t, quick())
	defer func() { stop(); _ = wait() }()
	request := "POST /api/convert HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\ncurl h"
	if statuses, _ := exchangeRaw(t, url, request); len(statuses) != 1 || statuses[0] != 200 {
		t.Errorf("answers %v", statuses)
	}
	if statuses, _ := exchangeRaw(t, url, request[:len(request)-2]); len(statuses) != 1 || statuses[0] != 400 {
		t.Errorf("half a content gets %v", statuses)
	}
	lines := "POST /api/batch HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\nContent-Length: 18\r\n\r\n" + `{"curl":"curl h"}` + "\n"
	if statuses, body := exchangeRaw(t, url, lines); len(statuses) != 1 || !strings.Contains(body, "result") {
		t.Errorf("a batch gets %v %s", statuses, body)
	}
}

// What never ends is cut off at the limit, and no more than that is read.
func TestEndlessContent(t *testing.T) {
	c := quick()
	c.MaxBody, c.MaxLine = 64<<10, 64<<10
	c.ReadHeaderTimeout, c.ReadTimeout, c.BatchTimeout = 10*time.Second, 10*time.Second, 10*time.Second
	url, stop, wait := start(t, c)
	defer func() { stop(); _ = wait() }()
	for _, path := range []string{"/api/convert", "/api/parse"} {
		conn := dialRaw(t, url)
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n", path)
		sent := make(chan int)
		go func() {
			n := 0
			for {
				m, err := io.WriteString(conn, "1000\r\n"+strings.Repeat("x", 0x1000)+"\r\n")
				if n += m; err != nil || n > 1<<30 {
					sent <- n
					return
				}
			}
		}()
		if statuses, _ := readAnswers(conn); len(statuses) != 1 || statuses[0] != 413 {
			t.Errorf("%s answers %v", path, statuses)
		}
		if n := <-sent; n > 64<<20 {
			t.Errorf("%s took %d bytes", path, n)
		}
	}
	// A chunk that claims to be large is no reason to set memory aside.
	statuses, _ := exchangeRaw(t, url, "POST /api/convert HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\ncurl h")
	if len(statuses) != 1 || statuses[0] != 400 {
		t.Errorf("a chunk without its content gets %v", statuses)
	}
	for _, length := range []string{"9223372036854775807", "99999999999"} {
		statuses, _ := exchangeRaw(t, url, "POST /api/convert HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nContent-Length: "+length+"\r\n\r\ncurl h")
		if len(statuses) != 1 || statuses[0] != 413 {
			t.Errorf("Content-Length: %s gets %v", length, statuses)
		}
	}
	// In a batch, the line is too large, and the next one is not.
	long := `{"curl":"` + strings.Repeat("x", 10<<20) + "\n" + `{"id":2,"curl":"curl h"}`
	_, body := exchangeRaw(t, url, fmt.Sprintf("POST /api/batch HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(long), long))
	if !strings.HasPrefix(body, `{"id":null,"error":{"type":"/problems/too-large"`) || !strings.Contains(body, `{"id":2,"result"`) {
		t.Errorf("a batch gets %s", body)
	}
}

// Requests that two readers could take for different ones are refused, so
// that nothing can be smuggled past a proxy; pipelined ones are all answered.
func TestSmuggling(t *testing.T) {
	// Each answer comes because of what is sent, so that no time limit is needed.
	url, stop, wait := start(t, Config{})
	defer func() { stop(); _ = wait() }()
	const host = "Host: h\r\nContent-Type: text/plain\r\n"
	one := "POST /api/convert HTTP/1.1\r\n" + host + "Content-Length: 6\r\n\r\ncurl h"
	for name, test := range map[string]struct {
		request string
		want    string // the statuses
	}{
		"pipelined":                {strings.Repeat(one, 50), strings.TrimSpace(strings.Repeat("200 ", 50))},
		"pipelined after an error": {"GET /nope HTTP/1.1\r\nHost: h\r\n\r\n" + one, "404 200"},
		"length twice":             {"POST /api/convert HTTP/1.1\r\n" + host + "Content-Length: 6\r\nContent-Length: 7\r\n\r\ncurl hGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n", "400"},
		"length twice in one":      {"POST /api/convert HTTP/1.1\r\n" + host + "Content-Length: 6, 7\r\n\r\ncurl h", "400"},
		"length with a sign":       {"POST /api/convert HTTP/1.1\r\n" + host + "Content-Length: +6\r\n\r\ncurl h", "400"},
		"length below zero":        {"POST /api/convert HTTP/1.1\r\n" + host + "Content-Length: -6\r\n\r\ncurl h", "400"},
		"space before the colon":   {"POST /api/convert HTTP/1.1\r\n" + host + "Content-Length : 6\r\n\r\ncurl h", "400"},
		"unknown coding":           {"POST /api/convert HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501"},
		"two codings":              {"POST /api/convert HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", "501"},
		"folded field":             {"GET /healthz HTTP/1.1\r\nHost: h\r\n X: y\r\n\r\n", "400"},
		"no host":                  {"GET /healthz HTTP/1.1\r\n\r\n", "400"},
		"two hosts":                {"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"},
		"bad chunk":                {"POST /api/convert HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\ncurl h\r\n0\r\n\r\n", "400"},
		"NUL in a field":           {"GET /healthz HTTP/1.1\r\nHost: h\r\nX: a\x00b\r\n\r\n", "400"},
		"no HTTP":                  {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "400"},
		"HTTP/2 preface":           {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"},
		"HTTP/0.9":                 {"GET /\r\n\r\n", "400"},
		"path out of the root":     {"GET /../../etc/passwd HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "307"},
		"proxy request":            {"GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n", "200"},
		"tunnel":                   {"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n", "404"},
	} {
		t.Run(name, func(t *testing.T) {
			statuses, _ := exchangeRaw(t, url, test.request)
			if got := strings.Trim(fmt.Sprint(statuses), "[]"); got != test.want {
				t.Errorf("answers %s, want %s", got, test.want)
			}
		})
	}
	// Both lengths, where chunked counts: what follows is no second request
	// to one reader only, for the connection is closed.
	statuses, _ := exchangeRaw(t, url, "POST /api/convert HTTP/1.1\r\n"+host+"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n6\r\ncurl h\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
	if len(statuses) == 0 || statuses[0] != 200 || len(statuses) > 2 {
		t.Errorf("two lengths get %v", statuses)
	}
}

// Commands and contents that are built to be expensive are answered at once,
// with an error or not, and nothing stays behind.
func TestExpensiveCommands(t *testing.T) {
	s := newService(t, New(Config{}))
	repeat := strings.Repeat
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	_, _ = zip.Write(make([]byte, 10<<20))
	zip.Close()
	tests := []struct{ name, contentType, content, code string }{
		{"a wide glob", typeText, "curl 'https://h/[1-1000000000]'", "too-many-requests"},
		{"wide globs", typeText, "curl 'https://h/" + repeat("[1-1000000000]", 20) + "'", "invalid-glob"},
		{"nested lists", typeText, "curl 'https://h/" + repeat("{a,b}", 40) + "'", "too-many-requests"},
		{"nested braces", typeText, "curl https://h/" + repeat("{a,b}", 40), "expansion-too-large"},
		{"braces in braces", typeText, "curl https://h/" + repeat("{a,", 40) + repeat("}", 40), ""},
		{"many options", typeText, "curl https://h" + repeat(" -s", 100_000), ""},
		{"many fields", typeText, "curl https://h" + repeat(" -Ha:b", 100_000), ""},
		{"many data", typeText, "curl https://h" + repeat(" -da", 100_000), ""},
		{"many URLs", typeText, "curl" + repeat(" h", 500_000), "expansion-too-large"},
		{"many parts", typeText, "curl https://h" + repeat(" -Fa=", 150_000), "expansion-too-large"},
		{"nested parts", typeText, "curl https://h" + repeat(" -F 'a=('", 100_000), "nested-too-deep"},
		{"deep JSON around", typeJSON, repeat("[", 100_000) + repeat("]", 100_000), "bad-request"},
		{"deep JSON in a member", typeJSON, `{"curl":"curl h","x":` + repeat(`{"a":`, 100_000) + "1" + repeat("}", 100_000) + "}", "bad-request"},
		{"deep JSON as data", typeText, "curl https://h -d '" + repeat("[", 100_000) + repeat("]", 100_000) + "'", ""},
		{"deep substitutions", typeText, "curl " + repeat("$(", 100_000), "nested-too-deep"},
		{"variables that double", typeText, "a=xxxxxxxxxxxxxxxx\n" + repeat("a=$a$a\n", 60) + "curl h -d $a", "expansion-too-large"},
		{"malformed UTF-8", typeText, "curl 'https://h/\xff\xfe\xc0\x80'", ""},
		{"malformed UTF-8 as JSON", typeJSON, "{\"curl\":\"curl h/\xff\"}", "bad-request"},
		{"NUL", typeText, "curl https://h/a\x00b", ""},
		{"NUL as JSON", typeJSON, "{\"curl\":\"curl h\"\x00}", "bad-request"},
		{"a member twice", typeJSON, `{"curl":"curl h","curl":"curl i"}`, "bad-request"},
		{"text behind", typeJSON, `{"curl":"curl h"} {}`, "bad-request"},
		{"many members", typeJSON, `{"curl":"curl h"` + members(60_000) + `}`, ""},
	}
	for _, test := range tests {
		for _, path := range []string{"/api/convert", "/api/parse"} {
			t.Run(test.name+path, func(t *testing.T) {
				started := time.Now()
				w := s.post(t, path, test.contentType, test.content)
				if test.code != "" && !strings.Contains(w.Body.String(), `"code":"`+test.code+`"`) || w.Code >= 500 {
					t.Errorf("%d %.300s", w.Code, w.Body)
				}
				// No measurement: what is not linear takes minutes.
				if took := time.Since(started); took > 20*time.Second {
					t.Errorf("it takes %v", took)
				}
			})
		}
	}
	for _, coding := range []string{"gzip", "deflate", "br", "gzip, gzip", "identity, gzip"} {
		w := s.postCoded(t, "/api/convert", coding, bomb.String())
		if w.Code != 415 || !strings.Contains(w.Body.String(), "compressed") {
			t.Errorf("%s gets %d %s", coding, w.Code, w.Body)
		}
	}
}

func members(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":0`, i)
	}
	return b.String()
}
