package extract

import (
	"slices"
	"testing"
)

// What convinces that a word is the argument of a command, at both sides of each length.
func TestConvinces(t *testing.T) {
	for argument, want := range map[string]bool{
		"-": false, "--": false, "-s": true, "--silent": true, "-1": false, "--1": false,
		"''": false, "'": false, `"-`: false, "'-x'": true, `"$A"`: true, "'h.test'": true, "'x'": false,
		"$": false, "$A": true, "${A}": true, "$(": false, "<url>": true, "<": false, `\`: true, `\x`: false, "(x)": false,
		"http://h": true, "h.test/a": true, "is": false,
	} {
		if got := convinces(argument); got != want {
			t.Errorf("%s convinces: %t", argument, got)
		}
	}
}

// Lines that only a shell has.
func TestIsShellLine(t *testing.T) {
	for line, want := range map[string]bool{
		"x=$(curl h": true, "x=`curl h": true, "x=1 curl h": false, "(x=$(curl h": true,
		"for a in b; do curl h": true, "for a in b curl h": false, "while x; do curl h": false,
		"kubectl exec a -- curl h": true, "ip netns exec a curl h": false,
		"sh -c 'curl h": true, "bash -c 'curl h": true, "bash x curl h": false, "zsh -c 'curl h": false,
	} {
		if got := isShellLine(line); got != want {
			t.Errorf("%s is a line of a shell: %t", line, got)
		}
	}
}

// A string without a name for Markdown is Markdown where it has a fence, and a comment after a
// name of YAML is no value.
func TestScalars(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"text: |\n  Use `curl http://h/a`.\n\n  ```sh\n  curl h.test -d 'x\n  ```\n  y'\n", []string{"curl http://h/a", "curl h.test -d 'x"}},
		{"run: |\n  curl h.test -d '\n  ```\n  x'\n", []string{"curl h.test -d '\n```\nx'"}},
		{"run: curl http://h \\\n", []string{"curl http://h \\"}},
		{"run: # curl http://h/a\n  curl http://h/b\n", []string{"curl http://h/b"}},
	} {
		if got := texts(t, c.src, YAML); !slices.Equal(got, c.want) {
			t.Errorf("%s\n%q, want %q", c.src, got, c.want)
		}
	}
}

// A tag is one with a name and an end, at the end of a text too.
func TestTag(t *testing.T) {
	for s, want := range map[string]string{
		"<a>": "a", "</a>": "/a", "<a": "", "<>": "", "</>": "", "<1>": "", "</1>": "", "<a b='>'>x": "a", "<a <b>": "", "<A-1 x>": "a-1", "a>": "",
	} {
		if name, length := tag(s); name != want || want != "" && s[length-1] != '>' {
			t.Errorf("%s is a tag %q of %d bytes", s, name, length)
		}
	}
}

// A callout is a number in angle brackets (AsciiDoc), or one in round ones behind the sign of
// a comment (Material for MkDocs).
func TestBeforeCallout(t *testing.T) {
	for line, want := range map[string]string{
		"curl h <1>": "curl h ", "curl h <.>": "curl h ", "curl h <a>": "curl h <a>", "curl h <>": "curl h <>", "curl h<1>": "curl h<1>",
		"curl h # <12>": "curl h ", "curl h // (1)": "curl h ", "curl h (1)": "curl h (1)", "curl h <1)": "curl h <1)", "curl h (1>": "curl h (1>", "curl h # (1)!": "curl h ",
		"<1>": "<1>", "curl h <1> x": "curl h <1> x",
	} {
		if got := line[:beforeCallout(line)]; got != want {
			t.Errorf("before the callout of %q stands %q, want %q", line, got, want)
		}
	}
}
