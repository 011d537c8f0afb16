package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func call(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// What arrives at /mcp is answered, or refused in the way of the other paths.
func TestMCPMessages(t *testing.T) {
	s := newService(t, New(Config{MaxBody: 2000, MaxAnswer: 3000}))
	for _, test := range []struct {
		contentType, content string
		status               int
		want                 string
	}{
		{typeJSON, initialize, 200, `"serverInfo"`},
		{"", initialize, 200, `"serverInfo"`},
		{typeJSON, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ""},
		{typeJSON, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, `"check_curl"`},
		{typeJSON, call("convert_curl", `{"curl":"curl -d a=1 h"}`), 200, `"structuredContent":{"method":"POST"`},
		{typeJSON, call("convert_curl", `{"curl":"curl -x"}`), 200, `"isError":true`},
		{typeJSON, call("describe_curl", `{"curl":"curl h/[1-99]"}`), 200, `too-large`},
		{typeJSON, call("convert", `{}`), 200, `unknown tool`},
		{typeJSON, "[" + initialize + "]", 400, "batch"},
		{typeJSON, "nope", 400, ""},
		{typeJSON, "{}", 400, ""},
		{typeJSON, "", 400, ""},
		{typeJSON, strings.Repeat(" ", 2001), 413, "too-large"},
		{typeText, "curl h", 415, "unsupported-media-type"},
	} {
		w := s.post(t, "/mcp", test.contentType, test.content)
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%.80s answers %d %s", test.content, w.Code, w.Body)
		}
	}
	for _, method := range []string{"GET", "DELETE"} {
		if w := s.do(t, httptest.NewRequest(method, "/mcp", nil)); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s answers %d", method, w.Code)
		}
	}
}

// The copies of the answer of a tool count as held, and are given back.
func TestMCPIsHeld(t *testing.T) {
	server := newServer(Config{MaxHeld: 4 << 20}.withDefaults())
	s := newService(t, server.routes())
	long := func(n int) string {
		return call("convert_curl", `{"curl":"curl h -d `+strings.Repeat("x", n)+`"}`)
	}
	for range 3 {
		if w := s.post(t, "/mcp", typeJSON, long(10_000)); !strings.Contains(w.Body.String(), `"structuredContent"`) {
			t.Errorf("a short answer: %.300s", w.Body)
		}
		if w := s.post(t, "/mcp", typeJSON, long(300_000)); !strings.Contains(w.Body.String(), "rate-limited") {
			t.Errorf("a long answer: %.300s", w.Body)
		}
	}
	if n := server.held.n.Load(); n != 0 {
		t.Errorf("%d bytes are held after all answers", n)
	}
}

// The SDK's own client converts a command, with a token.
func TestMCPClient(t *testing.T) {
	var tokens Tokens
	if err := tokens.Load([]byte("0123456789abcdef")); err != nil {
		t.Fatal(err)
	}
	url, stop, wait := start(t, Config{Tokens: &tokens})
	defer func() { stop(); _ = wait() }()
	connect := func(token string) (*sdk.ClientSession, error) {
		client := &http.Client{Transport: bearer(token)}
		return sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: client, MaxRetries: -1}, nil)
	}
	if _, err := connect("wrong"); err == nil {
		t.Error("connects with a wrong token")
	}
	session, err := connect("0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "convert_curl", Arguments: map[string]any{"curl": "curl -I h"}})
	if err != nil {
		t.Fatal(err)
	}
	if text := result.Content[0].(*sdk.TextContent).Text; text != `{"method":"HEAD","url":"http://h","headers":{},"data":null,"warnings":[]}` {
		t.Errorf("converts to %s", text)
	}
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(context.WithoutCancel(r.Context()))
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// A fault in a conversion ends that call only, and the log has it.
func TestMCPFault(t *testing.T) {
	var log strings.Builder
	server := newServer(Config{Log: slog.New(slog.NewTextHandler(&log, nil))}.withDefaults())
	server.working = nil
	s := newService(t, server.routes())
	if w := s.post(t, "/mcp", typeJSON, call("convert_curl", `{"curl":"curl h"}`)); w.Code != 200 || !strings.Contains(w.Body.String(), `\"code\":\"internal\"`) {
		t.Errorf("answers %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "nil pointer") {
		t.Errorf("the log has %s", log.String())
	}
}
