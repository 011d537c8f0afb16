package code_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/corpus"
)

// TestPlaceholderNames holds what is taken for a placeholder, and what is not.
func TestPlaceholderNames(t *testing.T) {
	for command, want := range map[string]map[string]string{
		"curl 'https://h.test/users/{id}/:name?x={{ x }}&k=<key>'":                  {"ID": "{id}", "NAME": ":name", "X": "{{ x }}", "KEY": "<key>"},
		"curl https://YOUR_DOMAIN/v1 -u 'YOUR-KEY:'":                                {"DOMAIN": "YOUR_DOMAIN", "KEY": "YOUR-KEY"},
		"curl h.test -H 'X-Key: your-api-key' -H 'Y: see your-docs'":                {"API_KEY": "your-api-key"},
		"curl h.test -H 'Authorization: Bearer $TOKEN' -H 'A: ${B_C}'":              {"TOKEN": "$TOKEN", "B_C": "${B_C}"},
		"curl h.test -u '<user>:{{pass}}'":                                          {"USER_VALUE": "<user>", "PASS": "{{pass}}"},
		"curl 'h.test/{path}/{home}' -d 'a={user-id}&b=%7Bb%7D'":                    {"PATH_VALUE": "{path}", "HOME_VALUE": "{home}", "USER_ID": "{user-id}", "B": "{b}"},
		"curl h.test -G --data-urlencode 'q={{term}}'":                              {"TERM_VALUE": "{{term}}"},
		"curl h.test -F 'a=<your name>x' -F 'b={b}' --form-string 'c=<c>'":          {"B": "{b}", "C": "<c>"},
		`curl h.test --json '{"a":"{a}","b":"Hi {b}","c":"{{c}}!","d":["<d>"]}'`:    {"A": "{a}", "C": "{{c}}", "D": "<d>"},
		`curl h.test --json '{"query":"{user{name}}","t":"<b>x</b>","v":"$x $10"}'`: {},
		`curl h.test --json '{"a": <a>, "b": {{b}}, "c": {x}}'`:                     {"A": "<a>", "B": "{{b}}"},
		`curl h.test -H 'Content-Type: text/xml' -d '<a><b>YOUR_B</b></a>'`:         {"B": "YOUR_B"},
		"curl 'h.test/{a,b}/[1-2]/v1:run/:80' -g":                                   {},
		"curl 'h.test/${{ secrets.X }}' -H 'A: {{#if x}}' -H 'B: {{{x}}}'":          {},
		`curl "h.test/$ID/{ID}" -H 'A: <ID>'`:                                       {"ID": "$ID"},
		"curl 'h.test/{id}/YOUR_ID?x=your-id' -u MY_USER:x":                         {"ID": "{id}", "YOUR_ID": "YOUR_ID", "MY_USER": "MY_USER"},
		"curl 'https://h.test/sets/:setId/x?setId=5' -u api:API_KEY":                {"API_KEY": "API_KEY"},
		"curl https://YOUR.SERVER.HERE/x -H 'Authorization: Bearer ...'":            {"SERVER_HERE": "YOUR.SERVER.HERE", "TOKEN": "..."},
		"curl SITE_ROOT:80/TEMPLATE_NAME/CREATED_AT?sort=USER_ID -H 'X-Id: UUID'":   {"SITE_ROOT": "SITE_ROOT", "TEMPLATE_NAME": "TEMPLATE_NAME"},
		"curl h.test -d 'text=Hi {{fname}}' -d x={{x}} -d 'y=a+{{y}}'":              {"X": "{{x}}"},
		`curl h.test --json '{"t":"Dear {{name}},\nhello","k":"{{k}}"}'`:            {"K": "{{k}}"},
		"curl H.TEST/x -H 'X-Api-Key: SOME_MODE' -H 'X-Kind: API_KEY' -u A-B:C_D":   {},
		`curl "h.test/${ID:-1}/{ID}"`:                                               {"ID": "${ID:-1}", "ID_2": "{ID}"},
	} {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if diff := cmp.Diff(want, code.Filled(r.Requests, true)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", command, diff)
		}
	}
}

// TestPlaceholders holds that the variables of placeholders make the request that curl sends
// where they hold the placeholders themselves.
func TestPlaceholders(t *testing.T) {
	texts := []string{
		"curl 'https://h.test/users/{id}/:name?x={{x}}&k=<key>' -H 'X-A: your-id'",
		"curl https://h.test/ -G --data-urlencode 'q={{q}}' -d 'r=<r>' -u '<user>:YOUR_PASS'",
		`curl https://h.test/ --json '{"a":"{{a}}","b":{"c":"YOUR_ID"},"n":5}' -H 'Authorization: Bearer <token>'`,
		`curl https://h.test/ --json '{"a": <a>, "b": {{b}}}' -d '&c={c}'`,
		"curl https://h.test/ -F 'a={a}' -F 'b=x <b>'",
	}
	for _, c := range corpus.Read(t, corpus.Commands) {
		if len(c.Files) == 0 && len(c.Env) == 0 {
			texts = append(texts, c.Command)
		}
	}
	target, _ := code.Lookup("curl")
	filled := 0
	for _, command := range texts {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil || len(r.Requests) > 20 || strings.Contains(command, "$(") {
			continue
		}
		own, values := allVariables(r), code.Filled(r.Requests, true)
		env := make(map[string]string)
		for name := range own {
			env[name] = "9"
			delete(values, name)
		}
		if len(values) == 0 {
			continue
		}
		known, err := engine.Parse(command, engine.Input{Env: env})
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(env, values)
		text, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, Placeholders: code.PlaceholdersVariables})
		if diags.Err() != nil {
			continue
		}
		filled++
		if again := readAgain(t, command, "curl", text, engine.Input{Env: env}); again != nil {
			compareAgain(t, command, "curl", text, known, again)
		}
	}
	if filled < 10 {
		t.Errorf("only %d commands have placeholders", filled)
	}
}

// TestUsualPlaceholders holds which files have variables for placeholders without being
// asked, and that they stay where a tool takes no variable.
func TestUsualPlaceholders(t *testing.T) {
	r, err := engine.Parse("curl 'https://h.test/users/{id}'", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	var usual []string
	for _, target := range code.Targets() {
		for _, o := range []code.Options{{}, {Placeholders: code.PlaceholdersText}, {Style: code.StyleExact}} {
			_, diags := target.Compose(nil, r.Requests, o)
			if told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.WarnPlaceholderMoved }); told && o.Placeholders == code.PlaceholdersUsual && o.Style == code.StyleIdiomatic {
				usual = append(usual, target.Name)
			} else if told && (o.Placeholders == code.PlaceholdersText || !slices.Contains([]string{"mcp-tool", "openai-tool", "openapi"}, target.Name)) {
				t.Errorf("%s has variables for placeholders", target.Name)
			}
		}
	}
	if want := []string{"bruno", "http", "hurl", "insomnia", "mcp-tool", "openai-tool", "openapi", "postman"}; !slices.Equal(usual, want) {
		t.Errorf("%q have variables for placeholders, want %q", usual, want)
	}
	r, err = engine.Parse("curl 'https://h.test/{id}' -G --data-urlencode 'q={{q}}'", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	bruno, _ := code.Lookup("bruno")
	if file, diags := bruno.Compose(nil, r.Requests, code.Options{}); diags.Err() != nil || !strings.Contains(string(file), "/{id}") {
		t.Errorf("bruno, which encodes no variable: %v\n%s", diags, file)
	}
}

// TestSharedPaths holds which paths of several requests are one of OpenAPI.
func TestSharedPaths(t *testing.T) {
	target, _ := code.Lookup("openapi")
	for commands, want := range map[string][]string{
		"h.test/users/1 h.test/users/2":                 {"/users/{userId}"},
		"h.test/users/1 h.test/users/{id}":              {"/users/{id}"},
		"h.test/categories/a1/x h.test/categories/b2/x": {"/categories/{categoryId}/x"},
		"h.test/users/1 h.test/users/me h.test/users/2": {"/users/me", "/users/{userId}"},
		"h.test/v1/a h.test/v2/a":                       {"/v1/a", "/v2/a"},
		"h.test/users/1/x/2 h.test/users/3/x/4":         {"/users/1/x/2", "/users/3/x/4"},
		"h.test/users/1 i.test/users/2":                 {"/users/1", "/users/2"},
		"h.test/users/1 h.test/users/1":                 {"/users/1"},
		"h.test/users/{a}/x/1 h.test/users/{b}/x/2":     {"/users/{a}/x/{xId}"},
		"h.test/1 h.test/2":                             {"/{id}"},
	} {
		r, err := engine.Parse("curl '"+strings.ReplaceAll(commands, " ", "' '")+"'", engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		file, diags := target.Compose(nil, r.Requests, code.Options{})
		if diags.Err() != nil {
			t.Errorf("%s: %v", commands, diags)
			continue
		}
		document, err := openapi3.NewLoader().LoadFromData(file)
		if err == nil {
			err = document.Validate(t.Context(), openapi3.EnableExamplesValidation())
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", commands, err, file)
			continue
		}
		if got := slices.Sorted(maps.Keys(document.Paths.Map())); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", commands, got, want)
		}
	}
}

// TestPlaceholdersOfLongURLs holds which of many segments are placeholders beside a long query:
// not those that name one of its members.
func TestPlaceholdersOfLongURLs(t *testing.T) {
	const n = 500
	url := "https://h.test"
	query := "?"
	for range n {
		url += "/:a"
		query += "b=1&"
	}
	r, err := engine.Parse("curl '"+url+"/:b"+query+"'", engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"A": ":a"}, code.Filled(r.Requests, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
