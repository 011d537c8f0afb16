//go:build js && wasm

package main

import (
	"unsafe"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine/edit"
)

// The packages code and edit have the names of two functions.
//
//go:wasmexport code
func asCode(size int32) unsafe.Pointer {
	return answered(api.Limits{}.AnswerObject(text(size), api.AsCode))
}

//go:wasmexport targets
func targets() unsafe.Pointer { return shown(api.AppendTargets(nil)) }

//go:wasmexport showCode
func showCode(size, one int32, hide bool) unsafe.Pointer {
	return shown(api.ShowCode(text(size), int(one), hide))
}

//go:wasmexport edit
func edited(size, part, name, value, one, at int32, remove bool) unsafe.Pointer {
	all := text(size + part + name + value)
	cut := func(n int32) (first string) {
		first, all = all[:n], all[n:]
		return first
	}
	return shown(api.ShowEdit(cut(size), int(one), edit.Edit{
		Part: cut(part), Name: cut(name), Value: cut(value), At: int(at), Remove: remove,
	}))
}
