package compare_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/compare"
	"uncoil/internal/proof/corpus"
)

// A mutation is what is put behind a command, and the one difference that it makes.
type mutation struct{ options, kind, name string }

var mutations = []mutation{
	{" -H 'X-Mutated: 1'", "header", "x-mutated"},
	{" -X MUTATE", "method", ""},
	{" --max-filesize 12345", "option", "maxFilesize"},
	{" --connect-timeout 17", "option", "connectTimeout"},
	{" --url-query mutated=1", "query", "mutated"},
	{" --request-target /mutated", "target", ""},
}

// expects reports that one side waits for a 100, as curl does before content whose size it does
// not know: what is written again has the content.
func expects(d compare.Difference) bool { return d.Name == "expect" }

// TestCorpusMutated holds for commands of the corpus that each mutation is said, and nothing
// beside it, and that a command that is written again, which the real curl sends as it sends the
// first (TestCorpusAgain in internal/proof/oracle), has no difference but of spelling.
func TestCorpusMutated(t *testing.T) {
	target, _ := code.Lookup("curl")
	pairs, again := 0, 0
	for i, c := range corpus.Read(t, corpus.Commands) {
		in := engine.Input{Files: c.Files, Stdin: c.Stdin, Env: c.Env}
		a, err := engine.Parse(c.Command, in)
		if err != nil || c.Shell != "" || c.Clean != "" || len(a.Requests) != 1 || strings.ContainsAny(c.Command, "\n#|<>&;`–") || strings.Contains(c.Command, "--next") ||
			strings.Contains(c.Command, " -- ") || a.Shell != "posix" || strings.HasPrefix(c.Name, "mistake/") {
			continue
		}
		if written, diags, err := target.Append(nil, a.Requests, code.Options{Style: code.StyleExact}); err == nil && len(diags) == 0 {
			if b, err := engine.Parse(string(written), in); err == nil && len(a.Requests[0].Missing) == 0 {
				again++
				if list, err := engine.Diff(a, b); err != nil || compare.VerdictOf(slices.DeleteFunc(list, expects)) == compare.Different {
					t.Errorf("%s: %s\n%s: %v\n%s", c.Name, c.Command, written, err, compare.AppendJSON(nil, list))
				}
			}
		}
		for _, m := range []mutation{mutations[i%len(mutations)], mutations[(i+1)%len(mutations)]} {
			b, err := engine.Parse(c.Command+m.options, in)
			if err != nil {
				continue
			}
			list, err := engine.Diff(a, b)
			list = slices.DeleteFunc(list, func(d compare.Difference) bool { return m.kind == "method" && d.Name == "keepMethod" }) // -X with -L
			pairs++
			if err != nil || len(list) != 1 || string(list[0].Kind) != m.kind || list[0].Name != m.name {
				t.Errorf("%s: %s and %s: %v, %s", c.Name, c.Command, m.options, err, compare.AppendJSON(nil, list))
			}
		}
	}
	t.Logf("%d pairs, %d written again", pairs, again)
	if pairs < 500 || again < 250 {
		t.Errorf("%d pairs and %d that were written again are too few", pairs, again)
	}
}

// FuzzDiff looks for texts whose comparison fails, and holds that a text has no difference from
// itself.
func FuzzDiff(f *testing.F) {
	f.Add("curl h.test?a=1 -u $A:b -b c=d", "curl h.test -F 'a=@f;type=x/y' -F =")
	f.Add(`curl h.test --json '{"a":[1,{"b":-0e9}],"a":"\u0061"}'`, `curl h.test --json ' [ {} , "x" ] '`)
	f.Add("curl '[::1]:0/%7e%%4' -d a=1 -d @f", "curl http://a@b@h:80?x")
	f.Fuzz(func(t *testing.T, one, other string) {
		limits := engine.Input{Limits: engine.Limits{Requests: 20}}
		a, err := engine.Parse(one, limits)
		if err != nil {
			return
		}
		if list, err := engine.Diff(a, a); failed(err) || len(list) > 0 {
			t.Errorf("%q: %v, %s", one, err, compare.AppendJSON(nil, list))
		}
		b, err := engine.Parse(other, limits)
		if err != nil {
			return
		}
		list, err := engine.Diff(a, b)
		back, also := engine.Diff(b, a)
		if failed(err) || failed(also) || err == nil && also == nil && compare.VerdictOf(list) != compare.VerdictOf(back) {
			t.Errorf("%q and %q: %v, %v, %s, %s", one, other, err, also, compare.AppendJSON(nil, list), compare.AppendJSON(nil, back))
		}
	})
}

// failed reports an error that is no limit.
func failed(err error) bool {
	e, ok := errors.AsType[*engine.Error](err)
	return ok && e.Code != diag.CodeTooMuchWork && e.Code != diag.CodeTooLarge
}
