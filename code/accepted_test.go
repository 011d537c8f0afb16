package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/code/internal/plan"
	"uncoil/internal/engine"
)

// TestAccepted holds what files have where the tool differs from curl in what a person
// would accept: a warning that says so, which in exact style is an error.
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
		if _, diags = target.Compose(nil, r.Requests, exactly); (c.says == "") != (diags.Err() == nil) {
			t.Errorf("%s for %s in exact style: %v", c.target, c.command, diags)
		}
	}
}
