package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReaderErrors(t *testing.T) {
	tests := []struct {
		in      string
		offset  int
		message string
	}{
		{``, 0, "the JSON ends where a value should follow"},
		{`{"a":1`, 6, "the JSON ends where a comma or a closing brace should follow"},
		{`{"a" 1}`, 5, "expected a colon, found '1'"},
		{`{a:1}`, 1, "expected a member name, found 'a'"},
		{`{"a":[1 2]}`, 8, "expected a comma or a closing bracket, found '2'"},
		{`[01]`, 2, "expected a comma or a closing bracket, found '1'"},
		{`[-]`, 2, "expected a digit, found ']'"},
		{`[1.]`, 3, "expected a digit, found ']'"},
		{`[tru]`, 1, "expected true, found 't'"},
		{`['a']`, 1, "expected a value, found an apostrophe"},
		{`["\x"]`, 2, "a string holds an unknown escape"},
		{`["\u12"]`, 2, `\u needs four hexadecimal digits`},
		{"[\"a\nb\"]", 3, "a string holds a control character that is not escaped"},
		{`["a]`, 1, "a string is never closed"},
		{`["\`, 1, "a string is never closed"},
		{`[[[[1]]]]`, 3, "the JSON is nested deeper than the limit of 3"},
		{`{"a":{"b":[{}]}}`, 11, "the JSON is nested deeper than the limit of 3"},
	}
	for _, test := range tests {
		for name, read := range map[string]func(*Reader) bool{"Skip": (*Reader).Skip, "walk": walk} {
			r := NewReader(test.in, 3)
			if read(&r) || r.Err() == nil || r.Err().Offset != test.offset || r.Err().Error() != test.message {
				t.Errorf("%s of %s: %+v, want %d: %s", name, test.in, r.Err(), test.offset, test.message)
			}
		}
	}
}

// walk reads a value with the methods of Reader that callers use where they do
// not skip.
func walk(r *Reader) bool {
	switch r.Peek() {
	case '{':
		return r.Object(func(string, int) bool { return walk(r) })
	case '[':
		return r.Array(func() bool { return walk(r) })
	case '"':
		_, ok := r.String()
		return ok
	}
	return r.Skip()
}

func TestReaderString(t *testing.T) {
	tests := []struct {
		in, want       string
		surrogate, nul int
	}{
		{`"a"`, "a", -1, -1},
		{`"p\u0061ss\ud83d\ude00\"\\\/\b\f\n\r\t"`, "pass😀\"\\/\b\f\n\r\t", -1, -1},
		{`"a\ud800b\udc00"`, "a\ufffdb\ufffd", 2, -1},
		{`"\ud800\ud83d\ude00"`, "\ufffd😀", 1, -1},
		{`"\ud800\u0041"`, "\ufffdA", 1, -1},
		{`"a\\u0000\u0000\u0000"`, "a\\u0000\x00\x00", -1, 9},
		{`"\ufffd"`, "\ufffd", -1, -1},
		{`"` + strings.Repeat(`é`, 400) + `\u00e9"`, strings.Repeat("é", 401), -1, -1},
	}
	for _, test := range tests {
		r := NewReader(test.in, 0)
		got, ok := r.String()
		if !ok || got != test.want || r.LoneSurrogate() != test.surrogate || r.NUL() != test.nul || r.Pos() != len(test.in) {
			t.Errorf("%s is %q, %t, half a pair at %d, NUL at %d", test.in, got, ok, r.LoneSurrogate(), r.NUL())
		}
		if got, ok := Unquote(test.in); !ok || got != test.want {
			t.Errorf("Unquote(%s) = %q, %t", test.in, got, ok)
		}
	}
	for _, in := range []string{``, `a`, `"a`, `"a"b`, `"a" `, `1`} {
		if got, ok := Unquote(in); ok {
			t.Errorf("Unquote(%s) = %q", in, got)
		}
	}
}

func TestReaderKind(t *testing.T) {
	for in, want := range map[string]string{
		``: "", `x`: "", `nul`: "", `tru`: "", ` {`: "an object", "\n[": "an array", `"`: "a string", `-`: "a number", `7`: "a number",
		`true`: "a boolean", `false`: "a boolean", `null`: "null",
	} {
		r := NewReader(in, 0)
		if got := r.Kind(); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
		r = NewReader(in, 0)
		if got := r.Null(); got != (want == "null") {
			t.Errorf("Null of %q is %t", in, got)
		}
	}
}

// FuzzReader holds Reader against encoding/json: both take the same texts, and
// read the same strings.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e+3,"\u00e9\ud83d\ude00\ud800\\"],"b":{"c":[true,false,null]}}`, ` [ ] `, `"a`, `["\u12"]`, `[01]`, `{"a":1,}`, `-`, `nul`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		want := json.Valid([]byte(s))
		for name, read := range map[string]func(*Reader) bool{"Skip": (*Reader).Skip, "walk": walk} {
			r := NewReader(s, MaxDepth)
			ok := read(&r)
			if ok && r.Peek() == 0 && r.Pos() == len(s) != want || !ok && want {
				t.Fatalf("%s of %q: %t to byte %d (%v), and encoding/json has %t", name, s, ok, r.Pos(), r.Err(), want)
			}
			if !ok && (r.Err() == nil || r.Err().Offset < 0 || r.Err().Offset > len(s)) {
				t.Fatalf("%s of %q: %+v", name, s, r.Err())
			}
		}
		var text string
		err := json.Unmarshal([]byte(s), &text)
		trimmed := strings.Trim(s, " \t\r\n")
		got, ok := Unquote(trimmed)
		if wantOK := err == nil && strings.HasPrefix(trimmed, `"`); ok != wantOK || ok && got != text {
			t.Errorf("Unquote(%s) = %q, %t, and encoding/json has %q, %v", trimmed, got, ok, text, err)
		}
	})
}

func TestObject(t *testing.T) {
	o := NewObject([]byte("x"))
	o.String("a", "\"")
	o.Optional("b", "")
	o.Optional("c", "d")
	o.Int("e", -1)
	o.True("f", true)
	o.True("g", false)
	o.Strings("h", nil)
	o.Strings("i", []string{"j", ""})
	o.Base64("k", "\xff")
	o.Key("l")
	inner := NewObject(o.Dst)
	o.Dst = inner.End()
	const want = `x{"a":"\"","c":"d","e":-1,"f":true,"i":["j",""],"k":"/w==","l":{}}`
	if got := string(o.End()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkReaderString(b *testing.B) {
	s := `"` + strings.Repeat(`curl -H \"Accept: application/json\" https://example.com/\n`, 10) + `"`
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(s, 0)
		if _, ok := r.String(); !ok {
			b.Fatal("no string")
		}
	}
}

func BenchmarkAppendCompact(b *testing.B) {
	s := "[" + strings.Repeat(`{"name": "some text", "n": 12.5, "list": [1, 2, {"a": null}]}, `, 100) + "0]"
	dst := make([]byte, 0, len(s))
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := AppendCompact(dst, s); !ok {
			b.Fatal("no JSON")
		}
	}
}
