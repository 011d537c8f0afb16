package render

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"uncoil/internal/engine/ascii"
)

// TestGroup checks that few names and many are grouped as by comparing each
// with each, in the case of ASCII letters and of no others.
func TestGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		names := make([]string, r.IntN(3*fewNames))
		for i := range names {
			names[i] = []string{"", "a", "A", "b", "Host", "host", "\u212a", "k", "\u017f", "s", strconv.Itoa(r.IntN(50)), "X-" + strconv.Itoa(i)}[r.IntN(12)]
		}
		ok := func(i int) bool { return i%5 != 0 }
		for _, fold := range []bool{false, true} {
			want := make([]member, len(names))
			for j := range names {
				for i := j - 1; i >= 0 && ok(j); i-- {
					if ok(i) && (names[i] == names[j] || fold && ascii.EqualFold(names[i], names[j])) {
						want[i].next, want[j].again = int32(j), true
						break
					}
				}
			}
			got := groupNames(nil, len(names), fold, func(i int) (string, bool) { return names[i], ok(i) })
			if !slices.Equal(got, want) {
				t.Fatalf("%q, fold %t: %v, want %v", names, fold, got, want)
			}
		}
	}
}
