package api

import (
	"slices"
	"time"

	"uncoil/internal/engine"
	_ "uncoil/readers" // the edges know all forms
)

// As names an answer.
type As = engine.As

// The answers.
const (
	AsConvert    = engine.AsConvert
	AsParse      = engine.AsParse
	AsCode    As = "code"    // a program that sends the requests
	AsExplain As = "explain" // what each option does, and did
)

// answers are the names of the answers.
var answers = []string{string(AsConvert), string(AsParse), string(AsCode), string(AsExplain)}

// ParseAs reads the name of an answer.
func ParseAs(name string) (As, bool) { return As(name), slices.Contains(answers, name) }

// A Request is a command with what it takes from outside its text.
type Request struct {
	Curl string
	Want // but for As, which Answer takes
	engine.Input
	// Near are the names of members that were ignored, and that are nearly those of
	// known ones.
	Near []string
}

// Answer appends the answer to the request as JSON. The time is now unless the
// request sets it. The error, if any, is an *engine.Error or a *Problem, and dst is
// then returned unchanged.
func (r *Request) Answer(dst []byte, as As) ([]byte, engine.Answer, error) {
	in := r.Input
	if in.Now.IsZero() {
		in.Now = time.Now()
	}
	want := r.Want
	switch want.As = as; {
	case as == AsExplain:
		in.Explain = engine.Explain
	case as != AsCode:
		return engine.Append(dst, r.Curl, wanted(&want), in)
	case r.Target != "" && len(r.Targets) > 0:
		return dst, engine.Answer{}, &Problem{Code: CodeBadRequest, Detail: `The members "target" and "targets" exclude each other.`,
			Hint: "leave one of them out", Member: "targets"}
	case r.Target == "" && len(r.Targets) == 0:
		return dst, engine.Answer{}, &Problem{Code: CodeBadRequest, Detail: `The member "target" is missing.`,
			Hint: "name a target of /api/targets", Member: "target"}
	}
	out := dst
	answer, err := engine.Lend(r.Curl, &in, func(result *engine.Result) (engine.Answer, error) {
		answer := engine.Answer{Shell: result.Shell, Requests: len(result.Requests), Warnings: result.Warnings}
		written, warnings, err := Append(dst, result, &want)
		if err == nil {
			out, answer.Warnings = written, warnings
		}
		return answer, err
	})
	return out, answer, masked(err, r.Curl, nil, r.MoveSecrets)
}

// A Line is a request in a batch.
type Line struct {
	Request
	// ID is the JSON text of the member id, or empty.
	ID string
	// As is empty where the line leaves the choice to the batch.
	As As
}
