package code_test

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"uncoil/diag"
	"uncoil/internal/proof/codeproof"
	"uncoil/internal/proof/oracle"
)

var (
	randomCases = flag.Int("random.n", 300, "how many random commands to write programs for")
	randomSeed  = flag.Uint64("random.seed", 1, "seed of the random commands")
)

// meant are warnings of what is read as it was meant, and not as curl reads it, and of
// what depends on a file or a variable that is there when curl runs.
var meant = []diag.Code{diag.WarnPlaceholder, diag.WarnUnicodeDash, diag.WarnUnicodeQuote, diag.WarnPastedNoise, diag.WarnOtherCommand, diag.WarnInvalidDate, diag.WarnVariableDefault}

// TestRandom runs the programs of random commands, over the whole of curl's grammar:
//
//	go test ./code -run TestRandom -prove -prove.targets '^lua$' -random.n 1500
//
// It shows combinations that nobody thought of. Not each that it prints is a mistake: a
// file may be empty, and a recorder that is its own proxy is asked otherwise.
func TestRandom(t *testing.T) {
	if !*prove {
		t.Skip("-prove runs it")
	}
	p := newProver(t)
	p.sampled = func(string, string) bool { return true }
	version, err := oracle.CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	generator := oracle.NewGenerator(*randomSeed, version)
	var cases []codeproof.Case
	for i := range *randomCases {
		c := generator.Case()
		one := codeproof.Case{Name: fmt.Sprint("random/", i), Command: c.Command(), Setup: c.Setup}
		cases = append(cases, one)
		if one.Depends() {
			one.Name, one.Supplied = one.Name+" supplied", true
			cases = append(cases, one)
		}
	}
	p.benches(cases, p.proveCase)
	for _, r := range p.runtimes {
		t.Run(r.Name(), func(t *testing.T) {
			t.Logf("%d of %d commands could be led to the recorder", len(p.results[r.Name()]), len(cases))
			for _, one := range p.results[r.Name()] {
				told := func(d diag.Diagnostic) bool {
					return slices.Contains(meant, d.Code) || d.Code == diag.WarnCannotExpress || admits(d)
				}
				if one.refusal == "" && one.verdict >= codeproof.Wrong && !slices.ContainsFunc(one.told, told) {
					t.Errorf("%s: %s\n%v: %s\n%s", one.Name, one.Command, one.verdict, one.reason, one.program)
				}
			}
		})
	}
}
