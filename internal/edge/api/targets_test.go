package api_test

import (
	"bytes"
	"strings"
	"testing"

	"uncoil/internal/edge/api"
	"uncoil/internal/engine"
)

// The programs of one answer are two hundred at most.
func TestManyTargets(t *testing.T) {
	object := func(n int) string {
		return `{"curl":"curl h.test","targets":["none"` + strings.Repeat(`,"none"`, n-1) + `]}`
	}
	if body, status := (api.Limits{}).AnswerObject(object(200), api.AsCode); status != 200 || bytes.Count(body, []byte(`"unknown-target"`)) != 200 {
		t.Errorf("200 targets: %d %.300s", status, body)
	}
	if body, status := (api.Limits{}).AnswerObject(object(201), api.AsCode); status != 400 || !strings.Contains(string(body), "more than 200 names") {
		t.Errorf("201 targets: %d %.300s", status, body)
	}
}

// The programs of one answer are together no longer than an answer may be, to the byte.
func TestProgramsTogether(t *testing.T) {
	const object = `{"curl":"curl h.test","targets":["curl","python","go"]}`
	body, status := api.Limits{}.AnswerObject(object, api.AsCode)
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	limited := func(n int) ([]byte, int) {
		return api.Limits{Command: engine.Limits{Answer: n}}.AnswerObject(object, api.AsCode)
	}
	if same, status := limited(len(body)); status != 200 || !bytes.Equal(same, body) {
		t.Errorf("of %d bytes: %d %s", len(body), status, same)
	}
	for _, n := range []int{len(body) - 1, len(body) - 100} {
		if short, status := limited(n); status != 422 || !strings.Contains(string(short), `"expansion-too-large"`) {
			t.Errorf("of %d bytes: %d %s", n, status, short)
		}
	}
}
