package api

import (
	"strconv"

	"uncoil/internal/engine/fault"
)

// statusOK is the HTTP status of every answer except problem documents.
const statusOK = 200

// Answer answers a request object, as JSON text, as the service does. The error,
// if any, is what AppendProblem takes.
func (l Limits) Answer(text string, as As) ([]byte, error) {
	r, err := l.DecodeRequest(text)
	if err != nil {
		return nil, err
	}
	body, _, err := answerSafely(&r, nil, as)
	return body, err
}

// AnswerObject answers a request object for a program of another language: with the
// bytes that the service would send, or a problem document, and the status. A panic
// is the problem internal.
func (l Limits) AnswerObject(text string, as As) (body []byte, status int) {
	return l.answered("request object", text, func() ([]byte, error) { return l.Answer(text, as) })
}

// AnswerCommand is AnswerObject for a command, whose bytes need not be UTF-8. The
// options are the other members of the request object, as JSON text, or empty.
func (l Limits) AnswerCommand(command, options string, as As) (body []byte, status int) {
	return l.answered("command", command, func() ([]byte, error) {
		r, err := l.decodeOptions(command, options)
		if err != nil {
			return nil, err
		}
		body, _, err := answerSafely(&r, nil, as)
		return body, err
	})
}

// answered makes what is sent of an answer or an error. The text is what is answered.
func (l Limits) answered(what, text string, answer func() ([]byte, error)) (body []byte, status int) {
	body, err := recovered(func() ([]byte, error) {
		if l.Line > 0 && len(text) > l.Line {
			return nil, TooLong(what, l.Line, "pass long contents in parts, each with a command of its own")
		}
		return answer()
	})
	if err != nil {
		body, status, _ = AppendProblem(nil, err)
		return body, status
	}
	return body, statusOK
}

func recovered(answer func() ([]byte, error)) (body []byte, err error) {
	defer fault.Recover(&err)
	return answer()
}

// TooLong is the problem of a text that is longer than a limit, in bytes.
func TooLong(what string, limit int, hint string) *Problem {
	return &Problem{Code: CodeTooLarge, Detail: "The " + what + " is longer than the limit of " + strconv.Itoa(limit) + " bytes.", Hint: hint}
}
