package samples_test

import (
	"testing"

	"uncoil/code"
	"uncoil/internal/edge/samples"
)

// Any document is left as it is where there is an error, and needs to be written once.
func FuzzUpdate(f *testing.F) {
	for _, text := range layouts {
		f.Add(text)
	}
	for _, c := range operations {
		f.Add(document(c.method, c.path, c.members))
	}
	target, _ := code.Lookup("curl")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		out, report, err := samples.Update("api.yaml", text, none, []code.Target{target}, code.Options{})
		if err != nil || len(report.Errors) > 0 {
			if out != text {
				t.Fatalf("%v, %+v, and changed to\n%q", err, report, out)
			}
			return
		}
		again, second, err := samples.Update("api.yaml", out, none, []code.Target{target}, code.Options{})
		if err != nil || again != out || len(second.Stale)+len(second.Errors) > 0 {
			t.Fatalf("%q\na second time: %v, %+v\n%q", out, err, second, again)
		}
	})
}
