package oracle

import (
	"testing"

	"uncoil/internal/proof/corpus"
)

// TestSlips has curl judge the commands that are meant by the texts of testdata/slips.
func TestSlips(t *testing.T) {
	Require(t)
	for i, s := range corpus.Slips(t) {
		if leftOut(i) {
			continue
		}
		t.Run(s.Meant, func(t *testing.T) {
			c := corpusCommand{command: s.Meant, clean: s.Meant, setup: Setup{}}
			got := c.judge(t)
			if len(got.Requests) == 0 {
				t.Fatalf("curl sends nothing: %s", got.Stderr)
			}
			if difference := c.differs(got); difference != "" {
				t.Error(difference)
			}
		})
	}
}
