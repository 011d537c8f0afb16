package transfer

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source"
	"uncoil/request"
)

// requests returns what arguments come to.
func requests(in *curl.Inputs, args ...string) ([]request.Request, diag.List) {
	var words []source.Word
	for _, arg := range args {
		words = append(words, source.Word{Text: arg, Span: diag.Span{End: int32(len(arg))}})
	}
	operations, diags := curl.ParseArgs(words, in)
	if diags.Err() != nil {
		return nil, diags
	}
	requests, more, _ := Requests(operations, in, Room{Total: UsualRequests}, diag.Span{})
	return requests, append(diags, more...)
}

// only returns the one request of arguments that have to have one.
func only(t *testing.T, in *curl.Inputs, args ...string) *request.Request {
	t.Helper()
	got, diags := requests(in, args...)
	if err := diags.Err(); err != nil || len(got) != 1 {
		t.Fatalf("%q: %d requests, %v", args, len(got), err)
	}
	return &got[0]
}

// field returns the value of a field, or "-" where there is none.
func field(r *request.Request, name string) string {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return "-"
}

func inputs(files ...string) *curl.Inputs {
	in := &curl.Inputs{Meter: meter.New(0, meter.Limits{}, nil), Files: make(map[string][]byte)}
	for i := 0; i < len(files); i += 2 {
		in.Files[files[i]] = []byte(files[i+1])
	}
	return in
}

// TestDate holds which dates curl reads, and how.
func TestDate(t *testing.T) {
	tests := []struct{ in, want string }{ // no date where want is empty
		{"Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"06-Nov-94 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"1994 Nov 6 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"GMT 08:49:37 06-Nov-94 Sunday", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"94 6 Nov 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT"},
		{"1994.Nov.6", "Sun, 06 Nov 1994 00:00:00 GMT"},
		{"Sun/Nov/6/94/GMT", "Sun, 06 Nov 1994 00:00:00 GMT"},
		{"20240101", "Mon, 01 Jan 2024 00:00:00 GMT"},
		{"20040912 15:05:58 -0700", "Sun, 12 Sep 2004 22:05:58 GMT"},
		{"20040911 +0200", "Fri, 10 Sep 2004 22:00:00 GMT"},
		{"Sat, 11 Sep 2004 21:32:11 +0200", "Sat, 11 Sep 2004 19:32:11 GMT"},
		{"1 Jan 2024 -0030", "Mon, 01 Jan 2024 00:30:00 GMT"},
		{"1 Jan 2024 +1400", "Sun, 31 Dec 2023 10:00:00 GMT"},
		{"1 Jan 2024 +1500", ""},
		{"Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 07:49:37 GMT"},
		{"06 Nov 1994 08:49:37 EST", "Sun, 06 Nov 1994 13:49:37 GMT"},
		{"1 Jan 2024 12:00:00 PST", "Mon, 01 Jan 2024 20:00:00 GMT"},
		{"1 Jan 2024 Z", "Mon, 01 Jan 2024 00:00:00 GMT"},
		{"1 Jan 2024 A", "Sun, 31 Dec 2023 23:00:00 GMT"},
		{"1 Jan 2024 M", "Sun, 31 Dec 2023 12:00:00 GMT"},
		{"1 Jan 2024 Y", "Mon, 01 Jan 2024 12:00:00 GMT"},
		{"1 Jan 2024 J", ""},
		{"1 Jan 2024 gmt", ""},
		{"1 Jan 2024 8:5", "Mon, 01 Jan 2024 08:05:00 GMT"},
		{"1 Jan 2024 8:05:1", "Mon, 01 Jan 2024 08:05:01 GMT"},
		{"1 Jan 2024 23:59:60", "Tue, 02 Jan 2024 00:00:00 GMT"},
		{"1 Jan 2024 23:59:61", ""},
		{"1 Jan 2024 23:60:00", ""},
		{"1 Jan 2024 25:00:00", ""},
		{"31 Feb 2024", "Sat, 02 Mar 2024 00:00:00 GMT"},
		{"29 Feb 2023", "Wed, 01 Mar 2023 00:00:00 GMT"},
		{"29 Feb 2024", "Thu, 29 Feb 2024 00:00:00 GMT"},
		{"32 Jan 2024", ""},
		{"1 Jan 1583", "Sat, 01 Jan 1583 00:00:00 GMT"},
		{"1 Jan 1582", ""},
		{"31 Dec 1969 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"},
		{"1 Jan 9999", "Fri, 01 Jan 9999 00:00:00 GMT"},
		{"1 Jan 70", "Wed, 01 Jan 2070 00:00:00 GMT"},
		{"1 Jan 71", "Fri, 01 Jan 1971 00:00:00 GMT"},
		{"1 Jan 00", "Sat, 01 Jan 2000 00:00:00 GMT"},
		{"jan 1 2024", "Mon, 01 Jan 2024 00:00:00 GMT"},
		{"MON, 1 JAN 2024", "Mon, 01 Jan 2024 00:00:00 GMT"},
		{"2024-01-01", ""},
		{"2024-12-24 00:00:00 GMT", ""},
		{"1 January 2024", ""},
		{"Foo, 1 Jan 2024", ""},
		{"1 Jan 2024 12:00:00 PDT extra", ""},
		{"yesterday", ""},
		{"2024", ""},
		{"1 Jan", ""},
		{"Jan 2024", ""},
		{"", ""},
	}
	for _, test := range tests {
		seconds, ok := parseDate(test.in)
		got := ""
		if ok {
			got = httpDate(seconds)
		}
		if got != test.want {
			t.Errorf("%q is %q, want %q", test.in, got, test.want)
		}
	}
}

// FuzzFormDate states what holds for any text: it is no date, or one that,
// written for HTTP, is read as the same.
func FuzzFormDate(f *testing.F) {
	for _, seed := range []string{"Sun, 06 Nov 1994 08:49:37 GMT", "20040912 15:05:58 -0700", "1 Jan 70 A", "94 6 Nov 8:5", "1 Jan 9999 23:59:60 Y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seconds, ok := parseDate(text)
		if !ok {
			return
		}
		written := httpDate(seconds)
		if len(written) != len("Sun, 06 Nov 1994 08:49:37 GMT") {
			return // a year of five digits, or one before 1583
		}
		again, ok := parseDate(written)
		if seconds == -1 || strings.Contains(written, " 1582 ") {
			return
		}
		if !ok || again != seconds {
			t.Errorf("%q is %d, which is written %q and read as %d, %t", text, seconds, written, again, ok)
		}
	})
}

// TestURLEncode holds the forms of --data-urlencode.
func TestURLEncode(t *testing.T) {
	in := inputs("f", "x y\n", "e", "")
	tests := map[string]string{
		"a": "a", "a b": "a+b", "=a": "a", "=a=b": "a%3Db", "n=a b": "n=a+b", "n=": "n=", "n": "n", "=": "", "": "",
		"@f": "x+y%0A", "n@f": "n=x+y%0A", "n@e": "", "@e": "", "=@f": "%40f", "n=@f": "n=%40f", "a@b=c": "a@b=c",
		"a&b": "a%26b", "a=b&c=d": "a=b%26c%3Dd", "é=é": "é=%C3%A9",
	}
	for arg, want := range tests {
		r := only(t, in, "http://h.test/", "--data-urlencode", arg)
		if r.Body == nil || r.Body.Data != want {
			t.Errorf("--data-urlencode %q sends %+v, want %q", arg, r.Body, want)
		}
		if got := field(r, "Content-Type"); got != "application/x-www-form-urlencoded" {
			t.Errorf("--data-urlencode %q has the type %q", arg, got)
		}
		// --url-query has the same forms.
		r = only(t, in, "http://h.test/", "--url-query", arg)
		text := strings.TrimPrefix(strings.TrimPrefix(r.URL, "http://h.test/"), "?")
		if text != want {
			t.Errorf("--url-query %q adds %q, want %q", arg, text, want)
		}
	}
}

// TestForm holds how -F is read: the parts that curl sends.
func TestForm(t *testing.T) {
	files := inputs("a.txt", "A", "b.png", "B", "h", "X: 1\n", "c;d", "C")
	tests := []struct{ arg, want string }{
		{"n=v", `n "v"`},
		{"n==v", `n "=v"`},
		{"=v", ` "v"`},
		{"n=", `n ""`},
		{"n= v ", `n "v"`},
		{"n=)", `n ")"`},
		{"n=a\"b\"", `n "a\"b\""`},
		{"n=v;type=t/x", `n "v" type=t/x`},
		{"n=v;TYPE=t/x", `n "v" type=t/x`},
		{"n=v ; type=t/x ; filename=f", `n "v" type=t/x`},
		{"n=v;;type=t/x", `n "v" type=t/x`},
		{"n=v;type=t/x;q=1", `n "v" type=t/x;q=1`},
		{"n=v;type=t/x;type=u/y", `n "v" type=t/x;type=u/y`},
		{"n=v;type=", `n "v" type=`},
		{"n=v;type=text", `n "v" type=text`},
		{`n=v;type=a/b;charset="x;y";filename=z`, `n "v" file name=z type=a/b;charset="x;y"`},
		{"n=v;q=1", `n "v"`},
		{"n=v;filename=f.png", `n "v" file name=f.png type=image/png`},
		{`n=v;filename="a b"`, `n "v" file name=a b`},
		{"n=v;filename=a b ", `n "v" file name=a b`},
		{`n="v;w"`, `n "v;w"`},
		{`n="v";type=t/x`, `n "v" type=t/x`},
		{`n="v"w`, `n "v"`},
		{`n="v`, `n "\"v"`},
		{`n="a\"b\\c\d"`, `n "a\"b\\c\\d"`},
		{`n=v;headers="A: b"`, `n "v" header=A: b`},
		{"n=v;headers=@h", `n "v" header=X: 1`},
		{"n=v;encoder=base64", `n "v" encoder=base64`},
		{"n=@a.txt", `n @a.txt file name=a.txt type=text/plain`},
		{"n=@a.txt;type=t/x", `n @a.txt file name=a.txt type=t/x`},
		{"n=@a.txt;filename=g", `n @a.txt file name=g type=text/plain`},
		{"n=@a.txt;filename=g.html", `n @a.txt file name=g.html type=text/html`},
		{`n=@"c;d"`, `n @c;d file name=c;d type=application/octet-stream`},
		{"n=<a.txt", `n <a.txt`},
		{"n=<a.txt;type=t/x", `n <a.txt type=t/x`},
		{"n=<a.txt;filename=g", `n <a.txt`},
		{"n=@a.txt,b.png", `n [ @a.txt file name=a.txt type=text/plain, @b.png file name=b.png type=image/png]`},
		{"n=@a.txt;type=t/x,b.png", `n [ @a.txt file name=a.txt type=t/x, @b.png file name=b.png type=image/png]`},
		{"n=(", `n []`},
	}
	for _, test := range tests {
		r := only(t, files, "http://h.test/", "-F", test.arg)
		if r.Body == nil || r.Body.Kind != request.KindMultipart || len(r.Body.Parts) != 1 {
			t.Errorf("-F %q: the body is %+v", test.arg, r.Body)
			continue
		}
		if got := partText(r.Body.Parts[0]); got != test.want {
			t.Errorf("-F %q is %s, want %s", test.arg, got, test.want)
		}
	}
}

// partText writes a part in one line.
func partText(p request.Part) string {
	var b strings.Builder
	b.WriteString(p.Name + " ")
	switch {
	case p.Nested:
		var inner []string
		for _, part := range p.Parts {
			inner = append(inner, partText(part))
		}
		b.WriteString("[" + strings.Join(inner, ",") + "]")
	case p.Inline:
		b.WriteString("<" + p.File)
	case p.File != "":
		b.WriteString("@" + p.File)
	default:
		fmt.Fprintf(&b, "%q", p.Value)
	}
	if p.Filename != nil {
		b.WriteString(" file name=" + *p.Filename)
	}
	if p.ContentType != nil {
		b.WriteString(" type=" + *p.ContentType)
	}
	if p.Encoder != "" {
		b.WriteString(" encoder=" + p.Encoder)
	}
	for _, h := range p.Headers {
		b.WriteString(" header=" + h)
	}
	return b.String()
}

// FuzzForm states what holds for any argument of -F: parts, and never more
// text than the argument and its files hold.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{`n="a;b";type=t/x;q=1;filename=f`, "n=@f,f;type=x", "=(;type=m", "=)", "n=<f;headers=@f", `n=v;encoder=base64;headers="A: b"`} {
		f.Add(seed, "=)", []byte("X: 1\n y\n"))
	}
	f.Fuzz(func(t *testing.T, one, two string, content []byte) {
		in := &curl.Inputs{Meter: meter.New(0, meter.Limits{}, nil), Files: map[string][]byte{"f": content}}
		got, diags := requests(in, "h.test", "-F", one, "-F", two)
		if diags.Err() != nil {
			return
		}
		for _, r := range got {
			if r.Body == nil || r.Body.Kind != request.KindMultipart {
				t.Fatalf("the body is %+v", r.Body)
			}
			for _, p := range r.Body.Parts {
				if len(p.Value) > len(one)+len(two) || p.Content != nil && len(*p.Content) > len(content) {
					t.Errorf("a part of %+v", p)
				}
			}
		}
	})
}

// TestNetrc holds whose credentials curl takes from a netrc file.
func TestNetrc(t *testing.T) {
	tests := []struct {
		netrc string
		url   string // http://h.test/ where empty
		want  string // user:password, or "-"
	}{
		{netrc: "machine h.test login a password b", want: "a:b"},
		{netrc: "machine h.test\n\tlogin a\r\n\tpassword b\n", want: "a:b"},
		{netrc: "machine H.TEST login a password b", want: "a:b"},
		{netrc: "MACHINE h.test LOGIN a PASSWORD b", want: "a:b"},
		{netrc: `machine "h.test" login a password b`, want: "a:b"},
		{netrc: "machine x login a password b", want: "-"},
		{netrc: "default login a password b", want: "a:b"},
		{netrc: "machine x login a password b default login c password d", want: "c:d"},
		{netrc: "machine h.test login a password b machine h.test login c password d", want: "a:b"},
		{netrc: "machine h.test login a", want: "a:"},
		{netrc: "machine h.test password b", want: ":b"},
		{netrc: "machine h.test login a password", want: "a:"},
		{netrc: "machine h.test account c login a password b", want: "a:b"},
		{netrc: "machine h.test login machine password default", want: "machine:default"},
		{netrc: "junk machine h.test login a password b", want: "a:b"},
		{netrc: "# machine h.test login x password y\nmachine h.test login a password b", want: "a:b"},
		{netrc: "machine h.test\nlogin a\n #password x\npassword b", want: "a:b"},
		{netrc: "machine h.test # c\nlogin a password b", want: "a:b"},
		{netrc: "machine h.test login a password b#c", want: "a:b#c"},
		{netrc: `machine h.test login "a b" password "c\"d\n"`, want: "a b:c\"d\n"},
		{netrc: `machine h.test login a password ""`, want: "a:"},
		{netrc: "macdef m\nmachine h.test login x password y\n\nmachine h.test login a password b", want: "a:b"},
		{netrc: "machine", want: "-"},
		{netrc: "", want: "-"},
		{netrc: "machine h.test login a password b", url: "http://c@h.test/", want: "c:"},
		{netrc: "machine h.test login a password b machine h.test login c password d", url: "http://c@h.test/", want: "c:d"},
		{netrc: "machine h.test password b", url: "http://c@h.test/", want: "c:b"},
		{netrc: "default login c password d", url: "http://c@h.test/", want: "c:d"},
	}
	for _, test := range tests {
		url := test.url
		if url == "" {
			url = "http://h.test/"
		}
		r := only(t, inputs(".netrc", test.netrc), "-n", url)
		got := "-"
		if text, ok := strings.CutPrefix(field(r, "Authorization"), "Basic "); ok {
			decoded, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			got = string(decoded)
		}
		if got != test.want {
			t.Errorf("%q with %s gives %q, want %q", test.netrc, url, got, test.want)
		}
	}
	if _, diags := requests(inputs(".netrc", `machine h.test login a password "b`), "-n", "http://h.test/"); diags.Err() == nil {
		t.Error("a quote that is not closed is taken")
	}
}

// TestMethod holds which method the options come to.
func TestMethod(t *testing.T) {
	tests := map[string]string{
		"h":                     "GET",
		"-I h":                  "HEAD",
		"-d a h":                "POST",
		"-F a=b h":              "POST",
		"-T f h":                "PUT",
		"-G -d a h":             "GET",
		"-I -G -d a h":          "HEAD",
		"-X QUERY h":            "QUERY",
		"-X put h":              "put",
		"-X A -X B h":           "B",
		"-I -X GET h":           "GET",
		"-d a -X PUT h":         "PUT",
		"--json {} h":           "POST",
		"--data-urlencode a h":  "POST",
		"-G --no-get -d a h":    "POST",
		"-T f -X POST h":        "POST",
		"-d a ws://h.test/x":    "GET",
		"--url-query a=b h":     "GET",
		"--form-string a=b h":   "POST",
		"-d a --next h -X DROP": "",
	}
	for args, want := range tests {
		got, diags := requests(inputs("f", "x"), strings.Fields(args)...)
		method := ""
		if len(got) > 0 {
			method = got[0].Method
		}
		if method != want {
			t.Errorf("%s is %s, want %s: %v", args, method, want, diags.Err())
		}
	}
}

// TestConflicts holds which kinds of request cannot go together.
func TestConflicts(t *testing.T) {
	for _, args := range []string{
		"-d a -F b=c h", "-F b=c -d a h", "-I -d a h", "-d a -I h", "-T f -d a h", "-T f -F a=b h", "-I -T f h", "-G -T f -d a h",
		"-C 5 -d a h", "-0 -T - h", "--httpsig-algo ed25519 h", "-F a=b;encoder=x h",
	} {
		_, diags := requests(inputs("f", "x", "-", ""), strings.Fields(args)...)
		if err := diags.Err(); err == nil {
			t.Errorf("%s is taken", args)
		}
	}
}

// TestErrorAfterRequest holds that what was sent before an error is answered,
// with the error as a warning.
func TestErrorAfterRequest(t *testing.T) {
	got, diags := requests(inputs(), "http://h.test/1", "http://h.test:x/")
	if len(got) != 1 || diags.Err() != nil {
		t.Fatalf("%d requests, %v", len(got), diags)
	}
	if n := len(diags); n != 1 || diags[0].Code != diag.CodeInvalidURL || diags[0].Severity != diag.SeverityWarning {
		t.Errorf("the warnings are %+v", diags)
	}
}

// TestOptions holds that no option vanishes: each member has its type.
func TestOptions(t *testing.T) {
	r := only(t, inputs(), strings.Fields("-L --max-redirs 5 -m 2.5 --limit-rate 1k -k --resolve a:1:127.0.0.1 --resolve b:2:127.0.0.1 --http2 -6 --tlsv1.2 "+
		"-x p:1 --proxy-digest -U u:p --socks5 s:2 --retry 3 -o out -s -v -s https://h.test/")...)
	want := request.Options{
		{Name: "followRedirects", Value: true},
		{Name: "maxRedirects", Value: int64(5)},
		{Name: "maxTime", Value: 2.5},
		{Name: "limitRate", Value: int64(1024)},
		{Name: "insecure", Value: true},
		{Name: "resolve", Value: []string{"a:1:127.0.0.1", "b:2:127.0.0.1"}},
		{Name: "httpVersion", Value: "2"},
		{Name: "ipVersion", Value: int64(6)},
		{Name: "tlsMin", Value: "1.2"},
		{Name: "proxy", Value: "socks5://s:2"},
		{Name: "proxyAuth", Value: "digest"},
		{Name: "proxyUser", Value: "u:p"},
		{Name: "retry", Value: int64(3)},
		{Name: "output", Value: "out"},
	}
	for i := range r.Options {
		r.Options[i].Span = diag.Span{} // each argument is a text of its own here
	}
	if diff := cmp.Diff(want, r.Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"--silent", "--verbose"}, r.Ignored); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

// TestRange holds what becomes of -r and -C.
func TestRange(t *testing.T) {
	tests := []struct{ args, name, want string }{
		{"-r 0-99", "Range", "bytes=0-99"},
		{"-r 100", "Range", "bytes=100-"},
		{"-r -5", "Range", "bytes=-5"},
		{"-r 1-2,3-4", "Range", "bytes=1-2,3-4"},
		{"-C 5", "Range", "bytes=5-"},
		{"-C 0", "Range", "-"},
		{"-r 0-1 -d abc", "Content-Range", "bytes 0-1/3"},
		{"-r 0-1 -F a=b", "Range", "-"},
		{"-C 2 -T f", "Content-Range", "bytes 2-4/5"},
	}
	for _, test := range tests {
		r := only(t, inputs("f", "abcde"), append(strings.Fields(test.args), "http://h.test/x")...)
		if got := field(r, test.name); got != test.want {
			t.Errorf("%s sends %s: %s, want %s", test.args, test.name, got, test.want)
		}
	}
}

// TestLimit holds that no more requests come out than are asked for, whatever
// the globs stand for.
func TestLimit(t *testing.T) {
	got, diags := requests(inputs(), "http://h.test/[1-1000]")
	if len(got) != UsualRequests || diags.Err() != nil {
		t.Errorf("%d requests, %v", len(got), diags.Err())
	}
	for _, args := range [][]string{
		{"http://h.test/[1-1001]"}, {"http://h.test/[1-9223372036854775806]"}, {"http://h.test/[1-600]", "http://h.test/[1-600]"},
		{"http://h.test/[1-600]", "--next", "http://h.test/[1-600]"}, {"-T", "[1-40]", "http://h.test/[1-40]"},
	} {
		got, diags := requests(inputs(), args...)
		if err := diags.Err(); err == nil || err.Code != diag.CodeTooManyRequests || err.Count <= 0 || len(got) != 0 {
			t.Errorf("%q: %d requests, %v", args, len(got), err)
		}
	}
}

// TestContentLength holds where curl states the length of content and where
// it waits for the server to agree (seen on the wire from curl 8.22).
func TestContentLength(t *testing.T) {
	stdin := "12345678"
	for _, tt := range []struct {
		args                     []string
		length, expect, transfer string
	}{
		{[]string{"-T", "-"}, "-", "100-continue", "chunked"},
		{[]string{"-H", "Transfer-Encoding:", "-T", "-"}, "-", "100-continue", "-"},
		{[]string{"-d", "@-"}, "8", "-", "-"},
		{[]string{"-H", "Transfer-Encoding:", "-d", "@-"}, "8", "-", "-"},
		{[]string{"-H", "Transfer-Encoding: chunked", "-d", "@-"}, "-", "-", "chunked"},
	} {
		in := &curl.Inputs{Meter: meter.New(0, meter.Limits{}, nil)}
		in.SetStdin(&stdin)
		r := only(t, in, append(tt.args, "http://h.test/t")...)
		if l, e, tr := field(r, "Content-Length"), field(r, "Expect"), field(r, "Transfer-Encoding"); l != tt.length || e != tt.expect || tr != tt.transfer {
			t.Errorf("%q: Content-Length %s, Expect %s, Transfer-Encoding %s", tt.args, l, e, tr)
		}
	}
}

// TestExpect holds that curl waits for the server to agree with more than 1 MiB of
// content: EXPECT_100_THRESHOLD in curl 8.22 lib/http.h.
func TestExpect(t *testing.T) {
	for length, want := range map[int]string{1<<20 - 1: "-", 1 << 20: "-", 1<<20 + 1: "100-continue"} {
		content := strings.Repeat("a", length)
		for _, option := range []string{"--data-binary", "-T"} {
			argument := "@f"
			if option == "-T" {
				argument = "f"
			}
			r := only(t, inputs("f", content), option, argument, "http://h.test/t")
			if got := field(r, "Expect"); got != want {
				t.Errorf("%s of %d bytes: Expect %s, want %s", option, length, got, want)
			}
		}
	}
}
