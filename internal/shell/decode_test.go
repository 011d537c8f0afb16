package shell

import (
	"testing"

	"uncoil/diag"
)

func TestDecode(t *testing.T) {
	split := func(src string, env map[string]string) ([]Command, diag.List) {
		r := Split(src, Auto, env)
		return r.Commands, r.Diags
	}
	for _, c := range []splitCase{
		{name: "quotes", src: `curl -H &quot;A: b&quot; -d &#39;{&quot;a&quot;:1}&#39; http://h/?a=1&amp;b=&lt;x&gt;`, args: nil, want: nil},
		{name: "double quotes", src: `curl -H &quot;A: b&quot; h`, args: []string{"curl", "-H", "A: b", "h"}, codes: "pasted-noise"},
		{name: "single quotes", src: `curl -H &#39;A: b&#x27; &apos;h?a=1&amp;b=2&apos;`, args: []string{"curl", "-H", "A: b", "h?a=1&b=2"}, codes: "pasted-noise"},
		{name: "JSON", src: `curl -d '{&quot;a&quot;:&quot;b&quot;}' h`, args: []string{"curl", "-d", `{"a":"b"}`, "h"}, codes: "pasted-noise"},
		{name: "cmd.exe", src: `curl ^&quot;h^&quot; ^` + "\n -d ^&quot;a^&amp;b^&quot;", args: []string{"curl", "h", "-d", "a&b"}, codes: "pasted-noise"},
		{name: "data", src: `curl -d 'a=&quot;b&quot;' h`, args: []string{"curl", "-d", "a=&quot;b&quot;", "h"}},
		{name: "a URL in quotes", src: `curl "h?a=1&amp;b=2"`, args: []string{"curl", "h?a=1&amp;b=2"}},
		{name: "both quotes", src: `curl -d "&quot;" -d &quot;x`, args: nil},

		{
			name: "PowerShell in Markdown", src: "It's so:\n```powershell\ncurl.exe h `\n  -H 'A: b'\n```\nThat's it.\n```json\n{\"it's\": 1}\n```\n",
			args: []string{"curl.exe", "h", "-H", "A: b"}, codes: "pasted-noise",
		},
		{name: "cmd.exe in Markdown", src: "It's\n\n```\ncurl h ^\n -H \"A: b\"\n```\nIt's", args: []string{"curl", "h", "-H", "A: b"}, codes: "pasted-noise"},

		{name: "fish's quote", src: `curl -d 'it\'s' 'a\\b' h`, args: []string{"curl", "-d", "it's", `a\b`, "h"}, codes: "shell-ambiguous"},
		{name: "a quote of bash", src: `curl -d 'it'\''s' 'a\\b' h`, args: []string{"curl", "-d", "it's", `a\\b`, "h"}},
		{name: "a backslash at the end", src: `curl -d 'a\' 'b\'c h`, args: []string{"curl", "-d", `a\`, `b\c`, "h"}},
	} {
		if c.args == nil {
			if r := Split(c.src, Auto, nil); !r.Declined {
				t.Errorf("%s: %q", c.src, texts(r.Commands))
			}
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.run(t, split) })
	}
}

// Places are those in the text as pasted.
func TestDecodeSpans(t *testing.T) {
	src := `curl &quot;h?a&amp;b&quot; -d $X`
	r := Split(src, Auto, nil)
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
			r := Split(src, d, nil)
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
