package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// documentedPaths are paths of real services, with what their documentation has arrive for
// such values: NAME=VALUE, between blanks.
var documentedPaths = []struct{ command, values, target string }{
	{`curl "http://$AT/repos/$REPO/issues"`, "REPO=owner/name", "/repos/owner/name/issues"},
	{`curl "http://$AT/repos/{owner}/{repo}/branches/{branch}"`, "OWNER=o REPO=n BRANCH=feature/a", "/repos/o/n/branches/feature/a"},
	{`curl "http://$AT/repos/o/n/git/ref/$REF"`, "REF=heads/main", "/repos/o/n/git/ref/heads/main"},
	{`curl "http://$AT/repos/o/n/contents/{path}"`, "PATH_VALUE=docs/a#b.md", "/repos/o/n/contents/docs/a%23b.md"},
	{`curl "http://$AT/v2/$IMAGE/manifests/$TAG"`, "IMAGE=library/nginx TAG=1.27", "/v2/library/nginx/manifests/1.27"},
	{`curl "http://$AT/v1/$PARENT/keyRings?keyRingId=$KEY_RING_ID"`, "PARENT=projects/p/locations/l KEY_RING_ID=a&b", "/v1/projects/p/locations/l/keyRings?keyRingId=a%26b"},
	{`curl "http://$AT/v1/{name}:cancel"`, "NAME=operations/7", "/v1/operations/7:cancel"},
	{`curl "http://$AT/v1/$RESOURCE_NAME"`, "RESOURCE_NAME=projects/p", "/v1/projects/p"},
	{`curl "http://$AT/api/v4/projects/$PROJECT_ID/issues"`, "PROJECT_ID=group/project", "/api/v4/projects/group%2Fproject/issues"},
	{`curl "http://$AT/api/v4/projects/$ENCODED_ID/issues"`, "ENCODED_ID=group%2Fproject", "/api/v4/projects/group%2Fproject/issues"},
	{`ID=$(jq -rn --arg x "$1" '$x|@uri'); curl "http://$AT/api/v4/projects/$ID"`, "ID=group%2Fproject", "/api/v4/projects/group%2Fproject"},
	{`curl "http://$AT/bucket/$OBJECT_KEY"`, "OBJECT_KEY=a+b/c?.txt", "/bucket/a%2Bb/c%3F.txt"},
	{`curl "http://$AT/models/$MODEL"`, "MODEL=meta/llama", "/models/meta/llama"},
	{`curl "http://$AT/$SCOPE/providers"`, "SCOPE=subscriptions/s/resourceGroups/r", "/subscriptions/s/resourceGroups/r/providers"},
	{`curl "http://$AT/v1/secret/data/$SECRET_PATH"`, "SECRET_PATH=app/db", "/v1/secret/data/app/db"},
	{`curl "http://$AT/x/${WHAT:-a/b}"`, "WHAT=c/d", "/x/c/d"},
	{`curl "http://$AT/files/$FILE_NAME"`, "FILE_NAME=a/b.txt", "/files/a%2Fb.txt"},
	{`curl "http://$AT/users/$EMAIL"`, "EMAIL=a+b@c.test", "/users/a%2Bb%40c.test"},
	{`curl "http://$AT$ENDPOINT"`, "ENDPOINT=/v1/x?y=1/2", "/v1/x?y=1/2"},
	{`curl "http://$AT/c?$QUERY"`, "QUERY=a=1&b=2", "/c?a=1&b=2"},
	{`curl "http://$AT/c?v-$ID"`, "ID=a&b=c/d", "/c?v-a%26b%3Dc%2Fd"},
	{`curl "http://$AT/c?x=1&v$ID.json"`, "ID=a&b", "/c?x=1&va%26b.json"},
	{`curl "http://$AT/c?$A$B"`, "A=a=1 B=&b=2", "/c?a=1&b=2"},
	{`curl "http://$AT/c?comp=list&$SAS_TOKEN"`, "SAS_TOKEN=sv=1&sig=a%2Fb", "/c?comp=list&sv=1&sig=a%2Fb"},
	{`curl "http://$AT/v1/${A}-${B}?x=1#$C"`, "A=a/ B=b C=c", "/v1/a%2F-b?x=1"},
	{`curl "http://$AT/search?q=$Q&next=$URL"`, "Q=a/b URL=http://h.test/?a=1", "/search?q=a%2Fb&next=http%3A%2F%2Fh.test%2F%3Fa%3D1"},
}

// TestDocumentedPaths runs functions whose parameters are in the paths of real services: of two
// languages, and with -prove of all.
func TestDocumentedPaths(t *testing.T) {
	parallel(t)
	for _, r := range newProver(t).runtimes {
		if target, _ := code.Lookup(r.Target); !target.Functions || inPage(target) || !*prove && r.Target != "python-http" && r.Target != "javascript-fetch" {
			continue
		}
		t.Run(r.Name(), func(t *testing.T) { testDocumentedPaths(t, r) })
	}
}

func testDocumentedPaths(t *testing.T, r *codeproof.Runtime) {
	b, err := codeproof.NewBench(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Answer(func(r *oracle.Request) string {
		return codeproof.Response(r, 200, "Content-Type: application/json", "{}")
	})
	target, _ := code.Lookup(r.Target)
	for _, c := range documentedPaths {
		env := map[string]string{"AT": b.Host()}
		for one := range strings.FieldsSeq(c.values) {
			name, value, _ := strings.Cut(one, "=")
			env[name] = value
		}
		text := valueProgram(t, target, c.command, code.StyleIdiomatic, code.Options{})
		run := runValues(t, b, r, text, env)
		if len(run.Requests) != 1 || run.Requests[0].Target != c.target {
			t.Errorf("%s: want %s, got %+v %s\n%s", c.command, c.target, run.Requests, run.Output, text)
		}
	}
}

// TestRawParameters holds what is inserted as it is, and what is not.
func TestRawParameters(t *testing.T) {
	for _, c := range []struct {
		command string
		o       code.Options
		want    string
	}{
		{`curl "$URL"`, code.Options{}, "url = url_"},
		{`curl "https://$HOST:$PORT/a"`, code.Options{}, `f"https://{host}:{port}/a"`},
		{`curl https://h.test/ -H "Content-Type: application/json" -d "$BODY"`, code.Options{}, "data=body_.encode()"},
		{`curl https://h.test/ -d "a=1&$REST"`, code.Options{}, `data=f"a=1&{rest}".encode()`},
		{`curl https://h.test/ -H "Content-Type: application/json" -d "{\"a\": 1, $REST}"`, code.Options{}, `data=('{"a": 1, ' + rest + "}").encode()`},
		{`curl "https://h.test/a/$ID?b=$B"`, code.Options{RawParameters: true}, `f"https://h.test/a/{id}?b={b}"`},
		{`curl "https://h.test/a/$ID?b=$B"`, code.Options{}, `params={"b": b}`},
		{`curl https://h.test/ -H "Content-Type: application/json" -d "{\"a\": [$A], \"$B\": {\"c\": \"\\\"$C\"}}"`, code.Options{}, `json.dumps(str(b))[1:-1] +`},
	} {
		target, _ := code.Lookup("python")
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(c.command, err)
		}
		c.o.Function = "send"
		p, _, err := target.Write(r.Requests, c.o)
		if err != nil || !strings.Contains(string(p.Code), c.want) {
			t.Errorf("%s: %v, want %s in\n%s", c.command, err, c.want, p.Code)
		}
	}
}

// TestPlaceholdersAreValues checks that a placeholder is encoded also in a program that is no
// function, and that a variable of the shell beside it is not.
func TestPlaceholdersAreValues(t *testing.T) {
	r, err := engine.Parse(`curl "https://h.test/$A/{id}?b={b}&c=$C" -H 'D: <d>'`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"python":     `f"https://h.test/{os.environ['A']}/{path_segment(os.environ['ID'])}?b="`,
		"javascript": "https://h.test/${process.env.A}/${pathSegment(process.env.ID)}?b=${encodeURIComponent(process.env.B)}&c=${process.env.C}",
		"perl":       `uri_escape($ENV{ID}, `,
		"curl":       `https://h.test/$A/$ID?b=$B&c=$C`,
		"terraform":  `https://h.test/${var.A}/${replace(urlencode(var.id), "+", "%20")}?b=${replace(urlencode(var.b), "+", "%20")}&c=${var.C}`,
		"ansible":    `https://h.test/{{ lookup('env', 'A') }}/{{ lookup('env', 'id') | urlencode | replace('/', '%2F') }}?b=`,
		"n8n":        `https://h.test/{{ $env.A }}/{{ encodeURIComponent($env.id) }}?b={{ encodeURIComponent($env.b) }}&c={{ $env.C }}`,
		"hurl":       "https://h.test/{{A}}/{{id}}?b={{b}}&c={{C}}", // a variable of the shell is inserted as it is
		"postman":    `https://h.test/{{A}}/{{id}}?b={{b}}&c={{C}}`,
	} {
		target, _ := code.Lookup(name)
		program, diags := target.Compose(nil, r.Requests, code.Options{Placeholders: code.PlaceholdersVariables})
		if diags.Err() != nil || !strings.Contains(string(program), want) {
			t.Errorf("%s: %v, want %s in\n%s", name, diags, want, program)
		}
	}
}

// TestHurlEncodes checks that placeholders in pairs and JSON stand where Hurl encodes them.
func TestHurlEncodes(t *testing.T) {
	target, _ := code.Lookup("hurl")
	for _, c := range []struct {
		command string
		o       code.Options
		want    string
	}{
		{`curl "https://h.test/a/{id}?q={q}&r=a%20b"`, code.Options{}, "GET https://h.test/a/{{id}}\n[Query]\nq: {{q}}\nr: a b\n"},
		{`curl "https://h.test/a?q={q}"`, code.Options{RawParameters: true}, "GET https://h.test/a?q={{q}}\n"},
		{`curl "https://h.test/a?q={q}&c=$C"`, code.Options{}, "GET https://h.test/a?q={{q}}&c={{C}}\n"},
		{`curl https://h.test/a -d "t={word}&u=1"`, code.Options{}, "[Form]\nt: {{word}}\nu: 1\n"},
		{`curl https://h.test/a -d "t=$WORD&u=1"`, code.Options{}, "`t={{WORD}}&u=1`\n"},
		{`curl https://h.test/a --json '{"a":"{name}","n":1}'`, code.Options{}, "\n{\"a\":\"{{name}}\",\"n\":1}\n"},
		{`curl https://h.test/a --json '{"a":"{name}","e":"\u00e9"}'`, code.Options{}, "`{\"a\":\"{{name}}\",\"e\":\"\\\\u00e9\"}`\n"}, // Hurl would write é
		{`curl https://h.test/a --json "{\"a\":\"$NAME\"}"`, code.Options{}, "`{\"a\":\"{{NAME}}\"}`\n"},
	} {
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatal(c.command, err)
		}
		program, diags := target.Compose(nil, r.Requests, c.o)
		if diags.Err() != nil || !strings.Contains(string(program), c.want) {
			t.Errorf("%s: %v, want %s in\n%s", c.command, diags, c.want, program)
		}
	}
}
