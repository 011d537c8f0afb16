package lsp_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"uncoil/internal/edge/lsp"
)

// What belongs to no phase of a session is refused with the codes of the protocol, and
// what nobody knows is let be.
func TestPhases(t *testing.T) {
	e := open(t)
	if code := e.code("textDocument/hover", "{}"); code != -32002 {
		t.Errorf("a request before initialize: %d", code)
	}
	e.notify("textDocument/didOpen", "{}")
	e.notify("$/setTrace", `{"value": "off"}`)
	e.result("initialize", `{"processId": null, "rootUri": null, "capabilities": {}}`)
	e.notify("initialized", "{}")
	for _, test := range []struct {
		method, params string
		code           int
	}{
		{"initialize", `{"capabilities": {}}`, -32600},
		{"textDocument/rename", "{}", -32601},
		{"$/unknown", "{}", -32601},
		{"textDocument/hover", "[]", -32602},
		{"textDocument/hover", `{"position": {"line": "1"}}`, -32602},
		{"workspace/executeCommand", `{"command": "rm"}`, -32602},
		{"workspace/executeCommand", `{"command": "uncoil.convert"}`, -32602},
	} {
		if code := e.code(test.method, test.params); code != test.code {
			t.Errorf("%s %s: error %d, want %d", test.method, test.params, code, test.code)
		}
	}
	for _, test := range []struct {
		content string
		code    int
	}{
		{"{", -32700},
		{"[]", -32600},
		{`{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}`, -32600},
		{`{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}`, -32600},
		{`{"jsonrpc": "2.0", "id": 7}`, -32600},
	} {
		e.send(test.content)
		if m := e.answer("null"); m.Error == nil || m.Error.Code != test.code {
			t.Errorf("%s: %+v, want the error %d", test.content, m, test.code)
		}
	}
	e.send(`{"jsonrpc": "2.0", "id": 7, "result": null}`) // to a request that was not made
	e.notify("unknown/notification", "3")
	if got := e.result("shutdown", "null"); string(got) != "null" {
		t.Errorf("shutdown: %s", got)
	}
	if code := e.code("textDocument/hover", "{}"); code != -32600 {
		t.Errorf("a request after shutdown: %d", code)
	}
	e.notify("exit", "null")
	if err := <-e.ended; err != nil || len(e.heard) > 0 {
		t.Errorf("the session ends with %v, and %v was said", err, e.heard)
	}
}

func TestExitAtOnce(t *testing.T) {
	e := start(t, "{}", "null")
	e.notify("exit", "null")
	if !e.wrongEnd() {
		t.Error("the end without shutdown is none")
	}
}

// A request that is cancelled before its turn has no result.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		toServer, in := io.Pipe()
		out, fromServer := io.Pipe()
		ended := make(chan error)
		go func() { ended <- lsp.Serve("", false, toServer, fromServer) }()
		answers := bufio.NewReader(out)
		ask := func(id int, method string) string {
			return framed(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": %q, "params": {"capabilities": {}, "command": "uncoil.targets"}}`, id, method))
		}
		cancel := func(id int) string {
			return framed(fmt.Sprintf(`{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": %d}}`, id))
		}
		// Nobody reads the first answer, so the server stands there and reads ahead.
		for _, input := range []string{ask(1, "initialize"), ask(2, "workspace/executeCommand") + cancel(1) + cancel(2) + ask(3, "workspace/executeCommand")} {
			if _, err := io.WriteString(in, input); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		for id, want := range []int{1: 0, 2: -32800, 3: 0} {
			if id == 0 {
				continue
			}
			content, err := frame(answers)
			if err != nil {
				t.Fatal(err)
			}
			var m received
			decode(t, content, &m)
			got := 0
			if m.Error != nil {
				got = m.Error.Code
			}
			if string(m.ID) != strconv.Itoa(id) || got != want {
				t.Errorf("%d: %s", id, content)
			}
		}
		_ = in.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// The input is no protocol: the session ends with an error, and takes no memory for
// what is only announced.
func TestFrames(t *testing.T) {
	const initialize = `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}`
	for _, test := range []struct {
		name, input string
		ok          bool
	}{
		{"nothing", "", true},
		{"a message", framed(initialize), true},
		{"other fields", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 3\r\n\r\n{ }", true},
		{"line feeds alone", "Content-Length: 3\n\n{ }", true},
		{"no length", "Content-Type: x\r\n\r\n{}", false},
		{"two lengths", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", false},
		{"a negative length", "Content-Length: -2\r\n\r\n{}", false},
		{"no head", "{}\r\n\r\n", false},
		{"a long head", strings.Repeat("X: y\r\n", 100) + "\r\n", false},
		{"a long line", "X: " + strings.Repeat("y", 1<<20), false},
		{"the end in the head", "Content-Le", false},
		{"the end in the content", "Content-Length: 4611686018427387903\r\n\r\n{}", false},
		{"a length that no number holds", "Content-Length: 99999999999999999999\r\n\r\n{}", false},
	} {
		var out bytes.Buffer
		err := lsp.Serve("", false, strings.NewReader(test.input), &out)
		if (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// A message that is too long is left out, and the next one is read.
func TestLongMessage(t *testing.T) {
	e := start(t, "{}", "null")
	go func() {
		long := 64 << 20
		_, _ = fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n", long)
		_, _ = io.CopyN(e.in, zeros{}, int64(long))
		_, _ = io.WriteString(e.in, framed(`{"jsonrpc": "2.0", "id": "next", "method": "shutdown"}`))
	}()
	if m := e.answer(`"next"`); m.Error != nil {
		t.Error(m.Error)
	}
	if said := e.hear("window/showMessage"); !strings.Contains(string(said), "48 MiB") {
		t.Errorf("%s", said)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// A document is checked when the keys rest, and only as it is then.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, "{}", "null")
		e.show("file:///a.sh", "shellscript", "curl https://h.test/\n")
		if p := e.diagnostics(); len(p.Diagnostics) != 0 || *p.Version != 1 {
			t.Errorf("%+v", p)
		}
		began := time.Now()
		typed := "curl --heder"
		for i := range typed[5:] {
			time.Sleep(50 * time.Millisecond)
			e.notify("textDocument/didChange", fmt.Sprintf(`{"textDocument": {"uri": "file:///a.sh", "version": %d}, "contentChanges": [{"text": %s}]}`,
				i+2, quote(typed[:5+i+1]+" x https://h.test/\n")))
		}
		p := e.diagnostics()
		if len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "unknown-option" || *p.Version != len(typed)-5+1 {
			t.Errorf("%+v", p)
		}
		if took := time.Since(began); took < 600*time.Millisecond || took > time.Second {
			t.Errorf("it took %v", took)
		}
		// Saving does not wait.
		e.notify("textDocument/didChange", `{"textDocument": {"uri": "file:///a.sh", "version": 20}, "contentChanges": [{"text": "curl"}]}`)
		e.notify("textDocument/didSave", `{"textDocument": {"uri": "file:///a.sh"}}`)
		before := time.Now()
		if p := e.diagnostics(); *p.Version != 20 || time.Since(before) != 0 {
			t.Errorf("%+v after %v", p, time.Since(before))
		}
		// Closing takes everything back, and nothing is said afterwards.
		e.notify("textDocument/didChange", `{"textDocument": {"uri": "file:///a.sh", "version": 21}, "contentChanges": [{"text": "curl --heder x h.test"}]}`)
		e.notify("textDocument/didClose", `{"textDocument": {"uri": "file:///a.sh"}}`)
		if p := e.diagnostics(); len(p.Diagnostics) != 0 || p.Version != nil {
			t.Errorf("%+v", p)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		e.end()
		if len(e.heard) > 0 {
			t.Errorf("%s was said of a closed document", e.heard[0].Params)
		}
	})
}
