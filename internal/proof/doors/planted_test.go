package doors

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/edge/api"
	"uncoil/internal/edge/cli"
)

// byName are texts with a secret where a name makes it one. Those that begin with a mark stand
// for what only some secrets can be: ! for one without signs of the syntax around it.
var byName = []string{
	`curl https://h.test/ -u 'ann:SECRET'`, `curl https://h.test/ -u "$U:${P:-SECRET}"`, `curl 'https://ann:SECRET@h.test/a'!`, `curl https://h.test/ --digest -u 'ann:SECRET'`,
	`curl https://h.test/ -H 'Authorization: Bearer SECRET'`, `curl https://h.test/ -H "Authorization: Bearer ${T:-SECRET}"`, `curl https://h.test/ --oauth2-bearer 'SECRET'`,
	`curl https://h.test/ -H 'X-Api-Key: SECRET'`, `curl https://h.test/ -H "X-Api-Key: ${K:+SECRET}"`, `curl https://h.test/ -H 'Authorization: SECRET'`, `curl https://h.test/ -H 'X-Auth-Token: SECRET' -L -f -o out`,
	`curl https://h.test/ -b 'sid=SECRET; theme=dark'!`, `curl https://h.test/ -b "sid=${S:-SECRET}"!`, `curl https://h.test/ -H 'Cookie: sid=SECRET'!`,
	`curl https://h.test/ -d 'user=ann&password=SECRET'!`, `curl https://h.test/ -d password=SECRET!`, `curl https://h.test/ --data-urlencode 'password=SECRET' -d a=b`, `curl https://h.test/ -d "a=b&password=${P:-SECRET}"!`,
	`curl 'https://h.test/p?api_key=SECRET&b=1'!`, `curl https://h.test/p?token=SECRET -O!`, `curl https://h.test/ -G --data-urlencode 'token=SECRET' -d b=1`, `curl "https://h.test/p?token=${T:-SECRET}"!`, `curl 'https://h.test/a#access_token=SECRET'!`,
	`curl https://h.test/ --json '{"user":"ann","password":"SECRET","n":1}'!`, `curl https://h.test/ --json "{\"a\":{\"clientSecret\":\"${P:-SECRET}\"}}"!`, `curl https://h.test/ -d '{"a":[{"name":"password","value":"SECRET"}]}'!`,
	`curl https://h.test/ -H 'Content-Type: application/json' -d '{"query":"mutation($p: String) { login(p: $p) }","variables":{"password":"SECRET"}}'!`, `curl https://h.test/ --json '{"body":"{\"token\":\"SECRET\"}"}'!`,
	`curl https://h.test/ -F 'password=SECRET' -F a=b!`, `curl https://h.test/ --form-string 'password=SECRET' -F f=@f`, `curl https://h.test/ -F 'doc={"token":"SECRET"};type=application/json'!`, `curl https://h.test/ -F 'a=b;headers="X-Api-Key: SECRET"'!`,
	`curl https://h.test/ -H 'Content-Type: text/xml' -d '<u><password>SECRET</password></u>'!`, `curl https://h.test/ -H 'Content-Type: text/plain' -d 'password=SECRET'!`,
	`curl https://h.test/ -x http://p.test:1 -U 'ann:SECRET'`, `curl https://h.test/ -x 'http://ann:SECRET@p.test:1'!`, `curl https://h.test/ --proxy-header 'Proxy-Authorization: Bearer SECRET' -x p.test:1`,
	`curl https://h.test/ -E 'c.pem:SECRET'!`, `curl https://h.test/ -E c.pem --key k.pem --pass 'SECRET'`, `curl https://h.test/ -e 'https://r.test/?token=SECRET'!`,
	`curl https://h.test/ -d a=b --next https://h.test/b -H 'X-Api-Key: SECRET'`, `curl https://h.test/ -H 'X-Api-Key: SECRET' -H 'X-Other-Key: SECRET'`,
	`curl https://h.test/ -H "X: $(vault write --token 'SECRET' a)"!`, `curl https://h.test/ -H "X: $(jwt --client-secret=SECRET encode)"!`, `curl https://h.test/ -H "X: $(echo -n "$A" | openssl dgst -sha256 -hmac 'SECRET' | sed 's/^.* //')"!`,
	`curl https://h.test/ -H "X: $(echo -n "$A" | openssl dgst -sha256 -hmac "${K:-SECRET}" -binary | base64)"!`, `curl https://h.test/ -H "Authorization: Basic $(echo -n "$U:SECRET" | base64)"!`,
	`curl https://h.test/ -d "sig=$(echo -n ann:SECRET | base64)&x=$U"!`, `curl https://h.test/ --json "{\"k\":\"$(op read --session SECRET a)\"}"!`,
	`curl 'https://h.test/SECRET/x' -u 'ann:SECRET' -H 'X-A: see SECRET'!`, `curl https://h.test/ -d 'a=SECRET&password=SECRET'!`, `curl https://h.test/ --json '{"a":"SECRET","password":"SECRET"}'!`,
	`fetch("https://h.test/", {"headers": {"authorization": "Bearer SECRET"}, "body": "a=1&password=SECRET", "method": "POST"});!`,
	"POST /p?token=SECRET HTTP/1.1\nHost: h.test\nX-Api-Key: SECRET\nContent-Type: application/json\n\n{\"password\":\"SECRET\"}!",
	`irm https://h.test/ -Headers @{'X-Api-Key'='SECRET'}!`, `wget --header='X-Api-Key: SECRET' https://h.test/!`,
}

// byLook are texts with a secret where only its look makes it one.
var byLook = []string{
	`curl 'https://h.test/p?q=SECRET&b=1'`, `curl https://h.test/a/SECRET/b`, `curl https://h.test/ -H 'X-A: SECRET'`, `curl https://h.test/ -H 'X-A: b SECRET, c'`, `curl https://h.test/ -b 'a=SECRET'`,
	`curl https://h.test/ --json '{"a":["SECRET"]}'`, `curl https://h.test/ --json '{"a":{"b":"see SECRET."}}'`, `curl https://h.test/ -d 'a=SECRET'`, `curl https://h.test/ -d 'a=1&b=SECRET'`, `curl https://h.test/ --data-urlencode 'b=SECRET' -d a=1`,
	`curl https://h.test/ -d 'SECRET'`, `curl https://h.test/ -H 'Content-Type: text/plain' -d 'a SECRET b'`, `curl https://h.test/ -F 'a=SECRET'`, `curl https://h.test/ -F 'a={"b":"SECRET"};type=application/json'`,
	`curl https://h.test/ -u 'SECRET:'`, `curl https://h.test/ -A 'a/SECRET'`, `curl https://h.test/ -F 'a=@f;filename=SECRET'`, `curl https://h.test/ -d '<a><b>SECRET</b></a>' -H 'Content-Type: application/xml'`,
	`curl https://h.test/ -d a=b --next https://h.test/b -d 'foo=SECRET'`, `curl "https://h.test/?a=${A:-SECRET}"`, `curl https://h.test/ -d "a=${A:-SECRET}&b=1"`, `curl https://h.test/ --json "{\"a\":\"${A:-SECRET}\"}"`,
	`curl https://h.test/ -H "X: $(vault login SECRET)"`, `curl "https://h.test/$(get SECRET)"`, `curl https://h.test/ -d "a=$(get SECRET)&b=1"`, `curl https://h.test/ --json "{\"a\":\"$(get SECRET)\"}"`, `curl https://h.test/ -H "X: ${A:-$(get SECRET)}"`,
	`curl https://h.test/ -d a=b --data-urlencode 'u=https://ann:SECRET@x.test/'`, `curl https://h.test/ -G --data-urlencode 'u=https://hooks.slack.com/services/T0/SECRET'`,
	`curl https://h.test/ -o 'SECRET.txt'`, `curl https://h.test/ -T SECRET`, `curl https://h.test/ -d @- <<< 'a=SECRET'`,
}

// looks are secrets, of which the first ones are known by their look, and the last ones are
// not, nor without signs.
var looks = []string{"patZq7Xw9Lk2Vb4Nm.0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "ghp_Zq7Xw9Lk2Vb4Nm6Tp8Rs1Yd3Zq7Xw9Lk2Vb4", "sk_live_51HabcZq7Xw9Lk2Vb4Nm6T", "glpat-Zq7Xw9Lk2Vb4Nm6Tp8Rs", "hunter2Zq7Xw9Lk", `Zq7 Xw9/L+k&2%V"b`}

const knownLooks, plainLooks = 4, 5

// variations are options of programs under which the answer has other parts.
var variations = []map[string]any{
	{}, {"style": "exact"}, {"function": "auto"}, {"placeholders": "variables"}, {"bare": true, "style": "exact"}, {"placeholders": "text"}, {"dropNoise": true, "longNames": true}, {"variables": "keep"},
}

// spellings are how a text may have a secret.
func spellings(secret string) []string {
	quoted, _ := json.Marshal(secret)
	list := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(quoted[1 : len(quoted)-1])}
	for _, user := range []string{"ann:", ":", ""} {
		list = append(list, base64.StdEncoding.EncodeToString([]byte(user+secret)))
	}
	return list
}

func holds(text []byte, secret string) bool {
	for _, one := range spellings(secret) {
		if bytes.Contains(text, []byte(one)) {
			return true
		}
	}
	return false
}

// planted shows each text with each secret that it can have: one in twenty in short mode.
func planted(show func(text, secret string, n int)) {
	n := 0
	for i, list := range [][]string{byName, byLook} {
		for _, place := range list {
			text, plain := strings.CutSuffix(place, "!")
			for k, secret := range looks {
				if i == 1 && k >= knownLooks || k >= plainLooks && plain {
					continue
				}
				n++
				show(strings.ReplaceAll(text, "SECRET", secret), secret, n)
			}
		}
	}
}

// TestMovedSecretsAreGone plants secrets and looks for them in all that code answers: none is
// left, unless a warning says where.
func TestMovedSecretsAreGone(t *testing.T) {
	targets := code.Targets()
	programs, told := 0, 0
	planted(func(text, secret string, n int) {
		for i, options := range variations {
			if testing.Short() && (n+i)%8 != 0 {
				continue
			}
			for k := range targets {
				every := 5 // one in so many programs
				if testing.Short() {
					every = 12
				}
				if (n+i+k)%every != 0 {
					continue
				}
				name := targets[k].Name
				object := map[string]any{"curl": text, "target": name, "moveSecrets": true}
				for key, value := range options {
					object[key] = value
				}
				q := Question{Command: text, Options: object}
				body, status := api.Limits{}.AnswerObject(q.Object(t), api.AsCode)
				programs++
				var answer struct {
					Code     string
					Warnings []struct{ Code, Message string }
				}
				if err := json.Unmarshal(body, &answer); err != nil {
					t.Fatal(err)
				}
				if !holds(body, secret) && !holds([]byte(answer.Code), secret) {
					continue
				}
				says := false
				for _, w := range answer.Warnings {
					says = says || w.Code == "secret-moved" && strings.Contains(w.Message, "also stands")
				}
				if says && status == 200 && (strings.Count(text, secret) > 1 || strings.Contains(text, " -T ")) { // the URL has the name of a file, too
					told++
					continue
				}
				t.Errorf("%s, %v: %s\n%s", name, options, text, body)
			}
		}
	})
	t.Logf("%d programs, %d say what is left", programs, told)
	if programs < 500 {
		t.Errorf("only %d programs", programs)
	}
}

// TestHiddenSecretsAreGone does the same for convert and parse with -hide-secrets, and for what
// these and code with -move-secrets write to standard error: excerpts and fixes, too.
func TestHiddenSecretsAreGone(t *testing.T) {
	planted(func(text, secret string, n int) {
		for i, args := range [][]string{
			{"parse", "-hide-secrets"}, {"convert", "-hide-secrets"}, {"convert", "-to", "http", "-hide-secrets"}, {"parse", "-to", "python", "-hide-secrets"},
			{"convert", "-to", "curl", "-hide-secrets"}, {"code", "-to", "har", "-move-secrets"}, {"code", "-to", "java", "-move-secrets", "-style", "exact"},
		} {
			if testing.Short() && (n+i)%4 != 0 {
				continue
			}
			for _, text := range []string{text, text + " --bogus", text + " '", "curl -X http://h.test && " + text} {
				var out, messages bytes.Buffer
				cli.Run(args, strings.NewReader(text), &out, &messages, noVariables, nil)
				if args[0] != "code" && holds(out.Bytes(), secret) || holds(messages.Bytes(), secret) {
					t.Errorf("%v %s\n%s\n%s", args, text, out.String(), messages.String())
				}
			}
		}
	})
}

// TestShownSecretsAreGone does the same for what the page shows where secrets are hidden, but for
// the members that name them, which the page itself looks for.
func TestShownSecretsAreGone(t *testing.T) {
	targets := code.Targets()
	planted(func(text, secret string, n int) {
		q := Question{Command: text, Options: map[string]any{"target": targets[n%len(targets)].Name}}
		var view map[string]json.RawMessage
		if err := json.Unmarshal(api.Show(q.Object(t), 0, true), &view); err != nil {
			t.Fatal(err)
		}
		delete(view, "secrets")
		delete(view, "uses")
		for name, body := range view {
			var inner string
			if json.Unmarshal(body, &inner) == nil {
				body = []byte(inner)
			}
			if holds(body, secret) {
				t.Errorf("%s of %s\n%s", name, text, body)
			}
		}
		if body := api.ShowCode(q.Object(t), 0, true); holds(body, secret) {
			t.Errorf("%s for %s\n%s", targets[n%len(targets)].Name, text, body)
		}
	})
}
