package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
)

type members struct {
	Method, URL string
	Headers     map[string]string
	Data        any
}

func convertText(t *testing.T, src string, in engine.Input) (members, error) {
	t.Helper()
	out, _, err := engine.Append(nil, src, engine.Want{DataText: true}, in)
	var m members
	if err == nil {
		if err := json.Unmarshal(out, &m); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	}
	return m, err
}

// With DataText the data is what goes over the wire, so that one line sends it.
func TestDataText(t *testing.T) {
	const boundary = "------------------------uncoil00000000"
	for _, test := range []struct {
		src, contentType string
		want             any
	}{
		{"curl https://h.test", "", nil},
		{`curl --json '{"a": 1.0,  "b":[1]}' https://h.test`, "application/json", `{"a": 1.0,  "b":[1]}`},
		{`curl -d '{"a":1}' https://h.test`, "application/x-www-form-urlencoded", `{"a":1}`},
		{`curl -d a=1 https://h.test`, "application/x-www-form-urlencoded", "a=1"},
		{`curl -d '' https://h.test`, "application/x-www-form-urlencoded", ""},
		{`curl -F a=1 -F 'n=x;type=text/markdown' -F f=@f.txt https://h.test`, "multipart/form-data; boundary=" + boundary,
			"--" + boundary + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n" +
				"--" + boundary + "\r\nContent-Disposition: form-data; name=\"n\"\r\nContent-Type: text/markdown\r\n\r\nx\r\n" +
				"--" + boundary + "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n" +
				"--" + boundary + "--\r\n"},
	} {
		m, err := convertText(t, test.src, engine.Input{Files: map[string][]byte{"f.txt": []byte("hello")}})
		if err != nil || m.Data != test.want || m.Headers["Content-Type"] != test.contentType {
			t.Errorf("%s: %v\n%q\n%q\nwant\n%q\n%q", test.src, err, m.Headers["Content-Type"], m.Data, test.contentType, test.want)
		}
	}
}

// A part never holds the boundary.
func TestDataTextBoundary(t *testing.T) {
	m, err := convertText(t, `curl -F a=------------------------uncoil0000 https://h.test`, engine.Input{})
	if want := "multipart/form-data; boundary=------------------------uncoil00010000"; err != nil || m.Headers["Content-Type"] != want {
		t.Errorf("%v, %q, want %q", err, m.Headers["Content-Type"], want)
	}
}

func TestDataTextErrors(t *testing.T) {
	for src, want := range map[string]diag.Code{
		`curl -F f=@missing.txt https://h.test`:                     diag.CodeFileNotSupplied,
		`curl -F f=@bytes https://h.test`:                           diag.CodeBinaryBody,
		`curl --data-binary @bytes https://h.test`:                  diag.CodeBinaryBody,
		`curl -d @missing.txt https://h.test`:                       diag.CodeFileNotSupplied,
		`curl https://h.test/1 https://h.test/2`:                    diag.CodeMultipleRequests,
		`curl https://h.test` + strings.Repeat(" -F f=@large", 100): diag.CodeTooLarge,
	} {
		in := engine.Input{Files: map[string][]byte{"bytes": {0xff, 0xfe}, "large": make([]byte, 1<<20)}}
		_, err := convertText(t, src, in)
		if e, ok := errors.AsType[*engine.Error](err); !ok || e.Code != want || e.Hint == "" {
			t.Errorf("%.60s: %v, want %s with a hint", src, err, want)
		}
	}
}
