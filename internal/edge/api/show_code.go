package api

import (
	"slices"
	"strconv"

	"uncoil/code"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/reqtext"
	"uncoil/request"
)

// ShowCode returns the answer AsCode to a request object as the JSON object
// {"problem": …} or {"code": the answer}. Where secrets are to be hidden, variables
// stand in their place, because a mask is not what the clients would be given: they
// may have to encode it, or cannot send it. With one, counted from 1, only this
// request of the text is written.
func ShowCode(text string, one int, hide bool) []byte { return Limits{}.ShowCode(text, one, hide) }

// ShowCode is the function ShowCode within limits.
func (l Limits) ShowCode(text string, one int, hide bool) []byte {
	dst := []byte(`{"code":`)
	body, err := l.showCode(dst, text, one, hide)
	if err != nil {
		body, _, _ = AppendProblem([]byte(`{"problem":`), err)
	}
	return append(body, '}')
}

func (l Limits) showCode(dst []byte, text string, one int, hide bool) (body []byte, err error) {
	defer fault.Recover(&err)
	r, result, err := l.parseShown(text, hide, nil)
	if err != nil {
		return nil, err
	}
	if one > len(result.Requests) {
		return nil, &Problem{Code: CodeBadRequest, Detail: "There is no request " + strconv.Itoa(one) + "."}
	}
	if one > 0 {
		result.Requests = result.Requests[one-1 : one]
	}
	var secrets []string
	if hide {
		r.MoveSecrets = true
		hidden := slices.Clone(result.Requests)
		secrets = redact.Requests(hidden)
		MaskAll(result.Warnings, redact.NewMasker(r.Curl, secrets))
		if !movable(result.Requests, redact.NewFinder(secrets)) {
			result.Requests = hidden
		}
	}
	want := Want{As: AsCode, Target: r.Target, Options: r.Options}
	body, _, err = Append(dst, result, &want)
	return body, masked(err, r.Curl, secrets, hide)
}

// movable reports whether a variable can stand in the place of each secret, and none is left.
func movable(requests []request.Request, secrets redact.Finder) bool {
	moved, _ := code.MoveSecrets(requests)
	left := false
	for i := range moved {
		reqtext.Rewrite(&moved[i], func(s *reqtext.String) {
			secrets.Find(s.Value, func(int, redact.Span) { left = true })
		})
	}
	if left {
		return false
	}
	variables := make(map[string]bool)
	for i := range moved {
		for _, v := range moved[i].Variables {
			if v.Name == "" || v.Default != "" {
				return false // the text of a command or a default may be a secret
			}
			variables[v.Expr] = true
		}
	}
	return !slices.ContainsFunc(redact.Requests(moved), func(secret string) bool { return !variables[secret] })
}
