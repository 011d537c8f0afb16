package extract

import (
	"strings"
	"testing"
)

// BenchmarkCommands reads documents in which about one line in twenty belongs to a
// command, as documentation and scripts have them.
func BenchmarkCommands(b *testing.B) {
	prose := strings.Repeat("The service answers with a list of items, each of which has a name and a price.\n", 24)
	lines := strings.Repeat("if [ -n \"$NAME\" ]; then\n  echo \"${NAME} is there\" >>log.txt\nfi\n", 12)
	members := strings.Repeat("      - name: limit\n        in: query\n        description: How many items a page has, at most.\n        schema: {type: integer}\n", 8)
	const command = "curl -X POST https://api.example.com/v1/items \\\n  -H 'Content-Type: application/json' \\\n  -d '{\"name\": \"Ann\"}'\n"
	indented := "        " + strings.ReplaceAll(strings.TrimSuffix(command, "\n"), "\n", "\n        ") + "\n"
	for _, bench := range []struct {
		name string
		kind Kind
		part string
	}{
		{"markdown", Markdown, "## Items\n\n" + prose + "\n```sh\n" + command + "```\n\n"},
		{"script", Script, lines + command},
		{"yaml", YAML, members + "      x-example: |\n" + indented},
		{"rst", RST, prose + "\n.. code-block:: bash\n\n" + indented + "\n"},
		{"json", JSON, `{"summary": "` + strings.Repeat("It lists the items. ", 80) + `", "x": "` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`).Replace(command) + "\"}\n"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			text := strings.Repeat(bench.part, 1<<20/len(bench.part))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if found, err := Commands(text, bench.kind); err != nil || len(found) != 1<<20/len(bench.part) {
					b.Fatal(len(found), err)
				}
			}
		})
	}
}
