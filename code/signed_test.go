package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestSigned holds that tools which sign for Amazon, or know NTLM, are told what curl
// signs with. newman and Bruno's command line sent the same Credential as curl 7.88 for
// such files.
func TestSigned(t *testing.T) {
	const url = " https://s3.eu-west-1.amazonaws.com/b"
	for _, c := range []struct {
		target, command string
		want            []string
		warns           bool
	}{
		{"postman", "curl -u k:s --aws-sigv4 aws:amz:r:v" + url, []string{`"awsv4"`, `"accessKey", "value": "k"`, `"region", "value": "r"`, `"service", "value": "v"`}, false},
		{"postman", "curl -u k:s --aws-sigv4 aws:amz" + url, []string{`"region", "value": "eu-west-1"`, `"service", "value": "s3"`}, false},
		{"postman", `curl --ntlm -u 'D\u:p'` + url, []string{`"ntlm"`, `"username", "value": "u"`, `"domain", "value": "D"`}, true},
		{"insomnia", "curl -u k:s --aws-sigv4 aws:amz:r:v" + url, []string{"type: iam", "accessKeyId: k", "region: r", "service: v"}, false},
		{"insomnia", `curl --ntlm -u 'D\u:p'` + url, []string{"type: ntlm", `D\u`}, false},
		{"bruno", "curl -u k:s --aws-sigv4 aws:amz:r:v" + url, []string{"auth: awsv4", "accessKeyId: k", "region: r", "service: v"}, false},
		{"bruno", `curl --ntlm -u 'D\u:p'` + url, []string{"auth: ntlm", "username: u", "domain: D"}, true},
		{"hurl", "curl -u k:s --aws-sigv4 aws:amz:r:v" + url, []string{"user: k:s", "aws-sigv4: aws:amz:r:v"}, true},
		{"hurl", "curl -u u:p --ntlm" + url, []string{"user: u:p", "ntlm: true"}, false},
		{"hurl", "curl -u u:p --negotiate" + url, []string{"negotiate: true"}, false},
		{"hurl", "curl -u u:p --digest" + url, []string{"user: u:p", "digest: true"}, true},
		{"n8n", "curl -u u:p --digest" + url, []string{`"genericAuthType": "httpDigestAuth"`}, true},
		{"curl", "curl -u k:s --aws-sigv4 aws:amz" + url, []string{"--aws-sigv4 aws:amz"}, false},
	} {
		target, _ := code.Lookup(c.target)
		program, diags := write(t, target, c.command)
		for _, want := range c.want {
			if !strings.Contains(program, want) || (diags != "") != c.warns {
				t.Errorf("%s for %s lacks %s, or %q\n%s", c.target, c.command, want, diags, program)
			}
		}
	}
	for _, target := range []string{"postman", "insomnia", "bruno"} {
		for _, command := range []string{"curl -u k:s --aws-sigv4 goog:amz:r:v" + url, "curl -u k:s --aws-sigv4 aws" + url, "curl -u k:s --aws-sigv4 aws:amz https://localhost/", "curl -u a:b --anyauth" + url, "curl -u a:b --negotiate" + url} {
			found, _ := code.Lookup(target)
			if program, diags := write(t, found, command); !strings.Contains(diags, "cannot-express") || program != "" {
				t.Errorf("%s for %s: %q\n%s", target, command, diags, program)
			}
		}
	}
}
