package postman_test

import (
	"strings"
	"testing"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/postman"
)

// Folders nest a hundred deep, of which the collection is the first, and one more is refused
// where its items begin.
func TestFolderDepth(t *testing.T) {
	nested := func(folders int) string {
		return `{"info":{},"item":[` + strings.Repeat(`{"item":[`, folders) + `{"request":"h.test"}` + strings.Repeat("]}", folders) + "]}"
	}
	read := func(src string) (int, *diag.Diagnostic) {
		commands, diags := postman.Read(src, 0, nil, meter.New(len(src), meter.Limits{}, nil))
		return len(commands), diags.Err()
	}
	if n, d := read(nested(99)); n != 1 || d != nil {
		t.Errorf("ninety-nine folders: %d commands, %v", n, d)
	}
	src := nested(100)
	n, d := read(src)
	if n != 0 || d == nil || d.Code != diag.CodeNestedTooDeep {
		t.Fatalf("a hundred folders: %d commands, %v", n, d)
	}
	if want := strings.Index(src, `[{"request"`); int(d.Span.Start) != want {
		t.Errorf("the error is at %d, want %d", d.Span.Start, want)
	}
}
