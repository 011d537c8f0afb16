package repeat

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFilter holds that names which repeat are found in any case, and that few
// others are taken for such.
func TestFilter(t *testing.T) {
	for _, n := range []int{1, 10, 1000, 100_000} {
		var names []string
		for i := range n {
			names = append(names, "X-Name-"+strconv.Itoa(i))
		}
		f := newFilter(n + 1)
		for _, name := range names {
			f.add(name)
		}
		twice := names[n/2]
		f.add(strings.ToLower(twice))
		may := 0
		for _, name := range names {
			if f.mayRepeat(name) {
				may++
			}
		}
		if !f.mayRepeat(twice) || !f.mayRepeat(strings.ToUpper(twice)) {
			t.Errorf("of %d, %s is not found", n, twice)
		}
		if may > 1+n/8 {
			t.Errorf("of %d names, %d may repeat", n, may)
		}
	}
}

// TestFilterFolds holds that nothing is left out where lower case is more than
// that of ASCII.
func TestFilterFolds(t *testing.T) {
	f := newFilter(2)
	f.add("\u212a") // whose lower case is k
	f.add("k")
	if !f.mayRepeat("k") {
		t.Error("k is not found")
	}
}

// TestGroup holds that few names and many are grouped alike.
func TestGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		names := make([]string, r.IntN(Few))
		for i := range names {
			names[i] = []string{"", "a", "A", "b", "Host", "host", "\u212a", "k"}[r.IntN(8)]
		}
		name := func(i int) (string, bool) { return names[i], names[i] != "" }
		for _, fold := range []bool{false, true} {
			few, many := Group(nil, len(names), fold, name), groupMany(len(names), fold, name)
			if !slices.Equal(few, many) {
				t.Fatalf("%q, fold %t: %v, and in a map %v", names, fold, few, many)
			}
		}
	}
}
