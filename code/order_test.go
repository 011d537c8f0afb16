package code_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
	"uncoil/request"
)

// merged are the options that OpenAPI has for all requests of a document that have them: it
// says how to authenticate in one place.
var merged = []string{"oauth2-bearer", "user"}

// TestOptionStaysWithItsRequest holds for each target and each option of curl that a program
// whose first request has the option is another one than that whose second has it, or that a
// warning or an error tells of it: no option of one request acts on another, which may have
// a secret.
func TestOptionStaysWithItsRequest(t *testing.T) {
	parallel(t)
	known := slices.Concat(slices.Collect(maps.Values(local))...)
	all := code.Targets()
	parse := func(command string) []request.Request {
		r, err := engine.Parse(command, engine.Input{})
		if err != nil {
			return nil // curl refuses it
		}
		return r.Requests
	}
	options := []string{" -H User-Agent:", " -H Accept:", " -H Host:", " -x http://q:2 -U a:b", " -x ''", " -L --max-redirs 5"}
	for _, o := range curl.Options() {
		if o.Section == curl.Ignored || o.Long == "next" || slices.Contains(known, o.Member) || slices.Contains(ofTheCommand, o.Long) {
			continue
		}
		if o.Long != "proxy-pass" { // a secret, of which the whole program catches errors
			options = append(options, " "+optionWords(o))
		}
	}
	differ := 0
	for _, option := range options {
		long, _, _ := strings.Cut(strings.TrimPrefix(option, " --"), " ")
		bases := optionBases[long]
		if bases == nil {
			bases = optionBases[""][:2]
		}
		for _, base := range bases {
			next := strings.Replace(strings.Replace(base, "curl", " --next", 1), "h.test/p", "h.test/q", 1)
			neither, first, second := parse(base+next), parse(base+option+next), parse(base+next+option)
			if first == nil || second == nil {
				continue
			}
			for _, target := range all {
				for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
					a, diags := target.Compose(nil, first, code.Options{Style: style})
					b, others := target.Compose(nil, second, code.Options{Style: style})
					if diags.Err() != nil || others.Err() != nil || string(a) != string(b) || strings.Contains(string(a), " is used, because ") { // another client
						differ++
						continue
					}
					plain, fewer := target.Compose(nil, neither, code.Options{Style: style})
					if string(a) != string(plain) && len(diags) == len(fewer) && !(target.Name == "openapi" && slices.Contains(merged, long)) {
						t.Errorf("%s of one request acts on both: %s%s%s\n%s", target.Name, base, option, next, a)
					}
				}
			}
		}
	}
	if differ < 10000 {
		t.Errorf("%d programs have another text, or are refused", differ)
	}
}

// TestLimitEnds holds that a time limit, which LuaSocket has for all requests that follow,
// ends with the request that has it.
func TestLimitEnds(t *testing.T) {
	target, _ := code.Lookup("lua")
	program, _ := writeAs(t, target, "curl http://a.test/ --next -m 5 http://b.test/ --next http://c.test/", code.Options{})
	if a, b := strings.Index(program, "TIMEOUT = 5\n"), strings.Index(program, "TIMEOUT = 60\n"); a < 0 || b < a || strings.Count(program, "TIMEOUT") != 2 {
		t.Errorf("the limit does not end:\n%s", program)
	}
}
