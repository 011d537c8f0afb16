package switches_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"uncoil/internal/edge/switches"
	"uncoil/internal/engine/source"
)

var update = flag.Bool("update", false, "write the regions of other files that are generated from the table")

// root is the folder of the module.
var root = filepath.Join("..", "..", "..")

// A region is what stands in a file between two lines: one that has "Generated from
// internal/edge/switches: NAME", and one that has "End of NAME".
type region struct {
	file, name string
	text       func() string
}

var regions = []region{
	{"internal/edge/httpapi/assets/openapi.yaml", "parameters", openapiParameters},
	{"internal/edge/httpapi/assets/openapi.yaml", "members", openapiMembers},
	{"internal/edge/httpapi/assets/openapi.yaml", "shells", func() string { return openapiShells(source.DialectNames()) }},
	{"internal/edge/httpapi/assets/openapi.yaml", "answered shells", func() string { return "    " + openapiShells(source.DialectNames()[1:]) }},
	{"npm/src/core.js", "names", npmNames},
	{"npm/src/switches.js", "switches", npmSwitches},
	{"npm/README.md", "options", npmOptions},
	{"python/uncoil/_answers.py", "arguments", pythonArguments},
	{"python/uncoil/_answers.py", "values", pythonValues},
	{"python/README.md", "arguments", pythonTable},
	{"docs/code.md", "flags", documentedFlags},
}

// TestGenerated checks the regions, or writes them.
func TestGenerated(t *testing.T) {
	for _, r := range regions {
		path := filepath.Join(root, filepath.FromSlash(r.file))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pattern := regexp.MustCompile(`(?s)(Generated from internal/edge/switches: ` + r.name + `\b[^\n]*\n)(.*?)([^\n]*End of ` + r.name + `\b)`)
		at := pattern.FindSubmatchIndex(content)
		if at == nil {
			t.Fatalf("%s has no region %s", r.file, r.name)
		}
		wanted := string(content[:at[4]]) + r.text() + string(content[at[5]:])
		if wanted == string(content) {
			continue
		}
		if !*update {
			t.Errorf("%s does not agree with the table; run: go test ./internal/edge/switches -update", r.file)
			continue
		}
		if err := os.WriteFile(path, []byte(wanted), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// programs returns the switches of programs that all doors have.
func programs() (found []*switches.Switch) {
	for _, s := range switches.All() {
		if s.Scope == switches.Programs && !s.OnlyFlag {
			found = append(found, s)
		}
	}
	return found
}

// quoted returns a text as JSON, which is YAML, JavaScript and Python, too.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// openapiType returns the members of the schema of a switch that say what its values are.
func openapiType(s *switches.Switch, null string) string {
	kind, enum := "string", ""
	switch {
	case s.Kind == switches.Truth:
		kind = "boolean"
	case len(s.Words) > 0:
		enum = "enum: [" + strings.Join(s.Words, ", ")
		if null != "" {
			enum += ", null"
		}
		enum += "]"
	case s.Pattern != "":
		enum = "pattern: " + quoted(s.Pattern)
	}
	if null != "" {
		kind = "[" + kind + ", " + quoted(null) + "]"
	}
	if enum != "" {
		enum = ", " + enum
	}
	return "type: " + kind + enum
}

// openapiShells returns the member of a schema that lists how a text may be written.
func openapiShells(names []string) string {
	return "      enum: [" + strings.Join(names, ", ") + "]\n"
}

func openapiParameters() string {
	text := ""
	for _, s := range programs() {
		schema := openapiType(s, "")
		if s.Kind == switches.Truth {
			schema += ", default: false"
		} else if s.Default != "" {
			schema += ", default: " + s.Default
		}
		text += "        - name: " + s.Name + "\n          in: query\n          description: The same as the member of the request object.\n          schema: { " + schema + " }\n"
	}
	return text
}

func openapiMembers() string {
	const indent = "            "
	text := ""
	for _, s := range programs() {
		null := "null"
		if s.Name == "target" {
			null = "" // some target must be named
		}
		text += indent + s.Name + ":\n"
		for member := range strings.SplitSeq(strings.Replace(openapiType(s, null), ", enum", "\nenum", 1), "\n") {
			member = strings.Replace(member, ", pattern", "\n"+indent+"  pattern", 1)
			text += indent + "  " + member + "\n"
		}
		text += indent + "  description: |\n" + wrapped(s.Description(), indent+"    ")
	}
	return text
}

// wrapped returns a text in lines of at most 90 columns behind an indentation.
func wrapped(text, indent string) string {
	var b strings.Builder
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > 90 && line != indent {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}

func npmNames() string {
	names := []string{quoted("files"), quoted("stdin"), quoted("env")}
	for _, name := range switches.Names() {
		names = append(names, quoted(name))
	}
	return "export const optionNames = [" + strings.Join(names, ", ") + "];\n"
}

func npmSwitches() string {
	text := "export const switches = [\n"
	for _, s := range switches.All() {
		if s.OnlyFlag {
			continue
		}
		scope := map[switches.Scope]string{switches.Reading: "reading", switches.Converting: "converting", switches.Programs: "programs"}[s.Scope]
		text += "  { name: " + quoted(s.Name) + ", scope: " + quoted(scope)
		if s.Flag != "" {
			text += ", flag: " + quoted(s.Flag) + ", text: " + quoted(s.FlagText())
		}
		if s.Argument != "" {
			text += ", argument: " + quoted(s.Argument)
		}
		if s.FlagWord != "" {
			text += ", word: " + quoted(s.FlagWord)
		}
		if s.Kind == switches.Number {
			text += ", number: true"
		}
		text += " },\n"
	}
	return text + "];\n"
}

func npmOptions() string {
	text := "\n| option | |\n|---|---|\n"
	for _, s := range programs() {
		if s.Name != "target" {
			text += "| `" + s.Name + "` | " + values(s, "true") + cell(s.Description()) + " |\n"
		}
	}
	return text + "\n"
}

// values returns the values of a switch as a table of options begins with them.
func values(s *switches.Switch, truth string) string {
	switch {
	case s.Kind == switches.Truth:
		return "`" + truth + "`: "
	case len(s.Words) > 0:
		return "a word: "
	}
	return "a text: "
}

// cell returns a text as a cell of a table in Markdown: placeholders are no markup there.
func cell(text string) string {
	text = regexp.MustCompile(`\{id\}|<id>|:id\b`).ReplaceAllString(text, "`$0`")
	return strings.ReplaceAll(text, "|", `\|`)
}

// pythonName returns a name as Python spells it.
func pythonName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func pythonArguments() string {
	text := ""
	for _, s := range programs() {
		switch {
		case s.Name == "target": // the second argument
		case s.Kind == switches.Truth:
			text += "    " + pythonName(s.Name) + ": bool = False,\n"
		default:
			text += "    " + pythonName(s.Name) + ": Optional[str] = None,\n"
		}
	}
	return text
}

func pythonValues() string {
	text := ""
	for _, s := range programs() {
		switch {
		case s.Name == "target":
		case s.Kind == switches.Truth:
			text += fmt.Sprintf("        %q: %s or None,\n", s.Name, pythonName(s.Name))
		default:
			text += fmt.Sprintf("        %q: %s,\n", s.Name, pythonName(s.Name))
		}
	}
	return text
}

func pythonTable() string {
	text := "\n| argument of `code` | |\n|---|---|\n"
	for _, s := range programs() {
		if s.Name != "target" {
			text += "| `" + pythonName(s.Name) + "` | " + values(s, "True") + cell(s.Description()) + " |\n"
		}
	}
	return text + "\n"
}

func documentedFlags() string {
	text := "\n| command line | API | effect |\n|---|---|---|\n"
	for _, s := range switches.All() {
		if s.Scope != switches.Programs || s.Flag == "" {
			continue
		}
		member := "`" + s.Name + "`"
		switch {
		case s.OnlyFlag:
			member = ""
		case s.FlagWord != "":
			member = "`" + s.Name + ": " + quoted(s.FlagWord) + "`"
		}
		text += "| `" + strings.TrimSuffix("-"+s.Flag+" "+s.Argument, " ") + "` | " + member + " | " + cell(s.FlagText()) + " |\n"
	}
	return text + "\n"
}
