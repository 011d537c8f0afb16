package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestNetrc checks that a program keeps its client from ~/.netrc, but with -n, and where
// the client needs no telling because it has credentials.
func TestNetrc(t *testing.T) {
	const none, field, login, reads = "curl https://h.test/", "curl https://h.test/ -H 'Authorization: Bearer t'", "curl https://h.test/ -u a:b", "curl -n https://h.test/"
	for target, c := range map[string]struct {
		off       string
		withField bool // also where the command has the field Authorization
		canRead   bool
	}{
		"python-requests": {"auth=lambda request: request", true, true},
		"python-httpx":    {"auth=httpx.Auth()", false, false},
		"httpie":          {"--ignore-netrc", true, true},
		"ansible":         {"use_netrc: false", true, true},
		"wget":            {"--no-netrc", true, true},
	} {
		found, _ := code.Lookup(target)
		for command, want := range map[string]bool{none: true, field: c.withField, login: false, reads: !c.canRead, reads + " -H 'Authorization: x'": c.withField} {
			program, diags := write(t, found, command)
			if strings.Contains(program, c.off) != want {
				t.Errorf("%s: %s has %s: %t\n%s", target, command, c.off, !want, program)
			}
			if asks := strings.HasPrefix(command, reads); (diags != "") != (asks && !c.canRead) {
				t.Errorf("%s: %s warns %q", target, command, diags)
			}
		}
	}
	requests, _ := code.Lookup("python-requests")
	if program, diags := write(t, requests, "curl -n https://h.test/ --next https://g.test/"); strings.Count(program, "auth=lambda") != 1 || diags != "" {
		t.Errorf("a program with -n for one request of two: %q\n%s", diags, program)
	}
	// After a redirect requests asks the file whatever auth is.
	for command, warns := range map[string]bool{"curl -L https://g.test/": false, "curl -n https://h.test/ --next -L https://g.test/": true} {
		program, diags := write(t, requests, command)
		if strings.Contains(program, `os.environ["NETRC"] = ""`) == warns || strings.Contains(diags, "cannot-express") != warns {
			t.Errorf("%s: %q\n%s", command, diags, program)
		}
	}
}
