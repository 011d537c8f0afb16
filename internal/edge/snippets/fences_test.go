package snippets_test

import (
	"strings"
	"testing"

	"uncoil/internal/edge/snippets"
)

// What closes a fence: as many of its marks, three columns further in than the fence at
// most (CommonMark 0.31, 4.5). A marker within is text about markers.
func TestFencesClose(t *testing.T) {
	for _, c := range []struct {
		open, close string
		closes      bool
	}{
		{"```sh", "```", true}, {"```sh", "   ```", true}, {"```sh", "    ```", false}, {"```sh", "         ```", false},
		{"````sh", "```", false}, {"````sh", "````", true}, {"````sh", "`````", true}, {"```sh", "``` sh", false}, {"```sh", "~~~", false},
		{"~~~sh", "~~~", true}, {"- ```sh", "  ```", true}, {"> ```sh", "> ```", true},
	} {
		text := c.open + "\ncurl https://api.test/1\n" + c.close + "\n\n<!-- uncoil-snippets: go -->\n"
		_, report := update(t, "a.md", text, snippets.Options{})
		if (report.Regions == 1) != c.closes {
			t.Errorf("%d regions of\n%s", report.Regions, text)
		}
	}
	// In AsciiDoc the line is the same, as long.
	for closes, end := range map[bool]string{true: "----", false: "-----"} {
		text := "[source,sh]\n----\ncurl https://api.test/1\n" + end + "\n\n// uncoil-snippets: go\n"
		_, report := update(t, "a.adoc", text, snippets.Options{})
		if (report.Regions == 1) != closes {
			t.Errorf("%d regions of\n%s", report.Regions, text)
		}
	}
}

// A region is of all commands of the block above it, also of the first block; a line outside
// is of another one.
func TestCommandsOfBlock(t *testing.T) {
	for _, c := range []struct {
		above string
		want  string
	}{
		{"```sh\ncurl https://api.test/1\n\ncurl https://api.test/2\n\ncurl https://api.test/3\n```\n", "123"},
		{"Text\n\n```sh\ncurl https://api.test/1\n```\n\n```sh\ncurl https://api.test/2\ncurl https://api.test/3\n```\n", "23"},
		{"    curl https://api.test/1\n```sh\ncurl https://api.test/2\n```\n", "2"},
		{"```sh\ncurl https://api.test/1\n```\n    curl https://api.test/2\n", "2"},
		{"    curl https://api.test/1\n    curl https://api.test/2\n", "12"},
		{"    curl https://api.test/1\n\n    curl https://api.test/2\n", "2"},
	} {
		out, report := update(t, "a.md", c.above+"\n<!-- uncoil-snippets: go -->\n", snippets.Options{})
		_, below, _ := strings.Cut(out, "<!--")
		for _, one := range []string{"1", "2", "3"} {
			if strings.Contains(below, "https://api.test/"+one) != strings.Contains(c.want, one) {
				t.Errorf("%v: want %s of\n%s", report.Errors, c.want, out)
			}
		}
	}
}

// A doubt stands at the line of the command that it is about, whatever is between commands.
func TestDoubtsAtLines(t *testing.T) {
	const slow, fast = "curl --limit-rate 9 https://api.test/1\n", "curl https://api.test/2\n"
	for block, line := range map[string]int{slow + "\n\n\n" + fast: 2, fast + "\n\n" + slow + "\n\n" + fast: 5, fast + fast + slow: 4} {
		text := "```sh\n" + block + "```\n\n<!-- uncoil-snippets: go -->\n"
		_, report := update(t, "a.md", text, snippets.Options{})
		if len(report.Doubts) != 1 || report.Doubts[0].Line != line || report.Doubts[0].Column != 6 {
			t.Errorf("%+v, want line %d of\n%s", report.Doubts, line, text)
		}
	}
}
