package engine

import (
	"fmt"
	"strings"
	"testing"

	"uncoil/diag"
)

// TestTurns checks what is said of a request that the shell sends only where another fails, or
// again and again, and of what runs where it fails; "-" before a name stands for the warning that
// a thing is left out.
func TestTurns(t *testing.T) {
	for script, want := range map[string]string{
		"curl h/a || true":                                 "orElse=ignore",
		"curl h/a || :":                                    "orElse=ignore",
		"curl h/a || exit":                                 "orElse=exit orElseStatus=1",
		"curl h/a || exit 7":                               "orElse=exit orElseStatus=7",
		"curl h/a || echo \"a $((1)) b\"":                  "- ",
		"curl h/a || echo 'a  b' c":                        "orElse=ignore orElsePrints=a  b c",
		"curl h/a || { echo no >&2; exit 2; }":             "orElse=exit orElseStatus=2 orElseWarns=no",
		"curl h/a || (echo no; exit 2)":                    "orElse=ignore orElsePrints=no",
		"curl h/a || { echo no && exit 2; }":               "orElse=exit orElseStatus=2 orElsePrints=no",
		"curl h/a || curl h/b":                             "; - ifFails=0",
		"curl h/a || curl h/b || curl h/c || exit 3":       "; - ifFails=0; - ifFails=1 orElse=exit orElseStatus=3",
		"curl h/z; curl h/a || curl h/b":                   ";; - ifFails=1",
		"until curl -f h/a; do sleep 5; done":              "- repeat=until repeatDelay=5",
		"while ! curl -f h/a; do sleep 1.5s; done":         "- repeat=until repeatDelay=1.5",
		"while curl -f h/a; do sleep 2m; done":             "- repeat=while repeatDelay=120",
		"until curl -f h/a; do echo wait; sleep 1; done":   "- repeat=until repeatDelay=1 repeatPrints=wait",
		"until curl -f h/a; do :; done":                    "- repeat=until",
		"until curl -f h/a\ndo\n  sleep 1\ndone\ncurl h/b": "- repeat=until repeatDelay=1;",

		// What is left out is warned of.
		"curl h/a || wget h/b":                                  "- ",
		"curl h/a || { echo no; return 1; }":                    "- ",
		"curl h/a || echo $X":                                   "- ",
		"curl h/a || echo -e 'a\\n'":                            "- ",
		"curl h/a || exit $?":                                   "- ",
		"curl h/a || exit 300":                                  "- ",
		"curl h/a && echo ok || echo no":                        "- ",
		"curl h/a && curl h/b || curl h/c":                      ";; - ",
		"curl h/a | jq . || exit 1":                             "- ",
		"curl h/a h/b || exit 1":                                "; - ",
		"curl h/a h/b || curl h/c":                              ";; - ",
		"test -f x || curl h/a":                                 "- ",
		"until curl -f h/a | grep ok; do sleep 1; done":         "- ",
		"until [ \"$(curl -s h/a)\" = ok ]; do sleep 1; done":   "- ",
		"until curl -f h/a; do sleep $N; done":                  "- ",
		"until curl -f h/a; do sleep 1; echo x; done":           "- ",
		"until curl -f h/a; do i=$((i+1)); sleep 1; done":       "- ",
		"while true; do curl h/a; sleep 1; done":                "- ",
		"until curl -f h/a; do sleep 1; [ $x ] && exit 1; done": "- ",
		"echo $(curl h/a || true)":                              "",
		"curl h/a | jq . || true":                               "",
		"curl h/a; true":                                        "",
		"curl h/a && echo x":                                    "",
		"if curl h/a; then echo x; fi":                          "",
		"false || curl h/a":                                     "",
		"true || curl h/a; curl h/b":                            "",
	} {
		r, err := Parse(script, Input{})
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		told := false
		for _, d := range r.Warnings {
			told = told || d.Code == diag.WarnConditional
		}
		var got strings.Builder
		for i := range r.Requests {
			if i > 0 {
				got.WriteByte(';')
			}
			for _, o := range r.Requests[i].Options {
				switch {
				case strings.HasPrefix(o.Name, "repeat"), strings.HasPrefix(o.Name, "orElse"), o.Name == "ifFails":
					fmt.Fprintf(&got, " %s=%v", o.Name, o.Value)
				}
			}
		}
		plain := strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(want, "- ", ""), "; ", ";"))
		if text := strings.TrimSpace(strings.ReplaceAll(got.String(), "; ", ";")); text != plain || told != strings.Contains(want, "- ") {
			t.Errorf("%s: %q, warned %t, want %q", script, text, told, want)
		}
	}
}
