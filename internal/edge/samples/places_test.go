package samples_test

import (
	"strings"
	"testing"

	"uncoil/internal/engine"
)

// A parameter of the operation is before that of the path with its name and place, and one
// of another place beside it (OpenAPI 3.1, Path Item Object).
func TestParametersOfPath(t *testing.T) {
	text := head + `paths: {"/a/{id}": {
  parameters: [{name: id, in: path, required: true, example: of-path}, {name: q, in: query, required: true, example: of-path}, {name: id, in: query, required: true, example: "2"}],
  get: {parameters: [{name: q, in: query, required: true, example: own}, {name: id, in: path, required: true, example: own}]}}}
`
	out, report := update(t, text, "curl")
	all := sources(t, out)
	if len(report.Errors) > 0 || len(all) != 1 {
		t.Fatalf("%+v\n%s", report, out)
	}
	if got := described(t, all[0]); !strings.HasSuffix(got, "/a/own?q=own&id=2") {
		t.Errorf("%s by %s", got, all[0])
	}
}

// The text of a part of a form is the text of the document, whatever curl makes of such
// text after -F (curl 8.22, tool_formparse.c).
func TestPartsAreText(t *testing.T) {
	for _, content := range []string{"a;b", "@a", "<a", "a,b", `a\"b`, `\"a\"`, "a;type=b/c", "a@b<c", ";", "a=b"} {
		out, report := update(t, document("post", "/f", `requestBody: {content: {multipart/form-data: {example: {note: "`+content+`"}}}}`), "curl")
		all := sources(t, out)
		if len(report.Errors) > 0 || len(all) != 1 {
			t.Errorf("%q: %+v", content, report)
			continue
		}
		result, err := engine.Parse(all[0], engine.Input{})
		if err != nil {
			t.Errorf("%s: %v", all[0], err)
			continue
		}
		parts := result.Requests[0].Body.Parts
		want := strings.ReplaceAll(content, `\"`, `"`)
		if len(parts) != 1 || parts[0].Name != "note" || parts[0].Value != want || parts[0].ContentType != nil || len(result.Warnings) > 0 {
			t.Errorf("%s sends %+v, %v", all[0], parts, result.Warnings)
		}
	}
}

// A program that ends in a blank line is written, and read as it was.
func TestBlankLineAtEnd(t *testing.T) {
	for _, layout := range []string{"\n  /a:\n    post:\n      requestBody:\n        content: {text/plain: {example: \"a\\n\\n\"}}\n", " {/a: {post: {requestBody: {content: {text/plain: {example: \"a\\n\\n\"}}}}}}\n"} {
		out, report := update(t, head+"paths:"+layout, "raw-http")
		if got := sources(t, out); len(report.Errors) > 0 || len(got) != 1 || !strings.HasSuffix(got[0], "\n\na\n") {
			t.Errorf("%+v, %q\n%s", report, got, out)
		}
	}
}

// JSON stands on one line of sixty bytes, and on several if it is longer.
func TestWideJSON(t *testing.T) {
	for length, broken := range map[int]bool{60: false, 61: true} {
		text := strings.Repeat("x", length-len(`{"a": ""}`))
		out, _ := update(t, document("post", "/w", `requestBody: {content: {application/json: {example: {a: `+text+`}}}}`), "curl")
		if got := sources(t, out)[0]; strings.Contains(got, "{\n") != broken {
			t.Errorf("%d bytes: %s", length, got)
		}
	}
}
