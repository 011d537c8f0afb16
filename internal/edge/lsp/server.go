package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"time"

	"uncoil/internal/engine/fault"
)

// ErrNoShutdown is the error of a session that the client ends without asking for it.
var ErrNoShutdown = errors.New("lsp: the client has left without shutdown")

// A phase is how far a session is.
type phase uint8

const (
	starting phase = iota // before the request initialize
	running
	ending // after the request shutdown
)

// A server is one session.
type server struct {
	version  string
	out      *bufio.Writer
	failed   error // of out
	incoming chan message
	waiting  *waitingList
	phase    phase
	in       encoding
	client   capabilities
	settings settings
	open     map[string]*document
	due      dueList // those of them that are to be checked
	held     int     // what the documents take from maxOpen
}

// Serve answers an editor on two streams until the first one ends, or the editor says so.
// Its defaults hold unless the editor sends others.
func Serve(version string, advice bool, in io.Reader, out io.Writer) error {
	s := newServer(version, advice, out)
	ended := make(chan error, 1)
	done := make(chan struct{})
	defer close(done)
	go func() {
		ended <- s.read(bufio.NewReader(in), done)
		close(s.incoming)
	}()
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for s.failed == nil {
		s.arm(timer)
		select {
		case m, ok := <-s.incoming:
			if !ok {
				return <-ended
			}
			if m.Method == "exit" {
				if s.phase != ending {
					return ErrNoShutdown
				}
				return nil
			}
			s.take(&m)
		case <-timer.C:
			s.checkDue()
		}
	}
	return s.failed
}

func newServer(version string, advice bool, out io.Writer) *server {
	// Few messages are read ahead, because each may be long.
	const ahead = 4
	return &server{
		version: version, out: bufio.NewWriter(out), incoming: make(chan message, ahead), waiting: newWaitingList(),
		in: utf16Units, settings: settings{Advice: advice}, open: make(map[string]*document),
	}
}

// read passes on messages, and notes what is cancelled. The end of the input is no error.
func (s *server) read(r *bufio.Reader, done <-chan struct{}) error {
	for {
		content, err := readContent(r)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m := decode(content)
		if m.Method == "$/cancelRequest" {
			var p struct{ ID json.RawMessage }
			if json.Unmarshal(m.Params, &p) == nil {
				s.waiting.cancel(p.ID)
			}
			continue
		}
		if m.isRequest() {
			s.waiting.add(m.ID)
		}
		select {
		case s.incoming <- m:
		case <-done:
			return nil
		}
	}
}

// take takes a message: requests are answered.
func (s *server) take(m *message) {
	switch {
	case m.tooLong:
		s.show("a message was left out, because it has more than 48 MiB")
	case m.wrong != nil:
		s.send(response{JSONRPC: "2.0", ID: json.RawMessage("null"), Error: m.wrong})
	case m.isRequest():
		answer := response{JSONRPC: "2.0", ID: m.ID}
		cancelled := s.waiting.take(m.ID)
		result, err := s.result(m, cancelled)
		if err != nil {
			answer.Error = asResponse(err)
		} else {
			answer.Result = result
		}
		s.send(answer)
	case m.Method != "" && s.phase == running:
		if handle := notifications[m.Method]; handle != nil {
			_, err := call(s, handle, m.Params)
			if fault.Of(err) != nil {
				s.log(err.Error())
			}
		}
	}
}

// asResponse returns an error as the protocol has it. That of a fault has no text of the
// client's.
func asResponse(err error) *responseError {
	if e, ok := errors.AsType[*responseError](err); ok {
		return e
	}
	return &responseError{Code: codeInternal, Message: err.Error()}
}

// result answers a request.
func (s *server) result(m *message, cancelled bool) (json.RawMessage, error) {
	handle := requests[m.Method]
	switch {
	case s.phase == ending, s.phase == running && m.Method == "initialize":
		return nil, &responseError{Code: codeInvalidRequest, Message: "the session does not take this request any more"}
	case s.phase == starting && m.Method != "initialize":
		return nil, &responseError{Code: codeNotInitialized, Message: "the first request must be initialize"}
	case handle == nil:
		return nil, &responseError{Code: codeUnknownMethod, Message: "this method is not known"}
	case cancelled:
		return nil, &responseError{Code: codeCancelled, Message: "the request was cancelled"}
	}
	result, err := call(s, handle, m.Params)
	if err != nil {
		return nil, err
	}
	return marshal(result)
}

// A handler takes the parameters of a message.
type handler func(s *server, params json.RawMessage) (result any, err error)

// call calls a handler. A panic is an error.
func call(s *server, handle handler, params json.RawMessage) (result any, err error) {
	defer fault.Recover(&err)
	return handle(s, params)
}

// with is the handler of a message with parameters of a type.
func with[P any](handle func(s *server, p *P) (any, error)) handler {
	return func(s *server, params json.RawMessage) (any, error) {
		p := new(P)
		if err := json.Unmarshal(params, p); err != nil {
			return nil, &responseError{Code: codeInvalidParams, Message: "the parameters are not those of this method"}
		}
		return handle(s, p)
	}
}

// requests are the requests that are answered, and notifications those that are heard: all
// others are let be, as the protocol wants it.
var (
	requests = map[string]handler{
		"initialize":               with(initialize),
		"shutdown":                 shutdown,
		"textDocument/hover":       with(hover),
		"textDocument/codeAction":  with(codeActions),
		"workspace/executeCommand": with(execute),
	}
	notifications = map[string]handler{
		"textDocument/didOpen":             with(didOpen),
		"textDocument/didChange":           with(didChange),
		"textDocument/didSave":             with(didSave),
		"textDocument/didClose":            with(didClose),
		"workspace/didChangeConfiguration": with(didChangeConfiguration),
	}
)

func shutdown(s *server, _ json.RawMessage) (any, error) {
	s.phase = ending
	return nil, nil
}

// send writes a message.
func (s *server) send(message any) {
	if s.failed == nil {
		s.failed = writeContent(s.out, message)
	}
}

func (s *server) notify(method string, params any) {
	s.send(notification{"2.0", method, params})
}

// The kinds of messages for people.
const (
	warningMessage = 2
	logMessage     = 4
)

// show tells the user something.
func (s *server) show(text string) { s.tell("window/showMessage", warningMessage, text) }

// log tells it to who looks for it.
func (s *server) log(text string) { s.tell("window/logMessage", logMessage, text) }

func (s *server) tell(method string, kind int, text string) {
	s.notify(method, map[string]any{"type": kind, "message": "uncoil: " + text})
}
