package repo

import (
	"os"
	"strings"
	"testing"

	"uncoil/internal/curl"
)

// TestSemanticsOptions holds the table of options in docs/semantics.md
// against the one in the code.
func TestSemanticsOptions(t *testing.T) {
	const path = "docs/semantics.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	begin := strings.Index(text, "<!-- options:")
	end := strings.Index(text, "<!-- /options -->")
	if begin < 0 || end < begin {
		t.Fatalf("%s lacks the marks of the table", path)
	}
	begin += strings.Index(text[begin:], "\n") + 1
	want := optionTable()
	if text[begin:end] == want {
		return
	}
	if !*update {
		t.Fatalf("the table of options in %s is out of date: run go test ./internal/repo -run Semantics -update", path)
	}
	if err := os.WriteFile(path, []byte(text[:begin]+want+text[end:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

var optionType = map[curl.Place]string{
	curl.InBoolOption:    "true or false",
	curl.InIntOption:     "a whole number",
	curl.InSecondsOption: "seconds",
	curl.InSizeOption:    "bytes",
	curl.InStringOption:  "text",
	curl.InListOption:    "a list of texts",
	curl.InDerivedOption: "shared with other options",
}

func optionTable() string {
	var b strings.Builder
	b.WriteString("\n| option | where | what |\n|---|---|---|\n")
	for _, o := range curl.Options() {
		name := "`--" + o.Long + "`"
		if o.Short != 0 {
			name = "`-" + string(o.Short) + "`, " + name
		}
		where, what := "ignored", o.Note
		switch o.Place {
		case curl.InRequest:
			where = "request"
		case curl.Ignored:
		default:
			where, what = "options."+o.Member, optionType[o.Place]
		}
		b.WriteString("| " + name + " | " + where + " | " + what + " |\n")
	}
	b.WriteString("\n")
	return b.String()
}
