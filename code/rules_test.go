package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestRulesOfExchanges holds what decides between two programs where curl does: each rule at
// both of its sides. A string after "!" is not in the program. A target with "exact" after it
// keeps curl's bytes.
func TestRulesOfExchanges(t *testing.T) {
	for _, c := range []struct {
		what, targets, options string
		want                   []string
	}{
		// Curl_http_follow in curl 8.22 lib/http.c: -T is no POST.
		{"content after redirects of -T", "python-http", "-L -T f", []string{"response.status == 303", "!301"}},
		{"content after redirects of -T", "ruby", "-L -T f", []string{"content = false if response.code == '303'"}},
		{"content after redirects of -d", "python-http", "-L -d x", []string{"in (301, 302, 303)"}},
		// parse_proxy in curl 8.22 lib/url.c: what stands in the URL comes first, and its path is nothing.
		{"credentials of a proxy's URL", "python", "-x http://a:b@p.test:1 -U c:d", []string{`"http://a:b@p.test:1"`, "!c:d"}},
		{"credentials of a proxy's URL", "python", "-U c:d -x https://a:b@p.test:1", []string{`"https://a:b@p.test:1"`, "!c:d"}},
		{"credentials of a proxy's URL", "python", "-U c:d -x socks5h://a:b@p.test:1", []string{`"socks5h://a:b@p.test:1"`, "!c:d"}},
		{"credentials of a proxy's URL", "go", "-U c:d -x HTTP://a:b@p.test:1", []string{`"HTTP://a:b@p.test:1"`, "!c:d"}},
		{"credentials of a proxy's URL", "go", "-U c:d -x a:b@p.test:1", []string{`"http://a:b@p.test:1"`, "!c:d"}},
		{"an @ in the path of a proxy", "go", "-U c:d -x http://p.test:1/a@b", []string{`"http://c:d@p.test:1"`}},
		{"credentials of a proxy", "go", "-U c:d -x http://p.test:1", []string{`"http://c:d@p.test:1"`}},
		// The last of the two counts: tool_getparam.c in curl 8.22.
		{"an error with its content", "python", "--fail --fail-with-body", []string{"print(response.text)\nresponse.raise_for_status()"}},
		{"an error without its content", "python", "--fail-with-body --fail", []string{"response.raise_for_status()\nprint(response.text)"}},
		// ourWriteOut in curl 8.22 src/tool_writeout.c
		{"signs of a format", "python", "-w '%%{http_code} %% %d 100%%%{http_code}%'", []string{`print("%{http_code} % %d 100%" + str(response.status_code) + "%")`}},
		{"signs of a format", "go", "-w '%%{http_code} %% %d 100%%%{http_code}%'", []string{`"%%{http_code} %% %%d 100%%%d%%\n"`}},
		{"a number beside text", "ruby-faraday ruby-httparty", `-w '%{http_code}"'`, []string{`.to_s + '"'`}},
		{"a number alone", "ruby-faraday ruby-httparty", "-w 'a%{http_code}'", []string{`"a#{`, "!to_s"}},
		// -N
		{"content as it comes", "python", "-N", []string{"stream=True"}},
		{"content as a whole", "python", "-s", []string{"!stream"}},
		// IEEE 754 keeps 15 digits.
		{"digits that a double keeps", "node", `--json '{"a":9007199254740992}'`, []string{"{ a: 9007199254740992 }"}},
		{"digits that no double keeps", "node", `--json '{"a":9007199254740993}'`, []string{`'{"a":9007199254740993}'`}},
		{"digits that every encoder keeps", "ruby", `--json '{"a":123456789012345}'`, []string{"a: 123456789012345"}},
		{"digits that not every encoder keeps", "ruby", `--json '{"a":1234567890123456}'`, []string{`'{"a":1234567890123456}'`}},
		// retryMaxTime
		{"the end of further tries", "node", "--retry 3 --retry-max-time 7", []string{"Date.now() + 7000;", "|| Date.now() > deadline) break;"}},
		{"the end of further tries", "node-got", "--retry 3 --retry-max-time 7", []string{"Date.now() + 7000;", "&& Date.now() < deadline ?"}},
		// ky throws for a status of 400 and more.
		{"what the client throws", "node-ky", "-f", []string{"!throwHttpErrors"}},
		{"what the client may not throw", "node-ky", "-i", []string{"throwHttpErrors: false"}},
		{"what the client may not throw", "node-ky", "--retry 1", []string{"throwHttpErrors: false"}},
		{"what the client may not throw", "node-ky", "--fail-with-body", []string{"throwHttpErrors: false", "response.status >= 400"}},
		{"what the client may not throw", "node-ky exact", "-s", []string{"throwHttpErrors: false"}},
		{"limits of time", "crystal", "-m 3", []string{"client.read_timeout = 3", "!connect_timeout"}},
		{"limits of time", "crystal", "--connect-timeout 2", []string{"client.connect_timeout = 2", "!read_timeout"}},
		{"limits of time", "crystal", "--connect-timeout 2 -m 3", []string{"client.connect_timeout = 2", "client.read_timeout = 3"}},
		{"no limits of time", "crystal", "-s", []string{"!timeout"}},
	} {
		names := strings.Fields(c.targets)
		o := code.Options{}
		if last := len(names) - 1; names[last] == "exact" {
			names, o.Style = names[:last], code.StyleExact
		}
		for _, name := range names {
			target, ok := code.Lookup(name)
			if !ok {
				t.Fatalf("no target %s", name)
			}
			program, _ := writeAs(t, target, "curl "+c.options+" http://h.test/", o)
			for _, want := range c.want {
				text, not := strings.CutPrefix(want, "!")
				if strings.Contains(program, text) == not {
					t.Errorf("%s: %s for %s: want %s in\n%s", c.what, name, c.options, want, program)
				}
			}
		}
	}
}

// TestRulesOfFields holds which fields a client cannot send, at both sides of each rule.
func TestRulesOfFields(t *testing.T) {
	for _, c := range []struct {
		target, options, want string
	}{
		{"perl", "-d x -H 'Content-Type: a/b' -H 'Content-Type: c/d'", "sends one Content-Type"},
		{"perl", "-d x -H 'Content-Type: a/b'", ""},
		{"java-rest-assured", "-H 'Accept: a/b' -H 'Accept: c/d'", "sends one Accept"},
		{"java-rest-assured", "-H 'Accept: a/b'", ""},
		{"go", `-H $'A: b\x7fc'`, "sends no control characters in a field"},
		{"go", `-H $'A: b\x1fc'`, "sends no control characters in a field"},
		{"go", `-H $'A: b~c'`, ""},
		{"go", `-H $'A: b c\td'`, ""},
		{"go", "-L -T f", "sends no upload again where it is redirected with 301 or 302"},
		{"perl", "-L -T f", "sends no upload again where it is redirected with 302"},
		{"go", "-T f", ""},
		{"go", "-L -d x", ""},
		{"go", "-L -X PUT -T f", ""},
		{"python", "-b a.txt -b b.txt", ""},
		{"python", "-c a.txt http://h.test/ --next -b a.txt", ""},
		{"python", "-b a.txt -b b.txt -c a.txt http://h.test/ --next -b a.txt", "cannot join the cookies of several files"},
		// curl names the URL before; what a client leaves out then is no loss of its own.
		{"php-guzzle", "-L -e http://r.test/", "leaves out Referer when it is redirected"},
		{"php-guzzle", "-L -e 'http://r.test/;auto'", ""},
		{"go", "-L -e 'http://r.test/;auto'", "does not name the URL before in Referer"},
		{"go", "-e 'http://r.test/;auto'", ""},
	} {
		target, _ := code.Lookup(c.target)
		_, diags := writeAs(t, target, "curl "+c.options+" http://h.test/", code.Options{})
		got := ""
		for i := range diags {
			if m := diags[i].Message; strings.Contains(m, "one ") || strings.Contains(m, "several") || strings.Contains(m, "upload") || strings.Contains(m, "control") || strings.Contains(m, "Referer") {
				got += m
			}
		}
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s for %s: %q, want %q", c.target, c.options, got, c.want)
		}
	}
}

// TestElementsAreText holds that an element of XML is no placeholder, and a name in angle
// brackets without an end is.
func TestElementsAreText(t *testing.T) {
	target, _ := code.Lookup("python")
	for value, want := range map[string]string{
		"<id>text</id>": `"<id>text</id>"`, "<id>text": `f"{os.environ['ID']}text"`, "<id>": `os.environ["ID"]`,
		"<a><b>c</b></a>": `"<a><b>c</b></a>"`, "<id></other>": `f"{os.environ['ID']}</other>"`,
	} {
		program, _ := writeAs(t, target, "curl -H 'A: "+value+"' http://h.test/", code.Options{Placeholders: code.PlaceholdersVariables})
		if !strings.Contains(program, want) {
			t.Errorf("%s: want %s in\n%s", value, want, program)
		}
	}
}

// TestNamesOfSegments holds how long a segment of a path is that names a function.
func TestNamesOfSegments(t *testing.T) {
	target, _ := code.Lookup("python")
	for length, want := range map[int]string{40: "def get_" + strings.Repeat("a", 40) + "(", 41: "def get_request("} {
		program, _ := writeAs(t, target, "curl http://h.test/"+strings.Repeat("a", length), code.Options{Function: "auto"})
		if !strings.Contains(program, want) {
			t.Errorf("%d letters: want %s in\n%s", length, want, program)
		}
	}
}

// TestNamesOfValues holds how long the name of a value is at most.
func TestNamesOfValues(t *testing.T) {
	target, _ := code.Lookup("python")
	for length, want := range map[int]bool{40: true, 41: false} {
		name := strings.Repeat("a", length)
		program, _ := writeAs(t, target, name+"=$(date +%s)\ncurl http://h.test/ -d $"+name, code.Options{})
		if strings.Contains(program, "\n"+name+" = ") != want {
			t.Errorf("%d letters:\n%s", length, program)
		}
	}
}

// TestFetchCache checks that an exact program keeps fetch from adding Cache-Control and
// Pragma to a condition, each of which it adds where the program gives none, and that the
// other one says so.
func TestFetchCache(t *testing.T) {
	target, _ := code.Lookup("javascript-fetch")
	for command, adds := range map[string]bool{
		"curl https://h.test/ -H 'If-None-Match: a'":                                 true,
		"curl https://h.test/ -H 'If-None-Match: a' -H 'Cache-Control: b'":           true,
		"curl https://h.test/ -H 'If-Range: a' -H 'Cache-Control: b' -H 'Pragma: c'": false,
		"curl https://h.test/ -H 'Accept: a'":                                        false,
	} {
		exact, _ := writeAs(t, target, command, code.Options{Style: code.StyleExact})
		idiomatic, diags := writeAs(t, target, command, code.Options{})
		if strings.Contains(exact, "force-cache") != adds || strings.Contains(idiomatic, "force-cache") || (len(diags) > 0) != adds {
			t.Errorf("%s: %v\n%s\n%s", command, diags, exact, idiomatic)
		}
	}
}

// TestContentOfErrors checks that a program of --fail-with-body does otherwise than one of -f,
// or says that it does not.
func TestContentOfErrors(t *testing.T) {
	for _, target := range code.Targets() {
		if target.Kind != "code" || target.Name == "playwright-test" { // which shows nothing
			continue
		}
		with, warnings := write(t, target, "curl --fail-with-body https://h.test/")
		if without, _ := write(t, target, "curl -f https://h.test/"); with == without && !strings.Contains(warnings, "--fail-with-body") {
			t.Errorf("%s prints nothing of an error:\n%s", target.Name, with)
		}
	}
}
