package api

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/edge/switches"
	"uncoil/internal/engine"
)

func TestDecodeLine(t *testing.T) {
	tests := []struct {
		name string
		src  string
		want Line
	}{
		{"least", `{"curl":"curl x"}`, Line{Request: Request{Curl: "curl x"}}},
		{"white space", " \r\n\t{ \"curl\" : \"\" } \n", Line{}},
		{"byte order mark", "\ufeff{\"curl\":\"c\"}", Line{Request: Request{Curl: "c"}}},
		{"escapes", `{"c\u0075rl":"\"\\\/\b\f\n\r\té😀é"}`, Line{Request: Request{Curl: "\"\\/\b\f\n\r\té😀é"}}},
		{"surrogates", `{"curl":"\ud83d\ude00","\ud83d":"\ud83d\u0000"}`, Line{Request: Request{Curl: "😀"}}},
		{"NUL in content", `{"curl":"","stdin":"a\u0000b"}`, Line{Request: Request{Input: engine.Input{Stdin: []byte("a\x00b")}}}},
		{"unknown members", `{"x":{"a":[1,-2.5e+3,true,false,null,{"a":1,"a":2},[]]},"curl":"c","Curl":1}`,
			Line{Request: Request{Curl: "c"}}},
		{"no program runs commands", `{"curl":"c","substitutions":"run","runSubstitutions":true,"RunSubstitutions":true}`, Line{Request: Request{Curl: "c"}}},
		{"null is absent", `{"curl":"c","files":null,"warnings":null,"stdin":null,"env":null,"shell":null,"as":null,"id":null}`,
			Line{Request: Request{Curl: "c"}, ID: "null"}},
		{"empty is there", `{"curl":"c","files":{"":""},"stdin":"","env":{}}`,
			Line{Request: Request{Curl: "c", Input: engine.Input{
				Files: map[string][]byte{"": {}}, Stdin: []byte{}, Env: map[string]string{}}}}},
		{"all", `{"id":[1, "a"],"as":"parse","curl":"c","shell":"cmd","stdin":{"base64":"AP8="},
			"warnings":true,"files":{"a":"text","b":{"base64":"","other":1}},"env":{"A":"1","B":""}}`,
			Line{
				Request: Request{Curl: "c", Want: Want{Warnings: true}, Input: engine.Input{
					Shell: "cmd",
					Files: map[string][]byte{"a": []byte("text"), "b": {}},
					Stdin: []byte{0, 255},
					Env:   map[string]string{"A": "1", "B": ""},
				}},
				ID: `[1, "a"]`,
				As: AsParse,
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := DecodeLine(tt.src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	deep := `{"x":` + strings.Repeat("[", DefaultDepth) + strings.Repeat("]", DefaultDepth) + `,"curl":"c"}`
	tests := []struct {
		src    string
		offset int
		member string
		want   string
	}{
		{``, 0, "", "the JSON text is empty"},
		{"  \n", 3, "", "the JSON text is empty"},
		{`curl x`, 0, "", "expected a JSON object, found 'c'"},
		{`not json`, 0, "", "expected a JSON object, found 'n'"},
		{`[]`, 0, "", "the JSON must be an object, not an array"},
		{` "x"`, 1, "", "the JSON must be an object, not a string"},
		{`{}`, 2, "curl", `the member "curl" is missing`},
		{`{"curl":5}`, 8, "curl", `the member "curl" must be a string, not a number`},
		{`{"curl":null}`, 8, "curl", `the member "curl" must be a string, not null`},
		{`{"curl":"c","curl":"d"}`, 12, "curl", `the member "curl" is given twice`},
		{`{"curl":"c","x":1,"x":2}`, 18, "x", `the member "x" is given twice`},
		{`{"curl":"c","files":[]}`, 20, "files", `the member "files" must be an object, not an array`},
		{`{"curl":"c","files":{"a":1}}`, 25, `files["a"]`, `the member files["a"] must be a string or {"base64": "…"}, not a number`},
		{`{"curl":"c","files":{"a":{}}}`, 25, `files["a"]`, `the member files["a"] must be a string or {"base64": "…"}`},
		{`{"curl":"c","files":{"a":"","a":""}}`, 28, `files["a"]`, `the member files["a"] is given twice`},
		{`{"curl":"c","files":{"a":{"base64":"x"}}}`, 35, `files["a"].base64`, `the member files["a"].base64 is not base64`},
		{`{"curl":"c","stdin":{"base64":"","base64":""}}`, 33, "stdin.base64", `the member "stdin.base64" is given twice`},
		{`{"curl":"c","stdin":{"base64":false}}`, 30, "stdin.base64", `the member "stdin.base64" must be a string, not a boolean`},
		{`{"curl":"c","stdin":true}`, 20, "stdin", `the member "stdin" must be a string or {"base64": "…"}, not a boolean`},
		{`{"curl":"c","env":{"A":1}}`, 23, `env["A"]`, `the member env["A"] must be a string, not a number`},
		{`{"curl":"c","env":{"A":"1","A":"2"}}`, 27, `env["A"]`, `the member env["A"] is given twice`},
		{`{"curl":"c","shell":"fish"}`, 20, "shell", `the member "shell" must be ` + switches.Lookup("shell").Wanted(`"`)},
		{`{"curl":"c","shell":1}`, 20, "shell", `the member "shell" must be a string, not a number`},
		{`{"curl":"c","entry":0}`, 20, "entry", `the member "entry" must be a whole number from 1 on`},
		{`{"curl":"c","entry":"1"}`, 20, "entry", `the member "entry" must be a whole number from 1 on`},
		{`{"curl":"c","warnings":"yes"}`, 23, "warnings", `the member "warnings" must be true or false, not a string`},
		{`{"curl":"c","as":""}`, 17, "as", `the member "as" must be "convert", "parse", "code" or "explain"`},
		{`{"curl":"a \ud83d \ude00"}`, 11, "curl", `the member "curl" holds the escape \ud83d, which is half of a surrogate pair`},
		{`{"curl":"a\\ \u0000\u0000"}`, 13, "curl", `the member "curl" holds the escape \u0000, a NUL, which no command can hold`},
		{`{"curl":"c","env":{"A":"\u0000"}}`, 24, `env["A"]`, `the member env["A"] holds the escape \u0000, a NUL, which no command can hold`},
		{`{"curl":"c","files":{"a":"\uDC00"}}`, 26, `files["a"]`, `the member files["a"] holds the escape \uDC00, which is half of a surrogate pair`},
		{`{"curl":"c"} x`, 13, "", "text follows the end of the object"},
		{"{\"curl\":\"c\"}\x00", 12, "", `expected the end, found '\x00'`},
		{`{"curl":"c"`, 11, "", "the JSON ends where a comma or a closing brace should follow"},
		{`{"curl":"c",}`, 12, "", "expected a member name, found '}'"},
		{`{"curl" "c"}`, 8, "", `expected a colon, found '"'`},
		{`{"curl":"c}`, 8, "", "a string is never closed"},
		{"{\"curl\":\"a\nb\"}", 10, "", "a string holds a control character that is not escaped"},
		{`{"curl":"\x41"}`, 9, "", "a string holds an unknown escape"},
		{`{"curl":"\u12g4"}`, 9, "", `\u needs four hexadecimal digits`},
		{`{"curl":"c","x":01}`, 17, "", "expected a comma or a closing brace, found '1'"},
		{`{"curl":"c","x":-}`, 17, "", "expected a digit, found '}'"},
		{`{"curl":"c","x":1.}`, 18, "", "expected a digit, found '}'"},
		{`{"curl":"c","x":tru}`, 16, "", "expected true, found 't'"},
		{`{"curl":"c","x":é}`, 16, "", "expected a value, found 'é'"},
		{`{"curl":'c'}`, 8, "", "expected a value, found an apostrophe"},
		{"{\"curl\":\"\xff\"}", 9, "", "the JSON is not UTF-8"},
		{deep, 516, "", "the JSON is nested deeper than the limit of 512"},
	}
	for _, tt := range tests {
		_, err := DecodeLine(tt.src)
		if err == nil {
			t.Errorf("DecodeLine(%.60q): no error", tt.src)
			continue
		}
		want := &Error{Offset: tt.offset, Member: tt.member, Message: tt.want}
		if e, ok := err.(*Error); !ok || e.Hint == "" {
			t.Errorf("DecodeLine(%.60q): no hint", tt.src)
		} else {
			want.Hint = e.Hint
		}
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("DecodeLine(%.60q): %s", tt.src, diff)
		}
	}
}

// A request has no id and no as: these are unknown members there.
func TestDecodeRequestIgnoresLineMembers(t *testing.T) {
	got, err := DecodeRequest(`{"curl":"c","id":1,"as":5}`)
	if err != nil || got.Curl != "c" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDecodeKeepsIDOfBadLine(t *testing.T) {
	for _, src := range []string{
		`{"id":7,"curl":5}`,
		`{"curl":5,"id":7}`,
		`{"id":7,"curl":"c"} x`,
		`{"id":7,`,
	} {
		if line, err := DecodeLine(src); err == nil || line.ID != "7" {
			t.Errorf("%s: id %q, error %v", src, line.ID, err)
		}
	}
}

// Many unknown members must not make reading slow.
func TestDecodeManyMembers(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"curl":"c"`)
	for i := range 50_000 {
		fmt.Fprintf(&b, `,"x%d":0`, i)
	}
	if _, err := DecodeRequest(b.String() + "}"); err != nil {
		t.Error(err)
	}
	if _, err := DecodeRequest(b.String() + `,"x49999":0}`); err == nil {
		t.Error("a member given twice gives no error")
	}
}

func TestDecodeAllocs(t *testing.T) {
	src := `{"curl":"curl -H 'Accept: text/html' https://example.com","shell":"posix"}`
	if n := testing.AllocsPerRun(100, func() { _, _ = DecodeRequest(src) }); n > 1 {
		t.Errorf("%v allocations, want at most 1", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, bench := range []struct{ name, src string }{
		{"get", `{"curl":"curl https://api.example.com/users?page=2"}`},
		{"post", `{"curl":"curl -X POST 'https://api.example.com/users' -H 'Content-Type: application/json' -d '{\"name\":\"Ann\",\"id\":12345678901234567890}'"}`},
		{"body64k", `{"curl":"curl https://example.com -d '` + strings.Repeat(`{\"name\":\"Ann\"},`, 64<<10/16) + `'"}`},
	} {
		b.Run("case="+bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DecodeRequest(bench.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
