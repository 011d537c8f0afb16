package httpapi

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestFaultInConversion holds how each route answers a command that makes the
// engine panic: as a fault of the service, and the log has the stack.
func TestFaultInConversion(t *testing.T) {
	const secret = "s3cr3t"
	var log bytes.Buffer
	server := newServer(Config{Log: slog.New(slog.NewTextHandler(&log, nil))}.withDefaults())
	server.limits.PublicSuffix = func(string) string { panic(secret) }
	s := newService(t, server.routes())
	object := `{"curl":"curl -b jar -d s3cr3t h.test","target":"go","files":{"jar":"h.test\tFALSE\t/\tFALSE\t0\ta\tb\n"}}`
	for _, test := range []struct {
		path, contentType, content string
		status                     int
		stack                      bool // in the log
	}{
		{"/api/convert", typeJSON, object, 500, true},
		{"/api/parse", typeJSON, object, 500, true},
		{"/api/code", typeJSON, object, 500, true},
		{"/api/batch", typeNDJSON, object + "\n" + `{"curl":"curl h.test"}`, 200, false},
		{"/mcp", typeJSON, call("convert_curl", object), 200, true},
	} {
		log.Reset()
		w := s.post(t, test.path, test.contentType, test.content)
		body := w.Body.String()
		if w.Code != test.status || !strings.Contains(strings.ReplaceAll(body, `\"`, `"`), `"status":500`) || !strings.Contains(body, "please report it") {
			t.Errorf("%s answers %d %s", test.path, w.Code, body)
		}
		if test.path == "/api/batch" && !strings.Contains(body, `{"id":null,"result":{"method":"GET"`) {
			t.Errorf("the batch does not go on: %s", body)
		}
		if stack := strings.Contains(log.String(), "cookie.go"); stack != test.stack {
			t.Errorf("%s logs %s", test.path, &log)
		}
		if strings.Contains(body+log.String(), secret) {
			t.Errorf("%s: text of the command got out: %s %s", test.path, body, &log)
		}
	}
}
