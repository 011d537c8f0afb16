package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestReq checks what Req has an option for, and what it would send otherwise.
func TestReq(t *testing.T) {
	target, _ := code.Lookup("elixir-req")
	for command, want := range map[string]string{
		"curl -X PURGE https://h.test/":                                     "Req.request!(\n    method: \"PURGE\",\n    url: \"https://h.test/\",",
		"curl -X OPTIONS https://h.test/":                                   "method: \"OPTIONS\"",
		"curl -g 'http://[::1]:9000/a'":                                     `headers: %{"host" => "[::1]:9000"}`,
		"curl -g 'http://[::1]/a'":                                          "Req.get!(\"http://[::1]/a\",\n    compressed",
		"curl --unix-socket /s https://h.test/":                             `connect_options: [hostname: "h.test"]`,
		"curl http://h.test/ --data-binary @-":                              `body: with(:eof <- IO.binread(:stdio, :eof), do: "")`,
		"curl -x p:1 http://h.test/":                                        `headers: %{"host" => "h.test"}`,
		"curl -x p:1 https://h.test/":                                       "Req.get!(\"https://h.test/\",\n    compressed",
		"curl --unix-socket /s http://h.test:8/":                            `headers: %{"host" => "h.test:8"}`,
		"curl http://h.test/ -H 'X-A: 1' -H 'x-a: 2'":                       `headers: %{"x-a" => ["1", "2"]}`,
		"curl http://h.test/ -d a=1 -H 'Transfer-Encoding: chunked'":        "body: Stream.concat([[\"a=1\"]])",
		"curl http://h.test/ --json '{\"a\":[1,null]}'":                     `json: %{"a" => [1, nil]}`,
		"curl http://h.test/ --json '{\"a\":1}' -H 'Accept: a/b'":           "headers: %{\"accept\" => \"a/b\"},\n    json: %{\"a\" => 1}",
		"curl http://h.test/ --json '{\"b\":1,\"a\":2}'":                    `body: ~s({"b":1,"a":2})`,
		"curl http://h.test/ --json '{\"a\":1}' -H 'Accept:'":               `body: ~s({"a":1})`,
		"curl http://h.test/ -d 'a-b=1&c=2'":                                `form: [{"a-b", "1"}, {"c", "2"}]`,
		"curl http://h.test/ -d 'a=x%20y'":                                  `body: "a=x%20y"`,
		"curl -H 'Authorization: Bearer '\"$T\" https://h.test/":            `auth: {:bearer, System.fetch_env!("T")}`,
		"curl https://h.test/ -L --location-trusted -b a=b":                 "max_redirects: 50,\n    redirect_trusted: true,",
		"curl https://h.test/ --http2 -m 12.5 --cacert c -E d":              "receive_timeout: 12500,\n    connect_options: [\n      protocols: [:http1, :http2],\n      transport_opts: [cacertfile: \"c\", certfile: \"d\", keyfile: \"d\"]\n    ]",
		"curl https://h.test/ --compressed":                                 "Req.get!(\"https://h.test/\",\n    decode_body: false,\n    redirect: false,\n    retry: false,",
		"curl 'http://h.test/?a=?'":                                         `"http://h.test/?a=?"`,
		"curl -F 'a=1;type=t/p' -F 'b=@f;filename=\"q\\\"\"' http://h.test": `form_multipart: [` + "\n      a: {\"1\", content_type: \"t/p\"},\n      b: {File.read!(\"f\"), filename: \"q%22\", content_type: \"application/octet-stream\"}",
	} {
		if program, diags := write(t, target, command); !strings.Contains(program, want) || diags != "" {
			t.Errorf("%s has no %s, or warns (%q):\n%s", command, want, diags, program)
		}
	}
	for command, why := range map[string]string{
		"curl --digest -u a:b 'http://h.test/?c=d'":          "Digest",
		"curl 'http://h.test/%zz'":                           "percent-encoding",
		"curl -A '' http://h.test/":                          "User-Agent",
		"curl -H 'X-A: é' http://h.test/":                    "visible",
		"curl --unix-socket /s \"http://$H/\"":               "Unix socket",
		"curl -x \"http://$P\" http://h.test/":               "proxy",
		"curl -H 'Transfer-Encoding: gzip' http://h.test/":   "Transfer-Encoding",
		"curl --digest -u a:b -T f --no-basic http://h.test": "",
	} {
		_, diags := write(t, target, command)
		if !strings.Contains(diags, "cannot-express") {
			t.Errorf("%s is not warned of (%s): %q", command, why, diags)
		}
	}
}
