package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestCodingsThatAreDecoded holds that the program of a client that gives content as it was sent
// where the program sets Accept-Encoding leaves the field to the client where curl decodes, or
// says that it does not.
func TestCodingsThatAreDecoded(t *testing.T) {
	for _, name := range strings.Fields("go java kotlin groovy scala java-httpurlconnection java-okhttp kotlin-okhttp kotlin-okhttp4 java-restclient java-rest-assured java-unirest ruby ruby-faraday node-http node-undici python-http python-urllib crystal elixir") {
		target, _ := code.Lookup(name)
		for text, want := range map[string]bool{ // whether the field is there
			"curl --compressed http://h.test/ -H 'accept-encoding: gzip, br'":                 false,
			"curl --compressed --no-compressed http://h.test/ -H 'accept-encoding: gzip, br'": true,
			"curl http://h.test/ -H 'Accept-Encoding: gzip, br'":                              true,
		} {
			if program, _ := compose(t, target, text, code.StyleIdiomatic); strings.Contains(program, "gzip, br") != want {
				t.Errorf("%s: %s\n%s", name, text, program)
			}
			program, diags := compose(t, target, text, code.StyleExact)
			if told := len(diags) > 0 && diags[len(diags)-1].Option == "--compressed"; !strings.Contains(program, "gzip, br") || told == want {
				t.Errorf("%s, exact: %s: %v\n%s", name, text, diags, program)
			}
		}
	}
}
