package code_test

import (
	"strings"
	"testing"

	"uncoil"
	"uncoil/code"
	"uncoil/diag"
)

// TestRefuses checks that no target leaves out in silence what makes the
// request another one.
func TestRefuses(t *testing.T) {
	for _, command := range []string{
		"curl --ntlm -u a:b http://h.test/",
		"curl --negotiate -u : http://h.test/",
		"curl --anyauth -u a:b http://h.test/",
		"curl --aws-sigv4 aws:amz -u a:b http://h.test/",
		"curl -F 'a=(;type=multipart/mixed' -F b=1 -F '=)' http://h.test/",
		"curl -F 'a=b;encoder=base64' http://h.test/",
		"curl -H @fields.txt http://h.test/",
	} {
		r, err := uncoil.Parse(command, uncoil.Input{})
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, target := range code.Targets() {
			if target.Client == "curl" && target.Kind == code.Command {
				continue // curl itself can do all that
			}
			program, diags := target.Append(nil, r.Requests, code.Options{})
			if d := diags.Err(); d == nil || d.Code != diag.CodeCannotExpress {
				t.Errorf("%s writes a program for %s:\n%s", target.Name, command, program)
			}
		}
	}
}

// TestMissingCookies checks that a cookie file that was not supplied is read by
// the program, or refused, also where -b gives cookies as well.
func TestMissingCookies(t *testing.T) {
	for _, command := range []string{
		"curl -b jar.txt http://h.test/",
		"curl -b a=1 -b jar.txt http://h.test/",
		"curl -b jar.txt --cookie a=1 http://h.test/",
	} {
		r, err := uncoil.Parse(command, uncoil.Input{})
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, target := range code.Targets() {
			program, diags := target.Append(nil, r.Requests, code.Options{})
			if diags.Err() == nil && !strings.Contains(string(program), "jar.txt") {
				t.Errorf("%s leaves out the file of %s:\n%s", target.Name, command, program)
			}
		}
		supplied := uncoil.Input{Files: map[string][]byte{"jar.txt": []byte("h.test\tFALSE\t/\tFALSE\t0\tx\ty\n")}}
		r, err = uncoil.Parse(command, supplied)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, target := range code.Targets() {
			program, diags := target.Append(nil, r.Requests, code.Options{})
			if diags.Err() != nil || strings.Contains(string(program), "jar.txt") || !strings.Contains(string(program), "x=y") {
				t.Errorf("%s reads the file of %s, which was supplied: %v\n%s", target.Name, command, diags, program)
			}
		}
	}
}
