//go:build js && wasm

// Uncoil-wasm is the engine for JavaScript. Beside the functions of package exports it
// has those of the page, which web/page/functions.js calls and describes:
//
//	show(size, one, hide), showCode(size, one, hide),
//	edit(size, part, name, value, one, at, remove)
//
// The texts of edit follow each other. With the tag uncoil_parse it has neither these
// nor programs.
package main

import _ "uncoil/internal/edge/exports" // the functions

func main() {
	select {} // the functions answer until the program ends
}
