package code_test

import (
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
)

const loginAndRead = "curl -c jar.txt -d user=ann http://h.test/login\ncurl -b jar.txt http://h.test/me"

// sharesCookies are the targets whose programs send the cookies of an earlier response.
var sharesCookies = strings.Fields(`
	c cpp csharp go go-resty groovy java java-apache java-okhttp java-rest-assured java-restclient javascript-fetch k6 kotlin kotlin-ktor kotlin-okhttp kotlin-okhttp4 node-got node-ky node-ofetch node-superagent perl php php-guzzle php-http-request2
	php-laravel python-aiohttp python-httpx python-httpx-async python-pycurl python-requests python-urllib python-urllib3 r r-httr r-rcurl ruby scala github-actions http hurl postman
	typescript curl curl-batch curl-cmd curl-config curl-fish curl-powershell httpie wget`)

// compose returns the program of a target for a text.
func compose(t *testing.T, target code.Target, text string, style code.Style) (string, diag.List) {
	t.Helper()
	r, err := engine.Parse(text, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	program, diags := target.Compose(nil, r.Requests, code.Options{Style: style, Source: text})
	return string(program), diags
}

// TestSharedCookies asks every target for a program whose second request needs the cookies
// of the first: it is there, or the target says that it cannot write it.
func TestSharedCookies(t *testing.T) {
	for _, target := range code.Targets() {
		for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
			program, diags := compose(t, target, loginAndRead, style)
			d := diags.Err()
			switch can := slices.Contains(sharesCookies, target.Name); {
			case can != (d == nil):
				t.Errorf("%s: %v\n%s", target.Name, d, program)
			case d != nil && !strings.Contains(d.Message, "cookies") && !strings.Contains(d.Message, "one request"):
				t.Errorf("%s does not name cookies: %s", target.Name, d.Message)
			case d == nil && len(diags) > 0:
				t.Errorf("%s: %v", target.Name, diags)
			}
		}
	}
}

// TestJars checks which requests share a jar, and what becomes of their files.
func TestJars(t *testing.T) {
	python, _ := code.Lookup("python-requests")
	golang, _ := code.Lookup("go")
	perl, _ := code.Lookup("perl")
	php, _ := code.Lookup("php")
	for _, c := range []struct {
		name, text string
		target     code.Target
		has, lacks []string
		warns      string // "" for no warning
	}{
		{"two jars", "curl -c a h.test/1; curl -c b h.test/2; curl -b a h.test/3; curl -b b h.test/4", python,
			[]string{"session = requests.Session()", `session.get("http://h.test/1")`, `session2.get("http://h.test/2")`, `session.get("http://h.test/3")`, `session2.get("http://h.test/4")`}, []string{"MozillaCookieJar"}, ""},
		{"without", "curl -c a h.test/1; curl h.test/2; curl -b a h.test/3", python, []string{`= requests.get("http://h.test/2")`}, nil, ""},
		{"one name", "curl -c ./a h.test/1; curl -b a h.test/2", python, []string{`session.get("http://h.test/2")`}, nil, ""},
		{"variables", `curl -c "$D/a" h.test/1; curl -b "${D}/a" h.test/2`, python, []string{`session.get("http://h.test/2")`}, []string{"environ"}, ""},
		{"others", `curl -c "$D/a" h.test/1; curl -b "$E/a" h.test/2`, python, []string{`MozillaCookieJar(f"{os.environ['E']}/a")`}, []string{"session = requests"}, "Netscape"},
		{"a literal is no variable", `curl -c '$D' h.test/1; curl -b "$Dfile" h.test/2`, python, []string{"MozillaCookieJar("}, []string{"session = requests"}, "Netscape"},
		{"kept", "curl -b a -c a h.test/1; curl -b a -c a h.test/2", python, []string{`MozillaCookieJar("a")`, "session.cookies.save("}, nil, "Netscape"},
		{"kept elsewhere", "curl -b a -c a h.test/1; curl -b a -c a h.test/2", golang, []string{"cookiejar.New(nil)"}, nil, "reads no cookie files"},
		{"saved under another name", "curl -c a h.test/1; curl -b a -c b h.test/2", python, []string{`session.cookies.save("b", `}, []string{`"a"`}, ""},
		{"one command", "curl -b '' h.test/1 h.test/2", golang, []string{"cookiejar.New(nil)"}, nil, ""},
		{"junk", "curl -j -b a h.test/1", python, []string{"session.cookies.load()\n"}, []string{"ignore"}, "Netscape"},
		{"printed", "curl -c - h.test/1", python, nil, []string{"Jar"}, "prints no cookies"},
		{"printed of two", "curl -c - h.test/1 h.test/2", python, []string{"requests.Session()"}, []string{"Jar"}, "prints no cookies"},
		{"printed after a redirect", "curl -L -c - h.test/1", perl, []string{"HTTP::Cookies->new"}, []string{"Netscape"}, "prints no cookies"},
		{"printed by libcurl", "curl -c - h.test/1", php, []string{"CURLOPT_COOKIEJAR => '-'"}, nil, ""},
		{"a temporary file", `JAR=$(mktemp); curl -c "$JAR" h.test/1; curl -b "$JAR" h.test/2`, python, []string{"requests.Session()"}, []string{"JAR holds", "environ"}, ""},
		{"a temporary file that stays", `JAR=$(mktemp); curl -c "$JAR" h.test/1; curl h.test/2`, python, []string{"# JAR holds what a command prints", "environ"}, nil, "does not run the command"},
		{"a temporary file that is sent", `JAR=$(mktemp); curl -c "$JAR" h.test/1; curl -b "$JAR" -d "a=$JAR" h.test/2`, python, []string{"# JAR holds what a command prints", "environ"}, nil, "does not run the command"},
		{"null", "curl -c /dev/null h.test/1 h.test/2", golang, []string{"cookiejar.New(nil)"}, nil, ""},
	} {
		program, diags := compose(t, c.target, c.text, code.StyleIdiomatic)
		for _, s := range c.has {
			if !strings.Contains(program, s) {
				t.Errorf("%s lacks %s\n%s", c.name, s, program)
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(program, s) {
				t.Errorf("%s has %s\n%s", c.name, s, program)
			}
		}
		warned := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return c.warns == "" || strings.Contains(d.Message, c.warns) })
		if diags.Err() != nil || warned != (c.warns != "") {
			t.Errorf("%s: %v", c.name, diags)
		}
	}
}

// TestRefusedJars checks what no program can send.
func TestRefusedJars(t *testing.T) {
	python, _ := code.Lookup("python")
	golang, _ := code.Lookup("go")
	wget, _ := code.Lookup("wget")
	ruby, _ := code.Lookup("ruby")
	for _, c := range []struct {
		text, want string
		target     code.Target
	}{
		{"curl -c a h.test/1; curl -b a -H 'Cookie: x=1' h.test/2", "cannot join these cookies", golang},
		{"curl -c a h.test/1; curl -b a h.test/2; curl -c b h.test/3; curl -b a -b b h.test/4", "cannot join the cookies of several files", python},
		{"curl -c a h.test/1; curl -j -b a h.test/2", "cannot tell session cookies", python},
		{"curl -b x=1 -b a -c b h.test/1; curl -b b h.test/2", "cannot join these cookies", ruby},
		{"curl -j -b a h.test/1", "sends the session cookies of a file", wget},
		{"curl -b a h.test/1; curl -c a h.test/2", "does not read all cookie files", golang},
	} {
		if _, diags := compose(t, c.target, c.text, code.StyleIdiomatic); diags.Err() == nil || !strings.Contains(diags.Err().Message, c.want) {
			t.Errorf("%s: %v", c.text, diags)
		}
	}
	k6, _ := code.Lookup("k6")
	for _, text := range []string{"curl -c a h.test/1; curl h.test/2; curl -b a h.test/3", "curl -c a h.test/1; curl -c b h.test/2; curl -b a h.test/3; curl -b b h.test/4"} {
		if _, diags := compose(t, k6, text, code.StyleIdiomatic); diags.Err() == nil {
			t.Errorf("%s: k6 sends the cookies of a response with every request", text)
		}
	}
	const forgets = "curl -c a h.test/1; curl -b a h.test/2; curl -b a h.test/3"
	if _, diags := compose(t, python, forgets, code.StyleExact); len(diags) != 1 || !strings.Contains(diags[0].Message, "keeps the cookies that this response sets") {
		t.Errorf("%v", diags)
	}
}
