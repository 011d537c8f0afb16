package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/request"
)

// TestStdout checks where the shell leads what curl prints, as bash and cmd.exe read redirections.
func TestStdout(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"curl h.test/a", ""},
		{"curl h.test/a > f", "f"},
		{"> f curl h.test/a", "f"},
		{"curl h.test/a >f -s", "f"},
		{"curl h.test/a >> f", "+f"},
		{"curl h.test/a &>> f", "+f"},
		{"curl h.test/a &> f", "f"},
		{"curl h.test/a >& f", "f"},
		{"curl h.test/a >|f", "f"},
		{"curl h.test/a 1>f 2>g", "f"},
		{"curl h.test/a 2>g", ""},
		{"curl h.test/a >f >&2", ""},
		{"curl h.test/a >f 2>&1", "f"},
		{`F='a b'; curl h.test/a > "$F.txt"`, "a b.txt"},
		{`curl h.test/a > "$D/f"`, "$D/f"},
		{"curl h.test/a h.test/b > f", "f +f"},
		{"curl h.test/a -o x > f", "f"},
		{"curl h.test/<id> > f", "f"},
		{"curl h.test/a > >(tee f)", ""},
		{"X=$(curl h.test/a > f); curl h.test/b", "f"},
		{`C:\>curl h.test/a > f`, "f"},
		{`C:\>curl h.test/a >> f 2> g`, "+f"},
		{`C:\>curl h.test/a 2> g`, ""},
		{`C:\>curl h.test/a > NUL`, "/dev/null"},
		{`PS> curl.exe h.test/a > f`, "f"},
		{`PS> curl.exe h.test/a >> "$HOME/f" 2> g`, "+$HOME/f"},
		{`PS> curl.exe h.test/a 2> g`, ""},
		{`PS> curl.exe h.test/a 2>&1 1> f`, "f"},
		{`PS> curl.exe h.test/a *> f -s`, "f"},
		{`PS> curl.exe h.test/a > $null`, "/dev/null"},
		{`PS> curl.exe h.test/a | Out-Null`, "/dev/null"},
		{`PS> curl.exe h.test/a | Out-File -Encoding utf8 f.txt`, "f.txt"},
		{`PS> curl.exe h.test/a | Out-File -FilePath "f" -Append`, "+f"},
		{`PS> Invoke-RestMethod h.test/a | Set-Content f`, "f"},
		{`PS> curl.exe h.test/a | Add-Content f; curl.exe h.test/b`, "+f"},
		{`PS> curl.exe h.test/a; Get-Date | Out-File f`, ""},
	} {
		r, err := engine.Parse(c.text, engine.Input{})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for i := range r.Requests {
			o := r.Requests[i].Options
			name, _ := optionNamed(o, "stdout").(string)
			if optionNamed(o, "appendStdout") == true {
				name = "+" + name
			}
			got = append(got, name)
		}
		if got := strings.TrimSpace(strings.Join(got, " ")); got != c.want {
			t.Errorf("%s goes to %q, want %q", c.text, got, c.want)
		}
	}
}

// TestAround checks what is said of what a shell does around curl.
func TestAround(t *testing.T) {
	for text, want := range map[string]string{
		"curl h.test | jq .":                          "",
		"curl h.test | python3 -m json.tool | less":   "",
		"curl h.test | sudo tee":                      "",
		"curl h.test | tee f":                         "piped-output 14",
		"curl h.test | jq . > f":                      "piped-output 14",
		"curl h.test | /bin/sh -s -- --yes":           "piped-output 14",
		"curl h.test | tar xz":                        "piped-output 14",
		"curl h.test | while read x; do echo; done":   "piped-output 14",
		"curl h.test > f | tar xz":                    "",
		"curl h.test | curl -d @- g.test":             "",
		"TOKEN=$(curl h.test | sed s/a/b/)":           "",
		"curl h.test || curl g.test":                  "conditional-command 15",
		"curl h.test || exit 1":                       "",
		"curl h.test || true && curl g.test":          "",
		"true || curl g.test; curl h.test":            "",
		"until curl -f h.test; do sleep 1; done":      "conditional-command 6",
		"while true; do curl h.test; done":            "conditional-command 15",
		"for i in 1 2; do curl h.test/$i; done":       "",
		"wget h.test || curl h.test":                  "conditional-command 15",
		"PS> curl.exe h.test | jq .":                  "",
		"PS> curl.exe h.test | ConvertFrom-Json":      "",
		"PS> irm h.test | Select-Object -First 1":     "",
		"PS> curl.exe h.test | tar xf -":              "piped-output 22",
		"PS> curl.exe h.test > f | tar xf -":          "",
		"PS> curl.exe h.test; 1 | tar xf -":           "",
		"PS> curl.exe h.test | curl.exe -d @- g.test": "",
	} {
		r, err := engine.Parse(text, engine.Input{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		for _, d := range r.Warnings {
			if d.Code == diag.WarnPipedOutput || d.Code == diag.WarnConditional {
				got += fmt.Sprintf("%s %d", d.Code, d.Span.Start)
			}
		}
		if got != want {
			t.Errorf("%s says %q, want %q", text, got, want)
		}
		if piped := optionNamed(r.Requests[0].Options, "piped") == true; piped != strings.HasPrefix(want, "piped-output") {
			t.Errorf("%s has the option piped: %t", text, piped)
		}
	}
}

// optionNamed returns the value of a member of options, or nil.
func optionNamed(options []request.Option, name string) any {
	for _, o := range options {
		if o.Name == name {
			return o.Value
		}
	}
	return nil
}
