package curlurl

import (
	"errors"
	"strings"
	"testing"

	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
)

// unlimited returns a meter that refuses nothing in these tests.
func unlimited() *meter.Meter {
	return meter.New(0, meter.Limits{Work: 1 << 40, Bytes: 1 << 40}, nil)
}

// TestParse holds what curl 8.22 sends for a URL: the Host field and the
// request target.
func TestParse(t *testing.T) {
	tests := []struct {
		url          string
		host, target string // both empty: curl rejects the URL
		text         string // of String, where it is not the URL itself
	}{
		{url: "http://h.test/", host: "h.test", target: "/"},
		{url: "http://h.test", host: "h.test", target: "/"},
		{url: "HTTP://H.Test:80", host: "H.Test", target: "/"},
		{url: "hTTp://h.test", host: "h.test", target: "/"},
		{url: "HTTPS://h.test/", host: "h.test", target: "/"},
		{url: "https://h.test:443/", host: "h.test", target: "/"},
		{url: "https://h.test:80/", host: "h.test:80", target: "/"},
		{url: "ws://h.test/x", host: "h.test", target: "/x"},

		// The scheme is guessed.
		{url: "h.test", host: "h.test", target: "/", text: "http://h.test"},
		{url: "h.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "h.test:80/x", host: "h.test", target: "/x", text: "http://h.test:80/x"},
		{url: "localhost", host: "localhost", target: "/", text: "http://localhost"},
		{url: "ftp", host: "ftp", target: "/", text: "http://ftp"},
		{url: "ftpx.h.test", host: "ftpx.h.test", target: "/", text: "http://ftpx.h.test"},
		{url: "http:/h.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http:///h.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http:////h.test/"},
		{url: "http:h.test/"},
		{url: "1http://h.test/"},
		{url: "h_t://h.test/"},
		{url: "ht tp://h.test/"},
		{url: "://h.test/"},
		{url: "//h.test/x"},
		{url: "/h.test/x"},
		{url: "http://"},
		{url: "http:///"},
		{url: "http://?q"},
		{url: "?q"},
		{url: "#f"},
		{url: ""},

		// Ports.
		{url: "http://h.test:080/x", host: "h.test", target: "/x", text: "http://h.test:80/x"},
		{url: "http://h.test:/x", host: "h.test", target: "/x", text: "http://h.test/x"},
		{url: "http://h.test:8080", host: "h.test:8080", target: "/"},
		{url: "http://localhost:3000/", host: "localhost:3000", target: "/"},
		{url: "http://h.test:65535/", host: "h.test:65535", target: "/"},
		{url: "http://h.test:65536/"},
		{url: "http://h.test:-1/"},
		{url: "http://h.test:+1/"},
		{url: "http://h.test:1a/"},
		{url: "http://h.test:80:80/"},

		// Paths.
		{url: "http://h.test/a/../b", host: "h.test", target: "/b", text: "http://h.test/b"},
		{url: "http://h.test/a/..", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://h.test/..", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://h.test/./a/.", host: "h.test", target: "/a/", text: "http://h.test/a/"},
		{url: "http://h.test/%2E/a/%2e%2E/b", host: "h.test", target: "/b", text: "http://h.test/b"},
		{url: "http://h.test/a/%2e%2e", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://h.test/a/.%2e/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://h.test/a/b/../../../c", host: "h.test", target: "/c", text: "http://h.test/c"},
		{url: "http://h.test/.../a", host: "h.test", target: "/.../a"},
		{url: "http://h.test/a//../b", host: "h.test", target: "/a/b", text: "http://h.test/a/b"},
		{url: "http://h.test/a?/../b", host: "h.test", target: "/a?/../b"},
		{url: "http://h.test/%c3%a9%zz%4", host: "h.test", target: "/%C3%A9%zz%4", text: "http://h.test/%C3%A9%zz%4"},
		{url: "http://h.test/%2f", host: "h.test", target: "/%2F", text: "http://h.test/%2F"},
		{url: "http://h.test/%", host: "h.test", target: "/%"},
		{url: "http://h.test/%2", host: "h.test", target: "/%2"},
		{url: "http://h.test/é?é", host: "h.test", target: "/%C3%A9?é", text: "http://h.test/%C3%A9?é"},
		{url: `http://h.test/a|b"c<d>`, host: "h.test", target: `/a|b"c<d>`},
		{url: `http://h.test/a\b`, host: "h.test", target: `/a\b`},
		{url: "http://h.test/a;b=c,d", host: "h.test", target: "/a;b=c,d"},
		{url: "http://h.test/'", host: "h.test", target: "/'"},
		{url: "http://h.test/@x", host: "h.test", target: "/@x"},
		{url: "http://h.test/:x", host: "h.test", target: "/:x"},
		{url: "http://h.test/a b"},
		{url: "http://h.test/\t"},
		{url: "http://h.test/\x7f"},

		// Queries and fragments.
		{url: "http://h.test?q", host: "h.test", target: "/?q"},
		{url: "http://h.test/?", host: "h.test", target: "/?"},
		{url: "http://h.test?%2f%c3", host: "h.test", target: "/?%2f%c3"},
		{url: "http://h.test#f", host: "h.test", target: "/", text: "http://h.test"},
		{url: "http://h.test/a?b#c?d", host: "h.test", target: "/a?b", text: "http://h.test/a?b"},

		// Credentials.
		{url: "http://u@h.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://u:p:q@h.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://@h.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://u/x@h.test/", host: "u", target: "/x@h.test/"},
		{url: "http://a@b@h.test/"},
		{url: "http://user:pa/ss@h.test/"},

		// IPv4.
		{url: "http://127.1/", host: "127.0.0.1", target: "/", text: "http://127.0.0.1/"},
		{url: "http://0x7f000001/", host: "127.0.0.1", target: "/", text: "http://127.0.0.1/"},
		{url: "http://0177.0.0.01/", host: "127.0.0.1", target: "/", text: "http://127.0.0.1/"},
		{url: "http://1.2.3/", host: "1.2.0.3", target: "/", text: "http://1.2.0.3/"},
		{url: "http://1.2.3.4./", host: "1.2.3.4", target: "/", text: "http://1.2.3.4/"},
		{url: "http://4294967295/", host: "255.255.255.255", target: "/", text: "http://255.255.255.255/"},
		{url: "http://0/", host: "0.0.0.0", target: "/", text: "http://0.0.0.0/"},
		{url: "http://1.0x10/", host: "1.0.0.16", target: "/", text: "http://1.0.0.16/"},
		{url: "http://%31/", host: "0.0.0.1", target: "/", text: "http://0.0.0.1/"},
		{url: "http://256.1.1.1/", host: "256.1.1.1", target: "/"},
		{url: "http://1.2.3.4.5/", host: "1.2.3.4.5", target: "/"},
		{url: "http://4294967296/", host: "4294967296", target: "/"},
		{url: "http://08.1/", host: "08.1", target: "/"},
		{url: "http://1e3/", host: "1e3", target: "/"},
		{url: "http://1_0/", host: "1_0", target: "/"},
		{url: "http://0x/", host: "0x", target: "/"},
		{url: "http://0xg/", host: "0xg", target: "/"},

		// IPv6.
		{url: "http://[::1]/", host: "[::1]", target: "/"},
		{url: "http://[::1]:8/x", host: "[::1]:8", target: "/x"},
		{url: "http://[::FFFF:1.2.3.4]/", host: "[::ffff:1.2.3.4]", target: "/", text: "http://[::ffff:1.2.3.4]/"},
		{url: "http://[1:0:0:0:0:0:0:2]/", host: "[1::2]", target: "/", text: "http://[1::2]/"},
		{url: "http://[fe80::1%25eth0]/", host: "[fe80::1]", target: "/"},
		{url: "http://[fe80::1%eth0]/", host: "[fe80::1]", target: "/", text: "http://[fe80::1%25eth0]/"},
		{url: "http://[::1/"},
		{url: "http://[::1]x/"},
		{url: "http://[::g]/"},
		{url: "http://[1.2.3.4]/"},

		// Host names.
		{url: "http://h%2etest/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://%68.test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://h..test/", host: "h..test", target: "/"},
		{url: "http://h_test/", host: "h_test", target: "/"},
		{url: "http://-h.test/", host: "-h.test", target: "/"},
		{url: "http://h.test./", host: "h.test.", target: "/"},
		{url: "http://h%00test/"},
		{url: "http://h.test%2f/"},
		{url: "http://h.test../"},
		{url: "http://./"},
		{url: "http://../"},
		{url: "http://h!test/"},
		{url: "http://h*test/"},

		// International host names.
		{url: "http://bücher.test/", host: "xn--bcher-kva.test", target: "/", text: "http://xn--bcher-kva.test/"},
		{url: "http://BÜCHER.test/", host: "xn--bcher-kva.test", target: "/", text: "http://xn--bcher-kva.test/"},
		{url: "http://xn--bcher-kva.test/", host: "xn--bcher-kva.test", target: "/"},
		{url: "http://straße.test/", host: "xn--strae-oqa.test", target: "/", text: "http://xn--strae-oqa.test/"},
		{url: "http://☃.test/", host: "xn--n3h.test", target: "/", text: "http://xn--n3h.test/"},
		{url: "http://ab--c.test/", host: "ab--c.test", target: "/"},
		{url: "http://１.test/", host: "1.test", target: "/", text: "http://1.test/"},
		{url: "http://h。test/", host: "h.test", target: "/", text: "http://h.test/"},
		{url: "http://h\u200btest.test/", host: "htest.test", target: "/", text: "http://htest.test/"},
	}
	for _, test := range tests {
		u, err := Parse(test.url, 0, unlimited())
		if err == nil {
			err = u.ToASCII()
		}
		if test.host == "" {
			var e *Error
			if err == nil {
				t.Errorf("%q is taken as %s, and curl rejects it", test.url, u)
			} else if !errors.As(err, &e) || e.Reason == "" {
				t.Errorf("%q: the error is a %T: %v", test.url, err, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v, and curl takes it", test.url, err)
			continue
		}
		if u.HostField() != test.host || u.Target() != test.target {
			t.Errorf("%q asks %q for %q, want %q for %q", test.url, u.HostField(), u.Target(), test.host, test.target)
		}
		text := test.text
		if text == "" {
			text = test.url
		}
		if u.String() != text {
			t.Errorf("%q is written %q, want %q", test.url, u, text)
		}
		// Written down, a URL is one of the same meaning.
		again, err := Parse(u.String(), 0, unlimited())
		if err != nil || again.HostField() != test.host || again.Target() != test.target {
			t.Errorf("%q, written %q, becomes %v, %v", test.url, u, again, err)
		}
	}
}

func TestGuessedScheme(t *testing.T) {
	tests := map[string]string{
		"h.test": "http", "ftp.h.test": "ftp", "FTP.h.test": "ftp", "dict.h.test": "dict", "ldap.h.test": "ldap", "imap.h.test": "imap",
		"smtp.h.test": "smtp", "pop3.h.test": "pop3", "ftp": "http", "http.h.test": "http", "ftps.h.test": "http", "u:p@ftp.h.test": "ftp",
	}
	for in, want := range tests {
		u, err := Parse(in, 0, unlimited())
		if err != nil || u.Scheme != want || !u.Guessed {
			t.Errorf("%s is guessed as %+v, %v, want %s", in, u, err, want)
		}
	}
}

func TestCredentials(t *testing.T) {
	tests := []struct {
		url, user, password  string
		hasUser, hasPassword bool
	}{
		{"http://h.test/", "", "", false, false},
		{"http://u@h.test/", "u", "", true, false},
		{"http://u:@h.test/", "u", "", true, true},
		{"http://:p@h.test/", "", "p", true, true},
		{"http://u:p:q@h.test/", "u", "p:q", true, true},
		{"http://u%40:p%3a@h.test/", "u%40", "p%3a", true, true},
		{"u:p@h.test", "u", "p", true, true},
	}
	for _, test := range tests {
		u, err := Parse(test.url, 0, unlimited())
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if u.User != test.user || u.Password != test.password || u.HasUser != test.hasUser || u.HasPassword != test.hasPassword {
			t.Errorf("%s has the credentials %q %q %t %t", test.url, u.User, u.Password, u.HasUser, u.HasPassword)
		}
		if _, err := Parse(test.url, DisallowUser, unlimited()); (err != nil) != test.hasUser {
			t.Errorf("%s with DisallowUser: %v", test.url, err)
		}
	}
}

func TestPathAsIs(t *testing.T) {
	u, err := Parse("http://h.test/a/../b/./c/..", PathAsIs, unlimited())
	if err != nil || u.Target() != "/a/../b/./c/.." {
		t.Errorf("%v, %v", u, err)
	}
}

func TestAppend(t *testing.T) {
	tests := []struct{ url, query, file, want string }{
		{"http://h.test", "a=1", "", "http://h.test/?a=1"},
		{"http://h.test/?", "a=1", "", "http://h.test/?a=1"},
		{"http://h.test/?a=1", "b=2", "", "http://h.test/?a=1&b=2"},
		{"http://h.test/?a=1&", "b=2", "", "http://h.test/?a=1&b=2"},
		{"http://h.test/x#f", "a=%c3", "", "http://h.test/x?a=%C3"},
		{"http://h.test", "", "f", "http://h.test/f"},
		{"http://h.test/a/", "", "f%20g", "http://h.test/a/f%20g"},
		{"http://h.test/a", "", "f", "http://h.test/a"},
		{"http://h.test/a/?q", "", "f", "http://h.test/a/?q"},
	}
	for _, test := range tests {
		u, err := Parse(test.url, 0, unlimited())
		if err != nil {
			t.Fatal(err)
		}
		if test.file != "" {
			u.AppendFilename(test.file)
		}
		if test.query != "" {
			if err := u.AppendQuery(test.query); err != nil {
				t.Errorf("%s and %q: %v", test.url, test.query, err)
			}
		}
		if u.String() != test.want {
			t.Errorf("%s with %q and %q is %s, want %s", test.url, test.query, test.file, u, test.want)
		}
	}
	u, _ := Parse("http://h.test/", 0, unlimited())
	if err := u.AppendQuery("a b"); err == nil {
		t.Error("a blank is taken in a query")
	}
	u, _ = Parse("http://h.test/", 0, unlimited())
	if err := u.AppendQuery(strings.Repeat("a", maxLength-len("http://h.test/?"))); err != nil {
		t.Errorf("a URL that is just short enough: %v", err)
	}
	if err := u.AppendQuery("a"); err == nil {
		t.Error("a URL that gets too long is taken")
	}
}

// TestLongest holds the length of the longest URL: CURL_MAX_INPUT_LENGTH in curl 8.22
// lib/urldata.h.
func TestLongest(t *testing.T) {
	const longest = 8_000_000
	for length, taken := range map[int]bool{longest: true, longest + 1: false} {
		url := "http://h.test/"
		url += strings.Repeat("a", length-len(url))
		if _, err := Parse(url, 0, unlimited()); (err == nil) != taken {
			t.Errorf("a URL of %d bytes: %v", length, err)
		}
	}
}

func TestMask(t *testing.T) {
	hole := func(text, expr string) word.Word {
		i := strings.Index(text, expr)
		return word.Word{Text: text, Holes: []word.Hole{{Start: int32(i), End: int32(i + len(expr)), Expr: expr}}}
	}
	tests := []struct {
		word         word.Word
		placeholders int
		template     bool
	}{
		{word.Word{Text: "http://h.test/"}, 0, false},
		{word.Word{Text: "http://h.test/{a,b}"}, 0, false},
		{word.Word{Text: "http://h.test/{}"}, 0, false},
		{word.Word{Text: "http://h.test/{1}"}, 0, false},
		{word.Word{Text: `http://h.test/\{id\}`}, 0, false},
		{word.Word{Text: "http://h.test/{<n>a,b}"}, 0, false},
		{word.Word{Text: "http://h.test/[<n>1-2]"}, 0, false},
		{word.Word{Text: "http://h.test/a<b"}, 0, false},
		{word.Word{Text: "http://h.test/{id}"}, 1, true},
		{word.Word{Text: "http://h.test/{user_id}/{post-id}"}, 2, true},
		{word.Word{Text: "{{base}}/x/{{ id | lower }}"}, 2, true},
		{word.Word{Text: "http://h.test/<id>?a=<your token>"}, 2, true},
		{hole("http://$HOST/", "$HOST"), 1, false},
		{hole("${A}/{id}", "${A}"), 2, true},
	}
	for _, test := range tests {
		m := Mask(&test.word, unlimited())
		if n := strings.Count(m.Text, string(rune(markOpen))); n != test.placeholders {
			t.Errorf("%q has %d placeholders, want %d: %q", test.word.Text, n, test.placeholders, m.Text)
		}
		if m.HasTemplate() != test.template {
			t.Errorf("%q: HasTemplate is %t", test.word.Text, m.HasTemplate())
		}
		if got := m.Restore(m.Text); got != test.word.Text {
			t.Errorf("%q is restored as %q", test.word.Text, got)
		}
	}
}

// TestMaskForged checks that a URL cannot be made to look as if it had
// placeholders.
func TestMaskForged(t *testing.T) {
	for _, text := range []string{"http://h.test/\x010\x02", "http://\x01/", "\x010\x02{id}"} {
		m := Mask(&word.Word{Text: text}, unlimited())
		if strings.IndexByte(m.Text, markOpen) >= 0 {
			t.Errorf("%q keeps its marks: %q", text, m.Text)
		}
		if u, err := Parse(m.Text, 0, unlimited()); err == nil {
			t.Errorf("%q is taken as %s", text, u)
		}
	}
}

func TestPlaceholderURLs(t *testing.T) {
	tests := []struct{ url, want, scheme string }{
		{"{{base}}/x", "{{base}}/x", ""},
		{"http{{s}}://h.test/x", "http{{s}}://h.test/x", ""},
		{"{{a}}{{b}}s://h.test:1/x", "{{a}}{{b}}s://h.test:1/x", ""},
		{"h.{{a}}://h.test/", "h.{{a}}://h.test/", ""},
		{"{{scheme}}://h.test/", "{{scheme}}://h.test/", ""},
		{"https://{{host}}:{{port}}/a/../b", "https://{{host}}:{{port}}/b", "https"},
		{"http://{{u}}:{{p}}@h.test/", "http://h.test/", "http"},
		{"h.test/{id}", "http://h.test/{id}", "http"},
		{"http://h.test/?a={x}#{y}", "http://h.test/?a={x}", "http"},
	}
	for _, test := range tests {
		m := Mask(&word.Word{Text: test.url}, unlimited())
		u, err := Parse(m.Text, 0, unlimited())
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
			continue
		}
		if got := m.Restore(u.String()); got != test.want || u.Scheme != test.scheme {
			t.Errorf("%s becomes %s with the scheme %q, want %s", test.url, got, u.Scheme, test.want)
		}
	}
}

func TestEscapePath(t *testing.T) {
	tests := map[string]string{"": "", "/a b": "/a%20b", "/%": "/%25", "/é": "/%C3%A9", "/-._~!$&'(){}[]*+,;=:@": "/-._~!$&'(){}[]*+,;=:@", `"<>\^|`: "%22%3C%3E%5C%5E%7C"}
	for in, want := range tests {
		if got := EscapePath(in); got != want {
			t.Errorf("EscapePath(%q) = %q, want %q", in, got, want)
		}
	}
}

// checkVerbatim checks that what parseVerbatim reads is what parse reads, and
// is written as it was typed.
func checkVerbatim(t *testing.T, s string, flags Flags) {
	t.Helper()
	fast, slow := &URL{meter: unlimited()}, &URL{meter: unlimited()}
	if !fast.parseVerbatim(s) {
		return
	}
	if _, err := slow.parse(s, flags); err != nil {
		t.Fatalf("%q is sent verbatim, and parse returns %v", s, err)
	}
	if !strings.HasSuffix(fast.String(), s) || fast.String() != slow.String() || !fast.Guessed && fast.String() != s || fast.HostField() != slow.HostField() || fast.Scheme != slow.Scheme ||
		fast.Target() != slow.Target() || fast.Path != slow.Path || fast.Port != slow.Port || fast.HasUser != slow.HasUser || fast.Guessed != slow.Guessed {
		t.Errorf("%q is sent verbatim as %+v, and parse reads %+v", s, fast, slow)
	}
	fast.Upgrade()
	slow.Upgrade()
	if fast.String() != slow.String() {
		t.Errorf("%q is upgraded to %s, and to %s after parse", s, fast, slow)
	}
}

// TestVerbatim holds which URLs are known at once to be sent as typed.
func TestVerbatim(t *testing.T) {
	for url, want := range map[string]bool{
		"http://h.test": true, "https://h.test/": true, "https://h.test/a/b.c?d=%c3&e={f}": true, "http://h.test:8080/x?": true, "http://h_t-1.test?q": true,
		"http://h.test/~a/@b:c;d,e=f&g!$'()*+|\"<>^`{}[]": true, "http://h.test:65535": true, "http://h.test:80/": true,
		"h.test": true, "ftp.h.test:8021/x?y": true, "localhost:9200/a": true, "h.test:/": false, "user:pw@h.test": false, "data:,x": false, "1.2.3.4": false, "": false,
		"HTTP://h.test": false, "ftp://h.test": false, "http://127.0.0.1/": false, "http://u@h.test/": false, "http://h.test:/": false,
		"http://h.test:080/": false, "http://h.test:65536/": false, "http://h.test/a/../b": false, "http://h.test/.a": false, "http://h.test/%41": false,
		"http://h.test/%2e": false, "http://h.test/é": false, "http://h.test?é": false, "http://h.test/a#b": false, "http://h.test#": false, "http://h.test./": false,
		"http://": false, "http:///h": false, "http://h t": false, "http://h.test/\x01": false, "http://[::1]/": false, "http://h$/": false,
	} {
		if got := new(URL).parseVerbatim(url); got != want {
			t.Errorf("%q is known to be sent verbatim: %t", url, got)
		}
		checkVerbatim(t, url, 0)
	}
}

// TestLongHost holds the limits of libidn2 2.3.3, which curl asks: a label of
// the ASCII form has at most 63 bytes, and the name at most 253.
func TestLongHost(t *testing.T) {
	for host, want := range map[string]bool{
		"é" + strings.Repeat("a", 55) + ".test": true, "é" + strings.Repeat("a", 57) + ".test": false,
		"é." + strings.Repeat("a", 63): true, "é." + strings.Repeat("a", 64): false,
		"é" + strings.Repeat("."+strings.Repeat("a", 48), 5): true, "é" + strings.Repeat("."+strings.Repeat("a", 49), 5): false,
		strings.Repeat("é", 1<<20): false, strings.Repeat("a", 300) + ".test": true, // which is not converted
	} {
		u, err := Parse("http://"+host+"/", 0, meter.New(0, meter.Limits{}, nil))
		if err == nil {
			err = u.ToASCII()
		}
		if (err == nil) != want {
			t.Errorf("a host of %d bytes, %.20s…: %v", len(host), host, err)
		}
	}
}

// BenchmarkParse reads URLs as documentation has them.
func BenchmarkParse(b *testing.B) {
	for name, url := range map[string]string{
		"verbatim": "https://api.example.com/v1/items/42?page=2&sort=name", "port": "http://localhost:8080/api/users", "guessed": "localhost:9200/_search?pretty",
		"address": "http://127.0.0.1:5000/predict", "dots": "https://api.example.com/v1/../v2/items", "placeholder": "https://{{host}}/v1/users/{id}",
	} {
		b.Run("url="+name, func(b *testing.B) {
			m := unlimited()
			b.ReportAllocs()
			for b.Loop() {
				masked := Mask(&word.Word{Text: url}, m)
				if HasGlob(masked.Text) {
					b.Fatal("a glob")
				}
				u, err := Parse(masked.Text, 0, m)
				if err != nil {
					b.Fatal(err)
				}
				masked.Restore(u.String())
				masked.Restore(u.HostField())
			}
		})
	}
}

// FuzzParseURL checks what holds for any text: it is rejected with a reason,
// or read as a URL that, written down, is the same URL.
func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{
		"http://u:p@h.test:80/a/../b?c#d", "h.test", "http://[fe80::1%25eth0]:8/", "http://0x7f.1/", "http://bücher.test/é", "{{base}}/{id}?a=<b>",
		"{{base}}&a=1/b", "http:///h.test", "ftp.h.test:21/x", "\x01\x02", "http://%31%2e/%2e%2e/", "h%7ft",
	} {
		f.Add(seed, byte(0))
	}
	f.Fuzz(func(t *testing.T, text string, flags byte) {
		m := Mask(&word.Word{Text: text}, unlimited())
		if restored := m.Restore(m.Text); restored != text && !strings.ContainsAny(text, "\x01\x02") {
			t.Fatalf("%q is restored as %q", text, restored)
		}
		u, err := Parse(m.Text, Flags(flags&3), unlimited())
		checkVerbatim(t, m.Text, Flags(flags&3))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Reason == "" {
				t.Fatalf("%q: the error is a %T: %v", text, err, err)
			}
			return
		}
		if err := u.ToASCII(); err != nil {
			return
		}
		if u.Host == "" {
			t.Errorf("%q has no host", text)
		}
		// Of what stands for the beginning of a URL, nobody knows whether it has a path.
		beginning := markPrefix(u.Host) == len(u.Host) && strings.HasPrefix(u.Path, "&")
		if u.Path != "" && u.Path[0] != '/' && !beginning {
			t.Errorf("%q has the path %q", text, u.Path)
		}
		if len(u.String()) > 4*len(text)+100 {
			t.Errorf("%q grew to %d bytes", text, len(u.String()))
		}
		again, err := Parse(u.String(), PathAsIs, unlimited())
		if err != nil {
			t.Fatalf("%q, written %q: %v", text, u, err)
		}
		if again.Target() != u.Target() || again.Scheme != u.Scheme || again.Port != u.Port {
			t.Errorf("%q, written %q, becomes %q", text, u, again)
		}
	})
}
