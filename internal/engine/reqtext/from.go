package reqtext

import (
	"slices"

	"uncoil/request"
)

// Sources are what variables come from, each with what became of it. Those of several
// requests share what they come from.
type Sources map[*request.Encoded]*request.Encoded

// Rewrite has change see a copy of each text that a program computes a value of, for all
// variables of a request: those within others first.
func (s Sources) Rewrite(r *request.Request, change func(e *request.Encoded)) {
	if slices.ContainsFunc(r.Variables, isEncoded) {
		r.Variables = s.rewritten(r.Variables, change)
	}
}

// EachVariable shows variables, and those that their values are computed of.
func EachVariable(variables []request.Variable, show func(v *request.Variable)) {
	for i := range variables {
		show(&variables[i])
		if e, ok := variables[i].From.(*request.Encoded); ok {
			EachVariable(e.Variables, show)
			EachVariable(e.KeyVariables, show)
		}
	}
}

func isEncoded(v request.Variable) bool {
	_, ok := v.From.(*request.Encoded)
	return ok
}

func (s Sources) rewritten(variables []request.Variable, change func(e *request.Encoded)) []request.Variable {
	variables = slices.Clone(variables)
	for i := range variables {
		e, ok := variables[i].From.(*request.Encoded)
		if !ok {
			continue
		}
		if s[e] == nil {
			made := *e
			made.Variables = s.rewritten(made.Variables, change)
			made.KeyVariables = s.rewritten(made.KeyVariables, change)
			change(&made)
			s[e] = &made
		}
		variables[i].From = s[e]
	}
	return variables
}
