package engine_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"uncoil/internal/engine"
)

// documentationCommands returns the commands of documentation that need no file, of the
// file that UNCOIL_COMMANDS names: a line of JSON each, with id and curl.
func documentationCommands(b *testing.B) (commands []string) {
	name := os.Getenv("UNCOIL_COMMANDS")
	if name == "" {
		b.Skip("UNCOIL_COMMANDS names no file with commands of documentation")
	}
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c struct {
			ID, Curl string
			Files    map[string]any
			Env      map[string]string
		}
		if json.Unmarshal(lines.Bytes(), &c) == nil && strings.HasPrefix(c.ID, "docs/") && len(c.Files) == 0 && len(c.Env) == 0 {
			commands = append(commands, c.Curl)
		}
	}
	return commands
}

// BenchmarkDocumentation converts and describes the commands of
// documentation, one after the other.
func BenchmarkDocumentation(b *testing.B) {
	commands := documentationCommands(b)
	for _, answer := range []struct {
		name   string
		append func([]byte, string, engine.Input) ([]byte, error)
	}{{"convert", appendConvert}, {"parse", appendParse}} {
		b.Run("as="+answer.name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				for _, c := range commands {
					dst, _ = answer.append(dst[:0], c, engine.Input{}) // errors are answers too
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(commands)), "ns/command")
		})
	}
}
