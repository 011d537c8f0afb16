package engine_test

import "uncoil/internal/engine"

// appendConvert appends the answer AsConvert to src.
func appendConvert(dst []byte, src string, in engine.Input) ([]byte, error) {
	dst, _, err := engine.Append(dst, src, engine.Want{As: engine.AsConvert}, in)
	return dst, err
}

// appendParse appends the answer AsParse to src.
func appendParse(dst []byte, src string, in engine.Input) ([]byte, error) {
	dst, _, err := engine.Append(dst, src, engine.Want{As: engine.AsParse}, in)
	return dst, err
}

// appendResult appends the answer AsConvert to a Result.
func appendResult(dst []byte, r *engine.Result) ([]byte, error) {
	dst, _, err := r.Append(dst, engine.Want{})
	return dst, err
}
