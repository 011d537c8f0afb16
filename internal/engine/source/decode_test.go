package source

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/proof/shelltest"
)

func TestDecode(t *testing.T) {
	split := func(src string, env map[string]string) ([]Command, diag.List) {
		r := Split(src, Auto, env, meter.New(len(src), meter.Limits{}, nil), nil)
		return r.Commands, r.Diags
	}
	for _, c := range []shelltest.Case{
		{Name: "double quotes", Src: `curl -H &quot;A: b&quot; h`, Args: []string{"curl", "-H", "A: b", "h"}, Codes: "pasted-noise"},
		{Name: "single quotes", Src: `curl -H &#39;A: b&#x27; &apos;h?a=1&amp;b=2&apos;`, Args: []string{"curl", "-H", "A: b", "h?a=1&b=2"}, Codes: "pasted-noise"},
		{Name: "JSON", Src: `curl -d '{&quot;a&quot;:&quot;b&quot;}' h`, Args: []string{"curl", "-d", `{"a":"b"}`, "h"}, Codes: "pasted-noise"},
		{Name: "cmd.exe", Src: `curl ^&quot;h^&quot; ^` + "\n -d ^&quot;a^&amp;b^&quot;", Args: []string{"curl", "h", "-d", "a&b"}, Codes: "pasted-noise"},
		{Name: "data", Src: `curl -d 'a=&quot;b&quot;' h`, Args: []string{"curl", "-d", "a=&quot;b&quot;", "h"}},
		{Name: "XML in a here-document", Src: "curl h -d @- <<E\n<a>&amp;</a>\nE", Args: []string{"curl", "h", "-d", "@-"}},
		{Name: "a URL in quotes", Src: `curl "h?a=1&amp;b=2"`, Args: []string{"curl", "h?a=1&amp;b=2"}},

		{
			Name: "PowerShell in Markdown", Src: "It's so:\n```powershell\ncurl.exe h `\n  -H 'A: b'\n```\nThat's it.\n```json\n{\"it's\": 1}\n```\n",
			Args: []string{"curl.exe", "h", "-H", "A: b"}, Codes: "pasted-noise",
		},
		{Name: "cmd.exe in Markdown", Src: "It's\n\n```\ncurl h ^\n -H \"A: b\"\n```\nIt's", Args: []string{"curl", "h", "-H", "A: b"}, Codes: "pasted-noise"},

		{Name: "fish's quote", Src: `curl -d 'it\'s' 'a\\b' h`, Args: []string{"curl", "-d", "it's", `a\b`, "h"}, Codes: "shell-ambiguous"},
		{Name: "a quote of bash", Src: `curl -d 'it'\''s' 'a\\b' h`, Args: []string{"curl", "-d", "it's", `a\\b`, "h"}},
		{Name: "a quote in a here-document", Src: "curl -d @- h <<E\n'it\\'s'\nE", Args: []string{"curl", "-d", "@-", "h"}},
		{Name: "a backslash at the end", Src: `curl -d 'a\' 'b\'c h`, Args: []string{"curl", "-d", `a\`, `b\c`, "h"}},
	} {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, split) })
	}
}

// Spans refer to the text as pasted.
func TestDecodeSpans(t *testing.T) {
	src := `curl &quot;h?a&amp;b&quot; -d $X`
	r := Split(src, Auto, nil, meter.New(len(src), meter.Limits{}, nil), nil)
	args := r.Commands[0].Args
	for i, want := range []string{"curl", "&quot;h?a&amp;b&quot;", "-d", "$X"} {
		if got := src[args[i].Span.Start:args[i].Span.End]; got != want {
			t.Errorf("word %d stands at %q, want %q", i, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`curl -H &quot;A: b&#39; -d &quot;{&lt;a&gt;&amp;&quot;`)
	f.Add("set -gx A 'b\\'c'\ncurl (x) \"`$A\" 'it\\'s'")
	f.Fuzz(func(t *testing.T, src string) {
		for _, d := range []Dialect{Auto, POSIX, Cmd, PowerShell} {
			r := Split(src, d, nil, meter.New(len(src), meter.Limits{}, nil), nil)
			for _, c := range r.Commands {
				if c.Span.Start < 0 || c.Span.End < c.Span.Start || int(c.Span.End) > len(src) {
					t.Errorf("%q: the command %v", src, c.Span)
				}
				for _, w := range c.Args {
					if w.Span.Start < 0 || w.Span.End < w.Span.Start || int(w.Span.End) > len(src) {
						t.Errorf("%q: the word %q at %v", src, w.Text, w.Span)
					}
				}
			}
		}
	})
}
