package code_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine"
)

// TestAccepted holds what files have where the tool differs from curl in what a person
// would accept: a warning that says so, and no such difference in exact style.
func TestAccepted(t *testing.T) {
	for _, c := range []struct {
		target, command string
		says            string // the warning, "" for none
		has             string // in the file
	}{
		{"http", `curl http://h.test/ -d '{"a":"b c"}'`, "percent-encodes all content of the type of a form", "Content-Type: application/json\n\n{\"a\":\"b c\"}\n"},
		{"http", `curl http://h.test/ -d "{\"a\":$N}"`, "percent-encodes all content of the type of a form", "Content-Type: application/json\n\n{\"a\":{{N}}}\n"},
		{"http", `curl http://h.test/ -d 'up{a="b"} 1'`, "percent-encodes all content of the type of a form", "Content-Type: text/plain\n\nup{a=\"b\"} 1\n"},
		{"http", `curl http://h.test/ --data-binary @a.json`, "reads no file where the type is that of a form", "Content-Type: application/json\n\n< a.json\n"},
		{"http", `curl http://h.test/ -H 'Content-Type: application/json' -d @a.txt`, "keeps the line ends of the file", "\n< a.txt\n"},
		{"http", `curl http://h.test/ -H 'Content-Type: text/plain' --data-binary $'\na\n'`, "leaves out empty lines", "\n\na\n"},
		{"http", `curl http://h.test/ -H 'Content-Type: text/plain' -d 'DROP MODEL a'`, "", "\nDROP MODEL a\n"},
		{"bruno", `curl http://h.test/ -d "{\"a\":\"$N\"}"`, "reads no variables in a form", "body:json {\n  {\"a\":\"{{process.env.N}}\"}\n}\n"},
		{"bruno", `curl http://h.test/ -d "a=$N" -d b=%26`, "encodes what a variable holds", "body:form-urlencoded {\n  a: {{process.env.N}}\n  b: &\n}\n"},
		{"bruno", `curl http://h.test/ -T a.bin`, "gives content a type", "@file(a.bin) @contentType(application/octet-stream)"},
		{"bruno", `curl http://h.test/ --data-binary @a.json`, "reads no file where the type is that of a form", "@file(a.json) @contentType(application/json)"},
		{"bruno", `curl http://h.test/ -H 'Content-Type: application/json' -d @a.json`, "keeps the line ends of the file", "@file(a.json) @contentType(application/json)"},
		{"har", `curl "http://<ip>:80/a" -d a=b`, "wants a host in the URL", `"url": "http://<ip>:80/a"`},
		{"har", `curl "$BASE/a"`, "wants a URL that begins with its scheme", `"url": "$BASE/a"`},
		{"har", `curl http://h.test/ -H 'Content-Type: text/csv' --data-binary @a.csv`, "no place for the content of a file", `"params": [{"name": "", "fileName": "a.csv"}]`},
		{"raw-http", `curl "http://h.test/$A"`, "has no variables", "GET /$A HTTP/1.1\r\n"},
		{"postman", `curl http://h.test/ -H 'Content-Type: application/json' -d @a.json`, "keeps the line ends of the file", `"mode": "file"`},
		{"postman", `curl http://h.test/ -d a=1 -d b=2 -d a=3`, "sends the fields of one name together", `"mode": "urlencoded"`},
		{"postman", `curl http://h.test/ -d "a=$A"`, "encodes what a variable holds", `{"key": "a", "value": "{{A}}"}`},
		{"postman", `curl http://h.test/ --json '{"variables":{},"query":"{a{b}}"}'`, "begins a GraphQL request with its query", `{"query": "{a{b}}", "variables": "{}"}`},
		{"postman", `curl http://h.test/ --json '{"query":"{a{b}}"}'`, "", `{"query": "{a{b}}"}`},
		{"postman", `curl http://h.test/ --json '{"query":"queryable"}'`, "", `"mode": "raw"`},
		{"postman", `curl http://h.test/ --json '{"query":{"match":1}}'`, "", `"mode": "raw"`},
		{"bruno", `curl http://h.test/ --json '{"variables":{"a":1},"query":"{a{b}}"}'`, "begins a GraphQL request with its query", "body:graphql {\n  {a{b}}\n}\n\nbody:graphql:vars {\n  {\n    \"a\": 1\n  }\n}\n"},
		{"bruno", `curl http://h.test/ --json '{"query":"{a{b}}","variables":{"a":12345678901234567890}}'`, "", "body:json {"},
		{"insomnia", `curl "http://h.test/a?x=a%20b&x=2"`, "", "- url: http://h.test/a\n    name: GET /a\n"},
		{"insomnia", `curl "http://h.test/a?x=a%20b&x=2"`, "", "parameters:\n      - name: x\n        value: a b\n      - name: x\n"},
		{"insomnia", `curl "http://h.test/a?x=%2541"`, "", "- url: http://h.test/a?x=%2541"},
		{"insomnia", `curl "http://h.test/a?x=$Q"`, "", "url: http://h.test/a?x={{ _.Q }}"},
		{"insomnia", `curl http://h.test/ --json '{"query":"{a{b}}"}'`, "", "mimeType: application/graphql"},
		{"insomnia", `curl http://h.test/ -d "a=$A"`, "encodes what a variable holds", "- name: a\n          value: '{{ _.A }}'"},
		{"insomnia", `curl http://h.test/ -H 'Content-Type: application/json' -d @a.json`, "keeps the line ends of the file", `fileName: a.json`},
		{"hurl", `curl http://h.test/ -H 'Content-Type: application/json' -d @a.json`, "keeps the line ends of the file", "file,a.json;"},
		{"hurl", `curl http://h.test/ -F f=@d/a.pdf`, "sends the name of a file with its folders", "f: file,d/a.pdf; application/pdf"},
		{"jmeter", `curl http://h.test//a`, "sends // in a path as one slash", `<stringProp name="HTTPSampler.path">//a</stringProp>`},
		{"jmeter", `curl http://h.test/a%3Ab`, "spells the percent-encoding of this path otherwise", `/a%3Ab<`},
		{"jmeter", `curl http://h.test/ -F f=@a.pdf -F b=1`, "sends the files of a form after its other fields", `DO_MULTIPART_POST`},
		{"jmeter", `curl http://h.test/ -H Content-Type: -d a`, "gives text a type", `<stringProp name="Argument.value">a</stringProp>`},
		{"ansible", `curl http://h.test/ -T a.bin`, "gives content a type", "src: a.bin"},
		{"ansible", `curl http://h.test/ -F f=@d/a.pdf -F b=1`, "encodes the files of a form in Base64 before version 2.19", "multipart_encoding: 7or8bit"},
		{"ansible", `curl http://h.test/ -F f=@a.pdf -F 'm={"a":1};type=application/json'`, "in Base64 before version 2.19", "          m:\n            content: '{\"a\":1}'\n            mime_type: application/json\n"},
		{"hurl", `curl http://h.test/ -F f=@a.pdf -F 'm={"a":1};type=application/json'`, "sends no type with a text of a form", "m: {\"a\":1}\n"},
		{"hurl", `curl http://h.test/ -F 'm={"a":1};type=application/json'`, "", "Content-Type: application/json"},
		{"n8n", `curl http://h.test/ -F f=@a.pdf -F 'm={"a":1};type=application/json'`, "sends no type with a text of a form", `{"name": "m", "value": "{\"a\":1}"}`},
		{"jmeter", `curl http://h.test/ -F 'm={"a":1};type=application/json' -F f=@a.pdf`, "sends no type with a text of a form", `DO_MULTIPART_POST`},
		{"n8n", `curl http://h.test/ --json @a.json`, "", `"inputDataFieldName": "data"`},
		{"n8n", `curl http://h.test/ -X DELETE --json '{"a":1}'`, "", `"jsonBody": "{\"a\":1}"`},
		{"n8n", `curl http://h.test/ -F a=1 -F b=2 -F a=3`, "sends the fields of one name together", `"typeVersion": 4.3`},
		{"n8n", `curl "http://h.test/?q=a%20b" -d "a=$A"`, "encodes what a variable holds", `"parameters": [{"name": "q", "value": "a b"}]`},
		{"n8n", `curl http://h.test/ --json ' {"a":1}'`, "", `"body": "{\"a\":1}"`},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		target, _ := code.Lookup(c.target)
		file, diags := target.Compose(nil, r.Requests, code.Options{})
		said := ""
		for _, d := range diags {
			if d.Hint == plan.Accepted {
				said += d.Message + "\n"
			}
		}
		if diags.Err() != nil || (c.says == "") != (said == "") || !strings.Contains(said, c.says) || !strings.Contains(string(file), c.has) {
			t.Errorf("%s for %s: %v\nsays %q, want %q, and has not %q:\n%s", c.target, c.command, diags.Err(), said, c.says, c.has, file)
		}
		_, diags = target.Compose(nil, r.Requests, exactly)
		if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Hint == plan.Accepted }) {
			t.Errorf("%s for %s in exact style: %v", c.target, c.command, diags)
		}
	}
}
