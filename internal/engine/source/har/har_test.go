package har_test

import (
	"encoding/json"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/har"
	"uncoil/internal/proof/shelltest"
)

// TestIs holds which texts are HAR files: no command may be one.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		`{"log": {"version": "1.2"`: true, "\ufeff{\"log\":{": true, "\n {\"request\":{": true, `{"a": [1], "log": {}}`: true,
		`{"method":"GET","url":"h"`: true, `{"url":"h","x":{},"method":"GET"}`: true,
		`{"url":"h","queryString":[]}`: true, `{"url":"h","data":1}`: false, `{"url":"h"`: false, `{"url":1}`: false,
		`{"log":"curl h"}`: false, `{"log":[]}`: false, `{"method":1,"url":"h"}`: false, `{"method":"GET"}`: false, `{"curl":"curl h"}`: false,
		`{ curl h; }`: false, `{"log" curl h; }`: false, `{a,b}`: false, "": false, "[]": false, `curl h -d '{"log":{}}'`: false, `{"a":{"log":{}}}`: false,
	} {
		if got := har.Is(src); got != want {
			t.Errorf("Is(%q) is %t", src, got)
		}
	}
}

// FuzzRead checks that any text is read within its limits, that an error leaves
// a place, and that a text which is no JSON has one.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		`{"log":{"entries":[{"request":{"method":"POST","url":"http://h/?a=b#c","httpVersion":"HTTP/1.0","headers":[{"name":"A","value":"b"},{"name":"cookie","value":"c=d"}],"postData":{"mimeType":"a/b","text":"\u00e9\u0000"}}}]}}`,
		`{"method":"POST","url":"h","cookies":[{"name":"a","value":"b"}],"queryString":[{"name":"a","value":"b c"}],"postData":{"mimeType":"multipart/form-data","params":[{"name":"a","value":"b"},{"name":"f","fileName":"x","contentType":"y/z"}]}}`,
		`{"request":{"method":"POST","url":"ws://h","headers":[{"name":"Content-Length","value":"0"}],"postData":{"params":[{"name":"a"}],"text":"AA==","encoding":"base64"}}}`,
		`{"url":"http://h/?a=1&%61=%ff","queryString":[{"name":"a","value":"2"},{"name":"\ufffd","value":"2"}],"postData":{"jsonObj":{"a": [1]}}}`,
		`{"request":`, `{"log":{}}`, "\ufeff{}",
	} {
		f.Add(src, 0)
		f.Add(src, 2)
	}
	f.Fuzz(func(t *testing.T, src string, entry int) {
		m := meter.New(len(src), meter.Limits{}, nil)
		commands, diags := har.Read(src, max(entry, 0), m)
		shelltest.CheckBounds(t, src, commands, diags)
		d := diags.Err()
		if d == nil && (len(commands) == 0 || !json.Valid([]byte(src)) && len(src) < 10_000) {
			t.Errorf("%d commands, and no error", len(commands))
		}
		if d != nil && d.Code != diag.CodeInvalidHAR && d.Code != diag.CodeUnknownEntry {
			t.Errorf("the error is %v", d)
		}
	})
}
