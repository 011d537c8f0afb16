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

		// Loops that break ends.
		"for i in 1 2 3; do curl -f h/a && break; sleep 2; done; curl h/b":                      "- repeat=until repeatTimes=3 repeatDelay=2;",
		"for i in $(seq 1 30); do curl -f h/a && break || sleep 2; done":                        "- repeat=until repeatTimes=30 repeatDelay=2",
		"for i in $( seq 4 ); do curl -f h/a && break || { echo no; sleep 1; }; done":           "- repeat=until repeatTimes=4 repeatDelay=1 repeatPrints=no",
		"for i in {1..9}\ndo\n  if curl -f h/a; then\n    break\n  fi\n  sleep 1\ndone":         "- repeat=until repeatTimes=9 repeatDelay=1",
		"for i in a b; do if ! curl -f h/a; then sleep 1; else break; fi; done":                 ";- ", // both are read
		"for i in a b; do if curl -f h/a; then break; else echo no; sleep 1; fi; done":          "- repeat=until repeatTimes=2 repeatDelay=1 repeatPrints=no",
		"for ((i = 0; i < 6; i++)); do curl -f h/a && break; sleep 1; done":                     "- repeat=until repeatTimes=6 repeatDelay=1",
		"for ((;;)); do curl -f h/a && break; sleep 1; done":                                    "- repeat=until repeatDelay=1",
		"while true; do curl -f h/a && break; sleep 5; done":                                    "- repeat=until repeatDelay=5",
		"until false; do curl -f h/a || break; done":                                            "- repeat=while",
		"while :; do ! curl -f h/a && break; echo x; done":                                      "- repeat=while repeatPrints=x",
		"for i in 1 2 3; do curl -f h/a || break; sleep 1; done":                                "- repeat=while repeatTimes=3 repeatDelay=1",
		"for i in 1; do curl -f h/a && break; sleep 1; done":                                    "repeat=until repeatTimes=1 repeatDelay=1",
		"for h in a b c; do curl -f h/$h && break; done":                                        "; - ifFails=0; - ifFails=1",
		"for i in 1 2; do curl -f h/a && break; done":                                           "; - ifFails=0", // the last one decides how it ends
		"for h in a b; do curl -f h/$h && break; sleep 1; done":                                 ";- ",
		"for h in a b; do curl -f h/$h || break; done":                                          ";- ",
		"for i in 1 2; do curl -f h/a > out$i && break; sleep 1; done":                          ";- ",
		"for i in 1 2; do curl -f h/a && break; sleep $((i * 2)); done":                         ";- ",
		"for i in 1 2; do curl -f h/a && break; sleep 1; echo late; done":                       ";- ",
		"for i in 1 2; do curl -f h/a; [ $? = 0 ] && break; sleep 1; done":                      ";- ",
		"for i in 1 2; do curl -f h/a && { echo ok; break; }; sleep 1; done":                    ";- ",
		"for ((i = 0; i < 2; i++)); do curl -f h/a -d \"$i\" && break; sleep 1; done":           ";- ",
		"for i in $(seq 2 5); do curl -f h/a && break; sleep 1; done":                           "",
		"for i in 1 2; do curl -f h/a; sleep 1; done":                                           ";",
		"for i in 1 2; do curl -f h/$i; for j in 1 2; do echo $j && break; done; sleep 1; done": ";",

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

// TestOtherwiseInWindows holds that the shells of Windows have the warning, too: what stands
// behind || there reads from no pipe, and && needs no warning.
func TestOtherwiseInWindows(t *testing.T) {
	for command, want := range map[string]int{
		"curl ^\n http://h.test/a || curl http://h.test/b":           1,
		"curl ^\n http://h.test/a && curl http://h.test/b":           0,
		"curl.exe http://h.test/a || curl.exe -d '@-' http://h.test": 1,
		"curl.exe http://h.test/a; curl.exe http://h.test/b":         0,
	} {
		shell := "powershell"
		if strings.Contains(command, "^") {
			shell = "cmd"
		}
		r, err := Parse(command, Input{Shell: shell, Stdin: []byte("x")})
		if err != nil {
			t.Fatal(command, err)
		}
		told := 0
		for _, d := range r.Warnings {
			if d.Code == diag.WarnConditional {
				told++
			}
		}
		if told != want || len(r.Requests) != 2 {
			t.Errorf("%s: %d warnings, %d requests: %v", command, told, len(r.Requests), r.Warnings)
		}
	}
}
