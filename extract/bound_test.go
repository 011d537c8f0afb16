package extract

import (
	"slices"
	"strings"
	"testing"
)

// Where a block or a table ends.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name string
		kind Kind
		src  string
		want []string
	}{
		// Neither a shorter fence nor one of other marks closes it.
		{"fence of four", Markdown, "````sh\ncurl http://h -d '\n```\nx'\n````\n", []string{"curl http://h -d '\n```\nx'"}},
		{"fence of five below", Markdown, "```sh\ncurl http://h -d '\n`````\nx'\n", []string{"curl http://h -d '"}},
		{"other marks", Markdown, "~~~sh\ncurl http://h -d '\n```\nx'\n~~~\n", []string{"curl http://h -d '\n```\nx'"}},
		// A table of the system names the user after the five fields (crontab(5)).
		{"table of cron", Script, "*/5 * * * * curl http://h/1\n0 4 * * 1-5 root curl http://h/2\n@hourly curl http://h/3\n", []string{"curl http://h/1", "curl http://h/2", "curl http://h/3"}},
		{"no table of cron", Script, "0 4 * * root curl http://h/1\n0 4 * * 1 a b curl http://h/2\n", nil},
	} {
		if got := texts(t, c.src, c.kind); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Looking for the end of elements that are never closed costs as much as the text is long.
func TestEndTags(t *testing.T) {
	const unit = "<code>curl h <pre>"
	text := strings.Repeat(unit, 20_000)
	ends, sum := endTags{text: text, none: make(map[string]int)}, 0
	for at := 0; at < len(text); at += len(unit) {
		for _, name := range []string{"code", "pre"} {
			size, searched := ends.index(at, name)
			if size >= 0 {
				t.Fatalf("%s at %d ends after %d bytes", name, at, size)
			}
			sum += searched
		}
	}
	if sum > 3*len(text) {
		t.Errorf("%d bytes were searched in a text of %d", sum, len(text))
	}
	// What was searched is not forgotten wrongly.
	text = strings.Repeat("<pre>", 5) + strings.Repeat(" ", 4*window) + "<code>a</code><pre>b</PRE>"
	ends = endTags{text: text, none: make(map[string]int)}
	for _, c := range []struct {
		start int
		name  string
		want  int
	}{{5, "pre", -1}, {25, "pre", -1}, {25, "code", -1}, {25 + 4*window + 6, "code", 1}, {25 + 4*window + 19, "pre", 1}, {25 + 4*window - 5, "pre", 25}} {
		if got, _ := ends.index(c.start, c.name); got != c.want {
			t.Errorf("%s from %d ends after %d, want %d", c.name, c.start, got, c.want)
		}
	}
}
