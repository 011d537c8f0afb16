package uncoil

import (
	"slices"
	"strconv"
	"sync"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/render"
)

// AppendCode appends a program that sends the requests, in the language and
// with the client of want.Target, and returns the warnings of the Result and
// those of what the client cannot do. On error, an *Error, dst comes back as it
// was.
func (r *Result) AppendCode(dst []byte, want Want) (out []byte, warnings diag.List, err error) {
	out = dst
	defer recoverInto(&err, r)
	_, written, warnings, e := r.program(dst, want)
	if e != nil {
		return dst, nil, e
	}
	return written, warnings, nil
}

// program appends the program of the answer AsCode.
func (r *Result) program(dst []byte, want Want) (*code.Target, []byte, diag.List, *Error) {
	target, ok := code.Lookup(want.Target)
	if !ok {
		return nil, nil, nil, r.fail(diag.Diagnostic{Code: diag.CodeUnknownTarget, Message: "there is no target " + strconv.Quote(want.Target), Hint: code.Suggestion(want.Target)})
	}
	if r.failed != nil {
		return nil, nil, nil, r.fail(*r.failed)
	}
	m := r.counted()
	if e := r.fits(m); e != nil {
		return nil, nil, nil, e
	}
	options := want.Options
	options.Source = r.source
	out, losses := target.AppendMetered(dst, r.Requests, options, m, r.most)
	for i := range losses {
		if losses[i].Span == (diag.Span{}) {
			losses[i].Span = r.curl // what makes the request as a whole
		}
	}
	if d := losses.Err(); d != nil {
		return nil, nil, nil, r.fail(*d)
	}
	return target, out, slices.Concat(r.Warnings, losses), nil
}

// answerHeads returns how the answers AsCode of each target begin.
var answerHeads = sync.OnceValue(func() map[*code.Target][]byte {
	heads := make(map[*code.Target][]byte)
	for _, t := range code.Targets() {
		target, _ := code.Lookup(t.Name)
		head := jsontext.AppendString([]byte(`{"target":`), t.Name)
		head = jsontext.AppendString(append(head, `,"language":`...), t.Language)
		head = jsontext.AppendString(append(head, `,"kind":`...), string(t.Kind))
		head = jsontext.AppendString(append(head, `,"filename":`...), t.Filename())
		heads[target] = append(head, `,"code":`...)
	}
	return heads
})

// appendCode appends the answer AsCode. The program is written where the answer
// will stand, and the answer behind it, so that it takes no memory of its own.
func (r *Result) appendCode(dst []byte, want Want) ([]byte, diag.List, error) {
	target, written, warnings, e := r.program(dst, want)
	if e != nil {
		return dst, nil, e
	}
	program := written[len(dst):]
	if len(program) > longProgram { // which is not copied within a buffer for both
		return r.appendLong(dst, answerHeads()[target], program, warnings)
	}
	out := jsontext.AppendString(append(written, answerHeads()[target]...), program)
	out = append(out, `,"warnings":`...)
	out = append(render.AppendWarnings(out, warnings, r.source), '}')
	if len(out)-len(written) > r.most {
		return dst, nil, r.tooLong()
	}
	return append(out[:len(dst)], out[len(written):]...), warnings, nil
}

// longProgram is how long a program is that is copied into memory for the answer
// alone.
const longProgram = 256 << 10

// answerFrame is how many bytes an answer has around its program and the JSON of
// its warnings, at most.
const answerFrame = 256

// appendLong appends an answer whose program is long. Its length is known before
// memory is taken for it.
func (r *Result) appendLong(dst, head, program []byte, warnings diag.List) ([]byte, diag.List, error) {
	listed := render.AppendWarnings(nil, warnings, r.source)
	length := len(listed) + answerFrame + jsontext.MaxLength(program)
	if length > r.most {
		return dst, nil, r.tooLong()
	}
	out := append(make([]byte, 0, len(dst)+length+length/8), dst...)
	out = jsontext.AppendString(append(out, head...), program)
	return append(append(append(out, `,"warnings":`...), listed...), '}'), warnings, nil
}
