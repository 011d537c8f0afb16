package code_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/redact"
	"uncoil/internal/proof/corpus"
)

// TestMoveSecrets holds that the variables of moved secrets make the same
// request when they hold them, in curl's forms, and that no program of any
// target has a secret.
func TestMoveSecrets(t *testing.T) {
	moved := 0
	texts := []string{
		`curl -u ann:hunter2 https://h.test/ -d 'user=ann&password=p%40ss+word' -b 'sid=abc123; theme=dark' -H 'X-Api-Key: k3ykey'`,
		`curl 'https://h.test/?api_key=a%20b%2Fc&x=1&token=t0ken' --oauth2-bearer b3arer -x http://pu:pr0xy@p.test:1`,
		`curl https://h.test/ --json '{"password":"hun\"ter2","user":{"clientSecret":"abc","pin":1234},"note":"token=hunter3"}' -H 'Authorization: Basic YW5uOmh1bnRlcjI='`,
		`curl https://h.test/ -F password=hunter2 -F 'doc={"token":"t0p"}' -b sid=abc123 -H "X-Token: $T" -H "Authorization: Bearer x$Y"`,
		`curl https://hooks.slack.com/services/T000/B000/XXXX -H 'Authorization:  Bearer abc' --digest -u "$U:hunter2" -d @- -d 'pwd=hunter3'`,
		`curl -u sk_live_51Habcdef: https://h.test/ -E c.pem:hunter2 -d 'a=ghp_abcdefABCDEF0123456789abcdefABCDEF0123'`,
		`curl https://h.test/a -H 'Authorization: Bearer abc' --next https://h.test/b -H 'Authorization: Bearer abc' -u 'a:b"c$d'`,
	}
	for _, c := range corpus.Read(t, corpus.Commands) {
		if len(c.Files) == 0 && len(c.Env) == 0 && !strings.Contains(c.Command, "-C ") {
			texts = append(texts, c.Command)
		}
	}
	for i, command := range texts {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil || len(r.Requests) > 20 {
			continue
		}
		values := code.Moved(r.Requests)
		if len(values) == 0 {
			continue
		}
		moved++
		env := make(map[string]string) // of the command itself
		for name := range allVariables(r) {
			env[name] = "9"
		}
		known, err := engine.Parse(command, engine.Input{Env: env})
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(env, values)
		for _, name := range slices.Sorted(maps.Keys(shells)) {
			if all := strings.Join(slices.Collect(maps.Values(values)), ""); (name == "curl-cmd" || name == "curl-batch") && strings.ContainsAny(all, "\"&|<>^%") {
				continue // cmd.exe reads them as a part of the command
			}
			target, _ := code.Lookup(name)
			text, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, MoveSecrets: true})
			if diags.Err() != nil || strings.Contains(messages(diags), "stands for a command") { // what that prints is not known
				continue
			}
			if again := readAgain(t, command, name, text, engine.Input{Env: env}); again != nil {
				compareAgain(t, command, name, text, known, again)
			}
		}
		if i > 6 {
			continue
		}
		for _, target := range code.Targets() {
			program, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, MoveSecrets: true})
			for name, value := range values {
				if diags.Err() == nil && len(value) > 3 && strings.Contains(string(program), value) {
					t.Errorf("%s has %s for %s\n%s", target.Name, value, name, program)
				}
				for _, d := range diags {
					if len(value) > 3 && strings.Contains(d.Message, value) {
						t.Errorf("a warning has %s: %s", value, d.Message)
					}
				}
			}
		}
		shown := slices.Clone(r.Requests)
		for _, secret := range redact.Requests(shown) {
			if target, _ := code.Lookup("curl"); len(secret) > 4 {
				text, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, MoveSecrets: true})
				if diags.Err() == nil && strings.Contains(string(text), secret) {
					t.Errorf("%s is left in\n%s", secret, text)
				}
			}
		}
	}
	if moved < 20 {
		t.Errorf("only %d commands have secrets", moved)
	}
}

// TestMovedNames holds what variables are called, and that the warnings say
// what they stand for.
func TestMovedNames(t *testing.T) {
	r, err := engine.Parse(`curl -u ann:a1 'https://h.test/?access%2DToken=b2' -H 'X-Api-Key: c3' -b 'a=d4; b=e5' --json '{"clientSecret":"f6","pwd":"g7","password":"h8"}' -H "X-Auth-Token: $PASSWORD"`, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"PASSWORD_2": "a1", "ACCESS_TOKEN": "b2", "X_API_KEY": "c3", "COOKIES": "a=d4; b=e5", "CLIENT_SECRET": "f6", "PASSWORD_3": "g7", "PASSWORD_4": "h8"}
	if got := code.Moved(r.Requests); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	target, _ := code.Lookup("python")
	_, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, MoveSecrets: true})
	var notes []string
	for _, d := range diags {
		if d.Code == diag.WarnSecretMoved {
			notes = append(notes, d.Message)
		}
	}
	if all := strings.Join(notes, "\n"); len(notes) != len(want) || !strings.Contains(all, "the variable PASSWORD_2 stands for a secret in auth.password") {
		t.Errorf("the warnings say\n%s", all)
	}
}

// TestDropNoise holds what is noise: the first command without it is the
// second.
func TestDropNoise(t *testing.T) {
	for noisy, clean := range map[string]string{
		`curl 'https://h.test/' -H 'accept: */*' -H 'accept-language: en' -H 'priority: u=1, i' -H 'sec-ch-ua: "x"' -H 'Sec-GPC: 1' -H 'user-agent: M' -H 'x-a: 1' -H 'dnt: 1' -H 'pragma: no-cache' -H 'cache-control: no-cache' --compressed`:          `curl 'https://h.test/' -H 'x-a: 1' --compressed`,
		`curl https://h.test/ -H 'User-Agent: M' -H 'Accept: text/html,application/xhtml+xml,*/*;q=0.8' -H 'Accept-Encoding: gzip, deflate, br' -H 'Connection: keep-alive' -H 'Upgrade-Insecure-Requests: 1' -H 'TE: trailers' -H 'If-None-Match: "x"'`: `curl https://h.test/`,
		`curl https://h.test/ -A M -H 'Accept: application/json' -H 'Origin: https://o.test' -H 'Referer: https://o.test/' -H 'X-Requested-With: XMLHttpRequest' -H 'Cache-Control: max-age=60' -z 2024-01-02 -H 'TE: x'`:                                `curl https://h.test/ -H 'Accept: application/json' -H 'Origin: https://o.test' -H 'Referer: https://o.test/' -H 'X-Requested-With: XMLHttpRequest' -H 'Cache-Control: max-age=60' -z 2024-01-02 -H 'TE: x'`,
		`curl https://h.test/ -H "sec-a: 1" -H "X-A: $A" -H 'User-Agent;' -H 'Accept:'`:                                          `curl https://h.test/ -H "X-A: $A" -H 'Accept:'`,
		`curl https://h.test/ -H ':authority: h.test' -H 'Sec-WebSocket-Key: x' -H 'x-browser-year: 2026' -H 'x-client-data: C'`: `curl https://h.test/ -H 'Sec-WebSocket-Key: x'`,
	} {
		r, err := engine.Parse(noisy, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := engine.Parse(clean, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range code.Targets() {
			got, diags := target.Compose(nil, r.Requests, code.Options{Style: code.StyleExact, DropNoise: true})
			plain, others := target.Compose(nil, want.Requests, exactly)
			if (diags.Err() == nil) != (others.Err() == nil) || diags.Err() == nil && string(got) != string(plain) {
				t.Errorf("%s\n%s\nwant\n%s", target.Name, got, plain)
			}
		}
	}
}

// TestDropCookies holds that cookies go when that is asked for, and only then,
// because they may be the login; and that a note names what went.
func TestDropCookies(t *testing.T) {
	for _, cookies := range []string{"-b a=b", "-H 'Cookie: a=b'", "-H 'cookie: a=b'"} {
		r, err := engine.Parse("curl https://h.test/ -A M "+cookies+" -H 'DNT: 1' --next -H 'dnt: 0' https://h.test/2", engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		target, _ := code.Lookup("curl")
		for _, c := range []struct {
			options       code.Options
			cookie, agent bool
			note          string
		}{
			{exactly, true, true, ""},
			{code.Options{Style: code.StyleExact, DropNoise: true}, true, false, "left out: User-Agent, DNT"},
			{code.Options{Style: code.StyleExact, DropCookies: true}, false, true, "left out: cookie"},
			{code.Options{Style: code.StyleExact, DropNoise: true, DropCookies: true}, false, false, "left out: User-Agent, cookie, DNT"},
		} {
			text, diags := target.Compose(nil, r.Requests, c.options)
			if got := strings.Contains(string(text), "a=b"); got != c.cookie {
				t.Errorf("%+v: the cookie is there: %v\n%s", c.options, got, text)
			}
			if got := strings.Contains(string(text), "-A M"); got != c.agent {
				t.Errorf("%+v: the agent is there: %v\n%s", c.options, got, text)
			}
			note := ""
			for _, d := range diags {
				if d.Code == diag.WarnFieldsDropped {
					note += d.Message
				}
			}
			if !strings.EqualFold(note, c.note) {
				t.Errorf("%+v: the note is %q, want %q", c.options, note, c.note)
			}
		}
	}
}

func allVariables(r *engine.Result) map[string]bool {
	names := make(map[string]bool)
	for i := range r.Requests {
		for _, v := range r.Requests[i].Variables {
			if v.Name != "" {
				names[v.Name] = true
			}
		}
	}
	return names
}
