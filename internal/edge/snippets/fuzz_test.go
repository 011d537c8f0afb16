package snippets_test

import (
	"strings"
	"testing"

	"uncoil/code"
	"uncoil/internal/edge/snippets"
)

// Any document is left as it is where there is an error, and needs to be written once.
func FuzzUpdate(f *testing.F) {
	for name, all := range names {
		for _, layout := range all {
			for _, command := range hostile {
				f.Add(name, "x\n\n"+block(name, command)+comment(name, "uncoil-snippets: raw-http, curl tabs="+layout)+"\n\ny")
			}
		}
	}
	f.Add("a.md", page)
	f.Add("a.md", "```\ncurl a.test\n```\n<!-- uncoil-snippets: go -->\n```\n<!-- uncoil-snippets-end -->\n")
	f.Add("a.rst", "::\n 0 curl 00 0'000 0'00\n.. uncoil-snippets:C\n") // a quote that is open below
	// The program repeats fewer warnings than the command has.
	f.Add("a.md", "```sh\ncurl $0 0'0 0'0\n```\n<!-- uncoil-snippets: raw-http curl tabs=plain--> \n0")
	f.Fuzz(func(t *testing.T, name, text string) {
		format := snippets.FormatOf(name)
		if format == snippets.None || len(text) > 1<<14 {
			return
		}
		o := snippets.Options{Layout: "plain", Program: code.Options{}}
		out, report := snippets.Update(text, format, o)
		if out != text && (len(report.Stale) == 0 || len(report.Errors) > 0) {
			t.Fatalf("%+v, and changed to\n%q", report, out)
		}
		if len(report.Errors) > 0 {
			return
		}
		again, second := snippets.Update(out, format, o)
		if again != out || len(second.Stale)+len(second.Errors) > 0 {
			t.Fatalf("%+v\n%q\na second time %+v\n%q", report, out, second, again)
		}
		if strings.Count(out, "uncoil-snippets") < strings.Count(text, "uncoil-snippets")-report.Regions {
			t.Fatalf("markers have gone: %q", out)
		}
	})
}
