package httpapi

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"uncoil/internal/engine"
)

// Each limit has an answer of its own, and what is just within it passes.
func TestRequestLimits(t *testing.T) {
	s := newService(t, New(Config{
		MaxBody: 200, MaxHeader: 300, MaxURL: 50, MaxDepth: 5,
		Command: engine.Limits{Requests: 3, Bytes: 3200, PartDepth: 2},
	}))
	deep := func(n int) string {
		return `{"curl":"curl h","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	tests := []struct {
		name, path, field, content string
		status                     int
		code, says                 string
	}{
		{"content", "/api/convert", "", "curl https://h/" + strings.Repeat("x", 185), 200, "", ""},
		{"content too large", "/api/convert", "", "curl https://h/" + strings.Repeat("x", 186), 413, "too-large", "200 bytes"},
		{"url", "/api/convert?x=" + strings.Repeat("x", 35), "", "curl h", 200, "", ""},
		{"url too long", "/api/convert?x=" + strings.Repeat("x", 36), "", "curl h", 414, "uri-too-long", "50 bytes"},
		{"header", "/api/convert", strings.Repeat("x", 200), "curl h", 200, "", ""},
		{"header too large", "/api/convert", strings.Repeat("x", 300), "curl h", 431, "header-too-large", "300 bytes"},
		{"depth", "/api/convert", "", deep(4), 200, "", ""},
		{"too deep", "/api/convert", "", deep(5), 400, "bad-request", "the limit of 5"},
		{"requests", "/api/parse", "", "curl h/{a,b,c}", 200, "", ""},
		{"too many requests", "/api/parse", "", "curl h/[1-4]", 422, "too-many-requests", "is 3"},
		{"too many bytes", "/api/parse", "", "curl h/[1-3] -d " + strings.Repeat("x", 120) + strings.Repeat(" -Ha:", 12), 422, "expansion-too-large", "3200 bytes"},
		{"parts", "/api/parse", "", "curl h -F 'a=(' -F 'a=('", 200, "", ""},
		{"parts too deep", "/api/parse", "", "curl h -F 'a=(' -F 'a=(' -F 'a=('", 422, "nested-too-deep", "2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", test.path, strings.NewReader(test.content))
			r.Header.Set("Content-Type", typeText)
			if strings.HasPrefix(test.content, "{") {
				r.Header.Set("Content-Type", typeJSON)
			}
			if test.field != "" {
				r.Header.Set("X-Field", test.field)
			}
			w := s.do(t, r)
			if w.Code != test.status || !strings.Contains(w.Body.String(), `"code":"`+test.code) && test.code != "" || !strings.Contains(w.Body.String(), test.says) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// The limits hold for each line of a batch, which goes on after a bad one.
func TestBatchLimits(t *testing.T) {
	s := newService(t, New(Config{MaxLine: 100, MaxDepth: 5, BatchLines: 2, Command: engine.Limits{Requests: 3}}))
	w := s.post(t, "/api/batch?as=parse", typeNDJSON, `{"id":1,"curl":"curl h/[1-4]"}
{"id":2,"curl":"curl h","x":[[[[[]]]]]}
{"id":3,"curl":"curl `+strings.Repeat("x", 100)+`"}

{"id":4,"curl":"curl h"}`)
	for i, want := range []string{`{"id":1,"error":{"type":"/problems/too-many-requests"`, `{"id":2,"error":{"type":"/problems/bad-request"`,
		`{"id":null,"error":{"type":"/problems/too-large"`, `{"id":4,"result":{`} {
		if lines := strings.Split(w.Body.String(), "\n"); len(lines) != 5 || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d: %s", i, w.Body)
		}
	}
}

// A content beyond what may be held at once waits for nobody: it is told to
// come again.
func TestHeldLimit(t *testing.T) {
	s := newService(t, New(Config{MaxHeld: 300 << 10, MaxClientHeld: 300 << 10}))
	large := "curl h -d " + strings.Repeat("x", 200<<10)
	content, send := io.Pipe()
	first := s.begin(content)
	_, _ = io.WriteString(send, large) // returns when it has been read
	w := s.post(t, "/api/convert", typeText, large)
	if w.Code != 429 || !strings.Contains(w.Body.String(), `"code":"rate-limited"`) || w.Header().Get("Retry-After") == "" {
		t.Errorf("beside another: %d %s", w.Code, w.Body)
	}
	if w := s.post(t, "/api/batch", typeNDJSON, `{"id":1,"curl":"`+large+`"}`); !strings.Contains(w.Body.String(), `"code":"rate-limited"`) {
		t.Errorf("a batch beside another: %d %s", w.Code, w.Body)
	}
	send.Close()
	if code := <-first; code != 200 {
		t.Errorf("the first gets %d", code)
	}
	if w := s.post(t, "/api/convert", typeText, large); w.Code != 200 {
		t.Errorf("alone: %d %s", w.Code, w.Body)
	}
}

// What is held is given back, whatever becomes of the requests.
func TestHeldIsGivenBack(t *testing.T) {
	server := newServer(Config{MaxBody: 100 << 10, MaxHeld: 2 << 20, MaxClientHeld: 2 << 20}.withDefaults())
	s := newService(t, server.routes())
	long := `{"curl":"curl h -d ` + strings.Repeat("x", 90<<10) + `"}`
	for _, q := range []struct{ path, contentType, content string }{
		{"/api/convert", typeJSON, long},
		{"/api/convert", typeJSON, long + "x"},
		{"/api/convert", typeText, "curl --nope"},
		{"/api/convert", typeText, strings.Repeat("x", 101<<10)},
		{"/api/batch", typeNDJSON, long + "\n" + long},
		{"/api/batch?as=parse", typeNDJSON, `{"curl":"curl h/[1-50] -d ` + strings.Repeat("x", 90<<10) + `"}` + "\n" + strings.Repeat("y", 200<<10)},
	} {
		s.post(t, q.path, q.contentType, q.content)
		if n := server.held.n.Load(); n != 0 {
			t.Errorf("after %s %.50s, %d bytes are held", q.path, q.content, n)
		}
	}
	if server.working.inFlight()+server.batches.inFlight() != 0 {
		t.Error("a slot or a batch is left")
	}
}

// A line whose answer finds no room gets an error, and the batch goes on.
func TestBatchAnswerWithoutRoom(t *testing.T) {
	s := newService(t, New(Config{MaxHeld: 1 << 20, MaxClientHeld: 1 << 20}))
	w := s.post(t, "/api/batch?as=parse", typeNDJSON, `{"id":1,"curl":"curl h"}
{"id":2,"curl":"curl h/[1-100] -d `+strings.Repeat("x", 30<<10)+`"}
{"id":3,"curl":"curl h"}`)
	lines := strings.Split(w.Body.String(), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], `{"id":1,"result"`) || !strings.HasPrefix(lines[2], `{"id":3,"result"`) ||
		!strings.HasPrefix(lines[1], `{"id":2,"error":{"type":"/problems/overloaded"`) {
		t.Errorf("%.2000s", w.Body)
	}
}

// A command waits its turn, but not for ever.
func TestQueue(t *testing.T) { synctest.Test(t, testQueue) }

func testQueue(t *testing.T) {
	server := newServer(Config{MaxConversions: 1, QueueTimeout: 20 * time.Millisecond}.withDefaults())
	s := newService(t, server.routes())
	var slots []*slot
	for range server.working.slots {
		slot, err := server.working.acquire(t.Context(), nobody.addr, 0, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		slots = append(slots, slot)
	}
	if w := s.post(t, "/api/convert", typeText, "curl h"); w.Code != 503 || !strings.Contains(w.Body.String(), "waited too long") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := s.post(t, "/api/batch", typeNDJSON, `{"id":1,"curl":"curl h"}`); !strings.Contains(w.Body.String(), `{"id":1,"error":{"type":"/problems/overloaded"`) {
		t.Errorf("a batch: %d %s", w.Code, w.Body)
	}
	if w := s.do(t, httptest.NewRequest("GET", "/readyz", nil)); w.Code != 503 {
		t.Errorf("while no slot comes free, /readyz answers %d", w.Code)
	}
	go func() {
		time.Sleep(5 * time.Millisecond)
		server.working.release(slots[0])
	}()
	if w := s.post(t, "/api/convert", typeText, "curl h"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := s.do(t, httptest.NewRequest("GET", "/readyz", nil)); w.Code != 200 {
		t.Errorf("after that, /readyz answers %d", w.Code)
	}
}

func TestBatchSemaphore(t *testing.T) {
	server := newServer(Config{MaxBatches: 1}.withDefaults())
	s := newService(t, server.routes())
	if err := server.batches.add(&stream{server: server, client: nobody}); err != nil {
		t.Fatal(err)
	}
	if w := s.post(t, "/api/batch", typeNDJSON, `{"curl":"curl h"}`); w.Code != 503 || !strings.Contains(w.Body.String(), "batches") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := s.post(t, "/api/convert", typeText, "curl h"); w.Code != 200 {
		t.Errorf("beside it: %d", w.Code)
	}
}

func TestMemoryBound(t *testing.T) {
	small, usual := Config{MaxConnections: 100, MaxConversions: 1, MaxBatches: 8, MaxHeld: 8 << 20}, Defaults()
	if small.MemoryBound() >= usual.MemoryBound() || usual.MemoryBound() > 1<<30 && usual.MaxConversions <= 2 {
		t.Errorf("%d, and usually %d", small.MemoryBound(), usual.MemoryBound())
	}
}
