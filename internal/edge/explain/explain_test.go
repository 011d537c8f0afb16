package explain

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
)

// TestWords holds that each option has words, and that they are in one style.
func TestWords(t *testing.T) {
	const longest = 110 // two lines of a narrow pane
	for _, o := range curl.Options() {
		if int(o.ID) >= len(words) || words[o.ID] == "" {
			t.Errorf("--%s has no words", o.Long)
			continue
		}
		text := words[o.ID]
		first, _ := utf8.DecodeRuneInString(text)
		if !unicode.IsUpper(first) || strings.HasSuffix(text, ".") || utf8.RuneCountInString(text) > longest {
			t.Errorf("--%s: %q is not in the style of the others", o.Long, text)
		}
	}
}

func TestText(t *testing.T) {
	for command, want := range map[string]string{
		"curl -N h":             words[curl.OptBuffer],
		"curl --no-buffer h":    words[curl.OptBuffer],
		"curl --buffer h":       "Undoes --no-buffer",
		"curl -L h":             words[curl.OptLocation],
		"curl --no-location h":  "Undoes --location",
		"curl --no-silent h":    "Undoes --silent",
		"curl --no-sessionid h": words[curl.OptSessionid],
	} {
		r, err := engine.Parse(command, engine.Input{Explain: engine.Explain})
		if err != nil {
			t.Fatal(err)
		}
		if got := Text(&r.Uses[0]); got != want {
			t.Errorf("%s: %q, not %q", command, got, want)
		}
	}
}

// TestAppendBounds holds that an answer is no longer than it may be, and that names
// from the command do not act on a terminal.
func TestAppendBounds(t *testing.T) {
	r, err := engine.Parse("curl h -"+strings.Repeat("s", 1000), engine.Input{Explain: engine.Explain, Limits: engine.Limits{Answer: 10_000}})
	if err != nil {
		t.Fatal(err)
	}
	if out, _, err := Append(nil, r); err == nil {
		t.Errorf("%d bytes", len(out))
	}
	if out, _, err := AppendText(nil, r); err == nil {
		t.Errorf("%d bytes of text", len(out))
	}
	r, err = engine.Parse("curl h -H $'a\\e[2J: b'", engine.Input{Explain: engine.Explain})
	if err != nil {
		t.Fatal(err)
	}
	if out, _, err := AppendText(nil, r); err != nil || strings.ContainsRune(string(out), '\x1b') || !strings.Contains(string(out), "sets headers.a") {
		t.Errorf("%q %v", out, err)
	}
	if out, _, err := Append(nil, r); err != nil || !json.Valid(out) {
		t.Errorf("%q %v", out, err)
	}
}
