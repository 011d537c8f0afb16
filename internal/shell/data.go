package shell

import (
	"uncoil/diag"
	"uncoil/internal/meter"
	"uncoil/internal/shell/har"
)

// detectData returns the dialect of a text that is no command, or Auto. It
// decides before any shell does, so each sign must be one with which no
// command begins.
func detectData(src string) Dialect {
	if har.Is(src) {
		return HAR
	}
	return Auto
}

// readData reads a text that is no command into the curl commands that send its
// requests.
func readData(src string, d Dialect, entry int, m *meter.Meter) Reading {
	r := Reading{Dialect: d}
	r.Commands, r.Diags = har.Read(src, entry, m)
	if m.Over() {
		r.Commands, r.Diags = nil, diag.List{m.Diagnostic(diag.At(0))}
	}
	return r
}
