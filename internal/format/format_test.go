package format_test

import (
	"strings"
	"testing"

	"uncoil"
	"uncoil/internal/corpus"
	"uncoil/internal/format"
)

func TestSource(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"a short one stands on one line", "curl \\\n  -X POST \\\n  \"https://h.test/\"\n", "curl -X POST https://h.test/\n"},
		{"a long one has an option on each",
			`curl -sS https://api.example.com/v1/items -H "Content-Type: application/json" -d '{"name":"Ann"}' | jq .` + "\n",
			"curl \\\n  -sS \\\n  https://api.example.com/v1/items \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"name\":\"Ann\"}' | jq .\n"},
		{"a script keeps all else",
			"#!/bin/sh\n# curl   a\nset -e\nif   true; then\n\tTOKEN=$(cat   token)\n\tcurl   -H \"Authorization: Bearer $TOKEN\"   'https://h.test/a'   >   out\nfi\ncurl  b  # a comment\n",
			"#!/bin/sh\n# curl   a\nset -e\nif   true; then\n\tTOKEN=$(cat   token)\n\tcurl -H \"Authorization: Bearer $TOKEN\" https://h.test/a   >   out\nfi\ncurl b  # a comment\n"},
		{"a redirection among the arguments stays", "curl   a   >x   -s\n", "curl   a   >x   -s\n"},
		{"known variables stay", "H='a b'\ncurl   -H \"$H\"   \"x.test\"\n", "H='a b'\ncurl -H \"$H\" x.test\n"},
		{"words that a variable splits stay", "O='-X PUT'\ncurl   $O   x.test\n", "O='-X PUT'\ncurl $O x.test\n"},
		{"quotes that get longer stay", `curl -d   "it's"  x.test`, `curl -d "it's" x.test`},
		{"a prefix stays", "sudo   curl   x.test", "sudo   curl x.test"},
		{"a text of two lines", "curl x.test   -d 'a\nb'", "curl x.test \\\n  -d 'a\nb'"},
		{"cmd.exe", "curl   ^\"https://h.test/^\" ^\r\n  -H ^\"A: b^\"\r\n", "curl ^\"https://h.test/^\" -H ^\"A: b^\"\r\n"},
		{"PowerShell", "curl.exe   'https://h.test/?a=b' `\n  -H   \"A: $env:B\"\n", "curl.exe 'https://h.test/?a=b' -H \"A: $env:B\"\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, diags := format.Source(test.src, "")
			if got != test.want || diags.Err() != nil {
				t.Errorf("%s\nis formatted as\n%s\nwant\n%s\n%v", test.src, got, test.want, diags)
			}
			if again, _ := format.Source(got, ""); again != got {
				t.Errorf("formatted again it is\n%s", again)
			}
		})
	}
	if _, diags := format.Source("curl 'a", ""); diags.Err() == nil {
		t.Error("an open quote is no error")
	}
}

// TestCorpus holds that a command stays the same request, and that formatting
// is idempotent.
func TestCorpus(t *testing.T) {
	changed := 0
	for _, c := range corpus.Read(t, corpus.Commands) {
		in := uncoil.Input{Files: c.Files, Env: c.Env, Stdin: c.Stdin}
		want, err := uncoil.Parse(c.Command, in)
		if err != nil {
			continue
		}
		formatted, diags := format.Source(c.Command, "")
		if diags.Err() != nil || formatted == c.Command {
			continue
		}
		changed++
		got, err := uncoil.Parse(formatted, in)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.Path, err, formatted)
			continue
		}
		want.Warnings, got.Warnings = nil, nil
		if a, b := string(want.AppendJSON(nil)), string(got.AppendJSON(nil)); a != b {
			t.Errorf("%s: %s\nis formatted as\n%s\nwant %s\ngot  %s", c.Path, c.Command, formatted, a, b)
		}
		if again, _ := format.Source(formatted, ""); again != formatted {
			t.Errorf("%s\nis formatted as\n%s\nand again as\n%s", c.Command, formatted, again)
		}
	}
	if changed < 50 {
		t.Errorf("only %d commands change", changed)
	}
}

// A text of many commands takes time linear in its length.
func TestLong(t *testing.T) {
	src := strings.Repeat("curl   a.test   -d   b\n", 300)
	if got, diags := format.Source(src, ""); got != strings.Repeat("curl a.test -d b\n", 300) || diags.Err() != nil {
		t.Errorf("%.80s %v", got, diags)
	}
}
