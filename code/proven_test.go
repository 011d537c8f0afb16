package code_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"uncoil/code"
)

var proveSave = flag.Bool("prove.save", false, "with -prove, keep the results in testdata/proven.tsv")

// A provenRun is the result of a run of the programs of a target, a line of
// testdata/proven.tsv.
type provenRun struct {
	target string // and the client, where it is one of several: the name of the runtime
	client string // its version
	form   string // "exact" or "idiomatic"
	date   string
	counts [7]int // commands, exact, equivalent, refused, warned, wrong, does not run
}

func (r provenRun) key() string { return r.target + "\t" + r.form }

// provenPath is where the last result of each target is kept.
var provenPath = filepath.Join("testdata", "proven.tsv")

const provenHead = "target\tclient\tform\tdate\tcommands\texact\tequivalent\trefused\twarned\twrong\tdoes not run\n"

// provenRuns returns the last results.
func provenRuns(t *testing.T) (runs []provenRun) {
	t.Helper()
	text, err := os.ReadFile(provenPath)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), provenHead)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 11 {
			t.Fatalf("%s: %q", provenPath, line)
		}
		r := provenRun{target: cells[0], client: cells[1], form: cells[2], date: cells[3]}
		for i := range r.counts {
			if r.counts[i], err = strconv.Atoi(cells[4+i]); err != nil {
				t.Fatal(err)
			}
		}
		runs = append(runs, r)
	}
	return runs
}

// keepRun replaces the last result of a target by that of today.
func keepRun(t *testing.T, r provenRun) {
	t.Helper()
	r.date = time.Now().UTC().Format(time.DateOnly)
	runs := append(slices.DeleteFunc(provenRuns(t), func(old provenRun) bool { return old.key() == r.key() }), r)
	slices.SortFunc(runs, func(a, b provenRun) int { return strings.Compare(a.key(), b.key()) })
	text := provenHead
	for _, r := range runs {
		cells := []string{r.target, r.client, r.form, r.date}
		for _, n := range r.counts {
			cells = append(cells, strconv.Itoa(n))
		}
		text += strings.Join(cells, "\t") + "\n"
	}
	save(t, provenPath, text)
}

// The table of docs/proof.md that is made of the results begins and ends with these lines.
const (
	provenFrom = "<!-- made of code/testdata/proven.tsv: go test ./code -run TestRunsDocumented -update -->\n"
	provenTo   = "<!-- end of what is made -->\n"
)

// TestRunsDocumented holds that the table of docs/proof.md is that of the last results, that
// these have nothing wrong, and that a target in them is said to be run.
func TestRunsDocumented(t *testing.T) {
	table := "\n| target | version | style | date | commands | exact | equivalent | refused | warned | wrong |\n|---|---|---|---|---|---|---|---|---|---|\n"
	for _, r := range provenRuns(t) {
		name, _, _ := strings.Cut(r.target, "@")
		if target, ok := code.Lookup(name); !ok || target.Proof != "run" {
			t.Errorf("%s was run, and is said to be %q", name, target.Proof)
		}
		c := r.counts
		if c[5]+c[6] > 0 || c[0] != c[1]+c[2]+c[3]+c[4] {
			t.Errorf("%s has wrong programs: %v", r.key(), c)
		}
		cells := []string{strings.Replace(r.target, "@", ", ", 1), r.client, r.form, r.date}
		for _, n := range []int{c[0], c[1], c[2], c[3], c[4], c[5] + c[6]} {
			cells = append(cells, strconv.Itoa(n))
		}
		table += "| " + strings.Join(cells, " | ") + " |\n"
	}
	text := page(t, "proof")
	before, rest, ok := strings.Cut(text, provenFrom)
	there, after, ended := strings.Cut(rest, provenTo)
	if !ok || !ended {
		t.Fatal("docs/proof.md has no place for the results")
	}
	if table += "\n"; there != table {
		if !*update {
			t.Fatalf("docs/proof.md has not the last results; rewrite it with -update:\n%s", table)
		}
		save(t, filepath.Join("..", "docs", "proof.md"), before+provenFrom+table+provenTo+after)
	}
}
