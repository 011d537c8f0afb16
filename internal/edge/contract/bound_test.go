package contract

import (
	"fmt"
	"strings"
	"testing"
)

// A required cookie is missing where nothing says that it may come: no file of cookies that
// was not supplied, no URL that is a placeholder.
func TestRequiredCookies(t *testing.T) {
	const source = `{"openapi": "3.1.0", "servers": [{"url": "https://h.test"}], "paths": {"/a": {"get": {"parameters": [{"name": "c", "in": "cookie", "required": %t, "schema": {"type": "string"}}]}}}}`
	for command, missing := range map[string]bool{
		"curl https://h.test/a": true, "curl https://h.test/a -b c=1": false, "curl https://h.test/a -b d=1": true, "curl https://h.test/a -b jar.txt": false,
	} {
		for _, required := range []bool{true, false} {
			found := ""
			for _, f := range checked(t, open(t, "api.json", fmt.Sprintf(source, required)), command) {
				found += string(f.Code) + " "
			}
			if strings.Contains(found, "missing-parameter") != (missing && required) {
				t.Errorf("%s, required %t: %s", command, required, found)
			}
		}
	}
}

// Twenty notes say what could not be read of a document.
func TestNotesAreFew(t *testing.T) {
	for n, want := range map[int]int{19: 19, 20: 20, 21: 20, 100: 20} {
		var paths []string
		for i := range n {
			paths = append(paths, fmt.Sprintf(`"/p%d": {"$ref": "gone%d.json"}`, i, i))
		}
		source := `{"openapi": "3.1.0", "paths": {` + strings.Join(paths, ",") + `}}`
		d, err := Open("api.json", nil, func(name string) ([]byte, error) {
			if name != "api.json" {
				return nil, fmt.Errorf("there is no %s", name)
			}
			return []byte(source), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Notes) != want {
			t.Errorf("%d notes of %d files that are missing, want %d", len(d.Notes), n, want)
		}
	}
}
