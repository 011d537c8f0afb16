package redact_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
)

// planted are commands, good and broken, with LEAK instead of a secret.
func planted() []string {
	var out []string
	add := func(commands ...string) { out = append(out, commands...) }
	for _, o := range curl.Options() {
		if o.Flags&curl.FlagSecret == 0 {
			continue
		}
		name := "--" + o.Long
		add("curl "+name+" a:LEAK x", "curl "+name+"=a:LEAK x", "curl "+name+"=LEAK", "curl "+name+":LEAK x",
			`curl `+name+` "a:$(get LEAK)" x`, `curl `+name+` "a:${P:-LEAK}" x`, "curl "+name+" `get LEAK` x", "curl --no-"+o.Long+" LEAK x",
			"curl "+name+" 'a:LEAK x", "curl "+name+" a:LEAK x | jq", "curl "+name+"x=LEAK x")
	}
	for _, argument := range []string{
		`-H 'Authorization: Bearer LEAK'`, `-H 'Authorization Bearer LEAK'`, `-H "Authorization: Bearer $(get LEAK)"`, `-H "Authorization: Bearer ${T:-LEAK}"`,
		`-H Authorization: Bearer LEAK`, `-H “Authorization: Bearer LEAK”`, `-HAuthorization:LEAK -HAuthorization:LEAK`, `-H "X-Api-Key: ${T:?LEAK}"`,
		`-b sid=LEAK`, `-b sid="$(get LEAK)"`, `-b 'sid=LEAK; a=b' -c`, `--cookie:sid=LEAK`,
		`-u a:LEAK`, `-ua:LEAK`, `-u=a:LEAK`, `-u a:LEAK -u`, `-u 'a:LEAK' -Q`, `-uLEAK`, `--user:LEAK`, `-user:LEAK`, `—user a:LEAK`, `-u{{LEAK}}`,
		`-d password=LEAK`, `-d password=LEAK -F a=b`, `-d password=LEAK -I`, `-d password=LEAK -T f`, `-d '{"password":"LEAK"}'`, `-d '{"password":"LEAK"'`,
		`-d {"password":"LEAK"}`, `--json '{"password":"LEAK",}'`, `-d "password=$(get LEAK)"`, `--data-urlencode "password=${P:-LEAK}"`, `--data:password=LEAK`,
		`-F password=LEAK`, `-F 'password=LEAK;type=x;bad=LEAK'`, `-F "password=$(get LEAK)"`, `-F 'password=LEAK;headers="a`, `-F password`, `--form-string password=LEAK`,
		`-G -d token=LEAK`, `--url-query token=LEAK`, `--oauth2-bearer LEAK`, `--aws-sigv4 LEAK`, `--variable token=LEAK`,
		`--variable 'token=LEAK' --expand-url 'h/{{token:bad}}'`, `--variable '%TOKEN=LEAK' --expand-user 'a:{{TOKEN:bad}}'`,
		`-x http://u:LEAK@p:1`, `-x http://u:LEAK@p:99999`, `-x bad://u:LEAK@p`, `--preproxy socks9://u:LEAK@p`, `--proxy-header 'Proxy-Authorization: LEAK'`,
		`-e 'http://r/?token=LEAK'`, `-m LEAK`, `--password=LEAK`, `--token LEAK`, `--auth-token=LEAK`, `--resolve LEAK`, `-K -`,
	} {
		add("curl "+argument+" h.test", "curl "+argument, "curl h.test "+argument+" --bogus", "curl h.test "+argument+" '", "curl.exe h.test "+argument)
	}
	for _, url := range []string{
		"http://u:LEAK@h/", "http://u:LEAK@h:99999/", "http://u:LEAK@h:bad/", "http://u:LEAK@[bad/", "ftp://u:LEAK@h/", "sftp://u:LEAK@h/", "http://u:LEAK@/",
		"http://u:LEAK@h/{a", "http://u:LEAK@h/[1-", "http://u:LEAK@h/[9-1]", "http://u:LEAK@h/[1-9999]", "http://u:LEAK@h/?token=LEAK&x", "http://u:LEAK@a b/", "http:/u:LEAK@h",
		"http://u:LEAK@h/$X", "http://u:$(get LEAK)@h/", "http://u:LEAK@h:{p}/", "{{base}}?token=LEAK", "<http://u:LEAK@h>", "http://u:LE%ZZAK@h/", "http:///u:LEAK@h", "mailto:LEAK", "u:LEAK@h:x",
		"http://u:LEAK@h/%00", "http://h/?api_key=LEAK\t", "http://u:LEAK@exa_mple..h/", "http://u:LEAK@-h-/", "//u:LEAK@h",
	} {
		add("curl "+url, "curl '"+url+"'", `curl "`+url+`"`, "curl -X GET '"+url+"' -d a=b", "curl.exe "+url)
	}
	add("TOKEN=LEAK\ncurl x", "TOKEN=LEAK curl $TOKEN", "TOKEN=LEAK; curl -H \"Authorization: $TOKEN\" --bogus", "export TOKEN=LEAK && curl \"http://$TOKEN:bad/\"",
		"TOKEN=LEAK\ncurl -m $TOKEN x", "TOKEN=LEAK\ncurl -X '' -u $TOKEN x", "set TOKEN=LEAK\r\ncurl %TOKEN%", "$env:TOKEN='LEAK'; curl.exe -m $env:TOKEN x",
		"wget --password=LEAK http://h", "http -a u:LEAK h", "echo LEAK | curl -d @- x", "curl -d @- x <<< LEAK", "curl -u a:LEAK x; foo --token LEAK", "PASSWORD=LEAK foo",
		"curl x | TOKEN=LEAK sh -c 'x'", "irm x -Headers @{Authorization='Bearer LEAK'} -Bogus", "irm x -Token (LEAK", "curl ${TOKEN:?LEAK}", "curl ${TOKEN:-LEAK}", "for t in LEAK; do curl -u a:$t x")
	return out
}

// A message, hint or option never holds a secret: they reach logs and screens.
func TestPlanted(t *testing.T) {
	shown := 0
	for _, command := range planted() {
		var list diag.List
		r, err := engine.Parse(command, engine.Input{})
		if err == nil {
			list = r.Warnings
			_, err = r.Members()
		}
		if e, ok := errors.AsType[*engine.Error](err); ok {
			list = append(list, e.Diagnostic)
		}
		for _, d := range list {
			if text := strings.Join(append([]string{d.Message, d.Hint, d.Option}, d.Files...), " | "); strings.Contains(text, "LEAK") {
				if shown++; shown <= 20 {
					t.Errorf("%q: %s: %s", command, d.Code, text)
				}
			}
		}
	}
}
