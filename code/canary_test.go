package code_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
)

// canaries are commands with a secret in place of CANARY: in what is one by its place,
// and, as a token of a known shape, in the argument of every option.
func canaries() (commands []string) {
	add := func(secret string, forms ...string) {
		for _, form := range forms {
			commands = append(commands, strings.ReplaceAll(form, "CANARY", secret))
		}
	}
	const plain, shaped = "cAnArY5", "ghp_cAnArY5cAnArY5cAnArY5cAnArY5cAnArY5"
	for _, o := range curl.Options() {
		if !o.TakesArgument() || o.Arg == curl.ArgFile || o.Long == "config" {
			continue // the name of a file is none
		}
		name := " --" + o.Long + " "
		for _, argument := range []string{"'CANARY'", "'a:CANARY'", "'a=CANARY'", `"$X CANARY"`, `"$X:CANARY"`, `"CANARY$X"`, `"$X CANARY:b"`, "$'CANARY\\nx'", "'http://a:CANARY@p:x'"} {
			secret := shaped
			if o.Flags&curl.FlagSecret != 0 {
				secret = plain
			}
			add(secret, "curl https://h.test/"+name+argument, "curl -L -x http://p.test:1 -u a:b https://h.test/"+name+argument, "curl --digest -u a:b -d a=1 http://h.test/"+name+argument)
		}
	}
	for _, argument := range []string{
		`-u "$X CANARY"`, `-u "$X CANARY:b"`, `-u "a:CANARY$X"`, `--digest -u "$X CANARY"`, `--ntlm -u "$X CANARY"`, `--aws-sigv4 "aws:amz" -u "$X CANARY:CANARY"`, `-u "CANARY\"\\:b" --digest`, `-u 'CANARYé:CANARYé' --digest`,
		`-U "$X CANARY" -x p:1`, `--proxy-user "$X CANARY" -x http://p:1`, `-x "http://$X:CANARY@p:1"`, `-x "http://a:CANARY@$X"`, `--oauth2-bearer "CANARY$X"`, `--oauth2-bearer $'CANARY\rx'`,
		`-H "Authorization: Bearer $X CANARY"`, `-H $'Authorization: CANARY\rx'`, `-H 'Authorization: CANARYé'`, `-H $'Authorization: CANARY\xff'`, `-H 'Authorization CANARY'`, `-H 'Proxy-Authorization: CANARY'`,
		`-H $'Cookie: CANARY\xff'`, `-b "a=$X CANARY"`, `-b $'a=CANARY\xff'`, `-E "c.pem:CANARY$X"`, `-E c.pem --pass "CANARY$X"`, `--tlsuser a --tlspassword CANARY`, `--proxy-tlspassword CANARY -x https://p`,
		`--variable a=CANARY --expand-data '{{a}}'`, `--variable 'a=CANARY' --expand-range '{{a}}'`, `--variable a=CANARY --expand-request '{{a}} x'`, `--variable a=CANARY --expand-request '{{a}}'`, `--variable a=CANARY --expand-url 'http://{{a}}/'`, `--variable a=CANARY --expand-header '{{a}} x: y'`, `--variable a=CANARY --expand-max-time '{{a}}'`,
		`--variable '%A=CANARY' --expand-user 'x:{{A:bad}}'`, `-d "password=CANARY$X"`, `--data-urlencode "password@$X"`, `--json "{\"password\":\"CANARY$X\"}"`, `-F "password=CANARY$X;type=$X"`, `-F 'a=b;headers="Authorization: CANARY"'`,
		`-H 'X-Api-Key: CANARY'`, `-H $'X-Api-Key: CANARY\xff'`, `--url-query "token=CANARY$X"`, `-G -d "token=CANARY$X"`, `-e "https://r/?token=CANARY$X"`, `-u CANARY`,
	} {
		secret := plain
		if argument == `-u CANARY` {
			secret = shaped
		}
		add(secret, "curl https://h.test/ "+argument, "curl -L http://h.test/a/../b "+argument, "curl -d a=1 https://$H/ "+argument)
	}
	for _, url := range []string{`http://a:CANARY@h.test/`, `"http://$X:CANARY@h.test/"`, `"http://CANARY$X@h.test/"`, `'http://a:CANARY@h.test/%zz'`, `'http://a:CANARY@1.2.3/'`, `ws://a:CANARY@h.test/`, `foo://a:CANARY@h.test/ -x p`,
		`'http://h.test/?token=CANARY' --request-target '/?token=CANARY'`, `http://a:CANARY@h.test/$X`, `'http://a:CANARY@h.test/[1-3]{a'`, `ftp://a:CANARY@h.test/`, `'http://a:CANARY@h.test/a/../b' -x p`} {
		add(plain, "curl "+url, "curl -u b:c "+url, "curl -L "+url)
	}
	return commands
}

// TestNoMessageHasASecret holds that no message, hint or name of an option in
// a diagnostic has a secret of the command, whatever the target.
func TestNoMessageHasASecret(t *testing.T) {
	parallel(t)
	commands := canaries()
	all := code.Targets()
	shown := make(map[string]int)
	count := func(where, command string, list diag.List) {
		for _, d := range list {
			said := strings.Join([]string{d.Message, d.Hint, d.Option, d.Variable}, " | ")
			if i := strings.Index(said, "cAnArY5"); i >= 0 {
				_, after, _ := strings.Cut(said[:i], " ") // of the name of a client
				kind := where + " " + string(d.Code) + ": " + after[:min(len(after), 12)]
				if shown[kind]++; shown[kind] == 1 {
					t.Errorf("%s\n%s says %s", command, where, said)
				}
			}
		}
	}
	for i, command := range commands {
		r, err := engine.Parse(command, engine.Input{})
		if e, ok := errors.AsType[*engine.Error](err); ok {
			count("parse", command, diag.List{e.Diagnostic})
			continue
		}
		count("parse", command, r.Warnings)
		for j := range all {
			if len(commands) > 1000 && testing.Short() && (i+j)%7 != 0 {
				continue
			}
			_, diags := all[j].Compose(nil, r.Requests, code.Options{MoveSecrets: i%5 == 0})
			count("code", command, diags)
		}
	}
	kinds := make([]string, 0, len(shown))
	for kind := range shown {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	t.Logf("%d commands; %d kinds of messages", len(commands), len(kinds))
}
