package httpie_test

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/httpie"
	"uncoil/internal/engine/source/message"
	"uncoil/internal/engine/source/posix"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"
)

// read reads the commands of a text for a POSIX shell.
func read(src string, env map[string]string, m *meter.Meter) (commands []word.Command, diags diag.List) {
	commands, diags = posix.Read(src, env, m, nil)
	if diags.Err() != nil || m.Over() {
		return commands, diags
	}
	w := message.Writer{Meter: m, Syntax: diag.CodeInvalidHTTPie}
	for i := range commands {
		if c := &commands[i]; len(c.Args) > 0 && httpie.Is(c.Args) && !httpie.Read(c, &w) {
			break
		}
	}
	return w.Commands, append(diags, w.Diags...)
}

// TestIs holds which commands run HTTPie: words of prose do not.
func TestIs(t *testing.T) {
	for src, want := range map[string]bool{
		"http h.test": true, "https h.test/a b=c": true, "/usr/bin/http :3000": true, "http.exe localhost:1/a": true, "http -v GET http://h": true, "http $URL": true, "http POST localhost a=b": true,
		"http is a protocol": false, "http": false, "https and more": false, "http a=b.c": false, "httpx h.test": false, "curl h.test": false, "http GET": false,
	} {
		commands, _ := posix.Read(src, nil, meter.New(len(src), meter.Limits{}, nil), nil)
		if got := httpie.Is(commands[0].Args); got != want {
			t.Errorf("Is(%q) is %t", src, got)
		}
	}
}

// TestRead holds the arguments of curl for commands: what HTTPie 3.2 sent for these.
func TestRead(t *testing.T) {
	const jsonFields = "--header|Accept: application/json, */*;q=0.5|--header|Content-Type: application/json"
	for _, c := range []struct{ src, want, codes string }{
		{"http :3000/a", "http://localhost:3000/a", ""},
		{"https :/a", "https://localhost/a", ""},
		{"http ://h.test", "http://h.test", ""},
		{"http h.test a==b\\ c d==é 'X:y' Z\\; W:", "http://h.test?a=b+c&d=%C3%A9|--header|X: y|--header|Z;|--header|W:", ""},
		{"http 'h.test/{a}?x' b==c", "http://h.test/%7Ba%7D?x&b=c", ""},
		{"http put h.test a=é b:='[1,{\"c\":2}]' a=2", "http://h.test|--request|PUT|" + jsonFields + `|--data-raw|{"a": "2", "b": [1, {"c": 2}]}`, ""},
		{`http h.test 'a\:b=c' 'k\\=v' 'w=a\=b\d' 'é=😀'`, "http://h.test|" + jsonFields + `|--data-raw|{"a:b": "c", "k\\": "v", "w": "a=b\\d", "\u00e9": "\ud83d\ude00"}`, ""},
		{"http -f h.test a=b 'c=d e&'", "http://h.test|--header|Content-Type: application/x-www-form-urlencoded; charset=utf-8|--data-raw|a=b&c=d+e%26", ""},
		{"http -f h.test a=b f@c.png\\;type=x/y g=@h", `http://h.test|--form-string|a=b|--form|f=@"c.png";type=x/y|--form|g=<"h"`, ""},
		{"http --multipart h.test a=b", "http://h.test|--form-string|a=b", ""},
		{"http h.test @a.png", "http://h.test|--header|Accept: application/json, */*;q=0.5|--header|Content-Type: image/png|--data-binary|@a.png", ""},
		{"http h.test Content-Type: a=b", "http://h.test|--header|Accept: application/json, */*;q=0.5|--header|Content-Type:|--data-raw|{\"a\": \"b\"}", ""},
		{"http --raw 'x y' h.test Content-Type:a/b", "http://h.test|--header|Accept: application/json, */*;q=0.5|--header|Content-Type: a/b|--data-raw|x y", ""},
		{"echo a | http h.test", "http://h.test|" + jsonFields + "|--data-raw|a\n", ""},
		{"echo a | http -I h.test", "http://h.test", ""},
		{"http h.test < a.json", "http://h.test|" + jsonFields + "|--data-binary|@a.json", ""},
		{"http -au:p h.test", "http://h.test|--user|u:p", ""},
		{"http -A digest --auth=u:p h.test", "http://h.test|--digest|--user|u:p", ""},
		{"http -A bearer -a t h.test", "http://h.test|--header|Authorization: Bearer t", ""},
		{"http -A hawk -a t h.test", "http://h.test", "computed-auth"},
		{"http -vFIp=h --verify no --timeout=3 --proxy http:http://p:1 --proxy https:http://q:1 -o f --ssl tls1.2 --no-session h.test", "http://h.test|--location|--insecure|--connect-timeout|3|--proxy|http://p:1|--output|f|--tlsv1.2", ""},
		{"http --json h.test", "http://h.test|" + jsonFields, ""},
		{"http --chunked HEAD h.test -- -a:b", "http://h.test|--head|--header|Transfer-Encoding: chunked|--header|-a: b", ""},
	} {
		m := meter.New(len(c.src), meter.Limits{}, nil)
		commands, diags := read(c.src, nil, m)
		if len(commands) != 1 {
			t.Errorf("%s: %d commands, %v", c.src, len(commands), diags)
			continue
		}
		if got := strings.Join(shelltest.Texts(commands)[0], "|"); got != "curl|--url|"+c.want || shelltest.Codes(diags) != c.codes {
			t.Errorf("%s\n%s, %q, want\ncurl|--url|%s, %q", c.src, got, shelltest.Codes(diags), c.want, c.codes)
		}
		shelltest.CheckSpans(t, c.src, commands, diags)
	}
}

// FuzzRead checks that any text is read within its limits, and that an error leaves a
// place.
func FuzzRead(f *testing.F) {
	for _, src := range []string{
		"http POST h.test a=b c:='{\"d\": [1]}' E:f g==h i\\:j=k", "https -f :3000/a b=$C 'd@e;type=f'", "http -A bearer -a $T h.test/$X q==$Y --verify=no -v", "http h.test < a", "echo a | http $U x:=$Y", "http --raw 'é' h.test a:",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		m := meter.New(len(src), meter.Limits{}, nil)
		commands, diags := read(src, map[string]string{"Y": "x=y"}, m)
		if diags.Err() == nil && !m.Over() {
			shelltest.CheckBounds(t, src, commands, diags)
		}
	})
}
