package code_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"uncoil/code"
	"uncoil/internal/engine"
)

// TestGenerate writes what a target gives for the cases of a file, for
// another judge: CODE_CASES, CODE_TARGET and CODE_OUT name them.
func TestGenerate(t *testing.T) {
	in, name, out := os.Getenv("CODE_CASES"), os.Getenv("CODE_TARGET"), os.Getenv("CODE_OUT")
	if in == "" {
		t.Skip("CODE_CASES names no file")
	}
	target, ok := code.Lookup(name)
	if !ok {
		t.Fatal(name)
	}
	f, _ := os.Open(in)
	o, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var c struct {
			ID, Curl string
			Files    map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		line := map[string]any{"id": c.ID}
		r, err := engine.Parse(c.Curl, engine.Input{})
		if err != nil {
			line["error"] = err.Error()
		} else {
			text, diags := target.Compose(nil, r.Requests, exactly)
			if d := diags.Err(); d != nil {
				line["error"] = d.Message
			} else {
				line["code"] = string(text)
			}
			var w []string
			for _, d := range diags {
				w = append(w, d.Message)
			}
			if w != nil {
				line["warnings"] = w
			}
		}
		b, _ := json.Marshal(line)
		o.Write(append(b, '\n'))
	}
}
