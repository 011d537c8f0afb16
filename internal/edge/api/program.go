//go:build !uncoil_parse

package api

import (
	"slices"
	"strconv"
	"sync"

	"uncoil/code"
	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/redact"
	"uncoil/internal/engine/render"
	"uncoil/request"
)

// appendCode appends the program for one target, or those for several.
func appendCode(dst []byte, r *engine.Result, want *Want) ([]byte, diag.List, error) {
	if len(want.Targets) > 0 {
		return appendPrograms(dst, r, want)
	}
	target, p, warnings, e := program(dst, r, want)
	switch {
	case e != nil:
		return dst, nil, e
	case want.Plain:
		return p.Code, warnings, nil
	}
	return wrap(dst, p, r, target, warnings)
}

// appendPrograms appends an object with a program for each of several targets: an
// error of one stands beside the others. Together they are no longer than an answer
// may be.
func appendPrograms(dst []byte, r *engine.Result, want *Want) ([]byte, diag.List, error) {
	out := append(dst, `{"programs":`...)
	var warnings diag.List // of all programs, those of the command once
	said := make(map[fact]bool)
	for i, name := range want.Targets {
		out = append(out, "[,"[min(i, 1)])
		one := *want
		one.Target, one.Targets, one.Plain = name, nil, false
		before := len(out)
		written, list, err := Append(out, r, &one)
		if err != nil {
			out = append(jsontext.AppendString(append(out[:before], `{"target":`...), name), `,"error":`...)
			out, _, _ = AppendProblem(out, masked(err, r.Source(), nil, want.Options.MoveSecrets))
			out = append(out, '}')
		} else {
			out = written
			for _, d := range list {
				if is := (fact{d.Code, d.Span, d.Message}); !said[is] {
					said[is] = true
					warnings = append(warnings, d)
				}
			}
		}
		if len(out)-len(dst)+len("]}") > r.MaxAnswer() {
			return dst, nil, r.TooLong()
		}
	}
	return append(out, "]}"...), warnings, nil
}

// program appends the program alone.
func program(dst []byte, r *engine.Result, want *Want) (code.Target, code.Program, diag.List, *engine.Error) {
	target, ok := code.Lookup(want.Target)
	if !ok {
		return target, code.Program{}, nil, r.Fail(diag.Diagnostic{Code: diag.CodeUnknownTarget, Message: "there is no target " + strconv.Quote(want.Target), Hint: code.Suggestion(want.Target)})
	}
	m, e := r.Begin()
	if e != nil {
		return target, code.Program{}, nil, e
	}
	options := want.Options
	options.Source = r.Source()
	p, losses := target.WriteMetered(dst, r.Requests, options, m, r.MaxAnswer())
	for i := range losses {
		if losses[i].Span == (diag.Span{}) {
			losses[i].Span = r.Command() // what makes the request as a whole
		}
	}
	if d := losses.Err(); d != nil {
		return target, code.Program{}, nil, r.Fail(*d)
	}
	warnings := aboutProgram(slices.Concat(r.Warnings, losses), r.Requests, options.KeepVariables)
	if options.MoveSecrets {
		secrets := redact.Requests(slices.Clone(r.Requests)) // which hides in copies
		MaskAll(warnings, redact.NewMasker(r.Source(), secrets))
	}
	return target, p, warnings, nil
}

// A fact is what a warning says.
type fact struct {
	code    diag.Code
	at      diag.Span
	message string
}

// aboutProgram returns the warnings that say something of a program. It looks up a variable and
// reads the standard input itself, and -X is gone. What the client cannot do for several requests
// of one command is one fact.
func aboutProgram(list diag.List, requests []request.Request, keeps bool) diag.List {
	said := make(map[fact]bool)
	var written map[diag.Span]bool // once asked for
	kept := list[:0]
	for _, d := range list {
		switch d.Code {
		case diag.WarnCannotExpress:
			if said[fact{d.Code, d.Span, d.Message}] {
				continue
			}
			said[fact{d.Code, d.Span, d.Message}] = true
		case diag.WarnVariableKept:
			if !keeps {
				continue
			}
		case diag.WarnRedundantMethod, diag.CodeStdinNotSupplied:
			continue
		case diag.WarnConditional:
			if written == nil {
				written = turns(requests)
			}
			if written[d.Span] {
				continue // the program does that, or says that it does not
			}
			d.Level = diag.LevelDoubt
		case diag.WarnPipedOutput, diag.WarnJSONSentAsForm:
			d.Level = diag.LevelDoubt // the program should do otherwise
		}
		kept = append(kept, d)
	}
	return kept
}

// turns returns the places whose conditions the options of requests have.
func turns(requests []request.Request) map[diag.Span]bool {
	places := make(map[diag.Span]bool)
	for i := range requests {
		for _, o := range requests[i].Options {
			if o.Name == "repeat" || o.Name == "ifFails" {
				places[o.Span] = true
			}
		}
	}
	return places
}

// wrap puts a program, whose code stands behind dst, into the JSON of the answer. The
// program was written where the answer will stand, and the answer is written after it, so
// that it takes no memory of its own.
func wrap(dst []byte, p code.Program, r *engine.Result, target code.Target, warnings diag.List) ([]byte, diag.List, error) {
	written := p.Code
	program := written[len(dst):]
	if len(program) > longProgram { // which is not copied within a buffer for both
		return wrapLong(dst, r, target, p, program, warnings)
	}
	out := jsontext.AppendString(appendHead(written, target, p), program)
	out = appendBeside(out, p, r, warnings)
	if len(out)-len(written) > r.MaxAnswer() {
		return dst, nil, r.TooLong()
	}
	return append(out[:len(dst)], out[len(written):]...), warnings, nil
}

// appendBeside appends what an answer has after the code of a program.
func appendBeside(out []byte, p code.Program, r *engine.Result, warnings diag.List) []byte {
	if p.Imports != "" {
		out = jsontext.AppendString(append(out, `,"imports":`...), p.Imports)
	}
	if f := p.Function; f != nil {
		out = jsontext.AppendString(append(out, `,"function":{"name":`...), f.Name)
		out = append(out, `,"parameters":[`...)
		for i, one := range f.Parameters {
			if i > 0 {
				out = append(out, ',')
			}
			out = jsontext.AppendString(append(out, `{"name":`...), one.Name)
			out = jsontext.AppendString(append(out, `,"variable":`...), one.Variable)
			if one.HasDefault {
				out = jsontext.AppendString(append(out, `,"default":`...), one.Default)
			}
			out = append(out, '}')
		}
		out = append(out, "]}"...)
	}
	out = append(out, `,"dependencies":[`...)
	for i, d := range p.Dependencies {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontext.AppendString(append(out, `{"file":`...), d.File)
		out = jsontext.AppendString(append(out, `,"line":`...), d.Line)
		out = jsontext.AppendString(append(out, `,"name":`...), d.Name)
		out = append(jsontext.AppendString(append(out, `,"version":`...), d.Version), '}')
	}
	out = append(out, `],"differs":[`...)
	for i := range p.Differs {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendDifference(out, &p.Differs[i])
	}
	out = append(out, `],"warnings":`...)
	return append(render.AppendWarnings(out, warnings, r.Source()), '}')
}

// appendDifference appends what a program sends or does otherwise than curl.
func appendDifference(out []byte, d *code.Difference) []byte {
	out = jsontext.AppendString(append(out, `{"kind":`...), d.Kind)
	if d.Of != "" {
		out = jsontext.AppendString(append(out, `,"of":`...), d.Of)
	}
	if len(d.Fields) > 0 {
		out = append(out, `,"fields":`...)
		for i, name := range d.Fields {
			out = jsontext.AppendString(append(out, "[,"[min(i, 1)]), name)
		}
		out = append(out, ']')
	}
	return append(out, '}')
}

// appendHead appends what an answer has before the code of a program.
func appendHead(out []byte, t code.Target, p code.Program) []byte {
	out = append(out, answerHeads()[t.Name]...)
	return append(jsontext.AppendString(out, p.Filename), `,"code":`...)
}

// answerHeads returns how the answers of each target begin, up to the name of the file.
var answerHeads = sync.OnceValue(func() map[string][]byte {
	heads := make(map[string][]byte)
	for _, t := range code.Targets() {
		head := jsontext.AppendString([]byte(`{"target":`), t.Name)
		head = jsontext.AppendString(append(head, `,"language":`...), t.Language)
		head = jsontext.AppendString(append(head, `,"kind":`...), string(t.Kind))
		heads[t.Name] = append(head, `,"filename":`...)
	}
	return heads
})

// longProgram is how long a program is that is copied into memory for the answer
// alone.
const longProgram = 256 << 10

// wrapLong is wrap for a program that is long: the length of the answer is known
// before memory is taken for it.
func wrapLong(dst []byte, r *engine.Result, target code.Target, p code.Program, program []byte, warnings diag.List) ([]byte, diag.List, error) {
	beside := appendBeside(nil, p, r, warnings)
	head := appendHead(nil, target, p)
	length := len(head) + jsontext.MaxLength(program) + len(beside)
	if length > r.MaxAnswer() {
		return dst, nil, r.TooLong()
	}
	out := append(make([]byte, 0, len(dst)+length+length/8), dst...)
	out = jsontext.AppendString(append(out, head...), program)
	return append(out, beside...), warnings, nil
}
