package httpfile_test

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/httpfile"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"
)

// TestIs holds which texts are files of requests: no command may be one, and no message
// as it goes over the wire.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		"GET https://h.test/": true, "\ufeff\n# a\nget http://{{h}}/\n": true, "POST {{base}}/a": true, "###\n\nhttps://h.test/": true, "@a = b\n\nGET /a\nHost: h": true,
		"### a\nGET https://h.test/ HTTP/1.1": true, "GET https://h.test/ HTTP/1.1\n\n###\nGET https://h.test/b HTTP/1.1": true, "// a\n@a=b\nGET /a HTTP/1.1": true, "GET https://h.test/ HTTP/2": true, "# a\nGET https://h.test/ HTTP/1.1": true, "# a\nGET /a": false,
		"< {%\n%}\nGET https://h.test/": false, "GET https://h.test/ HTTP/1.1\nHost: h.test": false, "GET / HTTP/1.1": false, "GET /a": false, "https://h.test/": false, "GET https://h.test/ and then": false,
		"# curl -X PUT a.sock \\\n   http://h.test/a": false, "curl https://h.test/": false, "# curl\ncurl https://h.test/": false, "@a = b": false, "": false, "GET": false, "echo https://h.test/": false, "A=1 curl h": false,
	} {
		if got := httpfile.Is(src); got != want {
			t.Errorf("Is(%q) is %t", src, got)
		}
	}
}

// TestRead holds the arguments of curl for requests.
func TestRead(t *testing.T) {
	for _, c := range []shelltest.Case{
		{Src: "h.test/a", Args: []string{"curl", "--url", "h.test/a", "--location"}},
		{Src: "FOO https://h/{x}", Args: []string{"curl", "--url", "https://h/%7Bx%7D", "--request", "FOO", "--location"}},
		{Src: "@a=1\n@b={{a}}{{c}}\nGET h/{{b}}/{{ a }}", Args: []string{"curl", "--url", "h/1{{c}}/1", "--location"}},
		{Src: "GET h/{{a}}{{$env.B}}{{$processEnv C}}{{c.d}}", Env: map[string]string{"a": "1", "B": "2", "C": "3"}, Args: []string{"curl", "--url", "h/123{{c.d}}", "--location"}},
		{Src: "GET h/{{a}}/{{{b}}", Env: map[string]string{"b": "2"}, Args: []string{"curl", "--url", "h/{{a}}/%7B2", "--location"}},
		{Src: "@a=1\nGET h/{{a}}\n###\n@a=2\nGET h/{{a}}", Want: [][]string{{"curl", "--url", "h/1", "--location"}, {"curl", "--url", "h/2", "--location"}}},
		{Src: "GET h://a\nGET https://b\nA: c", Want: [][]string{{"curl", "--url", "h://a", "--location"}, {"curl", "--url", "https://b", "--header", "A: c", "--location"}}},
		{Src: "OPTIONS *\nHost: h:443", Args: []string{"curl", "--url", "https://h:443/", "--request-target", "*", "--request", "OPTIONS", "--location"}},
		{Src: "POST h HTTP/2\nA:  b \n\n\nx \n\n", Args: []string{"curl", "--url", "h", "--header", "A: b", "--header", "Content-Type:", "--data-raw", "x ", "--http2", "--location"}},
		{Src: "POST h\nContent-Type: application/x-ndjson\n\n1\r\n# no\n2", Args: []string{"curl", "--url", "h", "--header", "Content-Type: application/x-ndjson", "--data-raw", "1\n2\n", "--location"}},
		{Src: "GET h\nAuthorization: Basic a:b:c", Args: []string{"curl", "--url", "h", "--user", "a:b:c", "--location"}},
		{Src: "GET h\nAuthorization: Basic YTpi\nContent-Length: 7", Args: []string{"curl", "--url", "h", "--header", "Authorization: Basic YTpi", "--location"}},
		{Src: "GRAPHQL h\n\n{ a }", Args: []string{"curl", "--url", "h", "--header", "Content-Type: application/json", "--data-raw", `{"query":"{ a }","variables":{}}`, "--location"}},
		{Src: "POST h\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name=\"a\\\"b\"\n\n1\n\n2\n--b--", Args: []string{"curl", "--url", "h", "--form-string", "a\"b=1\r\n\r\n2", "--form-escape", "--location"}},
		{Src: "POST h\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n1\n--b--", Args: []string{"curl", "--url", "h", "--header", "Content-Type: multipart/mixed; boundary=b", "--data-raw", "--b\r\n\r\n1\r\n--b--\r\n", "--location"}},
	} {
		c.Run(t, func(src string, env map[string]string) ([]word.Command, diag.List) {
			return httpfile.Read(src, 0, env, meter.New(len(src), meter.Limits{}, nil))
		})
	}
}

// FuzzRead checks that any text is read within its limits, and that an error
// leaves a place.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		"@a = {{$processEnv A}}\n### x\n# @name b\nPOST {{h}}/a\n  ?b\n  &c={{a}}\nA: b,\n c\nAuthorization: Basic {{u}} p\n\n{\n\"d\": {{e}}\n}\n\n> {%\n x\n%}\n<> y\n###\nGET /f#g\nHost: h:443",
		"POST h\nContent-Type: multipart/form-data; boundary=b\n\n--b\nContent-Disposition: form-data; name=\"a\\\"%22\"; filename=x\nContent-Type: c\nX: y\n\n< z\n--b\nContent-Disposition: form-data\n\n1\n--b--",
		"GRAPHQL h\n\nquery a { b }\n\n{\"c\": \"{{d}}\"}\n", "{{\n x\n}}\nPUT h\n\n<@ a\n\nHTTP/1.1 200", "POST h\nContent-Type: application/x-www-form-urlencoded\n\na = b é\n&c=%zz{{d}}\n", "OPTIONS *\nHost: h", "< {% a %}\nimport b\n# @disabled\nWS h", "\ufeffhttps://h\n  /a b\\c\n\n?? d\n//e\n/f",
	} {
		f.Add(src, 0)
		f.Add(src, 2)
	}
	f.Add("# @disabled\nGET h", 0)
	f.Fuzz(func(t *testing.T, src string, entry int) {
		httpfile.Is(src)
		m := meter.New(len(src), meter.Limits{}, nil)
		commands, diags := httpfile.Read(src, max(entry, 0), map[string]string{"e": "x{{y}}"}, m)
		shelltest.CheckBounds(t, src, commands, diags)
		d := diags.Err()
		if d == nil && len(commands) == 0 && !m.Over() {
			t.Error("no command, and no error")
		}
		if d != nil && d.Code != diag.CodeInvalidHTTPFile && d.Code != diag.CodeNoURL && d.Code != diag.CodeUnknownEntry && d.Code != diag.CodeUnterminatedQuote && d.Code != diag.CodeUnsupportedScheme {
			t.Errorf("the error is %v", d)
		}
	})
}

// TestEntryAt holds that each place of a file belongs to the request of its section, and
// that what stands after the last one belongs to that.
func TestEntryAt(t *testing.T) {
	lines := []struct {
		entry int
		text  string
	}{
		{1, "@a = 1\n"}, {1, "\n"}, {1, "GET http://h.test/\n"}, {1, "\n"},
		{2, "###\n"}, {2, "# a comment\n"}, {2, "POST http://h.test/\n"}, {2, "\n"}, {2, "content\n"},
		{3, "### a name\n"}, {3, "GET http://h.test/ x y\n"}, {3, "Accept: b\n"},
		{4, "### disabled\n"}, {4, "# @disabled\n"}, {4, "GET http://h.test/\n"},
		{4, "###\n"}, {4, "\n"},
	}
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(line.text)
	}
	at := 0
	for _, line := range lines {
		for i := range line.text {
			if got := httpfile.EntryAt(text.String(), at+i); got != line.entry {
				t.Errorf("%q at %d: entry %d, want %d", line.text, i, got, line.entry)
			}
		}
		at += len(line.text)
	}
	for _, none := range []string{"", "\n", "# no request\n"} {
		if got := httpfile.EntryAt(none, 0); got != 0 {
			t.Errorf("%q: entry %d", none, got)
		}
	}
}
