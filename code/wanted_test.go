package code_test

import (
	"testing"

	"uncoil/code"
)

// TestReasons holds that a target that is not run says why, and that the ranks of the fifteen most
// wanted are of different targets.
func TestReasons(t *testing.T) {
	ranks := make(map[int]string)
	for _, target := range code.Targets() {
		if (target.Proof == "run") != (target.Reason == "") {
			t.Errorf("%s is %s, and its reason is %q", target.Name, target.Proof, target.Reason)
		}
		if other := ranks[target.Rank]; target.Rank > 0 && other != "" {
			t.Errorf("%s and %s have the rank %d", other, target.Name, target.Rank)
		}
		ranks[target.Rank] = target.Name
	}
	for rank := 1; rank <= 15; rank++ {
		if ranks[rank] == "" {
			t.Errorf("no target has the rank %d", rank)
		}
	}
}
