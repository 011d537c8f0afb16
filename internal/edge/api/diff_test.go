package api_test

import (
	"strings"
	"testing"

	"uncoil/internal/edge/api"
)

// TestPairErrors holds that an error names its side and its place in the whole object.
func TestPairErrors(t *testing.T) {
	for src, want := range map[string][]string{
		`"curl h"`:                        {`"status":400`, "members a and b"},
		`{"a": "curl h"}`:                 {`"status":400`, `"member":"b"`, "is missing"},
		`{"b": "curl h"}`:                 {`"status":400`, `"member":"a"`, "is missing"},
		`{"a": "curl h", "a": "curl h"}`:  {`"status":400`, `"member":"a"`, "twice", `"offset":16`},
		`{"a": "curl h", "b": 1}`:         {`"status":400`, `"member":"b"`, "must be an object"},
		`{"a": "curl h", "b": {}}`:        {`"status":400`, `"member":"curl"`, "is missing", `"offset":23`},
		`{"a": "curl h", "b": "crl"} x`:   {`"status":400`, "text follows"},
		`{"a": "curl h", "b": "crl"`:      {`"status":400`},
		`{"a": "curl h", "b": "crl h"}`:   {`"status":422`, `"code":"not-curl"`, `"member":"b"`},
		`{"a": "curl --x h", "b": "crl"}`: {`"status":422`, `"code":"unknown-option"`, `"member":"a"`},
	} {
		body, status := api.Limits{}.AnswerPair(src)
		for _, part := range want {
			if status == 200 || !strings.Contains(string(body), part) {
				t.Errorf("%s: %d without %s: %s", src, status, part, body)
			}
		}
	}
}

// TestPair holds that both sides take what a request object takes.
func TestPair(t *testing.T) {
	body, status := api.Limits{}.AnswerPair(`{"x": [1], "a": {"curl": "curl -d @f $H", "files": {"f": "a=1"}, "env": {"H": "h.test"}}, "b": {"curl": "curl ^\n -d a=2 %H%", "shell": "cmd", "env": {"H": "h.test"}}}`)
	want := `{"verdict":"different","differences":[{"request":1,"kind":"form","name":"a","a":"1","b":"2"}],` +
		`"a":{"shell":"posix","requests":1,"warnings":[]},"b":{"shell":"cmd","requests":1,"warnings":[]}}`
	if status != 200 || string(body) != want {
		t.Errorf("%d: %s\nwant %s", status, body, want)
	}
}
