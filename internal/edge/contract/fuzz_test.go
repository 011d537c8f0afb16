package contract

import (
	"errors"
	"testing"

	"uncoil/internal/engine/fault"
)

// FuzzDocument reads any text as an OpenAPI document and holds a command against it:
// nothing may panic, and all places lie in the document.
func FuzzDocument(f *testing.F) {
	f.Add("openapi: 3.0.0\nservers:\n- url: https://h.test\nsecurity: [{k: []}]\npaths:\n  /:\n    post:\n      requestBody: {content: {a/b: {schema: {type: object, nullable: true, required: [x]}}}}\n      x-s: |\n        curl h.test/\n", `{"x": null}`)
	f.Add(bodyOf(`"s0": {"anyOf": [{"$ref": "#/components/schemas/s1"}, {"type": "null"}]}, "s1": {"not": {"$ref": "#/components/schemas/s0"}}`), `{"a": [1, "<b>"]}`)
	f.Add(bodyOf(`"s0": {"propertyNames": {"$ref": "#/components/schemas/s0"}, "prefixItems": [true, false], "if": {}, "then": {"minItems": 2}}`), `[1, 2]`)
	f.Add("openapi: 3.0.0\nx: &x {a: 1}\npaths: {/: {<<: *x, get: {<<: [*x, *x], parameters: [{name: q, in: query}]}}}\n", "7")
	f.Add("openapi: 3.2.0\nservers: [{url: 'https://{a}b{c}.test/{d}'}]\npaths: {'/{a}.{b}': {query: {x-y: 'curl https://zb1.test/2/a.b'}}}\n", "")
	f.Fuzz(func(t *testing.T, source, body string) {
		d, err := Open("api", nil, func(name string) ([]byte, error) {
			if name != "api" {
				return nil, errors.New("there is one file")
			}
			return []byte(source), nil
		})
		if fault.Of(err) != nil {
			t.Fatal(fault.Of(err).Stack)
		}
		if err != nil {
			return
		}
		own, _, err := d.CheckOwn(parse)
		if fault.Of(err) != nil {
			t.Fatal(fault.Of(err).What, fault.Of(err).Stack)
		}
		for _, o := range own {
			if o.Line < 1 || o.Column < 1 || o.Against.Line < 1 {
				t.Errorf("%s is at %+v, %+v", o.Code, o.Place, o.Against)
			}
		}
		r, err := parse("curl --json @- https://h.test/ <<'END'\n"+body+"\nEND\n", "")
		if err != nil {
			return
		}
		if _, err := d.Check(r); fault.Of(err) != nil {
			t.Fatal(fault.Of(err).What, fault.Of(err).Stack)
		}
	})
}
