//go:build js && wasm

// Uncoil-wasm is the engine for JavaScript. It exports functions, which
// web/page/functions.js calls and describes:
//
//	reserve(size)           makes room for a text of more than 64 KiB
//	convert(size), parse(size), show(size, one, hide)
//
// and, unless it is built without the targets:
//
//	code(size), targets(), showCode(size, one, hide),
//	edit(size, part, name, value, one, at, remove)
//
// A text goes through the memory of the program: the caller writes it to the
// place that reserve returns, and passes its size in bytes. The texts of edit
// follow each other. What all but reserve return is the place of three numbers:
// status, place and size of the answer, which stays there until the next call.
//
// Numbers and memory are all that goes in and out, because a call by package
// syscall/js takes several times as long as a short conversion.
package main

import (
	"runtime"
	"unsafe"

	"uncoil/internal/edge/api"
)

func main() {
	select {} // the functions answer until the program ends
}

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

// text returns the text that the caller wrote. A long one is not copied.
func text(size int32) string {
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

func answered(b []byte, status int) unsafe.Pointer {
	body = b
	answer = [3]uint32{uint32(status), uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))), uint32(len(b))}
	return unsafe.Pointer(&answer)
}

// shown answers with what has no status.
func shown(b []byte) unsafe.Pointer { return answered(b, 200) }

//go:wasmexport convert
func convert(size int32) unsafe.Pointer {
	return answered(api.Limits{}.AnswerObject(text(size), api.AsConvert))
}

//go:wasmexport parse
func parse(size int32) unsafe.Pointer {
	return answered(api.Limits{}.AnswerObject(text(size), api.AsParse))
}

//go:wasmexport show
func show(size, one int32, hide bool) unsafe.Pointer {
	return shown(api.Show(text(size), int(one), hide))
}
