package uncoil_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// wireShare is the least share of the wire cases that has to come out as curl
// sent it, in percent.
const wireShare = 99.5

// TestWire holds the program against a collection of commands with what curl
// put on the wire for each. The collection is no part of the project; where
// it is absent the test is skipped.
func TestWire(t *testing.T) {
	dir := filepath.Join("..", "shared", "wire")
	if _, err := os.Stat(filepath.Join(dir, "cases.jsonl")); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("there are no wire cases in %s", dir)
	}
	if testing.Short() {
		t.Skip("it builds the program and runs it over two thousand commands")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("the wire cases are scored by a Python program: %v", err)
	}
	binary := filepath.Join(t.TempDir(), "uncoil")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/uncoil").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, form := range []string{"parse", "convert"} {
		t.Run(form, func(t *testing.T) {
			program := filepath.Join(dir, "score.py")
			out, err := exec.Command(python, program, binary, "--as", form, "--json").Output()
			var score struct{ OK, Of int }
			// The program's exit code says no more than that not all are right.
			if jsonErr := json.Unmarshal(out, &score); jsonErr != nil {
				t.Fatalf("the program for the score gave %v, %v: %s", err, jsonErr, out)
			}
			t.Logf("%d of %d cases are right", score.OK, score.Of)
			if share := 100 * float64(score.OK) / float64(score.Of); score.Of == 0 || share < wireShare {
				t.Errorf("%.2f %% of the cases are right, less than %.1f %%: see  go build -o uncoil ./cmd/uncoil && %s ./uncoil --as %s --show 20",
					share, wireShare, program, form)
			}
		})
	}
}
