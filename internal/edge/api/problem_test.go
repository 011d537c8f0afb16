package api

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/diag"
	"uncoil/internal/engine"
)

func TestAppendProblem(t *testing.T) {
	offset := 3
	for _, test := range []struct {
		err    error
		status int
		want   string
	}{
		{&engine.Error{
			Diagnostic: diag.Diagnostic{Code: diag.CodeUnknownOption, Span: diag.Span{Start: 6, End: 8}, Message: "m", Hint: "h", Option: "-x", Files: []string{"f", "g"}, Count: 2},
			Line:       2, Column: 4,
		}, 422, `{"type":"/problems/unknown-option","title":"curl does not know the option","status":422,"detail":"m","code":"unknown-option",` +
			`"span":{"start":6,"end":8},"line":2,"column":4,"hint":"h","option":"-x","files":["f","g"],"count":2}`},
		{&Problem{Code: CodeBadRequest, Detail: "d", Hint: "h", Offset: &offset, Member: "curl"}, 400,
			`{"type":"/problems/bad-request","title":"The request is malformed","status":400,"detail":"d","code":"bad-request","hint":"h","offset":3,"member":"curl"}`},
		{&Problem{Code: CodeNotFound, Detail: "d"}, 404,
			`{"type":"/problems/not-found","title":"This path does not exist","status":404,"detail":"d","code":"not-found"}`},
	} {
		got, status, _ := AppendProblem(nil, test.err)
		if diff := cmp.Diff(test.want, string(got)); diff != "" || status != test.status {
			t.Errorf("status %d, (-want +got):\n%s", status, diff)
		}
	}
}
