package extract

import (
	"path"
	"strings"

	"uncoil/internal/engine/ascii"
)

// KindOf returns the kind of text that a file of that name has, or Auto.
func KindOf(name string) Kind {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	for _, template := range []string{".erb", ".j2", ".tmpl", ".tpl", ".template", ".in"} {
		name = strings.TrimSuffix(name, template)
	}
	if strings.HasSuffix(name, "_history") || strings.HasSuffix(name, ".history") || name == "history" {
		return History
	}
	switch strings.TrimSuffix(name, path.Ext(name)) {
	case "dockerfile", "containerfile", "crontab":
		return Script
	case "makefile", "gnumakefile":
		return Makefile
	}
	if strings.HasSuffix(name, "makefile") { // lib.Makefile
		return Makefile
	}
	switch path.Ext(name) {
	case ".md", ".mdx", ".markdown", ".mkd", ".qmd", ".rmd":
		return Markdown
	case ".ipynb":
		return Notebook
	case ".sh", ".bash", ".zsh", ".ksh", ".bats", ".dockerfile", ".service", ".cron":
		return Script
	case ".yml", ".yaml":
		return YAML
	case ".json", ".jsonc", ".json5", ".jsonl", ".ndjson":
		return JSON
	case ".rst", ".rest":
		return RST
	case ".adoc", ".asciidoc", ".asc":
		return AsciiDoc
	case ".po", ".pot":
		return Gettext
	case ".mk":
		return Makefile
	case ".txt", ".inc", "":
		return Auto
	}
	if strings.Contains(path.Ext(name), "htm") { // .xhtml, .phtml
		return HTML
	}
	return Text
}

// look returns the kind that a text looks like.
func look(src string) Kind {
	start := strings.TrimLeft(src[:min(len(src), 4096)], "\ufeff \t\r\n")
	switch {
	case strings.HasPrefix(start, "#!"):
		return Script
	case strings.HasPrefix(start, "{") && strings.Contains(start, `"cells"`):
		return Notebook
	case strings.HasPrefix(start, "<"):
		return HTML
	case stamp(start) > 0, strings.HasPrefix(start, "#1") && ascii.LineLength(start) == len("#1234567890"):
		return History
	case strings.Contains(src, "\n.. code"), strings.Contains(src, "::\n\n  "):
		return RST
	case strings.Contains(src, "\n```") || strings.HasPrefix(start, "```"):
		return Markdown
	}
	return Text
}

// stamp returns the length of what zsh writes before a command of its history,
// as in ": 1700000000:0;", or 0.
func stamp(line string) int {
	i := 0
	for _, mark := range []byte("::;") {
		if mark != ':' || i > 0 {
			from := i
			for i < len(line) && (ascii.IsDigit(line[i]) || line[i] == ' ' && i == 1) {
				i++
			}
			if i == from {
				return 0
			}
		}
		if i >= len(line) || line[i] != mark {
			return 0
		}
		i++
	}
	return i
}
