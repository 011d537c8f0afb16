package revise_test

import (
	"slices"
	"testing"

	"uncoil/internal/engine/revise"
)

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		n, tries int
		bad      []int // changes that may not be made
		want     []int // that are
	}{
		{0, 1, nil, nil},
		{3, 1, nil, []int{0, 1, 2}},
		{1, 9, []int{0}, nil},
		{5, 99, []int{1, 4}, []int{0, 2, 3}},
		{8, 99, []int{0, 1, 2, 3, 4, 5, 6, 7}, nil},
		{8, 3, []int{7}, nil}, // not enough tries
		{8, 7, []int{7}, []int{0, 1, 2, 3, 4, 5, 6}},
	} {
		tried := 0
		chosen := revise.Choose(test.n, test.tries, func(chosen []bool) bool {
			tried++
			return !slices.ContainsFunc(test.bad, func(i int) bool { return chosen[i] })
		})
		var got []int
		for i, is := range chosen {
			if is {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, test.want) || tried > test.tries {
			t.Errorf("of %d without %v: %v in %d of %d tries", test.n, test.bad, got, tried, test.tries)
		}
	}
}
