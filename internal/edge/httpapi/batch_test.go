package httpapi

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A client may wait for each answer before it sends the next line.
func TestBatchAnswersAtOnce(t *testing.T) {
	server := httptest.NewServer(New(Config{}))
	defer server.Close()
	lines, send := io.Pipe()
	r, err := http.NewRequest("POST", server.URL+"/api/batch", lines)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", typeNDJSON)
	go fmt.Fprintln(send, `{"id":0,"curl":"curl https://example.com"}`)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answers := bufio.NewScanner(response.Body)
	for i := range 10 {
		if !answers.Scan() {
			t.Fatalf("no answer to line %d: %v", i, answers.Err())
		}
		if want := fmt.Sprintf(`{"id":%d,"result":`, i); !strings.HasPrefix(answers.Text(), want) {
			t.Fatalf("answer %s to line %d", answers.Text(), i)
		}
		if i < 9 {
			fmt.Fprintf(send, `{"id":%d,"curl":"curl https://example.com"}`+"\n", i+1)
		}
	}
	send.Close()
	if answers.Scan() {
		t.Errorf("an answer too many: %s", answers.Text())
	}
}

// A batch is many times larger than the limit for a line, and its answers
// come in order.
func TestBatchKeepsOrder(t *testing.T) {
	server := httptest.NewServer(New(Config{MaxBody: 1000}))
	defer server.Close()
	const count = 20_000
	lines, send := io.Pipe()
	go func() {
		w := bufio.NewWriter(send)
		for i := range count {
			if i%1000 == 7 {
				fmt.Fprintf(w, `{"id":%d,"curl":"%s"}`+"\n", i, strings.Repeat("x", 2000))
				continue
			}
			fmt.Fprintf(w, `{"id":%d,"curl":"curl https://example.com/%d"}`+"\n", i, i)
		}
		w.Flush()
		send.Close()
	}()
	response, err := http.Post(server.URL+"/api/batch", typeNDJSON, lines)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answers := bufio.NewScanner(response.Body)
	i := 0
	for ; answers.Scan(); i++ {
		want := fmt.Sprintf(`{"id":%d,"result":`, i)
		if i%1000 == 7 {
			want = `{"id":null,"error":{"type":"/problems/too-large"`
		}
		if !strings.HasPrefix(answers.Text(), want) {
			t.Fatalf("line %d: %.100s", i, answers.Text())
		}
	}
	if i != count || answers.Err() != nil {
		t.Errorf("%d answers, %v", i, answers.Err())
	}
}

// A client that stops sending loses its connection, and not only the lines
// that it did not send: an answer that ends well would say that all is there.
func TestBatchTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, stop, wait := startPiped(t, Config{BatchTimeout: 50 * time.Millisecond})
		lines, send := io.Pipe()
		defer send.Close()
		go fmt.Fprintln(send, `{"curl":"curl https://example.com"}`)
		_, answer := n.post(t, "/api/batch", typeNDJSON, lines)
		if strings.Count(answer, "\n") != 1 || !strings.HasSuffix(answer, "(broken off)") {
			t.Errorf("answer %q", answer)
		}
		stop()
		if err := wait(); err != nil {
			t.Error(err)
		}
	})
}

// The deadlines of the server are for requests that are short; a batch moves
// them as long as lines come.
func TestBatchOutlivesServerTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = time.Second
		n, stop, wait := startPiped(t, Config{ReadTimeout: timeout, WriteTimeout: timeout, BatchTimeout: timeout})
		lines, send := io.Pipe()
		go func() {
			for range 60 {
				fmt.Fprintln(send, `{"curl":"curl https://example.com"}`)
				time.Sleep(timeout / 2)
			}
			send.Close()
		}()
		if _, answer := n.post(t, "/api/batch", typeNDJSON, lines); strings.Count(answer, "\n") != 60 || strings.HasSuffix(answer, "(broken off)") {
			t.Errorf("answer %q", answer)
		}
		stop()
		if err := wait(); err != nil {
			t.Error(err)
		}
	})
}
