package samples_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "github.com/oasdiff/yaml3"

	"uncoil/code"
	"uncoil/internal/edge/samples"
)

const head = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: https://api.test}]\n"

// layouts are documents as people lay them out.
var layouts = map[string]string{
	"block":        head + "paths:\n  /a:\n    get:\n      summary: é # one\n      responses: {}\n\n    # two\n    post:\n      description: |\n        text\n\n      responses:\n        '200':\n          description: ok\n  /b: {get: {responses: {}}}\n",
	"no end":       head + "paths:\n  /a:\n    get:\n      responses: {}",
	"CRLF":         strings.ReplaceAll(head+"paths:\n  /a:\n    get:\n      responses: {}\n    put:\n      responses: {}\n", "\n", "\r\n"),
	"four":         head + "paths:\n    /a:\n        get:\n            tags:\n            - x\ncomponents: {}\n",
	"others":       head + "paths:\n  /a:\n    get:\n      x-codeSamples:\n        # mine\n        - lang: Ada\n          source: |\n            x\n      responses: {}\n",
	"flush":        head + "paths:\n  /a:\n    get:\n      x-codeSamples:\n      - lang: Ada\n        source: x\n      responses: {}\n",
	"empty":        head + "paths:\n  /a:\n    get:\n      x-codeSamples: [] # none\n      responses: {}\n",
	"flow others":  head + "paths:\n  /a:\n    get:\n      x-codeSamples: [{lang: Ada, source: 'é'}]\n      responses: {}\n",
	"anchors":      head + "x: &r {'200': {description: ok}}\npaths:\n  /a:\n    get: &g\n      responses: *r\n  /b:\n    get: *g\n",
	"comment":      head + "paths:\n  /a:\n    get:\n      responses: {} # last\n# end\n",
	"path item":    head + "paths:\n  /a:\n    get:\n      responses: {}\n    parameters:\n      - {name: x, in: query}\n",
	"JSON":         "{\n  \"openapi\": \"3.1.0\",\n  \"paths\": {\n    \"/é\": {\n      \"get\": {\n        \"summary\": \"é\",\n        \"responses\": {}\n      },\n      \"post\": {\"responses\": {}}\n    }\n  }\n}\n",
	"tabs":         "{\n\t\"openapi\": \"3.1.0\",\n\t\"paths\": {\n\t\t\"/a\": {\n\t\t\t\"get\": {\n\t\t\t\t\"responses\": {}\n\t\t\t}\n\t\t}\n\t}\n}\n",
	"minified":     `{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{}},"post":{"x-codeSamples":[{"lang":"Ada","source":"é"}],"responses":{}}}}}`,
	"JSON, others": "{\"openapi\": \"3.1.0\",\n \"paths\": {\"/a\": {\"get\": {\n  \"x-codeSamples\": [\n   {\"lang\": \"Ada\",   \"source\": \"x\"}\n  ],\n  \"responses\": {}}}}}\n",
}

// contained reports whether a text is another one with more in between: whole lines, or
// anything.
func contained(text, more string, lines bool) bool {
	split := func(s string) []string { return strings.Split(s, "") }
	if lines {
		split = func(s string) []string { return strings.SplitAfter(s+"\n", "\n") }
	}
	rest := split(text)
	for _, part := range split(more) {
		if len(rest) > 0 && rest[0] == part {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// withoutOwn returns the value of a document, without the samples that are written from
// here, and without lists of them that are empty.
func withoutOwn(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var clean func(v any) any
	clean = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name := range v {
				v[name] = clean(v[name])
			}
			if all, ok := v["x-codeSamples"].([]any); ok && len(all) == 0 {
				delete(v, "x-codeSamples")
			}
		case []any:
			kept := []any{}
			for _, item := range v {
				if one, ok := item.(map[string]any); !ok || one["x-uncoil"] == nil {
					kept = append(kept, clean(item))
				}
			}
			return kept
		}
		return v
	}
	return clean(v)
}

func TestEditsKeepTheRest(t *testing.T) {
	for name, text := range layouts {
		t.Run(name, func(t *testing.T) {
			out, report := update(t, text, "python", "curl")
			if len(report.Errors) > 0 || len(report.Stale) != report.Operations || report.Operations == 0 {
				t.Fatalf("%+v", report)
			}
			if strings.HasPrefix(text, "{") && !json.Valid([]byte(out)) {
				t.Errorf("this is no JSON:\n%s", out)
			}
			if got := strings.Count(out, "x-uncoil"); got != 2*report.Operations {
				t.Errorf("%d samples of %d operations:\n%s", got, report.Operations, out)
			}
			if name != "empty" && !contained(text, out, !strings.Contains(text, "{resp") && !strings.Contains(text, "[{lang") && text[0] != '{') {
				t.Errorf("the rest has changed: it was\n%s\nand is\n%s", text, out)
			}
			if diff := cmp.Diff(withoutOwn(t, text), withoutOwn(t, out)); diff != "" {
				t.Errorf("the rest has changed: %s", diff)
			}
			if strings.Contains(text, "\r\n") && strings.Count(out, "\n") != strings.Count(out, "\r\n") {
				t.Errorf("the ends of lines have changed: %q", out)
			}
			again, report := update(t, out, "python", "curl")
			if again != out || len(report.Stale) > 0 {
				t.Errorf("a second time: %+v\n%s", report, again)
			}
			other, report := update(t, out, "go")
			if len(report.Stale) != report.Operations || strings.Contains(other, "python-requests") {
				t.Errorf("with another target: %+v\n%s", report, other)
			}
			back, _ := update(t, other, "python", "curl")
			if back != out {
				t.Errorf("there and back:\n%s\nwant\n%s", back, out)
			}
		})
	}
}

// Samples that somebody has put before those of others go behind them.
func TestMixedOrder(t *testing.T) {
	own, other := `{"lang":"Go","x-uncoil":"go","source":""}`, `{"lang":"Ada","source":"%"}`
	for _, all := range [][]string{{own, other}, {other, own, other}, {own, other, own}, {other, other, own}, {own}} {
		out, report := update(t, `{"openapi":"3.1.0","paths":{"/a":{"get":{"x-codeSamples":[`+strings.Join(all, ",")+`]}}}}`, "curl")
		want := append(slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == own }), `curl https://example.com/a`)
		got := sources(t, out)
		for i := range got {
			if got[i] == "%" {
				got[i] = other
			}
		}
		if !slices.Equal(got, want) || len(report.Stale) != 1 {
			t.Errorf("%v: %+v %s", all, report, out)
		}
		block := head + "paths:\n  /a:\n    get:\n      x-codeSamples:\n        - " + strings.Join(all, "\n        - ") + "\n"
		out, _ = update(t, block, "curl")
		if n := strings.Count(out, `"Ada"`); n != len(want)-1 || strings.Contains(out, `"Go"`) || !strings.Contains(out, "curl https://api.test/a") {
			t.Errorf("%v: %s", all, out)
		}
	}
}

func TestRefusedDocuments(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "api.yaml: it is empty",
		"[]":                        "version 3",
		"a: [":                      "did not find",
		"swagger: '2.0'\npaths: {}": "Swagger 2.0",
	} {
		out, _, err := samples.Update("api.yaml", text, none, targets(t, "go"), code.Options{})
		if out != text || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A target that cannot send one request leaves the document alone, and says which.
func TestRefusedOperation(t *testing.T) {
	text := head + "paths:\n  /a:\n    get: {responses: {}}\n    post: {requestBody: {content: {text/plain: {example: '{{x}}'}}}}\n"
	out, report := update(t, text, "http")
	if out != text || len(report.Errors) != 1 || report.Errors[0].Line != 7 || !strings.HasPrefix(report.Errors[0].Message, "POST /a: http: cannot-express") {
		t.Errorf("%+v\n%s", report, out)
	}
}

// Programs that YAML cannot hold as they are: with margins, with blank lines, with
// characters that it does not print.
func TestSourcesAreKept(t *testing.T) {
	for _, body := range []string{`a\u2028b`, `\u0085`, `\ufeff`, `a\n\n\n b\n`, `\t`, `é😀`, `: # - |`} {
		for _, layout := range []string{"block", "flow"} {
			text := head + "paths:\n  /a:\n    post:\n      requestBody:\n        content: {text/plain: {example: \"" + body + "\"}}\n      responses: {}\n"
			if layout == "flow" {
				text = head + "paths: {/a: {post: {requestBody: {content: {text/plain: {example: \"" + body + "\"}}}, responses: {}}}}\n"
			}
			out, report := update(t, text, "raw-http", "curl", "python")
			if len(report.Errors) > 0 {
				t.Errorf("%s: %+v", body, report)
				continue
			}
			var want string
			_ = json.Unmarshal([]byte(`"`+body+`"`), &want)
			if got := sources(t, out); len(got) != 3 || !strings.HasSuffix(got[0]+"\n", "\n\n"+want) && !strings.HasSuffix(got[0], "\n\n"+want) {
				t.Errorf("%s in %s: %q\n%s", body, layout, got, out)
			}
		}
	}
}

// Schemas that contain themselves, references in circles and many aliases end.
func TestBounded(t *testing.T) {
	var many strings.Builder
	many.WriteString("x0: &x0 {example: y}\n")
	for i := range 40 {
		many.WriteString(strings.ReplaceAll(strings.ReplaceAll("xB: &xB [*xA, *xA, *xA, *xA, *xA, *xA, *xA, *xA]\n", "A", string(rune('0'+i))), "B", string(rune('1'+i))))
	}
	for name, members := range map[string]string{
		"loop":    `requestBody: {content: {application/json: {schema: {$ref: "#/paths/~1a/post/requestBody/content/application~1json/schema"}}}}`,
		"self":    `requestBody: {$ref: "#/paths/~1a/post/requestBody"}`,
		"example": `requestBody: {content: {application/json: {example: *xI}}}`,
		"wide":    `requestBody: {content: {application/json: {schema: ` + wide(8) + `}}}`,
	} {
		prefix := ""
		if name == "example" {
			prefix = many.String()
		}
		text := prefix + head + "paths: {/a: {post: {" + members + "}}}\n"
		out, _, err := samples.Update("api.yaml", text, none, targets(t, "curl"), code.Options{})
		if name == "example" {
			if err == nil {
				t.Errorf("%s has no error:\n%.2000s", name, out)
			}
		} else if err != nil || len(out) > len(text)+4096 {
			t.Errorf("%s: %v, and %d bytes of %d", name, err, len(out), len(text))
		}
	}
}

// wide is a schema with members of which some have as many.
func wide(depth int) string {
	if depth == 0 {
		return "{type: string}"
	}
	one := wide(depth - 1)
	return "{type: object, required: [a, b, c], properties: {a: " + one + ", b: " + one + ", c: " + one + "}}"
}
