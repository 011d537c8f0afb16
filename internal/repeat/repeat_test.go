package repeat

import (
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
		f := NewFilter(n + 1)
		for _, name := range names {
			f.Add(name)
		}
		twice := names[n/2]
		f.Add(strings.ToLower(twice))
		may := 0
		for _, name := range names {
			if f.MayRepeat(name) {
				may++
			}
		}
		if !f.MayRepeat(twice) || !f.MayRepeat(strings.ToUpper(twice)) {
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
	f := NewFilter(2)
	f.Add("\u212a") // whose lower case is k
	f.Add("k")
	if !f.MayRepeat("k") {
		t.Error("k is not found")
	}
}
