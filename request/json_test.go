package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMarshalJSON(t *testing.T) {
	tests := []struct {
		name    string
		request Request
		want    string
	}{
		{"plain", Request{Method: "GET", URL: "u"}, `{"method":"GET","url":"u","headers":[],"body":null,"options":{}}`},
		{"everything", Request{Method: "M", URL: "u", Target: "*", Query: []Param{{Name: "a", Value: "b"}},
			Fields:  []Field{{Name: "A", Value: "b", From: "-H"}, {Name: "D", Origin: OriginDefault}, {Name: "B", Value: "\xff"}},
			Removed: []string{"R"}, Auth: &Auth{Scheme: "digest", Username: "u", Password: "p"},
			Options: []Option{{Name: "b", Value: true}, {Name: "i", Value: int64(-1)}, {Name: "f", Value: 2.50}, {Name: "s", Value: "t"}, {Name: "l", Value: []string{"x", "y"}}},
			Ignored: []string{"--silent"}},
			`{"method":"M","url":"u","requestTarget":"*","query":[{"name":"a","value":"b"}],"headers":[{"name":"A","value":"b","from":"-H"},` +
				`{"name":"B","value":"�","base64":"/w=="}],"removedHeaders":["R"],"body":null,"auth":{"scheme":"digest","username":"u","password":"p"},` +
				`"options":{"b":true,"i":-1,"f":2.5,"s":"t","l":["x","y"]},"ignored":["--silent"]}`},
		{"bearer", Request{Auth: &Auth{Scheme: "bearer", Token: "t"}},
			`{"method":"","url":"","headers":[],"body":null,"auth":{"scheme":"bearer","token":"t"},"options":{}}`},
		{"form data", Request{Body: &Body{Kind: KindForm, Data: "a=1", Fields: []Param{{Name: "a", Value: "1"}}}},
			`{"method":"","url":"","headers":[],"body":{"kind":"form","text":"a=1","fields":[{"name":"a","value":"1"}]},"options":{}}`},
		{"binary", Request{Body: &Body{Kind: KindBinary, Data: "\xff"}},
			`{"method":"","url":"","headers":[],"body":{"kind":"binary","base64":"/w=="},"options":{}}`},
		{"concat", Request{Body: &Body{Kind: KindConcat, Pieces: []Piece{
			{Kind: KindText, Text: "a"}, {Kind: KindFile, File: "f", Strip: true, URLEncode: true, Name: "n", Offset: 3}, {Kind: KindStdin, File: "-"}}}},
			`{"method":"","url":"","headers":[],"body":{"kind":"concat","concat":[{"kind":"text","text":"a"},` +
				`{"kind":"file","file":"f","strip":true,"urlencode":true,"name":"n","offset":3},{"kind":"stdin"}]},"options":{}}`},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, string(test.request.AppendJSON(nil))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
