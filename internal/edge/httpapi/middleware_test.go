package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Whatever a request holds, the log has one line for it, and nothing of the
// content, the query or the header fields in it.
func TestLogHasNoSecrets(t *testing.T) {
	const secret = "s3cr3t"
	var log bytes.Buffer
	s := newService(t, New(Config{LogRequests: LogAll, Log: slog.New(slog.NewJSONHandler(&log, nil))}))
	requests := []struct{ method, path, contentType, content, code string }{
		{"POST", "/api/convert", typeText, "curl -H 'X: " + secret + "' https://example.com", ""},
		{"POST", "/api/convert", typeText, "curl --" + secret + " https://example.com", "unknown-option"},
		{"POST", "/api/convert?shell=" + secret, typeText, "curl https://example.com", "bad-request"},
		{"POST", "/api/convert", typeJSON, `{"curl":"c","` + secret + `":1,"` + secret + `":2}`, "bad-request"},
		{"POST", "/api/convert", secret, "", "unsupported-media-type"},
		{"POST", "/api/batch", typeNDJSON, `{"curl":"curl ` + secret + `"}`, ""},
		{"GET", "/" + secret, "", "", "not-found"},
		{"GET", "/problems/" + secret, "", "", "not-found"},
		{secret, "/api/convert", "", "", "method-not-allowed"},
	}
	for _, q := range requests {
		log.Reset()
		r := httptest.NewRequest(q.method, q.path, strings.NewReader(q.content))
		r.Header.Set("Content-Type", q.contentType)
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("X-Request-Id", secret+"!") // an id that is one is kept
		r.Header.Set("User-Agent", secret)
		w := s.do(t, r)
		if strings.Contains(log.String(), secret) {
			t.Errorf("%s %s: the log has a secret: %s", q.method, q.path, &log)
		}
		var line struct {
			ID, Code string
			Status   int
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Errorf("%s %s: not one line: %s", q.method, q.path, &log)
		}
		if line.Code != q.code || line.Status != w.Code || line.ID != w.Header().Get("X-Request-Id") {
			t.Errorf("%s %s: answer %d %s, log %s", q.method, q.path, w.Code, w.Header(), &log)
		}
	}
}

func TestRecoverPanics(t *testing.T) {
	const secret = "s3cr3t"
	for name, fault := range map[string]func(http.ResponseWriter){
		"string":        func(http.ResponseWriter) { panic(secret) },
		"error":         func(http.ResponseWriter) { panic(fmt.Errorf("%s", secret)) },
		"runtime error": func(http.ResponseWriter) { var s []int; _ = s[len(secret)] },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			h := chain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fault(w) }),
				newServer(Config{Log: slog.New(slog.NewTextHandler(&log, nil))}.withDefaults()).observe, recoverPanics)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if w.Code != 500 || !strings.Contains(w.Body.String(), `"code":"internal"`) {
				t.Errorf("answer %d %s", w.Code, w.Body)
			}
			if strings.Contains(w.Body.String()+log.String(), secret) {
				t.Errorf("the panic's value got out: %s %s", w.Body, &log)
			}
			if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "middleware_test.go") {
				t.Errorf("the log does not say where: %s", &log)
			}
		})
	}
}

// Once an answer has begun, only breaking the connection can say that it is
// not whole.
func TestRecoverAfterAnswerBegan(t *testing.T) {
	h := chain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half an ans")
		panic("late")
	}), newServer(Defaults()).observe, recoverPanics)
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("panic %v", v)
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	t.Error("the connection goes on")
}

// A content that is to come takes no place of -max-requests. When requests that
// are complete fill them, the client with the most gives way.
func TestLimitRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(Config{MaxRequests: 2, MaxConversions: 1}.withDefaults())
		s := newService(t, server.routes())
		content, send := io.Pipe()
		first := s.begin(content)
		_, _ = io.WriteString(send, "curl ") // returns when the first request is being read
		if w := s.post(t, "/api/parse", typeText, "curl https://example.com"); w.Code != 200 {
			t.Errorf("beside one that is read: %d", w.Code)
		}
		var slots []*slot
		for range server.working.slots {
			slot, err := server.working.acquire(t.Context(), nobody.addr, 0, time.Second)
			if err != nil {
				t.Fatal(err)
			}
			slots = append(slots, slot)
		}
		from := func(addr string) <-chan *httptest.ResponseRecorder {
			answered := make(chan *httptest.ResponseRecorder, 1)
			go func() {
				r := httptest.NewRequest("POST", "/api/convert", strings.NewReader("curl h"))
				r.RemoteAddr = addr + ":1000"
				answered <- s.do(t, r)
			}()
			synctest.Wait()
			return answered
		}
		stays, gives := from("192.0.2.1"), from("192.0.2.1")
		time.Sleep(3 * time.Second) // which says how long the next ones would wait
		if w := <-from("192.0.2.1"); w.Code != 429 || w.Header().Get("Retry-After") != "3" {
			t.Errorf("a third one of the client: %d %v", w.Code, w.Header())
		}
		other := from("198.51.100.1")
		if w := <-gives; w.Code != 429 {
			t.Errorf("the second one of the client: %d", w.Code)
		}
		if w := <-from("203.0.113.1"); w.Code != 503 || w.Header().Get("Retry-After") != "3" {
			t.Errorf("a third client: %d %v", w.Code, w.Header())
		}
		if w := s.do(t, httptest.NewRequest("GET", "/healthz", nil)); w.Code != 200 {
			t.Errorf("/healthz answers %d", w.Code)
		}
		_, _ = io.WriteString(send, "https://example.com")
		for _, slot := range slots {
			server.working.release(slot)
		}
		send.Close()
		if codes := []int{(<-stays).Code, (<-other).Code, <-first}; !slices.Equal(codes, []int{200, 200, 200}) {
			t.Errorf("after that: %v", codes)
		}
	})
}

func TestSlowContent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, stop, wait := startPiped(t, Config{ReadTimeout: time.Second})
		content, send := io.Pipe()
		defer send.Close()
		go io.WriteString(send, "curl ")
		if status, body := n.post(t, "/api/convert", typeText, content); status != 408 {
			t.Errorf("answer %d %s", status, body)
		}
		stop()
		if err := wait(); err != nil {
			t.Error(err)
		}
	})
}

// A content whose size is not announced is cut off at the limit.
func TestTooLargeWithoutLength(t *testing.T) {
	s := newService(t, New(Config{MaxBody: 100}))
	r := httptest.NewRequest("POST", "/api/convert", io.MultiReader(strings.NewReader(strings.Repeat("x", 101))))
	r.Header.Set("Content-Type", typeText)
	if w := s.do(t, r); w.Code != 413 {
		t.Errorf("status %d", w.Code)
	}
	if w := s.post(t, "/api/convert", typeText, "curl https://example.com/"+strings.Repeat("x", 75)); w.Code != 200 {
		t.Errorf("a content of just the limit gets %d", w.Code)
	}
}
