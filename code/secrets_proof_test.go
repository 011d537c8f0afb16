package code_test

import (
	"encoding/base64"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// planted is the secret of the credentials, long and strange enough to be found again.
const planted = "Zq7Xw9Lk2Vb4Nm6T"

// A credential is a way in which a command has the secret, which a variable holds: a
// traceback shows the lines of a program. Those that are guarded curl keeps from other hosts;
// most clients carry the others on, as docs/code.md says.
type credential struct {
	name, options string
	guarded       bool
}

var credentials = []credential{
	{"bearer", `-H "Authorization: Bearer $SECRET"`, true},
	{"user", `-u "ann:$SECRET"`, true},
	{"cookie", `-b "sid=$SECRET"`, true},
	{"key", `-H "X-Api-Key: $SECRET"`, false},
	{"json", `-H 'Content-Type: application/json' -d "{\"name\":\"ann\",\"password\":\"$SECRET\"}"`, false},
}

// An ending is what befalls a request: where it goes, and whether curl ends with a code that
// is not 0.
type ending struct {
	name, options, path string
	fails               bool
}

var endings = []ending{
	{"302", "", "/302-other/a", false},
	{"307", "", "/307-other/a", false},
	{"302 -L", "-L", "/302-other/a", false},
	{"307 -L", "-L", "/307-other/a", false},
	{"404", "", "/404/a", false},
	{"404 -f", "-f", "/404/a", true},
	{"404 --fail-with-body", "--fail-with-body", "/404/a", true},
	{"closed", "", "closed", true},
	{"slow", "-m 1", "/slow", true},
	{"certificate", "", "secure", true},
}

// sendsByCurl are the targets whose programs send with the installed curl, which may be too
// old to keep -b from other hosts.
var sendsByCurl = regexp.MustCompile("^(c|cpp|curl.*|php|php-guzzle|php-symfony|python-pycurl|r-rcurl)$")

// isFound reports whether a text has the secret, as it is or as Basic encodes it.
func isFound(text string) bool {
	return strings.Contains(text, planted) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte("ann:"+planted)))
}

// TestSecretsStay runs programs whose requests are redirected to another host or fail, and
// looks for the secret in what that host gets and in what the programs print.
func TestSecretsStay(t *testing.T) {
	parallel(t)
	p := newProver(t)
	var cases []codeproof.Case
	wanted := regexp.MustCompile(*proveCases)
	for _, c := range credentials {
		for _, e := range endings {
			if name := e.name + " with " + c.name; wanted.MatchString(name) {
				cases = append(cases, codeproof.Case{Name: name})
			}
		}
	}
	for i, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
		p.options = code.Options{Style: style}
		t.Run([]string{"idiomatic", "exact"}[i], func(t *testing.T) { p.secretsStay(t, cases) })
	}
}

// secretsStay runs the programs of one style, one in twenty unless told otherwise.
func (p *prover) secretsStay(t *testing.T, cases []codeproof.Case) {
	var mu sync.Mutex
	found, runs := make(map[string][]string), make(map[string]int)
	p.benches(cases, func(b *codeproof.Bench, one codeproof.Case) {
		b.Answer(slowly)
		for _, r := range p.runtimes {
			h := fnv.New32a()
			h.Write([]byte(r.Name() + one.Name))
			if !*prove && *proveCases == "" && h.Sum32()%20 != 0 {
				continue
			}
			told := p.secretsOf(b, r, one.Name)
			mu.Lock()
			found[r.Name()] = append(found[r.Name()], told...)
			runs[r.Name()]++
			mu.Unlock()
		}
	})
	for _, r := range p.runtimes {
		told := found[r.Name()]
		slices.Sort(told)
		t.Logf("| %s | %d | %d |", r.Target, runs[r.Name()], len(told))
		if len(told) > 0 {
			t.Errorf("%s:\n\t%s", r.Target, strings.Join(told, "\n\t"))
		}
	}
}

// slowly is [codeproof.Server], which takes its time for one path.
func slowly(r *oracle.Request) string {
	if r.Target == "/slow" {
		time.Sleep(3 * time.Second)
	}
	return codeproof.Server(r)
}

// secretsOf runs the program of a target for a credential and an ending, and returns what is
// wrong with it.
func (p *prover) secretsOf(b *codeproof.Bench, r *codeproof.Runtime, name string) (told []string) {
	how, what, _ := strings.Cut(name, " with ")
	c := credentials[slices.IndexFunc(credentials, func(c credential) bool { return c.name == what })]
	e := endings[slices.IndexFunc(endings, func(e ending) bool { return e.name == how })]
	switch {
	case r.Target == "wget" && e.path == "/slow" && p.options.Style == code.StyleIdiomatic:
		return nil // it tries twenty times
	case r.Target == "http" && e.path == "closed":
		return nil // httpYac itself prints the request that it could not send
	}
	url := "http://" + b.Host() + e.path
	switch e.path {
	case "closed":
		url = "http://127.0.0.1:1/"
	case "secure":
		url = "https://" + b.Host() + "/"
	}
	parsed, err := engine.Parse(strings.Join([]string{"curl", url, e.options, c.options}, " "), engine.Input{})
	if err != nil {
		p.Error(err)
		return nil
	}
	target, _ := code.Lookup(r.Target)
	program, diags := target.Compose(nil, parsed.Requests, p.options)
	if diags.Err() != nil {
		return nil
	}
	run, err := b.Program(r, program, false, oracle.Setup{Env: map[string]string{"SECRET": planted}})
	if err != nil {
		p.Error(err)
		return nil
	}
	say := func(what string) { told = append(told, name+" "+what) }
	if isFound(run.Output) {
		say("prints it")
	}
	for _, got := range run.Requests {
		other := strings.HasPrefix(strings.Join(got.Values("Host"), ""), "localhost")
		if other && c.guarded && isFound(got.Head) && !(c.name == "cookie" && sendsByCurl.MatchString(r.Target)) {
			say("carries it on")
		}
	}
	if r.Target == "python-locust" {
		return told // Locust counts what fails, and goes on
	}
	tells := target.Kind != code.KindFile && !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.WarnCannotExpress })
	switch {
	case run.Exit < 0:
		say("does not end")
	case e.fails && run.Exit == 0 && tells:
		say("ends with 0")
	}
	return told
}
