// Package throughc calls the functions of package clib as a program in C does: by the
// declarations of uncoil.h, with memory that is not Go's. It is a package of its own
// because files of tests cannot use cgo. Only tests import it.
package throughc

// #cgo CFLAGS: -I${SRCDIR}/../../../clib
// #include <stdlib.h>
// #include "uncoil.h"
import "C"

import (
	"unsafe"

	_ "uncoil/internal/edge/clib" // has the functions
)

// A Text is an argument. What Bytes does not say, Size and Null do.
type Text struct {
	Bytes []byte
	Size  uint64 // what the function is told, where it is more than the bytes have
	Null  bool
}

// Call calls a function and returns the status and the answer. It passes NULL for the
// status unless told to ask for it, and then returns 0.
func Call(function string, command, options Text, ask bool) (status int, answer string) {
	in, inSize := command.given()
	defer C.free(unsafe.Pointer(in))
	with, withSize := options.given()
	defer C.free(unsafe.Pointer(with))
	var code C.int
	place := &code
	if !ask {
		place = nil
	}
	var out *C.char
	switch function {
	case "convert":
		out = C.uncoil_convert(in, inSize, with, withSize, place)
	case "parse":
		out = C.uncoil_parse(in, inSize, with, withSize, place)
	case "code":
		out = C.uncoil_code(in, inSize, with, withSize, place)
	case "targets":
		out = C.uncoil_targets()
	}
	defer C.uncoil_free(out)
	return int(code), C.GoString(out)
}

// Free calls uncoil_free for NULL, which does nothing.
func Free() { C.uncoil_free(nil) }

// given returns the text in memory of C's, of exactly its size.
func (t Text) given() (*C.char, C.size_t) {
	if t.Null {
		return nil, C.size_t(t.Size)
	}
	return (*C.char)(C.CBytes(t.Bytes)), C.size_t(max(t.Size, uint64(len(t.Bytes))))
}
