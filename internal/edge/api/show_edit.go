package api

import (
	"slices"
	"strings"

	"uncoil/internal/engine"
	"uncoil/internal/engine/edit"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/jsontext"
	"uncoil/request"
)

// ShowEdit changes one request of a request object, counted from 1, and returns
// the command that makes the changed requests, in the shell of the first, as
// the JSON object {"problem": …} or {"curl": the command, "shell": how it is
// read}. What curl cannot be made to send is a problem.
func ShowEdit(text string, one int, e edit.Edit) []byte { return Limits{}.ShowEdit(text, one, e) }

// ShowEdit is the function ShowEdit within limits.
func (l Limits) ShowEdit(text string, one int, e edit.Edit) []byte {
	body, err := l.showEdit(text, one, e)
	if err != nil {
		body, _, _ = AppendProblem([]byte(`{"problem":`), err)
	}
	return append(body, '}')
}

func (l Limits) showEdit(text string, one int, e edit.Edit) (body []byte, err error) {
	defer fault.Recover(&err)
	r, result, err := l.parseShown(text, false, nil)
	if err != nil {
		return nil, err
	}
	// What the command takes from outside stays there.
	in := r.Input
	in.Env, in.Files, in.Stdin = nil, nil, nil
	if bare, err := engine.Parse(r.Curl, in); err == nil && alike(bare, result) {
		result = bare
	}
	if one < 1 || one > len(result.Requests) {
		return nil, refusedEdit("There is no such request.")
	}
	before := result.Requests[one-1]
	if !e.Apply(&result.Requests[one-1]) {
		return nil, refusedEdit("The request has no such part.")
	}
	target, shell := curlFor(result)
	want := Want{As: AsCode, Target: target, Plain: true}
	written, _, err := Append(nil, result, &want)
	if err != nil {
		return nil, err
	}
	command := strings.TrimRight(string(written), "\n")
	// The page detects the shell, unless it was chosen or would be another.
	reads := "auto"
	again, err := engine.Parse(command, engine.Input{})
	if r.Shell == shell || err != nil || again.Shell != shell {
		reads = shell
		again, err = engine.Parse(command, engine.Input{Shell: shell})
	}
	if err != nil || len(again.Requests) != len(result.Requests) || !e.Done(&before, &again.Requests[one-1]) {
		return nil, refusedEdit("curl would not send this.")
	}
	body = jsontext.AppendString([]byte(`{"curl":`), command)
	return jsontext.AppendString(append(body, `,"shell":`...), reads), nil
}

func refusedEdit(detail string) error { return &Problem{Code: CodeBadRequest, Detail: detail} }

// alike reports whether two descriptions list the same names, so that an edit of
// one can be made in the other.
func alike(a, b *engine.Result) bool {
	return slices.EqualFunc(a.Requests, b.Requests, func(a, b request.Request) bool {
		return slices.EqualFunc(a.Fields, b.Fields, func(a, b request.Field) bool { return a.Name == b.Name && a.Origin == b.Origin }) &&
			slices.EqualFunc(a.Query, b.Query, func(a, b request.Param) bool { return a.Name == b.Name })
	})
}
