package code_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/request"
)

// takesFrom reports whether a request has a value that the text itself computes.
func takesFrom(r *request.Request) bool {
	return slices.ContainsFunc(r.Variables, func(v request.Variable) bool { return v.From != nil })
}

// TestFromAgain reads the commands for sh back: the values come from where they came.
func TestFromAgain(t *testing.T) {
	target, _ := code.Lookup("curl")
	scripts := []string{
		`V=$(curl X/a | jq -r '.a["b c"][0].d')`, `V=$(curl X/a | jq .a)`, `V=$(curl X/a)`, `V=$(curl X/a | jq -r '.["it'"'"'s"]')`,
		`V=$(date -u '+%F %T')`, `V=$(uuidgen)`, `V=$(hostname)`, `V=$(cat 'a b')`, `V=$(base64 -w0 'a b')`, `W=$(curl X/a); V=$(jq -r .a <<< "$W"); U=$(jq -r .b <<< "$W"); curl X/$U`,
		`W=$(curl X/a | jq -r .b); V=$(curl X/b/$W | jq -r .c)`, "V=$(curl X/a -d '\n' -H 'A: b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5' | jq -r .a)",
	}
	for _, c := range chained {
		if c.name != "command" {
			scripts = append(scripts, c.script+"\nV=x")
		}
	}
	for _, script := range scripts {
		script = strings.ReplaceAll(script, "X/", "http://h.test/") + "\ncurl http://h.test/v -H \"V: $V\""
		want := fromsOf(t, script)
		r, err := engine.Parse(script, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		program, diags := target.Compose(nil, r.Requests, exactly)
		if len(diags) > 0 {
			t.Errorf("%s: %v", script, diags)
			continue
		}
		if diff := cmp.Diff(want, fromsOf(t, string(program)), cmpopts.IgnoreFields(request.Command{}, "Span"), cmpopts.IgnoreFields(request.Encoded{}, "Span")); diff != "" {
			t.Errorf("%s\n%s\n(-want +got):\n%s", script, program, diff)
		}
	}
}

// fromsOf returns the addresses of the requests of a script, each with where its values
// come from.
func fromsOf(t *testing.T, script string) (list []any) {
	t.Helper()
	r, err := engine.Parse(script, engine.Input{})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	for i := range r.Requests {
		q := &r.Requests[i]
		list = append(list, q.Method)
		for _, v := range q.Variables {
			list = append(list, v.At, v.From)
		}
	}
	return list
}

// TestParameters checks the names of variables for what other commands print, and that
// each is warned of once.
func TestParameters(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{`curl http://h.test/ -H "A: $(gcloud auth print-access-token)"`, `os.environ["GCLOUD_AUTH_PRINT_ACCESS_TOKEN"]`},
		{"curl http://h.test/ -H \"A: `aws ecr get-login-password --region x`\"", `os.environ["AWS_ECR_GET_LOGIN_PASSWORD"]`},
		{`curl http://h.test/ -H "A: $(/usr/bin/security find-generic-password -w)"`, `os.environ["SECURITY_FIND_GENERIC_PASSWORD"]`},
		{`curl http://h.test/ -H "A: $(printf %s "$K" | sha256sum | cut -c1-9)"`, `os.environ["SHA256SUM"]`},
		{`curl http://h.test/ -H "A: $(date +%A)" -H "B: $(date +%B)" -H "C: $(date +%A)"`, `os.environ["DATE_2"]`},
		{`curl http://h.test/ -H "A: $(date +%A)" -H "B: $DATE"`, `os.environ["DATE_2"]`},
		{`curl http://h.test/ -H "A: $("$X" y)"`, `os.environ["VALUE"]`},
		{`curl http://h.test/ -H "A: $(café)"`, `os.environ["VALUE"]`},
		{`T=$(vault read x); curl http://h.test/ -H "A: $T" -H "B: ${T}"`, `os.environ["T"]`},
		{`T=$(vault read x); curl http://h.test/ -H "A: ${T:-y}"`, `os.environ.get("T", "y")`},
		{`curl.exe http://h.test/ -H "A: $(Get-Date -Format o)"`, `os.environ["GET_DATE"]`},
	} {
		python, _ := code.Lookup("python")
		r, err := engine.Parse(c.command, engine.Input{})
		if err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		program, diags := python.Compose(nil, r.Requests, code.Options{Source: c.command})
		warnings := 0
		for _, d := range diags {
			if d.Code != diag.WarnCannotExpress || d.Level != diag.LevelDoubt || !strings.HasPrefix(d.Hint, "set $") {
				t.Errorf("%s: %+v", c.command, d)
			}
			warnings++
		}
		names := strings.Count(c.want, "_2") + 1
		if strings.Contains(c.command, "$DATE") {
			names-- // which the command has
		}
		if !strings.Contains(string(program), c.want) || warnings != names || strings.Count(string(program), " holds what a command prints") != names {
			t.Errorf("%s lacks %s, or has not %d warnings: %v\n%s", c.command, c.want, names, diags, program)
		}
	}
}

// TestRunsNothing checks which commands no program runs: any, unless that is asked for; and
// then those that depend on what the text does before, or make a request of it.
func TestRunsNothing(t *testing.T) {
	for command, runs := range map[string]bool{
		`T=$(c4nary x); curl -H "A: $T" h.test`:                                    true,
		`curl -d "{\"a\":\"x $(c4nary "$HOME" '$1' | awk '{print $1}')\"}" h.test`: true,
		`N=1; T=$(c4nary $N); curl -H "A: $T" h.test`:                              false,
		`N=$(date +%s); T=$(c4nary "${N}"); curl -H "A: $T" h.test`:                false,
		`f() { c4nary; }; T=$(f c4nary); curl -H "A: $T" h.test`:                   false,
		`T=$(c4nary $((N+1))); curl -H "A: $T" h.test`:                             false,
		`T=$(c4nary "$1"); curl -H "A: $T" h.test`:                                 false,
		`T=$(c4nary $?); curl -H "A: $T" h.test`:                                   false,
		`T=$(curl h.test/a | c4nary); curl -H "A: $T" h.test`:                      false,
		`T=x$(c4nary)$(c4nary); curl -H "A: $T" h.test`:                            false,
		"T=`c4nary`; curl -H \"A: $T\" h.test":                                     false,
		`T=$(c4nary); curl -H "A: ${T:-x}" h.test`:                                 false,
		`T=$(c4nary); curl -m "$T" h.test`:                                         false,
		`curl -H "A: $(c4nary $GIVEN)" h.test`:                                     false,
	} {
		r, err := engine.Parse(command, engine.Input{Env: map[string]string{"GIVEN": "x"}})
		if err != nil {
			t.Fatal(command, err)
		}
		for _, target := range code.Targets() {
			for i, o := range []code.Options{{RunSubstitutions: true}, {}, {RunSubstitutions: true, MoveSecrets: true}, {RunSubstitutions: true, KeepVariables: true}} {
				program, diags := target.Compose(nil, r.Requests, o)
				if target.Kind == code.KindCommand || o.KeepVariables {
					continue // which have what was typed
				}
				has := strings.Contains(string(program), "c4nary")
				if has && (i > 0 || !runs) && target.Kind == code.KindCode {
					t.Errorf("%s, %+v runs %s:\n%s", target.Name, o, command, program)
				}
				if i == 0 && runs && !has && diags.Err() == nil && target.Name != "har" && target.Name != "raw-http" {
					t.Errorf("%s neither runs %s nor says that it cannot:\n%s", target.Name, command, program)
				}
			}
		}
	}
}

// TestMovedKey checks that the key of an HMAC is a secret, and is one variable for all
// requests.
func TestMovedKey(t *testing.T) {
	const command = `S=$(echo -n "$A" | openssl dgst -sha256 -hmac "t0psecret" | awk '{print $2}'); curl -H "X-S: $S" https://h.test/a; curl -H "X-S: $S" https://h.test/b`
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range code.Targets() {
		program, diags := target.Compose(nil, r.Requests, code.Options{MoveSecrets: true})
		if strings.Contains(string(program), "t0psecret") || slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return strings.Contains(d.Message+d.Hint, "t0psecret") }) {
			t.Errorf("%s has the key: %v\n%s", target.Name, diags, program)
		}
		if target.Name == "python-requests" && (strings.Count(string(program), `os.environ["HMAC_KEY"].encode(),`) != 1 || strings.Count(string(program), `headers={"X-S": s}`) != 2) {
			t.Errorf("%v\n%s", diags, program)
		}
	}
}

// TestFromPrograms checks how programs keep a value of a response, and that those which
// cannot take it from the environment, with a warning.
func TestFromPrograms(t *testing.T) {
	const command = `TOKEN=$(curl -s -d u=1 https://h.test/login | jq -r '.data[0]["access-token"]'); curl -H "Authorization: Bearer $TOKEN" https://h.test/me`
	r, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"python-requests":    `token = response.json()["data"][0]["access-token"]`,
		"python-httpx-async": `token = response.json()["data"][0]["access-token"]`,
		"python-httpx":       `token = response.json()["data"][0]["access-token"]`,
		"python-urllib":      `token = json.load(response)["data"][0]["access-token"]`,
		"python-urllib3":     `token = json.loads(response.data)["data"][0]["access-token"]`,
		"python-pycurl":      `token = json.loads(response)["data"][0]["access-token"]`,
		"python-http":        `token = json.load(response)["data"][0]["access-token"]`,
		"python-aiohttp":     `token = (await response.json(content_type=None))["data"][0]["access-token"]`,
		"javascript-fetch":   `const token = data.data[0]["access-token"];`,
		"typescript":         `const data: any = await response.json();`,
		"javascript-jquery":  `const token = JSON.parse(response.responseText).data[0]["access-token"];`,
		"javascript-xhr":     `const token = JSON.parse(response.responseText).data[0]["access-token"];`,
		"browser-fetch":      `const token = data.data[0]["access-token"];`,
		"node-axios":         `const token = response.data.data[0]["access-token"];`,
		"node-got":           `const token = JSON.parse(response.body).data[0]["access-token"];`,
		"node-ky":            `const token = data.data[0]["access-token"];`,
		"node-ofetch":        `const token = response._data.data[0]["access-token"];`,
		"node-superagent":    `const token = response.body.data[0]["access-token"];`,
		"node-http":          `const data = await json(response);`,
		"node-undici":        `const data = await response.body.json();`,
		"go":                 "AccessToken string `json:\"access-token\"`",
		"php":                `$token = json_decode($response, true, flags: JSON_THROW_ON_ERROR)['data'][0]['access-token'];`,
		"php-guzzle":         `$token = json_decode($response->getBody(), true, flags: JSON_THROW_ON_ERROR)['data'][0]['access-token'];`,
		"php-http-request2":  `$token = json_decode($response->getBody(), true, flags: JSON_THROW_ON_ERROR)['data'][0]['access-token'];`,
		"php-laravel":        `$token = $response->json()['data'][0]['access-token'];`,
		"php-symfony":        `$token = $response->toArray(false)['data'][0]['access-token'];`,
		"ruby":               `token = JSON.parse(response.body).fetch('data').fetch(0).fetch('access-token')`,
		"ruby-faraday":       `token = JSON.parse(response.body).fetch('data').fetch(0).fetch('access-token')`,
		"ruby-httparty":      `token = JSON.parse(response.body).fetch('data').fetch(0).fetch('access-token')`,
		"java":               `var token = new ObjectMapper().readTree(response.body()).get("data").get(0).get("access-token").asText();`,
		"java-okhttp":        `token = new ObjectMapper().readTree(response.body().string()).get("data").get(0).get("access-token").asText();`,
		"java-restclient":    `var token = new ObjectMapper().readTree(content).get("data").get(0).get("access-token").asText();`,
		"java-rest-assured":  `var token = new ObjectMapper().readTree(response.asString()).get("data").get(0).get("access-token").asText();`,
		"java-unirest":       `var token = new ObjectMapper().readTree(response.getBody()).get("data").get(0).get("access-token").asText();`,
		"kotlin":             `val token = ObjectMapper().readTree(response.body()).get("data").get(0).get("access-token").asText()`,
		"kotlin-ktor":        `val token = ObjectMapper().readTree(response.bodyAsText()).get("data").get(0).get("access-token").asText()`,
		"csharp":             `var token = data.GetProperty("data")[0].GetProperty("access-token").GetString();`,
		"http":               `client.global.set("token", response.body.data[0]["access-token"]);`,
		"hurl":               `token: jsonpath "$.data[0]['access-token']"`,
		"postman":            `pm.collectionVariables.set(\"token\", pm.response.json().data[0][\"access-token\"]);`,
		"curl":               `TOKEN=$(curl https://h.test/login -d u=1 -s | jq -r '.data[0]["access-token"]')`,
	}
	for _, target := range code.Targets() {
		program, diags := target.Compose(nil, r.Requests, code.Options{Source: command})
		line, takes := want[target.Name]
		switch told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
			return strings.Contains(d.Message, "does not run the command") && d.Level == diag.LevelDoubt
		}); {
		case diags.Err() != nil: // one request in a file, for example
		case takes && (told || !strings.Contains(string(program), line)):
			t.Errorf("%s lacks %s: %v\n%s", target.Name, line, diags, program)
		case !takes && !told && target.Name != "har": // which has no variables
			t.Errorf("%s has no doubt:\n%s", target.Name, program)
		}
	}
}
