//go:build cgo

package throughc

import (
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"uncoil/internal/edge/api"
	"uncoil/internal/proof/doors"
)

// TestSameAnswers holds that the functions give the answers of the program.
func TestSameAnswers(t *testing.T) {
	questions := doors.Questions(t)
	for i, want := range doors.Answers(t, questions) {
		q := &questions[i]
		status, got := Call(q.Function, Text{Bytes: []byte(q.Command)}, Text{Bytes: []byte(q.OptionsText(t))}, true)
		if got != want.Body || (status == 200) != want.OK {
			t.Errorf("%s: %s answers %d\n%s\nthe program\n%s", q.Name, q.Function, status, got, want.Body)
		}
	}
	if _, got := Call("targets", Text{}, Text{}, false); got != string(api.AppendTargets(nil)) {
		t.Errorf("the targets are\n%s", got)
	}
}

// TestArguments passes what a caller may get wrong.
func TestArguments(t *testing.T) {
	command, none := Text{Bytes: []byte("curl h.test")}, Text{Null: true}
	const answer = `{"method":"GET","url":"http://h.test","headers":{},"data":null}`
	for _, c := range []struct {
		name             string
		command, options Text
		status           int
		want             string // a part of the answer
	}{
		{"no options", command, none, 200, answer},
		{"empty options", command, Text{}, 200, answer},
		{"an empty object", command, Text{Bytes: []byte("{}")}, 200, answer},
		{"null in the options", command, Text{Bytes: []byte(`{"files": null, "later": 1}`)}, 200, answer},
		{"no command", none, none, 422, `"code":"empty-command"`},
		{"NULL with a size", Text{Null: true, Size: 1}, none, 400, "The place of the command is NULL, and the size is not 0."},
		{"NULL options with a size", command, Text{Null: true, Size: 1}, 400, "The place of the options is NULL"},
		{"the largest size", Text{Size: math.MaxUint64}, none, 413, "The command is longer than the limit"},
		{"the largest size of the options", command, Text{Size: math.MaxUint64}, 413, "longer than the limit"},
		{"a size that is negative as an int", Text{Size: 1 << 31}, none, 413, "longer than the limit"},
		{"bytes that are not UTF-8", Text{Bytes: []byte("curl h.test -H 'A: \xff'")}, none, 422, `"code":"binary-body"`},
		{"a name that is not UTF-8", Text{Bytes: []byte("curl h.test --\xff")}, none, 422, `"code":"unknown-option"`},
		{"options that are not UTF-8", command, Text{Bytes: []byte("{\"shell\": \"\xff\"}")}, 400, "the JSON is not UTF-8"},
		{"a NUL", Text{Bytes: []byte("curl h.test\x00")}, none, 422, `"code":"invalid-url"`},
		{"options that are no object", command, Text{Bytes: []byte("[]")}, 400, "or pass no options"},
		{"options that are no JSON", command, Text{Bytes: []byte("{")}, 400, `"code":"bad-request"`},
		{"options with a command", command, Text{Bytes: []byte(`{"curl": "curl h.test"}`)}, 400, "the command is passed beside the options"},
		{"options with a bad value", command, Text{Bytes: []byte(`{"shell": "sh"}`)}, 400, `"member":"shell"`},
	} {
		status, got := Call("convert", c.command, c.options, true)
		if status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s: %d, want %d with %s:\n%s", c.name, status, c.status, c.want, got)
		}
	}
	if _, got := Call("convert", command, none, false); got != answer {
		t.Errorf("without a place for the status: %s", got)
	}
	Free()
}

// TestThreads calls from many threads at once.
func TestThreads(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				if status, got := Call("code", Text{Bytes: []byte("curl h.test -d a=1")}, Text{Bytes: []byte(`{"target":"go"}`)}, true); status != 200 {
					t.Errorf("%d: %s", status, got)
				}
			}
		})
	}
	group.Wait()
}

// FuzzCall passes any bytes, and holds that what comes back is JSON with the status
// that it has.
func FuzzCall(f *testing.F) {
	f.Add(uint8(0), []byte("curl -d a=1 h.test"), []byte(`{"data": "text"}`), uint64(0))
	f.Add(uint8(1), []byte("curl h.test -H 'A: \xff'"), []byte("{}"), uint64(1<<40))
	f.Add(uint8(2), []byte("curl 'h.test/$x'"), []byte(`{"target": "rust", "env": {"x": "1"}}`), uint64(0))
	f.Fuzz(func(t *testing.T, which uint8, command, options []byte, size uint64) {
		in, with := Text{Bytes: command}, Text{Bytes: options}
		if size > 1<<32 { // what cannot be read must not be
			in.Size = size
		}
		function := doors.Functions[int(which)%len(doors.Functions)]
		status, got := Call(function, in, with, true)
		if !utf8.ValidString(got) || !json.Valid([]byte(got)) {
			t.Fatalf("%s answers no JSON: %q", function, got)
		}
		var problem struct{ Status int }
		_ = json.Unmarshal([]byte(got), &problem)
		if status != 200 && problem.Status != status || status == 500 {
			t.Fatalf("%s answers %d: %s", function, status, got)
		}
	})
}
