package shell

import (
	"strings"
	"testing"

	"uncoil/internal/meter"
	"uncoil/internal/shell/shelltest"

	"github.com/google/go-cmp/cmp"
)

func TestCurls(t *testing.T) {
	for _, c := range []struct {
		src, want, codes string
	}{
		{"curl a", "a", ""},
		{"/usr/bin/curl a", "a", ""},
		{`C:\Windows\System32\curl.exe a`, "", "other-command"}, // the backslashes are the shell's
		{"sudo -u me curl a", "a", "pasted-noise"},
		{"sudo -E env A=b timeout -s KILL 5 nice -n 3 curl a", "a", "pasted-noise"},
		{"watch -n 5 curl a", "a", "pasted-noise"},
		{"A=b B=c curl a", "a", ""},
		{"- curl a", "a", "pasted-noise"},
		{"  12. curl a", "a", "pasted-noise"},
		{"docker exec -it web curl a", "a", "pasted-noise"},
		{"docker run --rm curlimages/curl:8.1 -s a", "-s a", "pasted-noise"},
		{"kubectl exec -n x pod -c y -- curl a", "a", "pasted-noise"},
		{"wget a", "", "other-command"},
		{"echo curl a", "", "other-command"},
		{"docker ps", "", "other-command"},
	} {
		commands, diags := Curls(Split(c.src, POSIX, nil, meter.New(len(c.src), meter.Limits{}, nil), nil).Commands)
		var got []string
		for _, command := range shelltest.Texts(commands) {
			got = append(got, strings.Join(command, " "))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.src, diff)
		}
		if codes := shelltest.Codes(diags); codes != c.codes {
			t.Errorf("%s: codes %q, want %q", c.src, codes, c.codes)
		}
	}
}
