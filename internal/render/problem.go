package render

import "uncoil/diag"

// AppendProblem appends an error as a problem document (RFC 9457) with the
// given HTTP status.
func AppendProblem(dst []byte, d *diag.Diagnostic, source string, status int) []byte {
	o := object{dst: append(dst, '{')}
	o.text("type", "/problems/"+string(d.Code))
	o.text("title", d.Code.Title())
	o.number("status", int64(status))
	o.text("detail", d.Message)
	o.text("code", string(d.Code))
	o.place(d, source)
	o.optional("hint", d.Hint)
	o.optional("option", d.Option)
	o.texts("files", d.Files)
	if d.Count > 0 {
		o.number("count", int64(d.Count))
	}
	return append(o.dst, '}')
}
