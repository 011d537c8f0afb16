//go:build js && wasm && nocode

package main

func addCode(map[string]any) {}
