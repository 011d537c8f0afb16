package format_test

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/format"
	"uncoil/internal/engine/markup"
)

// long is a command that is laid out, and laid is how.
const (
	long = `curl -X POST https://api.example.com/v1/items -H "Content-Type: application/json" -d '{"a":1}'`
	laid = "curl -X POST https://api.example.com/v1/items \\\n  -H \"Content-Type: application/json\" \\\n  -d '{\"a\":1}'"
)

// behind returns the lines of a text behind a margin.
func behind(margin, text string) string {
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
}

func TestDocument(t *testing.T) {
	for _, test := range []struct {
		name      string
		format    markup.Format
		src, want string
	}{
		{"shells by name", markup.Markdown, "```bash\n" + long + "\n```\n~~~ sh\n" + long + "\n~~~\n", "```bash\n" + laid + "\n```\n~~~ sh\n" + laid + "\n~~~\n"},
		{"other languages stay", markup.Markdown, "```python\n# " + long + "\n```\n```yaml\n" + long + "\n```\n```fish\n" + long + "\n```\n", ""},
		{"a block without a name", markup.Markdown, "```\n" + long + "\n```\n```\noutput of\n" + long + "\n```\n", "```\n" + laid + "\n```\n```\noutput of\n" + long + "\n```\n"},
		{"prose stays, and code within it", markup.Markdown, "It's so that " + long + " is `" + long + "`, isn't it.\n\n" + long + "\n", ""},
		{"a prompt of cmd.exe elsewhere", markup.Markdown, "```bat\nC:\\> quickstart.bat\n```\n```bash\n" + long + "\n```\n", "```bat\nC:\\> quickstart.bat\n```\n```bash\n" + laid + "\n```\n"},
		{"in a list", markup.Markdown, "1. a\n\n   ```sh\n   " + long + "\n\n   echo\n   ```\n", "1. a\n\n   ```sh\n" + behind("   ", laid) + "\n\n   echo\n   ```\n"},
		{"in a quotation", markup.Markdown, "> ```sh\n> " + long + "\n>\n> ```\n", "> ```sh\n" + behind("> ", laid) + "\n>\n> ```\n"},
		{"a session", markup.Markdown, "```console\n$ " + long + "\n" + long + "\n```\n", "```console\n$ " + behind("  ", laid)[2:] + "\n" + long + "\n```\n"},
		{"line ends of Windows", markup.Markdown, strings.ReplaceAll("```sh\n"+long+"\n```\n", "\n", "\r\n"), strings.ReplaceAll("```sh\n"+laid+"\n```\n", "\n", "\r\n")},
		{"reStructuredText", markup.RST, "It's::\n\n   " + long + "\n\n.. code-block:: bash\n\n   " + long + "\n\n.. A comment:\n   " + long + "\n", "It's::\n\n" + behind("   ", laid) + "\n\n.. code-block:: bash\n\n" + behind("   ", laid) + "\n\n.. A comment:\n   " + long + "\n"},
		{"AsciiDoc", markup.AsciiDoc, "[source,bash]\n----\n" + long + "\n----\n////\n" + long + "\n////\n", "[source,bash]\n----\n" + laid + "\n----\n////\n" + long + "\n////\n"},
		{"a fence that nothing closes", markup.Markdown, "```sh\n" + long, "```sh\n" + laid},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			if want == "" {
				want = test.src
			}
			got, diags := format.Document(test.src, test.format)
			if got != want || len(diags) > 0 {
				t.Errorf("got\n%s\nwant\n%s\n%v", got, want, diags)
			}
			if again, _ := format.Document(got, test.format); again != got {
				t.Errorf("formatted again it is\n%s", again)
			}
		})
	}
}

// TestDocumentRefused holds that a block which its shell would not take stays as it is, with
// its place, and the others do not.
func TestDocumentRefused(t *testing.T) {
	src := "- a\n\n  ```sh\n  echo\n  curl 'b\n  ```\n```sh\n" + long + "\n```\n"
	got, diags := format.Document(src, markup.Markdown)
	if want := strings.Replace(src, long, laid, 1); got != want {
		t.Errorf("got\n%s", got)
	}
	if len(diags) != 1 || diags[0].Code != diag.CodeUnterminatedQuote || src[diags[0].Span.Start:][:2] != "'b" {
		t.Errorf("%v", diags)
	}
}

// FuzzDocument holds for any page with a block that the rest keeps its bytes, and that the
// second time nothing changes.
func FuzzDocument(f *testing.F) {
	for _, c := range commandsOfCorpus(f) {
		f.Add("It's a page.\n\n```bat\nC:\\> x\n```\n", c, "\nThat's it.\n")
	}
	f.Fuzz(func(t *testing.T, before, block, after string) {
		src := before + "\n```sh\n" + block + "\n```\n" + after
		got, diags := format.Document(src, markup.Markdown)
		if diags.Err() != nil {
			t.Fatal(diags)
		}
		if again, _ := format.Document(got, markup.Markdown); again != got {
			t.Errorf("%q\nis formatted as\n%q\nand again as\n%q", src, got, again)
		}
		squeeze := func(text string) string { // what a layout may change, in all of the text
			return strings.NewReplacer(" ", "", "\t", "", "\\", "", "^", "", "`", "", "\r", "", "\n", "").Replace(text)
		}
		if squeeze(got) != squeeze(src) {
			t.Errorf("%q\nis formatted as\n%q", src, got)
		}
	})
}
