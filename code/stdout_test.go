package code_test

import (
	"strings"
	"testing"

	"uncoil/code"
)

// TestShellOutput holds that a program writes the file to which the shell leads what curl prints
// as it writes that of -o, which is proven by running, in all targets.
func TestShellOutput(t *testing.T) {
	for _, target := range code.Targets() {
		for option, redirection := range map[string]string{
			"-o out.zip":        "> out.zip",
			"-f -o out.zip":     "-f >| out.zip",
			`-o "$D/out.zip"`:   `1> "$D/out.zip"`,
			"-i -o out.txt":     "-i &> out.txt",
			"-o /dev/null":      "2> log > /dev/null",
			"":                  "2> /dev/null >&2",
			"-s -o a":           "-s > b > a",
			"-o b -X POST":      "-X POST -o b > /dev/null",
			"-o a -H 'A: <id>'": "-H 'A: <id>' > a",
		} {
			// Where the response goes stands last, so that the options have one order.
			want, _ := write(t, target, "curl http://h.test/ "+option)
			got, _ := write(t, target, "curl http://h.test/ "+redirection)
			same := strings.NewReplacer("-o is left out", "> is left out", "no place for -o", "no place for >", "options.output", "options.stdout")
			want, got = same.Replace(want), same.Replace(got)
			if got != want {
				t.Errorf("%s of %s is\n%s\nand of %s\n%s", target.Name, redirection, got, option, want)
			}
		}
	}
}

// TestOutputLeftOut holds what a program says of output that goes elsewhere.
func TestOutputLeftOut(t *testing.T) {
	target, _ := code.Lookup("python")
	for command, want := range map[string]string{
		"curl http://h.test/ >> all.txt":                        "cannot-express >>\n",
		"curl http://h.test/1 http://h.test/2 > all.txt":        "cannot-express >>\n",
		"curl http://h.test/ -w '%{http_code}' > f":             "cannot-express >\n",
		"curl http://h.test/ -o f -w '%{http_code}' > status":   "cannot-express >\n",
		"curl http://h.test/ > f":                               "",
		"curl http://h.test/ > f; curl http://h.test/ > g":      "",
		"curl http://h.test/ -w '%{http_code}' > /dev/null":     "",
		"for i in 1 2; do curl http://h.test/$i > $i.txt; done": "",
	} {
		program, said := write(t, target, command)
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: it says %q, want %q\n%s", command, said, want, program)
		}
	}
}
