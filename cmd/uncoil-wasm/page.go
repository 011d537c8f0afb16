//go:build js && wasm && !uncoil_parse

package main

import (
	"unsafe"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/exports"
	"uncoil/internal/engine/edit"
)

//go:wasmexport show
func show(size, one int32, hide bool) unsafe.Pointer {
	return exports.Shown(api.Show(exports.Text(size), int(one), hide))
}

//go:wasmexport showCode
func showCode(size, one int32, hide bool) unsafe.Pointer {
	return exports.Shown(api.ShowCode(exports.Text(size), int(one), hide))
}

// The package edit has the name of its function.
//
//go:wasmexport edit
func edited(size, part, name, value, one, at int32, remove bool) unsafe.Pointer {
	all := exports.Text(size + part + name + value)
	cut := func(n int32) (first string) {
		first, all = all[:n], all[n:]
		return first
	}
	return exports.Shown(api.ShowEdit(cut(size), int(one), edit.Edit{
		Part: cut(part), Name: cut(name), Value: cut(value), At: int(at), Remove: remove,
	}))
}
