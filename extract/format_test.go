package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each format has its own blocks: a command is what its reader makes of the text, and
// ends where the block ends.
func TestFormats(t *testing.T) {
	for _, test := range []struct {
		name string
		kind Kind
		src  string
		want []string
	}{
		{"literal scalar", YAML, "run: |\n  set -e\n  curl h \\\n    -d 'a\n    b'\n  ls\nnext: curl is a program\n", []string{"curl h \\\n  -d 'a\n  b'"}},
		{"words of a container", YAML, "test: [\"CMD\", \"curl\", \"-f\", \"http://h/a b?x=1&y=$P\"]\ncommand: [/usr/bin/curl, -d, 'its a', http://h]\nother: [curl, [http://h/no]]\nlist: [curl, wget\ntags: [\"curl\"]\nentrypoint: [ \"curl\",\n  \"http://h/c\" ]\n",
			[]string{`curl -f "http://h/a b?x=1&y=$P"`, `/usr/bin/curl -d 'its a' http://h`, "curl http://h/c"}},
		{"folded scalar", YAML, "curl: >\n  curl http://h/a\n  -H 'A: b'\n\n  curl http://h/b\nother: >-\n  curl\n  http://h/c\n", []string{"curl http://h/a -H 'A: b'", "curl http://h/b", "curl http://h/c"}},
		{"blank lines of a folded scalar", YAML, "curl: >\n  curl http://h \\\n\n  -d x\n\n\n    -d y\n", []string{"curl http://h \\\n-d x"}},
		{"deeper lines of a folded scalar stay", YAML, "curl: >\n  curl http://h/a \\\n    -H 'A: b'\n", []string{"curl http://h/a \\\n  -H 'A: b'"}},
		{"quoted scalars", YAML, "a: \"curl http://h -d '{\\\"a\\\": 1}'\"\nb: 'curl http://h -d ''x'''\nc: \"curl http://h \\\n  -d x\"\nd: \"curl\n  http://h\"\n",
			[]string{"curl http://h -d '{\"a\": 1}'", "curl http://h -d 'x'", "curl http://h -d x", "curl http://h"}},
		{"plain scalars", YAML, "- run: curl http://h\n    -d x\n- curl -s http://i\n- shell: curl -s http://j\n- name: curl\n", []string{"curl http://h -d x", "curl -s http://i", "curl -s http://j"}},
		{"plain scalar below its name", YAML, "- run:\n    curl -s\n      http://h -d x\n  a: b\n- run:\n  curl http://i\n", []string{"curl -s http://h -d x", "curl http://i"}},
		{"list of strings", YAML, "test: [\"CMD-SHELL\", \"curl -f http://h || exit 1\"]\n", []string{"curl -f http://h"}},
		{"list over lines", YAML, "a: [\n  \"x\", # [\n  \"curl http://h\"\n]\nb: {\n  run: 'curl -d '']'' i' }\nc: [ curl\nd: curl http://j\n", []string{"curl http://h", "curl -d ']' i", "curl http://j"}},
		{"fence of another shell than its text", Markdown, "```powershell\ncurl 'http://h/a' \\\n--header 'A: b'\n```\n```cmd\ncurl http://h/b ^\n  -d x\n```\n", []string{"curl 'http://h/a' \\\n--header 'A: b'", "curl http://h/b ^\n  -d x"}},
		{"what a diff leaves", Markdown, "```diff\n- curl http://h/v1 \\\n-  -d x\n+ curl http://h/v2 \\\n+  -d x \\\n   -H 'A: b'\n```\n", []string{"curl http://h/v2 \\\n  -d x \\\n  -H 'A: b'"}},
		{"comments that pages do not show", Markdown, "```sh\ncurl http://h \\\n  # highlight-next-line\n  -H 'A: b' \\ # [!code highlight]\n<!-- highlight-start -->\n  -d 'highlight-end'\n```\n", []string{"curl http://h \\\n  -H 'A: b' \\\n  -d 'highlight-end'"}},
		{"code in a row of a table", Markdown, "| a | b |\n|---|---|\n| x | `curl http://h -d 'a\\|b'` |\n\nUse `curl http://i -d 'a\\|b'`.\n", []string{"curl http://h -d 'a|b'", "curl http://i -d 'a\\|b'"}},
		{"template literals", Markdown, "<Code>{`$ curl http://h \\\\\n  -d '\\${x}'`}</Code>\n\n<A>{`curl http://i \\\\\n  -d x`}</A>\n", []string{"curl http://h \\\n  -d '${x}'", "curl http://i \\\n  -d x"}},
		{"template literal of a component", Text, "const a = <A>{`$ curl http://h \\\\\n  -d x`}</A>\n", []string{"curl http://h \\\n  -d x"}},
		{"raw string of a program", Text, "x := `\ncurl -H \"A: $B\" $H/a`,\n\tc,\n\t`y`\n", []string{"curl -H \"A: $B\" $H/a"}},
		{"prompt in a comment", Text, "// % curl 'http://h' \\\n//   -H 'A: b'\nx = 1\n", []string{"curl 'http://h' \\\n   -H 'A: b'"}},
		{"prompts of Windows", Markdown, "```\nPS C:\\Users\\x> curl.exe -H \"A: b\" http://h/a `\n  -d x\nC:\\>curl http://h/b\nC:\\> curl http://h/c \\\n  -d x\n```\n", []string{"curl.exe -H \"A: b\" http://h/a `\n  -d x", "curl http://h/b", "curl http://h/c \\\n  -d x"}},
		{"messages", Gettext, "#. curl http://no\nmsgid \"\"\n\"Use ``curl http://h/a -d \"\n\"'{\\\"a\\\": 1}'``.\"\nmsgstr[0] \"curl http://h \\\\\\n\"\n\"  -d x\\n\"\n", []string{"curl http://h/a -d '{\"a\": 1}'", "curl http://h \\\n  -d x"}},
		{"description", YAML, "description: |\n  Use `curl http://h/a`. curl is fine.\n\n  ```sh\n  curl h\n  ```\n", []string{"curl http://h/a", "curl h"}},
		{"comment", YAML, "# curl http://h \\\n#   -d x\na: 1\n", []string{"curl http://h \\\n   -d x"}},
		{"carriage returns", YAML, "a:\r\n  run: |\r\n    curl h\r\n  b: \r\n", []string{"curl h"}},
		{"strings", JSON, `{"x": "curl http://h \\\n  -d '{\"a\": 1}'\nls", "y": ["curl is", "Call ` + "`curl http://i`" + ` or\n` + "```" + `\ncurl j.test\n` + "```" + `"], "curl http://no": 1}`,
			[]string{"curl http://h \\\n  -d '{\"a\": 1}'", "curl http://i", "curl j.test"}},
		{"fence of JSON", Markdown, "```json\n{\"start\": \"curl http://h?a=\\\"b\\\"\"}\n```\n", []string{`curl http://h?a="b"`}},
		{"literal blocks", RST, "Use ``curl http://h/a`` or::\n\n    curl h.test \\\n      -d 'x\n\n    y'\n\ncurl is nice\n\n.. code-block:: bash\n   :caption: x\n\n   $ curl i -d 'open\n\nNo more.\n\n.. note::\n   run ``curl http://j``\n",
			[]string{"curl http://h/a", "curl h.test \\\n  -d 'x\n\ny'", "curl i -d 'open", "curl http://j"}},
		{"listings", AsciiDoc, "Use `curl http://h/a` or `+curl http://h/b+`.\n\n.Title\n[source,bash]\n----\ncurl h -d 'open\n----\n\nit's\n\n....\n$ curl i\n....\n\n```sh\ncurl j\n```\n",
			[]string{"curl http://h/a", "curl http://h/b", "curl h -d 'open", "curl i", "curl j"}},
		{"comments and raw text", AsciiDoc, "////\n----\ncurl h -d 'open\n////\n\nit's\n\n++++\n----\n<pre>curl 'http://h?a&amp;b'</pre>\n++++\n\n----\ncurl http://i\n----\n", []string{"curl 'http://h?a&b'", "curl http://i"}},
		{"comments and raw text", RST, ".. a\n   b::\n\n     curl http://h\n\n.. raw:: html\n\n   <pre>curl 'http://h?a&amp;b'</pre>\n   a::\n\n     curl j\n", []string{"curl http://h", "curl 'http://h?a&b'"}},
		{"fences that do not close", Markdown, "````sh\ncurl h -d 'a\n```\n    ````\nb'\n````\n", []string{"curl h -d 'a\n```\n    ````\nb'"}},
		{"callouts", AsciiDoc, "----\ncurl http://h \\ <1>\n  -d '\\{a\\}' <2>\n----\n\n[source,bash,subs=\"attributes+\"]\n----\ncurl $\\{H\\}/a <.>\n----\n", []string{"curl http://h \\\n  -d '\\{a\\}'", "curl ${H}/a"}},
		{"callouts in comments", AsciiDoc, "----\ncurl http://h \\ //<2>\n  -d '{ \"a\": 1, // <3>\n}' # <4>\n----\n", []string{"curl http://h \\\n  -d '{ \"a\": 1,\n}'"}},
		{"annotations", Markdown, "```sh\ncurl http://h \\ # (1)\n  -d x \\  # (2)!\n  -d '#(3)'\n```\n", []string{"curl http://h \\\n  -d x \\\n  -d '#(3)'"}},
		{"recipes", Makefile, "a:\n\t@curl http://h/$$A -d '$(B)'\nX := $(shell curl -s http://i)\n\t$(E)curl http://j/$$A$$\n", []string{"curl http://h/$A -d '$(B)'", "curl -s http://i", "curl http://j/$A$"}},
		{"packages", Script, "RUN apt-get install -y \\\n    curl \\\n    gcc\nRUN apk add curl gcc\nRUN set -x \\\n  # note\n  && curl http://h \\\n  && echo\nRUN \\\n  curl http://i\n",
			[]string{"curl http://h", "curl http://i"}},
		{"packages in a fence", Markdown, "```\napt install \\\n  curl \\\n  jq\n```\n```sh\ncurl jq git\n```\n", nil},
		{"backquotes over lines", Script, "x=`cat a | curl -d @- http://h/a`\ny=`curl http://h/b \\\n  -d x`\nz=1\n", []string{"curl -d @- http://h/a", "curl http://h/b \\\n  -d x"}},
		{"URL on a line of its own", Markdown, "```sh\ncurl -X POST -H 'A: b'\n  http://h/a\n  -d x\ncurl -s http://i\n  http://j\n```\n", []string{"curl -X POST -H 'A: b'\n  http://h/a\n  -d x", "curl -s http://i"}},
		{"assignments before it", Script, "A=\"`cat f`\" \\\nB='x y' \\\ncurl http://h\n", []string{"curl http://h"}},
		{"substitutions", Script, "a=\"$(curl \"http://h/$X\")\"\nfoo ${A} | curl http://i\nkubectl exec ${P} -- curl http://j\ncase x in a) curl http://k;; esac\necho 'curl http://no'\nx=1 # curl http://no\nrun curl -s http://l\ndocker exec \"$C\" curl -s http://m\nbash -c \"cd x && curl http://n\"\n",
			[]string{"curl \"http://h/$X\"", "curl http://i", "curl http://j", "curl http://k", "curl -s http://l", "curl -s http://m", "bash -c \"cd x && curl http://n\""}},
		{"unit and table", Script, "[Service]\nExecStart=/usr/bin/curl http://h\nExecStartPre=-curl http://i\n*/5 * * * * curl http://j\n@daily curl http://k\n", []string{"/usr/bin/curl http://h", "curl http://i", "curl http://j", "curl http://k"}},
		{"comments", Text, "//! curl http://h\n/// Get: X=$(curl -s 'http://i' | jq)\n# `curl http://j` does it\n/* curl http://k */\n-- curl http://l -d '{\n--   \"a\": 1}'\n",
			[]string{"curl http://h", "curl -s 'http://i'", "curl http://j", "curl http://k", "curl http://l -d '{\n   \"a\": 1}'"}},
		{"prompt of root", RST, "::\n\n    # curl -o f \\\n        http://h\n", []string{"curl -o f \\\n    http://h"}},
		{"quote of a line before", Script, "echo '{\n  \"a\": 1\n}' | curl http://h -d @-\nx='a\nb' && curl http://i\nV=${W:-$(curl http://j | jq)}\n", []string{"curl http://h -d @-", "curl http://i", "curl http://j"}},
		{"options of a container", Script, "kubectl exec a \\\n  -- sh -c \"apk add curl && curl http://h\"\n", []string{"sh -c \"apk add curl && curl http://h\""}},
		{"ssh", Script, "$ ssh -i k a@h \\\n  curl -s http://h | head\n", []string{"curl -s http://h"}},
		{"prompts", Markdown, "```\nroot# curl http://h\n```\n```bash\n~ curl http://i\n```\n```\nshell> $ curl http://j\n```\n", []string{"curl http://h", "curl http://i", "curl http://j"}},
		{"commands that run text", Script, "parallel --pipe 'curl http://h -d @{}'\nlog 'curl http://no'\n", []string{"curl http://h -d @{}"}},
		{"command in a fence of JSON", Markdown, "```json\n% curl http://h | jq\n{\"a\": 1}\n```\n", []string{"curl http://h"}},
		{"prompts of further lines", Markdown, "```\n$ curl http://h \\\n> -d 'a\n> b'\nout\n```\n", []string{"curl http://h \\\n-d 'a\nb'"}},
		{"strings of programs", Text, "x = \"RUN curl http://h \\\\\n  -d x\\n\"\ny = \"$ curl http://no\" + \" -d x\"\n", nil},
		{"text of programs", Text, "    RUN \\\n      curl http://h \\\\\n        -d x\n", []string{"curl http://h \\\n        -d x"}},
		{"lines of a shell in other text", Text, "X=$(curl -s \"http://h\" | jq)\nY=`curl http://m | jq`\nfor i in 1 2; do curl http://i; done\ndocker exec a curl http://j\nbash -c 'x=$(curl http://k); y'\nsee $(curl http://l)\n", []string{"curl -s \"http://h\"", "curl http://m", "curl http://i", "curl http://j", "bash -c 'x=$(curl http://k); y'"}},
		{"comment of markup", Text, "<!-- Try: curl http://h -->\n", []string{"curl http://h"}},
		{"wrapped comment", Text, "// curl -X PUT http://h -H\n// \"A: b\"\n// curl -X POST\n// \"http://h\"\n// curl http://i\n// -d x\n", []string{"curl http://i"}},
		{"wrapped comment with a URL in its data", Text, " * curl -X POST -d '{\"a\": \"localhost:80\"}'\n * http://h/a\n * curl -d \"a@h.test\"\n * http://h/a\n", nil},
		{"URL below data that has one", Text, "\tcurl -H 'A: b'\n\t--data '{\"a\": \"http://b:'$C'\"}'\n    http://h/a\n", []string{"curl -H 'A: b'\n\t--data '{\"a\": \"http://b:'$C'\"}'\n    http://h/a"}},
		{"brackets of a log", JSON, `{"log": "info: Exec[mkdir -p /a ; curl -f http://h/b -o c d]/returns: executed [0]"}`, []string{"curl -f http://h/b -o c d"}},
		{"code over two lines", Markdown, "Run `curl -o-\nhttp://h/a | sh` or\n\n<A>\n{`x\ncurl 'http://h/b'`}\n</A>\n", []string{"curl -o- http://h/a", "curl 'http://h/b'"}},
		{"string of a program within a sentence", Markdown, "See `'os.popen(\"curl -O http://h/a\").read()'`.\n", []string{"curl -O http://h/a"}},
		{"where curl is", Script, "x=\"$(if command -v curl; then echo 'curl -s -o f'; fi)\"\ncommand -pv curl http://no\n", nil},
		{"listing", Text, "curl http://h\n----\n", []string{"curl http://h"}},
		{"no URL in the words of options", Markdown, "`curl -F a=\"http://h\"`, `curl -sSLo http://h -e i.test`, `curl <https://h>`, `curl POST http://h`\n", []string{"curl -sSLo http://h -e i.test", "curl POST http://h"}},
		{"sentences", Markdown, "curl 8.5.0 was released\n```sh\ncurl 18 transfer closed\n```\ncurl http://h and see\ncurl failed to verify\n`TOKEN=$(curl http://i | jq)`\n", []string{"curl http://i"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := Commands(test.src, test.kind)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			last := -1
			for i := range found {
				c := &found[i]
				got = append(got, c.Text)
				// Each byte of a command stands in the text, in order.
				for k := range c.Text {
					if at := c.Offset(k); at < last || at >= len(test.src) {
						t.Errorf("%q: byte %d is at %d after %d", c.Text, k, at, last)
					} else if last = at; c.Text[k] != test.src[at] && c.Text[k] > ' ' && test.src[at] != '\\' && test.src[at] != '\'' {
						t.Errorf("%q: byte %d is %q in the text", c.Text, k, test.src[at:])
					}
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
