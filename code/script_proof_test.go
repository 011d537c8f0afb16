package code_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// A scriptProof runs the programs for scripts of several requests beside bash and curl,
// before a server.
type scriptProof struct {
	*codeproof.Bench
	setup oracle.Setup
	same  func([]oracle.Request) []string // what of the requests must be the same

	commands map[string][]string // that of curl's, by the name of the script
}

// newScriptProof returns a proof before a server, and skips the test without curl.
func newScriptProof(t *testing.T, server func(*oracle.Request) string, setup oracle.Setup, same func([]oracle.Request) []string) *scriptProof {
	t.Helper()
	if _, err := oracle.Curl(); err != nil {
		t.Skip(err)
	}
	b, err := codeproof.NewBench(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	b.Answer(server)
	if setup.Env == nil {
		setup.Env = make(map[string]string)
	}
	setup.Env["CLASSPATH"] = os.Getenv("CLASSPATH")
	return &scriptProof{Bench: b, setup: setup, same: same, commands: make(map[string][]string)}
}

// each calls run for the runtimes that are installed: those of the flags with -prove, and
// else quick ones and Java; with -short every third of these.
func (p *scriptProof) each(run func(k int, r *codeproof.Runtime, target code.Target)) {
	for k, r := range codeproof.Runtimes() {
		if testing.Short() && k%3 > 0 {
			continue
		}
		target, ok := code.Lookup(r.Target)
		if !ok || !*prove && (r.Judged || !quick.MatchString(r.Target) && r.Target != "java") || *proveTargets != "" && !regexp.MustCompile(*proveTargets).MatchString(r.Target) {
			continue
		}
		if _, err := r.Installed(); err == nil {
			run(k, r, target)
		}
	}
}

// A scriptRun is the program for a script.
type scriptRun struct {
	target       code.Target
	runtime      *codeproof.Runtime
	name, script string
	style        code.Style
	runs         bool     // it runs the commands of substitutions
	want         []string // what of curl's requests must be the same
}

// run calls check in a test of its own for a script, in which X stands for the server.
func (p *scriptProof) run(t *testing.T, s scriptRun, check func(t *testing.T, s scriptRun)) {
	t.Helper()
	s.script = strings.ReplaceAll(s.script, "X/", "http://"+p.Host()+"/")
	t.Run(s.runtime.Name()+"/"+s.name+"/"+strconv.Itoa(int(s.style)), func(t *testing.T) {
		if p.commands[s.name] == nil {
			run, err := p.Curl(s.script, p.setup)
			if err != nil || len(run.Requests) == 0 {
				t.Fatal(err, run.Output)
			}
			p.commands[s.name] = p.same(run.Requests)
		}
		s.want = p.commands[s.name]
		check(t, s)
	})
}

// program returns the program for the script, and what is said of it.
func (s *scriptRun) program(t *testing.T) ([]byte, diag.List) {
	t.Helper()
	r, err := engine.Parse(s.script, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	return s.target.Compose(nil, r.Requests, code.Options{Style: s.style, Source: s.script, RunSubstitutions: s.runs})
}
