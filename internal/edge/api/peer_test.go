package api

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
)

// TestOtherPeer holds that the four members have a doubt where curl connects elsewhere, and
// that the answers which keep the option have none.
func TestOtherPeer(t *testing.T) {
	for command, want := range map[string]string{
		"curl http://h.test -k -L":                                               "",
		"curl --unix-socket /run/s http://localhost/v1":                          "--unix-socket",
		"curl --socks5-hostname p.test http://h.test":                            "--socks5-hostname",
		"curl -x p.test --noproxy h.test http://h.test":                          "",
		"curl --connect-to h.test:443:staging.test: https://h.test":              "--connect-to",
		"curl --connect-to h.test:80:staging.test: https://h.test":               "",
		"curl --resolve *:443:10.0.0.1 https://h.test":                           "--resolve",
		"curl --interface eth0 --dns-servers 10.0.0.1 http://h.test":             "",
		"curl -H \"A: $(curl --unix-socket /s http://localhost)\" http://h.test": "",
	} {
		for _, as := range []As{AsConvert, AsParse, AsCode} {
			r := Request{Curl: command, Input: engine.Input{}}
			r.Doubts = true
			if as == AsCode {
				r.Target = "curl"
			}
			_, answer, err := r.Answer(nil, as)
			if err != nil {
				t.Errorf("%s as %s: %v", command, as, err)
				continue
			}
			got := ""
			for _, w := range answer.Warnings {
				if w.Code == diag.WarnOtherPeer {
					got += w.Option
				}
			}
			if as == AsConvert && got != want || as != AsConvert && got != "" {
				t.Errorf("%s as %s: the doubt names %q, want %q", command, as, got, want)
			}
		}
	}
}
