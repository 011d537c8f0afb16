package urlparts_test

import (
	"testing"

	"uncoil/internal/engine/urlparts"
)

func TestOf(t *testing.T) {
	for _, test := range []struct{ url, scheme, authority, path, query, fragment string }{
		{url: ""},
		{url: "h", authority: "h"},
		{url: "http://h", scheme: "http", authority: "h"},
		{url: "http://h/", scheme: "http", authority: "h", path: "/"},
		{url: "HTTPS://u:p@h:1/a/b?c=/d?e#f?/", scheme: "HTTPS", authority: "u:p@h:1", path: "/a/b", query: "?c=/d?e", fragment: "#f?/"},
		{url: "http://h?to=http://i/", scheme: "http", authority: "h", query: "?to=http://i/"},
		{url: "http://h#f/?", scheme: "http", authority: "h", fragment: "#f/?"},
		{url: "h/a?to=http://i", authority: "h", path: "/a", query: "?to=http://i"},
		{url: "http://[::1]:80/a", scheme: "http", authority: "[::1]:80", path: "/a"},
	} {
		p := urlparts.Of(test.url)
		got := [...]string{urlparts.Scheme(test.url), test.url[p.Authority:p.Path], test.url[p.Path:p.Query], test.url[p.Query:p.Fragment], test.url[p.Fragment:]}
		if want := [...]string{test.scheme, test.authority, test.path, test.query, test.fragment}; got != want {
			t.Errorf("%q has the parts %q, want %q", test.url, got, want)
		}
	}
}
