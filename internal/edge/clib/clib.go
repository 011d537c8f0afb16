// Package clib exports the engine to C: clib/uncoil.h declares and describes its
// functions, and the program clib makes a library of them.
//
// It stands apart from that program so that tests can call the functions as C does.
package clib

// #include <stdlib.h>
import "C"

import (
	"unsafe"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/batch"
)

//export uncoil_convert
func uncoil_convert(command unsafe.Pointer, commandSize C.size_t, options unsafe.Pointer, optionsSize C.size_t, status *C.int) *C.char {
	return answer(api.AsConvert, text{"command", command, commandSize}, text{"options", options, optionsSize}, status)
}

//export uncoil_parse
func uncoil_parse(command unsafe.Pointer, commandSize C.size_t, options unsafe.Pointer, optionsSize C.size_t, status *C.int) *C.char {
	return answer(api.AsParse, text{"command", command, commandSize}, text{"options", options, optionsSize}, status)
}

//export uncoil_code
func uncoil_code(command unsafe.Pointer, commandSize C.size_t, options unsafe.Pointer, optionsSize C.size_t, status *C.int) *C.char {
	return answer(api.AsCode, text{"command", command, commandSize}, text{"options", options, optionsSize}, status)
}

//export uncoil_targets
func uncoil_targets() *C.char { return given(api.AppendTargets(nil)) }

//export uncoil_free
func uncoil_free(answer *C.char) { C.free(unsafe.Pointer(answer)) }

// answer answers a command. The status may be NULL.
func answer(as api.As, command, options text, status *C.int) *C.char {
	body, code := answerText(as, command, options)
	if status != nil {
		*status = C.int(code)
	}
	return given(body)
}

func answerText(as api.As, command, options text) (body []byte, status int) {
	for _, t := range []text{command, options} {
		if problem := t.check(); problem != nil {
			return problem.Append(nil), api.Status(problem.Code)
		}
	}
	return batch.Limits.AnswerCommand(command.copied(), options.copied(), as)
}

// A text is an argument: bytes of the caller, which need no NUL at their end.
type text struct {
	name  string
	start unsafe.Pointer
	size  C.size_t
}

// check refuses what cannot be read, before it is read. A size is more than any text
// has where a caller passes -1, or the difference of two pointers the wrong way round.
func (t text) check() *api.Problem {
	switch {
	case uint64(t.size) > uint64(batch.Limits.Line):
		return api.TooLong(t.name, batch.Limits.Line, "pass the size in bytes, as strlen counts it")
	case t.start == nil && t.size > 0:
		return &api.Problem{Code: api.CodeBadRequest, Detail: "The place of the " + t.name + " is NULL, and the size is not 0.", Hint: "pass 0 with NULL"}
	}
	return nil
}

// copied returns the text as one of Go's, which the caller cannot change meanwhile.
func (t text) copied() string { return string(unsafe.Slice((*byte)(t.start), t.size)) }

// given copies an answer into memory that uncoil_free frees, with a NUL at its end.
func given(body []byte) *C.char { return (*C.char)(C.CBytes(append(body, 0))) }
