package code_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	yaml "github.com/oasdiff/yaml3"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

// fileCommands returns the commands that files are tried with: those of the
// goldens, of proof.txtar, of the corpus, and of the file that CODE_CASES names.
func fileCommands(t testing.TB) []string {
	list := commands(t)
	archive, err := txtar.ParseFile(filepath.Join("testdata", "proof.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		list = append(list, strings.TrimSuffix(string(f.Data), "\n"))
	}
	for _, c := range corpus.Read(t, corpus.Commands) {
		list = append(list, c.Command)
	}
	f, err := os.Open(os.Getenv("CODE_CASES"))
	if err != nil {
		return list
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var c struct{ Curl string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c.Curl)
	}
	return list
}

// eachFile writes the file of a target for each command that it can, and says
// how many there were.
func eachFile(t *testing.T, name string, check func(command string, requests []request.Request, file []byte)) {
	target, ok := code.Lookup(name)
	if !ok || target.Kind != code.KindFile {
		t.Fatal(name)
	}
	written, refused := 0, 0
	for _, command := range fileCommands(t) {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			continue
		}
		file, diags := target.Compose(nil, r.Requests, exactly)
		if diags.Err() != nil {
			refused++
			continue
		}
		written++
		check(command, r.Requests, file)
	}
	if written < refused {
		t.Errorf("%s writes %d files, and refuses %d", name, written, refused)
	}
	t.Logf("%s: %d files, %d refused", name, written, refused)
}

// schemas are the formats with the rules of their specifications in
// testdata/schema.
var schemas = []string{"har", "insomnia", "mcp-tool", "n8n", "openai-tool", "postman"}

// jsonOf returns a file as a value of JSON.
func jsonOf(name string, file []byte) (any, error) {
	if name == "insomnia" {
		var v any
		if err := yaml.Unmarshal(file, &v); err != nil {
			return nil, err
		}
		var err error
		if file, err = json.Marshal(v); err != nil {
			return nil, err
		}
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(file))
}

// TestFileSchemas holds that files are what the specification of their format
// asks for.
func TestFileSchemas(t *testing.T) {
	for _, name := range schemas {
		t.Run(name, func(t *testing.T) {
			schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "schema", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			validate := func(command string, file []byte) {
				v, err := jsonOf(name, file)
				if err == nil {
					err = schema.Validate(v)
				}
				if err != nil {
					t.Errorf("%s\n%s\n%v", command, file, err)
				}
			}
			target, _ := code.Lookup(name)
			for _, command := range fileCommands(t) {
				r, err := engine.Parse(command, engine.Input{})
				if err != nil {
					continue
				}
				file, diags := target.Compose(nil, r.Requests, code.Options{})
				placeholder := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return strings.HasPrefix(d.Message, "HAR wants a ") })
				if diags.Err() == nil && !placeholder {
					validate(command, file)
				}
			}
			eachFile(t, name, func(command string, _ []request.Request, file []byte) { validate(command, file) })
		})
	}
}

// TestOpenAPI holds that documents are valid, with their examples.
func TestOpenAPI(t *testing.T) {
	eachFile(t, "openapi", func(command string, _ []request.Request, file []byte) {
		document, err := openapi3.NewLoader().LoadFromData(file)
		if err == nil {
			err = document.Validate(t.Context(), openapi3.EnableExamplesValidation())
		}
		if err != nil {
			t.Errorf("%s\n%s\n%v", command, file, err)
		}
	})
}

// TestOpenAPIParts holds how a document describes parts that hold parts, and encoded
// ones.
func TestOpenAPIParts(t *testing.T) {
	r, err := engine.Parse(`curl http://h.test/ -H 'Content-Type: multipart/related' -F f=@a.png,b.png -F 'x=b;encoder=BASE64'`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	target, _ := code.Lookup("openapi")
	file, diags := target.Compose(nil, r.Requests, exactly)
	if diags.Err() != nil {
		t.Fatal(diags)
	}
	document, err := openapi3.NewLoader().LoadFromData(file)
	if err != nil {
		t.Fatal(err)
	}
	content := document.Paths.Find("/").Post.RequestBody.Value.Content["multipart/related"]
	got, err := json.Marshal(content)
	const want = `{"encoding":{"f":{"contentType":"multipart/mixed"}},"schema":{"properties":` +
		`{"f":{"items":{"type":"string"},"type":"array"},"x":{"contentEncoding":"base64","type":"string"}},"type":"object"}}`
	if string(got) != want || err != nil {
		t.Errorf("%s\nwant %s\n%v", got, want, err)
	}
}

// TestToolInput holds that the arguments of a tool are the variables of its
// request and the members of its JSON, as JSON Schema, and that a secret is none.
func TestToolInput(t *testing.T) {
	r, err := engine.Parse(`curl "https://h.test/$ID?q=${Q:-all}" -H "Authorization: Bearer $TOKEN" --json '{"n": 1, "to": {"a": [true]}}'`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	target, _ := code.Lookup("mcp-tool")
	file, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, Bare: true})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var tool struct{ InputSchema any }
	if err := json.Unmarshal(file, &tool); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("tool.json", tool.InputSchema); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("tool.json")
	if err != nil {
		t.Fatal(err)
	}
	for arguments, valid := range map[string]bool{
		`{"ID":"1"}`:                    true,
		`{"ID":"1","Q":"x","n":7}`:      true,
		`{"ID":"1","to":{"a":[false]}}`: true,
		`{"ID":"1","n":"7"}`:            false,
		`{"ID":"1","to":{"a":"x"}}`:     false,
		`{"Q":"x"}`:                     false,
		`{"ID":1}`:                      false,
		`{"ID":"1","TOKEN":"t"}`:        false,
		`{"ID":"1","X":"x"}`:            false,
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(arguments))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != valid {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

// TestSchemeInQuery holds that a URL in a query is not taken for a scheme.
func TestSchemeInQuery(t *testing.T) {
	r, err := engine.Parse(`curl "$A?u=https://h.test/"`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	har, _ := code.Lookup("har")
	if _, diags := har.Compose(nil, r.Requests, exactly); diags.Err() == nil {
		t.Error("a HAR file has a URL without a scheme")
	}
	http, _ := code.Lookup("http")
	if _, diags := http.Compose(nil, r.Requests, exactly); len(diags) == 0 {
		t.Error("no warning that the variable must have a scheme")
	}
}

// TestOpenAPIPlaceholders holds that what documentation writes for a value in a
// path is a parameter, and that nothing else is.
func TestOpenAPIPlaceholders(t *testing.T) {
	target, _ := code.Lookup("openapi")
	for path, want := range map[string]struct {
		path  string
		names []string
	}{
		"/users/{id}":           {"/users/{id}", []string{"id"}},
		"/users/{{ user.id }}":  {"/users/{user.id}", []string{"user.id"}},
		"/users/<user_id>/x":    {"/users/{user_id}/x", []string{"user_id"}},
		"/users/:id":            {"/users/{id}", []string{"id"}},
		"/a/:id/b/{id}-<n>.txt": {"/a/{id}/b/{id2}-{n}.txt", []string{"id", "id2", "n"}},
		"/v1/x:run/:8080/a:b":   {"/v1/x:run/:8080/a:b", nil},
		"/{a,b}/<1>/%7Bid%7D":   {"/%7Ba,b%7D/<1>/%7Bid%7D", nil},
	} {
		result, err := engine.Parse("curl -g 'https://h.test"+path+"'", engine.Input{})
		if err != nil {
			t.Fatal(path, err)
		}
		file, diags := target.Compose(nil, result.Requests, exactly)
		if diags.Err() != nil {
			t.Fatal(path, diags)
		}
		document, err := openapi3.NewLoader().LoadFromData(file)
		if err == nil {
			err = document.Validate(t.Context())
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", path, err, file)
			continue
		}
		item := document.Paths.Value(want.path)
		if item == nil {
			t.Errorf("%s: the paths are %v, want %s", path, document.Paths.Keys(), want.path)
			continue
		}
		var names []string
		for _, p := range item.Get.Parameters {
			if p.Value.In != "path" || !p.Value.Required {
				t.Errorf("%s: the parameter is %+v", path, p.Value)
			}
			names = append(names, p.Value.Name)
		}
		if !slices.Equal(names, want.names) {
			t.Errorf("%s: the parameters are %q, want %q", path, names, want.names)
		}
	}
}

// TestOutputPrinted holds that -o - prints the content, as no -o does.
func TestOutputPrinted(t *testing.T) {
	for _, target := range code.Targets() {
		if target.Kind == code.KindFile || target.CanAll() {
			continue
		}
		want, _ := write(t, target, "curl http://h.test/x")
		if got, _ := write(t, target, "curl -o - http://h.test/x"); got != want {
			t.Errorf("%s writes\n%s\nwithout -o\n%s", target.Name, got, want)
		}
	}
}
