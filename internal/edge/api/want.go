package api

import (
	"uncoil/diag"
	"uncoil/internal/edge/explain"
	"uncoil/internal/edge/switches"
	"uncoil/internal/engine"
)

// A Want says which answer is wanted.
type Want = switches.Want

// Append appends the wanted answer to a Result, as JSON unless it is a plain program.
// It returns the warnings about it: those of the Result, and of what the form of the
// answer or a client cannot do. On error, an *engine.Error, dst comes back as it was.
func Append(dst []byte, r *engine.Result, want *Want) (out []byte, warnings diag.List, err error) {
	switch want.As {
	case AsCode:
		out = dst
		defer engine.Recover(&err, r)
		return appendCode(dst, r, want)
	case AsExplain:
		if want.Plain {
			return explain.AppendText(dst, r)
		}
		return explain.Append(dst, r)
	default:
		return r.Append(dst, wanted(want))
	}
}

// wanted returns what is wanted of the engine.
func wanted(want *Want) engine.Want {
	return engine.Want{As: want.As, Warnings: want.Warnings, Doubts: want.Doubts, DataText: want.DataText}
}

// maxTargets is how many programs one answer may have: more than there are targets.
const maxTargets = 200
