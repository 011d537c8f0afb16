package plan

import (
	"strings"
	"testing"

	"uncoil/request"
)

// TestStops checks which programs keep their client from following redirects.
func TestStops(t *testing.T) {
	follows := request.Option{Name: "followRedirects", Value: true}
	for _, c := range []struct {
		what             string
		method           string
		options          []request.Option
		idiomatic, exact bool
	}{
		{"nothing is said", "GET", nil, false, true},
		{"a body", "POST", nil, false, true},
		{"-L", "GET", []request.Option{follows}, false, false},
		{"-I", "HEAD", nil, true, true},
		{"-I -L", "HEAD", []request.Option{follows}, false, false},
		{"-i", "GET", []request.Option{{Name: "showHeaders", Value: true}}, true, true},
		{"-i -L", "GET", []request.Option{{Name: "showHeaders", Value: true}, follows}, false, false},
		{"-D", "GET", []request.Option{{Name: "dumpHeader", Value: "-"}}, true, true},
		{"-w", "POST", []request.Option{{Name: "writeOut", Value: "%{http_code}"}}, true, true},
		{"-o", "GET", []request.Option{{Name: "output", Value: "f"}}, false, true},
	} {
		for style, want := range map[Style]bool{Idiomatic: c.idiomatic, Exact: c.exact} {
			p := &Program{Target: new(Target)}
			p.Options.Style = style
			p.addCall(&request.Request{Method: c.method, URL: "http://h.test/", Options: c.options})
			if got := p.Calls[0].Stops(); got != want {
				t.Errorf("style %d, %s: redirects are switched off: %t, want %t", style, c.what, got, want)
			}
			if call := p.Calls[0]; call.LeavesRedirects() != (!call.Asked.Follow && !want) {
				t.Errorf("style %d, %s: LeavesRedirects does not agree", style, c.what)
			}
		}
	}
}

// TestIsPlain checks which words of a command become a part of a variable's name.
func TestIsPlain(t *testing.T) {
	for word, want := range map[string]bool{
		"token": true, "a.b-c/d_1": true, "": false, "1a": false, "-a": false, "a b": false, "a=b": false, "aé": false,
		strings.Repeat("a", longestName): true, strings.Repeat("a", longestName+1): false,
	} {
		if got := isPlain(word); got != want {
			t.Errorf("%q is plain: %t", word, got)
		}
	}
}
