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
		`V=$(date -u '+%F %T')`, `V=$(uuidgen)`, `V=$(hostname)`, `V=$(cat 'a b')`, `W=$(curl X/a); V=$(jq -r .a <<< "$W"); U=$(jq -r .b <<< "$W"); curl X/$U`,
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
		if diff := cmp.Diff(want, fromsOf(t, string(program)), cmpopts.IgnoreFields(request.Command{}, "Span")); diff != "" {
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
		if !strings.Contains(string(program), c.want) || warnings != names || strings.Count(string(program), "# set the variable") != names {
			t.Errorf("%s lacks %s, or has not %d warnings: %v\n%s", c.command, c.want, names, diags, program)
		}
	}
}
