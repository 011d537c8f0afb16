package oracle

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"uncoil/internal/engine"
)

var (
	// The seed is fixed by default, so that a change is judged by itself.
	differentialSeed  = flag.Uint64("differential.seed", 1, "seed of the random commands; 0 picks one")
	differentialCases = flag.Int("differential.n", 2000, "how many random commands to compare with curl")
	differentialShell = flag.String("differential.shell", "posix", "how uncoil reads the commands: posix or auto")
	differentialShow  = flag.Int("differential.show", 10, "how many mismatches to shrink and print")
)

// TestDifferential holds uncoil against curl for random commands: the same
// requests byte for byte, and the same refusals.
func TestDifferential(t *testing.T) {
	Require(t)
	version, err := CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	seed := *differentialSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	n := *differentialCases
	if testing.Short() {
		n /= 20 // too few for leastCompared
	}
	t.Logf("go test ./internal/proof/oracle -run Differential -differential.seed %d -differential.n %d (curl %v)", seed, n, version)
	generator := NewGenerator(seed, version)
	cases := make(chan Case)
	var mu sync.Mutex
	var mismatches []mismatch
	skips := make(map[string]int)
	compared, refused := 0, 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for c := range cases {
				c.Shell = *differentialShell
				difference, skipped := differs(c, version)
				_, err := engine.Parse(c.Command(), c.Input())
				mu.Lock()
				switch {
				case skipped != "":
				case err != nil:
					refused++
				default:
					compared++
				}
				if difference != "" {
					mismatches = append(mismatches, mismatch{c, difference})
				}
				if skipped != "" {
					skips[skipped]++
				}
				mu.Unlock()
			}
		})
	}
	for range n {
		cases <- generator.Case()
	}
	close(cases)
	wg.Wait()
	t.Logf("of %d commands, the requests of %d were compared, and %d are refused by both", n, compared, refused)
	for reason, count := range skips {
		t.Run("not compared", func(t *testing.T) { t.Skipf("%d of %d commands: %s (curl is %v)", count, n, reason, version) })
	}
	if compared*100 < n*leastCompared && n >= 1000 {
		t.Errorf("only %d of %d commands were compared", compared, n)
	}
	report(t, mismatches, version)
}

// A mismatch is a case that curl and uncoil differ about.
type mismatch struct {
	Case
	difference string
}

// report shrinks the first mismatches and prints them.
func report(t *testing.T, mismatches []mismatch, version Version) {
	t.Helper()
	t.Logf("%d mismatches", len(mismatches))
	for i, m := range mismatches {
		if i == *differentialShow {
			t.Fatalf("and %d more", len(mismatches)-i)
		}
		small, difference := shrunk(m.Case, m.difference, version)
		t.Errorf("%v\n%s", small, difference)
	}
}

// leastCompared is how many of a hundred random commands must be compared. Many
// cannot be where the installed curl is older than the one that is modelled.
const leastCompared = 15

// shrinkTime bounds how long one mismatch is shrunk.
const shrinkTime = 5 * time.Second

// shrunk returns a smaller case that curl and uncoil differ about, and how.
func shrunk(c Case, difference string, version Version) (Case, string) {
	end := time.Now().Add(shrinkTime)
	small := Shrink(c, func(c Case) bool {
		if time.Now().After(end) {
			return false
		}
		d, _ := differs(c, version)
		if d != "" {
			difference = d
		}
		return d != ""
	})
	return small, difference
}

// differs runs a case by curl and compares.
func differs(c Case, version Version) (difference, skipped string) {
	got, err := c.Run(context.Background())
	if err != nil {
		return "", "curl did not end"
	}
	return compare(c.Command(), c.Setup, got, version)
}
