package code_test

import (
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
	} {
		r, err := uncoil.Parse(command, uncoil.Input{})
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, target := range code.Targets() {
			program, diags := target.Append(nil, r.Requests, code.Options{})
			if d := diags.Err(); d == nil || d.Code != diag.CodeCannotExpress {
				t.Errorf("%s writes a program for %s:\n%s", target.Name, command, program)
			}
		}
	}
}
