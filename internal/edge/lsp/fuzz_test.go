package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// FuzzMessages takes whatever a client sends, a message in each line: every message of
// the server is JSON-RPC with a known end, and none is a fault. It goes around the
// goroutine that reads, so that an input always takes the same way.
func FuzzMessages(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"a.md","version":1,"text":"` + "```\\ncurl --heder 'é' h.test?a&b\\n```" + `"}}}
{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"a.md"},"position":{"line":1,"character":6}}}
{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"a.md","version":2},"contentChanges":[{"range":{"start":{"line":1,"character":7},"end":{"line":1,"character":8}},"text":"😀"}]}}
{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"a.md"},"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":9}},"context":{}}}
{"jsonrpc":"2.0","id":"4","method":"workspace/executeCommand","params":{"command":"uncoil.convert","arguments":[{"uri":"a.md","position":{"line":1,"character":6},"target":"go"}]}}
{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"a.md"}}}
{"jsonrpc":"2.0","id":5,"method":"shutdown"}`)
	f.Add(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"a.http","text":"@a = b\nGET http://h.test/{{a}}\n\n###\nPOST http://h.test\n\nc"}}}
{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"a.http"},"position":{"line":4,"character":1}}}
{"jsonrpc":"2.0","id":3,"method":"workspace/executeCommand","params":{"command":"uncoil.convert","arguments":[{"uri":"a.http","position":{"line":1,"character":6},"target":"go"}]}}`)
	f.Add(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"advice":true,"targets":["go"]}}}`)
	f.Fuzz(func(t *testing.T, lines string) {
		var out bytes.Buffer
		s := newServer("", false, &out)
		const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"textDocument":{"hover":{"contentFormat":["markdown"]}}},"initializationOptions":{"targets":["go"],"advice":true}}}`
		for line := range strings.Lines(initialize + "\n" + lines) {
			m := decode([]byte(line))
			s.take(&m)
			for _, d := range s.open {
				if !d.due.IsZero() {
					s.schedule(d, -1)
				}
			}
			s.checkDue()
		}
		for r := bufio.NewReader(&out); ; {
			content, err := readContent(r)
			if err == io.EOF {
				break
			}
			var m struct {
				Method string
				Error  *responseError
			}
			if err = errors.Join(err, json.Unmarshal(content, &m)); err != nil || m.Method == "window/logMessage" || m.Error != nil && m.Error.Code == codeInternal {
				t.Fatalf("%v: %s", err, content)
			}
		}
	})
}

// FuzzFrames takes whatever stands on the input: it ends, and a message that is read is as
// long as its head says.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}Content-Length: 3\n\n{ }"))
	f.Add([]byte("Content-Type: x\r\ncontent-length : 99999999\r\n\r\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		r := bufio.NewReader(bytes.NewReader(input))
		read := 0
		for {
			content, err := readContent(r)
			if err != nil {
				return
			}
			if read += len(content) + len("content-length:0\n\n"); read > len(input) {
				t.Fatalf("%d bytes are read of %q", read, input)
			}
		}
	})
}
