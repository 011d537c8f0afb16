package lint_test

import (
	"slices"
	"testing"

	"uncoil/diag"
)

// TestMoreCustoms holds that what documentation does by custom is no finding.
func TestMoreCustoms(t *testing.T) {
	for _, command := range []string{
		`curl -H '{{.HEADER}}' https://api.test/v1/a`,
		"curl https://api.test/v1/a \\{% if x %}{%- for h in x %}\n  --header \"{{h}}\" \\{% endfor %}{% endif %}\n  -d x",
		"curl https://api.test/v1/a -H 'Content-Type: application/json' -d '{\n \"a\": null, // why\n \"b\": true /* x \"y */\n}'",
		`curl https://api.test/v1/a -H 'Content-Type: application/json' -d "{\"a\": your escaped schema}"`,
		`curl https://api.test/v1/a -d '$(document).ready()'`,
		`curl http://<198.51.100.1>:9100/a`,
		`curl 'https://api.test/v1/a' -d '<a>x &amp; y</a>'`,
		`curl -T @photo https://api.test/v1/a`,
		`curl -X PUT '^{coreInfo.uri}/a' -H 'A: b'`,
		`curl -F "$DATA" -F "$MORE" "$URL"`,
		`curl -H 'Content-Type: multipart/form-data' -F a=b https://api.test/v1/a`,
	} {
		if found := lintText(t, "a.md", "# Title\n\n```bash\n"+command+"\n```\n"); len(found) > 0 {
			t.Errorf("%q: %q", command, found)
		}
	}
}

// TestPromptOfWindows holds that single quotes behind a prompt of cmd.exe are a finding.
func TestPromptOfWindows(t *testing.T) {
	if found := lintText(t, "a.md", "```\nC:\\> curl -H 'A: b' https://api.test/v1/a\n```\n"); !slices.Equal(found, []diag.Code{"quotes-lost"}) {
		t.Errorf("%q", found)
	}
}

// TestTemplateLiterals holds that a value in a template literal is none of the shell.
func TestTemplateLiterals(t *testing.T) {
	text := "x(`\n  curl -N '${baseURL}/api/realtime'\n`)\n"
	if found := lintText(t, "a.js", text); len(found) > 0 {
		t.Errorf("%q", found)
	}
	if found := lintText(t, "a.sh", "curl -N '${baseURL}/api'\n"); len(found) != 1 {
		t.Errorf("in a script: %q", found)
	}
}

// TestOneFinding holds that a mistake has one finding, and that what follows from it has none.
func TestOneFinding(t *testing.T) {
	for _, test := range []struct {
		command string
		code    diag.Code
	}{
		{`curl https://api.test/v1/a -H 'Content-Type: application/json' -d '{"a": ["isn't it?", "I'm x"]}'`, "quotes-lost"},
		{"curl -d '\n{\"a\": \"don't $x or don't\", \"b\": \"${c.d}\"}\n' https://api.test/v1/a", "quotes-lost"},
		{"curl 'https://api.test/v1/a\\\n  --header 'X: y' \\\n  -d x", "unterminated-quote"},
		{"curl --data-binary '@a.graphql --header 'content-type: text/plain' https://api.test/v1/a", "unterminated-quote"},
		{"curl https://api.test/v1/a \\  # one\n  -H 'A: b' \\ # two\n  -d x", "pasted-noise"},
		{"curl https://api.test/v1/a /\n  -H 'A: b' /\n  -d x", "pasted-noise"},
		{"curl \"https://api.test/v1/a\n&b={\n\"c\":\"d\"}\"", "invalid-url"},
		{"curl -F `\"a=1\"` -F `\"b=2\"` https://api.test/v1/a", "form-syntax"},
		{"curl -H 'Content-Type: application/json' -H 'content-type: multipart/form-data' -F a=b https://api.test/v1/a", "form-syntax"},
		{"curl -X POST -d x\n  \"api.test/v1/a\"", "no-url"},
		{`curl -sHL "Accept: text/html" https://api.test/v1/a`, "not-a-header"},
		{"curl -X POST\n  -H 'A: b'\n  --data '{\n\"a\": 1}' https://api.test/v1/a", "pasted-noise"},
		{`curl https://api.test/v1/a "Content-Type: application/json"`, "invalid-url"},
		{"curl https://api.test/v1/a -d \n  '{\"a\": 1}'", "missing-argument"},
	} {
		if found := lintText(t, "a.md", "# Title\n\n```bash\n"+test.command+"\n```\n"); !slices.Equal(found, []diag.Code{test.code}) {
			t.Errorf("%q: %q, want %q alone", test.command, found, test.code)
		}
	}
}
