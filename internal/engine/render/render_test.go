package render

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/request"
)

func text(s string) *string { return &s }

func TestAppendConvert(t *testing.T) {
	tests := []struct {
		name    string
		request request.Request
		want    string
		code    diag.Code
	}{
		{name: "plain", request: request.Request{Method: "GET", URL: "http://h.test/"},
			want: `{"method":"GET","url":"http://h.test/","headers":{},"data":null}`},
		{name: "headers", request: request.Request{Method: "GET", URL: "u", Fields: []request.Field{
			{Name: "Host", Value: "h", Origin: request.OriginDefault}, {Name: "A", Value: "1"}, {Name: "b", Value: ""}, {Name: "a", Value: "2", Origin: request.OriginImplied},
			{Name: "Cookie", Value: "x=1"}, {Name: "cookie", Value: "y=2"}, {Name: `q"`, Value: "\n"},
		}}, want: `{"method":"GET","url":"u","headers":{"A":"1, 2","b":"","Cookie":"x=1; y=2","q\"":"\n"},"data":null}`},
		{name: "text", request: request.Request{Method: "M", URL: "u", Body: &request.Body{Data: "a=1&b"}},
			want: `{"method":"M","url":"u","headers":{},"data":"a=1&b"}`},
		{name: "empty text", request: request.Request{Method: "M", URL: "u", Body: &request.Body{}},
			want: `{"method":"M","url":"u","headers":{},"data":""}`},
		{name: "json", request: request.Request{Method: "M", URL: "u", Body: &request.Body{Kind: request.KindJSON, Data: " { \"a\" : [ 1.10 , 1 ] , \"a\":2 }\n"}},
			want: `{"method":"M","url":"u","headers":{},"data":{"a":[1.10,1],"a":2}}`},
		{name: "target", request: request.Request{Method: "M", URL: "http://h.test:8/x?y", Target: "/z?w"},
			want: `{"method":"M","url":"http://h.test:8/z?w","headers":{},"data":null}`},
		{name: "target of a URL without path", request: request.Request{Method: "M", URL: "http://h.test", Target: "/z"},
			want: `{"method":"M","url":"http://h.test/z","headers":{},"data":null}`},
		{name: "form", request: request.Request{Method: "M", URL: "u",
			Fields: []request.Field{{Name: "content-type", Value: "multipart/form-data"}},
			Body: &request.Body{Kind: request.KindMultipart, Parts: []request.Part{
				{Name: "a", Value: "1"}, {Name: "f", File: "d/x.png", Filename: text("x.png"), ContentType: text("image/png")}, {Name: "a", Value: "2"},
				{Name: "i", File: "n", Inline: true, Content: text("in")}, {Name: "e", Value: "v", Encoder: "base64", Headers: []string{"A: b"}},
				{Name: "m", Nested: true, Parts: []request.Part{{Value: "x"}, {Name: "n", Value: "y"}}},
			}}},
			want: `{"method":"M","url":"u","headers":{"content-type":"multipart/form-data"},"data":{"a":["1","2"],` +
				`"f":{"file":"d/x.png","filename":"x.png","contentType":"image/png"},"i":"in","e":{"value":"v","headers":["A: b"],"encoder":"base64"},` +
				`"m":{"parts":["x",{"n":"y"}]}}}`},

		{name: "target that is no path", request: request.Request{URL: "http://h.test/", Target: "*"}, code: diag.CodeRequestTarget},
		{name: "target of an unknown host", request: request.Request{URL: "{{u}}", Target: "/x"}, code: diag.CodeRequestTarget},
		{name: "binary body", request: request.Request{URL: "u", Body: &request.Body{Kind: request.KindBinary, Data: "\xff"}}, code: diag.CodeBinaryBody},
		{name: "binary header", request: request.Request{URL: "u", Fields: []request.Field{{Name: "A", Value: "\xff"}}}, code: diag.CodeBinaryBody},
		{name: "file", request: request.Request{URL: "u", Body: &request.Body{Kind: request.KindFile, Pieces: []request.Piece{{Kind: request.KindFile, File: "f"}}}}, code: diag.CodeFileNotSupplied},
		{name: "form of another type", request: request.Request{URL: "u", Body: &request.Body{Kind: request.KindMultipart}}, code: diag.CodeBinaryBody},
		{name: "binary field", request: request.Request{URL: "u", Fields: []request.Field{{Name: "Content-Type", Value: "multipart/form-data"}},
			Body: &request.Body{Kind: request.KindMultipart, Parts: []request.Part{{Nested: true, Parts: []request.Part{{Value: "\xff"}}}}}}, code: diag.CodeBinaryBody},
	}
	for _, test := range tests {
		got, d := AppendConvert([]byte("x"), &test.request)
		if d != nil {
			if d.Code != test.code || d.Severity != diag.SeverityError || string(got) != "x" {
				t.Errorf("%s: %+v, and dst is %q", test.name, d, got)
			}
			continue
		}
		if diff := cmp.Diff("x"+test.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestManyHeaders holds that many fields are joined as few are.
func TestManyHeaders(t *testing.T) {
	var r request.Request
	want := make(map[string]string)
	for i := range 3 * fewNames {
		name := "N" + strconv.Itoa(i%40)
		value := strconv.Itoa(i)
		r.Fields = append(r.Fields, request.Field{Name: name, Value: value})
		if old, ok := want[name]; ok {
			value = old + ", " + value
		}
		want[name] = value
	}
	got, d := AppendConvert(nil, &r)
	if d != nil {
		t.Fatal(d)
	}
	var answer struct{ Headers map[string]string }
	if err := json.Unmarshal(got, &answer); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, answer.Headers); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
