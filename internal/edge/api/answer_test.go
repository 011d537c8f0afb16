package api_test

import (
	"strings"
	"testing"

	"uncoil/internal/edge/api"
)

// TestAnswerCommand holds that a fault and a text that is too long are problems, for
// programs of other languages too.
func TestAnswerCommand(t *testing.T) {
	const jar = `{"files": {"jar": "co.uk\tTRUE\t/\tFALSE\t0\ts3cret\ts3cret\n"}}`
	faulty := api.Limits{PublicSuffix: func(string) string { panic("s3cret") }}
	body, status := faulty.AnswerCommand("curl -b jar http://foo.co.uk/", jar, api.AsConvert)
	if status != 500 || !strings.Contains(string(body), `"code":"internal"`) || strings.Contains(string(body), "s3cret") {
		t.Errorf("a fault: %d %s", status, body)
	}
	short := api.Limits{Line: 10}
	for what, answer := range map[string]func() ([]byte, int){
		"command":        func() ([]byte, int) { return short.AnswerCommand("curl h.test", "", api.AsConvert) },
		"request object": func() ([]byte, int) { return short.AnswerObject(`{"curl": "curl h.test"}`, api.AsConvert) },
	} {
		if body, status := answer(); status != 413 || !strings.Contains(string(body), "The "+what+" is longer than the limit of 10 bytes.") {
			t.Errorf("a long %s: %d %s", what, status, body)
		}
	}
	if body, status := short.AnswerCommand("curl h.te", "", api.AsConvert); status != 200 {
		t.Errorf("a command of 9 bytes: %d %s", status, body)
	}
}
