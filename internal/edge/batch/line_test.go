package batch

import (
	"bytes"
	"strings"
	"testing"

	"uncoil/extract"
	"uncoil/internal/edge/api"
)

// A line alone gets the answer that it gets in a stream.
func TestAppendAnswer(t *testing.T) {
	lines := []string{
		`{"id":1,"curl":"curl https://example.com"}`,
		"curl 'https://example.com/\"\xff'\r",
		" curl https://example.com",
		"", " \t\r", "poison",
		`{"id":2,"as":"parse","curl":"curl --nothing"}`,
	}
	var stream bytes.Buffer
	if err := Answer(strings.NewReader(strings.Join(lines, "\n")), &stream, Limits, api.AsConvert, 2, ignore); err != nil {
		t.Fatal(err)
	}
	var alone []byte
	for _, line := range lines {
		alone, _ = AppendAnswer(alone, line, api.AsConvert)
	}
	if string(alone) != stream.String() || bytes.Count(alone, []byte("\n")) != 5 {
		t.Errorf("alone:\n%s\nin a stream:\n%s", alone, stream.String())
	}
}

func TestAppendCommand(t *testing.T) {
	found, err := extract.Commands("Call\n\n```powershell\ncurl https://example.com\n```\n", extract.Markdown)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	want := `{"id":{"file":"a \"b\".md","line":4,"column":1},"curl":"curl https://example.com","shell":"powershell"}` + "\n"
	if got := string(AppendCommand(nil, `a "b".md`, &found[0])); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
