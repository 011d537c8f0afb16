package repeat

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"uncoil/internal/ascii"
)

// TestPairs holds that names which repeat are found in any case, and that few
// others are asked for.
func TestPairs(t *testing.T) {
	for _, n := range []int{1, 10, 1000, 100_000} {
		var all []string
		for i := range n {
			all = append(all, "X-Name-"+strconv.Itoa(i))
		}
		all = append(all, strings.ToLower(all[n/2]), strings.ToUpper(all[n/2]))
		var names Names
		for _, name := range all {
			names.Add(name)
		}
		asked := 0
		name := func(i int) string { asked++; return all[i] }
		var got [][2]int
		for i, j := range names.Pairs(true, name) {
			got = append(got, [2]int{i, j})
		}
		if want := [][2]int{{n / 2, n}, {n, n + 1}}; !slices.Equal(got, want) {
			t.Errorf("of %d, %v repeat, want %v", n, got, want)
		}
		if asked > 4+n/8 {
			t.Errorf("of %d names, %d are asked for", n, asked)
		}
		for i, j := range names.Pairs(false, name) {
			t.Errorf("of %d, %q and %q are the same", n, all[i], all[j])
		}
	}
}

// TestPairsFold holds that case is that of ASCII.
func TestPairsFold(t *testing.T) {
	all := []string{"\u212a", "k", "ſ", "S"} // k and s are the lower case of the others
	var names Names
	for _, name := range all {
		names.Add(name)
	}
	for i, j := range names.Pairs(true, func(i int) string { return all[i] }) {
		t.Errorf("%s and %s are the same", all[i], all[j])
	}
}

// TestGroup holds that few names and many are grouped as by comparing each
// with each.
func TestGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		names := make([]string, r.IntN(3*Few))
		for i := range names {
			names[i] = []string{"", "a", "A", "b", "Host", "host", "\u212a", "k", strconv.Itoa(r.IntN(50)), "X-" + strconv.Itoa(i)}[r.IntN(10)]
		}
		ok := func(i int) bool { return i%5 != 0 }
		for _, fold := range []bool{false, true} {
			want := make([]Member, len(names))
			for j := range names {
				for i := j - 1; i >= 0 && ok(j); i-- {
					if ok(i) && (names[i] == names[j] || fold && ascii.EqualFold(names[i], names[j])) {
						want[i].Next, want[j].Again = int32(j), true
						break
					}
				}
			}
			got := Group(nil, len(names), fold, func(i int) (string, bool) { return names[i], ok(i) })
			if !slices.Equal(got, want) {
				t.Fatalf("%q, fold %t: %v, want %v", names, fold, got, want)
			}
		}
	}
}
