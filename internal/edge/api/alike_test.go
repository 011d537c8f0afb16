package api

import (
	"testing"

	"uncoil/internal/engine"
)

// Descriptions are alike that list the same names from the same places.
func TestAlike(t *testing.T) {
	parse := func(command string) *engine.Result {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	with := parse("curl 'http://h/?a=1' -H 'B: 2'")
	for command, want := range map[string]bool{
		"curl 'http://h/?a=2' -H 'B: 3'": true, "curl 'http://h/?c=1' -H 'B: 2'": false, "curl 'http://h/?a=1' -H 'C: 2'": false,
		"curl http://h/ -H 'B: 2'": false, "curl 'http://h/?a=1'": false, "curl 'http://h/?a=1' -H 'B: 2' http://i/": false,
	} {
		if alike(with, parse(command)) != want || alike(parse(command), with) != want {
			t.Errorf("%s: want %t", command, want)
		}
	}
	if alike(parse("curl h -A x"), parse("curl h")) {
		t.Error("a field of the command is alike to one of curl")
	}
}
