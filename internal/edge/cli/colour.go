package cli

import (
	"bytes"
	"io"
	"runtime"

	"uncoil/diag"
)

// The colours of diagnostics, as terminals take them (ECMA-48, SGR).
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	plain  = "\x1b[0m"
)

// hasColour reports whether a stream is a terminal that shows colours, and
// nobody objects (no-color.org).
func (p *Program) hasColour(w io.Writer) bool {
	kind := p.Env("TERM")
	if kind == "" && runtime.GOOS == "windows" {
		kind = p.Env("WT_SESSION") // the console of before takes no colours unless asked
	}
	_, ok := w.(*terminal)
	return ok && p.Env("NO_COLOR") == "" && kind != "" && kind != "dumb"
}

// writeDiagnostic writes a diagnostic to standard error.
func (p *Program) writeDiagnostic(d *diag.Diagnostic, text []byte) {
	if p.masker != nil {
		text = []byte(p.masker.Mask(string(text)))
	}
	t, ok := p.Stderr.(*terminal)
	if !ok || !p.hasColour(t) {
		_, _ = p.Stderr.Write(text)
		return
	}
	// The colours are written around the filter of the terminal.
	text = diag.AppendPrintableLines(nil, string(text))
	_, _ = t.raw.Write(coloured(text, d))
}

// coloured returns the text of a diagnostic with its level, code and carets in
// colour.
func coloured(text []byte, d *diag.Diagnostic) []byte {
	colour, from := red, "" // what the colour begins at
	from = string(d.Code)
	if d.Severity == diag.SeverityWarning {
		colour, from = yellow, "warning: "+from
	}
	place, rest, ok := bytes.Cut(text, []byte(from+": "))
	if !ok {
		return text
	}
	out := append([]byte(nil), place...)
	out = append(append(append(out, colour...), from...), plain+": "...)
	for line := range bytes.Lines(rest) {
		carets := bytes.TrimLeft(line, " ")
		if len(carets) > 1 && len(bytes.Trim(carets, "^\n")) == 0 {
			out = append(out, line[:len(line)-len(carets)]...)
			out = append(append(append(out, colour...), bytes.TrimSuffix(carets, []byte("\n"))...), plain+"\n"...)
			continue
		}
		out = append(out, line...)
	}
	return out
}
