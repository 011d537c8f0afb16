package contract

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"uncoil/internal/edge/openapi"
)

// bodyOf is a document whose operation POST / takes a schema among others.
func bodyOf(schemas string) string {
	return `{"openapi": "3.1.0", "servers": [{"url": "https://h.test"}], "paths": {"/": {"post": {"requestBody": {"content": {"application/json": {"schema":
{"$ref": "#/components/schemas/s0"}}}}, "responses": {}}}}, "components": {"schemas": {` + schemas + `}}}`
}

// TestHostile holds that a document which is made to do harm is refused, or costs
// little.
func TestHostile(t *testing.T) {
	doubled := func(form string) string {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, form+", ", i, i+1, i+1)
		}
		return bodyOf(b.String() + `"s60": {"type": "object"}`)
	}
	rows := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"s%d": `+form+", ", i, i+1)
		}
		return bodyOf(b.String() + fmt.Sprintf(`"s%d": {"type": "object"}`, n))
	}
	nested := strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60)
	aliases := "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		aliases += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	for name, c := range map[string]struct {
		source, body string
		refused      string // what the error says; empty: it is read
		noted        string // what is said of it
	}{
		"aliases":       {aliases, "", "values", ""},
		"self":          {"openapi: 3.1.0\npaths: &a {x: [*a]}\n", "", "alias", ""},
		"deep JSON":     {`{"openapi": "3.1.0", "x": ` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}", "", "nest", ""},
		"deep YAML":     {"openapi: 3.1.0\nx: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n", "", "nests", ""},
		"empty":         {"", "", "empty", ""},
		"text":          {"just text", "", "3", ""},
		"half":          {`{"openapi": "3.1.0", "paths": {`, "", "line", ""},
		"Swagger":       {"swagger: '1.2'\npaths: {}\n", "", "version 3", ""},
		"version 4":     {"openapi: 4.0.0\n", "", "version 3", ""},
		"circle":        {bodyOf(`"s0": {"$ref": "#/components/schemas/s0"}`), "{}", "", "circle"},
		"circles":       {bodyOf(`"s0": {"allOf": [{"$ref": "#/components/schemas/s1"}]}, "s1": {"allOf": [{"$ref": "#/components/schemas/s0"}]}`), "{}", "", ""},
		"nowhere":       {bodyOf(`"s0": {"$ref": "#/components/none"}`), "{}", "", "nowhere"},
		"host":          {bodyOf(`"s0": {"$ref": "http://127.0.0.1:1/x.json"}`), "{}", "", "below the folder"},
		"outside":       {bodyOf(`"s0": {"$ref": "../../etc/passwd"}`), "{}", "", "below the folder"},
		"root":          {bodyOf(`"s0": {"$ref": "/etc/passwd"}`), "{}", "", "below the folder"},
		"missing file":  {bodyOf(`"s0": {"$ref": "none.yaml#/a"}`), "{}", "", "not exist"},
		"doubled":       {doubled(`"s%d": {"allOf": [{"$ref": "#/components/schemas/s%d"}, {"$ref": "#/components/schemas/s%d"}]}`), "[]", "", "too much work"},
		"doubled below": {doubled(`"s%d": {"allOf": [{"properties": {"a": {"$ref": "#/components/schemas/s%d"}}}, {"properties": {"a": {"$ref": "#/components/schemas/s%d"}}}]}`), nested, "", "too much work"},
		"long chain":    {rows(20_000, `{"allOf": [{"$ref": "#/components/schemas/s%d"}]}`), "[]", "", "too much work"},
		"short chain":   {rows(300, `{"allOf": [{"$ref": "#/components/schemas/s%d"}]}`), "[]", "", ""},
		"references":    {rows(20_000, `{"$ref": "#/components/schemas/s%d"}`), "[]", "", ""},
		"long enum":     {bodyOf(`"s0": {"items": {"enum": [` + strings.Repeat(`"a",`, 20_000) + `"b"]}}`), "[" + strings.Repeat(`"c",`, 20_000) + `"c"]`, "", "too much work"},
		"many schemas":  {bodyOf(`"s0": {"properties": {` + strings.Repeat(`"a": {"properties": {"b": {}}},`, 30_000) + `"b": {}}}, "s1": {"anyOf": [` + strings.Repeat(`{},`, 30_000) + `{}]}`), "{}", "", ""},
		"wide schema":   {bodyOf(`"s0": {"anyOf": [` + strings.Repeat(`{},`, 30_000) + `{}]}`), "{}", "", ""},
		"exponent":      {bodyOf(`"s0": {"type": "number", "minimum": 1e999999999, "multipleOf": 1e-999999999}`), "1e999999999", "", ""},
		"malformed":     {bodyOf(`"s0": {"type": 7, "enum": {}, "required": "a", "pattern": "(", "properties": [], "items": 3, "minimum": "x", "multipleOf": 0, "allOf": {}, "$id": "http://x.test/", "$schema": "no"}`), "{}", "", ""},
		"pattern":       {bodyOf(`"s0": {"pattern": "((a{1000}){1000}){1000}"}`), `"aaa"`, "", ""},
		"no paths":      {"openapi: 3.1.0\nservers: [{url: 'https://h.test'}]\n", "{}", "", ""},
	} {
		start := time.Now()
		d, err := Open("api", nil, func(name string) ([]byte, error) {
			if name != "api" {
				return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("does not exist")}
			}
			return []byte(c.source), nil
		})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: the error is %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checked(t, d, "curl --json '"+c.body+"' https://h.test/")
		if _, _, err := d.CheckOwn(parse); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if notes := strings.Join(d.Notes, "\n"); !strings.Contains(notes, c.noted) || c.noted == "" && notes != "" {
			t.Errorf("%s: it says %q", name, notes)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
	}
}

// TestFiles holds that references lead to files beside the document, and from these
// on to others.
func TestFiles(t *testing.T) {
	files := map[string]string{
		"api/root.yaml":         "openapi: 3.0.3\nservers: [{url: 'https://h.test/'}]\npaths: {/a: {$ref: paths/a.yaml}}\n",
		"api/paths/a.yaml":      "post: {requestBody: {content: {application/json: {schema: {$ref: '../schemas.json#/all/0'}}}}, x-codeSamples: [{$ref: 'a%20curl.yaml#/x~1y'}]}\n",
		"api/schemas.json":      `{"all": [{"type": "object", "properties": {"n": {"$ref": "#/number"}}}], "number": {"type": "integer"}}`,
		"api/paths/a curl.yaml": "x/y:\n  source: |-\n    curl --json '{\"n\": \"one\"}' https://h.test/a\n",
	}
	d, err := Open("root.yaml", nil, func(name string) ([]byte, error) {
		if text, ok := files["api/"+name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := d.CheckOwn(parse)
	if err != nil || len(found) != 1 || found[0].Code != InvalidBody || found[0].Place != (openapi.Place{File: "paths/a curl.yaml", Line: 3, Column: 24}) || found[0].Against != (openapi.Place{File: "schemas.json", Line: 1, Column: 10}) {
		t.Errorf("%v, %+v, %q", err, found, d.Notes)
	}
}

// TestLinear holds that the cost of a document grows with its length.
func TestLinear(t *testing.T) {
	document := func(n int) string {
		var b strings.Builder
		b.WriteString("openapi: 3.1.0\nservers: [{url: 'https://h.test'}]\npaths:\n")
		for i := range n {
			fmt.Fprintf(&b, "  /p%d:\n    get:\n      x-codeSamples: [{source: 'curl https://h.test/p%d'}]\n      parameters: [{$ref: '#/components/parameters/p%d'}]\n", i, i, i)
		}
		b.WriteString("components:\n  parameters:\n")
		for i := range n {
			fmt.Fprintf(&b, "    p%d: {name: a, in: query, schema: {type: string}, example: x}\n", i)
		}
		return b.String()
	}
	few, many := document(500), document(4000)
	took := func(text string) time.Duration {
		start := time.Now()
		if found, _, err := open(t, "api.yaml", text).CheckOwn(parse); err != nil || len(found) > 0 {
			t.Fatalf("%v %+v", err, found)
		}
		return time.Since(start)
	}
	// The least of several times is what the work takes, also where other programs run. A
	// cost that is quadratic has a ratio of 64 at any time.
	least, most := took(few), took(many)
	for range 20 {
		if most <= 24*least {
			return
		}
		least, most = min(least, took(few)), min(most, took(many))
	}
	t.Errorf("eight times as many operations take %v in place of %v", most, least)
}
