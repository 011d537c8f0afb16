// Clib is the engine as a library for C, and for whatever calls C: uncoil.h
// describes it. It is part of the main module because it needs no other, and built
// only where cgo is on, so that nothing else of the module needs a C compiler.
//
//	go build -buildmode=c-shared -o libuncoil.so ./clib
//	go build -buildmode=c-archive -o libuncoil.a ./clib
package main

import "C" // makes a library of the program

import _ "uncoil/internal/edge/clib"

func main() {}
