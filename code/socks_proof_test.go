package code_test

import (
	"regexp"
	"slices"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

// throughSOCKS are the runtimes whose programs are asked to go through a proxy for SOCKS, and
// that are soon installed or judges.
var throughSOCKS = regexp.MustCompile(`^(c|curl|php|python-pycurl|python-(httpx|httpx-async|requests)@.*)$`)

// TestSOCKS runs programs that leave the name of the host to a proxy for SOCKS: the oldest
// httpx has no socks5h.
func TestSOCKS(t *testing.T) {
	p := proverOf(t, runtimesOf(func(r *codeproof.Runtime) bool { return throughSOCKS.MatchString(r.Name()) })...)
	b, err := codeproof.NewBench(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, scheme := range []string{"socks5h", "SOCKS5H"} {
		command := "curl -x " + scheme + "://a:b@" + b.Host() + " http://h.test/a"
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		curl, err := b.Curl(command, oracle.Setup{})
		if err != nil || len(curl.Requests) != 1 {
			t.Fatal(err, curl)
		}
		for _, runtime := range p.runtimes {
			if !throughSOCKS.MatchString(runtime.Name()) {
				continue
			}
			t.Run(scheme+"/"+runtime.Name(), func(t *testing.T) {
				target, _ := code.Lookup(runtime.Target)
				program, diags := target.Compose(nil, r.Requests, exactly)
				if diags.Err() != nil {
					t.Skip(diags.Err())
				}
				run, err := b.Program(runtime, program, true, oracle.Setup{})
				if err != nil || len(run.Requests) != 1 || !slices.Equal(run.Requests[0].Via, curl.Requests[0].Via) {
					t.Errorf("%v: %v, want by %q\n%s\n%s", err, run.Requests, curl.Requests[0].Via, program, run.Output)
				}
			})
		}
	}
}
