package source

import (
	"strings"
	"testing"

	"uncoil/internal/engine/meter"
	"uncoil/internal/proof/shelltest"

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
		{"+ curl a", "a", "pasted-noise"},
		{"curl a\n+ curl a", "a", "other-command"},
		{"- run: curl a", "a", "pasted-noise"},
		{"ls\nfoo\ncurl a\nbar", "a", "other-command other-command"},
		{"wget a", "", "other-command"},
		{"xargs curl a", "", "other-command"},
		{"echo curl a", "", "other-command"},
		{"docker ps", "", "other-command"},
		{"command -p curl a", "a", "pasted-noise"},
		{"command -v curl && curl a", "a", "other-command"},
		{"command -pV curl a", "", "other-command"},
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

// TestNested reads commands within the arguments of others.
func TestNested(t *testing.T) {
	for _, c := range []struct {
		src, want string
	}{
		{`bash -c "curl a -H \"B: c\""`, "a -H B: c"},
		{`sh -c 'curl a | jq .'`, "a"},
		{`sudo -u me bash -lc "cd x && curl a"`, "a"},
		{`/bin/sh -xec 'curl a; curl b'`, "a|b"},
		{`bash -c "bash -c 'curl a'"`, "a"},
		{`ssh -p 22 me@host 'curl a'`, "a"},
		{`ssh host curl a -d b`, "a -d b"},
		{"ssh host <<'E'\ncurl a\nE", "a"},
		{"bash <<E\ncurl a\nE", "a"},
		{"echo 'curl a' | sh", "a"},
		{`su - me -c 'curl a'`, "a"},
		{`watch -n 2 'curl a'`, "a"},
		{`eval "curl a" b`, "a b"},
		{`docker exec -it web sh -c "curl a || exit 1"`, "a"},
		{`kubectl exec pod -c x -- bash -c 'curl a'`, "a"},
		{`cmd /c "curl a"`, "a"},
		{`RUN bash -c "curl a"`, "a"},
		{`CMD ["curl", "-f", "a\u0062"]`, "-f ab"},
		{`ENTRYPOINT ["sh", "-c", "curl a"]`, "a"},
		{`HEALTHCHECK --interval=5m CMD ["curl", "a"]`, "a"},
		{`test: ["CMD", "curl", "a"]`, "a"},
		{`test: ["CMD-SHELL", "curl a || exit 1"]`, "a"},
		{`test: ['CMD', 'curl', 'a']`, "a"},
		{`curl a; bash -c "curl b"`, "a|b"},
		{`sh -c 'curl a' && curl b`, "a|b"},
		{`bash -c 'curl "$1" -d "$2" $0' a b c`, "b -d c a"},
		// Where curl runs outside, only a shell runs more for certain.
		{`curl a; ssh host 'curl b'`, "a"},
		{`sh -c "$(curl a)"`, "a"},
		{`bash -c "wget a"`, ""},
		{`bash -c "curl 'a"`, ""},
		{`bash -c curl`, ""},
		{`echo "bash -c 'curl a'"`, ""},
		{`xargs -I{} sh -c "curl {}"`, ""},
		{`bash script.sh -x`, ""},
		{`CMD ["curl", }`, ""},
	} {
		r := Split(c.src, Auto, nil, meter.New(len(c.src), meter.Limits{}, nil), nil)
		commands, diags := Curls(r.Commands)
		shelltest.CheckSpans(t, c.src, commands, diags)
		var got []string
		for _, command := range shelltest.Texts(commands) {
			got = append(got, strings.Join(command, " "))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.src, diff)
		}
	}
}

// TestNestedPlaces checks that words of a nested command have their own places
// in the text.
func TestNestedPlaces(t *testing.T) {
	for _, src := range []string{`bash -c "curl -H \"A: b\" URL"`, `ssh host 'echo '\''x'\''; curl URL'`, `ssh host curl -d "x" URL`, `sh -c "sh -c 'curl URL'"`} {
		r := Split(src, POSIX, nil, meter.New(len(src), meter.Limits{}, nil), nil)
		commands, _ := Curls(r.Commands)
		if len(commands) != 1 {
			t.Errorf("%s: %d commands", src, len(commands))
			continue
		}
		args := commands[0].Args
		last := args[len(args)-1]
		if got := src[last.Span.Start:last.Span.End]; got != "URL" {
			t.Errorf("%s: URL stands at %q", src, got)
		}
	}
}
