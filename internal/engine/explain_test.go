package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/meter"
	"uncoil/internal/proof/corpus"
	"uncoil/request"
)

// TestExplain holds what options are said to have done: "-X@1-2=method" is -X, for
// the requests 1 to 2, of which it set the method. What curl sends for the same
// commands is held by the corpus.
func TestExplain(t *testing.T) {
	tests := []struct{ command, want string }{
		{"curl -sSL h.test", "-s@1-1 -S@1-1 -L@1-1=options.followRedirects url@1-1=url"},
		{"curl -L --no-location h.test", "-L@1-1 --no-location@1-1=options.followRedirects url@1-1=url"},
		{"curl -X A -X B h.test -d a", "-X@1-1 -X@1-1=method url@1-1=url -d@1-1=headers.Content-Type#0,body"},
		{"curl h.test -d a -d b", "url@1-1=url -d@1-1=headers.Content-Type#0,method,body -d@1-1=body"},
		{"curl -G h.test -d a", "-G@1-1=method url@1-1=url -d@1-1=url"},
		{"curl -I h.test", "-I@1-1=method url@1-1=url"},
		{"curl -H 'A: 1' -H 'Accept:' -H 'B;' h.test", "-H@1-1=headers.A#0 -H@1-1=removedHeaders.Accept -H@1-1=headers.B#1 url@1-1=url"},
		{"curl -A '' h.test", "-A@1-1=removedHeaders.User-Agent url@1-1=url"},
		{"curl --tr-encoding h.test", "--tr-encoding@1-1=headers.TE#0 url@1-1=url"},
		{"curl --json '{}' --json '[]' h.test", "--json@1-1=headers.Content-Type#0,headers.Accept#1,method,body --json@1-1=body url@1-1=url"},
		{"curl -F a=b -F c=d h.test", "-F@1-1=body.a#0,method -F@1-1=headers.Content-Type#0,body.c#1 url@1-1=url"},
		{"curl -u a:b --digest h.test", "-u@1-1=auth --digest@1-1=auth url@1-1=url"},
		{"curl -T f -o o h.test/", "-T@1-1=method,body -o@1-1=options.output url@1-1=url"},
		{"curl -o a -o b h.test k.test/[1-2]", "-o@1-1=options.output -o@2-3=options.output url@1-1=url url@2-3=url"},
		{"curl -o a h.test/{1,2}", "-o@1-1=options.output url@1-2=url"},
		{"curl h.test -m 2 --next -k k.test", "url@1-1=url -m@1-1=options.maxTime --next@1-1 -k@2-2=options.insecure url@2-2=url"},
		{"curl h.test; curl -I k.test", "url@1-1=url -I@2-2=method url@2-2=url"},
		{"curl ftp://h.test h.test", "url@1-0 url@1-1=url"},
	}
	for _, test := range tests {
		r, err := engine.Parse(test.command, engine.Input{Explain: engine.Explain})
		if err != nil {
			t.Errorf("%s: %v", test.command, err)
			continue
		}
		if got := usesText(r.Uses); got != test.want {
			t.Errorf("%s:\n%s, not\n%s", test.command, got, test.want)
		}
	}
}

func usesText(uses []engine.Use) string {
	var all []string
	for i := range uses {
		u := &uses[i]
		name := u.Name
		if name == "" {
			name = "url"
		}
		var sets []string
		for _, e := range u.Effects {
			text := strings.TrimSuffix(e.Member+"."+e.Name, ".")
			if e.Index >= 0 {
				text += fmt.Sprintf("#%d", e.Index)
			}
			sets = append(sets, text)
		}
		text := fmt.Sprintf("%s@%d-%d", name, u.First+1, u.Last)
		if sets != nil {
			text += "=" + strings.Join(sets, ",")
		}
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// TestExplainLosesNothing holds, over the corpus, that each header field that an option
// of the command set, and each option of the request, is one that the uses name.
func TestExplainLosesNothing(t *testing.T) {
	fields := 0
	for _, c := range corpus.Read(t, corpus.Commands) {
		in := engine.Input{Shell: c.Shell, Env: c.Env, Files: c.Files, Stdin: c.Stdin, Explain: engine.Explain}
		r, err := engine.Parse(c.Command, in)
		if err != nil || len(r.Uses) == 0 {
			continue
		}
		for i := range r.Uses {
			fields += checkNamed(t, c.Path, r, &r.Uses[i])
		}
	}
	if fields < 400 {
		t.Errorf("only %d header fields were looked at", fields)
	}
}

// checkNamed looks for what the first request of a use has from its place, and returns
// how many header fields that are.
func checkNamed(t *testing.T, path string, r *engine.Result, u *engine.Use) (fields int) {
	t.Helper()
	if u.First == u.Last {
		return 0
	}
	named := func(member, name string) {
		if !slices.ContainsFunc(u.Effects, func(e engine.Effect) bool { return e.Member == member && e.Name == name }) {
			t.Errorf("%s: %s is not said to set %s.%s", path, u.Name, member, name)
		}
	}
	q := &r.Requests[u.First]
	for _, f := range q.Fields {
		if f.Span == u.Span && f.Origin != request.OriginDefault {
			named("headers", f.Name)
			fields++
		}
	}
	for _, o := range q.Options {
		if o.Span == u.Span && (u.Option.Member == o.Name || u.Option.Section == curl.InDerivedOption) {
			named("options", o.Name)
		}
	}
	return fields
}

// TestExplainCost holds that the steps of an explanation grow with the text alone.
func TestExplainCost(t *testing.T) {
	families := []hostile{
		{name: "flags", text: func(n int) string { return "curl h.test -" + rep("s", n) }},
		{name: "fields", text: func(n int) string { return "curl h.test" + rep(" -Ha:b", n) }},
		{name: "URLs that are refused", text: func(n int) string { return "curl h.test/[1-900]" + rep(" ftp://h", n) }},
		{name: "outputs", text: func(n int) string { return "curl h.test/[1-900] -o '#1'" + rep(" -ox", n) }},
		{name: "parts", text: func(n int) string { return "curl h.test/[1-9]" + rep(" -Fa=b", n) }},
		{name: "operations", text: func(n int) string { return "curl h.test" + rep(" -: h -sL", n) }},
	}
	for _, f := range families {
		steps := func(n int) int64 {
			var w meter.Watch
			_, err := engine.Parse(f.text(n), engine.Input{Explain: engine.Explain, Watch: &w, Limits: engine.Limits{Requests: 1 << 20, Work: 1 << 40, Bytes: 1 << 34}})
			if err != nil && !isTooMuch(err) {
				t.Logf("%s: %v", f.name, err)
			}
			return w.Work()
		}
		one, four := steps(8<<10), steps(32<<10)
		if four > 6*one {
			t.Errorf("%s: four times the text takes %.1f times the steps", f.name, float64(four)/float64(one))
		}
	}
}
