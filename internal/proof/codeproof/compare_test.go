package codeproof

import (
	"strings"
	"testing"

	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

// message reads a request as the recorder would.
func message(text string) oracle.Request {
	head, body, _ := strings.Cut(text, "\n\n")
	line, fields, _ := strings.Cut(head, "\n")
	words := strings.Fields(line)
	r := oracle.Request{Method: words[0], Target: words[1], Body: []byte(strings.ReplaceAll(body, "\n", "\r\n"))}
	if fields != "" {
		r.Lines = strings.Split(fields, "\n")
	}
	return r
}

// TestJudge holds each verdict by a request that deserves it.
func TestJudge(t *testing.T) {
	const (
		get       = "GET /a/b?x=1&y=%20\nHost: h\nUser-Agent: curl/8\nAccept: */*\nX-A: 1\nX-A: 2"
		post      = "POST /\nHost: h\nContent-Type: application/json\n\n" + `{"a":1.0,"b":[2]}`
		form      = "POST /\nHost: h\nContent-Type: application/x-www-form-urlencoded\n\na=b+c&d=%7E"
		upload    = "POST /\nHost: h\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name=\"a\"\n\n1\n--B--\n"
		nested    = "POST /\nHost: h\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name=\"a\"\nContent-Type: multipart/mixed; boundary=III\n\n--III\n\n1\n--III--\n\n--B--\n"
		named     = "POST /\nHost: h\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name=\"f\"; filename=\"a b.txt\"\n\n1\n--B--\n"
		challenge = "GET /\nHost: h\nAuthorization: Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", cnonce=\"1\", response=\"f23121ca97143c6b358da620220c83b4\""
	)
	user := func(names ...string) []request.Field {
		fields := []request.Field{{Name: "Accept", Origin: request.OriginDefault}, {Name: "User-Agent", Origin: request.OriginDefault}}
		for _, name := range names {
			fields = append(fields, request.Field{Name: name, Origin: request.OriginUser})
		}
		return fields
	}
	compressed := func(names ...string) request.Request {
		return request.Request{Fields: user(append(names, "X-A")...), Options: []request.Option{{Name: "compressed", Value: true}}}
	}
	for _, c := range []struct {
		name, want, got string
		request         request.Request
		code            string
		verdict         Verdict
	}{
		{name: "same", want: get, got: get},
		{name: "another order and case", want: get, got: "GET /a/b?x=1&y=%20\nx-a: 1\nx-a: 2\nHost: h\nUser-Agent: client/1"},
		{name: "method", want: get, got: strings.Replace(get, "GET", "get", 1), verdict: Wrong},
		{name: "another spelling of the query", want: get, got: strings.Replace(get, "%20", "+", 1), verdict: Equivalent},
		{name: "another query", want: get, got: strings.Replace(get, "x=1", "x=2", 1), verdict: Wrong},
		{name: "dot segments", want: get, got: strings.Replace(get, "/a/b", "/a/./c/../b", 1), verdict: Wrong},
		{name: "an empty query", want: "GET /a?\nHost: h", got: "GET /a\nHost: h", verdict: Equivalent},
		{name: "a type of nothing", want: "POST /\nHost: h", got: "POST /\nHost: h\nContent-Type: a/b", verdict: Equivalent},
		{name: "an encoded slash is none", want: get, got: strings.Replace(get, "/a/b", "/a%2Fb", 1), verdict: Wrong},
		{name: "joined", want: get, got: strings.Replace(get, "X-A: 1\nX-A: 2", "X-A: 1, 2", 1), verdict: Equivalent},
		{name: "lost", want: get, got: strings.Replace(get, "\nX-A: 2", "", 1), verdict: Wrong},
		{name: "a field that the client adds", want: get, got: get + "\nAccept-Language: *"},
		{name: "a field that the code adds", want: get, got: get + "\nAccept-Language: *", code: `{"Accept-Language": "*"}`, verdict: Wrong},
		{name: "a field with the end of a word for its name", want: get, got: get + "\nAccept-Language: *", code: `getenv("NO_ACCEPT-LANGUAGE")`},
		{name: "a field that nobody adds", want: get, got: get + "\nX-B: 1", verdict: Wrong},
		{name: "a removed field", want: "GET /\nHost: h", got: "GET /\nHost: h\nAccept: */*", request: request.Request{Removed: []string{"accept"}}, verdict: Wrong},
		{name: "a default that is not sent", want: get, got: strings.Replace(get, "Accept: */*\n", "", 1)},
		{name: "a field that is set like a default", want: get, got: strings.Replace(get, "*/*", "text/html", 1), request: request.Request{Fields: user("Accept")[1:]}, verdict: Wrong},
		{name: "compression that the client chooses", want: get + "\nAccept-Encoding: br", got: get, request: compressed(), verdict: Equivalent},
		{name: "compression that the command chooses", want: get + "\nAccept-Encoding: br", got: get, request: compressed("Accept-Encoding"), verdict: Wrong},
		{name: "host", want: get, got: strings.Replace(get, "Host: h", "Host: i", 1), verdict: Wrong},
		{name: "JSON with other blanks", want: post, got: strings.Replace(post, ",", ", ", 1), verdict: Equivalent},
		{name: "another number", want: post, got: strings.Replace(post, "1.0", "10", 1), verdict: Wrong},
		{name: "a number in another spelling", want: post, got: strings.Replace(post, "1.0", "100e-2", 1), verdict: Equivalent},
		{name: "a number that a double rounds", want: strings.Replace(post, "1.0", "9007199254740993", 1), got: strings.Replace(post, "1.0", "9007199254740992", 1), verdict: Wrong},
		{name: "a small number", want: strings.Replace(post, "1.0", "-0.00120", 1), got: strings.Replace(post, "1.0", "-12E-4", 1), verdict: Equivalent},
		{name: "another sign", want: post, got: strings.Replace(post, "1.0", "-1", 1), verdict: Wrong},
		{name: "no number at all", want: strings.Replace(post, "1.0", "-0.0", 1), got: strings.Replace(post, "1.0", "0e7", 1), verdict: Equivalent},
		{name: "another type", want: post, got: strings.Replace(post, "json", "json; charset=utf-8", 1), verdict: Equivalent},
		{name: "no content", want: post, got: strings.SplitN(post, "\n\n", 2)[0], verdict: Wrong},
		{name: "form", want: form, got: strings.NewReplacer("+", "%20", "%7E", "~").Replace(form), verdict: Equivalent},
		{name: "JSON with the type of a form", want: strings.Replace(form, "a=b+c&d=%7E", `{"a":1}`, 1), got: strings.Replace(form, "a=b+c&d=%7E", "%7B%22a%22:1%7D", 1), verdict: Wrong},
		{name: "form in another order", want: form, got: strings.Replace(form, "a=b+c&d=%7E", "d=%7E&a=b+c", 1), verdict: Wrong},
		{name: "boundary", want: upload, got: strings.NewReplacer("boundary=B", "boundary=CC", "--B", "--CC").Replace(upload)},
		{name: "inner boundary", want: nested, got: strings.ReplaceAll(nested, "III", "J")},
		{name: "another inner part", want: nested, got: strings.Replace(nested, "\n1\n", "\n2\n", 1), verdict: Wrong},
		{name: "another part", want: upload, got: strings.Replace(upload, "\n1\n", "\n2\n", 1), verdict: Wrong},
		{name: "a part's type", want: upload, got: strings.Replace(upload, "\n\n1", "\nContent-Type: text/plain\n\n1", 1), verdict: Equivalent},
		{name: "a file name that is a token, and there again", want: named, got: strings.Replace(named, `"a b.txt"`, "a b.txt; filename*=utf-8''a%20b.txt", 1), verdict: Equivalent},
		{name: "another file name", want: named, got: strings.Replace(named, "a b.txt", "b.txt", 1), verdict: Wrong},
		{name: "another file name of a second kind", want: named, got: strings.Replace(named, `"a b.txt"`, `"a b.txt"; filename*=utf-8''c.txt`, 1), verdict: Wrong},
		{name: "another name of a part", want: named, got: strings.Replace(named, `"f"`, "g", 1), verdict: Wrong},
		{name: "blanks around parameters", want: get + "\nAccept-Language: a,b;q=0.9", got: get + "\nAccept-Language: a, b; q=0.9", request: request.Request{Fields: user("Accept-Language")}, verdict: Equivalent},
		{name: "another parameter", want: get + "\nAccept-Language: a,b;q=0.9", got: get + "\nAccept-Language: a, b; q=0.8", request: request.Request{Fields: user("Accept-Language")}, verdict: Wrong},
		{name: "digest", want: challenge, got: strings.Replace(challenge, `cnonce="1"`, `cnonce="7"`, 1), verdict: Equivalent},
		{name: "digest of another password", want: challenge, got: strings.Replace(challenge, "f2312", "00000", 1), request: request.Request{Auth: &request.Auth{Password: "p"}}, verdict: Wrong},
		{name: "digest of another user", want: challenge, got: strings.Replace(challenge, `"u"`, `"v"`, 1), verdict: Wrong},
		{name: "a cookie that a file gives", want: get + "\nCookie: a=1; b=2", got: get, verdict: Wrong},
		{name: "cookies in another order", want: get + "\nCookie: a=1; b=2", got: get + "\nCookie: b=2; a=1", verdict: Equivalent},
	} {
		if c.request.Fields == nil {
			c.request.Fields = user("X-A", "Content-Type", "Authorization", "Cookie")
		}
		client := Client{Adds: []string{"User-Agent", "Accept", "Accept-Language"}, Code: c.code}
		curl, program := Run{Requests: []oracle.Request{message(c.want)}}, Run{Requests: []oracle.Request{message(c.got)}}
		if got, reason := client.Judge([]request.Request{c.request}, &curl, &program); got != c.verdict {
			t.Errorf("%s: %v (%s), want %v", c.name, got, reason, c.verdict)
		}
	}
	// The second request asks for a field that the client adds to the first.
	asking := []request.Request{{}, {Fields: user("Accept-Language")}}
	curl := Run{Requests: []oracle.Request{message(get), message(get + "\nAccept-Language: de")}}
	program := Run{Requests: []oracle.Request{message(get + "\nAccept-Language: *"), message(get + "\nAccept-Language: de")}}
	for code, want := range map[string]Verdict{`{"Accept-Language": "de"}`: Identical, `{"Accept-Language": "*"}, {"Accept-Language": "de"}`: Wrong} {
		client := Client{Adds: []string{"Accept-Language"}, Code: code}
		if got, reason := client.Judge(asking, &curl, &program); got != want {
			t.Errorf("%s: %v (%s), want %v", code, got, reason, want)
		}
	}
	none, one := Run{Exit: 1}, Run{Requests: []oracle.Request{message(get)}}
	two := Run{Requests: append(one.Requests, one.Requests...)}
	client := Client{}
	for _, c := range []struct {
		curl, program *Run
		verdict       Verdict
	}{{&one, &none, Fails}, {&one, &two, Wrong}, {&two, &one, Wrong}, {&one, &Run{Requests: one.Requests, Exit: 1}, Fails}} {
		if got, reason := client.Judge(make([]request.Request, 2), c.curl, c.program); got != c.verdict {
			t.Errorf("%d and %d requests: %v (%s), want %v", len(c.curl.Requests), len(c.program.Requests), got, reason, c.verdict)
		}
	}
}

// TestAt holds which commands can be led to a recorder.
func TestAt(t *testing.T) {
	const host = "127.0.0.1:99"
	for command, want := range map[string]string{
		"curl https://a.test/x":                            "curl http://127.0.0.1:99/x",
		"curl 'http://u:p@a.test:8080/x?y'":                "curl 'http://u:p@127.0.0.1:99/x?y'",
		"curl -x http://p.test:3128 http://a.test/":        "curl -x http://127.0.0.1:99 http://127.0.0.1:99/",
		"curl a.test/x":                                    "",
		"curl -x p.test:3128 http://a.test/":               "",
		"curl http://a.test/ --resolve a.test:80:10.0.0.1": "",
		"curl http://$HOST/":                               "",
		"curl ftp://a.test/":                               "",
	} {
		c, _, ok := Case{Command: command}.At(host)
		if ok != (want != "") || ok && c.Command != want {
			t.Errorf("%s is led there as %q, %v; want %q", command, c.Command, ok, want)
		}
	}
}

// TestDepends holds that a case depends on what it is given where that decides
// its requests.
func TestDepends(t *testing.T) {
	setup := oracle.Setup{Files: map[string][]byte{".netrc": []byte("default login u password p\n"), "a.txt": []byte("x")}, Env: map[string]string{"X": "y"}}
	for command, want := range map[string]bool{
		"curl http://a.test/":                false,
		"curl -n http://a.test/":             true,
		"curl http://a.test/ -H \"A: $X\"":   true,
		"curl http://a.test/ -T a.txt":       true,
		"curl http://a.test/ -K missing.txt": false,
	} {
		if got := (Case{Command: command, Setup: setup}).Depends(); got != want {
			t.Errorf("%s depends on its setup: %v, want %v", command, got, want)
		}
	}
}
