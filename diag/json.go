package diag

import "uncoil/internal/engine/jsontext"

// MarshalJSON returns the diagnostic as the API spells a warning: code, level, message,
// span and what else there is. It lacks the line and the column, for which the text of
// the command is needed; an error has no level.
func (d *Diagnostic) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil, nil), nil }

// AppendJSON appends what MarshalJSON returns, with the line and the column where
// positions is not nil.
func (d *Diagnostic) AppendJSON(dst []byte, positions *Positions) []byte {
	o := jsontext.NewObject(dst)
	o.Plain("code", string(d.Code))
	o.Optional("level", d.Level.String())
	o.String("message", d.Message)
	line, column := 0, 0
	if positions != nil {
		line, column = positions.At(d.Span.Start)
	}
	d.AddTo(&o, line, column)
	return o.End()
}

// AddTo adds what an error and a warning of the API share to an object: the span, the
// line and the column unless these are 0, and what else there is.
func (d *Diagnostic) AddTo(o *jsontext.Object, line, column int) {
	o.Key("span")
	o.Dst = d.Span.AppendJSON(o.Dst)
	if line > 0 {
		o.Int("line", int64(line))
		o.Int("column", int64(column))
	}
	o.Optional("hint", d.Hint)
	if d.Fix != nil {
		o.Key("fix")
		fix := jsontext.NewObject(o.Dst)
		fix.Key("span")
		fix.Dst = d.Fix.Span.AppendJSON(fix.Dst)
		fix.String("text", d.Fix.Text)
		o.Dst = fix.End()
	}
	o.Optional("option", d.Option)
	o.Strings("files", d.Files)
	o.Optional("variable", d.Variable)
}

// AppendJSON appends the range as the API spells it.
func (s Span) AppendJSON(dst []byte) []byte {
	o := jsontext.NewObject(dst)
	o.Int("start", int64(s.Start))
	o.Int("end", int64(s.End))
	return o.End()
}
