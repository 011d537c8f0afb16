package samples_test

import (
	"encoding/json"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	yaml "github.com/oasdiff/yaml3"

	"uncoil/code"
	"uncoil/internal/edge/samples"
	"uncoil/internal/engine"
	"uncoil/request"
)

func targets(t *testing.T, names ...string) (all []code.Target) {
	t.Helper()
	for _, name := range names {
		target, ok := code.Lookup(name)
		if !ok {
			t.Fatalf("no target %s", name)
		}
		all = append(all, target)
	}
	return all
}

// none has no files beside the document.
func none(string) ([]byte, error) { return nil, fs.ErrNotExist }

func update(t *testing.T, document string, names ...string) (string, samples.Report) {
	t.Helper()
	out, report, err := samples.Update("api.yaml", document, none, targets(t, names...), code.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	return out, report
}

// source returns the programs of the one operation of a document.
func sources(t *testing.T, document string) (all []string) {
	t.Helper()
	var d struct {
		Paths map[string]map[string]yaml.Node
	}
	if err := yaml.Unmarshal([]byte(document), &d); err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	for _, item := range d.Paths {
		for name, node := range item {
			var operation struct {
				Samples []struct{ Lang, Label, Source string } `yaml:"x-codeSamples"`
			}
			if name == "parameters" {
				continue
			}
			if err := node.Decode(&operation); err != nil {
				t.Fatal(err)
			}
			for _, s := range operation.Samples {
				if s.Lang == "" {
					t.Errorf("a sample without a language in\n%s", document)
				}
				all = append(all, s.Source)
			}
		}
	}
	return all
}

// document returns a document with one operation, whose members are YAML in flow style.
func document(method, path, members string) string {
	return `{openapi: 3.1.0, info: {title: t, version: "1"}, servers: [{url: "https://{at}.test/v1", variables: {at: {default: api}}}],
paths: {"` + path + `": {` + method + `: {` + members + `}}},
components: {
  parameters: {limit: {name: limit, in: query, required: true, schema: {type: integer, minimum: 5}}},
  schemas: {pet: {type: object, required: [name, kind], properties: {id: {type: integer, readOnly: true}, name: {type: string, examples: [Rex]}, kind: {enum: [dog, cat]}, mother: {$ref: "#/components/schemas/pet"}, note: {type: string}}},
    loop: {$ref: "#/components/schemas/loop"}},
  securitySchemes: {basic: {type: http, scheme: basic}, bearer: {type: http, scheme: Bearer}, keyAuth: {type: apiKey, in: header, name: X-Key}, queryKey: {type: apiKey, in: query, name: k}, session: {type: apiKey, in: cookie, name: sid}, oauth: {type: oauth2}}}}`
}

// What OpenAPI 3.1 says of an operation (Parameter Object, Style Examples; Media Type
// Object; Security Requirement Object), by hand. A variable stands where the document has
// no example. The order of fields and the + of a form are curl's (8.22, http.c and escape of
// --data-urlencode in tool_getparam.c).
var operations = []struct {
	method, path, members string
	want                  string // method, URL, fields and data
}{
	{"get", "/pets", `responses: {}`, "GET https://api.test/v1/pets"},
	{"head", "/pets", `responses: {}`, "HEAD https://api.test/v1/pets"},
	{"delete", "/pets/{petId}", `parameters: [{name: petId, in: path, required: true, schema: {type: string}}]`, "DELETE https://api.test/v1/pets/$PET_ID"},
	{"get", "/pets/{id}/x", `parameters: [{name: id, in: path, required: true, example: "a/b c"}]`, "GET https://api.test/v1/pets/a%2Fb%20c/x"},
	{"get", "/a/{undeclared}", `responses: {}`, "GET https://api.test/v1/a/$UNDECLARED"},
	{"get", "/a/{path}", `responses: {}`, "GET https://api.test/v1/a/$VALUE_PATH"},
	{"get", "/q", `parameters: [{$ref: "#/components/parameters/limit"}, {name: optional, in: query, schema: {type: string}}]`, "GET https://api.test/v1/q?limit=5"},
	{"get", "/q", `parameters: [{name: t, in: query, required: true, schema: {type: array}, example: [a, "b&c"]}]`, "GET https://api.test/v1/q?t=a&t=b%26c"},
	{"get", "/q", `parameters: [{name: t, in: query, required: true, explode: false, example: [a, b]}]`, "GET https://api.test/v1/q?t=a,b"},
	{"get", "/q", `parameters: [{name: f, in: query, required: true, style: deepObject, example: {a: 1, b: x}}]`, "GET https://api.test/v1/q?f%5Ba%5D=1&f%5Bb%5D=x"},
	{"get", "/q", `parameters: [{name: f, in: query, required: true, example: {a: 1, b: x}}]`, "GET https://api.test/v1/q?a=1&b=x"},
	{"get", "/q", `parameters: [{name: j, in: query, required: true, content: {application/json: {example: {a: 1}}}}]`, "GET https://api.test/v1/q?j=%7B%22a%22%3A%201%7D"},
	{"get", "/h", `parameters: [{name: X-A, in: header, required: true, schema: {type: string}}, {name: Accept, in: header, required: true, example: x}, {name: X-B, in: header, required: true, examples: {one: {value: "b;c"}}}, {name: c, in: cookie, required: true, example: d}]`,
		"GET https://api.test/v1/h\nCookie: c=d\nX-A: $X_A\nX-B: b;c"},
	{"post", "/pets", `requestBody: {content: {application/xml: {}, application/json: {schema: {$ref: "#/components/schemas/pet"}}}}`,
		"POST https://api.test/v1/pets\nContent-Type: application/json\n" + `{"name": "Rex", "kind": "dog"}`},
	{"post", "/pets", `requestBody: {content: {application/vnd.a+json: {example: [1, 0x10, 2.50, null, true, "2026-01-01", {}]}}}`,
		"POST https://api.test/v1/pets\nContent-Type: application/vnd.a+json\n" + `[1, 16, 2.50, null, true, "2026-01-01", {}]`},
	{"patch", "/pets", `requestBody: {content: {application/json: {schema: {allOf: [{properties: {a: {type: boolean}}}, {type: object, properties: {b: {format: uuid, type: string}, c: {type: array, items: {type: [null, number]}}}}]}}}}`,
		"PATCH https://api.test/v1/pets\nContent-Type: application/json\n" + `{
  "a": true,
  "b": "123e4567-e89b-12d3-a456-426614174000",
  "c": [
    1
  ]
}`},
	{"put", "/x", `requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/loop"}}}}`, "PUT https://api.test/v1/x\nContent-Type: application/json\n\"string\""},
	{"post", "/f", `requestBody: {content: {application/x-www-form-urlencoded: {example: {a: x y, b: [1, "2&3"], "c d": "@e"}}}}`,
		"POST https://api.test/v1/f\nContent-Type: application/x-www-form-urlencoded\na=x+y&b=1&b=2%263&c%20d=%40e"},
	{"post", "/t", `requestBody: {content: {text/plain: {example: "@a\nb"}}}`, "POST https://api.test/v1/t\nContent-Type: text/plain\n@a\nb"},
	{"post", "/none", `responses: {}`, "POST https://api.test/v1/none"},
	{"get", "/s", `security: [{basic: []}]`, "GET https://api.test/v1/s\n-u $USERNAME:$PASSWORD"},
	{"get", "/s", `security: [{bearer: []}, {basic: []}]`, "GET https://api.test/v1/s\nAuthorization: Bearer $TOKEN"},
	{"get", "/s", `security: [{keyAuth: [], queryKey: [], session: []}]`, "GET https://api.test/v1/s?k=$QUERY_KEY\nCookie: sid=$SESSION\nX-Key: $KEY_AUTH"},
	{"get", "/s", `security: [{oauth: [read]}]`, "GET https://api.test/v1/s\nAuthorization: Bearer $TOKEN"},
	{"get", "/s", `servers: [{url: /v2/}], security: []`, "GET https://example.com/v2/s"},
}

// described returns the request of a command as operations has it.
func described(t *testing.T, command string) string {
	t.Helper()
	result, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatalf("%v: %s", err, command)
	}
	if len(result.Requests) != 1 {
		t.Fatalf("%d requests of %s", len(result.Requests), command)
	}
	r := &result.Requests[0]
	text := r.Method + " " + r.URL
	for _, f := range r.Fields {
		switch {
		case f.Name == "Authorization" && strings.Contains(command, " -u "):
			text += "\n" + strings.ReplaceAll(regexp.MustCompile(`-u "[^"]*"`).FindString(command), `"`, "")
		case f.From != "":
			text += "\n" + f.Name + ": " + f.Value
		}
	}
	if body, err := r.AppendBody(nil, request.Source{}); err == nil && len(body) > 0 {
		text += "\n" + string(body)
	}
	return text
}

func TestRequests(t *testing.T) {
	for _, c := range operations {
		out, report := update(t, document(c.method, c.path, c.members), "curl", "raw-http")
		all := sources(t, out)
		if len(all) != 2 || len(report.Errors) > 0 || report.Operations != 1 {
			t.Errorf("%s %s: %+v\n%s", c.method, c.path, report, out)
			continue
		}
		if got := described(t, all[0]); got != c.want {
			t.Errorf("%s of %s {%s} is\n%s\nwant\n%s\nby %s", c.method, c.path, c.members, got, c.want, all[0])
		}
	}
}

// Samples are the programs of package code for the command.
func TestSamplesArePrograms(t *testing.T) {
	names := []string{"curl", "python", "go", "node-axios"}
	for _, c := range operations {
		out, _ := update(t, document(c.method, c.path, c.members), names...)
		all := sources(t, out)
		result, err := engine.Parse(all[0], engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		for i, target := range targets(t, names...)[1:] {
			want, _, err := target.Append(nil, result.Requests, code.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := all[i+1]; got != strings.TrimSuffix(string(want), "\n") {
				t.Errorf("%s for %s is\n%s\nwant\n%s", target.Name, all[0], got, want)
			}
		}
	}
}

// Text of a document is text for the shell: bash itself gives curl the words.
func TestHostileExamples(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, text := range []string{"$(touch x)", "`touch x`", `"; touch x; "`, `'; touch x; '`, `\`, `a\"b`, "$HOME", "!!", "a\nb", "@/etc/passwd", "<x", "{a,b}[1-3]", "é\u2028", "#"} {
		quoted, _ := json.Marshal(text)
		members := `parameters: [{name: p, in: path, required: true, example: ` + string(quoted) + `}, {name: X-H, in: header, required: true, example: ` + string(quoted) + `}], security: [{bearer: []}],
			requestBody: {content: {application/json: {example: {a: ` + string(quoted) + `}}}}`
		out, report := update(t, document("post", "/x/{p}", members), "curl")
		if len(report.Errors) > 0 {
			t.Errorf("%q: %+v", text, report)
			continue
		}
		cmd := exec.Command(bash, "-c", "curl() { printf '%s\\0' \"$@\"; }; TOKEN='t o'; "+sources(t, out)[0])
		cmd.Dir = t.TempDir()
		printed, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Split(string(printed), "\x00")
		want := "https://api.test/v1/x/" + percent(text)
		if words[0] != want || !slices.Contains(words, "Authorization: Bearer t o") {
			t.Errorf("%q: %q, want %q and the token", text, words, want)
		}
		if !strings.ContainsAny(text, "\n") && !slices.Contains(words, "X-H: "+text) {
			t.Errorf("%q is not the field of %q", text, words)
		}
		if !slices.ContainsFunc(words, func(w string) bool {
			var body struct{ A string }
			return json.Unmarshal([]byte(w), &body) == nil && body.A == text
		}) {
			t.Errorf("%q is not the body of %q", text, words)
		}
	}
}

// percent encodes all but unreserved characters.
func percent(s string) string {
	return regexp.MustCompile(`[^A-Za-z0-9._~-]`).ReplaceAllStringFunc(s, func(c string) string {
		out := ""
		for i := range len(c) {
			out += "%" + strings.ToUpper(string("0123456789abcdef"[c[i]>>4])+string("0123456789abcdef"[c[i]&15]))
		}
		return out
	})
}

// TestMediaTypes holds which of several media types a sample sends, wherever it stands.
func TestMediaTypes(t *testing.T) {
	types := []string{"application/json", "application/vnd.a+json", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml"}
	for i, want := range types {
		for _, other := range types[i+1:] {
			for _, content := range []string{want + ": {}, " + other + ": {}", other + ": {}, " + want + ": {}"} {
				out, _ := update(t, document("post", "/a", "requestBody: {required: true, content: {"+content+"}}"), "curl")
				all := sources(t, out)
				if len(all) != 1 || strings.Contains(all[0], other) || want == "multipart/form-data" && strings.Contains(all[0], "xml") {
					t.Errorf("%s: %q, want %s", content, all, want)
				}
			}
		}
	}
}
