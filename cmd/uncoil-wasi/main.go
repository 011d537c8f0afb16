//go:build wasip1

// Uncoil-wasi is the engine for hosts of WebAssembly with WASI, preview 1: a reactor,
// built with -buildmode=c-shared, whose functions package exports describes. The host
// calls _initialize before them. What it imports is the clock, random numbers and what
// the runtime of Go asks for as it starts; it opens no file.
package main

import (
	"uncoil/internal/edge/batch"
	"uncoil/internal/edge/exports"
)

func init() { exports.Limits = batch.Limits }

func main() {}
