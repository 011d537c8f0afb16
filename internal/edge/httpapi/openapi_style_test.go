package httpapi

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestOpenAPIIsComplete holds what the usual linters of descriptions ask for beyond
// validity: each operation has a description, each array says what it holds, and each
// schema is used.
func TestOpenAPIIsComplete(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(openAPIJSON(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc["info"].(map[string]any)["contact"] == nil {
		t.Error("the description names no contact")
	}
	used := make(map[string]bool)
	var walk func(at string, value any)
	walk = func(at string, value any) {
		switch v := value.(type) {
		case map[string]any:
			if v["operationId"] != nil && v["description"] == nil {
				t.Errorf("%s has no description", at)
			}
			if v["type"] == "array" && v["items"] == nil {
				t.Errorf("%s is an array of anything", at)
			}
			if ref, ok := v["$ref"].(string); ok {
				used[ref] = true
			}
			for name, member := range v {
				walk(at+"/"+name, member)
			}
		case []any:
			for _, element := range v {
				walk(at, element)
			}
		}
	}
	walk("", doc)
	for name := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if ref := "#/components/schemas/" + name; !used[ref] {
			t.Errorf("nothing refers to %s", ref)
		}
	}
	if strings.Count(string(openAPIJSON()), `"operationId"`) < 10 {
		t.Error("there are fewer operations than the service has")
	}
}
