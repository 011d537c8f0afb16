package posix

import (
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/word"
	"uncoil/internal/proof/shelltest"
)

// readText reads a text with a meter of its own.
func readText(src string, env map[string]string) ([]word.Command, diag.List) {
	return Read(src, env, meter.New(len(src), meter.Limits{}, nil), nil)
}

func TestRead(t *testing.T) {
	for _, c := range []shelltest.Case{
		{Name: "words", Src: "curl a 'b c' \"d \\\"e\\\" $\" f\\ g $'h\\ti' ''", Args: []string{"curl", "a", "b c", `d "e" $`, "f g", "h\ti", ""}},
		{Name: "lines", Src: "curl a \\\n b\\\nc\ncurl d # e's\n# f's\n", Want: [][]string{{"curl", "a", "bc"}, {"curl", "d"}}},
		{Name: "carriage returns", Src: "curl a \\\r\n 'b\r\nc'\r\ncurl d\r\n", Want: [][]string{{"curl", "a", "b\r\nc"}, {"curl", "d"}}},
		{Name: "a blank behind the backslash", Src: "curl a \\ \n b", Args: []string{"curl", "a", "b"}, Codes: "pasted-noise"},
		{Name: "a backslash at the end", Src: "curl a \\", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a no-break space", Src: "curl\u00a0a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "typographic quotes", Src: "curl -H “A: b” ‘c d’ e’s", Args: []string{"curl", "-H", "A: b", "c d", "e’s"}, Codes: "unicode-quote unicode-quote"},
		{Name: "a prompt", Src: "$ curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a prompt with a host", Src: "me@host:~/dir$ curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a prompt in brackets", Src: "[me@host dir]# curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "an environment", Src: "(venv) me@host ~ % curl a", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{
			Name: "a session", Src: "$ curl a\n{\"it's\": 1}\n\n$ curl b\nHTTP/1.1 200 OK\ncurl: (6) it's\n",
			Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise pasted-noise",
		},
		{Name: "one prompt for all", Src: "$ curl a\ncurl b", Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise"},
		{Name: "a fence", Src: "```bash\ncurl a\n```\n", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{
			Name: "an answer in Markdown",
			Src:  "Here's how:\n\n```bash\ncurl a\n```\n\nThat's it. It prints\n\n```json\n{\"it's\": 1}\n```\n\nThen:\n  ```sh\n  curl b\n  ```\nIt's done.\n",
			Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise pasted-noise",
		},
		{Name: "backticks", Src: " `curl a` ", Args: []string{"curl", "a"}, Codes: "pasted-noise"},
		{Name: "a fence in data", Src: "curl -d '\n```\nx\n```\n' a", Args: []string{"curl", "-d", "\n```\nx\n```\n", "a"}},
		{Name: "output that the shell would refuse", Src: "curl a\n<!DOCTYPE html>\ncurl: (7) it's down\ncurl b", Want: [][]string{{"curl", "a"}, {"curl", "b"}}, Codes: "pasted-noise"},
		{Name: "a curl command that the shell would refuse", Src: "curl a\ncurl 'b", Want: nil, Codes: "unterminated-quote"},
		{Name: "a backslash in the line", Src: "curl a \\ -H 'b: c' \\ --data d", Args: []string{"curl", "a", "-H", "b: c", "--data", "d"}, Codes: "pasted-noise pasted-noise"},
		{Name: "a line without its backslash", Src: "curl -H 'b: c'\n  -X PUT http://a\n  -d x", Want: [][]string{{"curl", "-H", "b: c", "-X", "PUT", "http://a", "-d", "x"}}, Codes: "pasted-noise pasted-noise"},
		{Name: "placeholders", Src: "curl -u <user>:<pw> http://<your id>/{{ .Name }}/${{ a.B }} < in > out", Args: []string{"curl", "-u", "<user>:<pw>", "http://<your id>/{{ .Name }}/${{ a.B }}"}},
		{Name: "redirections", Src: "curl -d @- <in.json>out.json a", Args: []string{"curl", "-d", "@-", "a"}},
		{Name: "unterminated", Src: "curl 'a", Want: nil, Codes: "unterminated-quote"},
	} {
		t.Run(c.Name, func(t *testing.T) { c.Run(t, readText) })
	}
}

func FuzzRead(f *testing.F) {
	for _, src := range []string{
		"$ curl -H “A: b” 'c d' \"e $f ${g}\" $'h\\x41' i\\ j {k} \\ \n l \\", "```sh\ncurl a # b\n```\nIt's\n```\ncurl c", "# curl a \\\n b\u00a0c\r\n> curl d",
		"me@host:~$ curl a\n{\n\n$ A=b curl c\n",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		cmds, diags := readText(src, map[string]string{"A": "x"})
		shelltest.CheckBounds(t, src, cmds, diags)
	})
}
