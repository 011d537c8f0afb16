package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestJulia checks what HTTP.jl has arguments for, and what it would send
// otherwise.
func TestJulia(t *testing.T) {
	target, _ := code.Lookup("julia")
	for command, want := range map[string]string{
		"curl -X PURGE https://h.test/":                                 "HTTP.request(\n    \"PURGE\",\n    \"https://h.test/\",",
		"curl https://h.test/ -A '' -H Accept: -H Host:":                `headers=["Accept" => "", "User-Agent" => "", "Host" => ""]`,
		"curl -g 'http://[::1]:9000/a'":                                 `headers=["Host" => "[::1]:9000"]`,
		"curl https://h.test/ -H 'cookie: a=b' -H 'X-A: 1' -H 'X-A: 2'": `headers=["Cookie" => "a=b", "X-A" => "1", "X-A" => "2"]`,
		"curl https://h.test/ -d a=b%20c":                               `body=HTTP.escapeuri(["a" => "b c"])`,
		"curl https://h.test/ -d a=b~":                                  `body="a=b~"`,
		"curl https://h.test/ -T - -H 'Transfer-Encoding: chunked'":     `body=String(read(stdin))`,
		"curl https://h.test/ -F 'a=1;type=t/p' -F b=@f.png":            `"a" => HTTP.Multipart(nothing, IOBuffer("1"), "t/p")`,
		"curl https://h.test/ -X DELETE -F a=1":                         `headers=["Content-Type" => "multipart/form-data; boundary=uncoil"]`,
		"curl https://h.test/ -L -X PUT":                                "redirect_limit=50,\n    redirect_method=:same,\n    cookies=false,",
		"curl https://h.test/ -m 1.5 --connect-timeout 3 -f":            "readtimeout=2,\n    connect_timeout=3,\n)\nresponse.status >= 400 && error(\"HTTP $(response.status)\")",
		"curl https://h.test/ -x p":                                     `proxy="http://p:1080"`,
		"curl https://h.test/ -x ''":                                    `proxy=nothing`,
		"curl https://h.test/ -o f --compressed -k":                     "require_ssl_verification=false,\n)\nwrite(\"f\", response.body)",
		"curl https://h.test/ --data-urlencode a@f":                     `"a=" * replace(HTTP.escapeuri(String(read("f"))), "%20" => "+")`,
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for _, command := range []string{
		"curl https://h.test:8443/ -x p", "curl https://h.test/ -H 'X-A;'", "curl https://h.test/ --retry 2", "curl https://h.test/ -L -b a=b",
		"curl --digest -u a:b https://h.test/", "curl https://h.test/ --cacert f",
	} {
		if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is written without a word:\n%s", command, program)
		}
	}
}
