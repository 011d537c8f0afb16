package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"uncoil/internal/engine/fault"
)

func TestCommands(t *testing.T) {
	for _, test := range []struct {
		name string
		kind Kind
		src  string
		want []string
	}{
		{"fence", Markdown, "Use curl -d x h:\n\n```bash\ncurl h \\\n  -d 'a\n\nb' | jq .\necho curl x\n```\n\ncurl is nice\n", []string{"curl h \\\n  -d 'a\n\nb'"}},
		{"fence without a language", Markdown, "~~~\n$ curl h\n{}\n~~~\n", []string{"curl h"}},
		{"fence in a list", Markdown, "1. Do\n   ```sh\n   curl h -d '{\n     \"a\": 1}'\n   ```\n", []string{"curl h -d '{\n  \"a\": 1}'"}},
		{"fence in a quotation", Markdown, "> ```sh\n> curl h \\\n>   -d x\n> ```\ncurl -d y h\n", []string{"curl h \\\n  -d x", "curl -d y h"}},
		{"longer fence", Markdown, "````md\n```\ncurl -d x h\n```\n````\n", []string{"curl -d x h"}},
		{"other language", Markdown, "```python\n# curl and more\nos.system('curl h')\n```\n```json\n\"curl h\"\n```\n", nil},
		{"backticks", Markdown, "Run `curl http://h/a`, not `curl -d` nor `curl` nor ``curl -d '`' h.test``.\n", []string{"curl http://h/a", "curl -d '`' h.test"}},
		{"indented", Markdown, "Text\n\n    curl -d x h\n\n    curl can do that\n", []string{"curl -d x h"}},
		{"element", Markdown, "<pre><code>curl &#39;h?a=1&amp;b=2&#39;</code></pre>\n", []string{"curl 'h?a=1&b=2'"}},
		{"powershell", Markdown, "```powershell\ncurl.exe h `\n  -d x\nls\n```\n", []string{"curl.exe h `\n  -d x"}},
		{"page", HTML, "<p>curl -d x h</p><pre class='a'><span>curl</span> \"h\"<br> -d 'x &lt; y'</pre><code>curl http://i</code>", []string{"curl \"h\"\n -d 'x < y'", "curl http://i"}},
		{"capitals of a style", HTML, "<pre>curl -X <b style=\"text-transform: uppercase;\">put</b> http://h/a</pre>", []string{"curl -X PUT http://h/a"}},
		{"bash history", History, "#1700000000\ncurl h -d x; ls\nls\nsudo curl i\nman curl \n", []string{"curl h -d x", "curl i"}},
		{"zsh history", History, ": 1700000000:0;curl h \\\\\n -d x\n: 1700000001:0;ls\n", []string{"curl h \\\n -d x"}},
		{"fish history", History, "- cmd: curl h -d x\n  when: 1\n", []string{"curl h -d x"}},
		{"script", Script, "#!/bin/sh\nset -e\nif ! curl -f h; then exit 1; fi\nx=$(curl -s \"h/$1\" | jq .)\ny=`curl i`\nget() { curl j; }\napt-get install curl -y\ncommand -v curl >/dev/null\n",
			[]string{"curl -f h", "curl -s \"h/$1\"", "curl i", "curl j"}},
		{"input", Script, "echo '{}' | curl -d @- h\ncat f | curl -d @- h\ncurl -d @- h <<EOF | jq\n{}\nEOF\nls\n",
			[]string{"echo '{}' | curl -d @- h", "curl -d @- h", "curl -d @- h <<EOF | jq\n{}\nEOF"}},
		{"unquoted ampersand", Script, "curl http://h/?a=1&b=$B&c -d x\ncurl -d a=1&b=2 http://h\ncurl http://h/?a&pretty; ls\ncurl http://h/?a=${A}&b=${B:-x y}\ncurl h/?a&curl i\ncurl h & wait\ncurl h/?a&& ls\ncurl 'h?a'&b=1\n",
			[]string{"curl http://h/?a=1&b=$B&c -d x", "curl -d a=1&b=2", "curl http://h/?a&pretty", "curl http://h/?a=${A}&b=", "curl h/?a", "curl i", "curl h", "curl h/?a", "curl 'h?a'"}},
		{"dockerfile", Script, "FROM x\nRUN apt-get install -y curl git && \\\n  curl -fsSL https://h/a | sh\nHEALTHCHECK CMD curl -f http://h\n", []string{"curl -fsSL https://h/a", "curl -f http://h"}},
		{"binary", Text, "\x7fELF\x00\ncurl http://h\n", nil},
		{"other programs", Script, "kubectl exec -it pod -- curl h\nincus exec v1 -- curl i\nbash -c 'curl -d x h'\nCMD='curl h'\n@curl -s h\n", []string{"curl h", "curl i", "bash -c 'curl -d x h'", "curl -s h"}},
		{"log", Text, "2026-01-01T00:00:00Z + curl -s http://h\ncurl: (6) Could not resolve\nINFO: curl http://h/2\nuse curl -s http://x to see\n", []string{"curl -s http://h", "curl http://h/2"}},
		{"comments", Text, "// curl -d x http://h\n * curl http://h \\\n *  -d x\n# curl is used\n", []string{"curl -d x http://h", "curl http://h \\\n  -d x"}},
		{"forgotten backslash", Text, "curl http://h/\n  -H 'A: b'\n", []string{"curl http://h/\n  -H 'A: b'"}},
		{"unclosed", Markdown, "```sh\ncurl h -d 'x\n```\n\nit's\n", []string{"curl h -d 'x"}},
		{"notebook", Notebook, `{"cells": [{"cell_type": "code", "source": ["!curl http://h \\\n", "  -d '{\"a\": 1}'\n", "x = 1\n", "got = !curl http://k\n", "y != curl"]},
			{"cell_type": "markdown", "source": "a\n` + "```" + `sh\ncurl i\n` + "```" + `"}, {"cell_type": "code", "source": ["%%bash\n", "curl j"]}]}`,
			[]string{"curl http://h \\\n  -d '{\"a\": 1}'", "curl http://k", "curl i", "curl j"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, texts(t, test.src, test.kind)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// texts returns the commands in a text.
func texts(t *testing.T, src string, kind Kind) (got []string) {
	t.Helper()
	found, err := Commands(src, kind)
	if err != nil {
		t.Fatal(err)
	}
	for i := range found {
		got = append(got, found[i].Text)
	}
	return got
}

// Places are those of the original text.
func TestPlaces(t *testing.T) {
	const src = "é <b>x</b>\n<pre>$ <i>curl</i> 'h?a=1&amp;b' -X</pre>"
	found, _ := Commands(src, HTML)
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	c := &found[0]
	if src[c.Start:c.End] != "curl</i> 'h?a=1&amp;b' -X" && src[c.Start:c.End] != "<i>curl</i> 'h?a=1&amp;b' -X" {
		t.Errorf("it is %q", src[c.Start:c.End])
	}
	if c.Line != 2 {
		t.Errorf("it is at %d:%d", c.Line, c.Column)
	}
	if at := c.Offset(strings.Index(c.Text, "-X")); src[at:at+2] != "-X" {
		t.Errorf("-X is at %q", src[at:])
	}
}

func TestKindOf(t *testing.T) {
	for name, want := range map[string]Kind{
		"a/README.md": Markdown, "x.HTML": HTML, ".bash_history": History, "home/fish_history": History, "a.ipynb": Notebook,
		"Dockerfile": Script, "a.phtml": HTML, "x.md.erb": Markdown, "a.Dockerfile.j2": Script, "ci.yml": YAML, "a.sh": Script, "a.txt": Auto, "LICENSE": Auto, "a.go": Text, "a.rst": RST,
	} {
		if got := KindOf(name); got != want {
			t.Errorf("%s is of kind %d, want %d", name, got, want)
		}
	}
	for src, want := range map[string]Kind{
		"#!/bin/sh\n": Script, " {\"cells\": []}": Notebook, "<!DOCTYPE html>": HTML, ": 1700000000:0;ls\n": History, "#1700000000\nls\n": History,
		"# A\n\n```\nx\n```\n": Markdown, "plain": Text, "": Text, ":": Text, ": 1:": Text,
	} {
		if got := look(src); got != want {
			t.Errorf("%q looks like kind %d, want %d", src, got, want)
		}
	}
}

// The work is bounded by a multiple of the length, whatever is repeated.
func TestLinear(t *testing.T) {
	length := 100_000
	if testing.Short() {
		length = 30_000
	}
	for _, part := range []string{
		"curl h -d '\n", "curl \"\n", "`curl http://h", "```\ncurl h\n", "<pre>curl &amp; h", "> ```\n> curl $(\n", "curl h <<A\n", "x|curl -d @- h\n", "bash -c 'curl \"\n",
		"a: >\n  curl \"\n", "- \"curl", "- 'curl \\\n", "a: [\"curl h\", ", "\"curl \\u0041", "x::\n\n  curl h\n", "----\ncurl '\n", "# curl http://h \\\n", "x \\\n", "`$(\"curl h ",
		"curl ", "curl -s http://h ", "<code", "    curl -d x h (\n", "curl h\n-d x\n", "<pre>", "/curl -d x h", "- `curl",
	} {
		for kind := Text; kind <= Makefile; kind++ {
			s := newScanner(strings.Repeat(part, length/len(part)))
			s.scan(kind)
			if work, _ := s.meter.Spent(); work > int64(maxVain+96)*int64(length+window) {
				t.Errorf("%q of kind %d takes %d steps for a byte", part, kind, work/int64(length))
			}
		}
	}
}

func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		"```sh\ncurl h -d 'x\n```\n", "> ~~~\n> curl \"h\"\n", "<pre>curl &amp;<b> h</pre>", ": 1:0;curl h \\\\\n x\n", `{"cells":[{"source":["!curl h\ud83d\ude00","\\"]}]}`,
		"`curl http://h`", "echo x | curl -d @- h <<E\nE\n", "bash -c \"curl h\"\n", "# curl -d x h.test\n",
	} {
		for kind := Auto; kind <= Makefile; kind++ {
			f.Add(seed, uint8(kind))
		}
	}
	f.Fuzz(func(t *testing.T, src string, kind uint8) {
		found, err := Commands(src, Kind(kind%uint8(Makefile+1)))
		if f := fault.Of(err); f != nil {
			t.Fatalf("a panic: %s\n%s", f.What, f.Stack)
		}
		if err != nil && len(src) < 1<<16 {
			t.Errorf("%v", err)
		}
		last := 0
		for i := range found {
			c := &found[i]
			if c.Start < last || c.End < c.Start || c.End > len(src) || c.Line < 1 || c.Column < 1 {
				t.Fatalf("%q: %d to %d after %d, at %d:%d", c.Text, c.Start, c.End, last, c.Line, c.Column)
			}
			last = c.Start
			for k := range len(c.Text) + 1 {
				if at := c.Offset(k); at < 0 || at > len(src) {
					t.Fatalf("%q: byte %d is at %d", c.Text, k, at)
				}
			}
		}
	})
}
