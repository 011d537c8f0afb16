package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// TestOfetchForms checks that no object is the content whose type is that of a form: ofetch
// would make a form of it.
func TestOfetchForms(t *testing.T) {
	target, _ := code.Lookup("node-ofetch")
	for command, isText := range map[string]bool{
		`curl http://h.test/ -d '{"a":1}'`:                                                      true,
		`curl http://h.test/ --json '{"a":1}'`:                                                  false,
		`curl http://h.test/ -d '{"a":1}' -H "Content-Type: $TYPE"`:                             true,
		`curl http://h.test/ -d '{"a":1}' -H 'Content-Type: application/vnd.api+json'`:          false,
		`curl http://h.test/ -d '{"a":1}' -H 'content-type: Application/x-www-Form-urlEncoded'`: true,
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := target.Write(r.Requests, code.Options{})
		if err != nil || strings.Contains(string(p.Code), "JSON.stringify") != isText {
			t.Errorf("%s: %v\n%s", command, err, p.Code)
		}
	}
}
