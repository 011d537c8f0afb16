package main

import (
	"slices"
	"testing"
)

// TestMutantsOf holds what is drawn, and what is not because no test could see it.
func TestMutantsOf(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []string
	}{
		{"const most = 100", []string{"100 + 1", "100 - 1", "100 * 10"}},
		{"const most = 16 << 20", []string{"(16 << 20) + 1", "(16 << 20) - 1", "(16 << 20) * 10"}},
		{"const (\n\ta = iota\n\tb\n\tc = 'x'\n\td = 0x7f\n)", nil},
		{"// some memory\nconst reserved = 10", nil},
		{"const parseCost, elementSteps = 10, 20", nil},
		{"func f() { if a < b { return } }", []string{"<="}},
		{"func f() { if ok { return } }", []string{"!(ok)"}},
		{"func f() { if n > 3 { return } }", []string{">=", "3 + 1", "3 - 1"}},
		{"func f() bool { return a == b && c != nil }", []string{"||", "!=", "=="}},
		{"func f() { m.Work(n / 4 + 8); x := make([]int, 0, 7 > n) }", nil},
		{"func f() { if n > most { most = n }; slices.SortFunc(a, func(a, b int) bool { return a < b }) }", nil},
		{"func f() { if n > most { n = 0 } }", []string{">="}},
	} {
		source := []byte("package p\n" + c.source)
		all, err := mutantsOf("p.go", source)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range all {
			got = append(got, all[i].new)
			if changed := string(all[i].in(source)); changed == string(source) || len(changed) != len(source)-len(all[i].old)+len(all[i].new) {
				t.Errorf("%v gives\n%s", &all[i], changed)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.source, got, c.want)
		}
	}
}
