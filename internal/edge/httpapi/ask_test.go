package httpapi

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"uncoil/internal/edge/api"
)

// The service answers the page as the engine for browsers does, where it may.
func TestAsk(t *testing.T) {
	object := `{"curl":"curl -d a=1 https://h.test","target":"go"}`
	question := func(name string) string {
		text, err := json.Marshal(map[string]any{"name": name, "request": object, "one": 1, "part": "method", "value": "PUT"})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	ask := func(config Config, content string) (status int, body string) {
		r := httptest.NewRequest("POST", "/ask", strings.NewReader(content))
		r.Header.Set("Content-Type", typeJSON)
		w := httptest.NewRecorder()
		New(config).ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	if status, _ := ask(Config{}, question("targets")); status != 404 {
		t.Errorf("a service that others reach answers the page with %d", status)
	}
	for name, want := range map[string]string{
		"targets":  string(api.AppendTargets(nil)),
		"show":     string(api.Show(object, 1, false)),
		"showCode": string(api.ShowCode(object, 1, false)),
	} {
		if status, body := ask(Config{PageAsks: true}, question(name)); status != 200 || body != want {
			t.Errorf("%s answers %d %s", name, status, body)
		}
	}
	if status, body := ask(Config{PageAsks: true}, question("edit")); status != 200 || !strings.Contains(body, "-X PUT") {
		t.Errorf("an edit answers %d %s", status, body)
	}
	for _, content := range []string{question("else"), `{`, `[]`, ``} {
		if status, body := ask(Config{PageAsks: true}, content); status != 400 {
			t.Errorf("%q answers %d %s", content, status, body)
		}
	}
}
