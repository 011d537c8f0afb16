package oracle

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	seedFlag  = flag.Uint64("oracle.seed", 1, "seed of the generated commands")
	casesFlag = flag.Int("oracle.n", 150, "how many commands to generate")
	showFlag  = flag.Int("oracle.show", -1, "print the generated commands that exit with this code")
)

func TestGeneratorRepeatsItself(t *testing.T) {
	version := Version{8, 22, 0}
	a, b := NewGenerator(7, version), NewGenerator(7, version)
	for range 200 {
		if x, y := a.Case(), b.Case(); !reflect.DeepEqual(x, y) {
			t.Fatalf("the same seed gave\n%v\nand\n%v", x, y)
		}
	}
}

func TestGeneratorHonoursVersion(t *testing.T) {
	g := NewGenerator(3, Version{7, 88, 1})
	for range 2000 {
		c := g.Case()
		for _, arg := range c.Args {
			for _, newer := range []string{"--variable", "--expand-", "--follow", "--out-null"} {
				// Commands that are wrong on purpose may name anything.
				if strings.HasPrefix(arg, newer) && arg != "--variable" && arg != "--expand-silent" {
					t.Fatalf("%s is newer than curl 7.88:\n%v", newer, c)
				}
			}
		}
	}
}

// TestGenerated runs generated commands and reports how curl takes them. It
// is a check of the generator: most commands must be good ones, and the bad
// ones bad in many ways.
func TestGenerated(t *testing.T) {
	Require(t)
	version, err := CurlVersion()
	if err != nil {
		t.Fatal(err)
	}
	g := NewGenerator(*seedFlag, version)
	cases := *casesFlag
	ways := 4 // that commands end, 0 among them
	if testing.Short() {
		cases, ways = cases/3, 3
	}
	exits, requests := map[int]int{}, 0
	var slowest time.Duration
	var slow Case
	for i := range cases {
		c := g.Case()
		start := time.Now()
		result, err := c.Run(context.Background())
		if took := time.Since(start); took > slowest {
			slowest, slow = took, c
		}
		if err != nil {
			t.Errorf("case %d: %v\n%v", i, err, c)
			continue
		}
		exits[result.Exit]++
		requests += len(result.Requests)
		if result.Exit == *showFlag {
			t.Logf("case %d: exit %d\n%v\n%s", i, result.Exit, c, result.Stderr)
		}
	}
	t.Logf("seed %d, curl %v: %d requests; exit codes:\n%s", *seedFlag, version, requests, table(exits))
	t.Logf("the slowest took %v:\n%v", slowest.Round(time.Millisecond), slow)
	if share := 100 * exits[0] / cases; share < 50 || share > 85 {
		t.Errorf("curl accepts %d %% of the commands", share)
	}
	if len(exits) < ways {
		t.Errorf("curl refuses commands in %d ways only", len(exits)-1)
	}
}

// table renders counts, the most frequent first.
func table(counts map[int]int) string {
	keys := slices.Collect(maps.Keys(counts))
	slices.SortFunc(keys, func(a, b int) int { return cmp.Or(counts[b]-counts[a], a-b) })
	var b strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&b, "%4d: %d\n", key, counts[key])
	}
	return b.String()
}
