package code

import (
	"slices"

	"uncoil/diag"
	"uncoil/request"
)

// Adds returns the names of the fields that the client adds by itself.
func (t *Target) Adds() []string { return slices.Clone(t.client.adds) }

// CanAll reports whether the client can do what curl can.
func (t *Target) CanAll() bool { return t.client.everything }

// Anyway writes the program that Append refuses to write.
func (t *Target) Anyway(requests []request.Request) ([]byte, diag.List) {
	return t.append(nil, requests, Options{}, true)
}
