package lsp

import (
	"strings"
	"testing"

	"uncoil/extract"
	"uncoil/internal/edge/lint"
)

// A selection has the commands that it touches, and a place without one those on its line.
func TestCommandsIn(t *testing.T) {
	const text = "curl h.test; echo note\n\ncurl i.test; curl j.test\n"
	file, err := lint.Read("a.sh", text, extract.Script)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{}
	d.set(text)
	x := newIndex(text, utf16Units)
	note, last := strings.Index(text, "note"), strings.Index(text, "curl j")
	for _, c := range []struct {
		start, end int
		want       string
	}{
		{0, 0, "h"}, {3, 5, "h"}, {note, note, "h"}, {note, note + 2, ""}, {last, last, "j"}, {last, last + 4, "j"}, {0, len(text), "hij"},
		{last - 2, last - 1, "i"}, {strings.Index(text, "\n") + 1, strings.Index(text, "\n") + 1, ""},
	} {
		got := ""
		for _, one := range d.commandsIn(file, x, c.start, c.end) {
			got += strings.TrimSuffix(strings.TrimPrefix(one.Text, "curl "), ".test")
		}
		if got != c.want {
			t.Errorf("from %d to %d are the commands %q, want %q", c.start, c.end, got, c.want)
		}
	}
}
