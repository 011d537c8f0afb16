//go:build js && wasm

// Uncoil-wasm is the engine for JavaScript. The program that starts it sets
// the global function uncoilReady, which is called at once with an object of
// these functions:
//
//	convert(request), parse(request), code(request)  → [status, body]
//	targets()                                        → body
//	show(request, hide), showCode(request, one, hide) → body
//
// A request is a string, the JSON object that POST /api/convert takes, or for
// convert and parse a Uint8Array, a command that stands alone. Status and body
// are those of the service; show and showCode return what their namesakes of
// package api return. The functions answer until the program ends, which it does not by itself.
package main

import (
	"syscall/js"

	"uncoil/internal/api"
)

func main() {
	js.Global().Call("uncoilReady", map[string]any{
		"convert": answer(api.AsConvert),
		"parse":   answer(api.AsParse),
		"code":    answer(api.AsCode),
		"targets": js.FuncOf(func(js.Value, []js.Value) any { return string(api.AppendTargets(nil)) }),
		"show": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(api.Show(args[0].String(), args[1].Truthy()))
		}),
		"showCode": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(api.ShowCode(args[0].String(), args[1].Int(), args[2].Truthy()))
		}),
	})
	select {}
}

func answer(as api.As) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		request := args[0]
		if request.Type() == js.TypeString {
			body, status := api.AnswerObject(request.String(), as)
			return []any{status, string(body)}
		}
		command := make([]byte, request.Length())
		js.CopyBytesToGo(command, request)
		body, status := api.AnswerText(string(command), as)
		return []any{status, string(body)}
	})
}
