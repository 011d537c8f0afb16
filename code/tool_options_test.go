package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// TestToolOptions holds what files of tools have for an option, so that no warning says
// that the file leaves it out, and the words where it does.
func TestToolOptions(t *testing.T) {
	for _, c := range []struct {
		target, command string
		has             string // in the file
		says            string // of the warnings, "" for none
	}{
		{"hurl", "curl --retry 2 --retry-delay 3 http://h.test/", "retry-interval: 3000\n", "Hurl tries again after every status of 400 and more, and fails where the last try does\n"},
		{"hurl", "curl --limit-rate 2k http://h.test/", "limit-rate: 2048\n", ""},
		{"hurl", "curl -n http://h.test/", "netrc: true\n", ""},
		{"hurl", "curl --netrc-optional http://h.test/", "netrc-optional: true\n", ""},
		{"hurl", "curl --netrc-file 'a b' http://h.test/", `netrc-file: a\ b`, ""},
		{"hurl", "curl --data-binary @/tmp/a http://h.test/", "file,/tmp/a;", "reads files below its file root only"},
		{"har", "curl --unix-socket /s http://h.test/", `"url": "http://h.test/"`, "has no place for --unix-socket"},
		{"http", "curl -m 2 http://h.test/", "# @timeout 2000\n", "reads @timeout in milliseconds, JetBrains in seconds"},
		{"bruno", "curl -f http://h.test/", "assert {\n  res.status: lt 400\n}\n", ""},
		{"bruno", "curl -k https://h.test/", "", "has no place for -k in this file"},
		{"bruno", "curl -x http://p.test:80 http://h.test/", "", "has no place for -x in this file"},
		{"ansible", "curl -x http://p.test:80 http://h.test/", "", "takes proxies from its settings or its environment"},
		{"postman", "curl --tls-max 1.2 https://h.test/", `"tlsDisabledProtocols": ["TLSv1_3"]`, ""},
		{"n8n", "curl --retry 9 --retry-delay 7 http://h.test/", `"maxTries": 5,`, "tries again after each error, and at most four times"},
		{"n8n", "curl --cacert a.pem https://h.test/", "", "takes certificates and keys from credentials"},
		{"jmeter", "curl -k -f https://h.test/", "", ""},
		{"jmeter", "curl --cacert a.pem https://h.test/", "", "trusts every certificate"},
		{"terraform", "curl -L --retry 2 --retry-delay 3 http://h.test/", "min_delay_ms = 3000", ""},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		target, _ := code.Lookup(c.target)
		file, diags := target.Compose(nil, r.Requests, code.Options{})
		said := ""
		for _, d := range diags {
			said += d.Message + "\n"
		}
		if diags.Err() != nil || !strings.Contains(string(file), c.has) || !strings.Contains(said, c.says) || c.says == "" && said != "" {
			t.Errorf("%s for %s says %q, want %q, and has not %q:\n%s", c.target, c.command, said, c.says, c.has, file)
		}
	}
}
