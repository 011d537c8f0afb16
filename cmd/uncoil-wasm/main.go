//go:build js && wasm

// Uncoil-wasm is the engine for JavaScript. The program that starts it sets
// the global function uncoilReady, which is called at once with an object of
// these functions:
//
//	convert(request), parse(request)                  → [status, body]
//	show(request, hide)                               → body
//
// and, unless it is built without the targets, of these:
//
//	code(request)                                     → [status, body]
//	targets()                                         → body
//	showCode(request, one, hide)                      → body
//	edit(request, one, part, at, name, value, remove) → body
//
// A request is a string, the JSON object that POST /api/convert takes, or for
// convert and parse a Uint8Array, a command that stands alone. Status and body
// are those of the service; show, showCode and edit return what Show, ShowCode
// and ShowEdit of package api return. The functions answer until the program
// ends, which it does not by itself.
package main

import (
	"syscall/js"

	"uncoil/internal/api"
)

func main() {
	functions := map[string]any{
		"convert": answer(api.AsConvert),
		"parse":   answer(api.AsParse),
		"show": js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(api.Show(args[0].String(), args[1].Truthy()))
		}),
	}
	addCode(functions)
	js.Global().Call("uncoilReady", functions)
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
