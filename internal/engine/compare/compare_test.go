package compare_test

import (
	"strings"
	"testing"

	"uncoil/internal/engine"
	"uncoil/internal/engine/compare"
)

// differences returns what differs, one a line, and the verdict.
func differences(t *testing.T, a, b string) (lines []string, verdict compare.Verdict) {
	t.Helper()
	var results [2]*engine.Result
	for i, text := range []string{a, b} {
		var err error
		if results[i], err = engine.Parse(text, engine.Input{}); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	list, err := engine.Diff(results[0], results[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		line := string(d.Kind)
		for _, s := range []string{d.Name, d.Member} {
			if s != "" {
				line += " " + s
			}
		}
		for _, side := range []*string{d.A, d.B} {
			if side == nil {
				line += " | nothing"
			} else {
				line += " | " + *side
			}
		}
		lines = append(lines, line)
	}
	return lines, compare.VerdictOf(list)
}

// TestCompare holds that each change of a command is said, and nothing else.
func TestCompare(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"curl h.test", "curl -X PUT h.test", "method | GET | PUT"},
		{"curl http://h.test/a", "curl https://h.test/a", "scheme | http | https"},
		{"curl http://h.test/a", "curl http://g.test/a", "host | h.test | g.test"},
		{"curl http://h.test:80/a", "curl http://h.test:8080/a", "host | h.test | h.test:8080"},
		{"curl http://h.test/a/b", "curl http://h.test/a/c", "path | /a/b | /a/c"},
		{"curl 'http://h.test/?a=1&b=2'", "curl 'http://h.test/?a=1&b=3&c'", "query b | 2 | 3\nquery c | nothing | "},
		{"curl 'http://h.test/?a=1&a=2'", "curl 'http://h.test/?a=2&a=1'", "query a | 1 | 2\nquery a | 2 | 1"},
		{"curl h.test -H 'A: 1' -H 'B: 2'", "curl h.test -H 'a: 1' -H 'C: 3'", "header b | 2 | nothing\nheader c | nothing | 3"},
		{"curl h.test", "curl h.test -H Accept:", "header accept | */* | nothing"},
		{"curl h.test -A x", "curl h.test -A y", "header user-agent | x | y"},
		{"curl h.test -b 'a=1; b=2'", "curl h.test -b 'b=2; a=3'", "cookie a | 1 | 3"},
		{"curl h.test -H 'Cookie: a=1' -H 'Cookie: b=2'", "curl h.test -H 'Cookie: a=1' -H 'Cookie: b=3'", "cookie b | 2 | 3"},
		{"curl h.test -u a:b", "curl h.test -u a:c", "header authorization | Basic YTpi | Basic YTpj"},
		{"curl h.test --ntlm -u a:b", "curl h.test --ntlm -u a:c", "auth password | b | c"},
		{"curl h.test --json '{\"a\": [1, {\"b/c\": 2}]}'", "curl h.test --json '{\"a\": [1, {\"b/c\": \"2\"}], \"d\": null}'", "json /a/1/b~1c | 2 | \"2\"\njson /d | nothing | null"},
		{"curl h.test --json '[1,2]'", "curl h.test --json '[1]'", "json /1 | 2 | nothing"},
		{"curl h.test -d a=1 -d b=2", "curl h.test -d a=1 -d b=3", "form b | 2 | 3"},
		{"curl h.test -F a=1 -F f=@x", "curl h.test -F a=2 -F 'f=@x;type=a/b' -F c=3",
			"part a content | 1 | 2\npart f type | application/octet-stream | a/b\npart c | nothing | 3"},
		{"curl h.test -H 'Content-Type: text/plain' -d 'one two'", "curl h.test -H 'Content-Type: text/plain' -d 'one three'", "content | wo | hree"},
		{"curl h.test -X POST", "curl h.test -d a=1", "header content-type | nothing | application/x-www-form-urlencoded\ncontent | nothing | a=1"},
		{"curl h.test --data-binary @a", "curl h.test --data-binary @b", "content | a | b"},
		{"curl h.test", "curl h.test -k -m 3 -x p.test", "option insecure | nothing | true\noption maxTime | nothing | 3\noption proxy | nothing | p.test"},
		{"curl h.test", "curl h.test h.test/b", "requests | 1 | 2"},
		{"curl h.test --request-target '*'", "curl h.test", "target | * | nothing"},
	} {
		got, verdict := differences(t, test.a, test.b)
		if strings.Join(got, "\n") != test.want || verdict != compare.Different {
			t.Errorf("%s\n%s: %s\n%s\nwant\n%s", test.a, test.b, verdict, strings.Join(got, "\n"), test.want)
		}
		if _, verdict := differences(t, test.b, test.a); verdict != compare.Different {
			t.Errorf("%s\n%s: %s", test.b, test.a, verdict)
		}
		if got, verdict := differences(t, test.a, test.a); verdict != compare.Identical {
			t.Errorf("%s: %s, %q", test.a, verdict, got)
		}
	}
}

// TestCompareSpellings holds that what curl sends alike is identical, and what a receiver takes
// for the same is equivalent.
func TestCompareSpellings(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want compare.Verdict
	}{
		{"curl http://h.test/", "curl --request GET --url HTTP://H.test", compare.Identical},
		{"curl https://h.test:443/a", "curl -s https://h.test/a -o out", compare.Identical},
		{"curl h.test -d a=1 -d b=2", "curl 'h.test' --data 'a=1&b=2'", compare.Identical},
		{"curl h.test -H 'Content-Type: application/json' -H 'Accept: application/json' -d '{}'", "curl h.test -H 'Accept: application/json' -H 'Content-Type: application/json' -d '{}'", compare.Equivalent},
		{"curl -u a:b h.test", "curl h.test -H 'Authorization: Basic YTpi'", compare.Equivalent},
		{"curl h.test -b a=1", "curl h.test -H 'Cookie: a=1'", compare.Identical},
		{"curl -G h.test -d a=1", "curl 'h.test?a=1'", compare.Identical},
		{"curl h.test/%7Ea", "curl h.test/~a", compare.Equivalent},
		{"curl h.test/%2fa", "curl h.test/%2Fa", compare.Identical}, // curl makes capitals of them,
		{"curl 'h.test?a=1&b=2'", "curl 'h.test?b=2&a=1'", compare.Equivalent},
		{"curl h.test -d 'a=x%20y'", "curl h.test -d 'a=x+y'", compare.Equivalent},
		{"curl h.test --json '{\"a\":1.0,\"b\":\"\\u00e9\"}'", "curl h.test --json '{ \"b\": \"é\", \"a\": 1e0 }'", compare.Equivalent},
		{"curl h.test -b 'a=1; b=2'", "curl h.test -b 'b=2; a=1'", compare.Equivalent},
		{"curl h.test -F a=1", "curl -F 'a=1' h.test", compare.Identical},
		{"curl \"$BASE/a\" -H \"A: $T\" -u $U:p", "curl \"${BASE}/a\" -H \"A: ${T}\" -u ${U}:p", compare.Identical},
		{"curl \"$BASE/a\"", "curl \"$OTHER/a\"", compare.Different},
		{"curl h.test -H @a.txt", "curl h.test -H @b.txt", compare.Different},
		{"curl h.test -b a.txt", "curl h.test -b b.txt", compare.Different},
		{"curl h.test --json '{\"a\":9007199254740993}'", "curl h.test --json '{\"a\":9007199254740992}'", compare.Different},
		{"curl h.test --json '{\"a\":0}'", "curl h.test --json '{\"a\":-0.0e9}'", compare.Equivalent},
		{"curl h.test/a%2Fb", "curl h.test/a/b", compare.Different},
		{"curl h.test --json '{\"a\":true}'", "curl h.test --json '{\"a\":\"true\"}'", compare.Different},
	} {
		if got, verdict := differences(t, test.a, test.b); verdict != test.want {
			t.Errorf("%s\n%s: %s, %q", test.a, test.b, verdict, got)
		}
	}
}

// TestCompareMany holds that the verdict is that of all differences, not of those that are listed.
func TestCompareMany(t *testing.T) {
	a, b := "curl 'h.test/%7E[1-600]?a=1&b=2'", "curl 'h.test/~[1-600]?b=2&a=1'"
	if list, verdict := differences(t, a, b); verdict != compare.Equivalent || len(list) != compare.Most {
		t.Errorf("%s, %d", verdict, len(list))
	}
	if list, verdict := differences(t, a+" h.test/c", b+" h.test/d"); verdict != compare.Different || len(list) != compare.Most {
		t.Errorf("%s, %d", verdict, len(list))
	}
}
