package lsp_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"testing"

	"uncoil/internal/edge/lsp"
)

// An editor is a client that says what a test says.
type editor struct {
	t        *testing.T
	in       *io.PipeWriter
	messages chan received
	ended    chan error
	id       int
	// heard are the notifications that no test has asked for yet.
	heard []received
}

// A received message is what the server sent.
type received struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// open starts a session.
func open(t *testing.T) *editor {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	e := &editor{t: t, in: in, messages: make(chan received, 1000), ended: make(chan error, 1)}
	go func() {
		e.ended <- lsp.Serve("v1.2.3", false, toServer, fromServer)
		_ = fromServer.Close()
	}()
	go func() {
		defer close(e.messages)
		r := bufio.NewReader(out)
		for {
			content, err := frame(r)
			if err != nil {
				return
			}
			var m received
			if err := json.Unmarshal(content, &m); err != nil {
				t.Errorf("%v in %s", err, content)
			}
			e.messages <- m
		}
	}()
	t.Cleanup(func() { _ = in.Close(); _ = out.Close() })
	return e
}

// start starts a session and initializes it.
func start(t *testing.T, capabilities, options string) *editor {
	t.Helper()
	e := open(t)
	e.result("initialize", fmt.Sprintf(`{"capabilities": %s, "initializationOptions": %s}`, capabilities, options))
	e.notify("initialized", `{}`)
	return e
}

// frame reads a message as a client does, with the reader of header fields that MIME has.
func frame(r *bufio.Reader) ([]byte, error) {
	head, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil {
		return nil, err
	}
	content := make([]byte, n)
	_, err = io.ReadFull(r, content)
	return content, err
}

func framed(content string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(content), content)
}

func (e *editor) send(content string) {
	e.t.Helper()
	if _, err := io.WriteString(e.in, framed(content)); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) notify(method, params string) {
	e.t.Helper()
	e.send(fmt.Sprintf(`{"jsonrpc": "2.0", "method": %q, "params": %s}`, method, params))
}

// request sends a request and returns the answer.
func (e *editor) request(method, params string) received {
	e.t.Helper()
	e.id++
	e.send(fmt.Sprintf(`{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`, e.id, method, params))
	return e.answer(strconv.Itoa(e.id))
}

// answer returns the answer to a request.
func (e *editor) answer(id string) received {
	e.t.Helper()
	for m := range e.messages {
		if string(m.ID) == id {
			return m
		}
		e.heard = append(e.heard, m)
	}
	e.t.Fatalf("the session ends before the answer to %s", id)
	return received{}
}

// result returns the result of a request.
func (e *editor) result(method, params string) json.RawMessage {
	e.t.Helper()
	m := e.request(method, params)
	if m.Error != nil {
		e.t.Fatalf("%s: error %d: %s", method, m.Error.Code, m.Error.Message)
	}
	return m.Result
}

// code returns the code of the error of a request.
func (e *editor) code(method, params string) int {
	e.t.Helper()
	m := e.request(method, params)
	if m.Error == nil {
		e.t.Fatalf("%s has the result %s", method, m.Result)
	}
	return m.Error.Code
}

// hear returns the parameters of the next notification of a method.
func (e *editor) hear(method string) json.RawMessage {
	e.t.Helper()
	for i, m := range e.heard {
		if m.Method == method {
			e.heard = append(e.heard[:i], e.heard[i+1:]...)
			return m.Params
		}
	}
	for m := range e.messages {
		if m.Method == method {
			return m.Params
		}
		e.heard = append(e.heard, m)
	}
	e.t.Fatalf("the session ends before %s", method)
	return nil
}

// published is what the server says of a document.
type published struct {
	URI         string
	Version     *int
	Diagnostics []struct {
		Range           span
		Severity        int
		Code            string
		CodeDescription struct{ Href string }
		Source, Message string
	}
}

type span struct{ Start, End position }

type position struct{ Line, Character int }

// diagnostics returns what is said next of a document.
func (e *editor) diagnostics() (p published) {
	e.t.Helper()
	decode(e.t, e.hear("textDocument/publishDiagnostics"), &p)
	return p
}

// show opens a document.
func (e *editor) show(uri, language, text string) {
	e.t.Helper()
	e.notify("textDocument/didOpen", fmt.Sprintf(`{"textDocument": {"uri": %s, "languageId": %q, "version": 1, "text": %s}}`, quote(uri), language, quote(text)))
}

// end ends the session as the protocol wants it.
func (e *editor) end() {
	e.t.Helper()
	if got := e.result("shutdown", "null"); string(got) != "null" {
		e.t.Errorf("shutdown has the result %s", got)
	}
	e.notify("exit", "null")
	if err := <-e.ended; err != nil {
		e.t.Error(err)
	}
}

func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func decode(t *testing.T, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}

// wrongEnd reports whether the session ended without being asked to.
func (e *editor) wrongEnd() bool { return errors.Is(<-e.ended, lsp.ErrNoShutdown) }
