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
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"uncoil/code"
	"uncoil/code/internal/plan"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/corpus"
	"uncoil/internal/proof/oracle"
	"uncoil/request"
)

var (
	prove        = flag.Bool("prove", false, "run the programs of all commands instead of a sample")
	proveTargets = flag.String("prove.targets", "", "a pattern of the targets to prove")
	proveEvery   = flag.Uint("prove.every", 1, "with -prove, run one in so many commands for each target")
	proveCases   = flag.String("prove.cases", "", "a pattern of the commands to prove")
)

// sampleEvery is the share of the commands that are run for each target, one in so
// many, unless all are. It is fixed, so that a new command changes no other's part.
const sampleEvery = 378

// soon are the targets whose programs run in some tenths of a second: three times the
// sample is run for these.
var soon = regexp.MustCompile("^(javascript-fetch|node-http|lua|perl|php|python-(http|requests|urllib)|ruby|wget)$")

// slow are the targets whose tools take seconds to start: a third of the sample is
// run for these.
var slow = regexp.MustCompile("^(ansible|bruno|http|postman)$")

// quick are the targets whose runtimes are soon installed.
var quick = regexp.MustCompile("^(ansible|browser-fetch|bruno|c|curl|curl-config|curl-fish|go|http|httpie|javascript-(fetch|jquery|xhr)|lua|node-http|perl|php|postman|python-(http|httpx|httpx-async|pycurl|requests|urllib|urllib3)|ruby|typescript|wget)$")

// proofCases returns the commands: those of the goldens, those of proof.txtar,
// and those of the corpus that can be led to a recorder; and the names of those that the
// installed curl is too old to judge, with the version from which they hold.
func proofCases(t testing.TB) (cases []codeproof.Case, unjudged []string) {
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
	setup := oracle.Setup{Files: files, Stdin: []byte("from\nstdin\n"), Env: map[string]string{"DIR": ".", "NOTE": "1.10 & é=/+", "ID": "007", "CRED": "ann:se:cret", "PHOTO": "./photo.jpg", "NAME": "photo"}}
	archive, err := txtar.ParseFile(filepath.Join("testdata", "proof.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(commandFiles(t), archive.Files...) {
		name, since, _ := strings.Cut(f.Name, " since ")
		if !judgedBy(t, since) {
			unjudged = append(unjudged, f.Name)
			continue
		}
		cases = append(cases, codeproof.Case{Name: name, Command: strings.TrimSuffix(string(f.Data), "\n"), Setup: setup})
	}
	for _, c := range corpus.Read(t, corpus.Commands) {
		// What a pipe or a redirection gives to curl, nobody gives to the program.
		if c.Shell != "" || c.Fields["oracle"] != "" || c.Clean != "" || strings.ContainsAny(c.Command, "|<") {
			continue
		}
		if since := c.Fields["since"]; !judgedBy(t, since) {
			unjudged = append(unjudged, "corpus/"+c.Name+" since "+since)
			continue
		}
		cases = append(cases, codeproof.Case{Name: "corpus/" + c.Name, Command: c.Command, Setup: oracle.Setup{Files: c.Files, Stdin: c.Stdin, Env: c.Env}})
	}
	for _, c := range cases {
		if c.Depends() {
			c.Name, c.Supplied = c.Name+" supplied", true
			cases = append(cases, c)
		}
	}
	return cases, unjudged
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
	options  code.Options
	form     string // by which the results are kept, if they are
	// write writes a program, if set, in place of Target.Append.
	write func(target *code.Target, requests []request.Request) ([]byte, diag.List)

	mu      sync.Mutex
	results map[string][]result // by the name of the runtime
}

// A result is what came of a program, or of one that was refused.
type result struct {
	codeproof.Case
	program string
	told    diag.List // of the command and of the program
	refusal string
	verdict codeproof.Verdict
	reason  string
	against []string // where what the program says of its differences is not what was seen
}

// admits reports whether a diagnostic says that the program sends another
// request than curl would. Others are about the exchange, or about a file that
// the program opens when it runs.
func admits(d diag.Diagnostic) bool {
	switch d.Code {
	case diag.WarnCannotExpress:
		return d.Hint == plan.Accepted || strings.HasSuffix(d.Message, "beside a condition") || slices.Contains([]string{"--aws-sigv4", "--digest", "--etag-compare", "--netrc", "--netrc-file", "--proxy-header", "--proxy-user"}, d.Option)
	case diag.WarnContentLength, diag.WarnPasswordPrompt, diag.WarnNotAHeader, diag.WarnStdinExhausted:
		return true
	}
	return false
}

// admitsOnce reports whether a diagnostic of a program for a case says that it does
// not try again, which shows only where the answer asks for that, or sends a field once.
func admitsOnce(c codeproof.Case, d diag.Diagnostic) bool {
	again := d.Option == "--retry" && strings.HasPrefix(c.Name, "retry-")
	return d.Code == diag.WarnCannotExpress && (again || strings.HasSuffix(d.Message, "sends a field of one value once") || strings.HasSuffix(d.Message, "sends no Content-Type without content") || strings.HasSuffix(d.Message, "saves nothing of an error"))
}

// admitsRedirect reports whether a diagnostic says that the program follows
// redirects otherwise, which shows only where there is one.
func admitsRedirect(d diag.Diagnostic) bool {
	return d.Code == diag.WarnCannotExpress && (strings.Contains(d.Message, "redirect") || strings.Contains(d.Message, "sends no cookies") || strings.Contains(d.Message, "sends the cookies") || strings.Contains(d.Message, "other hosts") || d.Option == "-L" || d.Option == "--max-redirs" || d.Option == "--location-trusted")
}

// falselyAdmits reports whether a diagnostic of a program that is right should
// not be there. Without the file nobody knows whether it matters. What is said of
// other hosts shows only where a redirect leads to one, and what is said of content
// that goes out again only where the status asks for that.
func falselyAdmits(c codeproof.Case, d diag.Diagnostic) bool {
	if strings.Contains(d.Message, "the content again") && !strings.Contains(c.Command, "/307") && !strings.Contains(c.Command, "/308") {
		return false
	}
	file := d.Option == "--netrc" || d.Option == "--netrc-file" || d.Option == "--etag-compare"
	follows := strings.HasPrefix(c.Name, "redirect-") && d.Option == "-L" || strings.HasPrefix(c.Name, "redirect-other-") && (d.Option == "--location-trusted" || strings.Contains(d.Message, "to every host"))
	accepted := d.Hint == plan.Accepted // which may be equivalent
	return d.Code == diag.WarnCannotExpress && (admits(d) && !accepted && (c.Supplied || !file) || follows)
}

// newProver returns one for the quick targets, or for all that are installed
// with -prove, the judges among them. UNCOIL_REQUIRE_RUNTIMES=1 makes each missing runtime
// a failure, but for judges: what could not be fetched is left out.
func newProver(t *testing.T) *prover {
	return proverOf(t, runtimesOf(func(r *codeproof.Runtime) bool { return !r.Judged && quick.MatchString(r.Target) })...)
}

// runtimesOf returns the runtimes that are wanted, or all of them with -prove.
func runtimesOf(wanted func(*codeproof.Runtime) bool) (list []*codeproof.Runtime) {
	for _, r := range codeproof.Runtimes() {
		if *prove || wanted(r) {
			list = append(list, r)
		}
	}
	return list
}

// proverOf returns one for those of the runtimes that are installed.
func proverOf(t *testing.T, runtimes ...*codeproof.Runtime) *prover {
	if testing.Short() {
		t.Skip("running programs takes a minute")
	}
	oracle.Require(t)
	p := &prover{T: t, results: make(map[string][]result), options: exactly}
	wanted := regexp.MustCompile(*proveTargets)
	for _, r := range runtimes {
		if !wanted.MatchString(r.Name()) {
			continue
		}
		if _, err := r.Installed(); err != nil {
			if os.Getenv("UNCOIL_REQUIRE_RUNTIMES") == "1" && !r.Judged {
				t.Errorf("%s cannot be proven: %v", r.Name(), err)
			}
			t.Run(r.Name(), func(t *testing.T) { t.Skipf("not proven: %v", err) })
			continue
		}
		p.runtimes = append(p.runtimes, r)
	}
	if len(p.runtimes) == 0 {
		t.Skip("no runtime is installed")
	}
	return p
}

// parallel lets a test run beside others that run programs, which mostly wait. With -prove
// they run one after the other, so that each table stands alone.
func parallel(t *testing.T) {
	if !*prove {
		t.Parallel()
	}
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
	c, parsed, ok := c.At(b.Host())
	if !ok {
		return
	}
	requests := parsed.Requests
	var curl *codeproof.Run
	for _, r := range p.runtimes {
		if !p.sampled(r.Name(), c.Name) {
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
		one := p.proveProgram(b, r, c, parsed, curl)
		if !r.Runs(one.program) || r.Target == "hurl" && unfilled(one.program, requests) {
			continue
		}
		p.mu.Lock()
		p.results[r.Name()] = append(p.results[r.Name()], one)
		p.mu.Unlock()
	}
}

// unfilled reports a file of Hurl with a variable that stands for a placeholder of documentation,
// which whoever runs the file gives a value.
func unfilled(file string, requests []request.Request) bool {
	for _, name := range regexp.MustCompile(`\{\{(\w+)\}\}`).FindAllStringSubmatch(file, -1) {
		if name[1] != "NAME" && !slices.ContainsFunc(requests, func(r request.Request) bool {
			return slices.ContainsFunc(r.Variables, func(v request.Variable) bool { return v.Name == name[1] })
		}) {
			return true
		}
	}
	return false
}

// negotiates reports whether a request authenticates only when it is asked to.
func negotiates(r request.Request) bool {
	return r.Auth != nil && (r.Auth.Scheme == "digest" || r.Auth.Scheme == "any")
}

// proveProgram runs the program of a target; what the target refuses to write
// is written and run all the same.
func (p *prover) proveProgram(b *codeproof.Bench, r *codeproof.Runtime, c codeproof.Case, parsed *engine.Result, curl *codeproof.Run) result {
	target, _ := code.Lookup(r.Target)
	requests := parsed.Requests
	write := p.write
	if write == nil {
		write = func(t *code.Target, requests []request.Request) ([]byte, diag.List) {
			return t.Compose(nil, requests, p.options)
		}
	}
	program, diags := write(&target, requests)
	var differs []code.Difference
	if p.write == nil && diags.Err() == nil {
		written, _ := target.WriteAll(nil, requests, p.options)
		differs = written.Differs
	}
	one := result{Case: c, told: slices.Concat(parsed.Warnings, diags)}
	if d := diags.Err(); d != nil {
		one.refusal = d.Message
		program, _ = target.Anyway(requests, p.options)
	}
	one.program = string(program)
	if !r.Runs(one.program) {
		return one
	}
	if !utf8.ValidString(one.program) {
		one.verdict, one.reason = codeproof.Fails, "the program is not UTF-8"
		return one
	}
	client := codeproof.Client{Adds: target.Adds(requests), After: target.After(), Unasked: target.Unasked(), Fails: target.Kind != code.KindFile, Code: one.program}
	// A busy machine can break a run. A program that is wrong is so twice.
	for range 2 {
		run, err := b.Program(r, program, p.options.Style == code.StyleExact, c.Setup)
		if err != nil {
			p.Error(err)
			return one
		}
		one.verdict, one.reason = client.Judge(requests, curl, &run)
		if one.refusal != "" || one.verdict < codeproof.Wrong {
			if seen, comparable := observe(requests, curl, &run); comparable && one.refusal == "" && p.write == nil {
				one.against = contradictions(r.Target, differs, seen, c.Depends() && !c.Supplied || slices.ContainsFunc(requests, func(r request.Request) bool { return len(r.Variables) > 0 }))
			}
			break
		}
	}
	return one
}

// TestProof runs programs in exact style, and compares what they send with what curl
// sends. A program that is written sends curl's request; one that is refused would not.
func TestProof(t *testing.T) {
	parallel(t)
	p := newProver(t)
	p.form = "exact"
	cases, unjudged := proofCases(t)
	for _, name := range unjudged {
		name, since, _ := strings.Cut(name, " since ")
		t.Run(name, func(t *testing.T) { t.Skipf("it holds from curl %s on", since) })
	}
	proveAll(t, p, cases)
}

// TestIdiomaticProof runs programs in idiomatic style: what they send is at least the
// same by meaning. Where curl shows a redirect, they follow it, and what clients read
// unasked, such as ~/.netrc, is theirs; so there is none of it.
func TestIdiomaticProof(t *testing.T) {
	parallel(t)
	p := newProver(t)
	p.form = "idiomatic"
	p.options = code.Options{}
	cases, _ := proofCases(t)
	proveAll(t, p, unredirected(cases))
}

// unredirected leaves out the cases whose redirects curl shows and programs in idiomatic
// style follow.
func unredirected(cases []codeproof.Case) []codeproof.Case {
	return slices.DeleteFunc(cases, func(c codeproof.Case) bool {
		return redirected.MatchString(c.Command) && !follows.MatchString(c.Command)
	})
}

var (
	redirected = regexp.MustCompile(`/30[12378](-|/|'|"|$)`)
	follows    = regexp.MustCompile(`(^| )(-[a-zA-Z]*L|--location|--follow)`)
)

// proveAll runs the programs of the sampled cases, and reports for each target.
func proveAll(t *testing.T, p *prover, cases []codeproof.Case) {
	wanted := regexp.MustCompile(*proveCases)
	cases = slices.DeleteFunc(cases, func(c codeproof.Case) bool { return !wanted.MatchString(c.Name) })
	p.sampled = func(target, name string) bool {
		h := fnv.New32a()
		h.Write([]byte(target + " " + name))
		every := uint32(sampleEvery)
		switch {
		case slow.MatchString(target):
			every *= 3
		case soon.MatchString(target):
			every /= 3
		}
		if *prove {
			every = uint32(*proveEvery)
		}
		return *proveCases != "" || h.Sum32()%every == 0
	}
	p.benches(cases, p.proveCase)
	p.reportAll(t)
}

// reportAll reports for each target, and prints the table.
func (p *prover) reportAll(t *testing.T) {
	table := "| target | client | version | n | identical | equivalent | refused | warned | wrong | does not run |\n|---|---|---|---|---|---|---|---|---|---|\n"
	for _, r := range p.runtimes {
		t.Run(r.Name(), func(t *testing.T) { table += p.report(t, r) })
	}
	fmt.Print(table)
}

// report reports the results of a target, and returns its row of the table. What
// is refused or warned of must be wrong, and nothing else may be.
func (p *prover) report(t *testing.T, r *codeproof.Runtime) (row string) {
	results := p.results[r.Name()]
	slices.SortFunc(results, func(a, b result) int { return cmp.Compare(a.Name, b.Name) })
	var count [4]int
	reasons, admitted := make(map[string]int), 0
	for _, one := range results {
		bad := one.verdict >= codeproof.Wrong
		if len(one.against) > 0 {
			t.Errorf("%s: %s\ndiffers: %s\n%s", one.Name, one.Command, strings.Join(one.against, "; "), one.program)
		}
		warned := slices.ContainsFunc(one.told, admits) || (strings.HasPrefix(one.Name, "redirect-") || one.Name == "status-fail-302" || strings.HasPrefix(one.Name, "cookies-")) && slices.ContainsFunc(one.told, admitsRedirect) ||
			slices.ContainsFunc(one.told, func(d diag.Diagnostic) bool { return admitsOnce(one.Case, d) })
		switch {
		case one.refusal != "" && !bad:
			t.Errorf("%s: %s\nis refused (%s), but %v\n%s", one.Name, one.Command, one.refusal, one.verdict, one.program)
			fallthrough
		case one.refusal != "":
			reasons[one.refusal]++
		case bad && warned:
			admitted++
		case bad:
			t.Errorf("%s: %s\n%v: %s\n%s", one.Name, one.Command, one.verdict, one.reason, one.program)
			count[one.verdict]++
		case one.verdict == codeproof.Identical && slices.ContainsFunc(one.told, func(d diag.Diagnostic) bool { return d.Hint == plan.Accepted }),
			slices.ContainsFunc(one.told, func(d diag.Diagnostic) bool { return falselyAdmits(one.Case, d) }):
			t.Errorf("%s: %s\nis warned of (%v), but %v\n%s", one.Name, one.Command, one.told, one.verdict, one.program)
			fallthrough
		default:
			count[one.verdict]++
		}
	}
	target, _ := code.Lookup(r.Target)
	version, _ := r.Installed()
	refused := 0
	for reason, c := range reasons {
		refused += c
		t.Logf("refused %d: %s", c, reason)
	}
	if *prove && *proveSave && *proveCases == "" && p.form != "" {
		keepRun(t, provenRun{r.Name(), version, p.form, "", [...]int{len(results), count[0], count[1], refused, admitted, count[2], count[3]}})
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d |\n", r.Name(), target.Client, version, len(results), count[0], count[1], refused, admitted, count[2], count[3])
}

// allBut samples every case for every target, but for slow ones without -prove: these cases
// show little that the others do not.
func allBut(names ...string) func(target, name string) bool {
	return func(target, name string) bool {
		return *prove || !slow.MatchString(target) || !slices.Contains(names, name)
	}
}

// TestAmbient runs the programs of all runtimes in a home whose settings would add
// credentials and fields, with credentials in the command and without.
func TestAmbient(t *testing.T) {
	parallel(t)
	p := newProver(t)
	p.sampled = allBut("content", "field", "basic", "redirect-none", "redirect-field", "redirect-other-1")
	var cases []codeproof.Case
	for name, command := range map[string]string{
		"none":             "curl http://h.test/a",
		"content":          "curl http://localhost/a -X PATCH --json '{}'",
		"challenge":        "curl http://h.test/401/a",
		"field":            "curl http://h.test/a -H 'Authorization: Bearer given'",
		"basic":            "curl http://h.test/a -u given:secret -d a=1",
		"bearer":           "curl http://h.test/a --oauth2-bearer given",
		"redirect-none":    "curl -L http://h.test/302/a",
		"redirect-field":   "curl -L http://h.test/302/a -H 'Authorization: Bearer given'",
		"redirect-other-1": "curl -L http://h.test/302-other/a -u given:secret",
		"redirect-other-2": "curl -L http://h.test/302-other/a -H 'Authorization: Bearer given'",
	} {
		cases = append(cases, codeproof.Case{Name: name, Command: command})
	}
	p.benches(cases, p.proveCase)
	p.reportAll(t)
}

// TestRedirects runs the programs of all runtimes with as many redirects as the command
// allows, with one more, and with those of a HEAD. The sample of TestProof has each of
// these for few targets.
func TestRedirects(t *testing.T) {
	parallel(t)
	p := newProver(t)
	p.sampled = allBut("redirect-all", "redirect-head-none")
	var cases []codeproof.Case
	for name, command := range map[string]string{
		"redirect-all":       "curl -L --max-redirs 2 http://h.test/302/302/a",
		"redirect-few":       "curl -L --max-redirs 1 http://h.test/302/302/a",
		"redirect-head":      "curl -L -I http://h.test/302/a",
		"redirect-head-none": "curl -I http://h.test/302/a",
	} {
		cases = append(cases, codeproof.Case{Name: name, Command: command})
	}
	p.benches(cases, p.proveCase)
	p.reportAll(t)
}
