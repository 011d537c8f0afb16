package oracle

import (
	"slices"
	"strings"
	"testing"
)

func TestShrink(t *testing.T) {
	c := Case{
		Args: []string{"-s", "--header", "A: b", "-d", "first", "http://h.test/long/path", "-d", "x@y%41z", "--compressed"},
		Setup: Setup{
			Files: map[string][]byte{"f": []byte("some needle here"), "g": nil},
			Stdin: []byte("in"),
			Env:   map[string]string{"A": "b"},
		},
	}
	fails := func(c Case) bool {
		for i, arg := range c.Args {
			if arg == "-d" && i+1 < len(c.Args) && strings.Contains(c.Args[i+1], "%41") {
				return strings.Contains(string(c.Files["f"]), "needle")
			}
		}
		return false
	}
	got := Shrink(c, fails)
	if want := []string{"-d", "%41"}; !slices.Equal(got.Args, want) {
		t.Errorf("arguments %q, want %q", got.Args, want)
	}
	if len(got.Files) != 1 || string(got.Files["f"]) != "needle" || got.Stdin != nil || len(got.Env) != 0 {
		t.Errorf("setup is still %+v", got.Setup)
	}
	if len(c.Args) != 9 || len(c.Files) != 2 {
		t.Error("the case itself was changed")
	}
}

func TestShrinkEnds(t *testing.T) {
	tries := 0
	Shrink(Case{Args: []string{strings.Repeat("x", 1<<16)}}, func(Case) bool { tries++; return tries%2 == 0 })
	if tries > shrinkTries {
		t.Errorf("%d tries, want at most %d", tries, shrinkTries)
	}
}
