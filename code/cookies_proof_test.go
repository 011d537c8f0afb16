package code_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// shared are scripts whose later requests send the cookies of earlier responses. X stands
// for the address of a server, whose paths say what it sets. Exact ones tell what a client
// does with a jar by itself from what curl does.
var shared = []struct{ name, script string }{
	{"login", "curl -s -c jar.txt -d user=ann X/set/login\ncurl -s -b jar.txt X/read"},
	{"both", "curl -s -b jar.txt -c jar.txt X/set/login; curl -s -b jar.txt -c jar.txt -d a=1 X/set/more; curl -s -b jar.txt -c jar.txt X/read"},
	{"two jars", "curl -s -c a.txt X/set/login; curl -s -c b.txt X/set/more; curl -s -b a.txt X/read; curl -s -b b.txt X/read"},
	{"a request without", "curl -s -c jar.txt X/set/login; curl -s X/read; curl -s -b jar.txt X/read"},
	{"anew", "curl -s -c jar.txt X/set/login; curl -s -c jar.txt X/set/more; curl -s -b jar.txt X/read"},
	{"deleted", "curl -s -c jar.txt X/set/login; curl -s -b jar.txt -c jar.txt X/set/more; curl -s -b jar.txt -c jar.txt X/unset/more; curl -s -b jar.txt X/read"},
	{"replaced", "curl -s -c jar.txt X/set/login; curl -s -b jar.txt -c jar.txt X/set/again; curl -s -b jar.txt X/read"},
	{"path", "curl -s -c jar.txt X/app/set/path; curl -s -b jar.txt X/app/read; curl -s -b jar.txt X/other/read; curl -s -b jar.txt X/app/set/read"},
	{"time", "curl -s -c jar.txt X/set/time; curl -s -b jar.txt X/read"},
	{"domain", "curl -s -c jar.txt X/set/domain; curl -s -b jar.txt X/read"},
	{"odd values", "curl -s -c jar.txt X/set/odd; curl -s -b jar.txt X/read"},
	{"redirect", "curl -s -L -c jar.txt X/302/set/login; curl -s -L -b jar.txt X/302/read"},
	{"one command", "curl -s -b '' X/set/login X/read"},
	{"names", "curl -s -c './my \"jar\" ${X}.txt' X/set/login; curl -s -b 'my \"jar\" ${X}.txt' X/read"},
	{"variable", "curl -s -c \"$DIR/jar\" X/set/login; curl -s -b \"${DIR}/jar\" X/read"},
	{"other names", "curl -s -c a.txt X/set/login; curl -s -b a.txt -c b.txt X/set/more; curl -s -b b.txt X/read"},
	{"settings", "curl -s -c jar.txt -k -m 9 -L --max-redirs 3 X/set/login; curl -s -b jar.txt --retry 1 X/read; curl -s -b jar.txt -k --tlsv1.3 -X PATCH X/read"},
	{"from a file", "curl -s -b old.txt -c old.txt X/set/more; curl -s -b old.txt X/read"},
	{"to files", "curl -s -f -c jar.txt -o one.txt X/set/login; curl -s -N -b jar.txt -c jar.txt X/set/more; curl -s -b jar.txt -o two.txt X/read"},
	{"tried again", "curl -s --retry 1 --retry-delay 1 -c jar.txt -d a=1 X/503/set/login; curl -s --retry 1 --retry-delay 1 -b jar.txt X/503/read"},
	{"forgotten", "curl -s -c jar.txt X/set/login; curl -s -b jar.txt X/set/more; curl -s -b jar.txt X/read"},
}

// setCookies are the fields of responses, by the last segment of the path.
var setCookies = map[string][]string{
	"login":  {"sid=abc123; Path=/; HttpOnly", "theme=d4rk; Path=/"},
	"more":   {"more=1; Path=/"},
	"again":  {"sid=second; Path=/", "theme=light; Path=/app"},
	"path":   {"default=1", "app=2; Path=/app", "root=3; Path=/", "exact=4; Path=/app/read"},
	"time":   {"year=1; Max-Age=31536000; Path=/", "gone=1; Max-Age=0; Path=/", "past=1; Expires=Thu, 01 Jan 2015 00:00:00 GMT; Path=/", "later=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT; Path=/"},
	"domain": {"own=1; Domain=127.0.0.1; Path=/", "other=1; Domain=other.test; Path=/"},
	"odd":    {"b64=QUJD/+8==; Path=/", "json=%7B%22a%22%3A1%7D; Path=/", "empty=; Path=/", "dots=a.b-c_d~e|f; Path=/"},
}

// cookieServer sets cookies by the path of a request.
func cookieServer(r *oracle.Request) string {
	path, _, _ := strings.Cut(r.Target, "?")
	if rest, ok := strings.CutPrefix(path, "/302"); ok {
		return codeproof.Response(r, 302, "Location: "+rest+"\r\nSet-Cookie: hop=1; Path=/", "")
	}
	status := 200
	if strings.HasPrefix(path, "/503/") {
		status = 503
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	var fields []string
	for _, one := range setCookies[name] {
		if strings.Contains(path, "/unset/") {
			one, _, _ = strings.Cut(one, "=")
			one += "=; Path=/; Max-Age=0"
		}
		fields = append(fields, "Set-Cookie: "+one)
	}
	return codeproof.Response(r, status, strings.Join(fields, "\r\n"), "ok")
}

// cookiesOf returns the requests of a run with the cookies of each.
func cookiesOf(requests []oracle.Request) (list []string) {
	for i := range requests {
		r := &requests[i]
		var cookies []string
		for _, line := range r.Lines {
			if name, value, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Cookie") {
				for one := range strings.SplitSeq(value, ";") {
					cookies = append(cookies, strings.TrimSpace(one))
				}
			}
		}
		slices.Sort(cookies)
		list = append(list, r.Method+" "+r.Target+" "+strings.Join(cookies, "; "))
	}
	return list
}

// TestCookiesProof runs the programs whose requests share cookies beside bash and curl,
// before a server that sets some: they send the same.
func TestCookiesProof(t *testing.T) {
	parallel(t)
	setup := oracle.Setup{
		Env:   map[string]string{"DIR": "."},
		Files: map[string][]byte{"old.txt": []byte("# Netscape HTTP Cookie File\n\n127.0.0.1\tFALSE\t/\tFALSE\t0\told\tcookie\n")},
	}
	p := newScriptProof(t, cookieServer, setup, cookiesOf)
	p.each(func(k int, r *codeproof.Runtime, target code.Target) {
		if !hasJar(r.Target) {
			t.Run(r.Name(), func(t *testing.T) { t.Skip("the package that keeps its cookies is not installed") })
			return
		}
		for i, c := range shared {
			if testing.Short() && i != k%len(shared) || !*prove && i > 0 && (i+k)%8 > 0 || *proveCases != "" && !regexp.MustCompile(*proveCases).MatchString(c.name) {
				continue
			}
			for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
				if style == code.StyleExact && !*prove && (i > 1 || testing.Short()) {
					continue
				}
				p.run(t, scriptRun{target: target, runtime: r, name: c.name, script: c.script, style: style}, p.checkCookies)
			}
		}
	})
}

// otherJars are the cases in which a jar of a client, or its tries, have rules of their
// own; docs/targets.md says which. HTTPie tries nothing again, and Wget fails after its last
// try.
var otherJars = map[string][]string{
	"http":              {"domain", "forgotten"}, // its jar takes an address for a public suffix
	"httpie":            {"tried again"},
	"postman":           {"forgotten"},
	"perl":              {"deleted", "time"},
	"php-http-request2": {"odd values", "time"},
	"wget":              {"path", "tried again"},
}

// hasJar reports whether the package is there that keeps the cookies of a client which has
// no jar of its own.
func hasJar(target string) bool {
	var check string
	switch target {
	case "ruby":
		check = `ruby -e 'require "http/cookie"'`
	case "javascript-fetch", "node-got":
		check = `ls "$UNCOIL_NODE_MODULES/tough-cookie" "$UNCOIL_NODE_MODULES/got"`
	case "java-okhttp", "kotlin-okhttp":
		check = "ls /usr/share/java/okhttp-urlconnection.jar"
	default:
		return true
	}
	return exec.Command("bash", "-c", check).Run() == nil
}

func (p *scriptProof) checkCookies(t *testing.T, s scriptRun) {
	program, diags := s.program(t)
	if d := diags.Err(); d != nil {
		t.Skipf("refused: %s", d.Message)
	}
	run, err := p.Program(s.runtime, program, false, p.setup)
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for _, d := range diags {
		told = told || strings.Contains(d.Message, "cookie") || d.Option == "-c" || d.Option == "--cookie-jar" || d.Option == "--retry" && s.name == "tried again"
	}
	got := cookiesOf(run.Requests)
	same := slices.Equal(got, s.want) && run.Exit == 0
	if slices.Contains(otherJars[s.target.Name], s.name) {
		if same {
			t.Errorf("%s does in the case %s what curl does", s.target.Name, s.name)
		}
		return
	}
	if s.name == "forgotten" && s.style == code.StyleIdiomatic && !s.target.CanAll() {
		return // a client keeps what it is sent
	}
	if strings.Contains(run.Output, "'variable' is unknown") {
		t.Skip("the installed curl is older than 8.3, and knows no variables in its files")
	}
	if !same && !told {
		t.Errorf("exit %d, it sends\n%s\nwant\n%s\n%s\n%s", run.Exit, strings.Join(got, "\n"), strings.Join(s.want, "\n"), program, run.Output)
	}
	if !same && told {
		t.Logf("told: %v", diags)
	}
}
