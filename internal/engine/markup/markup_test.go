package markup

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// described returns the blocks of a text: kind, language, and content with | for the ends of
// lines.
func described(text string, f Format) (all []string) {
	for b := range Blocks(text, f, func(int) bool { return true }) {
		kind := map[Kind]string{Code: "code", Comment: "comment", Raw: "raw"}[b.Kind]
		if b.Quoted {
			kind += " quoted"
		}
		if b.Indent > 0 {
			kind += fmt.Sprint(" in ", b.Indent)
		}
		if b.Attributes {
			kind += " attributes"
		}
		all = append(all, strings.TrimSpace(kind+" "+b.Language)+": "+strings.ReplaceAll(text[b.Start:b.End], "\n", "|"))
	}
	return all
}

func TestBlocks(t *testing.T) {
	for _, test := range []struct {
		name   string
		format Format
		text   string
		want   []string
	}{
		{"longer fence", Markdown, "````md\n```\na\n```\n````\nb\n", []string{"code md: ```|a|```|"}},
		{"shorter fence", Markdown, "````\na\n```\nb\n", []string{"code: a|```|b|"}},
		{"longer end", Markdown, "```\na\n`````\nb\n", []string{"code: a|"}},
		{"other mark", Markdown, "```\na\n~~~\n```\n~~~ sh\nb\n~~~~\n", []string{"code: a|~~~|", "code sh: b|"}},
		{"end that is indented by three", Markdown, "```\na\n   ```\nb\n", []string{"code: a|"}},
		{"end that is indented by four", Markdown, "```\na\n    ```\nb\n\t```\n```\nc\n", []string{"code: a|    ```|b|\t```|"}},
		{"end by the margin of a list", Markdown, "1. ```sh\n   a\n      ```\nb\n", []string{"code in 3 sh:    a|"}},
		{"end beyond the margin of a list", Markdown, "1. ```\na\n       ```\nb\n", []string{"code in 3: a|       ```|b|"}},
		{"text behind an end", Markdown, "```\na\n``` b\n- ```\n> ```\n```\n", []string{"code: a|``` b|- ```|> ```|"}},
		{"quotation", Markdown, "> - ~~~ {.Bash title=x}\n> a\n> ~~~\nb\n", []string{"code quoted in 3 bash: > a|"}},
		{"quotation with an end that is indented", Markdown, "> ```\n> a\n>     ```\n>    ```\n", []string{"code quoted in 1: > a|>     ```|"}},
		{"no fences", Markdown, "```a`\n``\n~~\n`` `\n", nil},
		{"carriage returns", Markdown, "```sh\r\na\r\n```\r\nb\r\n", []string{"code sh: a\r|"}},
		{"no end of the text", Markdown, "```", []string{"code: "}},
		{"languages", Markdown, "```bash,x\n```\n```sh{1-3}\n```\n```{r, a}\n```\n```text:a\n```\n", []string{"code bash: ", "code sh: ", "code r: ", "code text: "}},

		{"literal blocks", RST, "a::\n\n   b\n\n   c\n\nd\n\n.. code-block:: Bash\n   :x: y\n\n   e\n.. prompt:: sh\n\n\tf\n  g\n", []string{"code: |   b||   c|", "code bash:    :x: y||   e|", "code sh: |\tf|  g|"}},
		{"comments", RST, ".. a\n   .. code:: sh\n\n      b\nc\n..\n   d::\n\n     e\n", []string{"comment:    .. code:: sh||      b|", "comment:    d::||     e|"}},
		{"no comments", RST, "..\n\n   a::\n\n     b\n.. [1] c\n   d\n.. _e:\n   f\n.. |g| image:: h\n   i\n..j\n   k\n", []string{"code: |     b|"}},
		{"raw", RST, ".. raw:: html\n\n   a::\n\n     b\n.. math::\n   c::\n", []string{"raw: |   a::||     b|", "raw:    c::|"}},
		{"other directives", RST, ".. note:: a::\n\n   b\n.. tip::\n   c::\n\n     d\n.. highlight:: sh\n   e\n", []string{"code: |   b|", "code: |     d|"}},
		{"tabs", RST, "    a::\n\n\tb\n      c\n    d\n", []string{"code: |\tb|      c|"}},

		{"listings", AsciiDoc, "[source,Bash,subs=attributes+]\n.T\n-----\na\n----\n-----\n....\nb\n....\n```sh,x\nc\n```\n", []string{"code attributes bash: a|----|", "code: b|", "code sh: c|"}},
		{"comments and raw text", AsciiDoc, "////\n----\na\n----\n////\n++++\n....\n++++\n----\nb\n", []string{"comment: ----|a|----|", "raw: ....|", "code: b|"}},
		{"no delimiters", AsciiDoc, "---\n----x\n````\n==== \n//// x\n", nil},
		{"a language that is another's", AsciiDoc, "[source,sh]\ntext\n----\na\n----\n", []string{"code: a|"}},
	} {
		if got := described(test.text, test.format); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q\ngot  %q\nwant %q", test.name, test.text, got, test.want)
		}
	}
}

// FuzzBlocks holds that blocks lie in the text, one after the other, and what it costs to
// find them.
func FuzzBlocks(f *testing.F) {
	for _, text := range []string{"> - ```sh\n> a\n```\n", "a::\n\n b\n.. c\n  d\n", "----\na\n----\n////\n"} {
		for format := range AsciiDoc + 1 {
			f.Add(text, uint8(format))
		}
	}
	f.Fuzz(func(t *testing.T, text string, format uint8) {
		at, steps := 0, 0
		for b := range Blocks(text, Format(format)%(AsciiDoc+1), func(n int) bool { steps += n; return true }) {
			if b.From < at || b.Start < b.From || b.End < b.Start || b.To < b.End || b.To > len(text) {
				t.Fatalf("%+v after %d of %q", b, at, text)
			}
			at = b.To
		}
		if most := 20 * (len(text) + 1); steps > most {
			t.Errorf("%d steps for %d bytes", steps, len(text))
		}
		for range Blocks(text, Format(format)%(AsciiDoc+1), func(int) bool { return false }) {
			t.Fatal("a block that nobody has paid for")
		}
	})
}
