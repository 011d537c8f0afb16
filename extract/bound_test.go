package extract

import (
	"slices"
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
