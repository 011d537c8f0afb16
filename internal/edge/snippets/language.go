package snippets

import (
	"maps"
	"strings"

	"uncoil/code"
)

// A Language is what the language of a target is called: by people, and by what colours
// code on a page.
type Language struct {
	Name        string `json:"name"`
	Highlighter string `json:"highlighter"`
}

var languages = map[string]Language{
	"batch":      {"batch file", "bat"},
	"bru":        {"Bruno", "text"},
	"c":          {"C", "c"},
	"clojure":    {"Clojure", "clojure"},
	"cmd":        {"cmd.exe", "bat"},
	"cpp":        {"C++", "cpp"},
	"crystal":    {"Crystal", "crystal"},
	"csharp":     {"C#", "csharp"},
	"curlrc":     {"file for -K", "text"},
	"dart":       {"Dart", "dart"},
	"elixir":     {"Elixir", "elixir"},
	"fish":       {"fish", "sh"},
	"go":         {"Go", "go"},
	"groovy":     {"Groovy", "groovy"},
	"haskell":    {"Haskell", "haskell"},
	"hcl":        {"Terraform", "hcl"},
	"http":       {"HTTP", "http"},
	"hurl":       {"Hurl", "text"},
	"java":       {"Java", "java"},
	"javascript": {"JavaScript", "javascript"},
	"json":       {"JSON", "json"},
	"julia":      {"Julia", "julia"},
	"kotlin":     {"Kotlin", "kotlin"},
	"lua":        {"Lua", "lua"},
	"objc":       {"Objective-C", "objectivec"},
	"ocaml":      {"OCaml", "ocaml"},
	"perl":       {"Perl", "perl"},
	"php":        {"PHP", "php"},
	"powershell": {"PowerShell", "powershell"},
	"python":     {"Python", "python"},
	"r":          {"R", "r"},
	"ruby":       {"Ruby", "ruby"},
	"rust":       {"Rust", "rust"},
	"scala":      {"Scala", "scala"},
	"sh":         {"Shell", "sh"},
	"shell":      {"Shell", "sh"},
	"swift":      {"Swift", "swift"},
	"typescript": {"TypeScript", "typescript"},
	"xml":        {"XML", "xml"},
	"yaml":       {"YAML", "yaml"},
}

// Highlighter returns what colours of code are called for a target.
func Highlighter(t code.Target) string { return languages[t.Language].Highlighter }

// Languages returns the languages by the names that targets have for them.
func Languages() map[string]Language { return maps.Clone(languages) }

// LanguageName returns what people call the language of a target.
func LanguageName(t code.Target) string { return languages[t.Language].Name }

// Labels returns what the tabs of targets are called: the language of a program, with the
// client where several have the language, and its version where several have the client.
func Labels(targets []code.Target) []string {
	labels := make([]string, len(targets))
	for i, t := range targets {
		labels[i] = t.Client
		if t.Kind == code.KindCode {
			labels[i] = languages[t.Language].Name
		}
	}
	distinguish(labels, func(i int) string {
		t := targets[i]
		if t.Client != labels[i] {
			return labels[i] + " (" + t.Client + ")"
		}
		return labels[i] + " (" + languages[t.Language].Name + ")"
	})
	distinguish(labels, func(i int) string {
		return strings.TrimSuffix(labels[i], ")") + " " + targets[i].Version + ")"
	})
	return labels
}

// distinguish gives each label that others have too a longer one.
func distinguish(labels []string, longer func(i int) string) {
	seen := map[string]int{}
	for _, label := range labels {
		seen[label]++
	}
	for i, label := range labels {
		if seen[label] > 1 {
			labels[i] = longer(i)
		}
	}
}
