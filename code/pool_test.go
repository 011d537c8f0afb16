package code_test

import (
	"sync"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// TestAppendAtOnce holds that programs that are written at the same time, and
// one after the other, share no memory: each comes out as it does alone.
func TestAppendAtOnce(t *testing.T) {
	var results []*engine.Result
	for _, c := range commands(t) {
		r, err := engine.Parse(c, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	list := code.Targets()
	want := make([][]string, len(list))
	for i, target := range list {
		for _, r := range results {
			code.ForgetPrograms()
			text, _ := target.Compose(nil, r.Requests, exactly)
			want[i] = append(want[i], string(text))
		}
	}
	var wait sync.WaitGroup
	for i, target := range list {
		wait.Go(func() {
			for j := range results {
				text, _ := target.Compose(nil, results[len(results)-1-j].Requests, exactly)
				if got := string(text); got != want[i][len(results)-1-j] {
					t.Errorf("%s writes for command %d\n%s\nand alone\n%s", target.Name, len(results)-1-j, got, want[i][len(results)-1-j])
				}
			}
		})
	}
	wait.Wait()
}
