package lsp

import (
	"bytes"
	"encoding/json"
	"sync"
)

// A message is what the client sends: a request, a notification, or the answer to a
// request of the server, of which there are none.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`

	tooLong bool
	wrong   *responseError // why it is no message
}

// isRequest reports whether the client waits for an answer.
func (m *message) isRequest() bool { return m.ID != nil && m.Method != "" }

// decode reads the content of a message; nil is one that was too long.
func decode(content []byte) message {
	if content == nil {
		return message{tooLong: true}
	}
	var m message
	if !json.Valid(content) {
		return message{wrong: &responseError{Code: codeParse, Message: "this is not JSON"}}
	}
	if err := json.Unmarshal(content, &m); err != nil || m.JSONRPC != "2.0" || m.Method != "" && !isID(m.ID) {
		return message{wrong: &responseError{Code: codeInvalidRequest, Message: "this is no message of JSON-RPC 2.0"}}
	}
	if m.Method == "" && m.Result == nil && m.Error == nil {
		return message{wrong: &responseError{Code: codeInvalidRequest, Message: "this message has no method"}}
	}
	return m
}

// isID reports whether a value is none, or a string or a number.
func isID(raw json.RawMessage) bool {
	return len(raw) == 0 || raw[0] == '"' || raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9'
}

// A response answers a request. Either of result and error is there.
type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *responseError  `json:"error,omitempty"`
}

// A notification tells the client something.
type notification struct {
	JSONRPC string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// A responseError is why a request has no result.
type responseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *responseError) Error() string { return e.Message }

// The codes of errors: those of JSON-RPC, and those of the protocol.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeUnknownMethod  = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeNotInitialized = -32002
	codeFailed         = -32803
	codeCancelled      = -32800
)

// A waitingList has the requests without an answer, and which of them are cancelled. The
// goroutine that reads adds to it, and the loop takes away.
type waitingList struct {
	mu        sync.Mutex
	cancelled map[string]bool // by the text of the id
}

func newWaitingList() *waitingList { return &waitingList{cancelled: make(map[string]bool)} }

func (w *waitingList) add(id json.RawMessage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancelled[string(id)] = false
}

// cancel notes that nobody waits any more. What has its answer already is not in the list.
func (w *waitingList) cancel(id json.RawMessage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, waits := w.cancelled[string(id)]; waits {
		w.cancelled[string(id)] = true
	}
}

// take takes a request away, and reports whether it is cancelled.
func (w *waitingList) take(id json.RawMessage) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	cancelled := w.cancelled[string(id)]
	delete(w.cancelled, string(id))
	return cancelled
}

// marshal returns a value as JSON, whose strings no client reads as HTML.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
