package source

import (
	"strings"

	"uncoil/diag"
	"uncoil/internal/engine/meter"
	"uncoil/internal/engine/source/fetch"
	"uncoil/internal/engine/source/har"
	"uncoil/internal/engine/source/paste"
	"uncoil/internal/engine/source/rawhttp"
)

// detectData returns the dialect of a text that is no command, or Auto. It
// decides before any shell does, so each sign must be one with which no
// command begins.
func detectData(src string) Dialect {
	switch {
	case strings.HasPrefix(src, "curl "): // as most texts begin
		return Auto
	case har.Is(src):
		return HAR
	case rawhttp.Is(src) && !paste.HoldsCurl(src): // else a request shown beside its command
		return HTTP
	case fetch.Is(src) && !paste.HoldsCurl(src):
		return Fetch
	}
	return Auto
}

// readData reads a text that is no command into the curl commands that send its
// requests.
func readData(src string, d Dialect, entry int, m *meter.Meter) Reading {
	r := Reading{Dialect: d}
	switch {
	case entry > 0 && d != HAR:
		r.Diags = noEntries(src)
	case d == HAR:
		r.Commands, r.Diags = har.Read(src, entry, m)
	case d == HTTP:
		r.Commands, r.Diags = rawhttp.Read(src, m)
	default:
		r.Commands, r.Diags = fetch.Read(src, m)
	}
	if m.Over() {
		r.Commands, r.Diags = nil, diag.List{m.Diagnostic(diag.At(0))}
	}
	return r
}

// noEntries returns the error of a text that has no entries to choose from.
func noEntries(src string) (diags diag.List) {
	diags.Error(diag.CodeUnknownEntry, diag.Span{End: int32(len(src))}, "the text has no entries", "only a HAR file has entries")
	return diags
}
