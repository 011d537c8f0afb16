package api

import (
	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/edge/explain"
	"uncoil/internal/engine"
)

// A Want says which answer is wanted.
type Want struct {
	As As
	// Warnings and Doubts are those of engine.Want.
	Warnings, Doubts bool
	// DataText is that of engine.Want.
	DataText bool
	// Target names the language and the client of the answer AsCode: a name or an
	// alias of code.Targets.
	Target string
	// Targets, unless empty, name several of them, in place of Target.
	Targets []string
	// Options say how the program of the answer AsCode is written.
	code.Options
	// Plain is the answer AsCode or AsExplain as text without JSON: the program alone.
	Plain bool
}

// Append appends the wanted answer to a Result, as JSON unless it is a plain program.
// It returns the warnings about it: those of the Result, and of what the form of the
// answer or a client cannot do. On error, an *engine.Error, dst comes back as it was.
func (want *Want) Append(dst []byte, r *engine.Result) (out []byte, warnings diag.List, err error) {
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
		return r.Append(dst, want.engine())
	}
}

// engine returns what is wanted of the engine.
func (want *Want) engine() engine.Want {
	return engine.Want{As: want.As, Warnings: want.Warnings, Doubts: want.Doubts, DataText: want.DataText}
}

// maxTargets is how many programs one answer may have: more than there are targets.
const maxTargets = 200
