package cli_test

import (
	"flag"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"uncoil/internal/edge/cli"
	"uncoil/internal/edge/serve"
)

// A terminal has so many lines and columns.
const screenLines, screenColumns = 24, 80

// output runs uncoil and returns what it writes to standard output.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if code := cli.Run(args, strings.NewReader(""), &out, io.Discard, func(string) string { return "" }, serve.Serve); code != 0 {
		t.Fatalf("uncoil %v exits with %d", args, code)
	}
	return out.String()
}

// TestHelpFits checks that -h is one look, and that no help is too wide.
func TestHelpFits(t *testing.T) {
	check := func(args ...string) {
		text := output(t, args...)
		if n := strings.Count(text, "\n"); args[0] != "help" && n > screenLines {
			t.Errorf("%d lines, more than the %d of a terminal:\n%s", n, screenLines, text)
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(line) - 1; n > screenColumns {
				t.Errorf("uncoil %v: %d columns: %s", args, n, line)
			}
		}
	}
	check("-h")
	check("help")
	overview := output(t, "-h")
	cli.Pages(serve.Serve, func(name string, page *cli.Page, _ *flag.FlagSet) {
		check("help", name)
		if len(page.Groups) > 0 {
			check(name, "-h")
		}
		if !strings.Contains(overview, "\n  "+name+" ") && name != "help" {
			t.Errorf("uncoil -h lacks %s", name)
		}
	})
}

// TestGroups checks that a page has each flag of its subcommand once.
func TestGroups(t *testing.T) {
	cli.Pages(serve.Serve, func(name string, page *cli.Page, flags *flag.FlagSet) {
		shown := make(map[string]int)
		rest := false
		for _, group := range page.Groups {
			rest = rest || group.Rest
			for flag := range strings.FieldsSeq(group.Flags) {
				shown[flag]++
				if flags.Lookup(flag) == nil {
					t.Errorf("%s has no flag -%s", name, flag)
				}
			}
		}
		flags.VisitAll(func(f *flag.Flag) {
			if shown[f.Name] != 1 && (!rest || shown[f.Name] > 1) {
				t.Errorf("the groups of %s have -%s %d times", name, f.Name, shown[f.Name])
			}
		})
	})
}

// TestManual checks the pages of the manual with mandoc, and that they say what
// help says.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	output(t, "__manual", dir)
	pages, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	if len(pages) < 15 {
		t.Fatalf("%d pages", len(pages))
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed")
	}
	for _, page := range pages {
		if out, err := exec.Command(mandoc, "-T", "lint", "-W", "warning", page).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	out, err := exec.Command(mandoc, "-T", "utf8", filepath.Join(dir, "uncoil-convert.1")).Output()
	if err != nil {
		t.Fatal(err)
	}
	shown := unstruck(string(out))
	for _, want := range []string{`'curl -H "A: $TOKEN" https://example.com'`, "••• for passwords", "-shell S"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page of convert lacks %s:\n%s", want, shown)
		}
	}
}

// unstruck returns a text without the letters that a printer strikes over to
// print them bold or underlined.
func unstruck(text string) string {
	var out []rune
	for _, r := range text {
		if r == '\b' {
			out = out[:len(out)-1]
		} else {
			out = append(out, r)
		}
	}
	return string(out)
}
