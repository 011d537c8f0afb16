package api

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/fault"
	"uncoil/internal/engine/jsontext"
)

// A Tally counts the answers to the lines of a batch.
type Tally struct{ Lines, Errors int }

// AppendLines answers a block of lines, with a line for each. A line that is
// bad in itself, or too long, gets an error and does not touch the others;
// empty lines get nothing. As is the form of answers to lines that name none.
func (l Limits) AppendLines(dst []byte, block string, as As) ([]byte, Tally) {
	var tally Tally
	for line := range strings.Lines(block) {
		before := len(dst)
		var outcome Outcome
		if dst, outcome = l.AppendLine(dst, line, as); len(dst) == before {
			continue
		}
		tally.Lines++
		if outcome.Code != "" {
			tally.Errors++
		}
	}
	return dst, tally
}

// An Outcome is the result of a command, for metrics.
type Outcome struct {
	Code  diag.Code // of the problem; empty for an answer
	Shell string    // how the text was read; empty where it was not
}

// AppendLine answers a line; an empty one gets nothing.
func (l Limits) AppendLine(dst []byte, src string, as As) ([]byte, Outcome) {
	if src = strings.Trim(src, " \t\r\n"); src == "" {
		return dst, Outcome{}
	}
	if l.Line > 0 && len(src) > l.Line {
		return appendTooLong(dst, l.Line), Outcome{Code: CodeTooLarge}
	}
	line, err := l.line(src)
	if line.As != "" {
		as = line.As
	}
	dst = append(dst, `{"id":`...)
	dst = appendID(dst, line.ID)
	answer := append(dst, `,"result":`...)
	var outcome Outcome
	if err == nil {
		var beside engine.Answer
		answer, beside, err = answerSafely(&line.Request, answer, as)
		outcome.Shell = beside.Shell
	}
	if err != nil {
		answer, _, outcome.Code = AppendProblem(append(dst, `,"error":`...), err)
	}
	return append(answer, '}', '\n'), outcome
}

// line reads a line: an object, or a command as it stands, which begins with curl.
func (l Limits) line(src string) (Line, error) {
	if rest, ok := strings.CutPrefix(src, "curl"); ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
		return Line{Request: l.Text(src)}, nil
	}
	return l.decodeLine(src)
}

// AppendRefusal answers a line with a problem that is not its own.
func (l Limits) AppendRefusal(dst []byte, src string, p *Problem) []byte {
	line, _ := l.line(src) // the id, where there is one
	dst = append(dst, `{"id":`...)
	dst = appendID(dst, line.ID)
	dst = p.Append(append(dst, `,"error":`...))
	return append(dst, '}', '\n')
}

// answerSafely is Answer, but a panic becomes an error: a fault that one line
// runs into must not end the rest of the batch.
func answerSafely(r *Request, dst []byte, as As) (out []byte, answer engine.Answer, err error) {
	defer func() {
		if err != nil {
			out = dst
		}
	}()
	defer fault.Recover(&err)
	return r.Answer(dst, as)
}

func appendTooLong(dst []byte, maxLine int) []byte {
	dst = append(dst, `{"id":null,"error":`...)
	dst = TooLong("line", maxLine, "send long contents with a request of their own, or raise the limit").Append(dst)
	return append(dst, '}', '\n')
}

// appendID appends the JSON text of an id on one line, null for none.
func appendID(dst []byte, id string) []byte {
	switch {
	case id == "":
		return append(dst, "null"...)
	case id[0] == '[' || id[0] == '{':
		// White space may hold a carriage return, which some readers take
		// for the end of a line.
		if out, ok := jsontext.AppendCompact(dst, id); ok {
			return out
		}
	}
	return append(dst, id...)
}
