package snippets_test

import (
	"flag"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"uncoil/internal/edge/snippets"
)

var builds = flag.Bool("builds", false, "install VitePress and Docusaurus by npm, and build with them too")

// A site is what a program makes pages of. Its build is a list of commands.
type site struct {
	layout, page string // the name of the document
	files        map[string]string
	before       string // what the document begins with
	build        []string
	packages     []string // of npm, which the build needs
	made         string   // the page
}

var sites = map[string]site{
	"mkdocs": {layout: "mkdocs", page: "docs/index.md", made: "site/index.html", build: []string{"mkdocs build -q"}, files: map[string]string{
		"mkdocs.yml": "site_name: t\nmarkdown_extensions: [pymdownx.superfences, {pymdownx.tabbed: {alternate_style: true}}, pymdownx.snippets]\n",
	}},
	"sphinx-tabs": {layout: "sphinx-tabs", page: "index.rst", made: "out/index.html", before: "T\n=\n\n", build: []string{"sphinx-build -W --keep-going -q -b html . out"}, files: map[string]string{
		"conf.py": "project = 't'\nextensions = ['sphinx_tabs.tabs']\n",
	}},
	"sphinx":      {layout: "plain", page: "index.rst", made: "out/index.html", before: "T\n=\n\n", build: []string{"sphinx-build -W --keep-going -q -b html . out"}, files: map[string]string{"conf.py": "project = 't'\n"}},
	"asciidoctor": {layout: "plain", page: "a.adoc", made: "a.html", build: []string{"asciidoctor -q --failure-level=INFO a.adoc"}},
	"hugo": {layout: "hugo", page: "content/_index.md", made: "public/index.html", before: "---\ntitle: t\n---\n", build: []string{"hugo --quiet"}, files: map[string]string{
		"config.toml": "baseURL = \"https://t.test/\"\ntitle = \"t\"\ndisableKinds = [\"RSS\", \"sitemap\", \"taxonomy\", \"term\"]\n", "layouts/index.html": "{{ .Content }}",
		"layouts/shortcodes/tabpane.html": "<div>{{ .Inner }}</div>", "layouts/shortcodes/tab.html": "<div title=\"{{ .Get \"header\" }}\">\n{{ .Inner }}\n</div>",
	}},
	"vitepress": {layout: "vitepress", page: "docs/index.md", made: "docs/.vitepress/dist/index.html", build: []string{"npx vitepress build docs"}, packages: []string{"vitepress@1"}},
	"docusaurus": {layout: "docusaurus", page: "docs/index.mdx", made: "build/index.html", packages: []string{"@docusaurus/core@3", "@docusaurus/preset-classic@3", "react@19", "react-dom@19"},
		before: "---\nslug: /\n---\n\nimport Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n", build: []string{"npx docusaurus build"}, files: map[string]string{
			"docusaurus.config.js": "module.exports = {title: 't', url: 'https://t.test', baseUrl: '/', presets: [['classic', {docs: {routeBasePath: '/'}, blog: false}]]};\n",
		}},
}

var (
	preformatted = regexp.MustCompile(`(?s)<pre[ >].*?</pre>`)
	element      = regexp.MustCompile(`<[^>]*>`)
)

// shown returns the text of the blocks of code in a page, without white space: some
// programs make blanks of tabs.
func shown(page string) (blocks []string) {
	for _, block := range preformatted.FindAllString(page, -1) {
		blocks = append(blocks, solid(html.UnescapeString(element.ReplaceAllString(block, ""))))
	}
	return blocks
}

func solid(s string) string { return strings.Join(strings.Fields(s), "") }

// TestBuilds has programs that make pages of documents build some with hostile commands.
// The blocks of code in the pages are the commands and their programs, and nothing else.
func TestBuilds(t *testing.T) {
	for name, s := range sites {
		t.Run(name, func(t *testing.T) {
			program := strings.Fields(s.build[0])[0]
			if len(s.packages) > 0 && !*builds {
				t.Skip("-builds installs it")
			}
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			run := func(command string) {
				t.Helper()
				words := strings.Fields(command)
				cmd := exec.Command(words[0], words[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "CI=true")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", command, err, out)
				}
			}
			if len(s.packages) > 0 {
				run("npm install --no-audit --no-fund --silent --prefix . " + strings.Join(s.packages, " "))
			}
			text, want := s.document(t)
			files := map[string]string{s.page: text}
			for name, content := range s.files {
				files[name] = content
			}
			for name, content := range files {
				name = filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, command := range s.build {
				run(command)
			}
			made, err := os.ReadFile(filepath.Join(dir, s.made))
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(string(made)); !slices.Equal(got, want) {
				t.Errorf("the page shows %d blocks, want %d", len(got), len(want))
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						t.Errorf("block %d is\n%s\nwant\n%s", i, got[i], want[i])
					}
				}
			}
		})
	}
}

// document returns a document with the hostile commands that the site can hold, and the
// blocks that its page has.
func (s *site) document(t *testing.T) (text string, want []string) {
	t.Helper()
	text = s.before
	for _, command := range hostile {
		if s.layout == "hugo" && strings.Contains(command, "{{") {
			continue
		}
		text += block(s.page, command) + "\n" + comment(s.page, "uncoil-snippets: "+strings.Join(written, ", ")) + "\n\nText\n\n"
		want = append(want, solid(command))
		for _, target := range written {
			want = append(want, solid(program(t, command, target)))
		}
	}
	text, report := update(t, s.page, text, snippets.Options{Layout: s.layout})
	if len(report.Errors) > 0 {
		t.Fatalf("%+v", report.Errors)
	}
	return text, want
}
