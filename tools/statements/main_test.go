package main

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestStatements(t *testing.T) {
	for source, want := range map[string]int{
		"var table = []T{{1, 2}, {3, 4}}": 0,
		"func f() {}":                     0,
		"func f() { g(); if x := h(); x { return }; { g() } }":             5,
		"var f = func() { g() }":                                           1,
		"func f() { switch x { case 1: g(); default: }; for range y { } }": 5,
		"func f() { var x = []int{1, 2}\n_ = x }":                          2,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "f.go", "package p\n"+source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := statements(file); got != want {
			t.Errorf("%d statements of %s, want %d", got, source, want)
		}
	}
}

func TestRoomOf(t *testing.T) {
	for path, want := range map[string]string{
		"uncoil.go": ".", "extract/kind.go": "extract", "code/code.go": "code", "code/internal/plan/a.go": "code/internal/plan",
		"internal/engine/a.go": "internal/engine", "internal/engine/source/posix/a.go": "internal/engine/source",
	} {
		if got := roomOf(path); got != want {
			t.Errorf("%s is in %s, want %s", path, got, want)
		}
	}
}
