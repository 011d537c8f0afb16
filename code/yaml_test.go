package code

import (
	"testing"
	"unicode/utf8"

	"github.com/oasdiff/yaml3"

	"uncoil/code/internal/emit"
)

// TestYAML has a parser of YAML read strings, on one line and as blocks.
func TestYAML(t *testing.T) {
	list := append(literalStrings(), "true", "No", "null", "~", "1", "1.5", "0x1", "1e3", "12:30:45", "2026-01-02", "a: b", "a #b", "a:", "#", "- a", "? a",
		"a ", " a", "a\n", "a\n\n", "a\n\nb", "a\n b\n", " a\nb", "\na", "\n", "a\r\nb", "a\n\tb", "\ta\nb", "a\u0085b\nc", "a\n\ufeff", "---\na", "a\n...\nb", "<<", "=",
		"%a", "@a", "`a", "!a", "&a", "*a", "|", ">", "{a: b}", "[a]", "/a", "y", "ON", "\ufffd", "\U0001f600")
	for _, s := range list {
		if !utf8.ValidString(s) {
			continue // the targets refuse it
		}
		w := emit.Writer{Indent: "  "}
		w.Yaml("one", s)
		w.Line("two:")
		w.Level++
		w.Yaml("three", s)
		w.Yaml("four", "end")
		var got struct {
			One any
			Two struct{ Three, Four any }
		}
		if err := yaml.Unmarshal(w.Dst, &got); err != nil || got.One != s || got.Two.Three != s || got.Two.Four != "end" {
			t.Errorf("%q is written\n%s\nand read as %q, %v", s, w.Dst, got, err)
		}
	}
}
