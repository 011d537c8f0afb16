//go:build js && wasm && !nocode

package main

import (
	"syscall/js"

	"uncoil/internal/api"
	"uncoil/internal/edit"
)

// addCode adds the functions that need the targets.
func addCode(functions map[string]any) {
	functions["code"] = answer(api.AsCode)
	functions["targets"] = js.FuncOf(func(js.Value, []js.Value) any { return string(api.AppendTargets(nil)) })
	functions["showCode"] = js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(api.ShowCode(args[0].String(), args[1].Int(), args[2].Truthy()))
	})
	functions["edit"] = js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(api.ShowEdit(args[0].String(), args[1].Int(), edit.Edit{
			Part: args[2].String(), At: args[3].Int(), Name: args[4].String(), Value: args[5].String(), Remove: args[6].Truthy(),
		}))
	})
}
