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
	appendSpan(&o, d.Span)
	if positions != nil {
		line, column := positions.At(d.Span.Start)
		o.Int("line", int64(line))
		o.Int("column", int64(column))
	}
	o.Optional("hint", d.Hint)
	if d.Fix != nil {
		o.Key("fix")
		fix := jsontext.NewObject(o.Dst)
		appendSpan(&fix, d.Fix.Span)
		fix.String("text", d.Fix.Text)
		o.Dst = fix.End()
	}
	o.Optional("option", d.Option)
	o.Strings("files", d.Files)
	o.Optional("variable", d.Variable)
	return o.End()
}

// appendSpan appends a range of bytes of the text.
func appendSpan(o *jsontext.Object, s Span) {
	o.Key("span")
	span := jsontext.NewObject(o.Dst)
	span.Int("start", int64(s.Start))
	span.Int("end", int64(s.End))
	o.Dst = span.End()
}
