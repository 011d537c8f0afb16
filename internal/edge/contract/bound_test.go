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

// TestMaxFound holds that content with many problems gives five findings.
func TestMaxFound(t *testing.T) {
	d := open(t, "api.json", bodyOf(`"s0": {"type": "array", "items": {"type": "integer"}}`))
	for n, want := range map[int]int{1: 1, 4: 4, 5: 5, 6: 5, 19: 5} {
		c := "curl --json '[" + strings.TrimSuffix(strings.Repeat(`"x",`, n), ",") + "]' https://h.test/"
		if found := checked(t, d, c); len(found) != want {
			t.Errorf("%d problems give %d findings, want %d", n, len(found), want)
		}
	}
}

// TestNearestChoice holds that of several choices the finding is about the one of the type
// that the value has, wherever it stands.
func TestNearestChoice(t *testing.T) {
	const object, text = `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"type":"string"}`
	for _, choices := range []string{object + "," + text, text + "," + object} {
		d := open(t, "api.json", bodyOf(`"s0": {"anyOf": [`+choices+`]}`))
		found := checked(t, d, `curl --json '{"n":"x"}' https://h.test/`)
		if len(found) != 1 || !strings.HasPrefix(found[0].Message, "n is a string") {
			t.Errorf("%s: %+v", choices, found)
		}
	}
}

// TestDeepSamples holds how deep in an extension samples are looked for.
func TestDeepSamples(t *testing.T) {
	for depth, want := range map[int]int{1: 1, 10: 1, 11: 0} {
		sample := strings.Repeat("[", depth) + `"curl -X POST https://h.test/"` + strings.Repeat("]", depth)
		source := strings.Replace(bodyOf(`"s0": {"type": "object"}`), `"responses"`, `"x-codeSamples":`+sample+`,"responses"`, 1)
		_, commands, err := open(t, "api.json", source).CheckOwn(parse)
		if err != nil || commands != want {
			t.Errorf("at the depth %d there are %d commands, want %d: %v", depth, commands, want, err)
		}
	}
}
