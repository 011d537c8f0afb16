package peer_test

import (
	"strings"
	"testing"

	"uncoil/internal/engine/peer"
	"uncoil/request"
)

// What curl 8.22 does with --connect-to and --resolve: lib/url.c, lib/vdns/dnscache.c.
func TestConnect(t *testing.T) {
	for _, c := range []struct {
		host, port         string
		connectTo, resolve []string
		want               string // name, port, addresses
		option             string
	}{
		{"h.test", "80", nil, nil, "h.test 80", ""},
		{"h.test", "80", []string{"H.TEST:80:x:1"}, nil, "x 1", "connectTo"},
		{"h.test", "80", []string{"h.test:81:x:1", "g.test:80:y:1"}, nil, "h.test 80", ""},
		{"h.test", "80", []string{"::x:"}, nil, "x 80", "connectTo"},
		{"h.test", "80", []string{":080::9"}, nil, "h.test 9", "connectTo"},
		{"h.test", "80", []string{"h.test::x"}, nil, "x 80", "connectTo"},
		{"h.test", "80", []string{"", "h.test", "h.test:80", "h.test:80:", "h.test:80:::", "::y:"}, nil, "h.test 80", ""},
		{"h.test", "80", []string{"h.test::h.test:80", "::y:"}, nil, "h.test 80", ""},
		{"h.test", "80", []string{"::x:", "::y:"}, nil, "x 80", "connectTo"},
		{"::1", "80", []string{"[::1]:80:[::2]:81"}, nil, "::2 81", "connectTo"},
		{"test", "80", []string{"tes:80:x:1", "test.x:80:y:1"}, nil, "test 80", ""},
		{"h.test", "80", nil, []string{"h.test:80:1.2.3.4,[::1]"}, "h.test 80 1.2.3.4 ::1", "resolve"},
		{"h.test", "80", nil, []string{"h.test:443:1.2.3.4"}, "h.test 80", ""},
		{"h.test", "80", nil, []string{"*:80:1.1.1.1", "+H.test:80:2.2.2.2", "*:80:3.3.3.3"}, "h.test 80 2.2.2.2", "resolve"},
		{"h.test", "80", nil, []string{"h.test:80:2.2.2.2", "-h.test:80"}, "h.test 80", ""},
		{"h.test", "80", nil, []string{"h.test:80:2.2.2.2", "*:80:1.1.1.1", "-h.test:80"}, "h.test 80 1.1.1.1", "resolve"},
		{"h.test", "80", nil, []string{"-h.test:80", "h.test:80:2.2.2.2"}, "h.test 80 2.2.2.2", "resolve"},
		{"::1", "80", nil, []string{"[::1]:80:1.2.3.4"}, "::1 80 1.2.3.4", "resolve"},
		{"h.test", "80", []string{"::x:9"}, []string{"h.test:80:1.2.3.4", "x:9:5.6.7.8"}, "x 9 5.6.7.8", "resolve"},
	} {
		to, addresses, option := peer.Table{ConnectTo: c.connectTo, Resolve: c.resolve}.Connect(peer.Host{Name: c.host, Port: c.port})
		got := strings.Join(append([]string{to.Name, to.Port}, addresses...), " ")
		if got != c.want || option != c.option {
			t.Errorf("%s:%s with %q %q: %s by %q, want %s by %q", c.host, c.port, c.connectTo, c.resolve, got, option, c.want, c.option)
		}
	}
}

func TestOf(t *testing.T) {
	list := func(entries ...string) []string { return entries }
	for _, c := range []struct {
		url     string
		options request.Options
		want    string
	}{
		{"http://h.test/", nil, ""},
		{"http://h.test/", request.Options{{Name: "interface", Value: "eth0"}, {Name: "dnsServers", Value: "1.1.1.1"}}, ""},
		{"http://h.test/", request.Options{{Name: "proxy", Value: "p"}, {Name: "unixSocket", Value: "/s"}}, "unixSocket"},
		{"http://h.test/", request.Options{{Name: "proxy", Value: ""}}, ""},
		{"http://h.test/", request.Options{{Name: "proxy", Value: "p"}, {Name: "noproxy", Value: "*"}}, ""},
		{"http://a.h.test/", request.Options{{Name: "proxy", Value: "p"}, {Name: "noproxy", Value: "h.test"}}, ""},
		{"http://10.1.2.3:8/", request.Options{{Name: "proxy", Value: "p"}, {Name: "noproxy", Value: "10.0.0.0/8"}}, ""},
		{"http://11.1.2.3:8/", request.Options{{Name: "proxy", Value: "p"}, {Name: "noproxy", Value: "10.0.0.0/8"}}, "proxy"},
		{"http://h.test/", request.Options{{Name: "preproxy", Value: "p"}}, "preproxy"},
		{"http://u:p@h.test:81/", request.Options{{Name: "connectTo", Value: list("h.test:81:x:1")}}, "connectTo"},
		{"https://h.test", request.Options{{Name: "connectTo", Value: list("h.test:80:x:1")}}, ""},
		{"https://h.test", request.Options{{Name: "connectTo", Value: list("h.test::h.test:443")}}, ""},
		{"https://h.test", request.Options{{Name: "resolve", Value: list("h.test:443:1.2.3.4")}}, "resolve"},
		{"http://1.2.3.4/", request.Options{{Name: "resolve", Value: list("1.2.3.4:80:1.2.3.4")}}, ""},
		{"http://[::1]/", request.Options{{Name: "resolve", Value: list("[::1]:80:[0::1]")}}, ""},
		{"http://localhost:3/", request.Options{{Name: "resolve", Value: list("localhost:3:127.0.0.1")}}, ""},
		{"http://localhost:3/", request.Options{{Name: "resolve", Value: list("localhost:3:10.0.0.1")}}, "resolve"},
		{"http://$HOST/", request.Options{{Name: "resolve", Value: list("h.test:80:10.0.0.1")}}, "resolve"},
		{"http://h.test/", request.Options{{Name: "proxy", Value: "p"}, {Name: "noproxy", Value: "h.test"}, {Name: "connectTo", Value: list("::x:")}}, "connectTo"},
	} {
		r := &request.Request{URL: c.url, Options: c.options}
		got := ""
		if o := peer.Of(r); o != nil {
			got = o.Name
		}
		if got != c.want {
			t.Errorf("%s %v: %q, want %q", c.url, c.options, got, c.want)
		}
		if doubt := peer.Doubt(r, ""); (doubt != nil) != (c.want != "") || doubt != nil && !strings.HasPrefix(doubt.Option, "--") {
			t.Errorf("%s %v: the doubt %v", c.url, c.options, doubt)
		}
	}
}
