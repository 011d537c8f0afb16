package plan

import (
	"testing"

	"uncoil/request"
)

func TestConnection(t *testing.T) {
	for _, c := range []struct {
		url                string
		connectTo, resolve []string
		host, port         string
	}{
		{"http://h.test/", nil, nil, "", ""},
		{"http://h.test/", nil, []string{"h.test:80:1.2.3.4,5.6.7.8"}, "1.2.3.4", "80"},
		{"http://h.test/", nil, []string{"h.test:81:1.2.3.4", "x.test:80:1.1.1.1"}, "", ""},
		{"https://h.test/", nil, []string{"*:443:1.1.1.1", "+H.test:443:[::1]"}, "::1", "443"},
		{"https://h.test:8/", nil, []string{"*:8:1.1.1.1"}, "1.1.1.1", "8"},
		{"http://h.test/", []string{"::x.test:81"}, nil, "x.test", "81"},
		{"http://h.test/", []string{"y.test::x.test:81", "h.test:80:[::1]:"}, nil, "::1", "80"},
		{"http://h.test/", []string{"::x.test:81"}, []string{"h.test:80:1.2.3.4", "x.test:81:2.2.2.2"}, "2.2.2.2", "81"},
		{"http://[::1]:7/", []string{"[::1]:7::9"}, nil, "::1", "9"},
	} {
		r := &request.Request{URL: c.url}
		options := []request.Option{{Name: "connectTo", Value: c.connectTo}, {Name: "resolve", Value: c.resolve}}
		for _, o := range options {
			if o.Value.([]string) != nil {
				r.Options = append(r.Options, o)
			}
		}
		p := &Program{Target: new(Target)}
		p.addCall(r)
		host, port := p.Calls[0].Connection()
		if host != c.host || port != c.port {
			t.Errorf("%s %q %q connects to %q, %q, want %q, %q", c.url, c.connectTo, c.resolve, host, port, c.host, c.port)
		}
	}
}
