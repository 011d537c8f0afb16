package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wire renders requests as the tests below write them: request line, then
// what is worth knowing.
func wire(requests []Request) []string {
	var out []string
	for _, r := range requests {
		s := r.Line()
		for _, host := range r.Values("Host") {
			s += " host=" + host
		}
		if r.TLS {
			s += " tls=" + r.ServerName
		}
		for _, hop := range r.Via {
			s += " via=" + hop
		}
		if r.Chunked {
			s += " chunked"
		}
		if r.Truncated {
			s += " truncated"
		}
		if len(r.Body) > 0 {
			s += fmt.Sprintf(" body=%q", r.Body)
		}
		out = append(out, s)
	}
	return out
}

func TestRun(t *testing.T) {
	Require(t)
	big := strings.Repeat("x", 2<<20)
	tests := []struct {
		name   string
		script string
		setup  Setup
		want   []string
		exit   int
	}{
		{
			name:   "plain",
			script: `curl -s 'http://h.test/a?b#c'`,
			want:   []string{"GET /a?b HTTP/1.1 host=h.test"},
		},
		{
			name:   "words are bash's",
			script: `A=(x 'y z'); for v in "${A[@]}"; do curl -s h.test -d "$v"; done`,
			want: []string{
				`POST / HTTP/1.1 host=h.test body="x"`,
				`POST / HTTP/1.1 host=h.test body="y z"`,
			},
		},
		{
			name:   "several requests on one connection",
			script: `curl -s h.test/1 h.test/2`,
			want:   []string{"GET /1 HTTP/1.1 host=h.test", "GET /2 HTTP/1.1 host=h.test"},
		},
		{
			name:   "head",
			script: `curl -sI h.test h.test/2`,
			want:   []string{"HEAD / HTTP/1.1 host=h.test", "HEAD /2 HTTP/1.1 host=h.test"},
		},
		{
			name:   "TLS in every operation",
			script: `curl -s https://h.test --next -s https://10.1.2.3/ --next -s 'https://[2001:db8::1]:8443'`,
			want: []string{
				"GET / HTTP/1.1 host=h.test tls=h.test",
				"GET / HTTP/1.1 host=10.1.2.3 tls=",
				"GET / HTTP/1.1 host=[2001:db8::1]:8443 tls=",
			},
		},
		{
			name:   "HTTP proxy",
			script: `curl -s -x http://p.test:3128 http://h.test/`,
			want:   []string{"GET http://h.test/ HTTP/1.1 host=h.test"},
		},
		{
			name:   "tunnel",
			script: `curl -s -x http://p.test:3128 https://h.test/`,
			want: []string{
				"CONNECT h.test:443 HTTP/1.1 host=h.test:443",
				"GET / HTTP/1.1 host=h.test tls=h.test via=connect h.test:443",
			},
		},
		{
			name:   "tunnel in TLS",
			script: `curl -s -x https://p.test:3128 https://h.test/`,
			want: []string{
				"CONNECT h.test:443 HTTP/1.1 host=h.test:443 tls=p.test",
				"GET / HTTP/1.1 host=h.test tls=h.test via=connect h.test:443",
			},
		},
		{
			name:   "SOCKS",
			script: `curl -s --socks4a u@p.test h.test; curl -s -x socks5h://u:p@p.test h.test`,
			want: []string{
				"GET / HTTP/1.1 host=h.test via=socks4 u@h.test:80",
				"GET / HTTP/1.1 host=h.test via=socks5 u:p@h.test:80",
			},
		},
		{
			name:   "Unix socket",
			script: `curl -s --unix-socket /no/such/docker.sock http://d/info`,
			want:   []string{"GET /info HTTP/1.1 host=d via=unix"},
		},
		{
			name:   "proxy protocol",
			script: `curl -s --haproxy-protocol http://h.test | cat`,
			want:   []string{"GET / HTTP/1.1 host=h.test via"},
		},
		{
			name:   "chunks",
			script: `curl -s -T - h.test/x`,
			setup:  Setup{Stdin: []byte("in\r\nput")},
			want:   []string{`PUT /x HTTP/1.1 host=h.test chunked body="in\r\nput"`},
		},
		{
			name:   "Expect",
			script: `curl -s -H 'Expect: 100-continue' -T big h.test/`,
			setup:  Setup{Files: map[string][]byte{"big": []byte(big)}},
			want:   []string{fmt.Sprintf("PUT /big HTTP/1.1 host=h.test body=%q", big)},
		},
		{
			name:   "less than announced",
			script: `curl -s -m 1.5 -H 'Content-Length: 5' -d abc h.test`,
			want:   []string{`POST / HTTP/1.1 host=h.test truncated body="abc"`},
		},
		{
			name:   "environment and files in directories",
			script: `curl -s "$BASE/" -d @d/e`,
			setup:  Setup{Env: map[string]string{"BASE": "h.test"}, Files: map[string][]byte{"d/e": []byte("f")}},
			want:   []string{`POST / HTTP/1.1 host=h.test body="f"`},
		},
		{
			name:   "refused",
			script: `curl -s -d a -F b=c h.test`,
			exit:   2,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Run(context.Background(), test.script, test.setup)
			if err != nil {
				t.Fatal(err)
			}
			lines := wire(got.Requests)
			for i := range lines {
				// What follows is addresses of the moment.
				lines[i], _, _ = strings.Cut(lines[i], "=proxy-protocol ")
			}
			if !slices.Equal(lines, test.want) {
				t.Errorf("%s\ngot  %.300q\nwant %.300q\n%s", test.script, lines, test.want, got.Stderr)
			}
			if test.exit != 0 && got.Exit != test.exit {
				t.Errorf("exit %d, want %d", got.Exit, test.exit)
			}
		})
	}
}

func TestRunArgsKeepsBytes(t *testing.T) {
	Require(t)
	args := []string{"-s", "h.test", "-H", "A: \xff\" '", "-d", "\x01\xfe\r\n'"}
	got, err := RunArgs(context.Background(), args, Setup{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Requests) != 1 {
		t.Fatalf("%d requests\n%s", len(got.Requests), got.Stderr)
	}
	req := got.Requests[0]
	if want := "A: \xff\" '"; !slices.Contains(req.Lines, want) {
		t.Errorf("no line %q in %q", want, req.Lines)
	}
	if want := "\x01\xfe\r\n'"; string(req.Body) != want {
		t.Errorf("body %q, want %q", req.Body, want)
	}
}

func TestRunReusesConnections(t *testing.T) {
	Require(t)
	got, err := RunArgs(context.Background(), []string{"-s", "h.test/[1-3]", "-d", "x"}, Setup{})
	if err != nil {
		t.Fatal(err)
	}
	for i, req := range got.Requests {
		if want := fmt.Sprintf("/%d", i+1); req.Target != want || req.Conn != 1 {
			t.Errorf("request %d is for %s on connection %d, want %s on 1", i, req.Target, req.Conn, want)
		}
	}
	if len(got.Requests) != 3 {
		t.Errorf("%d requests, want 3", len(got.Requests))
	}
}

func TestRunRefusesFilesOutside(t *testing.T) {
	Require(t)
	for _, name := range []string{"/etc/x", "../x"} {
		if _, err := RunArgs(context.Background(), nil, Setup{Files: map[string][]byte{name: nil}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCurlVersion(t *testing.T) {
	Require(t)
	v, err := CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	if v.Compare(Version{7, 0, 0}) < 0 {
		t.Errorf("curl is %v", v)
	}
}
