package mcp_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	yaml "github.com/oasdiff/yaml3"
)

// TestArguments holds that agents have each member that the description of the service
// gives to a request object, with the same values, but for those that make no sense for
// a tool.
func TestArguments(t *testing.T) {
	text, err := os.ReadFile("../httpapi/assets/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Components struct{ Schemas map[string]any }
	}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	schemas := doc.Components.Schemas
	command := members(schemas["Command"])
	code := members(schemas["CodeCommand"].(map[string]any)["allOf"].([]any)[1])
	delete(command, "warnings") // a tool has them in any case
	data := map[string]any{"data": command["data"]}
	delete(command, "data")
	delete(code, "targets") // an agent reads one program
	own := map[string]map[string]any{"convert_curl": data, "describe_curl": nil, "curl_to_code": code, "check_curl": nil}

	listed, err := connect(t).ListTools(t.Context(), &sdk.ListToolsParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		want, got := make(map[string]string), make(map[string]string)
		for _, part := range []map[string]any{command, own[tool.Name]} {
			for name, schema := range part {
				want[name] = values(schema, schemas)
			}
		}
		for name, schema := range members(tool.InputSchema) {
			if got[name] = values(schema, nil); name == "target" {
				got[name] = "" // the description does not list the targets
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-service +tool):\n%s", tool.Name, diff)
		}
	}
}

func members(schema any) map[string]any {
	return schema.(map[string]any)["properties"].(map[string]any)
}

// values returns what a schema says that a value may be, beside its type.
func values(schema any, schemas map[string]any) string {
	var all []string
	var read func(any)
	read = func(schema any) {
		s := schema.(map[string]any)
		if ref, ok := s["$ref"].(string); ok {
			read(schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		if parts, ok := s["oneOf"].([]any); ok {
			for _, part := range parts {
				read(part)
			}
		}
		if enum, ok := s["enum"].([]any); ok {
			for _, value := range enum {
				if value != nil {
					all = append(all, fmt.Sprint(value))
				}
			}
		}
		for _, rule := range []string{"pattern", "minimum"} {
			if value, ok := s[rule]; ok {
				all = append(all, rule+" "+fmt.Sprint(value))
			}
		}
	}
	read(schema)
	return strings.Join(all, " ")
}
