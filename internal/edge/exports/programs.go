//go:build wasm && !uncoil_parse

package exports

import (
	"unsafe"

	"uncoil/internal/edge/api"
)

//go:wasmexport code
func code(size int32) unsafe.Pointer { return answered(Limits.AnswerObject(Text(size), api.AsCode)) }

//go:wasmexport targets
func targets() unsafe.Pointer { return Shown(api.AppendTargets(nil)) }

//go:wasmexport diff
func diff(size int32) unsafe.Pointer { return answered(Limits.AnswerPair(Text(size))) }
