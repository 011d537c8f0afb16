package snippets_test

import (
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
