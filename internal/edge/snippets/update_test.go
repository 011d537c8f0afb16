package snippets_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/edge/snippets"
	"uncoil/internal/engine"
)

// names are the files of documents in each format, with the layouts that it has.
var names = map[string][]string{
	"a.md":   {"plain", "docusaurus", "vitepress", "mkdocs", "hugo"},
	"a.mdx":  {"plain", "docusaurus", "vitepress", "mkdocs", "hugo"},
	"a.adoc": {"plain"},
	"a.rst":  {"plain", "sphinx-design", "sphinx-tabs"},
}

// comment returns a comment in the format of a file.
func comment(name, words string) string {
	switch {
	case strings.HasSuffix(name, ".mdx"):
		return "{/* " + words + " */}"
	case strings.HasSuffix(name, ".adoc"):
		return "// " + words
	case strings.HasSuffix(name, ".rst"):
		return ".. " + words
	}
	return "<!-- " + words + " -->"
}

// block returns a block of code in the format of a file.
func block(name, command string) string {
	switch {
	case strings.HasSuffix(name, ".adoc"):
		return "[source,sh]\n----------\n" + command + "\n----------\n"
	case strings.HasSuffix(name, ".rst"):
		return ".. code-block:: sh\n\n   " + strings.ReplaceAll(command, "\n", "\n   ") + "\n"
	}
	return "```````sh\n" + command + "\n```````\n"
}

// update brings a document up to date.
func update(t *testing.T, name, text string, o snippets.Options) (string, snippets.Report) {
	t.Helper()
	if o.Layout == "" {
		o.Layout = "plain"
	}
	return snippets.Update(text, snippets.FormatOf(name), o)
}

// program returns what package code writes for a command.
func program(t *testing.T, command, target string) string {
	t.Helper()
	result, err := engine.Parse(command, engine.Input{})
	if err != nil {
		t.Fatal(err)
	}
	to, ok := code.Lookup(target)
	if !ok {
		t.Fatalf("no target %s", target)
	}
	out, _, err := to.Append(nil, result.Requests, code.Options{Source: command})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n")
}

// indented takes blanks away from the start of each line that is not empty, and fails
// where a line has fewer.
func indented(t *testing.T, lines []string, n int) []string {
	t.Helper()
	var out []string
	for _, line := range lines {
		if strings.Trim(line, " ") == "" && len(line) < n {
			line = strings.Repeat(" ", n)
		}
		if !strings.HasPrefix(line, strings.Repeat(" ", n)) {
			t.Fatalf("%q has a margin of less than %d", line, n)
		}
		out = append(out, line[n:])
	}
	return out
}

var (
	opens    = regexp.MustCompile("^( *)(`{3,}|-{4,})")
	contains = regexp.MustCompile(`^( *)\.\. code-block:: `)
)

// read returns the blocks of code in lines of a document, by rules that are simpler than
// those of the formats: a fence ends at the first line that begins with it, and the
// content of a directive at the first line with a smaller margin.
func read(t *testing.T, lines []string) (blocks []string) {
	t.Helper()
	for i := 0; i < len(lines); i++ {
		if m := contains.FindStringSubmatch(lines[i]); m != nil {
			from := i + 2
			i = from
			for i < len(lines) && (lines[i] == "" || strings.HasPrefix(lines[i], m[1]+"   ")) {
				i++
			}
			content := strings.Join(indented(t, lines[from:i], len(m[1])+3), "\n")
			blocks = append(blocks, strings.TrimRight(content, "\n"))
			i--
		} else if m := opens.FindStringSubmatch(lines[i]); m != nil {
			from := i + 1
			i = from
			for !strings.HasPrefix(strings.TrimLeft(lines[i], " \t"), m[2]) {
				i++
			}
			blocks = append(blocks, strings.Join(indented(t, lines[from:i], len(m[1])), "\n"))
		}
	}
	return blocks
}

// sum is what the end of a region has of what stands before it.
var sum = regexp.MustCompile(`(uncoil-snippets-end): [0-9a-f]{8}\b`)

func withoutSums(text string) string { return sum.ReplaceAllString(text, "$1") }

// hostile are commands whose text ends blocks and containers in some format, or acts there.
var hostile = []string{
	"curl -d a=1 https://api.test/plain",
	"curl -d $'```\\n````\\n~~~\\n' https://api.test/fences",
	"curl -d $'----\\n-----\\n....\\n' https://api.test/delimiters",
	"curl -d $'<1>\\n# <.>\\n' https://api.test/callouts",
	"curl -d $'a\\n:::\\n::::\\n' https://api.test/colons",
	"curl -d $'</TabItem>{x}\\n</Tabs>' https://api.test/elements",
	"curl -d $'a\\n.. raw:: html\\n\\n   <script>\\n.. uncoil-snippets-end\\n' https://api.test/directives",
	"curl -d $'a\\n<!-- uncoil-snippets-end -->\\n{/* uncoil-snippets-end */}\\n// uncoil-snippets-end\\n' https://api.test/ends",
	"curl -d $'a\\n<!-- uncoil-snippets: python -->\\n' https://api.test/markers",
	"curl -d $'{% endraw %}{% raw %}' https://api.test/templates",
}

var written = []string{"python", "go", "node-axios", "curl", "raw-http"}

func TestUpdateHolds(t *testing.T) {
	for name, all := range names {
		for _, layout := range all {
			for _, command := range hostile {
				t.Run(name+"/"+layout+"/"+command[strings.LastIndexByte(command, '/')+1:], func(t *testing.T) {
					start := "Head\n\n" + block(name, command) + "\n" + comment(name, "uncoil-snippets: "+strings.Join(written, ", ")+" tabs="+layout)
					text, report := update(t, name, start+"\n\nTail\n", snippets.Options{})
					if len(report.Errors) > 0 || len(report.Stale) != 1 || report.Regions != 1 {
						t.Fatalf("%+v", report)
					}
					rest, ok := strings.CutPrefix(text, start+"\n")
					region, found := strings.CutSuffix(withoutSums(rest), comment(name, "uncoil-snippets-end")+"\n\nTail\n")
					if !ok || !found {
						t.Fatalf("what stands around the region has changed:\n%s", text)
					}
					blocks := read(t, strings.Split(region, "\n"))
					if len(blocks) != len(written) {
						t.Fatalf("%d blocks, want %d:\n%s", len(blocks), len(written), region)
					}
					for i, target := range written {
						if want := program(t, command, target); blocks[i] != strings.TrimRight(want, "\n") && blocks[i] != want {
							t.Errorf("%s is\n%s\nwant\n%s", target, blocks[i], want)
						}
					}
					again, report := update(t, name, text, snippets.Options{})
					if again != text || len(report.Stale)+len(report.Errors) > 0 {
						t.Errorf("a second time: %+v\n%s", report, again)
					}
				})
			}
		}
	}
}

// A container of VitePress ends at the first line with so many colons, in a fence too.
func TestColons(t *testing.T) {
	for _, colons := range []string{":::", "::::", "  :::::::"} {
		command := "curl -d 'a\n" + colons + "\n' https://api.test/"
		text, _ := update(t, "a.md", block("a.md", command)+comment("a.md", "uncoil-snippets: curl tabs=vitepress"), snippets.Options{})
		opening := regexp.MustCompile(`(?m)^(:+) code-group$`).FindStringSubmatch(text)
		if opening == nil || len(opening[1]) <= len(strings.TrimSpace(colons)) {
			t.Errorf("%q in a program of\n%s", colons, text)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, command, names, want string }{
		{"a.rst", "curl -d $'a\\xe2\\x80\\xa8b' https://api.test/", "curl", `'\u2028'`},
		{"a.md", "curl -d $'a\\rb' https://api.test/", "raw-http", `'\r'`},
		{"a.adoc", "curl -d 'a\ninclude::/etc/passwd[]\n' https://api.test/", "curl", "directive of AsciiDoc"},
		{"a.md", "curl -d '{{< x >}}' https://api.test/", "python tabs=hugo", "Hugo acts on"},
		{"a.md", "curl -d '--8<-- \"x\"' https://api.test/", "python tabs=mkdocs", "acts on"},
		{"a.md", "curl -d '<!-- @include: x -->' https://api.test/", "python tabs=vitepress", "VitePress acts on"},
		{"a.md", "curl https://api.test/", "pyton", "there is no target pyton"},
		{"a.md", "curl https://api.test/", "python tabs=sphinx-tabs", "have no tabs sphinx-tabs"},
		{"a.md", "curl https://api.test/", "python tabs=no", "there are no tabs no"},
		{"a.md", "curl https://api.test/", "python colour=red", "colour=red is none of"},
		{"a.md", "curl https://api.test/", "", "names no target"},
		{"a.md", "wget https://api.test/", "python", "no block of code with a curl command"},
		{"a.md", "curl --urls https://api.test/", "python", "unknown-option"},
	} {
		text := block(c.name, c.command) + "\n" + comment(c.name, "uncoil-snippets: "+c.names) + "\n"
		out, report := update(t, c.name, text, snippets.Options{})
		if out != text || len(report.Errors) != 1 || !strings.Contains(report.Errors[0].Message, c.want) {
			t.Errorf("%s: %q\n%+v\nwant %s", c.command, out, report, c.want)
		}
	}
}

const page = "# Page\r\n\r\n> - ```sh\r\n>   curl https://api.test/1\r\n>   ```\r\n>\r\n>   <!-- uncoil-snippets: python -->\r\n\r\n" +
	"````md\r\n<!-- uncoil-snippets: go -->\r\n````\r\n\r\n```\r\ncurl https://api.test/2\r\n$ curl https://api.test/3\r\n```\r\n\r\n{/* uncoil-snippets: httpie */}"

// Line ends and margins are those of the document, and so is a missing end of the last line.
func TestUpdateKeeps(t *testing.T) {
	want := strings.Replace(page, "python -->\r\n", "python -->\r\n>\r\n>   ```python\r\n>   import requests\r\n>\r\n>   response = requests.get(\"https://api.test/1\")\r\n>   print(response.text)\r\n>   ```\r\n>\r\n>   <!-- uncoil-snippets-end -->\r\n", 1) +
		"\r\n\r\n```sh\r\n" +
		strings.ReplaceAll(program(t, "curl https://api.test/2\ncurl https://api.test/3", "httpie"), "\n", "\r\n") + "\r\n```\r\n\r\n{/* uncoil-snippets-end */}"
	got, report := update(t, "a.md", page, snippets.Options{})
	if len(report.Errors) > 0 || withoutSums(got) != want {
		t.Errorf("%+v\n%q\nwant\n%q", report, got, want)
	}
	if again, report := update(t, "a.md", got, snippets.Options{}); again != got || len(report.Stale) > 0 || report.Regions != 2 {
		t.Errorf("a second time: %+v\n%q", report, again)
	}
}

func TestStale(t *testing.T) {
	text, _ := update(t, "a.md", "```sh\ncurl https://api.test/1\n```\n\n<!-- uncoil-snippets: python, go -->\n", snippets.Options{})
	for _, test := range []struct {
		old, other string
		edited     bool // by hand, and not what the marker or the command says
	}{
		{"curl https://api.test/1", "curl https://api.test/2", false},
		{"python, go", "python", false},
		{"requests.get", "requests.post", true},
		{"```go", "```golang", true},
		{"import requests\n", "", true},
	} {
		changed := strings.Replace(text, test.old, test.other, 1)
		if changed == text {
			t.Fatalf("%q is not in\n%s", test.old, text)
		}
		got, report := update(t, "a.md", changed, snippets.Options{})
		notes := report.Stale
		if test.edited {
			notes = report.Edited
		}
		if len(report.Stale)+len(report.Edited) != 1 || len(notes) != 1 || notes[0].Line != 5 || (got == changed) != test.edited {
			t.Errorf("%q for %q: %+v\n%s", test.other, test.old, report, got)
		}
		forced, report := update(t, "a.md", changed, snippets.Options{Force: true})
		if test.edited && forced != text || len(report.Stale) != 1 || len(report.Edited) > 0 {
			t.Errorf("%q for %q by force: %+v\n%s", test.other, test.old, report, forced)
		}
	}
}

// TestSums holds what becomes of a region whose end has no sum of what stands before it, and
// of one whose blanks a formatter has changed.
func TestSums(t *testing.T) {
	text, _ := update(t, "a.md", "```sh\ncurl https://api.test/1\n```\n\n<!-- uncoil-snippets: python -->\n", snippets.Options{})
	got, report := update(t, "a.md", withoutSums(text), snippets.Options{})
	if got != text || len(report.Stale)+len(report.Edited) > 0 {
		t.Errorf("without a sum: %+v\n%s", report, got)
	}
	edited := strings.Replace(withoutSums(text), "requests.get", "requests.post", 1)
	if got, report := update(t, "a.md", edited, snippets.Options{}); got != text || len(report.Stale) != 1 {
		t.Errorf("without a sum, edited: %+v\n%s", report, got)
	}
	formatted := strings.Replace(text, "print(response.text)\n", "print(response.text)\n\n", 1)
	if got, report := update(t, "a.md", formatted, snippets.Options{}); got != formatted || len(report.Stale)+len(report.Edited) > 0 {
		t.Errorf("formatted: %+v\n%s", report, got)
	}
}

// knitted are commands whose text knitr runs in R Markdown, in whatever block of code.
var knitted = []string{
	"curl http://h.test/ -d $'x\\x60r system(\"touch ACTED\")\\x60'",
	"curl http://h.test/ -d $'x\\x60{r} system(\"touch ACTED\")\\x60'",
	"curl http://h.test/ -d $'xa\\n\\x60\\x60\\x60{r}\\nsystem(\"touch ACTED\")\\n\\x60\\x60\\x60\\n'",
	"curl http://h.test/ -d $'a\\n<<chunk>>\\n'",
}

// TestKnitr holds that text which knitr or Quarto runs is not written into their documents;
// where knitr is installed, it makes pages of what is.
func TestKnitr(t *testing.T) {
	_, missing := exec.LookPath("Rscript")
	dir := t.TempDir()
	refused, ran := 0, 0
	for i, command := range append(knitted, "curl http://h.test/ -d 'a=$(x)'") {
		for _, target := range []string{"python", "ruby", "csharp", "curl", "php", "raw-http", "kotlin", "ansible"} {
			text := "```sh\n" + command + "\n```\n\n<!-- uncoil-snippets: " + target + " -->\n"
			for _, name := range []string{"a.Rmd", "a.qmd"} {
				got, report := update(t, name, text, snippets.Options{})
				if len(report.Errors) > 0 {
					refused++
					continue
				}
				if missing != nil || testing.Short() || name == "a.qmd" {
					continue
				}
				// The command itself is what somebody has written there, and acts as it does.
				_, region, _ := strings.Cut(got, "-->\n")
				file := filepath.Join(dir, fmt.Sprintf("%d-%s.Rmd", i, target))
				if err := os.WriteFile(file, []byte(region), 0o600); err != nil {
					t.Fatal(err)
				}
				knit := exec.Command("Rscript", "-e", "library(knitr); knit(commandArgs(TRUE)[1], quiet = TRUE)", file)
				knit.Dir = dir
				if out, err := knit.CombinedOutput(); err != nil {
					t.Skipf("knitr: %v\n%s", err, out)
				}
				ran++
				if _, err := os.Stat(filepath.Join(dir, "ACTED")); err == nil {
					t.Fatalf("%s for %s acts:\n%s", command, target, region)
				}
			}
		}
	}
	if refused == 0 || !testing.Short() && missing == nil && ran == 0 {
		t.Errorf("%d programs are refused, and %d are knitted", refused, ran)
	}
	t.Logf("%d refused, %d knitted", refused, ran)
}

func TestMarkersOutOfOrder(t *testing.T) {
	for text, want := range map[string]string{
		"<!-- uncoil-snippets-end -->\n": "1: this ends no region",
		"```sh\ncurl a.test\n```\n<!-- uncoil-snippets: go -->\n```go\nx\n<!-- uncoil-snippets-end -->\n":      "7: the region of line 4 ends within",
		"```sh\ncurl a.test\n```\n<!-- uncoil-snippets: go -->\n\n<!-- uncoil-snippets-end -->\n```\n{{{\n```": "",
	} {
		_, report := update(t, "a.md", text, snippets.Options{})
		got := ""
		for _, e := range report.Errors {
			got += fmt.Sprintf("%d: %s", e.Line, e.Message)
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What stands in a comment, or is passed on raw, is no source, and no marker.
func TestNoCode(t *testing.T) {
	for name, texts := range map[string][]string{
		"a.adoc": {"////\n----\n%s\n----\n%s\n////\n", "++++\n<pre>\n  %s\n</pre>\n%s\n++++\n", "////\n  %s\n%s\n////\n"},
		"a.rst":  {".. a\n   .. code-block:: sh\n\n      %s\n\n   %s\n", ".. raw:: html\n\n    <pre>%s</pre>\n    %s\n", "..\n    %s\n    %s\n"},
		"a.md":   {"````\na\n```\n%s\n%s\n````\n"},
	} {
		for _, form := range texts {
			marker := comment(name, "uncoil-snippets: curl")
			hidden := fmt.Sprintf(form, "curl https://api.test/hidden", marker)
			text := block(name, "curl https://api.test/shown") + "\n" + hidden + "\n" + marker + "\n"
			out, report := update(t, name, text, snippets.Options{})
			want := "curl https://api.test/shown"
			if name == "a.md" {
				want = "curl https://api.test/hidden" // it is code, and the marker in it is text
			}
			if report.Regions != 1 || len(report.Errors) > 0 || !strings.HasPrefix(out, text) || !strings.Contains(out[len(text):], want) {
				t.Errorf("%s: %+v\n%s", name, report, out)
			}
		}
	}
}

// Every target has a name for people and one for what colours code.
func TestLanguages(t *testing.T) {
	all := code.Targets()
	labels := snippets.Labels(all)
	for i, target := range all {
		if snippets.Highlighter(target) == "" || labels[i] == "" {
			t.Errorf("%s, of the language %s, has no name", target.Name, target.Language)
		}
		if strings.ContainsAny(labels[i], "\"<>[]{}&\n") {
			t.Errorf("the label %q acts in a document", labels[i])
		}
	}
	slices.Sort(labels)
	if n := len(slices.Compact(labels)); n != len(all) {
		t.Errorf("%d different labels for %d targets", n, len(all))
	}
}

func TestLayoutsKnown(t *testing.T) {
	known := map[string]bool{}
	for _, all := range names {
		for _, layout := range all {
			known[layout] = true
		}
	}
	if len(known) != len(snippets.Layouts()) {
		t.Errorf("the tests have %d layouts of %v", len(known), snippets.Layouts())
	}
}

// A document with many markers below many commands takes time linear in its length.
func TestUpdateLinear(t *testing.T) {
	one := "```sh\ncurl https://api.test/\n```\n\n<!-- uncoil-snippets: raw-http -->\n<!-- uncoil-snippets-end -->\n"
	for _, n := range []int{500, 2000} {
		text := strings.Repeat("```sh\ncurl https://api.test/\n```\n", n) + strings.Repeat(one, n)
		if _, report := update(t, "a.md", text, snippets.Options{}); report.Regions != n || len(report.Errors) > 0 {
			t.Fatalf("%d regions, want %d: %v", report.Regions, n, report.Errors)
		}
	}
}
