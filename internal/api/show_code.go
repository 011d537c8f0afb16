package api

import (
	"strconv"

	"uncoil"
	"uncoil/internal/fault"
	"uncoil/internal/redact"
)

// ShowCode returns the answer AsCode to a request object, with the secrets
// hidden where asked, as the JSON object {"problem": …} or {"code": the answer}.
// With one, counted from 1, only this request of the text is written.
func ShowCode(text string, one int, hide bool) []byte {
	dst := []byte(`{"code":`)
	body, err := showCode(dst, text, one, hide)
	if err != nil {
		body, _, _ = AppendProblem([]byte(`{"problem":`), err)
	}
	return append(body, '}')
}

func showCode(dst []byte, text string, one int, hide bool) (body []byte, err error) {
	defer fault.Recover(&err)
	r, result, err := parseShown(text, hide)
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
		secrets = redact.Requests(result.Requests)
		maskAll(result.Warnings, redact.NewMasker(r.Curl, secrets))
	}
	body, err = result.Append(dst, uncoil.Want{As: AsCode, Target: r.Target, Options: r.Options})
	return body, masked(err, r.Curl, secrets, hide)
}
