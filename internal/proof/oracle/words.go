package oracle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Words has bash run a script in which curl does nothing but note its
// arguments. It returns those of each call, in order, without the name of the
// program.
func Words(ctx context.Context, script string, setup Setup) ([][]string, error) {
	t, err := findTools()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "oracle-words-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	notes := filepath.Join(dir, "notes")
	t.curl = filepath.Join(dir, "curl")
	note := fmt.Sprintf("#!%s\nprintf '%%s\\0' \"$#\" \"$@\" >>%s\n", t.bash, quote(notes))
	if err := os.WriteFile(t.curl, []byte(note), 0o755); err != nil {
		return nil, err
	}
	if _, err := run(ctx, t, setup, t.bash, "--norc", "-c", script); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(notes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return cutNotes(string(text))
}

// cutNotes reads calls, each of which is a count and as many words, all ended
// by a NUL.
func cutNotes(text string) ([][]string, error) {
	var calls [][]string
	for text != "" {
		count, rest, _ := strings.Cut(text, "\x00")
		n, err := strconv.Atoi(count)
		if err != nil {
			return nil, err
		}
		words := make([]string, n)
		for i := range words {
			words[i], rest, _ = strings.Cut(rest, "\x00")
		}
		calls, text = append(calls, words), rest
	}
	return calls, nil
}
