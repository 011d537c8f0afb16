package cli

import (
	"bytes"
	"encoding/json"
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

// writeDiagnostic writes a diagnostic about a text, without its fix, to standard error.
func (p *Program) writeDiagnostic(d *diag.Diagnostic, source string) {
	text := d.AppendReport(nil, source, p.columns())
	if p.masker != nil {
		text = []byte(p.masker.MaskCut(string(text)))
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

// The colours of JSON.
const (
	memberColour = "\x1b[36m"
	textColour   = "\x1b[32m"
	otherColour  = "\x1b[35m"
)

// writeJSON writes JSON to a terminal, indented, and in colour where it has some.
func (p *Program) writeJSON(answer []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, answer, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	t, ok := p.Stdout.(*terminal)
	if !ok || !p.hasColour(t) {
		_, err := p.Stdout.Write(b.Bytes())
		return err
	}
	// The colours are written around the filter of the terminal.
	_, err := t.raw.Write(colouredJSON(diag.AppendPrintableLines(nil, b.String())))
	return err
}

// colouredJSON returns indented JSON with its names, strings and other values in colour.
func colouredJSON(src []byte) []byte {
	out := make([]byte, 0, 2*len(src))
	for i := 0; i < len(src); {
		start, colour := i, otherColour
		switch c := src[i]; {
		case c == '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(src))
			colour = textColour
			if i < len(src) && src[i] == ':' {
				colour = memberColour
			}
		case bytes.IndexByte([]byte("{}[],: \n"), c) >= 0:
			out = append(out, c)
			i++
			continue
		default:
			for i < len(src) && bytes.IndexByte([]byte("{}[],: \n"), src[i]) < 0 {
				i++
			}
		}
		out = append(append(append(out, colour...), src[start:i]...), plain...)
	}
	return out
}
