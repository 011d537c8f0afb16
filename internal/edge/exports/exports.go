//go:build wasm

// Package exports has the functions that each build of the engine for WebAssembly
// exports, and how texts go in and answers out:
//
//	reserve(size)                         makes room for a text of more than 64 KiB
//	convert(size), parse(size), code(size)
//	diff(size), targets()
//
// With the tag uncoil_parse there are neither code, diff nor targets.
//
// A text goes through the memory of the program: the caller writes it to the
// place that reserve returns, and passes its size in bytes. It is a request object, of diff an
// object of two.
// What all but reserve return is the place of three numbers of 32 bits: status, place
// and size of the answer, which stays there until the next call.
//
// Numbers and memory are all that goes in and out, because a call by package
// syscall/js takes several times as long as a short conversion.
package exports

import (
	"runtime"
	"unsafe"

	"uncoil/internal/edge/api"
)

// Limits are those of all requests. A program sets them before its first call.
var Limits api.Limits

// The program has one thread, and each call ends before the next begins.
var (
	short  [64 << 10]byte // a text that fits in here takes no other memory
	long   []byte         // another, until it is read
	body   []byte         // the last answer, which is kept for its reader
	answer [3]uint32
)

//go:wasmexport reserve
func reserve(size int32) unsafe.Pointer {
	long = nil
	if int(size) <= len(short) {
		return unsafe.Pointer(&short)
	}
	body = nil
	long = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(long))
}

// Text returns the text that the caller wrote. A long one is not copied.
func Text(size int32) string {
	// The collector of garbage works between the calls of other goroutines, and
	// an exported function is not one: without this, memory grows without end.
	runtime.Gosched()
	body = nil
	written := long
	if long = nil; written != nil {
		return unsafe.String(unsafe.SliceData(written), size)
	}
	return string(short[:size])
}

// Shown answers with what has no status.
func Shown(b []byte) unsafe.Pointer { return answered(b, 200) }

func answered(b []byte, status int) unsafe.Pointer {
	body = b
	answer = [3]uint32{uint32(status), uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))), uint32(len(b))}
	return unsafe.Pointer(&answer)
}

//go:wasmexport convert
func convert(size int32) unsafe.Pointer {
	return answered(Limits.AnswerObject(Text(size), api.AsConvert))
}

//go:wasmexport parse
func parse(size int32) unsafe.Pointer {
	return answered(Limits.AnswerObject(Text(size), api.AsParse))
}
