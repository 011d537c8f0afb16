package engine_test

import (
	"errors"
	"strings"
	"testing"

	"uncoil/internal/engine"
)

// What a message says of the other requests is what curl does: it goes on after a URL
// that it rejects, and ends at a glob that it cannot read, and with --fail-early at both.
func TestMessagesOfOtherRequests(t *testing.T) {
	for src, want := range map[string]string{
		`curl 'http://a b.test' http://h.test/`:              "(curl sends the others)",
		`curl http://h.test/ 'http://a b.test'`:              "(curl sends the others)",
		`curl --fail-early http://h.test/ 'http://a b.test'`: "(curl sends what comes before it)",
		`curl http://h.test/ 'http://h.test/[9-1]'`:          "(curl sends what comes before it)",
	} {
		r, err := engine.Parse(src, engine.Input{})
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		found := false
		for i := range r.Warnings {
			found = found || strings.HasSuffix(r.Warnings[i].Message, want)
		}
		if !found {
			t.Errorf("%s: %+v, want %s", src, r.Warnings, want)
		}
	}
	_, err := engine.Parse(`curl -d @- http://h.test/`, engine.Input{})
	if err == nil {
		_, _, err = engine.Append(nil, `curl -d @- http://h.test/`, engine.Want{}, engine.Input{})
	}
	if e, ok := errors.AsType[*engine.Error](err); !ok || !strings.Contains(e.Message, "standard input") {
		t.Errorf("%v", err)
	}
}
