package request

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/engine/fault"
)

func text(s string) *string { return &s }

func TestAppendMessage(t *testing.T) {
	tests := []struct {
		name    string
		request Request
		want    string
	}{
		{"plain", Request{Method: "GET", URL: "http://h.test", Fields: []Field{{Name: "Host", Value: "h.test"}}},
			"GET / HTTP/1.1|Host: h.test||"},
		{"line as given", Request{Method: "GET", URL: "http://h.test?q", Fields: []Field{{Name: "A", Value: "b", Line: "A:b"}, {Name: "C", Line: "C:"}}},
			"GET /?q HTTP/1.1|A:b|C:||"},
		{"target", Request{Method: "OPTIONS", URL: "http://h.test/x", Target: "*"}, "OPTIONS * HTTP/1.1||"},
		{"body", Request{Method: "POST", URL: "http://h.test/", Fields: []Field{{Name: "Content-Length", Value: "3"}}, Body: &Body{Data: "a|b"}},
			"POST / HTTP/1.1|Content-Length: 3||a|b"},
		{"chunks", Request{Method: "PUT", URL: "http://h.test/", Fields: []Field{{Name: "Transfer-Encoding", Value: "chunked"}}, Body: &Body{Data: strings.Repeat("x", 17)}},
			"PUT / HTTP/1.1|Transfer-Encoding: chunked||11|xxxxxxxxxxxxxxxxx|0||"},
		{"no chunks", Request{Method: "PUT", URL: "http://h.test/", Fields: []Field{{Name: "Transfer-Encoding", Value: "chunked"}}, Body: &Body{}},
			"PUT / HTTP/1.1|Transfer-Encoding: chunked||0||"},
		{"form", Request{Method: "POST", URL: "http://h.test/", Fields: []Field{{Name: "Content-Type", Value: "multipart/form-data"}},
			Body: &Body{Kind: KindMultipart, Parts: []Part{{Name: `a"`, Value: "1"}, {Name: "f", File: "x", Filename: text("x"), ContentType: text("t/y"), Content: text("c")}}}},
			`POST / HTTP/1.1|Content-Type: multipart/form-data; boundary=BB||--BB|Content-Disposition: form-data; name="a%22"||1|` +
				`--BB|Content-Disposition: form-data; name="f"; filename="x"|Content-Type: t/y||c|--BB--|`},
		{"form with backslashes", Request{Method: "POST", URL: "http://h.test/", Fields: []Field{{Name: "Content-Type", Value: "multipart/form-data"}},
			Body: &Body{Kind: KindMultipart, FormEscape: true, Parts: []Part{{Name: `a"\`, Value: "1"}}}},
			`POST / HTTP/1.1|Content-Type: multipart/form-data; boundary=BB||--BB|Content-Disposition: form-data; name="a\"\\"||1|--BB--|`},
	}
	for _, test := range tests {
		got, err := test.request.AppendMessage(nil, Source{Boundary: "BB"})
		want := strings.ReplaceAll(test.want, "|", "\r\n")
		if test.name == "body" {
			want = strings.Replace(want, "a\r\nb", "a|b", 1)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", test.name, err, diff)
		}
	}
}

// TestAppendBody holds what content is made of when files of it are read late.
func TestAppendBody(t *testing.T) {
	files := map[string]string{"f": "a b\r\n", "-": "in", "empty": ""}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("missing")
	}
	concat := func(pieces ...Piece) Request { return Request{Body: &Body{Kind: KindConcat, Pieces: pieces}} }
	tests := []struct {
		request Request
		want    string
	}{
		{Request{}, ""},
		{concat(Piece{Kind: KindText, Text: "x&"}, Piece{Kind: KindFile, File: "f"}), "x&a b\r\n"},
		{concat(Piece{Kind: KindFile, File: "f", Strip: true}, Piece{Kind: KindStdin, File: "-"}), "a bin"},
		{concat(Piece{Kind: KindFile, File: "f", URLEncode: true, Name: "n"}), "n=a+b%0D%0A"},
		{concat(Piece{Kind: KindFile, File: "empty", URLEncode: true, Name: "n"}), ""},
		{concat(Piece{Kind: KindFile, File: "f", Offset: 2}), "b\r\n"},
		{concat(Piece{Kind: KindFile, File: "f", Offset: 20}), ""},
		{Request{Body: &Body{Kind: KindFile, Pieces: []Piece{{Kind: KindFile, File: "f"}, {Kind: KindText, Text: "\n"}}}, Options: []Option{{Name: "crlf", Value: true}}}, "a b\r\n\r\n"},
		{Request{Body: &Body{Kind: KindMultipart, Parts: []Part{{Name: "a", File: "-"}}}}, "--B\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nin\r\n--B--\r\n"},
	}
	for i, test := range tests {
		got, err := test.request.AppendBody([]byte("<"), Source{Boundary: "B", ReadFile: read})
		if string(got) != "<"+test.want || err != nil {
			t.Errorf("%d: %q, %v, want %q", i, got, err, test.want)
		}
	}
	for _, kind := range []Kind{KindFile, KindStdin, KindConcat} {
		r := Request{Body: &Body{Kind: kind, Pieces: []Piece{{Kind: KindFile, File: "none"}}}}
		var missing *FileError
		if got, err := r.AppendMessage([]byte("x"), Source{}); string(got) != "x" || !errors.Is(err, ErrNotSupplied) {
			t.Errorf("a body of kind %s is %q, %v", kind, got, err)
		}
		if got, err := r.AppendBody([]byte("x"), Source{ReadFile: read}); string(got) != "x" || !errors.As(err, &missing) || missing.Name != "none" {
			t.Errorf("a body of kind %s is %q, %v", kind, got, err)
		}
	}
}

// TestPanicBecomesError holds that a panic, here of the caller's function, is an
// error that leaves dst as it was.
func TestPanicBecomesError(t *testing.T) {
	source := Source{ReadFile: func(string) ([]byte, error) { panic("s3cr3t") }}
	r := Request{Body: &Body{Kind: KindFile, Pieces: []Piece{{Kind: KindFile, File: "f"}}}}
	for name, write := range map[string]func([]byte, Source) ([]byte, error){"AppendBody": r.AppendBody, "AppendMessage": r.AppendMessage} {
		got, err := write([]byte("x"), source)
		if fault.Of(err) == nil || string(got) != "x" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestNames checks that constants print and marshal as the API spells them, and
// that their zero values are none of them.
func TestNames(t *testing.T) {
	var none Request
	b, err := json.Marshal([]any{Kind(0), KindText, KindConcat, KindConcat + 1, none.Body, Origin(0), OriginUser, OriginDefault, Encoding(0), EncodingNone, EncodingBase64})
	const want = `["invalid","text","concat","invalid",null,"invalid","user","default","invalid","none","base64"]`
	if string(b) != want || err != nil {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
}
