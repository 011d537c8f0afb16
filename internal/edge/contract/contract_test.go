package contract

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
)

func parse(text, shell string) (*engine.Result, error) {
	return engine.Parse(text, engine.Input{Shell: shell, Explain: engine.Explain})
}

// open reads a document that is one text.
func open(t testing.TB, name, source string) *Document {
	t.Helper()
	d, err := Open(name, nil, func(string) ([]byte, error) { return []byte(source), nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Notes) > 0 {
		t.Errorf("%s: %q", name, d.Notes)
	}
	return d
}

// shops are the document of the tests in both versions and both languages.
func shops(t testing.TB) (all map[string]string) {
	t.Helper()
	all = make(map[string]string)
	for _, name := range []string{"shop-3.0", "shop-3.1"} {
		source, err := os.ReadFile("testdata/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		all[name+".yaml"] = string(source)
		all[name+".json"] = asJSON(t, tree(t, string(source)))
	}
	return all
}

func tree(t testing.TB, source string) (value map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(source), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checked returns the findings of a command.
func checked(t testing.TB, d *Document, c string) []Finding {
	t.Helper()
	r, err := parse(c, "")
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	found, err := d.Check(r)
	if err != nil {
		t.Fatalf("%s: %+v", c, *fault.Of(err))
	}
	for _, f := range found {
		if f.Span.Start < 0 || f.Span.End > int32(len(c)) || f.Span.Start > f.Span.End {
			t.Errorf("%s: %s is at %v", c, f.Code, f.Span)
		}
		if f.Against.File != d.Root.File.Name || f.Against.Line < 1 || f.Against.Column < 1 || f.Message == "" {
			t.Errorf("%s: %s is described at %+v: %q", c, f.Code, f.Against, f.Message)
		}
	}
	return found
}

// TestPlanted holds that each planted contradiction is found, alone, in every form of
// the document.
func TestPlanted(t *testing.T) {
	for name, source := range shops(t) {
		d := open(t, name, source)
		for code, commands := range planted {
			if len(commands) < 10 {
				t.Errorf("%s has %d commands", code, len(commands))
			}
			for _, c := range commands {
				c = short.Replace(c)
				if found := checked(t, d, c); len(found) != 1 || found[0].Code != code {
					t.Errorf("%s: %s\nfound %+v\nwant %s", name, c, found, code)
				}
			}
		}
	}
}

// TestClean holds that nothing is found in what keeps to the document.
func TestClean(t *testing.T) {
	for name, source := range shops(t) {
		d := open(t, name, source)
		for _, c := range clean {
			c = short.Replace(c)
			for _, f := range checked(t, d, c) {
				t.Errorf("%s: %s\nfound %s: %s", name, c, f.Code, f.Message)
			}
		}
	}
}

// below returns a part of a tree.
func below(t testing.TB, value any, path ...string) map[string]any {
	t.Helper()
	for _, name := range path {
		object, ok := value.(map[string]any)
		if !ok {
			t.Fatalf("there is no %q", path)
		}
		value = object[name]
	}
	object, ok := value.(map[string]any)
	if !ok {
		t.Fatalf("there is no %q", path)
	}
	return object
}

// TestOwnSamples holds that a command which contradicts the operation that it stands at
// is found in all of the extensions that have commands.
func TestOwnSamples(t *testing.T) {
	stands := []struct{ path, method, command string }{
		{"/items", "get", "curl @A @S/items/7"}, {"/items", "post", "curl @A -d item=1 @S/orders"}, {"/items/{id}", "get", "curl @A @S/items"},
		{"/items/{id}", "delete", "curl @A -X DELETE @S/items/7/picture"}, {"/search", "get", "curl @A @S/items"}, {"/status", "get", "curl '@S/hooks?token=t'"},
		{"/hooks", "get", "curl @S/status"}, {"/orders", "post", "curl @A @J -d '{}' @S/items"}, {"/orders/{id}/cancel", "post", "curl @A -F a=b @S/items/7/picture"},
		{"/reports/{name}.{format}", "get", "curl @A @S/orders"},
	}
	forms := map[string]func(command string) any{
		"x-codeSamples": func(c string) any { return []any{map[string]any{"lang": "Shell", "source": c}} },
		"x-code-samples": func(c string) any {
			return []any{map[string]any{"lang": "curl", "source": "# an example\n" + c + "\n"}}
		},
		"x-oaiMeta": func(c string) any {
			return map[string]any{"examples": map[string]any{"request": map[string]any{"curl": c}}}
		},
		"x-readme": func(c string) any { return map[string]any{"code-samples": []any{map[string]any{"code": c}}} },
	}
	for name, source := range shops(t) {
		for extension, form := range forms {
			for _, s := range stands {
				value := tree(t, source)
				if strings.HasSuffix(name, ".json") {
					value = nil
					if err := json.Unmarshal([]byte(source), &value); err != nil {
						t.Fatal(err)
					}
				}
				at := below(t, value, "paths", s.path, s.method)
				at[extension] = form(short.Replace(s.command))
				found, commands, err := open(t, name, asJSON(t, value)).CheckOwn(parse)
				if err != nil || commands != 1 || len(found) != 1 || found[0].Code != OtherOperation && found[0].Code != UnknownMethod && found[0].Code != UnknownPath {
					t.Errorf("%s: %s in %s at %s %s: %d commands, %v\nfound %+v", name, s.command, extension, s.method, s.path, commands, err, found)
				}
			}
		}
	}
}

// TestSampleWithSteps holds that only one command of an example need be that of its
// operation.
func TestSampleWithSteps(t *testing.T) {
	value := tree(t, shops(t)["shop-3.1.yaml"])
	at := below(t, value, "paths", "/items/{id}", "delete")
	for commands, want := range map[string][]diag.Code{
		"curl @A @S/items\ncurl @A -X DELETE @S/items/7":          nil,
		"curl @A @S/items?limit=0\ncurl @A -X DELETE @S/items/7":  {InvalidParameter},
		"curl @A @S/items\ncurl @A @S/items/7":                    {OtherOperation, UnknownMethod},
		"curl @A http://other.test/v1/items/7 -X DELETE":          nil,
		"curl @A @S/items -X DELETE":                              {UnknownMethod},
		"ID=7; curl @A -X DELETE \"$HOST/v1/items/$ID\" | jq .id": nil,
	} {
		at["x-codeSamples"] = []any{map[string]any{"source": short.Replace(commands)}}
		found, _, err := open(t, "shop.json", asJSON(t, value)).CheckOwn(parse)
		var codes []diag.Code
		for _, f := range found {
			codes = append(codes, f.Code)
		}
		if err != nil || !slices.Equal(codes, want) {
			t.Errorf("%s\nfound %v, %v, want %v", commands, codes, err, want)
		}
		if len(found) == 1 && strings.Contains(found[0].Message, "method DELETE, and stands at DELETE") {
			t.Errorf("%s\nthe message is %s", commands, found[0].Message)
		}
	}
}

// TestOwnPlaces holds that a finding in a literal block of YAML has the line of its own.
func TestOwnPlaces(t *testing.T) {
	const sample = `
      x-codeSamples:
        - lang: Shell
          source: |
            # makes a cup
            curl -H 'Authorization: Bearer t' -H 'Content-Type: application/json' \
              -d '{
                "name": "Cup",
                "price": -1
              }' https://api.shop.test/v1/items
`
	source := shops(t)["shop-3.1.yaml"]
	before, after, ok := strings.Cut(source, "      operationId: createItem\n")
	if !ok {
		t.Fatal("there is no createItem")
	}
	source = before + strings.TrimPrefix(sample, "\n") + after
	found, _, err := open(t, "shop.yaml", source).CheckOwn(parse)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %+v", err, found)
	}
	line := strings.Split(source, "\n")[found[0].Line-1]
	if got := line[found[0].Column-1:]; got != "-1" {
		t.Errorf("the finding is at %q", got)
	}
	if f := found[0]; f.From.Line != 0 {
		t.Errorf("it has a fix at %v", f.From)
	}
	if line := strings.Split(source, "\n")[found[0].Against.Line-1]; !strings.Contains(line, "type: object") {
		t.Errorf("it is described at %q", line)
	}
}

// TestOwnExamples holds the examples of the document against their schemas.
func TestOwnExamples(t *testing.T) {
	item := `{"name": "Cup", "price": 1}`
	examples := []struct {
		path       []string
		good, evil string
	}{
		{[]string{"paths", "/items", "get", "responses", "200", "content", "application/json"}, `[{"id": 1, "name": "Cup", "price": 1}]`, `[` + item + `]`},
		{[]string{"paths", "/items", "get", "responses", "200", "headers", "X-Total"}, `3`, `"three"`},
		{[]string{"paths", "/items", "get", "responses", "200", "content", "application/json"}, `[]`, `{}`},
		{[]string{"paths", "/items/{id}", "patch", "requestBody", "content", "application/merge-patch+json"}, `{"price": 1}`, `{"price": 0}`},
		{[]string{"paths", "/items/{id}", "patch", "requestBody", "content", "application/merge-patch+json"}, `"{\"price\": 1}"`, `"{\"prize\": 1}"`},
		{[]string{"components", "parameters", "Limit"}, `100`, `0`},
		{[]string{"components", "requestBodies", "Item", "content", "application/json"}, item, `{"name": "Cup", "price": "1"}`},
		{[]string{"components", "requestBodies", "Item", "content", "application/json"}, `{"name": "<name>", "price": "<price>"}`, `{"name": "<name>", "price": "much"}`},
		{[]string{"components", "requestBodies", "Item", "content", "application/json"}, `{"name": "Cup", "price": 1, "kind": "cup"}`, `{"name": "Cup", "price": 1, "kind": "pot"}`},
		{[]string{"paths", "/orders", "post", "requestBody", "content", "application/x-www-form-urlencoded"}, `{"item": 1, "gift": true}`, `{"item": 1, "gift": 2}`},
	}
	for name, source := range shops(t) {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		for _, e := range examples {
			for text, want := range map[string]int{e.good: 0, e.evil: 1} {
				for _, many := range []bool{false, true} {
					value := tree(t, source)
					at := below(t, value, e.path...)
					delete(at, "example")
					delete(at, "examples")
					if many {
						at["examples"] = map[string]any{"one": map[string]any{"value": json.RawMessage(text)}}
					} else {
						at["example"] = json.RawMessage(text)
					}
					found, _, err := open(t, name, asJSON(t, value)).CheckOwn(parse)
					if err != nil || len(found) != want || want > 0 && found[0].Code != InvalidExample {
						t.Errorf("%s: %s at %q: %v, %+v", name, text, e.path, err, found)
					}
				}
			}
		}
	}
}

// TestFixes holds that a fix, made, leaves nothing to find.
func TestFixes(t *testing.T) {
	d := open(t, "shop.yaml", shops(t)["shop-3.1.yaml"])
	for _, c := range []string{
		"curl @A @S/orderz/o1/cancel -X POST", "curl @A @S/item", "curl @A '@S/items?limits=3'", "curl @A '@S/items?limit=3&sorts=name'", "curl @A @S/orders/o1/cancel",
		"curl @A @Q -d q=cup @S/search", "curl @A -d '{\"name\":\"Cup\",\"price\":1}' @S/items", "curl @A -H 'Content-Type: text/plain' -d '{\"name\":\"Cup\",\"price\":1}' @S/items",
	} {
		c = short.Replace(c)
		for _, f := range checked(t, d, c) {
			if f.Code == DeprecatedOperation {
				continue
			}
			if f.Fix == nil {
				t.Errorf("%s: %s has no fix", c, f.Code)
				continue
			}
			c = c[:f.Fix.Span.Start] + f.Fix.Text + c[f.Fix.Span.End:]
		}
		for _, f := range checked(t, d, c) {
			if f.Code != DeprecatedOperation {
				t.Errorf("%s: still %s: %s", c, f.Code, f.Message)
			}
		}
	}
}

// TestNoSecrets holds that a message has nothing of the values of a command.
func TestNoSecrets(t *testing.T) {
	const secret = "hunter2"
	d := open(t, "shop.yaml", shops(t)["shop-3.0.yaml"])
	for _, c := range []string{
		"curl @A @S/" + secret, "curl @A @S/items/" + secret, "curl @A '@S/items?limit=" + secret + "'", "curl @A @J -d '{\"name\":\"Cup\",\"price\":\"" + secret + "\",\"kind\":\"" + secret + "\"}' @S/items",
		"curl -H 'Authorization: " + secret + "' @S/items", "curl -u ann:" + secret + " @S/items", "curl @A -d 'item=" + secret + "' @S/orders", "curl @A -H 'Content-Type: " + secret + " " + secret + "' -d '{}' @S/items",
		"curl @A '@S/items?" + secret + strings.Repeat("x", 40) + "'", "curl @A -d '" + secret + " " + secret + "' @S/orders",
		"curl @A -X " + secret + strings.Repeat("x", 20) + " @S/items", "curl -b session=" + secret + " -H 'X-Account: " + secret + "' @A '@S/search?q=cup'",
	} {
		found := checked(t, d, short.Replace(c))
		if len(found) == 0 {
			t.Errorf("%s: nothing is found", c)
		}
		for _, f := range found {
			if said := fmt.Sprint(f.Message, f.Hint); strings.Contains(said, secret) {
				t.Errorf("%s: %s", c, said)
			}
		}
	}
}

// TestDocumented holds the kinds of findings against their table, and apart from the
// codes of commands.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/lint-openapi.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../../../diag/code.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "<!-- codes -->")
	table, _, _ := strings.Cut(rest, "<!-- /codes -->")
	for code := range titles {
		level := "error"
		if doubtful[code] {
			level = "doubt"
		}
		if !strings.Contains(table, "| `"+string(code)+"` | "+level+" | ") {
			t.Errorf("docs/lint-openapi.md lacks %s, %s", code, level)
		}
		if strings.Contains(string(source), `"`+string(code)+`"`) {
			t.Errorf("%s is a code of commands too", code)
		}
		if Title(code) == "" {
			t.Errorf("%s has no title", code)
		}
		if code != OtherOperation && code != InvalidExample && planted[code] == nil {
			t.Errorf("no command is planted for %s", code)
		}
	}
	if rows := strings.Count(table, "\n| `"); rows != len(titles) {
		t.Errorf("the table has %d rows", rows)
	}
}

// TestServers holds which URLs go to which servers.
func TestServers(t *testing.T) {
	for servers, urls := range map[string]map[string]bool{
		`[{"url": "https://h.test/v1"}]`: {"http://H.test/v1/none": true, "https://h.test/v2/none": false, "https://h.test.evil.test/v1/none": false, "https://ann:pw@h.test/v1/none": true,
			"https://h.test:8443/v1/none": false, "$HOST/v1/none": false, "http://localhost/v1/none": false},
		`[{"url": "/v1"}]`: {"http://localhost:8080/v1/none": false, "http://localhost:8080/v1/a/1?none": true, "https://h.test/v1/none": false, "http://127.0.0.1/none": false},
		`[{"url": "https://{a}.h.test/v{n}", "variables": {"a": {"enum": ["eu", "us"]}, "n": {"default": "1"}}}]`: {"https://eu.h.test/v2/none": true, "https://EU.h.test/v1/none": true,
			"https://de.h.test/v1/none": false, "https://eu.h.test/w1/none": false},
		`[{"url": "{scheme}://{host}:{port}", "variables": {"scheme": {"default": "http"}, "host": {"default": "db.test"}, "port": {"default": "81"}}}]`: {"http://db.test:81/none": true,
			"http://localhost:1234/none": false, "http://localhost:1234/a/1?none": true, "http://h.test:81/none": false},
		`[]`: {"https://h.test/none": false},
	} {
		d := open(t, "api.json", `{"openapi": "3.1.0", "servers": `+servers+`, "paths": {"/a/{b}": {"get": {}}}}`)
		for url, served := range urls {
			if found := checked(t, d, "curl \""+url+"\""); len(found) > 0 != served {
				t.Errorf("%s for %s: found %+v", url, servers, found)
			}
		}
	}
}

// TestQueryForms holds how parameters that are objects and lists stand in a query.
func TestQueryForms(t *testing.T) {
	source := `{"openapi": "3.0.0", "servers": [{"url": "https://h.test"}], "paths": {"/a": {"get": {"parameters": [%s]}}, "/b?beta=true": {"get": {}}, "/b": {"post": {}}}}`
	for parameter, queries := range map[string]map[string]string{
		`{"name": "f", "in": "query", "required": true, "style": "deepObject", "schema": {"type": "object"}}`:                {"f[a]=1": "", "g[a]=1": "missing-parameter unknown-parameter", "": "missing-parameter"},
		`{"name": "f", "in": "query", "required": true, "schema": {"type": "object", "properties": {"a": {}}}}`:              {"a=1": "", "b=1": "unknown-parameter", "": ""},
		`{"name": "f", "in": "query", "schema": {"type": "object", "additionalProperties": true}}`:                           {"a=1": "", "b=1": ""},
		`{"name": "f", "in": "query", "style": "pipeDelimited", "schema": {"type": "array", "items": {"type": "integer"}}}`:  {"f=1%7C2": "", "f=1,2": "invalid-parameter", "f=1&f=2": ""},
		`{"name": "f", "in": "query", "style": "spaceDelimited", "schema": {"type": "array", "items": {"type": "integer"}}}`: {"f=1%202": "", "f=1+2": "", "f=a": "invalid-parameter"},
		`{"name": "f", "in": "query", "content": {"application/json": {"schema": {"type": "integer"}}}}`:                     {"f=%7B%7D": ""},
		`{"name": "f", "in": "query", "schema": {"type": "string", "enum": ["1", "true"]}}`:                                  {"f=1": "", "f=true": "", "f=2": "invalid-parameter"},
	} {
		d := open(t, "api.json", fmt.Sprintf(source, parameter))
		for query, want := range queries {
			var codes []string
			for _, f := range checked(t, d, "curl 'https://h.test/a?"+query+"'") {
				codes = append(codes, string(f.Code))
			}
			if got := strings.Join(codes, " "); got != want {
				t.Errorf("%s with %s: %s", query, parameter, got)
			}
		}
		if found := checked(t, d, "curl 'https://h.test/b?beta=true'"); len(found) > 0 {
			t.Errorf("a path with a query: %+v", found)
		}
	}
}

// TestOwnFix holds where the fix of a command in a literal block of YAML is made.
func TestOwnFix(t *testing.T) {
	const source = `openapi: 3.1.0
servers: [{url: https://h.test}]
paths:
  /cups/{id}:
    delete:
      x-codeSamples:
        - source: |
            # drops a cup
            echo é; curl \
              https://h.test/cup/7 -X DELETE
`
	found, _, err := open(t, "api.yaml", source).CheckOwn(parse)
	if err != nil || len(found) != 1 || found[0].Fix == nil {
		t.Fatalf("%v, %+v", err, found)
	}
	from, to := found[0].From, found[0].To
	line := []rune(strings.Split(source, "\n")[from.Line-1])
	mended := string(line[:from.Column-1]) + found[0].Fix.Text + string(line[to.Column-1:])
	if want := "https://h.test/cups/7 -X DELETE"; from.Line != to.Line || strings.TrimSpace(mended) != want {
		t.Errorf("from %+v to %+v it is %q", from, to, mended)
	}
}

// TestCapitals holds that a name in capitals is a placeholder, but where the schema has
// such values.
func TestCapitals(t *testing.T) {
	d := open(t, "api.json", `{"openapi": "3.0.0", "servers": [{"url": "https://h.test"}], "paths": {"/": {"post": {
		"parameters": [{"name": "s", "in": "query", "schema": {"type": "string", "enum": ["IN_WORK", "DONE"]}}, {"name": "n", "in": "query", "schema": {"type": "integer"}}],
		"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"s": {"type": "string", "enum": ["IN_WORK", "DONE"]}, "k": {"type": "string", "enum": ["a"]}}}}}}}}}}`)
	for command, want := range map[string]int{
		"'https://h.test/?s=IN_WORK&n=ITEM_ID' --json '{\"s\":\"IN_WORK\",\"k\":\"ITEM_KIND\"}'": 0,
		"'https://h.test/?s=IN_WORKS' -X POST":                                                   1,
		"https://h.test/ --json '{\"s\":\"IN_WORKS\"}'":                                          1,
		"'https://h.test/?s=$STATE' -X POST":                                                     0,
	} {
		if found := checked(t, d, "curl "+command); len(found) != want {
			t.Errorf("%s: found %+v", command, found)
		}
	}
}
