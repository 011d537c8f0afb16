// Package explain says what each option of a command does, and what it did here.
package explain

import (
	"strconv"
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine"
	"uncoil/internal/engine/curl"
	"uncoil/internal/engine/jsontext"
	"uncoil/internal/engine/render"
)

// Text says what a use of an option does, in words that are the same for every
// command.
func Text(u *engine.Use) string {
	standard := u.Option.Flags&curl.FlagNo == 0 // whether the words are those of the option switched on
	if u.Option.Arg == curl.ArgBool && u.On != standard {
		if standard {
			return "Undoes --" + u.Option.Long
		}
		return "Undoes --no-" + u.Option.Long
	}
	return words[u.Option.ID]
}

// Why says why a use has no bearing on the request, or "".
func Why(u *engine.Use) string {
	if u.Option.Section != curl.Ignored {
		return ""
	}
	return u.Option.Note
}

// Path spells an effect as the description names the member: "method",
// "headers.Accept", "options.maxTime".
func Path(e *engine.Effect) string {
	if e.Name == "" {
		return e.Member
	}
	return e.Member + "." + e.Name
}

// Append appends the explanation of a Result as JSON, and returns its warnings:
//
//	{"shell": "posix",
//	 "options": [{"name": "-H", "option": "header", "span": …, "argument": …,
//	   "line": 1, "column": 6, "text": what it does,
//	   "sets": [{"in": "headers.Accept", "index": 0}], "requests": [1, 1]}],
//	 "warnings": […]}
//
// On error, an *engine.Error, dst comes back as it was. The engine needs
// Input.Explain.
func Append(dst []byte, r *engine.Result) (out []byte, warnings diag.List, err error) {
	out = dst
	defer engine.Recover(&err, r)
	most := r.MaxAnswer()
	out = jsontext.AppendString(append(dst, `{"shell":`...), r.Shell)
	out, ok := AppendOptions(append(out, `,"options":`...), r, most)
	if !ok {
		return dst, nil, r.TooLong()
	}
	out = append(render.AppendWarnings(append(out, `,"warnings":`...), r.Warnings, r.Source()), '}')
	if len(out)-len(dst) > most {
		return dst, nil, r.TooLong()
	}
	return out, r.Warnings, nil
}

// AppendText appends the explanation as people read it: for each option a line with
// what it does, and one with what it did. On error, an *engine.Error, dst comes back as
// it was.
func AppendText(dst []byte, r *engine.Result) (out []byte, warnings diag.List, err error) {
	out = dst
	defer engine.Recover(&err, r)
	width := len("URL")
	for i := range r.Uses {
		width = max(width, len(r.Uses[i].Name))
	}
	indent := "\n" + strings.Repeat(" ", width+2)
	for i := range r.Uses {
		u := &r.Uses[i]
		name := u.Name
		if name == "" {
			name = "URL"
		}
		out = append(append(diag.AppendPrintable(out, name), indent[1+len(name):]...), Text(u)...)
		if why := Why(u); why != "" {
			out = append(append(append(out, indent...), "no bearing on the request: "...), why...)
		}
		for j := range u.Effects {
			out = diag.AppendPrintable(append(append(out, indent...), "sets "...), Path(&u.Effects[j]))
		}
		if out = append(out, '\n'); len(out)-len(dst) > r.MaxAnswer() {
			return dst, nil, r.TooLong()
		}
	}
	return out, r.Warnings, nil
}

// AppendOptions appends the uses of options as a JSON array, unless that takes more
// bytes than most.
func AppendOptions(dst []byte, r *engine.Result, most int) (out []byte, ok bool) {
	positions := diag.NewPositions(r.Source())
	out = append(dst, '[')
	for i := range r.Uses {
		if i > 0 {
			out = append(out, ',')
		}
		if out = appendUse(out, &r.Uses[i], positions); len(out)-len(dst) > most {
			return dst, false
		}
	}
	return append(out, ']'), true
}

func appendUse(dst []byte, u *engine.Use, positions *diag.Positions) []byte {
	o := jsontext.NewObject(dst)
	o.Optional("name", u.Name)
	o.Plain("option", u.Option.Long)
	o.Key("span")
	o.Dst = u.Span.AppendJSON(o.Dst)
	if u.Argument != (diag.Span{}) && u.Name != "" {
		o.Key("argument")
		o.Dst = u.Argument.AppendJSON(o.Dst)
	}
	line, column := positions.At(u.Span.Start)
	o.Int("line", int64(line))
	o.Int("column", int64(column))
	o.String("text", Text(u))
	o.Optional("ignored", Why(u))
	if len(u.Effects) > 0 {
		o.Key("sets")
		o.Dst = jsontext.AppendArray(o.Dst, u.Effects, appendEffect)
	}
	if u.Last > u.First {
		o.Key("requests")
		o.Dst = strconv.AppendInt(append(o.Dst, '['), int64(u.First+1), 10)
		o.Dst = append(strconv.AppendInt(append(o.Dst, ','), int64(u.Last), 10), ']')
	}
	return o.End()
}

func appendEffect(dst []byte, e *engine.Effect) []byte {
	o := jsontext.NewObject(dst)
	o.String("in", Path(e))
	if e.Index >= 0 {
		o.Int("index", int64(e.Index))
	}
	return o.End()
}
