package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"uncoil/internal/edge/lint"
)

// sarifRules is what version 2.1.0 of the format demands of the objects that
// are written, and of nothing else.
const sarifRules = `{
	"type": "object", "required": ["version", "runs"], "additionalProperties": false,
	"properties": {
		"$schema": {"type": "string", "format": "uri"},
		"version": {"const": "2.1.0"},
		"runs": {"type": "array", "items": {
			"type": "object", "required": ["tool"], "additionalProperties": false,
			"properties": {
				"columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
				"tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
					"type": "object", "required": ["name"],
					"properties": {"name": {"type": "string"}, "rules": {"type": "array", "uniqueItems": true, "items": {
						"type": "object", "required": ["id"], "additionalProperties": false,
						"properties": {"id": {"type": "string"}, "shortDescription": {"type": "object", "required": ["text"]},
							"help": {"type": "object", "required": ["text"], "additionalProperties": false, "properties": {"text": {"type": "string", "minLength": 20}, "markdown": {"type": "string"}}}}
					}}}
				}}},
				"results": {"type": "array", "items": {
					"type": "object", "required": ["message", "locations"], "additionalProperties": false,
					"properties": {
						"ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0},
						"level": {"enum": ["none", "note", "warning", "error"]},
						"message": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
						"locations": {"type": "array", "items": {"type": "object", "required": ["physicalLocation"], "properties": {"physicalLocation": {
							"type": "object", "required": ["artifactLocation", "region"], "additionalProperties": false,
							"properties": {
								"artifactLocation": {"type": "object", "properties": {"uri": {"type": "string", "format": "uri-reference"}}},
								"region": {"type": "object", "additionalProperties": false, "properties": {
									"startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1},
									"endLine": {"type": "integer", "minimum": 1}, "endColumn": {"type": "integer", "minimum": 1}
								}}
							}
						}}}}
					}
				}}
			}
		}}
	}
}`

// compiled returns a JSON schema that holds formats too.
func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	rules, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema", rules); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSARIF(t *testing.T) {
	schema := compiled(t, sarifRules)
	for _, findings := range [][]lint.Finding{nil, {
		{File: "docs/a b%.md", Line: 1, Column: 2, EndLine: 1, EndColumn: 2, Severity: "error", Code: "no-url", Message: "m", Hint: "h"},
		{File: "é:x", Line: 3, Column: 1, EndLine: 4, EndColumn: 9, Severity: "doubt", Code: "glob", Message: "<m>"},
		{File: "b", Line: 3, Column: 1, EndLine: 4, EndColumn: 9, Severity: "advice", Code: "no-url", Message: "m"},
	}} {
		var out bytes.Buffer
		if err := writeSARIF(&out, findings); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Error(err)
		}
		run := value.(map[string]any)["runs"].([]any)[0].(map[string]any)
		if n := len(run["results"].([]any)); n != len(findings) {
			t.Errorf("%d results of %d findings", n, len(findings))
		}
	}
	var out bytes.Buffer
	_ = writeGitHub(&out, []lint.Finding{{File: "a,b:c", Line: 1, Column: 1, EndLine: 1, Severity: "error", Code: "x", Message: "100%\n::error::"}})
	if got, want := out.String(), "::error file=a%2Cb%3Ac,line=1,endLine=1,col=1,title=x::100%25%0A::error::\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// gitlabRules are what GitLab's documentation of code quality reports demands of the
// members, and of nothing else.
const gitlabRules = `{
	"type": "array", "items": {
		"type": "object", "required": ["description", "check_name", "fingerprint", "severity", "location"], "additionalProperties": false,
		"properties": {
			"description": {"type": "string", "minLength": 1},
			"check_name": {"type": "string", "minLength": 1},
			"fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
			"severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
			"location": {"type": "object", "required": ["path", "lines"], "additionalProperties": false, "properties": {
				"path": {"type": "string", "not": {"pattern": "^[.]?/"}},
				"lines": {"type": "object", "required": ["begin"], "properties": {
					"begin": {"type": "integer", "minimum": 1}, "end": {"type": "integer", "minimum": 1}
				}}
			}}
		}
	}
}`

func TestGitLab(t *testing.T) {
	schema := compiled(t, gitlabRules)
	fingerprints := func(findings ...lint.Finding) (all []string) {
		t.Helper()
		var out bytes.Buffer
		if err := writeGitLab(&out, findings); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Error(err)
		}
		for _, report := range value.([]any) {
			all = append(all, report.(map[string]any)["fingerprint"].(string))
		}
		if len(all) != len(findings) {
			t.Errorf("%d reports of %d findings", len(all), len(findings))
		}
		return all
	}
	fingerprints()
	one := lint.Finding{File: "./docs/a b.md", Line: 1, Column: 2, EndLine: 1, EndColumn: 2, Severity: "error", Code: "no-url", Message: "m", Hint: "h"}
	moved, doubt, other := one, one, one
	moved.Line, moved.EndLine = 7, 8
	doubt.Severity, doubt.Code = "doubt", "url-glob"
	other.Severity, other.File = "advice", "b.md"
	all := fingerprints(one, doubt, moved, other)
	for i := range all {
		if slices.Contains(all[i+1:], all[i]) {
			t.Errorf("two findings have the fingerprint %s", all[i])
		}
	}
	if again := fingerprints(moved); again[0] != all[0] {
		t.Error("a finding that has moved has another fingerprint")
	}
}

// The project's own documents pass.
func TestOwnDocumentsPass(t *testing.T) {
	var out, errs strings.Builder
	code := Run([]string{"lint", "../../../README.md", "../../../CHANGELOG.md", "../../../CONTRIBUTING.md", "../../../docs", "../../../npm"}, strings.NewReader(""), &out, &errs, func(string) string { return "" }, nil)
	if code != 0 {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}
