//go:build uncoil_parse

package api

import (
	"uncoil/diag"
	"uncoil/internal/engine"
)

// appendCode refuses every target, in an engine that has none.
func appendCode(dst []byte, r *engine.Result, _ *Want) ([]byte, diag.List, error) {
	return dst, nil, r.Fail(diag.Diagnostic{Code: diag.CodeUnknownTarget, Message: "this engine writes no programs"})
}
