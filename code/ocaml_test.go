package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestOCaml checks what cohttp is told, and what it would send otherwise.
func TestOCaml(t *testing.T) {
	target, _ := code.Lookup("ocaml")
	for command, want := range map[string]string{
		"curl https://h.test/ -X PURGE":                                    "Client.call ~chunked:false (`Other \"PURGE\") (Uri.of_string \"https://h.test/\")",
		"curl https://h.test/ -X OPTIONS":                                  "Client.call ~chunked:false `OPTIONS",
		"curl https://h.test/ -X GET -d a":                                 "let content = \"a\" in\n  let headers",
		"curl https://h.test/ -X GET -d b":                                 `("content-length", string_of_int (String.length content))`,
		"curl https://h.test/ -d a -H 'Transfer-Encoding: chunked'":        "Client.post ~chunked:true",
		"curl https://h.test/ -X GET -d c -H 'Transfer-Encoding: chunked'": "(\"transfer-encoding\", \"chunked\");",
		"curl https://h.test/ -H 'X-A: 1' -H 'x-a: 2'":                     `[ ("x-a", "1, 2") ]`,
		"curl https://h.test/ -k -m 1":                                     "Ssl.set_verify Conduit_lwt_unix_ssl.Client.default_ctx [] None;\n  let* _, body =\n    Lwt_unix.with_timeout 1. (fun () -> Client.get",
		"curl https://h.test/ -E c.pem":                                    `Ssl.use_certificate Conduit_lwt_unix_ssl.Client.default_ctx "c.pem" "c.pem";`,
		"curl https://h.test/ -f -o d/f":                                   "if status >= 400 then failwith",
		"curl https://h.test/ -I":                                          "let* response = Client.head (Uri.of_string \"https://h.test/\") in\n  print_string",
		"curl https://h.test/a --next -d '{|\"|}' https://h.test/b":        `let body2 = Cohttp_lwt.Body.of_string "{|\"|}" in`,
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for command, comment := range map[string]string{
		"curl https://h.test/ -L": "(* -L is left out", "curl https://h.test/ --cacert f": "(* cohttp-lwt-unix trusts the certificates of the system as well; curl does not *)",
		"curl -g 'http://[::1]/'": "", "curl https://h.test/ -x p": "", "curl https://h.test/ -A ''": "",
		"curl -k https://h.test/a --next https://h.test/b": "(* -k is left out",
	} {
		if program, diags := write(t, target, command); !strings.Contains(diags, "cannot-express") || !strings.Contains(program, comment) {
			t.Errorf("%s is written without a word (%q):\n%s", command, diags, program)
		}
	}
}
