package lint_test

import (
	"slices"
	"testing"

	"uncoil/diag"
	"uncoil/extract"
	"uncoil/internal/edge/lint"
)

// lintText returns what lint finds in a file.
func lintText(t *testing.T, name, text string) (codes []diag.Code) {
	t.Helper()
	file, err := lint.Read(name, text, extract.KindOf(name))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Check(lint.Rule{}) {
		codes = append(codes, f.Code)
	}
	return codes
}

// Slips that people make who write commands. Each makes curl send less than is meant, or
// something else, or nothing; what lint does not know stands at the end, without a code.
func TestPlanted(t *testing.T) {
	missed := 0
	planted := []struct {
		command string
		code    diag.Code
	}{
		{"curl https://api.test/v1/a\n  -H 'A: b'\n  -d x=1", "pasted-noise"},                                            // missing backslash
		{"curl https://api.test/v1/a \\ \n  -H 'A: b'", "pasted-noise"},                                                  // blank after backslash
		{"curl https://api.test/v1/a /\n  -H 'A: b'", "pasted-noise"},                                                    // slash for backslash
		{`curl -X POST \ -d x=1 https://api.test/v1/a`, "pasted-noise"},                                                  // backslash mid line
		{`curl https://api.test/v1/a?x=1&y=2`, "unquoted-ampersand"},                                                     // unquoted &
		{`curl -d a=1&b=2 https://api.test/v1/a`, "unquoted-ampersand"},                                                  // unquoted & in data
		{`curl https://api.test/v1/a -d a=1&b=2`, "unquoted-ampersand"},                                                  // the same, at the end
		{`curl https://api.test/v1/a -d '{"a": 1}`, "unterminated-quote"},                                                // open single quote
		{`curl https://api.test/v1/a -H "A: b`, "unterminated-quote"},                                                    // open double quote
		{`curl 'https://$HOST/v1/a'`, "variable-in-single-quotes"},                                                       // variable in single quotes (host)
		{`curl -H 'Authorization: Bearer $TOKEN' https://api.test/v1/a`, "variable-in-single-quotes"},                    // variable in single quotes (header)
		{`curl -H 'Content-Type: application/json' -d '{"a": 1,}' https://api.test/v1/a`, "invalid-json"},                // trailing comma
		{`curl -H 'Content-Type: application/json' -d '{"a": 1 "b": 2}' https://api.test/v1/a`, "invalid-json"},          // missing comma
		{`curl -H 'Content-Type: application/json' -d {"a":1} https://api.test/v1/a`, "quotes-lost"},                     // quotes lost, double
		{`curl -H 'Content-Type: application/json' -d '{'a':1}' https://api.test/v1/a`, "quotes-lost"},                   // quotes lost, single
		{`curl -H 'Content-Type: application/json' -d "{'a': 1}" https://api.test/v1/a`, "invalid-json"},                 // single quotes as JSON's
		{`curl -X post https://api.test/v1/a`, "misspelled-method"},                                                      // lower-case method
		{`curl -X PSOT https://api.test/v1/a`, "misspelled-method"},                                                      // misspelt method
		{`curl https//api.test/v1/a`, "misspelled-scheme"},                                                               // scheme without colon
		{`curl htp://api.test/v1/a`, "unsupported-scheme"},                                                               // htp
		{`curl https://api.test/v1/a b`, "unquoted-argument"},                                                            // blank in URL
		{`curl 'https://api.test/v1/a b'`, "invalid-url"},                                                                // blank in quoted URL
		{`curl -H 'Content-Type : application/json' https://api.test/v1/a`, "not-a-header"},                              // blank before colon
		{`curl -H 'Authorization Bearer x' https://api.test/v1/a`, "not-a-header"},                                       // header without colon
		{`curl -H 'Content-Type: a/b' -H 'Content-Type: application/json' -d '{}' https://api.test/v1/a`, "field-twice"}, // header twice
		{`curl -H 'Accept=application/json' https://api.test/v1/a`, "not-a-header"},                                      // header with =
		{`curl -d file.json https://api.test/v1/a`, "looks-like-file"},                                                   // file without @
		{`curl -d /tmp/file.json https://api.test/v1/a`, "looks-like-file"},                                              // the same, in a folder
		{`curl -H Authorization:Bearer $TOKEN https://api.test/v1/a`, "unquoted-argument"},                               // unquoted header, with a variable
		{`curl -H Content-Type: $TYPE https://api.test/v1/a`, "unquoted-argument"},                                       // the same
		{`curl -F file=photo.jpg https://api.test/v1/a`, "looks-like-file"},                                              // form file without @
		{`curl --haeder 'A: b' https://api.test/v1/a`, "unknown-option"},                                                 // unknown option
		{`curl -header 'A: b' https://api.test/v1/a`, "single-dash"},                                                     // dash for --
		{`curl https://api.test/v1/a-H 'A: b'`, "invalid-url"},                                                           // H glued in URL
		{`curl -H “A: b” https://api.test/v1/a`, "unicode-quote"},                                                        // typographic quotes
		{`curl –X POST https://api.test/v1/a`, "unicode-dash"},                                                           // typographic dash
		{`curl -X https://api.test/v1/a`, "no-url"},                                                                      // -X took URL
		{`curl -X POST -H 'A: b' -d '{"a": 1}'`, "no-url"},                                                               // no URL
		{`curl https://api.test:80a/v1/a`, "invalid-url"},                                                                // port no number
		{`curl -d a=1 -F b=2 https://api.test/v1/a`, "conflicting-options"},                                              // two kinds
		{`curl 'https://api.test/v1/a?filter[name]=x'`, "invalid-glob"},                                                  // glob in query
		{`curl https://api.test/v1/a#part?x=1`, "url-fragment"},                                                          // fragment
		{`curl -x POST https://api.test/v1/a`, "looks-like-method"},                                                      // -x POST
		{`curl -H Content-Type: application/json https://api.test/v1/a`, "unquoted-argument"},                            // unquoted header
		{`curl -d a=f(x) https://api.test/v1/a`, "shell-syntax"},                                                         // unquoted (
		{`curl https://api.test/v1/a -d`, "missing-argument"},                                                            // missing argument
		{`curl -H 'Content-Type: application/json' -d '{\"a\": 1}' https://api.test/v1/a`, "invalid-json"},               // backslash n in single
		{`curl http:/api.test/v1/a`, ""},                                                                                 // http:/
		{`curl -X POST -D '{"a": 1}' https://api.test/v1/a`, ""},                                                         // -D for -d
		{`curl -u user: pw https://api.test/v1/a`, "unquoted-argument"},                                                  // -u with blank
		{`curl -H 'A: b', -H 'C: d' https://api.test/v1/a`, "pasted-noise"},                                              // comma between headers
		{`curl -v POST https://api.test/v1/a`, "looks-like-method"},                                                      // method without -X
		{`curl DELETE https://api.test/v1/a`, "looks-like-method"},                                                       // the same
		{`curl -T @a.bin https://api.test/v1/a`, "looks-like-file"},                                                      // -T with @
		{`curl -G https://api.test/v1/a -F a=b`, "form-syntax"},                                                          // -G with a form
		{`curl -H 'Content-Type: application/json' -F file=@a.bin https://api.test/v1/a`, "form-syntax"},                 // a type of JSON for a form
		{`curl -H 'Content-Type: application/json' -d '{&quot;a&quot;: 1}' https://api.test/v1/a`, "pasted-noise"},       // entities in code
		{`curl 'https://api.test/v1/a?b=1&amp;c=2'`, "pasted-noise"},                                                     // the same
		{`curl https://api.test/v1/a &gt; a.json`, "pasted-noise"},                                                       // the same, behind it
		{`curl 'https://api.test/$(cat id)'`, "variable-in-single-quotes"},                                               // $(…) in single quotes
		{"curl https://api.test/v1/a \\ # remark\n  -d x", "pasted-noise"},                                               // remark behind a backslash
		{"curl https://api.test/v1/a \\\u200b\n  -d x", "pasted-noise"},                                                  // invisible behind a backslash
		{"curl -H 'Content-Type: application/json' https://api.test/v1/a -d '{\n\"a\": 1\n\"b\": 2}'", "invalid-json"},   // no comma
		{"curl -d @[a.json](./a.json) https://api.test/v1/a", "shell-syntax"},                                            // a link in code
		{`curl http://api.test:/80/v1/a`, ""},                                                                            // port behind the slash
	}
	for _, p := range planted {
		found := lintText(t, "a.md", "# Title\n\n```bash\n"+p.command+"\n```\n")
		switch {
		case len(found) == 0 && p.code == "":
			missed++
		case !slices.Contains(found, p.code):
			t.Errorf("%q: %q, want %q", p.command, found, p.code)
		}
	}
	if 10*missed > len(planted) {
		t.Errorf("%d of %d slips are not known", missed, len(planted))
	}
}

// What documentation does by custom is no mistake.
func TestCustoms(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"a.md", "`curl <host>/<id>`, `curl https://…/x`\n"},
		{"a.md", "```\ncurl -X POST .../reload -H \"...\"\ncurl localhost:1026/<op> -s -S [headers] -X PUT\n```\n"},
		{"a.md", "```\ncurl http://ip:status_port/config\ncurl HOST:PORT/x\ncurl -X PUT /api/v1/groups/5\n```\n"},
		{"a.md", "```\ncurl {{ base_url }}/x\ncurl {{ url('a', b=1) }}\ncurl {{< host >}}/x\ncurl {API URL}\n```\n"},
		{"a.md", "```\ncurl -u <user>:<password>\n  http://<host>:<port>/x\n  -d enabled=[true|false]\n```\n"},
		{"a.md", "```\ncurl http://h.test/[bucket-name]/x\ncurl -u [user]:[password] http://[ip-address]:80/x\n```\n"},
		{"a.md", "```\ncurl http://h.test -H 'Content-Type: application/json' -d '{\n  # settings\n  \"a\": 1\n}'\n```\n"},
		{"a.md", "```\ncurl http://h.test -H 'Content-Type: application/json' -d '{\"a\": 1} {\"a\": 2}'\n```\n"},
		{"a.md", "```\nparallel 'curl -T {} http://h.test/'\n```\n"},
		{"a.md", "```\ncurl http://a.test === OK\n```\n"},
		{"a.md", "```\ncurl --user ann http://h.test\ncurl -o <FILE>.zip http://h.test\n```\n"},
		{"a.md", "```\ncurl http://h.test -H 'Content-Type: application/json' -d '{\"a\": \"v${COUNT}\"}'\n```\n"},
		{"a.md", "```\ncurl 'localhost:1/sql[?raw]&query={URL_ENCODED}'\ncurl https://localhost:xxxxx/\ncurl http://h.test/a.[json,csv]\n```\n"},
		{"a.md", "```\ncurl --data-binary @- http://h.test\n--XXXboundaryXXX\n```\n"},
		{"a.md", "```\ncurl 'https://h.test/{instance specific token}' -d x\ncurl http://user:pass@host:port/x\n```\n"},
		{"a.md", "```\ncurl http://h.test --json '{\"a\": {number-of-shards}, \"b\": 1}'\ncurl http(s)://h.test/\n```\n"},
		{"a.md", "```\ncurl http://h.test --json '{\"a\": \"YQ==\" // \"a\"\n, \"b\": \"\\\\:rocket\\\\:\"}'\n```\n"},
		{"a.md", "```\ncurl -L [CLIENT-URL]/x\ncurl -O http://h.test/[...].gz\ncurl http://h.test --json '{\"a\" : \"${HOME}/x\"}'\n```\n"},
		{"a.md", "```\ncurl -X POST '...?a=b'\ncurl -H User-Agent:x $(glooctl proxy url)/a\n```\n"},
		{"a.md.erb", "```\ncurl -sL <?php echo $this->home('a'); ?>/x\ncurl -H 'A: <%= data.b %>' http://h.test\n```\n"},
		{"a.md", "```\ncurl -H 'Content-Type: application/json' -d JSON_DATA http://h.test\n```\n"},
		{"a.md", "```\ncurl 'http://***.***.***/x'\ncurl http://[EVIL.HOST.TLD]/x\n```\n"},
		{"a.md", "```powershell\ncurl.exe -d x <target_url>; done\n```\n"},
		{"a.md", "```\ncurl http://h.test -d x {{- if .Values.a }} -H A:b {{- end }} | jq\n```\n"},
		{"a.go", "// curl -X POST https://%s/a \\\n//   -H 'A: %s'\n"},
		{"a.java", " * curl '<a href=\"http://h.test/\">...</a>'\n"},
		{"a.sh", "curl -H A:b/c \"$URL/x\"\ncurl -H A:b \"$URL\"\n"},
		{"a.rst", "::\n\n  curl -d x http://|HOST|/x\n\n::\n\n  curl -d x 'https://|HOST|/x'\n"},
		{"a.md", "```\ncurl -X PUT -d '/var/www/page.html' http://h.test/settings/page\n```\n"},
		{"a.md", "```\ncurl -x http://proxy_ip:port http://h.test\n```\n`docker exec a curl http(s)://<name>:<port>`\n"},
		{"a.go", "until curl -k \"https://localhost:{{ .Port }}/a\"; do\n"},
		{"a.ipynb", `{"cells": [{"cell_type": "code", "source": ["!curl http://h.test --json '{ \\\n", " \"a\": 1 \\\n", "}'"]}]}`},
		{"a.xml", "<!-- curl http://h.test/a?b=c -->\n"},
		{"a.yml", "run: curl -m 10 ${{ secrets.ping_url }}/fail\n"},
		{"a.yaml", "curl: >\n  curl https://h.test/a\n  -H 'A: b'\n"},
		{"a.json", `{"a": "curl https://h.test/a \\\n  -H 'A: b'\nls"}`},
		{"a.sh", "x=`cat a | curl -d @- http://h.test/a`\ny=`curl http://h.test/b \\\n  -d x`\ncurl --header \"$VAR\" http://h.test\n"},
		{"Dockerfile", "RUN apt-get install -y \\\n    curl \\\n    g++\n"},
		{"a.rst", "Say::\n\n    curl http://h.test\n\nIt's \"here.\n"},
		{"a.md", "```\ncurl http://localhost:80xx/a\ncurl 'http://${server-host}:${server-port}/a'\n```\n"},
		{"a.md", "```\ncurl \"${URL}&audience=$A\"\ncurl -X POST -H 'Content-Length: 9' http://h.test\n```\n"},
		{"a.md", "```\ncurl 'http://h.test/log-$DATE'\n```\nReplace `$DATE` with the current date.\n"},
		{"a.md", "```\ncurl 'http://h.test/log-${DATE}'\n```\nBy replacing **${DATE}**, which is `${DATE}`, you get another.\n"},
		{"a.md", "```\ncurl 0F:18:BF:39:45\n```\nUse `curl -F a=\"http://h.test\"`.\n"},
		{"a.po", "msgid \"\"\n\"``curl http://h.test --json '{ \"\n\"\\\"a\\\": 1}'``\"\n"},
		{"a.yml", "test: [\n  \"CMD-SHELL\",\n  \"curl -f http://h.test || exit 1\"\n]\n"},
		{"a.md", "```\ncurl http://h.test/?[a=<a>]&[b=<b>] -X GET\ncurl 'http://h.test/hook/x#its-name'\n```\n"},
		{"a.md", "```sh\ncurl http://h.test/a (works)\ncurl -O http://h.test (or wget http://i.test)\ncurl -d x <<URL HERE>>\n```\nUse ``curl https://{your domain}``.\n"},
		{"a.md", "```\n# curl http://h.test --json '\n{\n  \"url\": \"$A_URL\",\n  \"secrets\": [\"A_URL\"]\n}\n'\n```\n"},
		{"a.md", "```\n- script: \"curl --request\\\n  \\ GET http://h.test\"\n```\n"},
		{"a.slim", "p <code>$ curl -d x http://h.test</code>\n"},
		{"a.yml", "- curl: \"curl -u {{ user }} -X GET -H 'A: b'\"\n- run: curl http://{{ groups.a[0] }}:{{ port }}/a\n"},
		{"a.md", "**❌ WRONG** - the brackets:\n\n```sh\ncurl http://h.test/?a[b]=1\n```\n```sh\n# Wrong: no URL\ncurl -X POST -d x\n```\n"},
		{"a.md", "```\ncurl http://h.test/a[/{id}] -d x\ncurl http://h.test <1>\ncurl http://EC2-[IP/DNS]\n# curl (https://h.test): curl/8\n```\nIt printed `curl \"http://localhost:undefined/a\"`.\n"},
		{"a.ts", "  curl \"http://h.test/${id || \"<id>\"}/${q.id || \"<q>\"}/${q.id}\" \\\\\n\t-d x\n"},
		{"a.json", `{"text": "curl http://h.test \\ -d x \\ -H 'A: b'"}`},
		{"Dockerfile", "ARG P=\"\\\n  # Utilities\n  curl \\\n  # More\n  gosu \\\n  git\"\n"},
		{"a.sh.j2", "curl --resolve {{ host }}:443:{{ addr }} http://localhost:5001${{ env.P }}pulp/\n"},
		{"a.xml", "<p>\ncurl -k “<a href=\"http://h.test/\" rel=\"x\">http://h.test/</a>” -d ’<br>\n{ “a”: 1<br>\n"},
		{"a.md", "Add:\n\n```\ncurl --cert=/a --key=/b\n```\n"},
		{"a.md", "```\n$ curl http://h.test --json \\\n$ '{\n$   \"a\": 1\n$ }'\n```\n"},
		{"a.sh", "echo x | curl -Gso /dev/null -w %{url_effective} --data-urlencode @- \"\"\n"},
		{"a.yaml", "- curl -d x http://h.test/[[ .context.a ]]/{{ .b }}\n"},
		{"Jenkinsfile", "  sh \"\"\"\n    S=\\$(curl -d \"{\\\\\"a\\\\\": \\\\\"- b \\\\\\\\n - c\\\\\"}\" \\\\\n      -H A:b \"http://h.test\")\n\"\"\"\n"},
		{"a.twiki", "<verbatim>\ncurl -i \"http://h.test/?[user.name=<USER>&]<PARAM>=...\"\n</verbatim>\n"},
		{"a.js", "//curl $URL -H 'A: b' -d '\n/*\nf = 1\n"},
		{"a.adoc", "----\ncurl http://h.test\n----\n-H is not a part of it\n"},
		{"a.sh", "curl -H \"$(cat header)\" http://h.test\ncurl -H \"$1\" http://h.test\ncurl --variable %HOST --expand-url 'http://{{HOST}}/'\n"},
	} {
		if found := lintText(t, test.name, test.text); len(found) > 0 {
			t.Errorf("%s %q: %q", test.name, test.text, found)
		}
	}
}

// What follows from a mistake is not said beside it, and what does not is.
func TestConsequences(t *testing.T) {
	for _, test := range []struct {
		command string
		want    []diag.Code
	}{
		{"curl https://h.test/a \\  # note\n  -H 'A: b'", []diag.Code{"pasted-noise"}},
		{"curl https://h.test/a /\n  -H 'A: b'", []diag.Code{"pasted-noise"}},
		{"curl https://h.test/a \\  # note", []diag.Code{"invalid-url"}},
		{"curl 'https://h.test/a b'\n  -H 'A: b'", []diag.Code{"pasted-noise", "invalid-url"}},
		{"curl -X POST \n  -H 'A: b'\n  https://h.test/a", []diag.Code{"pasted-noise"}},
		{"curl -X POST \n  -H 'A: b'", []diag.Code{"no-url", "pasted-noise"}},
		{"curl 'https://h.test/a \\\n  -H 'Accept: a/b' \\\n  -H 'B: c", []diag.Code{"invalid-url"}},
		{"curl -H 'no colon' https://h.test/a", []diag.Code{"not-a-header"}},
		{"curl --variable 'a[3-1]=b' https://h.test/a", []diag.Code{"variable"}},
		{"curl -d a=1&b=2 https://h.test/a", []diag.Code{"unquoted-ampersand"}},
		{"curl https://h.test/a -d a=1&wait", nil},
		{"curl -X -i POST https://h.test/a", []diag.Code{"looks-like-option"}},
		{"curl -header 'A: b' https://h.test/a", []diag.Code{"single-dash"}},
		{"curl -H 'Content-Type: application/json' -d '{\"a\": $COUNT}' https://h.test/a", []diag.Code{"variable-in-single-quotes"}},
	} {
		found := lintText(t, "a.md", "```bash\n"+test.command+"\n```\n")
		slices.Sort(found)
		slices.Sort(test.want)
		if !slices.Equal(found, test.want) {
			t.Errorf("%q: %q, want %q", test.command, found, test.want)
		}
	}
}
