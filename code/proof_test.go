package code_test

import (
	"cmp"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"uncoil/code"
	"uncoil/internal/codeproof"
	"uncoil/internal/corpus"
	"uncoil/internal/oracle"
	"uncoil/request"
)

var (
	prove        = flag.Bool("prove", false, "run the programs of all commands instead of a sample")
	proveTargets = flag.String("prove.targets", "", "a pattern of the targets to prove")
	proveCases   = flag.String("prove.cases", "", "a pattern of the commands to prove")
)

// sampleSize is how many commands are run for each target unless all are.
const sampleSize = 12

// proofCases returns the commands: those of the goldens, those of proof.txtar,
// and those of the corpus that can be led to a recorder.
func proofCases(t testing.TB) []codeproof.Case {
	files := make(map[string][]byte)
	names, err := filepath.Glob(filepath.Join("testdata", "proof", "*"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	setup := oracle.Setup{Files: files, Stdin: []byte("from\nstdin\n"), Env: map[string]string{"DIR": "."}}
	archive, err := txtar.ParseFile(filepath.Join("testdata", "proof.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []codeproof.Case
	for _, f := range append(commandFiles(t), archive.Files...) {
		cases = append(cases, codeproof.Case{Name: f.Name, Command: strings.TrimSuffix(string(f.Data), "\n"), Setup: setup})
	}
	for _, c := range corpus.Read(t, corpus.Commands) {
		// What a pipe or a redirection gives to curl, nobody gives to the program.
		if c.Shell == "" && c.Fields["oracle"] == "" && c.Clean == "" && !strings.ContainsAny(c.Command, "|<") && judgedBy(t, c.Fields["since"]) {
			cases = append(cases, codeproof.Case{Name: "corpus/" + c.Name, Command: c.Command, Setup: oracle.Setup{Files: c.Files, Stdin: c.Stdin, Env: c.Env}})
		}
	}
	return cases
}

// judgedBy reports whether the curl under test does what holds since a version.
func judgedBy(t testing.TB, since string) bool {
	if since == "" {
		return true
	}
	from, err := oracle.ParseVersion(since)
	if err != nil {
		t.Fatal(err)
	}
	version, err := oracle.CurlVersion()
	return err == nil && version.Compare(from) >= 0
}

// A prover runs the programs of some targets for some commands.
type prover struct {
	*testing.T
	runtimes []*codeproof.Runtime
	sampled  func(target, name string) bool

	mu      sync.Mutex
	results map[string][]result // by target
}

// A result is what came of a program, or of one that was refused.
type result struct {
	codeproof.Case
	program, refusal string
	warned           bool
	verdict          codeproof.Verdict
	reason           string
}

// newProver skips the test where nothing can be run.
func newProver(t *testing.T) *prover {
	if testing.Short() || !*prove {
		t.Skip("running programs takes minutes")
	}
	oracle.Require(t)
	p := &prover{T: t, results: make(map[string][]result)}
	wanted := regexp.MustCompile(*proveTargets)
	for _, r := range codeproof.Runtimes() {
		if _, ok := code.Lookup(r.Target); !ok || !wanted.MatchString(r.Target) {
			continue
		}
		if _, err := r.Installed(); err != nil {
			t.Logf("%s is not proven: %v", r.Target, err)
			continue
		}
		p.runtimes = append(p.runtimes, r)
	}
	if len(p.runtimes) == 0 {
		t.Skip("no runtime is installed")
	}
	return p
}

// benches runs work on each case, two at a time.
func (p *prover) benches(cases []codeproof.Case, work func(b *codeproof.Bench, c codeproof.Case)) {
	queue := make(chan codeproof.Case)
	var wait sync.WaitGroup
	for range 2 {
		b, err := codeproof.NewBench(p.TempDir())
		if err != nil {
			p.Fatal(err)
		}
		wait.Go(func() {
			defer b.Close()
			for c := range queue {
				work(b, c)
			}
		})
	}
	for _, c := range cases {
		queue <- c
	}
	close(queue)
	wait.Wait()
}

// proveCase runs a command, and the program of each target for it.
func (p *prover) proveCase(b *codeproof.Bench, c codeproof.Case) {
	c, requests, ok := c.At(b.Host())
	if !ok {
		return
	}
	var curl *codeproof.Run
	for _, r := range p.runtimes {
		if !p.sampled(r.Target, c.Name) {
			continue
		}
		if curl == nil {
			b.Answer(nil)
			if slices.ContainsFunc(requests, negotiates) {
				b.Answer(codeproof.Challenge)
			}
			run, err := b.Curl(c.Command, c.Setup)
			if err != nil {
				p.Error(err)
				return
			}
			if len(run.Requests) < len(requests) {
				return // this curl reads the command otherwise, or refuses it
			}
			curl = &run
		}
		one := p.proveProgram(b, r, c, requests, curl)
		if !r.Runs(one.program) {
			continue
		}
		p.mu.Lock()
		p.results[r.Target] = append(p.results[r.Target], one)
		p.mu.Unlock()
	}
}

// negotiates reports whether a request authenticates only when it is asked to.
func negotiates(r request.Request) bool {
	return r.Auth != nil && (r.Auth.Scheme == "digest" || r.Auth.Scheme == "any")
}

// proveProgram runs the program of a target; what the target refuses to write
// is written and run all the same.
func (p *prover) proveProgram(b *codeproof.Bench, r *codeproof.Runtime, c codeproof.Case, requests []request.Request, curl *codeproof.Run) result {
	target, _ := code.Lookup(r.Target)
	program, diags := target.Append(nil, requests, code.Options{})
	one := result{Case: c, warned: len(diags) > 0}
	if d := diags.Err(); d != nil {
		one.refusal = d.Message
		program, _ = target.Anyway(requests)
	}
	one.program = string(program)
	if !r.Runs(one.program) {
		return one
	}
	run, err := b.Program(r, program, c.Setup)
	if err != nil {
		p.Error(err)
		return one
	}
	client := codeproof.Client{Adds: target.Adds(), Code: one.program}
	one.verdict, one.reason = client.Judge(requests, curl, &run)
	return one
}

// TestProof runs programs, and compares what they send with what curl sends. A
// program that is written sends curl's request; one that is refused would not.
func TestProof(t *testing.T) {
	p := newProver(t)
	cases, wanted := proofCases(t), regexp.MustCompile(*proveCases)
	cases = slices.DeleteFunc(cases, func(c codeproof.Case) bool { return !wanted.MatchString(c.Name) })
	share := uint32(max(1, len(cases)/sampleSize))
	p.sampled = func(target, name string) bool {
		h := fnv.New32a()
		h.Write([]byte(target + " " + name))
		return *prove || *proveCases != "" || h.Sum32()%share == 0
	}
	p.benches(cases, p.proveCase)
	fmt.Println("| target | client | version | n | identical | equivalent | refused | wrong | does not run |\n|---|---|---|---|---|---|---|---|---|")
	for _, r := range p.runtimes {
		t.Run(r.Target, func(t *testing.T) { p.report(t, r) })
	}
}

// report reports the results of a target, and prints its row of the table.
func (p *prover) report(t *testing.T, r *codeproof.Runtime) {
	results := p.results[r.Target]
	slices.SortFunc(results, func(a, b result) int { return cmp.Compare(a.Name, b.Name) })
	var count [4]int
	refused := make(map[string]int)
	for _, one := range results {
		bad := one.verdict >= codeproof.Wrong
		switch {
		case one.refusal != "" && !bad:
			t.Errorf("%s: %s\nis refused (%s), but %v\n%s", one.Name, one.Command, one.refusal, one.verdict, one.program)
			fallthrough
		case one.refusal != "":
			refused[one.refusal]++
			continue
		case bad:
			t.Errorf("%s: %s\n%v: %s\n%s", one.Name, one.Command, one.verdict, one.reason, one.program)
		}
		count[one.verdict]++
	}
	target, _ := code.Lookup(r.Target)
	version, _ := r.Installed()
	n, all := 0, len(results)
	for _, c := range refused {
		n += c
	}
	fmt.Printf("| %s | %s | %s | %d | %d | %d | %d | %d | %d |\n", r.Target, target.Client, version, all, count[0], count[1], n, count[2], count[3])
	for reason, c := range refused {
		t.Logf("refused %d: %s", c, reason)
	}
}
