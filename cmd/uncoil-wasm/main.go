//go:build js && wasm

// Uncoil-wasm is the engine for JavaScript. Beside the functions of package exports it
// has those of the page, which web/page/functions.js calls and describes:
//
//	show(size, one, hide), showCode(size, one, hide),
//	edit(size, part, name, value, one, at, remove)
//
// The texts of edit follow each other.
package main

import (
	"unsafe"

	"uncoil/internal/edge/api"
	"uncoil/internal/edge/exports"
	"uncoil/internal/engine/edit"
)

func main() {
	select {} // the functions answer until the program ends
}

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
