package code_test

import (
	"regexp"
	"slices"
	"testing"

	"uncoil/code"
	"uncoil/diag"
)

// inPieces are the programs that print a response as it comes.
var inPieces = regexp.MustCompile("^(c|cpp|csharp|go|go-resty|groovy|java|javascript-fetch|kotlin|node-(axios|got|http|ky|ofetch|undici)|php|php-guzzle|python-(aiohttp|http|httpx|httpx-async|requests|urllib|urllib3)|ruby|rust|rust-reqwest-async|typescript)$")

// TestWholeIsWarnedOf holds that each other program says that it prints the response once it is
// whole, where the command asks for one that comes in pieces.
func TestWholeIsWarnedOf(t *testing.T) {
	for _, target := range code.Targets() {
		if target.Kind != code.KindCode {
			continue
		}
		for _, style := range []code.Style{code.StyleIdiomatic, code.StyleExact} {
			for _, text := range []string{"curl -N http://h.test/", `curl http://h.test/ --json '{"stream": true}'`} {
				_, diags := compose(t, target, text, style)
				told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Hint == "the command asks for one that comes in pieces" })
				if diags.Err() == nil && told == inPieces.MatchString(target.Name) {
					t.Errorf("%s: %s: warned of is %t", target.Name, text, told)
				}
			}
		}
	}
}
