package httpapi

import (
	"bytes"
	"encoding/json"
	"testing"

	"uncoil/diag"
)

// FuzzAnswer holds the service to its description, whatever it is sent.
func FuzzAnswer(f *testing.F) {
	s := newService(f, New(Config{MaxBody: 1 << 14}))
	f.Add(typeText, "curl -d a=1 https://example.com")
	f.Add(typeText, "curl -F a=1 -F 'b=@x;type=t' https://example.com/{a,b}")
	f.Add(typeText, "curl --data-binary $'\\xff' -x http://p -L --json '[1]' $URL")
	f.Add(typeJSON, `{"curl":"curl -d @a https://example.com","files":{"a":{"base64":"AP8="}},"env":{"A":"1"}}`)
	f.Add(typeNDJSON, "{\"id\":1,\"curl\":\"curl https://example.com\"}\n\nnot json\n{\"as\":\"parse\",\"curl\":\"curl x\"}")
	f.Fuzz(func(t *testing.T, contentType, content string) {
		for _, path := range []string{"/api/convert", "/api/parse", "/api/batch"} {
			switch w := s.post(t, path, contentType, content); w.Code {
			case 200:
				if path == "/api/batch" {
					checkLines(t, w.Body.Bytes())
				}
			case 400, 413, 415, 422:
			default:
				t.Errorf("%s answers %d %s", path, w.Code, w.Body)
			}
		}
	})
}

// checkLines fails for an answer of a batch that is a fault of the service.
func checkLines(t *testing.T, answers []byte) {
	t.Helper()
	for line := range bytes.Lines(answers) {
		var answer struct{ Error struct{ Code diag.Code } }
		if err := json.Unmarshal(line, &answer); err != nil || answer.Error.Code == diag.CodeInternal {
			t.Errorf("%s: %v", line, err)
		}
	}
}
